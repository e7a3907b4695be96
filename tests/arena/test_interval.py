"""The interval of a match keeps its promise on pairs that share their luck, draw, or sweep."""

from __future__ import annotations

from random import Random
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flagfall.arena.interval import score_interval


def drawn_pair(rng: Random, strength: float, shared: float, draws: float) -> float:
    """The mean score of two games: each drawn at chance `draws`, else won at `strength` with luck partly shared."""
    luck = rng.random()
    scores = []
    for _ in range(2):
        own = luck if rng.random() < shared else rng.random()
        scores.append(0.5 if rng.random() < draws else float(own < strength))
    return fmean(scores)


@pytest.mark.parametrize("pairs", [3, 10, 50, 100])
@pytest.mark.parametrize("strength", [0.5, 0.75, 0.97])
@pytest.mark.parametrize(("shared", "draws"), [(0.0, 0.0), (0.8, 0.0), (0.0, 0.4)])
def test_it_holds_the_true_score_as_often_as_it_says(pairs: int, strength: float, shared: float, draws: float) -> None:
    rng, truth, times = Random(pairs), strength * (1 - draws) + draws / 2, 1_500
    held = 0
    for _ in range(times):
        low, high = score_interval([drawn_pair(rng, strength, shared, draws) for _ in range(pairs)])
        held += low <= truth <= high
    assert held / times > 0.935  # 0.95 less three standard errors of this very count


def test_it_is_not_wider_than_it_must_be() -> None:
    """200 games of even pairs: close to the textbook's ± 1.96·sqrt(p·q/n)."""
    rng = Random(7)
    low, high = score_interval([drawn_pair(rng, 0.6, 0.0, 0.0) for _ in range(1_000)])
    assert 0.036 < high - low < 0.048


def test_a_clean_sweep_is_not_certain() -> None:
    low, high = score_interval([1.0] * 100)
    assert 0.95 < low < 0.98
    assert high == 1.0
    assert score_interval([]) == (0.0, 1.0)


@given(st.lists(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), min_size=1, max_size=60))
def test_it_holds_the_score_seen_and_is_even_handed(pairs: list[float]) -> None:
    low, high = score_interval(pairs)
    assert 0.0 <= low <= fmean(pairs) <= high <= 1.0
    other_low, other_high = score_interval([1.0 - score for score in pairs])
    assert (low, high) == pytest.approx((1.0 - other_high, 1.0 - other_low))
