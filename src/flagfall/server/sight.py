"""What one seat sees, kept from ply to ply: its View follows the plies, and only changed men are drawn anew."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

from flagfall.play.events import Started
from flagfall.rules.board import SQUARE_NAMES, Seat
from flagfall.rules.events import Outcome, Played, Result
from flagfall.rules.pieces import RANKS, Rank
from flagfall.wire import messages
from flagfall.wire.messages import Counts

if TYPE_CHECKING:
    from flagfall.play.referee import Referee
    from flagfall.rules.position import Man
    from flagfall.rules.view import View

SEATS: tuple[messages.SeatWord, messages.SeatWord] = ("red", "blue")


class Sight:
    """One seat's View of one game and what is drawn of it.

    Nothing comes from anywhere but the View: it is taken whole from the referee once, and from then on is the fold of
    the plies that everybody was told. Where that road does not lead on (the game is over, or the referee is another or
    went back) it is taken whole again. The lists belong to the sight: callers copy what they change.
    """

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self._referee: Referee | None = None
        self._view: View | None = None
        self._last: Played | None = None
        self._marks = array("Q")
        self._men: list[messages.Man] = []
        self._falls: dict[int, int] | None = None
        self._started: Started | None = None
        self._counted = False
        self._left: tuple[Counts, Counts] = ({}, {})
        self._hidden = (0, 0)

    def look(self, referee: Referee) -> View:
        """The View as it is now; it belongs to the sight and is to be read only. Raises NotAllowed `not_started`."""
        view = self._view
        if view is None or not self._follows(referee, view):
            view = self._view = referee.view(self.seat)
            self._referee, self._falls, self._counted = referee, None, False
            self._started, self._marks = None, array("Q")
            newest = referee.moves(referee.ply - 1)
            self._last = newest[-1].played if newest else None
        return view

    def _follows(self, referee: Referee, view: View) -> bool:
        """Lead the View on to the referee's last ply, where it can be led there."""
        if referee is not self._referee or referee.result is not Result.GOING or referee.ply < view.ply:
            return False
        told = referee.moves(max(0, view.ply - 1))
        if view.ply and (not told or told.pop(0).played is not self._last):
            return False
        for fact in told:
            view.fold(fact.played)
            self._last = fact.played
            if fact.played.outcome is not Outcome.QUIET or fact.played.rescued is not None:
                self._falls, self._counted = None, False
        return True

    def _known(self, view: View) -> dict[int, int]:
        """When each fallen man fell: as before, unless there was a battle or a rescue since."""
        if self._falls is None:
            self._falls = view.falls()
        return self._falls

    def started(self, referee: Referee) -> Started | None:
        """What was told when both armies stood."""
        self.look(referee)
        if self._started is None:
            facts = (event.fact for event in referee.events(self.seat))
            self._started = next((fact for fact in facts if isinstance(fact, Started)), None)
        return self._started

    def men(self, referee: Referee) -> list[messages.Man]:
        """Every man as this seat knows him, in the order of ids."""
        view = self.look(referee)
        marks = view.marks(self._known(view))
        if len(marks) != len(self._marks):
            self._men = [man_of(man) for man in view.men_of(marks)]
        else:
            for place, (pid, mark, before) in enumerate(zip(sorted(view.starts), marks, self._marks, strict=True)):
                if mark != before:
                    self._men[place] = man_of(view.man(pid, mark))
        self._marks = array("Q", marks)
        return self._men.copy()

    def counted(self, referee: Referee) -> tuple[tuple[Counts, Counts], tuple[int, int]]:
        """By seat, how many men of each rank it has left, and how many fell whose rank this seat does not know."""
        view = self.look(referee)
        if not self._counted:
            falls = self._known(view)
            men = view.men_of(view.marks(falls))
            red, blue = (left_of(view.variant.army, men, side, side is self.seat) for side in Seat)
            self._left, self._hidden = (red, blue), (fallen_unseen(men, Seat.RED), fallen_unseen(men, Seat.BLUE))
            self._counted = True
        return self._left, self._hidden


def man_of(man: Man) -> messages.Man:
    """A man as the View has him that he is taken from."""
    return messages.Man(
        SQUARE_NAMES[man.id],
        SEATS[man.seat],
        None if man.square is None else SQUARE_NAMES[man.square],
        None if man.rank is Rank.UNKNOWN else int(man.rank),
        man.moved,
        man.known,
        man.fell,
    )


def left_of(army: Mapping[Rank, int], men: list[Man], seat: Seat, own: bool) -> Counts:
    """How many men of each rank a seat has left; a rank that is gone stays with 0.

    Of one's own army the men that stand are counted. Of the other one that is its army less the fallen whose rank is
    known: the most it can have, where a smaller army may be placed or men have fallen unseen.
    """
    if own:
        stand = Counter(man.rank for man in men if man.seat is seat and man.fell is None)
        return {str(int(rank)): stand[rank] for rank in RANKS if army.get(rank)}
    gone = Counter(man.rank for man in men if man.seat is seat and man.fell is not None)
    return {str(int(rank)): army[rank] - gone[rank] for rank in RANKS if army.get(rank)}


def fallen_unseen(men: list[Man], seat: Seat) -> int:
    """How many of a seat's men have fallen whose rank is not in the View that they are taken from."""
    return sum(man.seat is seat and man.fell is not None and man.rank is Rank.UNKNOWN for man in men)
