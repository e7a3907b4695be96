"""Deployments as text in both numberings, their faults and warnings."""

from contextlib import suppress
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flagfall.check.twins import shuffled
from flagfall.errors import FlagfallError, Unreadable
from flagfall.rules.board import Seat, parse_square
from flagfall.rules.catalog import CLASSIC, MICRO
from flagfall.rules.deployment import Deployment
from flagfall.rules.pieces import Numbering, Rank

SEATS = st.sampled_from(list(Seat))
NUMBERINGS = st.sampled_from(list(Numbering))


def army_of(seed: int, seat: Seat) -> Deployment:
    """A random legal Classic army."""
    return shuffled(CLASSIC, seat, Random(seed))


@given(st.integers(0, 10**9), SEATS, NUMBERINGS)
def test_text_round_trip(seed: int, seat: Seat, numbering: Numbering) -> None:
    """A whole army's text names its numbering by itself: only one reading is an army."""
    army = army_of(seed, seat)
    for text in (army.text(numbering), army.lines(numbering), army.text(numbering).lower()):
        assert Deployment.parse(text, CLASSIC, seat) == army
    assert Deployment.parse(army.text(numbering), CLASSIC, seat, numbering) == army


@given(st.integers(0, 10**9), SEATS, st.integers(0, 39), NUMBERINGS)
def test_an_unfinished_army_round_trips(seed: int, seat: Seat, kept: int, numbering: Numbering) -> None:
    army = army_of(seed, seat)
    part = Deployment(CLASSIC, seat, dict(list(army.ranks.items())[:kept]))
    assert Deployment.parse(f"{numbering.value}: {part.text(numbering)}", CLASSIC, seat) == part
    assert bool(part.faults()) is (kept < 40)


@given(st.integers(0, 10**9), SEATS)
def test_mirror_and_turn_come_back(seed: int, seat: Seat) -> None:
    army = army_of(seed, seat)
    assert army.mirror().mirror() == army
    assert army.mirror().faults() == []
    assert army.for_seat(seat.other).for_seat(seat) == army
    assert army.for_seat(seat.other).text() == army.text()


def test_the_two_numberings() -> None:
    """8 is a colonel in one numbering and a miner in the other (R2)."""
    modern = Deployment.parse("modern: F8S." + "." * 36, CLASSIC, Seat.RED)
    original = Deployment.parse("original: F8S." + "." * 36, CLASSIC, Seat.RED)
    assert modern.ranks[parse_square("b1")] is Rank.COLONEL
    assert original.ranks[parse_square("b1")] is Rank.MINER
    assert original.ranks[parse_square("c1")] is Rank.SPY


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "deployment_length"),
        ("F" * 39, "deployment_length"),
        ("F" * 41, "deployment_length"),
        ("F" * 5000, "deployment_too_long"),
        ("Q" + "." * 39, "deployment_sign"),
        ("0" + "." * 39, "deployment_sign"),
        ("M1" + "." * 38, "mixed_numbering"),
        ("8" + "." * 39, "which_numbering"),
        ("dutch: " + "." * 40, "bad_numbering"),
        ("\u0661" + "." * 39, "deployment_sign"),
        ("\u017f" + "." * 39, "deployment_sign"),
    ],
)
def test_bad_text_is_refused(text: str, code: str) -> None:
    with pytest.raises(Unreadable) as caught:
        Deployment.parse(text, CLASSIC, Seat.RED)
    assert caught.value.stable_code == code


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(FlagfallError):
        army = Deployment.parse(text, MICRO, Seat.BLUE)
        assert Deployment.parse(f"modern: {army.text()}", MICRO, Seat.BLUE) == army


def test_faults_name_what_is_wrong() -> None:
    army = army_of(1, Seat.RED)
    ranks = dict(army.ranks)
    spy = next(at for at, rank in ranks.items() if rank is Rank.SPY)
    ranks[spy] = Rank.BOMB
    ranks[parse_square("a5")] = Rank.SCOUT
    faults = Deployment(CLASSIC, Seat.RED, ranks).faults()
    assert [fault.stable_code for fault in faults] == ["outside_home", "too_few", "too_many", "too_many"]
    assert faults[1].params == {"rank": 1, "have": 0, "need": 1}
    assert Deployment(CLASSIC, Seat.RED, dict(army.ranks) | {spy: Rank.UNKNOWN}).faults()[-1].stable_code == "no_rank"


def test_walled_in() -> None:
    """Bombs on a4 b4 e4 f4 i4 j4 leave no first move, for the lakes shut the rest (R3.5)."""
    gates = {parse_square(name) for name in ("a4", "b4", "e4", "f4", "i4", "j4")}
    men = [rank for rank, count in CLASSIC.army.items() for _ in range(count) if rank is not Rank.BOMB]
    inner = [at for at in CLASSIC.home[Seat.RED] if at not in gates]
    army = Deployment(CLASSIC, Seat.RED, dict.fromkeys(gates, Rank.BOMB) | dict(zip(inner, men, strict=True)))
    assert army.faults() == []
    assert army.walled_in()
    assert army.for_seat(Seat.BLUE).walled_in()
    assert not army_of(1, Seat.RED).walled_in()
