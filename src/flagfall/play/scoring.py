"""Match points: what a result is worth in a tournament (R12)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Points:
    """One way of scoring: points for a win, a draw and a loss, and for a game lost by a fault of one's program.

    >>> POINTS["isf"].of(1.0), POINTS["isf"].of(0.5), POINTS["contest"].of(0.0, fault=True)
    (6, 3, -1)
    """

    win: int
    draw: int
    loss: int
    fault: int

    def of(self, score: float, *, fault: bool = False) -> int:
        """The points of a side that scored 1, 0.5 or 0; `fault` says that it lost by a fault of its program."""
        if fault and score == 0.0:
            return self.fault
        return {1.0: self.win, 0.5: self.draw, 0.0: self.loss}[score]

    def total(self, games: Iterable[tuple[float, bool]]) -> int:
        """The points of a side over its games, each as (score, lost by a fault)."""
        return sum(self.of(score, fault=fault) for score, fault in games)

    @property
    def name(self) -> str:
        """`6/3/1`."""
        return f"{self.win}/{self.draw}/{self.loss}"


POINTS = {"isf": Points(6, 3, 1, 1), "team": Points(2, 1, 0, 0), "contest": Points(3, 2, 1, -1)}
"""The scorings that R12 names: Masters of 2017 and ISF, on-line team events, the program contest of 2012."""
