"""One game, one task, one mailbox: whatever a seat, the house or a clock does to a game is done here, one at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TypeVar

from flagfall.errors import FlagfallError, NotAllowed
from flagfall.rules.board import Seat
from flagfall.rules.deployment import Deployment
from flagfall.rules.events import Result
from flagfall.rules.pieces import Numbering
from flagfall.server import deeds, invites, state
from flagfall.server.gallery import Gallery
from flagfall.server.host import Host, House, Job
from flagfall.server.journal import Placed, Rematched
from flagfall.server.law import LawKeeper
from flagfall.server.ledger import Ledger, not_ready
from flagfall.server.mailbox import Mailbox
from flagfall.server.presence import Absence, Presence, Watch
from flagfall.server.store import Taken
from flagfall.server.talk import Talk
from flagfall.wire import messages
from flagfall.wire.sitters import Sitters
from flagfall.wire.watching import Watched

PATIENCE_S = 12.0
"""Shorter than a page waits for an answer."""
MEND_MS = 1_000
COMING_MS = 10_000
"""How long after it was laid an open table waits for its maker's page."""


Seen = TypeVar("Seen")


class Room:
    """A game in memory, from `start` to `stop`. Deeds raise what the referee raises, StoreFault and `law_not_ready`."""

    def __init__(self, ledger: Ledger, house: House) -> None:
        self._ledger, self._house = ledger, house
        self._mailbox = Mailbox(ledger.summary.id, self._go_on)
        self._timer: asyncio.Task[None] | None = None
        self._mending: asyncio.Task[None] | None = None
        self._host = Host(ledger, house, self._mailbox.post, self._mailbox.spawn)
        self._presence = Presence(house.nature.ticks_ms())
        self.gallery = Gallery(ledger, self._presence.tell_crowd)
        self.talk = Talk(ledger, house.nature.ticks_ms())
        self._opened_ms = house.nature.ticks_ms()
        self._open_once = asyncio.Event()
        self.used_ms = self._opened_ms
        self.version = 0
        """Grows with every change that a seat can see."""
        self._told = self._mark()
        self.again = asyncio.Lock()
        """Held by whoever makes this game's rematch."""
        self._holders = 0
        self._visited = False

    def start(self) -> None:
        """Begin to work through the mailbox, and open the game as soon as the law is there."""
        self._mailbox.start()
        self._mailbox.spawn(self._open_when_ready())

    async def stop(self) -> None:
        """Leave the game as it stands in the store."""
        await self._mailbox.close()

    def close_soon(self) -> None:
        """Leave the game as it stands in the store, without waiting for it; who waits for a deed hears `closed`."""
        self._mailbox.close_soon()

    # --- what a seat may see -----------------------------------------------------------------------------------------

    @property
    def ledger(self) -> Ledger:
        """The game's log and summary."""
        return self._ledger

    @property
    def idle(self) -> bool:
        """Whether nobody listens, nothing is awaited or being done and no clock runs: the room may be forgotten.

        A clock of days is reckoned anew from the store when somebody looks again.
        """
        control = self._ledger.record.terms.control
        runs = self._timer is not None and not (control is not None and control.by_days)
        busy = self._mailbox.busy or self._holders or self._host.busy or runs
        return not busy and not self._presence and not self.gallery.count

    @property
    def waiting(self) -> bool:
        """Whether anybody of the hall may sit down now: the table is open, and its maker at it or about to be."""
        ledger, now_ms = self._ledger, self._house.nature.now_ms()
        if not ledger.summary.open or ledger.complete or self._mailbox.closed or ledger.end[0] is not Result.GOING:
            return False
        coming = not self._visited and now_ms - ledger.summary.started_ms < COMING_MS
        return coming or any(self.tabs(seat) for seat in Seat)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep the room from being forgotten until the block ends."""
        self._holders += 1
        try:
            yield
        finally:
            self._holders -= 1

    async def state(self, seat: Seat, since: int, backs: int = 0) -> messages.State:
        """What a seat may know now, with the plies after number `since`, had when so many takebacks were known.

        Asked through the mailbox, so that nobody is told what is done but not yet written. Raises NotAllowed
        `law_not_ready` where it takes the law.
        """
        return await self._look(lambda: self._state(seat, since, backs))

    def _state(self, seat: Seat, since: int, backs: int) -> messages.State:
        ledger, now_ms = self._ledger, self._house.nature.ticks_ms()
        told = state.Told(
            level=ledger.summary.level,
            against=ledger.against,
            thinking=self._host.awaited,
            rematch=ledger.rematch,
            setup_ms=self._setup_ms(now_ms),
            invite=None if ledger.complete else invites.code_of(ledger.record),
            taken=(ledger.complete or seat is Seat.RED, ledger.complete or seat is Seat.BLUE),
            ready=(ledger.placed(Seat.RED) is not None, ledger.placed(Seat.BLUE) is not None),
            here=(self._is_here(Seat.RED), self._is_here(Seat.BLUE)),
            open=ledger.summary.open,
            sitters=self.gallery.sitters,
            watch=self.gallery.told(),
            may_abort=ledger.may_abort,
            absence=self._absence(),
        )
        if ledger.referee is not None and ledger.started:
            # What the page holds of plies that were taken back since is told anew.
            stands = min(since, ledger.referee.ply, *ledger.referee.takebacks[backs:])
            return state.seen(ledger.referee, seat, stands, now_ms, told, ledger.sights[seat])
        if all(army is not None for army in ledger.record.deployments):
            raise not_ready()
        n = 0 if ledger.referee is None else len(ledger.referee.events(seat))
        return state.before(ledger.record.terms, seat, ledger.placed(seat), told, n, ledger.end)

    def call(self, sitters: Sitters) -> None:
        """Say by what names, and with which ratings, red and blue sit here."""
        if sitters != self.gallery.sitters:
            self.gallery.sitters = sitters
            self._tell()

    async def watched(self, since: int) -> Watched:
        """What those who look on may know now. Raises NotAllowed `law_not_ready`. Asked as `state` is."""
        return await self._look(lambda: self.gallery.look(self.version, since, self._house.nature.ticks_ms()))

    @property
    def law(self) -> LawKeeper:
        """How far the law is."""
        return self._house.law

    async def opened(self, patience_s: float = PATIENCE_S) -> None:
        """Wait until there is a state to show. Raises NotAllowed `law_not_ready` when patience ends first."""
        if self._ledger.referee is None and all(self._ledger.record.deployments):
            try:
                with self.held():
                    async with asyncio.timeout(patience_s):
                        await self._open_once.wait()
            except TimeoutError:
                raise not_ready() from None

    def watch(self, seat: Seat) -> Watch:
        """Begin to listen for a seat."""
        self._visited = True
        watch = self._presence.come(seat, self._house.nature.ticks_ms())
        self._tell_presence(seat, 1)
        self._mailbox.post(self._learn)
        return watch

    def leave(self, watch: Watch) -> None:
        """Stop listening."""
        self.used_ms = self._house.nature.ticks_ms()
        self._presence.go(watch, self.used_ms)
        self._tell_presence(watch.seat, 0)

    def turn_out(self, seat: Seat) -> None:
        """Close the sockets of a seat, whose holder is banned."""
        self._presence.turn_out(seat)

    def tabs(self, seat: Seat) -> int:
        """How many sockets of a seat are open."""
        return self._presence.tabs(seat)

    # --- what a seat may do ------------------------------------------------------------------------------------------

    async def join(self, seat: Seat, guest: bytes) -> None:
        """Take the free seat. Raises NotAllowed `seat_taken`."""
        await self._do(lambda: self._join(seat, guest))

    async def place(self, seat: Seat, text: str) -> None:
        """Put an army on the table; the same one again is the same deed. Raises BadArmy, Unreadable, NotAllowed."""
        await self._do(lambda: self._place(seat, text))

    async def deed(self, seat: Seat, frame: messages.Move | messages.Deed) -> None:
        """Do what a frame asks; the same frame again is the same deed."""
        if isinstance(frame, messages.ShowTruth):
            await self._do(lambda: self.gallery.agree(seat, frame.give))
        else:
            await self._do(lambda: deeds.perform(self._ledger, seat, frame, self._absence()))

    async def answer(self, seat: Seat, frame: messages.Move | messages.Deed | messages.Spoken) -> None:
        """Do what a frame asks, at the board or in talk."""
        if isinstance(frame, messages.Say | messages.Write | messages.Wish | messages.Hear):
            await self.speak(seat, frame)
        else:
            await self.deed(seat, frame)

    async def speak(self, seat: Seat, frame: messages.Spoken) -> None:
        """Say something to the other seat, or turn away from it; nothing of it is written down."""
        await self._do(lambda: self.talk.do(seat, frame, self._house.nature.ticks_ms()))
        self._presence.tell()

    async def _learn(self) -> None:
        await self.talk.learn()
        self._presence.tell()

    async def annul(self) -> None:
        """Call the game off, by the operator's word. Raises NotAllowed `game_over`, `law_not_ready`."""
        await self._do(lambda: self._ledger.do(lambda referee, now_ms: referee.annul(now_ms)))

    async def follow(self, game: str) -> None:
        """Write down which game is the rematch of this one."""
        await self._do(lambda: self._ledger.add(Rematched(game)))

    async def _join(self, seat: Seat, guest: bytes) -> None:
        if self._ledger.complete:
            raise invites.seat_taken()
        await self._ledger.seat(seat, guest)
        self.gallery.expel(guest)
        if self._house.law.usable:
            await self._open()

    async def _place(self, seat: Seat, text: str) -> None:
        ledger = self._ledger
        if ledger.end[0] is not Result.GOING:
            raise NotAllowed("the game is over", code="game_over")
        army = Deployment.parse(text, ledger.record.terms.variant, seat, Numbering.MODERN).checked()
        there = ledger.placed(seat)
        if there is not None and there.text() != army.text():
            raise NotAllowed("this army stands already", code="already_deployed")
        if there is None:
            await ledger.add(Placed(seat.word, army.text()))
        await self._take_in()

    # --- the mailbox -------------------------------------------------------------------------------------------------

    async def _look(self, look: Callable[[], Seen]) -> Seen:
        # Held until this very caller goes on, so that what he does next finds the same room open.
        self.used_ms = self._house.nature.ticks_ms()
        with self.held():
            return await self._mailbox.look(look)

    async def _do(self, job: Job) -> None:
        self.used_ms = self._house.nature.ticks_ms()
        with self.held():
            await self._mailbox.do(lambda: self._judged(job))

    async def _judged(self, job: Job) -> None:
        """Do a job; where somebody else has written to the game, read that and judge once more."""
        try:
            await job()
        except Taken:
            await self._ledger.again()
            await job()

    def _go_on(self) -> None:
        """After every job: tell of a change, set the clock, and send for the house where it is awaited."""
        mark = self._mark()
        changed, self._told = mark != self._told, mark
        if changed:
            self._tell()
        if changed or self._timer is None:
            self._set_timer()
        if self._ledger.stale and self._mending is None:
            self._mending = self._mailbox.spawn(self._mend())
        self._host.send()

    async def _mend(self) -> None:
        """Where a write failed and the store cannot be read either: try until it can."""
        while self._ledger.stale:
            await self._house.nature.sleep_ms(MEND_MS)
            with suppress(FlagfallError):
                await self._mailbox.do(self._ledger.sound)
        self._mending = None

    def catch_up(self) -> None:
        """Somebody else may have written to this game: look."""
        self._mailbox.post(self._ledger.catch_up)

    def _tell(self) -> None:
        self.version += 1
        self._presence.tell()
        self.gallery.tell()

    def _mark(self) -> tuple[int, bool]:
        """What a change that anybody can see changes."""
        return len(self._ledger.entries), self._ledger.referee is not None

    async def _open_when_ready(self) -> None:
        await self._house.law.ready()
        self._mailbox.post(self._open)

    async def _open(self) -> None:
        if not self._ledger.complete or self._ledger.referee is not None:
            return
        try:
            await self._ledger.open()
        finally:
            self._open_once.set()
        await self._take_in()

    async def _take_in(self) -> None:
        """Let the referee take in the armies that were put on the table."""
        for seat in Seat:
            army, referee = self._ledger.placed(seat), self._ledger.referee
            if army is not None and referee is not None and not referee.deployed(seat):
                await self._ledger.deploy(seat, army)

    # --- clocks ------------------------------------------------------------------------------------------------------

    def _setup_ms(self, now_ms: int) -> int | None:
        referee, control = self._ledger.referee, self._ledger.record.terms.control
        if control is None or control.setup_ms is None or self._ledger.started:
            return None
        due = self._opened_ms + control.setup_ms if referee is None else referee.deadline_ms()
        return None if due is None else max(0, due - now_ms)

    def _set_timer(self) -> None:
        referee = self._ledger.referee
        due = None if referee is None or referee.result is not Result.GOING else referee.deadline_ms()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if due is not None:
            self._timer = self._mailbox.spawn(self._time_up(due))

    async def _time_up(self, due: int) -> None:
        await self._house.nature.sleep_ms(max(0, due - self._house.nature.ticks_ms()))
        self._timer = None
        self._mailbox.post(lambda: self._ledger.do(lambda referee, now_ms: referee.tick(now_ms)))

    # --- inside ------------------------------------------------------------------------------------------------------

    def _absence(self) -> Absence | None:
        """The seat that is empty, where that decides anything: between people, under a clock, while they play."""
        control = self._ledger.record.terms.control
        if self._ledger.against != "friend" or not self._ledger.started or control is None or control.by_days:
            return None
        return self._presence.absence(self._house.nature.ticks_ms())

    def _is_here(self, seat: Seat) -> bool:
        """Whether somebody looks at the board from a seat: the house always does, and whoever plays both seats."""
        return self._ledger.against != "friend" or self.tabs(seat) > 0

    def _tell_presence(self, seat: Seat, count: int) -> None:
        """Tell everybody that a seat's first page came, or its last one went."""
        if self._ledger.against == "friend" and self.tabs(seat) == count:
            self._tell()
