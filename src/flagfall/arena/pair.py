"""A pair of games between two machines: the chairs exchanged, and between house players the same two armies."""

from __future__ import annotations

import contextlib
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from typing import Any

from flagfall.errors import NotFound, PlayerFault
from flagfall.play import roster
from flagfall.play.player import SEED_BYTES, Budget, Factory, Kind, derived, seat_seed
from flagfall.play.record import Sitter, Sort, Terms
from flagfall.play.referee import Referee
from flagfall.play.table import Table, fault_of
from flagfall.rules.board import Seat
from flagfall.rules.deployment import Deployment
from flagfall.rules.events import Result
from flagfall.rules.variant import Variant
from flagfall.wire import evaluator
from flagfall.wire.contest import Contest, Contestant
from flagfall.wire.engine import Engine, Guest

EVALUATOR = "evaluator:"
FOREIGN = ("flagfall:", EVALUATOR)
SIDES = ("a", "b")
Game = dict[str, Any]
"""What is told of one game, as JSON: `score` is that of side a; `record` is the whole record."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A match: who plays whom at what, and from which seed everything drawn by lot follows between house players.

    A foreign program could find the seed by trial, and with it what the other seat hides: it plays under secrets that
    follow from nothing.
    """

    a: str
    b: str
    variant: Variant
    budget: Budget
    seed: int

    @property
    def foreign(self) -> bool:
        """Whether a foreign program takes part."""
        return any(name.startswith(FOREIGN) for name in (self.a, self.b))

    def settings(self) -> dict[str, Any]:
        """What two matches must share for their games to be counted together.

        `armies`: `swapped` where both games of a pair are played with the same two, `own` where each player sets up
        for each game afresh; `seed` is null there, for nothing follows from it.
        """
        return {
            "a": self.a,
            "b": self.b,
            "variant": self.variant.name,
            "digest": self.variant.digest,
            "nodes": self.budget.nodes,
            "time_ms": self.budget.time_ms,
            "seed": None if self.foreign else self.seed,
            "armies": "own" if self.foreign else "swapped",
        }

    def checked(self) -> Plan:
        """This plan, if both players can be seated. Raises NotFound, NotAllowed where a protocol lacks the words."""
        for name in (self.a, self.b):
            if name.startswith(EVALUATOR):
                evaluator.checked(self.variant)
            if not name.startswith(FOREIGN) and not roster.known(name):
                known = ", ".join(roster.names())
                raise NotFound(
                    f"no player is called {name[:60]}; there are {known}, "
                    + " and ".join(f"{prefix}COMMAND" for prefix in FOREIGN),
                    code="unknown_player",
                )
        return self


def play_pair(
    plan: Plan, pair: int, halves: tuple[int, ...] = (0, 1), fresh: Callable[[int], bytes] = secrets.token_bytes
) -> list[Game]:
    """Play some or all of the two games of a pair and tell of each, as plain data.

    In half 0 side `a` is Red, in half 1 Blue. Between house players the red army is set up by `a` in even pairs and by
    `b` in odd ones, the blue one by the other, and both halves are played with these two. Where a foreign program takes
    part each side sets up its own army for each half: nobody meets an army that it has seen. `fresh` draws the secret
    of such a game, so many random bytes.
    """
    root = derived(str(plan.seed).encode(), "pair", pair)
    with _seats(plan) as makers:
        chairs = _Chairs(pair, makers, (0, 1) if pair % 2 == 0 else (1, 0))
        if plan.foreign:
            return [_game(plan, chairs, [], half, fresh(SEED_BYTES)) for half in halves]
        armies = [_army(plan, makers[chairs.builders[seat]], seat, root) for seat in Seat]
        return [_game(plan, chairs, armies, half, derived(root, "game", half)) for half in halves]


@dataclass(frozen=True, slots=True)
class _Chairs:
    """The pair's number, what makes a player of side a and b, and which side sets up red and blue."""

    pair: int
    makers: list[Factory]
    builders: tuple[int, int]


