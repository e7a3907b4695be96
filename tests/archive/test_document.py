"""What docs/formats.md says of formats and deviations is what the archive does."""

from __future__ import annotations

import re
from pathlib import Path

from flagfall.archive import formats
from flagfall.archive.found import Kind

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
SOURCES = "".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "src/flagfall/archive").glob("*.py")))


def rows(heading: str) -> list[list[str]]:
    """The cells of the table under a row of headings."""
    table = TEXT.split(heading, 1)[1].split("\n\n", 1)[0].splitlines()[2:]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in table]


def test_every_format_stands_in_the_document_as_it_is() -> None:
    said: dict[str, list[str]] = {}
    for names, _, holds, read, written in rows("| name | what it is |"):
        for name in re.findall(r"`([\w-]+)`", names):
            said[name] = [holds, read, written]
    assert set(said) == {form.name for form in formats.FORMATS}
    for form in formats.FORMATS:
        holds, read, written = said[form.name]
        assert read == "yes"
        assert written == {True: "yes", False: "no"}[form.write is not None] or written == "sheets"
        assert holds.startswith("a game") == form.single
        for kind in form.writes:
            assert Kind(kind).value in holds, form.name


def test_every_deviation_stands_in_the_document() -> None:
    told = set(re.findall(r'(?:Deviation|_note)\(\s*"([a-z_]+)"', SOURCES))
    documented = {code for cells in rows("| deviation | clause |") for code in re.findall(r"`([a-z_]+)`", cells[0])}
    assert len(told) > 15
    assert told | {"two_square", "more_squares"} == documented
