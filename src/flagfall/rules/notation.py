"""Moves and positions as text for people and records (R14.8)."""

from __future__ import annotations

import re

from flagfall.errors import Unreadable
from flagfall.rules.board import Move, make_move, origin, parse_square, square_name, target
from flagfall.rules.events import Outcome, Played
from flagfall.rules.pieces import Numbering, rank_text

_MOVE = re.compile(r"([a-j](?:10|[1-9]))([-x]?)([a-j](?:10|[1-9]))", re.ASCII)
_ENDS = {Outcome.QUIET: "", Outcome.ATTACKER: "+", Outcome.DEFENDER: "-", Outcome.BOTH: "=", Outcome.FLAG: "#"}


def move_text(move: int) -> str:
    """`e2-e4`: the squares of a move, without a word on what stands there."""
    return f"{square_name(origin(move))}-{square_name(target(move))}"


def parse_move(text: str) -> Move:
    """The move that `e2e4`, `e2-e4` or `e4xe5` names. Raises Unreadable.

    >>> move_text(parse_move("e2e4"))
    'e2-e4'
    """
    found = _MOVE.fullmatch(text.strip()) if len(text) <= 20 else None
    if found is None:
        raise Unreadable("a move is written e2-e4 or e4xe5", code="bad_move")
    return make_move(parse_square(found[1]), parse_square(found[3]))


def ply_text(played: Played, numbering: Numbering = Numbering.MODERN) -> str:
    """A ply as a record for people shows it: `e5{9}xe6{10}-`, ranks where they were told."""
    mine = f"{{{rank_text(played.attacker, numbering)}}}" if played.attacker else ""
    theirs = f"{{{rank_text(played.defender, numbering)}}}" if played.defender else ""
    mark = "-" if played.outcome is Outcome.QUIET else "x"
    end = _ENDS[played.outcome]
    return f"{square_name(played.origin)}{mine}{mark}{square_name(played.target)}{theirs}{end}"
