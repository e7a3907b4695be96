"""A ply as somebody wrote it down (R14.8): the move, and whatever is claimed of its battle, to be tried on the game."""

from __future__ import annotations

import re
from dataclasses import dataclass

from flagfall.errors import Unreadable
from flagfall.rules.board import Move
from flagfall.rules.events import Outcome, Played
from flagfall.rules.notation import parse_move
from flagfall.rules.pieces import Numbering, Rank, parse_rank

LONGEST_PLY = 60
_SQUARE = r"[a-j](?:10|[1-9])"
_RANK = r"(?:\{([0-9BFSbfs]{1,2})\})?"
_PLY = re.compile(rf"({_SQUARE}){_RANK}([-x]?)({_SQUARE}){_RANK}([+=#-]?)((?:/{_SQUARE}@{_SQUARE})?)", re.ASCII)
_OUTCOMES = {"+": Outcome.ATTACKER, "-": Outcome.DEFENDER, "=": Outcome.BOTH, "#": Outcome.FLAG}


@dataclass(frozen=True, slots=True)
class Noted:
    """One ply as written: None for all that is not said.

    attack: whether it is marked as one. outcome: QUIET only where it is marked as no attack.

    >>> noted = parse_ply("e5{9}xe6{10}-")
    >>> noted.outcome.word, noted.attacker.name, parse_ply("e5e6").attack
    ('defender', 'GENERAL', None)
    """

    move: Move
    attack: bool | None
    outcome: Outcome | None
    attacker: Rank | None
    defender: Rank | None

    def contradicts(self, played: Played) -> str | None:
        """What is claimed here that the ply as it was played belies, in words; None for nothing."""
        if self.attack is not None and self.attack is not (played.outcome is not Outcome.QUIET):
            return "this ply was no attack" if self.attack else "this ply was an attack"
        if self.outcome is not None and self.outcome is not played.outcome:
            return f"this battle ended otherwise: {played.outcome.word}"
        if self.attacker is not None and self.attacker is not played.attacker:
            return "this ply did not tell that rank of the man that moved"
        if self.defender is not None and self.defender is not played.defender:
            return "this ply did not tell that rank of the man attacked"
        return None


def parse_ply(text: str, numbering: Numbering = Numbering.MODERN) -> Noted:
    """The ply that `e2e4`, `e2{2}-e4`, `e5xe6` or `e5{9}xe6{10}-` notes, `/c2@a1` behind it for a rescue (R13.2).

    Raises Unreadable `bad_ply`, `bad_rank`.
    """
    found = _PLY.fullmatch(text) if len(text) <= LONGEST_PLY else None
    if found is None or (found[6] and found[3] == "-") or (found[5] and found[3] == "-"):
        raise Unreadable("a ply is written e2-e4, e5xe6 or e5{9}xe6{10}-", code="bad_ply")
    start, mine, mark, end, theirs, sign, rescue = found.groups()
    attack = True if mark == "x" or sign or theirs else False if mark == "-" else None
    return Noted(
        move=parse_move(f"{start}-{end}{rescue}"),
        attack=attack,
        outcome=_OUTCOMES[sign] if sign else Outcome.QUIET if attack is False else None,
        attacker=parse_rank(mine, numbering) if mine else None,
        defender=parse_rank(theirs, numbering) if theirs else None,
    )
