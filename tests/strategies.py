"""Hypothesis strategies that all tests share: laws, armies, fragments, and whole games with a temper."""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Literal

from hypothesis import strategies as st

from tests.oracle.board import adjacent, distance
from tests.oracle.referee import Oracle, Rescue
from tests.oracle.settings import CLASSIC_LAKES, Rank, Settings, Side, Square, opponent

Army = dict[Square, Rank]
Move = tuple[Square, Square]
Order = tuple[Square, Square, Rescue | None]

RANKS: tuple[Rank, ...] = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "B", "F")


@dataclass(frozen=True)
class Ground:
    """A board, who may set up where, and what each side owns. Squares are named as in RULES.md 1."""

    width: int
    height: int
    lakes: frozenset[Square]
    red_home: tuple[Square, ...]
    blue_home: tuple[Square, ...]
    counts: Mapping[Rank, int]

    @property
    def squares(self) -> list[Square]:
        """Every square a man may stand on, row by row."""
        return [s for s in rows_of(self.width, range(1, self.height + 1)) if s not in self.lakes]


def rows_of(width: int, rows: range) -> tuple[Square, ...]:
    """Name the squares of some rows, left to right."""
    return tuple(f"{chr(ord('a') + file)}{row}" for row in rows for file in range(width))


def ground(
    width: int, height: int, home_rows: int, counts: Mapping[Rank, int], lakes: frozenset[Square] = frozenset()
) -> Ground:
    """Lay out a ground whose home areas are full rows at both ends."""
    red, blue = range(1, home_rows + 1), range(height - home_rows + 1, height + 1)
    return Ground(width, height, lakes, rows_of(width, red), rows_of(width, blue), counts)


CLASSIC = ground(
    10,
    10,
    4,
    dict(zip(RANKS, (1, 8, 5, 4, 4, 4, 3, 2, 1, 1, 6, 1), strict=True)),
    CLASSIC_LAKES,
)
BARRAGE = ground(10, 10, 4, {"1": 1, "2": 2, "3": 1, "9": 1, "10": 1, "B": 1, "F": 1}, CLASSIC_LAKES)
MICRO_COUNTS: Mapping[Rank, int] = {"1": 1, "2": 1, "3": 1, "B": 1, "F": 1}
MICRO = ground(4, 4, 2, MICRO_COUNTS)
ODD = ground(5, 5, 2, {"1": 1, "2": 1, "3": 1, "6": 2, "10": 1, "B": 1, "F": 1}, frozenset({"c3"}))
FLAT = ground(5, 2, 1, {"2": 1, "6": 1, "9": 1, "F": 1})


# -- laws --------------------------------------------------------------------------------------


def limits(most: int) -> st.SearchStrategy[int | None]:
    """Draw a limit in plies, more often none."""
    return st.one_of(st.none(), st.none(), st.integers(1, most))


def laws(on: Ground = CLASSIC, *, limited: bool = True, raids: bool = False) -> st.SearchStrategy[Settings]:
    """Draw every switch of R0, R11 and R13.2 on the board of `on`; without limits where `limited` is false.

    Rescues are always on where `raids` is true.

    Shrinks towards the default law.
    """
    return st.builds(
        Settings,
        width=st.just(on.width),
        height=st.just(on.height),
        lakes=st.just(on.lakes),
        two_square_limit=st.sampled_from((3, 2, 5, None)),
        two_square_counts_attacks=st.sampled_from((True, False)),
        two_square_scope=st.sampled_from(("border", "exact-squares")),
        more_squares=st.sampled_from(("identity", "type", "off")),
        chase_memory=st.sampled_from(("chase", "since-capture", "game")),
        scout_move_and_strike=st.sampled_from((True, False)),
        bomb_once=st.booleans(),
        tie=st.sampled_from(("both", "attacker", "defender")),
        stuck_check=st.sampled_from(("immediate", "on_turn", "piece-count")),
        max_quiet_plies=limits(60) if limited else st.none(),
        max_plies=limits(200) if limited else st.none(),
        limit_test=st.sampled_from(("at", "more-than")),
        flag_beats_limit=st.sampled_from((True, False)),
        reveal=st.sampled_from(("both", "silent", "none")),
        rescues=st.sampled_from((2, 1, 3) if raids else (0, 2, 1, 3)),
        captains_move_two=st.booleans(),
    )


# -- positions ---------------------------------------------------------------------------------


def army(home: tuple[Square, ...], counts: Mapping[Rank, int]) -> st.SearchStrategy[Army]:
    """Draw a legal deployment: the whole army somewhere in its home area (R3)."""
    men = [rank for rank, count in counts.items() for _ in range(count)]
    if len(men) > len(home):
        raise ValueError("the army does not fit its home area")
    return st.permutations(home).map(lambda places: dict(zip(places, men, strict=False)))


def deployments(on: Ground) -> st.SearchStrategy[tuple[Army, Army]]:
    """Draw both armies in their home areas, Red's first."""
    return st.tuples(army(on.red_home, on.counts), army(on.blue_home, on.counts))


@st.composite
def fragments(draw: st.DrawFn, on: Ground = CLASSIC, most: int = 5) -> tuple[Army, Army]:
    """Draw one to `most` men a side anywhere, gathered in a corner of the board more often than not."""
    squares = on.squares
    if draw(st.booleans()):
        reach = draw(st.integers(2, 4))
        squares = [s for s in squares if ord(s[0]) - ord("a") <= reach and int(s[1:]) <= reach + 1]
    sides = [draw(st.lists(st.sampled_from(RANKS), min_size=1, max_size=most)) for _ in range(2)]
    men = [rank for side in sides for rank in side][: len(squares)]
    places = draw(st.permutations(squares))[: len(men)]
    placed = list(zip(places, men, strict=True))
    return dict(placed[: len(sides[0])]), dict(placed[len(sides[0]) :])


