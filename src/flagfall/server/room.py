"""One game, one task, one mailbox: whatever a seat, the house or a clock does to a game is done here, one at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import structlog

from flagfall.errors import FlagfallError, IllegalMove, NotAllowed
from flagfall.rules.board import Move, Seat, make_move, parse_square, with_rescue
from flagfall.rules.deployment import Deployment
from flagfall.rules.events import Refusal, Result
from flagfall.rules.pieces import Numbering
from flagfall.server import invites, state
from flagfall.server.gallery import Gallery
from flagfall.server.host import Host, House, Job
from flagfall.server.journal import Placed, Rematched
from flagfall.server.law import LawKeeper
from flagfall.server.ledger import Ledger, not_ready
from flagfall.server.problems import internal
from flagfall.server.store import Taken
from flagfall.wire import messages
from flagfall.wire.watching import Watched

log = structlog.get_logger()

PATIENCE_S = 12.0
"""Shorter than a page waits for an answer."""
COMING_MS = 10_000
"""How long after it was laid an open table waits for its maker's page."""


class Watch:
    """One socket's wish to hear of `news`; `tabs`, `crowd`: the number of the seat's sockets or of watchers changed."""

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self.news = asyncio.Event()
        self.tabs = False
        self.crowd = False


Seen = TypeVar("Seen")


