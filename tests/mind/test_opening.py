"""Deployments of the house: legal, sensible, various, for any variant, and completed round what stands."""

import gzip
from collections import Counter
from pathlib import Path
from random import Random

import numpy as np
import pytest

from flagfall.errors import BadArmy
from flagfall.mind import opening
from flagfall.mind.fitted import army_tables, own_places, square_shares
from flagfall.rules.board import Seat, Square, parse_square, square
from flagfall.rules.catalog import CLASSIC, MICRO
from flagfall.rules.deployment import Deployment
from flagfall.rules.pieces import RANKS, Rank
from flagfall.rules.variant import Variant, home_order

BARRAGE = Variant(
    "barrage",
    10,
    10,
    CLASSIC.lakes,
    CLASSIC.home,
    {
        Rank.FLAG: 1,
        Rank.BOMB: 1,
        Rank.SPY: 1,
        Rank.SCOUT: 2,
        Rank.MINER: 1,
        Rank.GENERAL: 1,
        Rank.MARSHAL: 1,
    },
    CLASSIC.reach,
)
EIGHT = Variant(
    "eight",
    8,
    8,
    frozenset(square(file, row) for file in (2, 5) for row in (3, 4)),
    (
        home_order({square(file, row) for file in range(8) for row in (0, 1)}, Seat.RED, 8, 8),
        home_order({square(file, row) for file in range(8) for row in (6, 7)}, Seat.BLUE, 8, 8),
    ),
    {Rank.FLAG: 1, Rank.BOMB: 3, Rank.SPY: 1, Rank.SCOUT: 3, Rank.MINER: 2, Rank.MAJOR: 4, Rank.MARSHAL: 2},
    CLASSIC.reach,
)


def ranks_in_order(army: Deployment) -> list[int]:
    return [int(army.ranks.get(at, 0)) for at in army.variant.home[army.seat]]


@pytest.mark.parametrize("game", [CLASSIC, MICRO, BARRAGE, EIGHT], ids=lambda game: game.name)
@pytest.mark.parametrize("seat", list(Seat))
def test_every_drawn_army_is_legal_and_the_same_for_the_same_seed(game: Variant, seat: Seat) -> None:
    """Clause R3: the whole army, inside the home area, whatever the variant."""
    for number in range(4):
        seed = b"%d" % number
        army = opening.choose(game, seat, seed)
        assert army.faults() == []
        assert not army.walled_in()
        assert opening.choose(game, seat, seed).text() == army.text()
        assert opening.random_army(game, seat, seed).faults() == []


@pytest.mark.parametrize("style", ["human", "learned"])
def test_drawn_armies_differ_and_stand_well(style: str) -> None:
    """No two alike, both sides of the board used, flags behind and sheltered, spies near a leader, scouts in front."""
    armies = [opening.choose(CLASSIC, Seat(number % 2), b"w%d" % number, style) for number in range(40)]
    assert len({army.text() for army in armies}) == 40
    flags = [army.text().index("F") for army in armies]
    assert sum(flag < 20 for flag in flags) >= 39
    assert 8 <= sum(flag % 10 < 5 for flag in flags) <= 32
    assert len(set(flags)) >= 8
    assert sum(opening.faults(CLASSIC, army.seat, ranks_in_order(army)) == 0.0 for army in armies) >= 30
    assert all(army.text()[30:].count("3") <= 2 for army in armies)
    assert np.mean([army.text()[20:].count("2") for army in armies]) >= 3
    closed = 0
    for army, flag in zip(armies, flags, strict=True):
        text = army.text()
        beside = [flag + 10] + [flag - 10] * (flag >= 10) + [flag - 1] * (flag % 10 > 0) + [flag + 1] * (flag % 10 < 9)
        closed += all(text[at] == "B" for at in beside)
    assert closed >= 16


def test_faults_see_what_is_unwise() -> None:
    """The judge of armies tells a sound one from one with its flag in front or its men walled in."""
    sound = Deployment.parse(dict(opening.ready(CLASSIC))["corner_keep"], CLASSIC, Seat.RED)
    text = sound.text()
    swapped = list(text)
    swapped[0], swapped[30] = swapped[30], swapped[0]
    bare = Deployment.parse("".join(swapped), CLASSIC, Seat.RED)
    walls = list("FM9887763333322222222S7655554444666" + "BBBBBB"[:5])
    front = [0, 1, 4, 5, 8]
    rest = iter(walls[:35])
    walled = [("B" if row == 3 and file in front else next(rest)) for row in range(4) for file in range(10)]
    assert opening.faults(CLASSIC, Seat.RED, ranks_in_order(sound)) == 0
    assert opening.faults(CLASSIC, Seat.RED, ranks_in_order(bare)) >= 4
    ranks = [".S23456789MBF".index(sign) for sign in walled]
    assert opening.faults(CLASSIC, Seat.RED, ranks) >= 5


