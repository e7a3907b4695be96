"""Random games, deployments and positions as a reader would find them, each from a seed."""

from __future__ import annotations

from functools import lru_cache
from random import Random

from hypothesis import strategies as st

from flagfall.archive.found import Army, Claim, Found, Kind, Place
from flagfall.archive.replaying import game_of, start_world
from flagfall.rules.board import Move, Seat, Square
from flagfall.rules.catalog import variant
from flagfall.rules.events import Result
from flagfall.rules.pieces import Rank

PLACE = Place("game")
FOUR_ROWS = ("classic", "barrage", "duel")
SEEDS = st.integers(0, 2**32 - 1)
CLAIMS = (
    Claim(Result.RED, "resigned"),
    Claim(Result.BLUE, "time"),
    Claim(Result.DRAW, "agreed"),
    Claim(Result.RED, "missing"),
)


def army(name: str, seat: Seat, chance: Random) -> dict[Square, Rank]:
    """A legal army of a game of the catalogue, drawn at random."""
    game = variant(name)
    men = [rank for rank, count in game.army.items() for _ in range(count)]
    return dict(zip(chance.sample(list(game.home[seat]), len(men)), men, strict=True))


def both(name: str, chance: Random) -> tuple[Army, Army]:
    """Red's and Blue's army, neither walled in."""
    return army(name, Seat.RED, chance), army(name, Seat.BLUE, chance)


@lru_cache(maxsize=64)
def game(seed: int, name: str = "classic", plies: int = 60) -> Found:
    """A game of random legal moves that broke off or came to its end, under the game's own law."""
    chance = Random(seed)
    found = Found(kind=Kind.GAME, format="test", place=PLACE, variant=name, armies=both(name, chance))
    world = start_world(found, game_of(found))
    moves: list[Move] = []
    while len(moves) < plies and world.result is Result.GOING and (legal := world.legal()):
        moves.append(chance.choice(legal))
        world.push(moves[-1])
    over = Claim(world.result, world.reason.word)
    claim = chance.choice(CLAIMS) if world.result is Result.GOING else over
    return Found(
        kind=Kind.GAME,
        format="test",
        place=PLACE,
        variant=name,
        armies=found.armies,
        moves=tuple(moves),
        players=(f"one <&> {seed}", "Größe 'zwei'"),
        claim=claim,
    )


def position(seed: int, name: str = "classic") -> Found:
    """A position with some men moved and some known."""
    chance = Random(seed)
    start = game(seed, name)
    men = sorted({*(start.armies[0] or {}), *(start.armies[1] or {})})
    return Found(
        kind=Kind.POSITION,
        format="test",
        place=PLACE,
        variant=name,
        armies=start.armies,
        first=chance.choice(list(Seat)),
        known=frozenset(chance.sample(men, len(men) // 3)),
        moved=frozenset(chance.sample(men, len(men) // 2)),
        ply=chance.randrange(1000),
    )


def deployment(seed: int, name: str = "classic", count: int = 1) -> Found:
    """A deployment without a seat."""
    men = army(name, Seat.RED, Random(seed))
    return Found(kind=Kind.DEPLOYMENT, format="test", place=PLACE, variant=name, armies=(men, None), count=count)
