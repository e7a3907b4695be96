"""The compiled law against the slow referee, over random games under random switches."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flagfall.errors import IllegalMove
from flagfall.rules.board import parse_square
from flagfall.rules.truth import Truth
from tests.oracle.referee import Oracle
from tests.rules.adapter import move_of, same_state, truth_of
from tests.strategies import BARRAGE, FLAT, MICRO, ODD, Order, Plan, plans


def run(plan: Plan) -> tuple[Truth, Oracle]:
    """Play a plan on both, comparing after every ply; return both at its end."""
    truth, oracle, chance = truth_of(plan), plan.start(), Random(plan.seed)
    same_state(truth, oracle)
    for _ in range(plan.plies):
        order = plan.choose(oracle, chance)
        if order is None:
            break
        outcome = oracle.push(*order)
        played = truth.play(move_of(order))
        assert played.outcome.word == (outcome or "quiet")
        assert played == truth.played(truth.ply)
        back = order[2] if outcome in (None, "attacker") else None
        assert (played.rescued, played.put) == (tuple(map(parse_square, back)) if back else (None, None))
        same_state(truth, oracle)
    assert truth.faults() == []
    return truth, oracle


def refusals_agree(truth: Truth, oracle: Oracle, chance: Random) -> None:
    """Ask both why a handful of moves, sensible or not, may not be played."""
    squares = [f"{file}{row}" for file in "abcdefghij" for row in range(1, 11)]
    if oracle.settings.width < 10:
        squares = [at for at in squares if at[0] <= "e" and int(at[1:]) <= 5]
    pairs = [(chance.choice(squares), chance.choice(squares)) for _ in range(40)]
    pairs += list(oracle.geometric_moves(oracle.turn))
    orders: list[Order] = [(*pair, None) for pair in pairs]
    starts = [man.start for man in (*oracle.fallen, *oracle.men.values())]
    orders += [(*chance.choice(pairs), (chance.choice(starts), chance.choice(squares))) for _ in range(60)]
    for order in orders:
        move = move_of(order)
        refusal = truth.why(move)
        assert (refusal and refusal.word) == oracle.why(*order), order
        if refusal:
            before = truth.tobytes()
            with pytest.raises(IllegalMove) as caught:
                truth.push(move)
            assert caught.value.reason == refusal.word
            assert truth.tobytes() == before


@settings(max_examples=60)
@given(plans(plies=120), st.integers(0, 2**32))
def test_classic_armies(plan: Plan, seed: int) -> None:
    truth, oracle = run(plan)
    refusals_agree(truth, oracle, Random(seed))


@settings(max_examples=200)
@given(plans(start="fragments", plies=120, limited=False), st.integers(0, 2**32))
def test_fragments_chase_and_shuttle(plan: Plan, seed: int) -> None:
    truth, oracle = run(plan)
    refusals_agree(truth, oracle, Random(seed))


@settings(max_examples=150)
@given(plans(start="fragments", plies=150), st.integers(0, 2**32))
def test_fragments_with_limits(plan: Plan, seed: int) -> None:
    truth, oracle = run(plan)
    refusals_agree(truth, oracle, Random(seed))


@settings(max_examples=150)
@given(plans(MICRO, plies=150), st.integers(0, 2**32))
def test_micro(plan: Plan, seed: int) -> None:
    truth, oracle = run(plan)
    refusals_agree(truth, oracle, Random(seed))


@settings(max_examples=150)
@given(plans(MICRO, start="fragments", plies=150), st.integers(0, 2**32))
def test_micro_fragments(plan: Plan, seed: int) -> None:
    truth, oracle = run(plan)
    refusals_agree(truth, oracle, Random(seed))


@settings(max_examples=150)
@given(
    st.one_of(
        plans(ODD, plies=150, raids=True),
        plans(FLAT, plies=60, raids=True),
        plans(FLAT, start="fragments", plies=60, raids=True),
        plans(ODD, start="fragments", plies=150, limited=False, raids=True),
        plans(MICRO, start="fragments", plies=150, limited=False, raids=True),
    ),
    st.integers(0, 2**32),
)
def test_raids_and_rescues(plan: Plan, seed: int) -> None:
    """R13.2 on small boards, an odd number of rows and no open ground among them."""
    truth, oracle = run(plan)
    refusals_agree(truth, oracle, Random(seed))


@pytest.mark.soak
@settings(max_examples=4000)
@given(
    st.one_of(
        plans(start="fragments", plies=200, limited=False),
        plans(start="fragments", plies=200),
        plans(MICRO, plies=200),
        plans(MICRO, start="fragments", plies=200),
        plans(BARRAGE, plies=200),
        plans(ODD, plies=200, raids=True),
        plans(FLAT, plies=200, raids=True),
    ),
    st.integers(0, 2**32),
)
def test_a_long_look(plan: Plan, seed: int) -> None:
    truth, oracle = run(plan)
    refusals_agree(truth, oracle, Random(seed))
