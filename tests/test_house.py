"""HOUSE.md tells the truth about the files, and every file is small and has a caption."""

from __future__ import annotations

from difflib import unified_diff
from itertools import chain
from pathlib import Path

import pytest

from tools import house

ROOT = Path(__file__).resolve().parents[1]
TEXT = (ROOT / "HOUSE.md").read_text(encoding="utf-8")
FILES = list(chain.from_iterable(files for _, files in house.rooms(ROOT)))
NAMELESS = {"utils", "util", "common", "helpers", "helper", "misc", "core", "base"}
LONGEST = 400
EXEMPT = {"src/flagfall/rules/law.py", "frontend/src/wire/types.ts"}
"""The law, and what a tool has written: nobody reads that from top to bottom."""


def test_the_list_of_files_is_true() -> None:
    old, new = TEXT.splitlines(), house.renewed(TEXT, house.listing()).splitlines()
    changed = [line for line in unified_diff(old, new, lineterm="", n=0) if not line.startswith(("---", "+++", "@@"))]
    assert not changed, "run: make house"


def test_every_room_is_on_the_map() -> None:
    rooms = [path.name for path in (ROOT / "src" / "flagfall").iterdir() if (path / "__init__.py").is_file()]
    missing = [room for room in rooms if f"| `{room}/` |" not in TEXT]
    assert not missing


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_file_is_small_and_its_name_says_something(path: Path) -> None:
    assert not NAMELESS & set(path.relative_to(ROOT).with_suffix("").parts)
    if path.relative_to(ROOT).as_posix() not in EXEMPT:
        lines = path.read_text(encoding="utf-8").count("\n")
        assert lines <= LONGEST


def test_a_file_without_a_caption_is_refused(tmp_path: Path) -> None:
    bare = tmp_path / "bare.py"
    bare.write_text("x = 1\n")
    with pytest.raises(ValueError, match="no caption"):
        house.python_caption(bare)
    with pytest.raises(ValueError, match="no caption"):
        house.page_caption(bare)


def test_lost_markers_are_refused() -> None:
    with pytest.raises(ValueError, match="markers"):
        house.renewed("no markers here", "files")
