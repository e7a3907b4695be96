"""The scale: what one game does to two ratings, whatever they were."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flagfall.play.clock import Control, Kind
from flagfall.server.scale import NARROWEST, PROVISIONAL, WEEK_MS, WIDEST, Standing, pace_of, played

standings = st.builds(
    Standing,
    rating=st.floats(400, 2800),
    deviation=st.floats(NARROWEST, WIDEST),
    games=st.integers(1, 500),
    at_ms=st.integers(0, 10 * WEEK_MS),
)
RESULTS = ((1, 2), (2, 1), (1, 1))


@given(standings, standings, st.sampled_from(RESULTS))
def test_a_game_moves_the_right_way_and_is_the_same_seen_from_either_side(
    red: Standing, blue: Standing, ranks: tuple[int, int]
) -> None:
    now_ms = 11 * WEEK_MS
    new_red, new_blue = played(red, blue, ranks, now_ms)
    if ranks == (1, 2):
        assert new_red.rating > red.rating
        assert new_blue.rating < blue.rating
    if ranks == (1, 1) and red.rating < blue.rating:
        assert new_red.rating >= red.rating
    assert played(blue, red, ranks[::-1], now_ms) == (new_blue, new_red)
    for old, new in ((red, new_red), (blue, new_blue)):
        assert (new.games, new.at_ms) == (old.games + 1, now_ms)
        assert NARROWEST <= new.deviation <= max(NARROWEST, old.at(now_ms).deviation)


@given(standings, st.integers(0, 600), st.integers(0, 600))
def test_a_deviation_grows_with_time_alone_and_no_further_than_at_the_start(
    one: Standing, some: int, more: int
) -> None:
    early, late = one.at(one.at_ms + some * WEEK_MS), one.at(one.at_ms + (some + more) * WEEK_MS)
    assert one.deviation <= early.deviation <= late.deviation <= WIDEST
    assert (late.rating, late.games) == (one.rating, one.games)


def test_twenty_games_or_so_make_a_rating_that_is_not_provisional() -> None:
    one, counted = Standing(), 0
    while one.provisional:
        one, _ = played(one, Standing(1500, 60, 50, 0), RESULTS[counted % 2], 0)
        counted += 1
    assert 15 <= counted <= 25
    assert one.deviation <= PROVISIONAL < one.at(52 * WEEK_MS).deviation


@pytest.mark.parametrize(
    ("control", "pace"),
    [
        (None, "untimed"),
        (Control(Kind.PER_MOVE, cap_ms=3 * 86_400_000), "days"),
        (Control(Kind.FISCHER, main_ms=180_000, add_ms=2_000), "blitz"),
        (Control(Kind.FISCHER, main_ms=600_000, add_ms=5_000), "rapid"),
        (Control(Kind.PER_MOVE, cap_ms=30_000), "long"),
    ],
)
def test_a_clock_has_a_class(control: Control | None, pace: str) -> None:
    assert pace_of(control) == pace
