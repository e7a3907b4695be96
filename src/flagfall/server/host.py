"""The house at its seat: asked in a worker process, answering at moments that depend on public facts alone."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any, Protocol

import structlog

from flagfall.errors import IllegalMove, NotAllowed, PlayerFault
from flagfall.play.player import Kind, Reply, Request
from flagfall.rules.board import Move, Seat
from flagfall.rules.events import Result
from flagfall.server.counts import Counts
from flagfall.server.journal import house_seat
from flagfall.server.law import LawKeeper
from flagfall.server.ledger import Ledger
from flagfall.server.nature import Nature
from flagfall.server.pacing import Pacing

log = structlog.get_logger()

BUSY_MS = 1_000
PACING = Pacing()
SET_UP = Pacing(floor_ms=0, spread_ms=0, step_ms=250)

Job = Callable[[], Awaitable[None]]
Post = Callable[[Job], None]
Spawn = Callable[[Coroutine[Any, Any, None]], asyncio.Task[None]]


class Thinker(Protocol):
    """Where house players think: the pool of worker processes."""

    async def ask(self, request: Request) -> Reply:
        """Answer a request. Raises PlayerFault, NotAllowed `busy` or `closed`."""
        ...


@dataclass(frozen=True, slots=True)
class House:
    """What every room of a server shares; `pacing` is for moves and answers, `set_up` for the house's army."""

    nature: Nature
    thinker: Thinker
    law: LawKeeper
    pacing: Pacing = PACING
    set_up: Pacing = SET_UP
    counts: Counts = field(default_factory=Counts)


class Host:
    """The house in one game.

    post: puts a job into the room's mailbox. spawn: starts a task that ends with the room.
    """

    def __init__(self, ledger: Ledger, house: House, post: Post, spawn: Spawn) -> None:
        self._ledger, self._house, self._post, self._spawn = ledger, house, post, spawn
        self._seat = house_seat(ledger.record)
        self._asking: asyncio.Task[None] | None = None
        self._held: tuple[int, Reply] | None = None

    @property
    def busy(self) -> bool:
        """Whether something is asked of the house."""
        return self._asking is not None

    @property
    def awaited(self) -> bool:
        """Whether the house is on turn, an offer waits for it, or its army does; all of that is public."""
        referee, seat = self._ledger.referee, self._seat
        if seat is None or self._ledger.end[0] is not Result.GOING:
            return False
        if referee is None or not self._ledger.started:
            return self._ledger.placed(seat.other) is not None
        return referee.turn is seat or referee.offer is seat.other

    def send(self) -> None:
        """Ask the house for what is awaited of it, if anything is and nothing is asked already."""
        referee, seat = self._ledger.referee, self._seat
        if seat is None or referee is None or self._asking is not None or referee.result is not Result.GOING:
            return
        if not referee.deployed(seat):
            self._asking = self._spawn(self._ask(Kind.DEPLOY, referee.request(Kind.DEPLOY, seat), 0))
        elif referee.offer is seat.other:
            self._asking = self._spawn(self._ask(Kind.DRAW, referee.request(Kind.DRAW, seat), referee.ply))
        elif referee.turn is seat and self._held is not None and self._held[0] == referee.ply:
            (ply, reply), self._held = self._held, None
            self._post(lambda: self._answered(Kind.MOVE, ply, reply))
        elif referee.turn is seat:
            self._asking = self._spawn(self._ask(Kind.MOVE, referee.request(Kind.MOVE, seat), referee.ply))

    async def _ask(self, kind: Kind, request: Request, ply: int) -> None:
        """Ask the house, and post its answer at a moment that has nothing to do with what the answer is."""
        nature, pacing = self._house.nature, self._house.set_up if kind is Kind.DEPLOY else self._house.pacing
        asked_ms = nature.ticks_ms()
        answer: Reply | PlayerFault
        try:
            answer = Reply(kind=kind) if self._is_stuck(kind) else await self._house.thinker.ask(request)
        except PlayerFault as fault:
            answer = fault
        except NotAllowed as refusal:
            # The pool is full or closing: ask again, if there is anybody left to ask.
            await nature.sleep_ms(BUSY_MS)
            self._asking = None
            if refusal.stable_code != "closed":
                self.send()
            return
        except Exception as error:
            log.error("thinker_failed", game=self._ledger.summary.id, kind=type(error).__name__)
            answer = PlayerFault("the house's player failed", code="crashed")
        took_ms = nature.ticks_ms() - asked_ms
        number = 2 * ply + (kind is Kind.DRAW)
        await nature.sleep_ms(max(0, pacing.release_ms(self._ledger.summary.id, number, took_ms) - took_ms))
        self._asking = None
        self._post(lambda: self._answered(kind, ply, answer))

    async def _answered(self, kind: Kind, ply: int, answer: Reply | PlayerFault) -> None:
        referee, seat = self._ledger.need(), self._seat
        if seat is None or referee.result is not Result.GOING or referee.ply != ply:
            return
        if isinstance(answer, PlayerFault) and kind is Kind.DRAW:
            answer = Reply(kind=kind)
        if isinstance(answer, PlayerFault):
            log.error("house_failed", game=self._ledger.summary.id, asked=kind.value, code=answer.stable_code)
            fault = answer
            await self._ledger.do(lambda referee, now_ms: referee.forfeit(seat, fault, now_ms))
        elif kind is Kind.DEPLOY and answer.deployment is not None:
            await self._ledger.deploy(seat, answer.deployment)
        elif kind is Kind.DRAW and referee.offer is seat.other:
            accepts = answer.accepts_draw
            await self._ledger.do(lambda referee, now_ms: referee.answer_draw(seat, accepts, now_ms))
        elif kind is Kind.MOVE and answer.move is not None and referee.turn is seat:
            await self._move(seat, ply, answer, answer.move)
        elif kind is Kind.MOVE and answer.move is None and referee.turn is seat:
            await self._ledger.do(lambda referee, now_ms: referee.resign(seat, now_ms))

    def _is_stuck(self, kind: Kind) -> bool:
        """Whether a move is awaited of the house and it has none, which `piece-count` allows: it resigns (R11.1)."""
        return kind is Kind.MOVE and self._seat is not None and not self._ledger.need().view(self._seat).legal()

    async def _move(self, seat: Seat, ply: int, answer: Reply, move: Move) -> None:
        referee = self._ledger.need()
        if referee.offer is seat.other:
            # A draw was offered meanwhile: it is answered before the ply that would let it lapse.
            self._held = (ply, answer)
            return
        try:
            await self._ledger.do(lambda referee, now_ms: referee.move(seat, move, now_ms))
        except IllegalMove:
            fault = PlayerFault("the house answered a move that the law refuses", code="illegal_move")
            await self._ledger.do(lambda referee, now_ms: referee.forfeit(seat, fault, now_ms))
            return
        if answer.offers_draw and referee.may_offer(seat) and referee.offer is None:
            await self._ledger.do(lambda referee, now_ms: referee.offer_draw(seat, now_ms))
