"""How browser tests behave: last in the run, skipped where no browser is, and failed for it in CI."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
TESTS = """
import asyncio

def test_browser(page):
    page.goto("about:blank")

def test_loop():
    asyncio.run(asyncio.sleep(0))
"""


def run(folder: Path, **env: str) -> tuple[int, str]:
    """Run the tests above under the shared conftest; the status and what was printed."""
    (folder / "test_pages.py").write_text(TESTS)
    shutil.copy(ROOT / "tests" / "conftest.py", folder)
    kept = {name: value for name, value in os.environ.items() if name not in {"CI", "FLAGFALL_CHROMIUM"}}
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "tests.conftest",
        "-v",
        "-m",
        "",
        "--rootdir",
        ".",
        "test_pages.py",
    ]
    done = subprocess.run(
        command, cwd=folder, env={**kept, "PYTHONPATH": str(ROOT), **env}, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout


def test_without_a_browser_they_skip_at_home(tmp_path: Path) -> None:
    status, printed = run(tmp_path, PATH="/nowhere")
    assert status == 0, printed
    assert "1 passed, 1 skipped" in printed


def test_without_a_browser_they_fail_in_ci(tmp_path: Path) -> None:
    status, printed = run(tmp_path, PATH="/nowhere", CI="true")
    assert status == 1, printed
    assert "CI does not allow" in printed


@pytest.mark.browser
def test_they_run_last(tmp_path: Path) -> None:
    status, printed = run(tmp_path)
    if "skipped" in printed:
        pytest.skip("no chromium on PATH")
    assert status == 0, printed
    assert printed.index("test_loop PASSED") < printed.index("test_browser")
