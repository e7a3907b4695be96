"""The walls between rooms hold, and would be noticed if they did not."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

BREACHES = {
    "storeys": ("play/breach.py", "import flagfall.server"),
    "storeys, sideways": ("server/breach.py", "import flagfall.mind"),
    "check": ("arena/breach.py", "import flagfall.check"),
    "truth": ("server/breach.py", "import flagfall.rules.truth"),
    "truth, inside a function": ("arena/breach.py", "def late():\n    from flagfall.rules import truth"),
    "truth by roads": ("mind/breach.py", "import flagfall.rules.truth"),
    "shell": ("server/breach.py", "from flagfall import Game"),
    "play by two doors": ("mind/breach.py", "import flagfall.play.referee"),
    "mind": ("mind/breach.py", "import flagfall.wire"),
    "compiler": ("mind/breach.py", "import numba"),
    "arrays": ("server/breach.py", "import numpy"),
    "web": ("wire/breach.py", "import litestar"),
    "messages": ("rules/breach.py", "import msgspec"),
    "terminal": ("play/breach.py", "import rich.progress"),
    "jobs": ("mind/breach.py", "import joblib"),
}


def lint(folder: Path) -> tuple[int, str]:
    """Run the import contract in a folder; its status and what it printed."""
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache", "--no-logo"]
    env = {**os.environ, "PYTHONPATH": str(folder / "src"), "NO_COLOR": "1"}
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the package's modules and of the contract."""
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    skip = shutil.ignore_patterns("static", "__pycache__")
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=skip)
    return tmp_path


def test_the_walls_hold() -> None:
    status, printed = lint(ROOT)
    assert status == 0, printed


@pytest.mark.parametrize("breach", BREACHES)
def test_a_breach_is_noticed(breach: str, copy: Path) -> None:
    place, code = BREACHES[breach]
    (copy / "src" / "flagfall" / place).write_text(f'"""A breach."""\n\n{code}\n')
    status, printed = lint(copy)
    assert status == 1, printed
    assert "flagfall." + place.removesuffix(".py").replace("/", ".") in printed


def test_a_new_room_needs_a_storey(copy: Path) -> None:
    (copy / "src" / "flagfall" / "attic.py").write_text('"""A room that no layer names."""\n')
    status, printed = lint(copy)
    assert status == 1, printed
    assert "attic" in printed
