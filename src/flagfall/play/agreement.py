"""What one seat may ask of the other: once, then again after a ply of its own; the next ply lets it lapse."""

from __future__ import annotations

from flagfall.errors import NotAllowed
from flagfall.rules.board import Seat


class Question:
    """One thing that can be asked: a draw, or a ply back.

    asker: whose question is not answered yet. again, none: the codes where it may not be asked, or was not asked.
    """

    def __init__(self, again: str, none: str) -> None:
        self.asker: Seat | None = None
        self._again, self._none = again, none
        self._may = [True, True]

    def may(self, seat: Seat) -> bool:
        """Whether a seat has not asked since its last ply."""
        return self._may[seat]

    def why_not(self, seat: Seat) -> NotAllowed | None:
        """Why a seat may not ask now, None where it may."""
        if self._may[seat] and self.asker is None:
            return None
        return NotAllowed("this may be asked again after the next own move", code=self._again)

    def ask(self, seat: Seat) -> None:
        """Ask. Raises NotAllowed."""
        refused = self.why_not(seat)
        if refused is not None:
            raise refused
        self.asker, self._may[seat] = seat, False

    def answer(self, seat: Seat) -> None:
        """Answer, one way or the other. Raises NotAllowed where the other seat has asked nothing."""
        if self.asker is not seat.other:
            raise NotAllowed("there is nothing to answer", code=self._none)
        self.asker = None

    def lapse(self, mover: Seat | None = None) -> None:
        """Forget the question; whoever has moved may ask again."""
        self.asker = None
        if mover is not None:
            self._may[mover] = True
