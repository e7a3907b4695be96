"""A foreign program held as a player: started once, asked over the flagfall protocol, ended with its table."""

from __future__ import annotations

import asyncio
import shlex
from types import TracebackType
from typing import TYPE_CHECKING

from flagfall.errors import BadMessage, PlayerFault
from flagfall.play.player import Budget, Kind, Reply, Request
from flagfall.rules.board import Move, Seat
from flagfall.rules.deployment import Deployment
from flagfall.rules.events import Played
from flagfall.rules.variant import Variant
from flagfall.wire.child import Child

if TYPE_CHECKING:
    from flagfall.rules.view import View

START_S = 300.0  # a house player on a cold cache may have to compile law and mind first
ANSWER_S = 60.0
GRACE = 1.5
GRACE_S = 1.0


class Engine:
    """A program started from a command line, as a context. Raises BadMessage for a line that cannot be split.

    It answers within `ANSWER_S` seconds, or where a time is its budget within one and a half times that and a second.
    """

    def __init__(self, command: str) -> None:
        try:
            self._words = shlex.split(command)
        except ValueError:
            self._words = []
        if not self._words:
            raise BadMessage("this is no command line", code="bad_command")
        self._runner = asyncio.Runner()
        self._child: Child | None = None

    def __enter__(self) -> Engine:
        self._runner.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if self._child is not None:
                self._runner.run(self._child.close())
        finally:
            self._runner.close()

    def ask(self, request: Request) -> Reply:
        """One request, one reply; a program that ended is started again first. Raises PlayerFault."""
        time_ms = request.budget.time_ms
        limit_s = ANSWER_S if time_ms is None else GRACE * time_ms / 1_000 + GRACE_S
        return self._runner.run(self._asked(request, limit_s))

    async def _asked(self, request: Request, limit_s: float) -> Reply:
        if self._child is not None and not self._child.alive:
            await self._child.kill()
            self._child = None
        if self._child is None:
            self._child = await Child.start(self._words, timeout_s=START_S)
        return await self._child.ask(request, limit_s)


class Guest:
    """An engine at one seat of one game: a `Player` that passes every question on, with all that its seat may know."""

    def __init__(self, engine: Engine, seed: bytes, name: str = "guest", budget: Budget | None = None) -> None:
        self._engine, self._seed, self._name, self._budget = engine, seed, name, budget or Budget()
        self._offers = False
        self._events: list[Played] = []

    def deploy(self, variant: Variant, seat: Seat) -> Deployment:
        """The army that the program sets up. Raises PlayerFault."""
        asked = Request(
            kind=Kind.DEPLOY, player=self._name, variant=variant, seat=seat, seed=self._seed, budget=self._budget
        )
        army = self._engine.ask(asked).deployment
        if army is None:
            raise PlayerFault("a player did not set up", code="bad_answer")
        return army

    def move(self, view: View, budget: Budget) -> Move:
        """The move that the program plays. Raises PlayerFault."""
        reply = self._engine.ask(self._request(Kind.MOVE, view, budget))
        if reply.move is None:
            raise PlayerFault("a player did not move", code="bad_answer")
        self._offers = reply.offers_draw
        return reply.move

    def accepts_draw(self, view: View) -> bool:
        """Whether the program takes a draw. Raises PlayerFault."""
        return self._engine.ask(self._request(Kind.DRAW, view, self._budget)).accepts_draw

    def offers_draw(self, view: View) -> bool:
        """What the program said with its last move."""
        return self._offers

    def _request(self, kind: Kind, view: View, budget: Budget) -> Request:
        """All that the seat knows, written down. Men are named by the squares on which they started."""
        seat = view.seat
        if seat is None:
            raise PlayerFault("a watcher does not play", code="no_seat")
        own = {man.id: man.rank for man in view.men() if man.seat is seat}
        self._events += [view.played(number) for number in range(len(self._events) + 1, view.ply + 1)]
        return Request(
            kind=kind,
            player=self._name,
            variant=view.variant,
            seat=seat,
            seed=self._seed,
            first=self._events[0].seat if self._events else view.turn,
            deployment=Deployment(view.variant, seat, own),
            enemy=tuple(sorted(man.id for man in view.men() if man.seat is not seat)),
            events=tuple(self._events),
            budget=budget,
        )
