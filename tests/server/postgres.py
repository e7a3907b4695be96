"""A PostgreSQL of the tests' own: made in a folder, spoken to over a socket in it, thrown away at the end."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

SYSTEM_USER = "postgres"


def programs() -> Path | None:
    """The folder of the database's programs, the newest first."""
    found = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    there = shutil.which("initdb")
    found += [] if there is None else [Path(there).parent]
    return max(found, key=lambda path: int(path.parent.name) if path.parent.name.isdigit() else 0, default=None)


@contextmanager
def postgres() -> Iterator[str]:
    """The address of an empty database. Skips where there is no PostgreSQL, but fails where CI is set."""
    binaries = programs()
    if binaries is None:
        if os.environ.get("CI"):
            pytest.fail("PostgreSQL is missing: run tools/system-deps.sh")
        pytest.skip("PostgreSQL is missing: run tools/system-deps.sh")
    # Its sockets' names may be no longer than a hundred letters, and root may not run it.
    with tempfile.TemporaryDirectory(prefix="flagfall-pg-") as folder:
        before = ["runuser", "-u", SYSTEM_USER, "--"] if os.geteuid() == 0 else []
        if before:
            shutil.chown(folder, SYSTEM_USER)
        data = f"{folder}/data"

        def call(*words: str) -> None:
            subprocess.run(
                [*before, *words],
                check=True,
                cwd=folder,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=120,
            )

        call(f"{binaries}/initdb", "-D", data, "-U", "postgres", "-A", "trust", "-N", "--no-locale", "-E", "UTF8")
        options = f"-k {folder} -c listen_addresses= -c fsync=off -c shared_buffers=16MB -c max_connections=60"
        call(f"{binaries}/pg_ctl", "-D", data, "-o", options, "-l", f"{folder}/log", "-w", "start")
        try:
            yield f"postgresql://postgres@/postgres?host={folder}"
        finally:
            call(f"{binaries}/pg_ctl", "-D", data, "-m", "immediate", "-w", "stop")
