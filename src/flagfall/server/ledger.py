"""A game's referee and its log, kept in step: a deed is done, then written, or else it has not happened."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import msgspec

from flagfall.errors import NotAllowed
from flagfall.play.record import Deed, Record
from flagfall.rules.board import Move, Seat
from flagfall.rules.deployment import Deployment
from flagfall.rules.events import Reason, Result
from flagfall.rules.notation import move_text
from flagfall.rules.pieces import Numbering
from flagfall.server import ratings
from flagfall.server.blocks import block, hears_not
from flagfall.server.journal import (
    Acted,
    Agreed,
    Entry,
    Opened,
    Placed,
    Rematched,
    Seated,
    WatchTerms,
    acted,
    record_of,
)
from flagfall.server.nature import Nature
from flagfall.server.sight import Sight
from flagfall.server.store import Store, StoreFault, Summary, Taken
from flagfall.wire.messages import Against

if TYPE_CHECKING:
    from flagfall.play.referee import Referee

GRACE_MS = 3_600_000
"""Nobody's days run out while the server is down, nor within this time after it came up."""
_SET_UP = (Deed.DEPLOY, Deed.FILL)


def not_ready() -> NotAllowed:
    """What is said while the compiled law is not there."""
    return NotAllowed("the rules are still being got ready", code="law_not_ready")


