"""A hidden man who came nearer to a known one of ours is feared more than men at large."""

import pytest

from flagfall.mind.manner import Manner
from flagfall.mind.thought import appraise
from flagfall.rules.board import Seat, Square, parse_square
from flagfall.rules.catalog import variant
from flagfall.rules.layout import KNOWN
from flagfall.rules.pieces import parse_rank
from flagfall.rules.truth import Truth

OFF = Manner(1, 1, 0.0, weights=(("lurk", 0.0),))
ON = Manner(1, 1, 0.0)


def men(text: str) -> dict[Square, int]:
    """`F@a1 6@e4` as ranks by square."""
    pairs = (word.split("@") for word in text.split())
    return {parse_square(at): int(parse_rank(rank)) for rank, at in pairs}


def fear(plies: str, *, known: bool = True, prey: str = "6") -> float:
    """By how much less the position is worth to Red, whose captain stands on e4, once these plies are heeded."""
    red, blue = men(f"F@a1 {prey}@e4 5@b1 4@c1"), men("8@e8 4@a9 5@b9 6@c9 1@h9 F@j10")
    made = Truth.of_men(variant("classic"), red, blue)
    record, _, _ = made.records
    at = parse_square("e4")
    record["code"][0, (at // 10 + 1) * 12 + at % 10 + 1] |= KNOWN if known else 0
    for ply in plies.split():
        made.play(ply)
    view = made.look(Seat.RED)
    return appraise(view, OFF) - appraise(view, ON)


@pytest.mark.parametrize("plies", ["b1-b2 e8-e7", "b1-b2 e8-e7 b2-b3 e7-e6", "b1-b2 e8-e7 b2-b3 e7-e6 b3-b2 e6-e5"])
def test_who_comes_nearer_is_suspected(plies: str) -> None:
    assert fear(plies) > 1.0


@pytest.mark.parametrize("plies", ["", "b1-b2 a9-a8", "b1-b2 e8-e7 b2-b3 e7-e8", "b1-b2 e8-f8"])
def test_who_stays_or_goes_away_or_is_far_off_came_for_nobody(plies: str) -> None:
    assert fear(plies) == 0.0


def test_a_hidden_man_draws_nobody() -> None:
    """Nobody is after a man whom he does not know."""
    assert fear("b1-b2 e8-e7", known=False) == 0.0


def test_what_he_did_long_ago_tells_less() -> None:
    red = ["b2-b3", "b3-b4", "c1-c2", "c2-c3", "c3-c4", "c4-d4", "b4-a4"]
    blue = ["a9-a8", "a8-a7", "b9-b8", "b8-b7", "c9-c8", "h9-h8", "h8-h7"]
    since = " ".join(f"{one} {other}" for one, other in zip(red, blue, strict=True))
    assert 0.0 < fear(f"b1-b2 e8-e7 {since}") < fear("b1-b2 e8-e7")
