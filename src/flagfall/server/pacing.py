"""When a machine's answer is released: at a moment that depends on public facts alone (R7; a forced move waits too)."""

from __future__ import annotations

from dataclasses import dataclass

from flagfall.play.player import derived


@dataclass(frozen=True, slots=True)
class Pacing:
    """How long the house seems to think: `floor_ms` and up to `spread_ms` more, by game id and event number.

    An answer that is not ready by then goes out after whole further steps of `step_ms`, so that even a late one tells
    the enemy no more than that the machine was busy. Search budgets are fixed and far below the floor.

    >>> Pacing(floor_ms=400, spread_ms=0).release_ms("game", 7, took_ms=3)
    400
    >>> Pacing(floor_ms=400, spread_ms=0, step_ms=250).release_ms("game", 7, took_ms=401)
    650
    """

    floor_ms: int = 450
    spread_ms: int = 400
    step_ms: int = 500

    def release_ms(self, game: str, ply: int, took_ms: int) -> int:
        """How long after it was asked the answer for `ply` goes out, never before it is there."""
        drawn = int.from_bytes(derived(b"pace", game, ply, size=8), "big") % (self.spread_ms + 1)
        due = self.floor_ms + drawn
        late = max(0, took_ms - due)
        return due + -(-late // max(1, self.step_ms)) * self.step_ms
