"""The ladder of levels, measured: 200 or 400 paired games each; by hand or by `make soak`, for it takes its time."""

import pytest

from flagfall.arena.match import play_match
from flagfall.arena.pair import Plan
from flagfall.check import thinking
from flagfall.mind.bots import LEVELS
from flagfall.play.player import Budget
from flagfall.play.table import ending
from flagfall.rules.catalog import CLASSIC

GAMES = 400
NAMES = list(LEVELS)
SIXTY_POINTS = 0.585


def score(a: str, b: str, games: int = GAMES) -> tuple[float, float]:
    """Score of a against b, and its lower bound (95 %)."""
    summary = play_match(Plan(a, b, ending(CLASSIC), Budget(), seed=11), games)
    assert summary["faults"] == {"a": 0, "b": 0}
    return summary["score"], summary["interval"][0]


@pytest.mark.soak
@pytest.mark.parametrize(("above", "below"), list(zip(NAMES[1:], NAMES, strict=False)))
def test_each_level_beats_the_one_below(above: str, below: str) -> None:
    """With 95 % confidence by more than 60 rating points."""
    assert score(above, below)[1] > SIXTY_POINTS


@pytest.mark.soak
@pytest.mark.parametrize(("above", "below"), list(zip(NAMES[2::2], NAMES[0::2], strict=False)))
def test_each_level_beats_the_next_but_one_clearly(above: str, below: str) -> None:
    """At least 70 %, with 95 % confidence more than 60 %."""
    found, low = score(above, below, 200)
    assert found >= 0.7
    assert low > 0.6


@pytest.mark.soak
def test_the_lowest_level_is_for_newcomers() -> None:
    """Between 60 and 90 % against a mover at random, at most half against the scripted beginner."""
    assert 0.6 <= score("level-1", "random")[0] <= 0.9
    assert score("level-1", "beginner")[0] <= 0.5


def test_the_signature_is_a_number_of_this_source() -> None:
    """Counted twice it is the same; every level keeps to its nodes and its depth."""
    views = thinking.positions()
    assert len(views) >= 10
    assert thinking.signature(views) == thinking.signature(views) > 10_000
    for level in thinking.levels(views, rounds=1):
        manner = LEVELS[level.name]
        assert 0 < level.nodes <= manner.nodes
        assert level.depth <= manner.deepest