@contextlib.contextmanager
def _seats(plan: Plan) -> Iterator[list[Factory]]:
    """What makes a player of each side; foreign programs run while the pair is played."""
    with ExitStack() as stack:
        makers: list[Factory] = []
        for name, other in ((plan.a, plan.b), (plan.b, plan.a)):
            command = name.partition(":")[2]
            if name.startswith(EVALUATOR):
                contest = stack.enter_context(Contest(command))
                makers.append(partial(Contestant, contest, budget=plan.budget, opponent=other.removeprefix(EVALUATOR)))
            elif name.startswith(FOREIGN):
                engine = stack.enter_context(Engine(command))
                makers.append(partial(Guest, engine, budget=plan.budget))
            else:
                makers.append(roster.factory(name))
        yield makers


def _army(plan: Plan, maker: Factory, seat: Seat, root: bytes) -> Deployment | PlayerFault:
    """The army that a side sets up at a seat, or why it did not."""
    try:
        army = maker(seat_seed(root, seat)).deploy(plan.variant, seat)
        if army.seat is not seat or army.variant != plan.variant:
            raise PlayerFault("this army belongs to another game or seat", code="wrong_army")
        return army.checked()
    except Exception as error:
        return fault_of(error)


def _now_ms() -> int:
    return time.monotonic_ns() // 1_000_000


def _game(plan: Plan, chairs: _Chairs, armies: list[Deployment | PlayerFault], half: int, secret: bytes) -> Game:
    """One game and what came of it; without armies each chair sets up its own."""
    sides = (0, 1) if half == 0 else (1, 0)
    names = (plan.a, plan.b)
    sitters = [_sitter(names[side], plan.budget) for side in sides]
    terms = Terms(
        variant=plan.variant,
        sitters=(sitters[0], sitters[1]),
        game=f"pair-{chairs.pair}-{half}",
        begun_ms=time.time_ns() // 1_000_000,
    )
    referee = Referee(terms, secret=secret, now_ms=_now_ms())
    red, blue = (chairs.makers[sides[seat]](seat_seed(secret, seat)) for seat in Seat)
    table = Table(referee, red, blue, now_ms=_now_ms)
    for seat, army in zip(Seat, armies, strict=False):
        if isinstance(army, Deployment):
            referee.deploy(seat, army, _now_ms())
            continue
        builder = Seat(sides.index(chairs.builders[seat]))
        table.chairs[builder].fault = army
        referee.forfeit(builder, army, _now_ms())
        break
    table.play()
    called = (names[sides[0]].removeprefix(EVALUATOR), names[sides[1]].removeprefix(EVALUATOR))
    for seat, player in zip(Seat, (red, blue), strict=True):
        if isinstance(player, Contestant):
            plies = referee.request(Kind.MOVE, seat).events
            player.leave(plies, referee.result, referee.reason, called)
    return _told(referee, table, sides, chairs.pair, half)


def _told(referee: Referee, table: Table, sides: tuple[int, int], pair: int, half: int) -> Game:
    points = {Result.DRAW: 0.5, Result.RED: 1.0, Result.BLUE: 0.0}[referee.result]
    chairs = {SIDES[side]: table.chairs[seat] for seat, side in zip(Seat, sides, strict=True)}
    return {
        "pair": pair,
        "half": half,
        "red": SIDES[sides[0]],
        "score": points if sides[0] == 0 else 1.0 - points,
        "result": referee.result.word,
        "reason": referee.reason.word,
        "plies": referee.ply,
        "moves": {side: chair.moves for side, chair in chairs.items()},
        "seconds": {side: chair.thought_ns / 1e9 for side, chair in chairs.items()},
        "faults": {side: _fault_text(chair.fault) for side, chair in chairs.items() if chair.fault},
        "record": referee.record().to_json(),
    }


def _sitter(name: str, budget: Budget) -> Sitter:
    foreign = name.startswith(FOREIGN)
    return Sitter(
        "".join(sign for sign in name[:200] if sign.isprintable()), Sort.PROGRAM if foreign else Sort.HOUSE, budget
    )


def _fault_text(fault: PlayerFault) -> str:
    """The code of a fault, and what raised it: the game is over, so nothing is told that anybody may not know."""
    cause = fault.__cause__
    return fault.stable_code if cause is None else f"{fault.stable_code}: {type(cause).__name__}: {cause}"[:300]
