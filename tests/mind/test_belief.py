"""Beliefs: chances that add up, what cannot be is 0, and what the enemy can know of us uses public facts alone."""

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from flagfall.check.twins import random_script, twins
from flagfall.mind.belief import Belief
from flagfall.mind.thought import believe
from flagfall.rules.board import Seat, parse_square
from flagfall.rules.catalog import CLASSIC, variant
from flagfall.rules.pieces import RANKS, Rank
from flagfall.rules.truth import Truth
from flagfall.rules.variant import Reveal
from flagfall.rules.view import View

SEEDS = st.integers(0, 2**32 - 1)
POLICIES: list[Reveal] = ["both", "silent", "none"]


def left(view: View, seat: Seat, public: bool) -> list[int]:
    """Men of each rank of an army that are not yet accounted for [13]."""
    counts = [0] + [view.variant.army.get(rank, 0) for rank in RANKS]
    for man in view.men():
        if man.seat == seat and (man.known if public else man.rank != Rank.UNKNOWN):
            counts[man.rank] -= 1
    return counts


def check(belief: Belief, counts: list[int]) -> None:
    table = np.array(list(belief.table.values())).reshape(-1, 13)
    assert (table >= 0).all()
    assert np.allclose(table.sum(1), 1.0, atol=1e-5)
    assert len(table) == sum(counts)
    assert np.abs(table.sum(0) - counts).max() < 0.12


@pytest.mark.parametrize("reveal", POLICIES)
@pytest.mark.parametrize("weight", [0.0, 1.0])
@examples(max_examples=8)
@given(seed=SEEDS)
def test_rows_sum_to_one_and_columns_to_the_men_left(reveal: Reveal, weight: float, seed: int) -> None:
    """Under every policy of reveals, for the enemy's men and for ours as he may think of them (R7)."""
    game = random_script(variant("classic", reveal=reveal), Random(seed), 250).truth()
    for seat in Seat:
        view = game.look(seat)
        enemy, mirror = believe(view, weight=weight)
        check(enemy, left(view, seat.other, public=False))
        check(mirror, left(view, seat, public=True))


@pytest.mark.parametrize("reveal", POLICIES)
@examples(max_examples=12)
@given(seed=SEEDS)
def test_the_truth_is_never_thought_impossible(reveal: Reveal, seed: int) -> None:
    """Moves, runs and battles exclude only what cannot be: each man's true rank keeps a chance (R5, R6, R7)."""
    script = random_script(variant("classic", reveal=reveal), Random(seed), 300)
    truth = script.truth()
    for seat in Seat:
        enemy, mirror = believe(truth.look(seat))
        for belief in (enemy, mirror):
            for at, chances in belief.table.items():
                army = script.red if at in script.red.ranks else script.blue
                assert chances[army.ranks[at]] > 0


@examples(max_examples=10)
@given(seed=SEEDS)
def test_moved_men_are_neither_bomb_nor_flag(seed: int) -> None:
    """A man that ever moved (R7); and the flag is somewhere among those that did not."""
    view = random_script(CLASSIC, Random(seed), 120).truth().look(Seat.RED)
    enemy, _ = believe(view)
    moved = {man.id for man in view.men() if man.moved}
    for at, chances in enemy.table.items():
        if at in moved:
            assert chances[Rank.BOMB] == chances[Rank.FLAG] == 0
    flags = sum(chances[Rank.FLAG] for at, chances in enemy.table.items() if at not in moved)
    assert flags == pytest.approx(left(view, Seat.BLUE, public=False)[Rank.FLAG], abs=0.02)


def test_silent_battles_leave_only_ranks_that_fit() -> None:
    """Silent defence (R13.2): a defender that beat our captain is higher, or a bomb; one that fell to him is lower."""
    game = variant("classic", reveal="silent")
    a = {parse_square(name): rank for name, rank in (("a4", 6), ("b4", 6), ("j1", 12), ("c1", 2))}
    b = {parse_square(name): rank for name, rank in (("a5", 7), ("b5", 4), ("j10", 12), ("h10", 11), ("g10", 2))}
    truth = Truth.of_men(game, a, b)
    view = truth.look(Seat.RED)
    for move in ("a4xa5", "j10", "b4xb5"):
        if move == "j10":
            view.fold(truth.play("g10-g9"))
        else:
            view.fold(truth.play(move))
    enemy, _ = believe(view)
    beat, lost = enemy.table[parse_square("a5")], enemy.table[parse_square("b5")]
    assert {rank for rank in range(13) if beat[rank] > 0} <= {7, 8, 9, 10, 11}
    assert {rank for rank in range(13) if lost[rank] > 0} <= {1, 2, 3, 4, 5}


def test_the_prior_tells_where_flags_stand() -> None:
    """With nothing known, back rows hide the flag and the fitted prior says so; bare counting does not."""
    truth = random_script(CLASSIC, Random(1), 0).truth()
    fitted, _ = believe(truth.look(Seat.RED))
    counted, _ = believe(truth.look(Seat.RED), weight=0.0)
    back = [at for at in fitted.table if at >= 90]
    assert sum(fitted.table[at][Rank.FLAG] for at in back) > 0.8
    assert sum(counted.table[at][Rank.FLAG] for at in back) == pytest.approx(0.25, abs=0.01)


@examples(max_examples=6)
@given(seed=SEEDS)
def test_what_he_can_know_of_us_is_public(seed: int) -> None:
    """Games that the other seat cannot tell apart give the same mirror, though our hidden ranks differ."""
    script = random_script(CLASSIC, Random(seed), 150)
    others = twins(script, Seat.BLUE, 4, Random(seed))
    mine = {at: tuple(row) for at, row in believe(script.truth().look(Seat.RED))[1].table.items()}
    for other in others:
        theirs = {at: tuple(row) for at, row in believe(other.truth().look(Seat.RED))[1].table.items()}
        assert theirs == mine


def test_a_watcher_has_no_belief() -> None:
    """A watcher has no enemy to think about."""
    with pytest.raises(ValueError, match="watcher"):
        believe(random_script(CLASSIC, Random(1), 0).truth().look(None))