class Room:
    """A game in memory, from `start` to `stop`. Deeds raise what the referee raises, StoreFault and `law_not_ready`."""

    def __init__(self, ledger: Ledger, house: House) -> None:
        self._ledger, self._house = ledger, house
        self._mailbox: asyncio.Queue[tuple[Job, asyncio.Future[None]]] = asyncio.Queue()
        self._tasks: set[asyncio.Task[None]] = set()
        self._timer: asyncio.Task[None] | None = None
        self._host = Host(ledger, house, self._post, self._spawn)
        self._watches: list[Watch] = []
        self.gallery = Gallery(ledger, self._count_crowd)
        self._opened_ms = house.nature.ticks_ms()
        self._open_once = asyncio.Event()
        self.used_ms = self._opened_ms
        self.version = 0
        """Grows with every change that a seat can see."""
        self._told = self._mark()
        self.again = asyncio.Lock()
        """Held by whoever makes this game's rematch."""
        self._holders = 0
        self._working = self._closed = self._visited = False

    def start(self) -> None:
        """Begin to work through the mailbox, and open the game as soon as the law is there."""
        self._spawn(self._work())
        self._spawn(self._open_when_ready())

    async def stop(self) -> None:
        """Leave the game as it stands in the store."""
        tasks = tuple(self._tasks)
        self.close_soon()
        await asyncio.gather(*tasks, return_exceptions=True)

    def close_soon(self) -> None:
        """Leave the game as it stands in the store, without waiting for it; who waits for a deed hears `closed`."""
        self._closed = True
        for task in tuple(self._tasks):
            task.cancel()
        while not self._mailbox.empty():
            _settle(self._mailbox.get_nowait()[1], _closed())

    # --- what a seat may see -----------------------------------------------------------------------------------------

    @property
    def ledger(self) -> Ledger:
        """The game's log and summary."""
        return self._ledger

    @property
    def idle(self) -> bool:
        """Whether nobody listens, nothing is awaited or being done and no clock runs: the room may be forgotten."""
        busy = self._working or self._holders or self._host.busy or self._timer is not None
        return not busy and not self._watches and not self.gallery.count and self._mailbox.empty()

    @property
    def waiting(self) -> bool:
        """Whether anybody of the hall may sit down now: the table is open, and its maker at it or about to be."""
        ledger, now_ms = self._ledger, self._house.nature.now_ms()
        if not ledger.summary.open or ledger.complete or self._closed or ledger.end[0] is not Result.GOING:
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

    async def state(self, seat: Seat, since: int) -> messages.State:
        """What a seat may know now. Raises NotAllowed `law_not_ready` where that takes the law.

        Asked through the mailbox, so that nobody is told what is done but not yet written.
        """
        return await self._look(lambda: self._state(seat, since))

    def _state(self, seat: Seat, since: int) -> messages.State:
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
            watch=self.gallery.told(),
        )
        if ledger.referee is not None and ledger.started:
            return state.seen(ledger.referee, seat, min(since, ledger.referee.ply), now_ms, told)
        if all(army is not None for army in ledger.record.deployments):
            raise not_ready()
        n = 0 if ledger.referee is None else len(ledger.referee.events(seat))
        return state.before(ledger.record.terms, seat, ledger.placed(seat), told, n, ledger.end)

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
        watch = Watch(seat)
        self._watches.append(watch)
        self._visited = True
        self._count_tabs(seat)
        self._tell_presence(seat, 1)
        return watch

    def leave(self, watch: Watch) -> None:
        """Stop listening."""
        self._watches.remove(watch)
        self.used_ms = self._house.nature.ticks_ms()
        self._count_tabs(watch.seat)
        self._tell_presence(watch.seat, 0)

    def tabs(self, seat: Seat) -> int:
        """How many sockets of a seat are open."""
        return sum(watch.seat is seat for watch in self._watches)

    # --- what a seat may do ------------------------------------------------------------------------------------------

    async def join(self, seat: Seat, guest: bytes) -> None:
        """Take the free seat. Raises NotAllowed `seat_taken`."""
        await self._do(lambda: self._join(seat, guest))

    async def place(self, seat: Seat, text: str) -> None:
        """Put an army on the table; the same one again is the same deed. Raises BadArmy, Unreadable, NotAllowed."""
        await self._do(lambda: self._place(seat, text))

    async def deed(self, seat: Seat, frame: messages.Move | messages.Deed) -> None:
        """Do what a frame asks; the same frame again is the same deed."""
        await self._do(lambda: self._deed(seat, frame))

    async def follow(self, game: str) -> None:
        """Write down which game is the rematch of this one."""
        await self._do(lambda: self._ledger.add(Rematched(game)))

    async def _join(self, seat: Seat, guest: bytes) -> None:
        if self._ledger.complete:
            raise invites.seat_taken()
        try:
            await self._ledger.seat(seat, guest)
        except Taken:
            raise invites.seat_taken() from None
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

    async def _deed(self, seat: Seat, frame: messages.Move | messages.Deed) -> None:
        ledger = self._ledger
        if isinstance(frame, messages.ShowTruth):
            return await self.gallery.agree(seat, frame.give)
        if ledger.done(seat, frame.id):
            return
        referee = ledger.need()
        match frame:
            case messages.Move():
                move = make_move(parse_square(frame.origin), parse_square(frame.target))
                if frame.rescue is not None:
                    move = with_rescue(move, parse_square(frame.rescue.man), parse_square(frame.rescue.put))
                if not ledger.played(seat, frame.ply, move):
                    self._check(seat, frame.ply, move)
                    await ledger.do(lambda referee, now_ms: referee.move(seat, move, now_ms), frame.id)
            case messages.Resign():
                await ledger.do(lambda referee, now_ms: referee.resign(seat, now_ms), frame.id)
            case messages.OfferDraw() if referee.offer is None:
                await ledger.do(lambda referee, now_ms: referee.offer_draw(seat, now_ms), frame.id)
            case messages.OfferDraw():
                raise NotAllowed("a draw is offered already", code="offered_already")
            case messages.AnswerDraw(accept=accept):
                await ledger.do(lambda referee, now_ms: referee.answer_draw(seat, accept, now_ms), frame.id)

    def _check(self, seat: Seat, ply: int, move: Move) -> None:
        """Refuse a move for what the seat itself can see. Raises IllegalMove, NotAllowed."""
        referee = self._ledger.need()
        if not self._ledger.started or referee.turn is None:
            return  # the referee says why
        if referee.turn is not seat:
            raise IllegalMove("it is the other side's turn", Refusal.OUT_OF_TURN.word)
        if ply != referee.ply + 1:
            raise NotAllowed("the game has gone on since", code="stale", ply=referee.ply + 1)
        view = referee.view(seat)
        if view.why(move) is not None:
            raise view.refused(move)

    # --- the mailbox -------------------------------------------------------------------------------------------------

    async def _look(self, look: Callable[[], Seen]) -> Seen:
        found: list[Seen] = []

        async def job() -> None:
            found.append(look())

        await self._do(job)
        return found[0]

    async def _do(self, job: Job) -> None:
        if self._closed:
            raise _closed()
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._mailbox.put_nowait((job, done))
        self.used_ms = self._house.nature.ticks_ms()
        # Held until this very caller goes on, so that what he does next finds the same room open.
        with self.held():
            await done

    def _post(self, job: Job) -> None:
        self._mailbox.put_nowait((job, asyncio.get_running_loop().create_future()))

    async def _work(self) -> None:
        while True:
            job, done = await self._mailbox.get()
            error: FlagfallError | None = _closed()  # unless the job comes to an end
            self._working = True
            try:
                await job()
                error = None
            except FlagfallError as raised:
                error = raised
            except Exception as raised:
                log.error("room_failed", game=self._ledger.summary.id, kind=type(raised).__name__)
                error = internal()
            finally:
                self._working = False
                _settle(done, error)
            self._go_on()

    def _go_on(self) -> None:
        """After every job: tell of a change, set the clock, and send for the house where it is awaited."""
        mark = self._mark()
        changed, self._told = mark != self._told, mark
        if changed:
            self._tell()
        if changed or self._timer is None:
            self._set_timer()
        self._host.send()

    def _tell(self) -> None:
        self.version += 1
        for watch in self._watches:
            watch.news.set()
        self.gallery.tell()

    def _mark(self) -> tuple[int, bool]:
        """What a change that anybody can see changes."""
        return len(self._ledger.entries), self._ledger.referee is not None

    async def _open_when_ready(self) -> None:
        await self._house.law.ready()
        self._post(self._open)

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
            self._timer = self._spawn(self._time_up(due))

    async def _time_up(self, due: int) -> None:
        await self._house.nature.sleep_ms(max(0, due - self._house.nature.ticks_ms()))
        self._timer = None
        self._post(lambda: self._ledger.do(lambda referee, now_ms: referee.tick(now_ms)))

    # --- inside ------------------------------------------------------------------------------------------------------

    def _is_here(self, seat: Seat) -> bool:
        """Whether somebody looks at the board from a seat: the house always does, and whoever plays both seats."""
        return self._ledger.against != "friend" or self.tabs(seat) > 0

    def _tell_presence(self, seat: Seat, count: int) -> None:
        """Tell everybody that a seat's first page came, or its last one went."""
        if self._ledger.against == "friend" and self.tabs(seat) == count:
            self._tell()

    def _count_tabs(self, seat: Seat) -> None:
        for watch in self._watches:
            if watch.seat is seat:
                watch.tabs = True
                watch.news.set()

    def _count_crowd(self) -> None:
        for watch in self._watches:
            watch.crowd = True
            watch.news.set()

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


def _closed() -> NotAllowed:
    """What is said of a deed that the room did not get to."""
    return NotAllowed("this table was put away; ask again", code="closed")


def _settle(done: asyncio.Future[None], error: FlagfallError | None) -> None:
    """Tell whoever waits for a job how it went."""
    if not done.done() and error is None:
        done.set_result(None)
    elif not done.done() and error is not None:
        done.set_exception(error)
        done.exception()  # nobody waits for the house's own jobs
