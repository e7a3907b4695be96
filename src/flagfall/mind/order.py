"""The next move in the order of their rates, from two buffers side by side; compiled."""

from __future__ import annotations

from typing import Any

from flagfall.rules.compiled import compiled, entry
from flagfall.rules.law import N1, U


@compiled
def pick(M: Any, O: Any, j: Any, n: Any) -> Any:
    """Bring the best of the moves left to place j."""
    best = j
    for i in range(j + N1, n):
        if entry(O, i).o > entry(O, best).o:
            best = i
    move = U(entry(M, best).m)
    if best != j:
        entry(M, best).m = entry(M, j).m
        entry(M, j).m = move
        order = entry(O, best).o
        entry(O, best).o = entry(O, j).o
        entry(O, j).o = order
    return move
