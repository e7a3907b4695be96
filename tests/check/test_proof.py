"""What `flagfall verify` says of a record: what holds, what fails, and what it cannot show."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from flagfall.check.proof import verify
from flagfall.errors import NotFound
from flagfall.play.record import checksum
from flagfall.rules.board import Seat

SAMPLE = Path(__file__).parents[2] / "frontend" / "src" / "watch" / "record.sample.json"


def said(path: Path, heard: dict[Seat, str] | None = None) -> tuple[int, str]:
    out = io.StringIO()
    return verify(path, heard or {}, out), out.getvalue()


def written(tmp_path: Path, **changes: Any) -> Path:
    form = json.loads(SAMPLE.read_text()) | changes
    path = tmp_path / "record.json"
    path.write_text(json.dumps(form | {"checksum": checksum(form)}))
    return path


def test_the_record_that_the_page_is_tested_with_holds() -> None:
    """The page reckons with the same record: both must find it whole."""
    form = json.loads(SAMPLE.read_text())
    code, text = said(SAMPLE)
    assert (code, text.count("holds"), "FAILS" in text) == (0, 3, False)
    assert all(digest in text for digest in form["commitments"].values())


def test_digests_that_were_heard() -> None:
    red, blue = json.loads(SAMPLE.read_text())["commitments"].values()
    assert said(SAMPLE, {Seat.RED: red, Seat.BLUE: blue.upper()})[0] == 0
    code, text = said(SAMPLE, {Seat.RED: blue, Seat.BLUE: blue})
    assert (code, text.count("FAILS"), text.count("holds")) == (1, 1, 4)


@pytest.mark.parametrize("field", ["elapsed_ms", "begun_ms"])
def test_a_changed_record_fails(field: str, tmp_path: Path) -> None:
    path = tmp_path / "changed.json"
    path.write_text(json.dumps(json.loads(SAMPLE.read_text()) | {field: 1}))
    code, text = said(path)
    assert (code, "wrong_checksum" in text) == (1, True)


def test_a_swapped_army_fails(tmp_path: Path) -> None:
    armies = json.loads(SAMPLE.read_text())["deployments"]
    path = written(tmp_path, deployments=armies | {"red": armies["red"][::-1]})
    code, text = said(path)
    assert (code, "wrong_commitment" in text) == (1, True)


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        said(tmp_path / "none.json")
