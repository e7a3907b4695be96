"""How like two deployments are: what would have to change on the board, left and right exchanged where that is less.

The measure, in units of `WHOLE` a square: 0 where both have the same man or none; where both have an officer, from
sergeant to marshal, the difference of their ranks; `WHOLE` for everything else. Of the two ways to lay one army on the
other, as it stands and mirrored, the nearer counts.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from flagfall.rules.deployment import Deployment

WHOLE = 6
"""What a square costs on which quite different men stand: as much as a sergeant where a marshal was."""

_SIGNS = "FBS23456789M."
_OFFICERS = {sign: rank for rank, sign in enumerate("456789M", 4)}


def cost(one: str, two: str) -> int:
    """What it costs to put the man of one sign where another stands; signs as `Deployment.text` has them.

    >>> cost("M", "9"), cost("4", "M"), cost("B", "3"), cost("2", ".")
    (1, 6, 6, 6)
    """
    if one == two:
        return 0
    mine, theirs = _OFFICERS.get(one), _OFFICERS.get(two)
    return WHOLE if mine is None or theirs is None else abs(mine - theirs)


@lru_cache(maxsize=32)
def _row(sign: str) -> dict[str, int]:
    return {other: cost(sign, other) for other in _SIGNS}


def distance_from(army: Deployment) -> Callable[[str], tuple[int, bool]]:
    """A measure of other deployments of the same game, given as `Deployment.text`: distance, and whether mirrored."""
    straight = [_row(sign) for sign in army.text()]
    turned = [_row(sign) for sign in army.mirror().text()]

    def measure(signs: str) -> tuple[int, bool]:
        as_it_is = sum([row[sign] for row, sign in zip(straight, signs, strict=True)])
        mirrored = sum([row[sign] for row, sign in zip(turned, signs, strict=True)])
        return (mirrored, True) if mirrored < as_it_is else (as_it_is, False)

    return measure
