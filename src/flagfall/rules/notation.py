"""Moves and positions as text for people and records (R14.8)."""

from __future__ import annotations

import re

from flagfall.errors import Unreadable
from flagfall.rules.board import (
    Move,
    make_move,
    origin,
    parse_square,
    put_square,
    rescued,
    square_name,
    target,
    with_rescue,
)
from flagfall.rules.events import Outcome, Played
from flagfall.rules.pieces import Numbering, rank_text

_SQUARE = "([a-j](?:10|[1-9]))"
_MOVE = re.compile(f"{_SQUARE}[-x]?{_SQUARE}(?:/{_SQUARE}@{_SQUARE})?", re.ASCII)
_ENDS = {Outcome.QUIET: "", Outcome.ATTACKER: "+", Outcome.DEFENDER: "-", Outcome.BOTH: "=", Outcome.FLAG: "#"}


def move_text(move: int) -> str:
    """`e2-e4`: the squares of a move, without a word on what stands there; `e9-e10/c2@a1` with a rescue (R13.2)."""
    return f"{square_name(origin(move))}-{square_name(target(move))}{_rescue_text(rescued(move), put_square(move))}"


def _rescue_text(man: int | None, put: int | None) -> str:
    """`/c2@a1`: the man who began on c2 is put on a1; nothing for no rescue."""
    return "" if man is None or put is None else f"/{square_name(man)}@{square_name(put)}"


def parse_move(text: str) -> Move:
    """The move that `e2e4`, `e2-e4` or `e4xe5` names, `/c2@a1` after it for a rescue (R13.2). Raises Unreadable.

    >>> move_text(parse_move("e2e4")), move_text(parse_move("e9xe10/c2@a1"))
    ('e2-e4', 'e9-e10/c2@a1')
    """
    found = _MOVE.fullmatch(text.strip()) if len(text) <= 20 else None
    if found is None:
        raise Unreadable("a move is written e2-e4 or e4xe5", code="bad_move")
    move = make_move(parse_square(found[1]), parse_square(found[2]))
    return move if found[3] is None else with_rescue(move, parse_square(found[3]), parse_square(found[4]))


def ply_text(played: Played, numbering: Numbering = Numbering.MODERN) -> str:
    """A ply as a record for people shows it: `e5{9}xe6{10}-`, ranks where they were told; a rescue as in a move."""
    mine = f"{{{rank_text(played.attacker, numbering)}}}" if played.attacker else ""
    theirs = f"{{{rank_text(played.defender, numbering)}}}" if played.defender else ""
    mark = "-" if played.outcome is Outcome.QUIET else "x"
    end = _ENDS[played.outcome]
    back = _rescue_text(played.rescued, played.put)
    return f"{square_name(played.origin)}{mine}{mark}{square_name(played.target)}{theirs}{end}{back}"
