"""A hidden man who came to stand beside a known one of ours is feared more than men at large."""

from flagfall.mind.manner import Manner
from flagfall.mind.thought import appraise
from flagfall.rules.board import Seat, Square, parse_square
from flagfall.rules.catalog import variant
from flagfall.rules.layout import KNOWN, MOVED
from flagfall.rules.pieces import parse_rank
from flagfall.rules.truth import Truth

OFF = Manner(1, 1, 0.0, weights=(("lurk", 0.0),))
ON = Manner(1, 1, 0.0)


def men(text: str) -> dict[Square, int]:
    """`F@a1 6@e4` as ranks by square."""
    pairs = (word.split("@") for word in text.split())
    return {parse_square(at): int(parse_rank(rank)) for rank, at in pairs}


def game(*, moved: bool, known: bool = True) -> Truth:
    """Red's captain in the middle and a hidden man of Blue's beside him, of an army with eight who take captains."""
    made = Truth.of_men(variant("classic"), men("F@a1 6@e4 5@b1"), men("8@e5 4@a9 5@b9 6@c9 F@j10"))
    record, _, _ = made.records
    for name, bits in (("e4", KNOWN if known else 0), ("e5", MOVED if moved else 0)):
        at = parse_square(name)
        record["code"][0, (at // 10 + 1) * 12 + at % 10 + 1] |= bits
    return made


def test_a_stronger_man_is_suspected_beside_a_known_one() -> None:
    """The position is worth less to Red than men at large would have it."""
    view = game(moved=True).look(Seat.RED)
    assert appraise(view, ON) < appraise(view, OFF)


def test_who_has_not_moved_came_for_nobody() -> None:
    """He stood there before the captain came."""
    view = game(moved=False).look(Seat.RED)
    assert appraise(view, ON) == appraise(view, OFF)


def test_a_hidden_man_draws_nobody() -> None:
    """Nobody is after a man whom he does not know."""
    view = game(moved=True, known=False).look(Seat.RED)
    assert appraise(view, ON) == appraise(view, OFF)
