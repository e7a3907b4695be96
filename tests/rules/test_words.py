"""Squares, ranks and moves by their names."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flagfall.errors import Unreadable
from flagfall.rules.board import (
    SQUARE_NAMES,
    Seat,
    cell_of,
    make_move,
    origin,
    parse_square,
    square_name,
    square_of,
    target,
    turned,
)
from flagfall.rules.events import Outcome, Played, Reason, Result
from flagfall.rules.notation import move_text, parse_move, ply_text
from flagfall.rules.pieces import RANKS, Numbering, Rank, parse_rank, rank_text

SQUARES = st.integers(0, 99)


@given(SQUARES, SQUARES)
def test_moves_and_squares_round_trip(one: int, two: int) -> None:
    move = make_move(one, two)
    assert (origin(move), target(move)) == (one, two)
    assert parse_move(move_text(move)) == move
    assert square_of(cell_of(one)) == one == parse_square(square_name(one))


def test_squares_are_those_of_the_rules() -> None:
    """Index 10·(row-1)+file; Blue's own view is the board turned, not mirrored (R1)."""
    assert (parse_square("a1"), parse_square("j1"), parse_square("a10"), parse_square("e4")) == (0, 9, 90, 34)
    assert len(set(SQUARE_NAMES)) == 100
    assert all(turned(at, 10, 10) == 99 - at for at in range(100))
    assert turned(0, 8, 8) == 77


@pytest.mark.parametrize("text", ["", "k1", "a0", "a11", "A1", "e4 ", "\u0661", "a\u0661"])
def test_no_such_square(text: str) -> None:
    with pytest.raises(Unreadable):
        parse_square(text)


@given(st.text(max_size=30))
def test_any_text_is_a_move_or_refused(text: str) -> None:
    with suppress(Unreadable):
        assert parse_move(move_text(parse_move(text))) == parse_move(text)


@pytest.mark.parametrize("numbering", list(Numbering))
def test_ranks_round_trip(numbering: Numbering) -> None:
    for rank in RANKS:
        assert parse_rank(rank_text(rank, numbering), numbering) is rank
        assert Rank.of(rank.word) is rank
    with pytest.raises(Unreadable):
        parse_rank("?", numbering)


def test_numbers_turn_round() -> None:
    """Original = 11 - modern for ranked men; the spy is 1 and S (R2)."""
    for rank in RANKS[1:10]:
        assert int(rank_text(rank, Numbering.ORIGINAL)) == 11 - int(rank_text(rank))


def test_seats() -> None:
    assert Seat.of("red") is Seat.RED is Seat.BLUE.other
    with pytest.raises(Unreadable):
        Seat.of("green")


def test_a_ply_for_people() -> None:
    """R14.8."""
    ply = Played(
        3, Seat.RED, parse_square("e5"), parse_square("e6"), Outcome.DEFENDER, Rank.GENERAL, Rank.MARSHAL,
        Result.GOING, Reason.NONE,
    )  # fmt: skip
    assert ply_text(ply) == "e5{9}xe6{10}-"
    assert ply_text(ply, Numbering.ORIGINAL) == "e5{2}xe6{1}-"
