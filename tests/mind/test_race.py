"""Who is first at the flag: a miner from afar is met in time, although the tree is too shallow to see him arrive."""

from random import Random

import pytest

from flagfall.mind.thought import Manner, consider
from flagfall.rules.board import Seat, Square, parse_square
from flagfall.rules.catalog import variant
from flagfall.rules.notation import move_text
from flagfall.rules.pieces import parse_rank
from flagfall.rules.truth import Truth

PLIES = 3
"""He needs nine to the flag."""


def men(text: str) -> dict[Square, int]:
    """`F@a1 6@e4` as ranks by square."""
    pairs = (word.split("@") for word in text.split())
    return {parse_square(at): int(parse_rank(rank)) for rank, at in pairs}


def game(captain: str) -> Truth:
    """Red's flag in the corner behind two bombs, Blue's known miner on his way to it; a sergeant tempts the captain."""
    red, blue = f"F@a1 B@a2 B@b1 6@{captain} 5@j2", "3@a6 4@f5 F@j10 B@i10 B@j9"
    made = Truth.of_men(variant("classic"), men(red), men(blue))
    record, _, _ = made.records
    for name in ("a2", "b1", "a6", "f5", "i10", "j9", captain):
        at = parse_square(name)
        record["code"][0, (at // 10 + 1) * 12 + at % 10 + 1] |= 0x80
    return made


def best(made: Truth, **weights: float) -> str:
    manner = Manner(PLIES, 20_000, 0.0, weights=tuple(sorted(weights.items())))
    return move_text(consider(made.look(made.turn), manner, Random(1)).move)


def test_a_keeper_goes_home_in_time() -> None:
    """The captain is five moves from the gate and the miner four: he may not lose one."""
    assert best(game("d4")) in {"d4-c4", "d4-d3"}


def test_without_the_reckoning_he_would_be_late() -> None:
    """The same position shows that it is the race that sends him home, not the tree."""
    assert best(game("d4"), race=0.0) not in {"d4-c4", "d4-d3"}


@pytest.mark.parametrize("captain", ["b3", "a4"])
def test_a_keeper_at_home_is_danger_enough(captain: str) -> None:
    """Where one is there in any case, the best move is worth what it would be without the reckoning."""
    view = game(captain).look(Seat.RED)
    ways: tuple[tuple[tuple[str, float], ...], ...] = ((), (("race", 0.0),))
    first, second = (consider(view, Manner(1, 20_000, 0.0, weights=way), Random(1)).ranked[0] for way in ways)
    assert first == second
