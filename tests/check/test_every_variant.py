"""Paired worlds for every entry of the catalogue under every policy of reveals, through the table and the players."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial
from random import Random
from typing import Any

import msgspec
import pytest

from flagfall.check.twins import Script, leaks, random_script, twins
from flagfall.mind import bots
from flagfall.play.player import Budget, Factory, Kind, Request, think
from flagfall.play.record import Terms
from flagfall.play.referee import Referee
from flagfall.rules.board import Seat, make_move
from flagfall.rules.catalog import VARIANTS, variant
from flagfall.rules.events import Result
from flagfall.rules.variant import Reveal
from flagfall.rules.view import View
from flagfall.server.state import Told, seen
from tests.server.hall import sealed_alike

pytestmark = pytest.mark.timeout(600)  # the first player may have to be compiled
REVEALS: tuple[Reveal, ...] = ("both", "silent", "none")
PLIES = 40
FEW = 4
SECRET = bytes(range(32))


@cache
def script_of(name: str, reveal: Reveal, seed: int = 0) -> Script:
    """A random game of an entry that goes on after its last ply, and that has twins for both seats."""
    game = variant(name, reveal=reveal)
    for draw in (Random(f"{name} {reveal} {seed} {attempt}") for attempt in range(200)):
        plies = min(PLIES, (game.law.max_plies or PLIES) - 1)
        script = random_script(game, draw, plies)
        if len(script.moves) == plies and not script.truth().result:
            enough = FEW if name != "micro" else 1
            if all(len(twins(script, seat, enough, Random(5))) == enough for seat in Seat):
                return script
    raise AssertionError("no game goes on so long")


def views(world: Script, seat: Seat) -> Iterator[bytes]:
    """All that a seat can ask its View after each ply, along both roads: masked from the Truth, folded from events."""
    game = world.truth(0)
    folded = View.start(world.variant, world.army(seat), world.army(seat.other).squares)
    for ply, move in enumerate((*world.moves, None)):
        seen_now = game.look(seat)
        assert seen_now.tobytes() == folded.tobytes()
        yield seen_now.tobytes()
        yield repr((folded.men(), folded.barred(), str(folded))).encode()
        moves = folded.legal()
        yield repr([(move, folded.rescues(move)) for move in moves]).encode()
        squares = world.variant.usable
        draw = Random(ply)
        asked = [make_move(draw.choice(squares), draw.choice(squares)) for _ in range(10)]
        yield repr([folded.why(move) for move in asked]).encode()
        if move is not None:
            folded.fold(game.play(move))


@pytest.fixture(autouse=True)
def _sealed_alike() -> Iterator[None]:
    """The commitments of both armies are salted digests and would differ between worlds, as they must."""
    with sealed_alike():
        yield


def table(world: Script, seat: Seat) -> bytes:
    """What the page of a seat is sent at a table in the middle and at the end, and what the referee announces."""
    referee = Referee(Terms(variant=world.variant), secret=SECRET, now_ms=0)
    for each in Seat:
        referee.deploy(each, world.army(each), 0)
    said = []
    for number, move in enumerate(world.moves, 1):
        referee.move(referee.turn or Seat.RED, move, number)
        if number % 20 == 0 or number == len(world.moves):
            said.append(msgspec.json.encode(seen(referee, seat, 0, number, Told(level="level-1"))))
    said += [repr(event).encode() for event in referee.events(seat)]
    return b"\n".join(said)


def answer(world: Script, seat: Seat, player: Factory) -> bytes:
    """What a house player answers to the request that a worker gets."""
    events = world.events()
    assert events is not None
    told = []
    for kind in (Kind.MOVE, Kind.DRAW) if world.truth().turn is seat else (Kind.DRAW,):
        request = Request(
            kind=kind,
            player="any",
            variant=world.variant,
            seat=seat,
            seed=b"seat",
            deployment=world.army(seat),
            enemy=tuple(sorted(world.army(seat.other).squares)),
            events=events,
            budget=Budget(nodes=600),
        )
        reply: Any = think(player(b"seat"), request)
        told.append((reply.move, reply.offers_draw, reply.accepts_draw))
    return repr(told).encode()


def tight(script: Script, seat: Seat, count: int, players: tuple[Factory, ...]) -> None:
    """Assert that nothing that a seat is told or answered tells the game from its twins."""
    others = twins(script, seat, count, Random(5))
    assert others
    assert leaks(script, lambda world: b"\n".join(views(world, seat)), others) == []
    assert leaks(script, lambda world: table(world, seat), others) == []
    for player in players:
        assert leaks(script, partial(answer, seat=seat, player=player), others[:8]) == []


@pytest.mark.parametrize("reveal", REVEALS)
@pytest.mark.parametrize("name", VARIANTS)
def test_paired_worlds(name: str, reveal: Reveal) -> None:
    """The crown test: views, table and player say the same in all worlds that a seat cannot tell apart."""
    script = script_of(name, reveal)
    for seat in Seat:
        tight(script, seat, FEW, (bots.level_5,))


@pytest.mark.soak
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("reveal", REVEALS)
@pytest.mark.parametrize("name", [name for name in VARIANTS if name != "micro"])
def test_paired_worlds_at_length(name: str, reveal: Reveal) -> None:
    """The same for several games, fifty twins and more players."""
    for seed in range(1, 4):
        for seat in Seat:
            tight(script_of(name, reveal, seed), seat, 50, (bots.level_1, bots.level_5, bots.level_9, bots.beginner))


@pytest.mark.parametrize("reveal", REVEALS)
@pytest.mark.parametrize("name", VARIANTS)
def test_a_planted_leak_is_found(name: str, reveal: Reveal) -> None:
    """An outlet whose size follows the enemy's hidden men, and nothing else, is seen by its twins."""
    script = script_of(name, reveal)

    def leaky(world: Script) -> bytes:
        army = world.army(Seat.BLUE).ranks
        return table(world, Seat.RED) + b" " * (sum(at * rank for at, rank in army.items()) % 251)

    assert leaks(script, leaky, twins(script, Seat.RED, FEW, Random(5))) != []


@pytest.mark.parametrize("reveal", REVEALS)
def test_paired_worlds_after_a_rescue(reveal: Reveal) -> None:
    """R13.2: a man who comes back brings no more with him than was known of him."""
    played = random_script(variant("ultimate-lightning"), Random(22), 130)
    events = played.events() or ()
    assert any(event.rescued is not None for event in events)
    script = replace(played, variant=variant("ultimate-lightning", reveal=reveal))
    armies = (replace(army, variant=script.variant) for army in (played.red, played.blue))
    script = script.with_army(next(armies)).with_army(next(armies))
    last = len(script.moves) - (script.truth().result is not Result.GOING)
    for seat in Seat:
        tight(script.until(last), seat, FEW, (bots.level_5,))