# -- games -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Temper:
    """How a random mover weighs its legal moves: factors, 1 for indifference."""

    back: float = 1  # straight back to the square left last
    same: float = 1  # with the man moved last
    threat: float = 1  # a quiet move that ends next to an enemy
    flee: float = 1  # a quiet move of a man next to the one the enemy moved last
    raid: float = 1  # onto the enemy's back row
    home: float = 1  # to a square this side left or entered in its last twenty moves
    near: float = 1  # a quiet move that brings the man nearer to the nearest enemy
    strike: float = 1  # an attack


WILD = Temper()
SHUTTLER = Temper(back=40, same=6, strike=0.2)
CHASER = Temper(same=3, threat=60, flee=20, home=3, near=3, strike=0.05)
DANCER = Temper(back=0.3, same=3, threat=80, flee=60, home=8, near=3, strike=0.02)
FIGHTER = Temper(threat=3, strike=10)
RAIDER = Temper(raid=30, strike=2)
TEMPERS: Mapping[str, Temper] = {
    "wild": WILD,
    "shuttler": SHUTTLER,
    "chaser": CHASER,
    "dancer": DANCER,
    "fighter": FIGHTER,
    "raider": RAIDER,
}
CHASERS = ("chaser", "dancer")


def temper_pairs() -> st.SearchStrategy[tuple[str, str]]:
    """Draw the names of both tempers; every second time two that keep chases going."""
    anyone, chasing = st.sampled_from(sorted(set(TEMPERS) - {"raider"})), st.sampled_from(CHASERS)
    return st.one_of(st.tuples(anyone, anyone), st.tuples(chasing, chasing))


def weigh(game: Oracle, temper: Temper, move: Move) -> float:
    """Weigh one legal move of the side to move."""
    start, target = move
    side: Side = game.turn
    own_start, own_target = game.chases.src[side], game.chases.dst[side]
    raids = int(target[1:]) == (game.settings.height if side == "red" else 1)
    if target in game.men:
        return temper.strike * (temper.raid if raids else 1)
    weight = temper.raid if raids else 1.0
    if (start, target) == (own_target, own_start):
        weight *= temper.back
    if start == own_target:
        weight *= temper.same
    enemies = [square for square, man in game.men.items() if man.side != side]
    if any(adjacent(square, target) for square in enemies):
        weight *= temper.threat
    if temper.near != 1 and enemies:
        before, after = (min(distance(here, there) for there in enemies) for here in (start, target))
        weight *= temper.near if after < before else 1
    chaser = game.chases.dst[opponent(side)]
    if chaser is not None and chaser in game.men and adjacent(start, chaser):
        weight *= temper.flee
    if target in lately(game, game.men[start].start):
        weight *= temper.home
    return weight


def lately(game: Oracle, identity: Square, plies: int = 40) -> set[Square]:
    """Collect the squares a man stood on during the last plies."""
    return {square for men in game.chases.positions[-plies:] for square, man in men.items() if man.start == identity}


def choose(game: Oracle, temper: Temper, chance: Random) -> Move | None:
    """Choose a legal move by weight; None once there is none. The same chance gives the same move."""
    moves = sorted(game.legal())
    if not moves:
        return None
    return chance.choices(moves, [weigh(game, temper, move) for move in moves])[0]


@dataclass(frozen=True)
class Plan:
    """A game to play: the start, the law, and who chooses how. Playing it twice gives the same game."""

    settings: Settings
    red: Army
    blue: Army
    turn: Side
    red_temper: str
    blue_temper: str
    seed: int
    plies: int

    def start(self) -> Oracle:
        """Set up a fresh game."""
        return Oracle(self.settings, self.red, self.blue, self.turn)

    def moves(self) -> list[Order]:
        """Play it through with the slow referee and list the plies."""
        game, chance, played = self.start(), Random(self.seed), list[Order]()
        while len(played) < self.plies and (move := self.choose(game, chance)):
            game.push(*move)
            played.append(move)
        return played

    def choose(self, game: Oracle, chance: Random) -> Order | None:
        """Choose the next ply of a game of this plan: `chance` starts as `Random(self.seed)`.

        Where a rescue may go with the move, one goes with it two times in three.
        """
        temper = TEMPERS[self.red_temper if game.turn == "red" else self.blue_temper]
        move = choose(game, temper, chance)
        if move is None:
            return None
        rescues = sorted(game.rescues(*move)) if game.settings.rescues else []
        return (*move, chance.choice(rescues) if rescues and chance.random() < 2 / 3 else None)


@st.composite
def plans(
    draw: st.DrawFn,
    on: Ground = CLASSIC,
    *,
    start: Literal["armies", "fragments"] = "armies",
    plies: int = 200,
    limited: bool = True,
    raids: bool = False,
) -> Plan:
    """Draw a game on a ground: whole armies or fragments, any law, any two tempers.

    raids: both run for the other's back row, and rescues are on.
    """
    red, blue = draw(deployments(on) if start == "armies" else fragments(on))
    red_temper, blue_temper = ("raider", "raider") if raids else draw(temper_pairs())
    return Plan(
        settings=draw(laws(on, limited=limited, raids=raids)),
        red=red,
        blue=blue,
        turn=draw(st.sampled_from(("red", "blue"))),
        red_temper=red_temper,
        blue_temper=blue_temper,
        seed=draw(st.integers(0, 2**32 - 1)),
        plies=draw(st.integers(1, plies)),
    )
