"""The README keeps its word: its Python runs, its commands exist, its links lead somewhere."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = ["README.md", "HOUSE.md", "CONTRIBUTING.md", "CHANGELOG.md"]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
PICTURE = "docs/play.png"


def test_there_is_python_to_run() -> None:
    assert BLOCKS


@pytest.mark.parametrize("block", BLOCKS, ids=range(len(BLOCKS)))
def test_a_block_of_python_runs(block: str, tmp_path: Path) -> None:
    command = [sys.executable, "-W", "error", "-c", block]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=110)
    assert done.returncode == 0, done.stderr


def test_the_commands_exist() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for name in DOCUMENTS:
        named = set(re.findall(r"`make ([a-z-]+)", (ROOT / name).read_text(encoding="utf-8")))
        assert named <= targets, name
    assert {"play", "test"} <= set(re.findall(r"^make ([a-z-]+)", README, re.MULTILINE))


@pytest.mark.parametrize("name", DOCUMENTS)
def test_the_links_lead_somewhere(name: str) -> None:
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", (ROOT / name).read_text(encoding="utf-8"))
    missing = {link for link in links if not (ROOT / link).exists()}
    assert missing <= {PICTURE}