class Ledger:
    """One game between memory and store.

    summary: the game in one line. entries: its log. record: what the log told when it was last read. The referee is
    there from `open` on, which needs the law. up_ms: when this server came up, in Unix time.
    """

    def __init__(
        self, summary: Summary, entries: Sequence[Entry], store: Store, nature: Nature, up_ms: int = 0
    ) -> None:
        self.summary = summary
        self._store, self._nature, self._up_ms = store, nature, up_ms
        self._referee: Referee | None = None
        self.sights = (Sight(Seat.RED), Sight(Seat.BLUE))
        """By seat, what is kept of what that seat sees."""
        self.stale, self._opened = False, False
        """Whether what is written has to be read again before anything is done; whether there has been a referee."""
        self._take(entries)

    def _take(self, entries: Sequence[Entry]) -> None:
        self.entries: list[Entry] = list(entries)
        self._read, self._deeds = 0, set[tuple[object, ...]]()
        self.record: Record = record_of(self.entries)
        self._acts = len(self.record.acts)
        self._played = sum(act.deed is Deed.MOVE for act in self.record.acts)

    @property
    def referee(self) -> Referee | None:
        """The referee, once the law is there."""
        return self._referee

    @property
    def started(self) -> bool:
        """Whether both armies stand and the referee is there."""
        return self._referee is not None and all(self._referee.deployed(seat) for seat in Seat)

    @property
    def end(self) -> tuple[Result, Reason]:
        """How the game stands."""
        last = self._referee or self.record
        return last.result, last.reason

    @property
    def against(self) -> Against:
        """Who sits opposite."""
        return self.summary.against

    @property
    def complete(self) -> bool:
        """Whether nobody is missing at the table."""
        return self.summary.against != "friend" or any(isinstance(entry, Seated) for entry in self.entries)

    @property
    def rematch(self) -> str | None:
        """The game that follows this one."""
        if self.end[0] is Result.GOING:
            return None
        return next((entry.game for entry in self.entries if isinstance(entry, Rematched)), None)

    @property
    def watch(self) -> WatchTerms | None:
        """What was agreed about those who look on; None where nobody may."""
        first = self.entries[0]
        return first.watch if isinstance(first, Opened) else None

    @property
    def may_abort(self) -> bool:
        """Whether either seat may call the game off now."""
        referee = self._referee
        going = self.complete and self.end[0] is Result.GOING
        return going and (self.record.plies == 0 if referee is None else referee.may_abort())

    def need(self) -> Referee:
        """The referee. Raises NotAllowed `law_not_ready`."""
        if self._referee is None:
            raise not_ready()
        return self._referee

    def placed(self, seat: Seat) -> Deployment | None:
        """The army that a seat put on the table, whether or not the referee has taken it in."""
        if self.record.deployments[seat] is not None:
            return self.record.deployments[seat]
        texts = (entry.army for entry in self.entries if isinstance(entry, Placed) and entry.seat == seat.word)
        text = next(texts, None)
        return None if text is None else Deployment.parse(text, self.record.terms.variant, seat, Numbering.MODERN)

    def done(self, seat: Seat, name: str) -> bool:
        """Whether this seat has done something under this name already."""
        return (seat.word, name) in self._read_on()

    def played(self, seat: Seat, ply: int, move: Move) -> bool:
        """Whether this seat has played this move as this ply already, and it was not taken back."""
        return (seat.word, ply, move_text(move)) in self._read_on()

    def _read_on(self) -> set[tuple[object, ...]]:
        """What was done, by seat and name and by seat, ply and move; what is already read is not read again."""
        for entry in self.entries[self._read :]:
            if isinstance(entry, Acted) and entry.deed == Deed.ALLOW.value:
                # From here on a move may be played again as the same ply.
                self._deeds = {deed for deed in self._deeds if len(deed) == 2}
            if isinstance(entry, Acted):
                self._deeds |= {(entry.seat, entry.id), (entry.seat, entry.ply, entry.move)}
        self._read = len(self.entries)
        return self._deeds

    async def open(self) -> None:
        """Make the referee from the log, in a thread: a long game takes a while. Raises Unreadable."""
        self._referee = await asyncio.to_thread(self._resumed)
        self._opened = True

    def _resumed(self) -> Referee:
        # The referee stands on the compiled law, which this process does not load before its pages are up.
        from flagfall.play.referee import Referee

        ticks_ms = self._nature.ticks_ms()
        referee = Referee.resume(self.record, ticks_ms)
        away_ms = self._away_ms(referee, ticks_ms)
        return Referee.resume(self.record, ticks_ms - away_ms) if away_ms else referee

    def _away_ms(self, referee: Referee, ticks_ms: int) -> int:
        """How much of the time since the last act counts: none, so that a restart is fair, but where it is days."""
        control, due_ms = self.record.terms.control, referee.deadline_ms()
        if control is None or not control.by_days or due_ms is None:
            return 0
        since_ms = self.summary.updated_ms
        late_ms = self._up_ms + GRACE_MS - (since_ms + due_ms - ticks_ms)
        return max(0, self._nature.now_ms() - since_ms - max(0, late_ms))

    async def do(self, deed: Callable[[Referee, int], object], name: str | None = None) -> None:
        """Let the referee do something at the present moment, and write it down.

        Raises what the referee raises; what that changed (a flag that had fallen) is written all the same. Raises
        StoreFault when nothing could be written, and then nothing has changed.
        """
        await self.sound()
        referee = self.need()
        try:
            deed(referee, self._nature.ticks_ms())
        finally:
            await self._write(referee, name)

    async def deploy(self, seat: Seat, army: Deployment) -> None:
        """Let the referee take in an army. Raises as `do`."""
        await self.do(lambda referee, now_ms: referee.deploy(seat, army, now_ms))

    async def add(self, entry: Placed | Rematched | Agreed) -> None:
        """Write down what is no act of the game. Raises StoreFault, and then nothing has changed."""
        await self.sound()
        await self._store.append(self.summary, len(self.entries) + 1, [entry], self._nature.now_ms())
        self.entries.append(entry)

    async def seat(self, seat: Seat, guest: bytes) -> None:
        """Give the free seat to a guest. Raises Taken where somebody sits there, StoreFault."""
        await self.sound()
        entry = Seated(seat.word)
        await self._store.take(self.summary.id, seat.word, guest, len(self.entries) + 1, entry, self._nature.now_ms())
        self.entries.append(entry)

    async def blocks(self, seat: Seat) -> bool:
        """Whether the guest of a seat does not want to hear the other seat's, at any table. Raises StoreFault."""
        sat = await self._store.owners(self.summary.id)
        return len(sat) == len(Seat) and await hears_not(self._store, sat[seat.word], sat[seat.other.word])

    async def block(self, seat: Seat, on: bool) -> None:
        """Write that down, or take it back. Raises StoreFault."""
        sat = await self._store.owners(self.summary.id)
        await block(self._store, sat[seat.word], sat[seat.other.word], on)

    async def _write(self, referee: Referee, name: str | None) -> None:
        written = referee.journal(self._nature.ticks_ms())
        new = written.acts[self._acts :]
        if not new:
            return
        rows: list[Acted] = []
        played = self._played
        for act in new:
            played += act.deed is Deed.MOVE
            last = act is new[-1]
            army = written.deployments[act.seat] if act.deed in _SET_UP and act.seat is not None else None
            end = (written.result, written.reason) if last else (Result.GOING, Reason.NONE)
            # A ply is the last thing that a deed does, after whatever was due before it.
            number = (referee.ply, played) if act.deed is Deed.MOVE else None
            rows.append(acted(act, army, name if last else None, number, end))
        summary = self._summed(referee)
        try:
            await self._append(summary, rows)
        except StoreFault:
            await self.again()
            raise
        self.summary, self._acts, self._played = summary, len(written.acts), played
        self.entries += rows
        self.record = written

    async def _append(self, summary: Summary, rows: Sequence[Entry]) -> None:
        """Write acts; those that end a rated game move both ratings in the same transaction."""
        for last in [False] * (ratings.TRIES - 1) + [True]:
            steps = await ratings.steps(self._store, summary, self.record.terms) if summary.phase == "over" else []
            try:
                await self._store.append(
                    summary, len(self.entries) + 1, rows, self._nature.now_ms(), ratings.add(steps)
                )
            except Taken:
                # Another game of the same people may have ended at the same moment: count this one after it.
                if last or not steps or len(await self._store.log(summary.id)) > len(self.entries):
                    raise
            else:
                return

    async def again(self) -> None:
        """Go back to what is written, by whomever. Raises StoreFault, and is then still to be done."""
        self.stale, self._referee = True, None
        kept = await self._store.log(self.summary.id)
        self._take([entry for entry, _ in kept] or self.entries)
        if self._opened:
            await self.open()
        self.stale = False

    async def sound(self) -> None:
        """Read what is written where that could not be done when it should. Raises StoreFault."""
        if self.stale:
            await self.again()

    async def catch_up(self) -> None:
        """Read what is written where somebody else has written more. Raises StoreFault."""
        written = (await self._store.lengths([self.summary.id])).get(self.summary.id, 0)
        if self.stale or written > len(self.entries):
            await self.again()

    def _summed(self, referee: Referee) -> Summary:
        over = referee.result is not Result.GOING
        turn = referee.turn
        return msgspec.structs.replace(
            self.summary,
            phase=referee.phase.value,
            ply=referee.ply,
            turn=None if turn is None else turn.word,
            result=referee.result.word if over else None,
            reason=referee.reason.word if over else None,
            updated_ms=self._nature.now_ms(),
        )
