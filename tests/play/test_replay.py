"""A record printed as boards."""

from __future__ import annotations

from pathlib import Path

import pytest

from flagfall.errors import NotAllowed, NotFound, Unreadable
from flagfall.play import replay
from flagfall.play.record import Terms
from flagfall.play.referee import Referee
from flagfall.rules.board import Seat, make_move, parse_square
from flagfall.rules.catalog import MICRO
from flagfall.rules.deployment import Deployment
from flagfall.rules.pieces import Numbering

TINY = MICRO.with_law(max_plies=6)


def played(*moves: str) -> Referee:
    referee = Referee(Terms(variant=TINY), secret=bytes(32), now_ms=0)
    for seat in Seat:
        referee.deploy(seat, Deployment.parse("F2SM", TINY, seat, Numbering.MODERN), 0)
    for words in moves:
        start, end = words.split("-")
        assert referee.turn is not None
        referee.move(referee.turn, make_move(parse_square(start), parse_square(end)), 0)
    return referee


def test_a_record_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.json"
    path.write_text(played("b1-b3", "a4-a3", "d1-d2", "a3-b3", "d2-d3", "b3-b2").record().text())
    assert replay.show(path) == 0
    said = capsys.readouterr().out
    assert said.startswith(
        """\
micro: red against blue
10 is the marshal, 1 the spy; x attacks, + attacker stays, - attacker falls, = both fall, # flag taken

 4 b10 b1  b2  bF
 3 .   .   .   .
 2 .   .   .   .
 1 rF  r2  r1  r10
   a   b   c   d

1. b1{2}-b3  2. a4-a3  3. d1-d2  4. a3{10}xb3{2}+
 4 .   b1  b2  bF
 3 .   b10 .   .
 2 .   .   .   r10
 1 rF  .   r1  .
   a   b   c   d
"""
    )
    assert said.endswith("a draw (limit) after 6 plies\n")


def test_ranks_are_printed_in_either_numbering(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """R2: 1 is the marshal on older boxes, and S the spy."""
    path = tmp_path / "game.json"
    path.write_text(played("b1-b3", "a4-a3", "d1-d2", "a3-b3", "d2-d3", "b3-b2").record().text())
    assert replay.show(path, numbering=Numbering.ORIGINAL) == 0
    said = capsys.readouterr().out
    assert "1 is the marshal, S the spy;" in said
    assert " 4 b1  bS  b9  bF\n" in said
    assert "1. b1{9}-b3  2. a4-a3  3. d1-d2  4. a3{1}xb3{9}+" in said


def test_a_game_of_a_match_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "match.json"
    record = played("b1-b3", "a4-a3", "d1-d2", "a3-b3", "d2-d3", "b3-b2").record().text()
    path.write_text(f'{{"score": 0.5, "records": [3, {{"half": 1, "record": {record}}}]}}')
    assert replay.show(path, game=2) == 0
    assert capsys.readouterr().out.endswith("a draw (limit) after 6 plies\n")
    for game in (0, 3):
        with pytest.raises(NotFound):
            replay.show(path, game=game)
    with pytest.raises(Unreadable):
        replay.show(path, game=1)


def test_only_finished_games_are_shown(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text(played("b1-b3").journal(0).text())
    with pytest.raises(NotAllowed):
        replay.show(path)
    path.write_text("no record")
    with pytest.raises(Unreadable):
        replay.show(path)
    with pytest.raises(NotFound):
        replay.show(tmp_path / "missing.json")


def test_a_game_that_never_began_has_no_boards() -> None:
    referee = Referee(Terms(variant=TINY), secret=bytes(32), now_ms=0)
    referee.resign(Seat.BLUE, 0)
    assert list(replay.lines(referee.record()))[-1] == "red wins (resigned) after 0 plies"
