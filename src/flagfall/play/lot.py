"""An army by lot, for whoever has not set up when the time for it is over (R12)."""

from __future__ import annotations

from flagfall.play.player import chance
from flagfall.rules.board import Seat
from flagfall.rules.deployment import Deployment
from flagfall.rules.variant import Variant

TRIES = 20
"""Armies drawn at most in place of walled-in ones, which lose at once (R3.5)."""


def by_lot(variant: Variant, seat: Seat, seed: bytes) -> Deployment:
    """Any legal whole army (R3.3), all alike likely; the same seed gives the same one."""
    random = chance(seed, 0, "set up by lot")
    men = [rank for rank, count in sorted(variant.army.items()) for _ in range(count)]
    for _ in range(TRIES):
        squares = random.sample(list(variant.home[seat]), len(men))
        army = Deployment(variant, seat, dict(zip(squares, men, strict=True)))
        if not army.walled_in():
            break
    return army