@pytest.mark.parametrize("seat", list(Seat))
def test_fill_keeps_what_stands_and_completes_the_rest(seat: Seat) -> None:
    """Men that stand stay where they are; the others come from what is left of the army."""
    draw = Random(5)
    whole = opening.choose(CLASSIC, seat, b"start")
    for count in (0, 1, 7, 39, 40):
        keep = {at: whole.ranks[at] for at in draw.sample(list(whole.ranks), count)}
        filled = opening.fill(CLASSIC, seat, b"page", keep)
        assert filled.faults() == []
        assert {at: filled.ranks[at] for at in keep} == keep


def test_fill_refuses_what_is_no_part_of_an_army() -> None:
    """Raises BadArmy for a man outside the home area and for a second flag (R3.1, R3.2)."""
    with pytest.raises(BadArmy) as outside:
        opening.fill(CLASSIC, Seat.RED, b"x", {parse_square("e5"): Rank.SCOUT})
    assert outside.value.stable_code == "outside_home"
    two: dict[Square, Rank] = {parse_square("a1"): Rank.FLAG, parse_square("b1"): Rank.FLAG}
    with pytest.raises(BadArmy) as many:
        opening.fill(CLASSIC, Seat.RED, b"x", two)
    assert many.value.stable_code == "too_many"


def test_both_seats_are_served_alike() -> None:
    """The tables of Blue are those of Red turned by 180 degrees: the army of a seed is the same behind either side."""
    assert own_places(CLASSIC, Seat.RED) == own_places(CLASSIC, Seat.BLUE)
    assert np.array_equal(square_shares(CLASSIC, Seat.RED), square_shares(CLASSIC, Seat.BLUE))
    red, blue = (opening.choose(CLASSIC, seat, b"alike") for seat in Seat)
    assert red.text() == blue.text()


def test_the_model_knows_no_left_and_right() -> None:
    """Mirror images weigh alike under the fitted tables."""
    tables = army_tables(CLASSIC, Seat.RED, "learned")
    mirror = np.array([at - at % 10 + 9 - at % 10 for at in range(40)])
    assert np.array_equal(tables.unary, tables.unary[mirror])
    assert np.array_equal(tables.toward, tables.toward[mirror][:, :, mirror])


def test_shares_are_chances() -> None:
    """The prior of each home square sums to 1, over the army that it describes."""
    for game in (CLASSIC, MICRO, BARRAGE, EIGHT):
        shares = square_shares(game, Seat.BLUE)
        assert shares.shape == (len(game.home[1]), 13)
        assert np.allclose(shares.sum(1), 1.0)
    counts = square_shares(CLASSIC, Seat.RED).sum(0)
    assert np.allclose(counts[1:], [CLASSIC.army[rank] for rank in RANKS], atol=0.01)


def test_ready_armies_are_legal_and_sound() -> None:
    """Every named army is whole, has a name of its own and no fault that our own judge sees but an open flag."""
    armies = opening.ready(CLASSIC)
    assert 6 <= len(armies) == len({name for name, _ in armies})
    assert opening.ready(MICRO) == []
    for _, text in armies:
        army = Deployment.parse(text, CLASSIC, Seat.BLUE)
        assert army.faults() == []
        assert opening.faults(CLASSIC, Seat.BLUE, ranks_in_order(army)) <= 4


def test_no_ready_army_is_copied(shared: Path) -> None:
    """None of ours, nor its mirror image, is in the lists that the statistics come from."""
    known: Counter[str] = Counter()
    for name in ("human-classic", "learned-classic"):
        with gzip.open(shared / "setups" / f"{name}.txt.gz", "rt", encoding="utf-8") as lines:
            known.update(line.split()[0] for line in lines if not line.startswith("#"))
    assert len(known) > 40_000
    for _, text in opening.ready(CLASSIC):
        army = Deployment.parse(text, CLASSIC, Seat.RED)
        assert army.text() not in known
        assert army.mirror().text() not in known
