"""Taking plies back: how many, and why not. What was shown cannot be unseen, so only plies that showed nothing go.

A seat takes back its last ply, and the answer to it where there was one. No ply goes that attacked or showed a rank (a
scout's long step): whoever learnt something from it would keep it. Nor does the other seat's answer go where it was its
man's first step: that told the asker that the man is neither bomb nor flag. The asker's own first step may go: it told
only the other seat something, and that by the asker's own hand.
"""

from __future__ import annotations

from collections.abc import Sequence

from flagfall.errors import NotAllowed
from flagfall.rules.board import Seat
from flagfall.rules.events import Outcome, Played


def undone(turn: Seat, asker: Seat) -> int:
    """How many plies go until it is the asker's turn before his last ply."""
    return 2 if turn is asker else 1


def refusal(plies: Sequence[Played], count: int) -> NotAllowed | None:
    """Why the last `count` plies may not go, None where they may: `no_ply`, `revealed`."""
    if len(plies) < count:
        return NotAllowed("this seat has played no ply yet", code="no_ply")
    answer = count > 1 and first_step(plies)
    if answer or any(_shows(played) for played in plies[-count:]):
        return NotAllowed("these plies have shown something, so they stand", code="revealed")
    return None


def first_step(plies: Sequence[Played]) -> bool:
    """Whether the last ply was the first step of its man; so is that of one who was brought back (R13.2)."""
    start = plies[-1].origin
    for played in reversed(plies[:-1]):
        if played.put == start:
            return True
        if played.target == start and played.outcome is not Outcome.DEFENDER:
            return False
    return True


def _shows(played: Played) -> bool:
    """Whether a ply told a rank to anybody, or took a man off the board."""
    return played.outcome is not Outcome.QUIET or played.attacker is not None or played.defender is not None
