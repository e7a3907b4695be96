"""Those who look on at one game: who they are, how many, and what each is to be told next."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from flagfall.errors import NotAllowed
from flagfall.rules.board import Seat
from flagfall.rules.events import Reason, Result
from flagfall.server import watched, watching
from flagfall.server.journal import Agreed
from flagfall.server.ledger import Ledger, not_ready
from flagfall.wire import messages
from flagfall.wire.messages import ShowingWord
from flagfall.wire.sitters import NOBODY
from flagfall.wire.watching import Watched

MOST_WATCHERS = 200
MOST_LINES = 4
"""Sockets that one guest may look on with, so that nobody fills the gallery alone."""
SAME_MS = 250
"""A clock may be so old in what is told to many at once."""


@dataclass(eq=False)
class Onlooker:
    """One socket of a watcher: `news` is set when there may be some, `gone` once he is to leave, `banned` if so."""

    guest: bytes
    news: asyncio.Event = field(default_factory=asyncio.Event)
    gone: bool = False
    banned: bool = False


class Gallery:
    """The watchers of one game. changed: called when their number has changed."""

    def __init__(self, ledger: Ledger, changed: Callable[[], None]) -> None:
        self._ledger, self._changed = ledger, changed
        self._there: list[Onlooker] = []
        self._seated: set[bytes] = set()
        self._past: watched.Past | None = None
        self._kept: tuple[tuple[int, int, int], Watched] | None = None
        self.sitters = NOBODY
        """By what names, and with which ratings, red and blue sit here."""

    @property
    def count(self) -> int:
        """How many look on."""
        return len(self._there)

    def enter(self, guest: bytes) -> Onlooker:
        """Begin to look on. Raises NotAllowed `not_watched`, `own_game`, `too_many_watchers`, `too_many_tabs`."""
        if self._ledger.watch is None:
            raise watching.not_watched()
        if guest in self._seated:
            raise watching.own_game(self._ledger.summary.id, None)
        if self.count >= MOST_WATCHERS:
            raise NotAllowed("too many look on already", code="too_many_watchers", limit=MOST_WATCHERS)
        if sum(one.guest == guest for one in self._there) >= MOST_LINES:
            raise NotAllowed("you look on in too many places", code="too_many_tabs", limit=MOST_LINES)
        onlooker = Onlooker(guest)
        self._there.append(onlooker)
        self._count_again()
        return onlooker

    def leave(self, onlooker: Onlooker) -> None:
        """Look on no longer."""
        if onlooker in self._there:
            self._there.remove(onlooker)
            self._count_again()

    def expel(self, guest: bytes) -> None:
        """Somebody has taken a seat: he looks on no longer, nor comes in by a door that he was at meanwhile."""
        self._seated.add(guest)
        self.turn_out(guest, banned=False)

    def turn_out(self, guest: bytes, *, banned: bool = True) -> None:
        """Let somebody look on no longer."""
        for onlooker in [one for one in self._there if one.guest == guest]:
            onlooker.gone, onlooker.banned = True, banned
            onlooker.news.set()
            self.leave(onlooker)

    def tell(self) -> None:
        """Something has happened in the game."""
        for onlooker in self._there:
            onlooker.news.set()

    def _count_again(self) -> None:
        self.tell()
        self._changed()

    # --- what is shown -----------------------------------------------------------------------------------------------

    def showing(self) -> watching.Showing:
        """How far the show has come."""
        ledger, referee = self._ledger, self._ledger.referee
        over, ply = ledger.end[0] is not Result.GOING, 0 if referee is None else referee.ply
        if ledger.end[1] is Reason.ABORTED:
            return watching.Showing("public", ply, (False, False))
        return watching.showing(ledger.entries, ledger.record, ply, over)

    def told(self) -> messages.Watching | None:
        """What the seats are told of it; None where nobody may look on."""
        terms = self._ledger.watch
        if terms is None:
            return None
        shown = self.showing()
        how: ShowingWord = "public" if shown.how == "open" else shown.how
        code = watching.code_of(self._ledger.record)
        return messages.Watching(code, terms.delay, messages.Both(*shown.agreed), how, self.count)

    def look(self, version: int, since: int, now_ms: int) -> Watched:
        """What is to be told now, with the plies after `since`. Raises NotAllowed `law_not_ready`."""
        key = (version, since, now_ms // SAME_MS)
        if self._kept is None or self._kept[0] != key:
            self._kept = key, self._look(since, now_ms)
        return self._kept[1]

    def _look(self, since: int, now_ms: int) -> Watched:
        ledger, shown = self._ledger, self.showing()
        if ledger.referee is not None and ledger.started:
            return watched.told(ledger, shown, self.sitters, self._followed(shown), since, now_ms)
        if all(army is not None for army in ledger.record.deployments):
            raise not_ready()
        return watched.before(ledger, shown, self.sitters)

    def _followed(self, shown: watching.Showing) -> watched.Past | None:
        """The board of some plies ago, where that is what is shown."""
        if shown.how in ("public", "open"):
            return None
        if self._past is None:
            red, blue = (self._ledger.placed(seat) for seat in Seat)
            if red is None or blue is None:
                return None
            terms = self._ledger.record.terms
            self._past = watched.Past(terms.variant, terms.first, (red, blue))
        return self._past

    # --- what a seat may do ------------------------------------------------------------------------------------------

    async def agree(self, seat: Seat, give: bool) -> None:
        """Let both armies be shown late, as far as a seat is asked, or no longer; the same again is the same deed.

        Raises NotAllowed `not_watched`, `never_shown`, `game_over`, StoreFault.
        """
        terms = self._ledger.watch
        if terms is None:
            raise watching.not_watched()
        if terms.delay is None:
            raise NotAllowed("at this table the armies are shown at the end alone", code="never_shown")
        if self._ledger.end[0] is not Result.GOING:
            raise NotAllowed("the game is over", code="game_over")
        if self.showing().agreed[seat] != give:
            await self._ledger.add(Agreed(seat.word, give))
