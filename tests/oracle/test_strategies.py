"""The shared strategies: what they draw is sound, and their games meet both repetition rules often enough."""

from collections import Counter
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings

from tests.oracle.board import squares
from tests.strategies import (
    BARRAGE,
    CLASSIC,
    MICRO,
    MICRO_COUNTS,
    ODD,
    Army,
    Ground,
    Plan,
    army,
    deployments,
    fragments,
    ground,
    plans,
)

steady = settings(
    derandomize=True, database=None, deadline=None, max_examples=60, suppress_health_check=list(HealthCheck)
)


def bans(plan: Plan) -> Counter[str]:
    """Play a plan and count the geometric moves barred at each ply, by reason, and the ending."""
    game, chance, seen = plan.start(), Random(plan.seed), Counter[str]()
    for _ in range(plan.plies):
        if game.result is None:
            reasons = [game.why(*move) for move in game.geometric_moves(game.turn)]
            seen.update(reason for reason in reasons if reason)
        move = plan.choose(game, chance)
        if move is None:
            break
        game.push(*move)
    seen[f"ends {game.reason}"] += 1
    seen["rescues"] += sum(map(len, game.rescuers.values()))
    return seen


@pytest.mark.parametrize(
    ("on", "start", "two_square", "more_squares"),
    [(MICRO, "armies", 60, 4), (MICRO, "fragments", 60, 4), (CLASSIC, "fragments", 60, 10)],
    ids=["micro", "micro-fragments", "classic-fragments"],
)
def test_games_meet_the_repetition_rules(on: Ground, start: str, two_square: int, more_squares: int) -> None:
    """Sixty drawn games under any laws: the bias must not rot away."""
    total = Counter[str]()

    @steady
    @given(plans(on, start="armies" if start == "armies" else "fragments", limited=False))
    def play(plan: Plan) -> None:
        total.update(bans(plan))

    play()
    assert total["two_square"] >= two_square, total
    assert total["more_squares"] >= more_squares, total
    assert total["ends stuck"] > 0, total


def test_raids_meet_rescues() -> None:
    """Sixty drawn games of raiders bring men back."""
    total = Counter[str]()

    @steady
    @given(plans(ODD, limited=False, raids=True))
    def play(plan: Plan) -> None:
        total.update(bans(plan))

    play()
    assert total["rescues"] >= 12, total


@steady
@given(deployments(CLASSIC))
def test_classic_armies_fill_their_homes(armies: tuple[Army, Army]) -> None:
    """R3.1, R3.2."""
    for placed, home in zip(armies, (CLASSIC.red_home, CLASSIC.blue_home), strict=True):
        assert sorted(placed) == sorted(home)
        assert Counter(placed.values()) == Counter(CLASSIC.counts)


@steady
@given(fragments(MICRO))
def test_fragments_stand_on_squares(men: tuple[Army, Army]) -> None:
    red, blue = men
    assert not set(red) & set(blue)
    assert set(red) | set(blue) <= set(MICRO.squares)


@steady
@given(plans(BARRAGE, plies=40))
def test_a_plan_played_twice_is_the_same_game(plan: Plan) -> None:
    assert plan.moves() == plan.moves()
    assert set(BARRAGE.squares) == squares(plan.settings)


def test_grounds() -> None:
    with_lake = ground(4, 4, 1, MICRO_COUNTS, frozenset({"b2"}))
    assert (len(MICRO.squares), len(with_lake.squares)) == (16, 15)
    assert MICRO.red_home == ("a1", "b1", "c1", "d1", "a2", "b2", "c2", "d2")
    assert with_lake.blue_home == ("a4", "b4", "c4", "d4")
    with pytest.raises(ValueError, match="does not fit"):
        army(with_lake.red_home, MICRO_COUNTS)
