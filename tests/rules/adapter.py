"""The slow referee's words translated into the law's, for holding one against the other."""

from collections.abc import Mapping
from dataclasses import fields, replace

from flagfall.rules.board import Move, Seat, Square, make_move, parse_square, square_name, with_rescue
from flagfall.rules.catalog import CLASSIC
from flagfall.rules.pieces import Rank, parse_rank
from flagfall.rules.truth import Truth
from flagfall.rules.variant import Law, Variant
from tests.oracle.board import squares
from tests.oracle.referee import Oracle
from tests.oracle.settings import Settings
from tests.strategies import Order, Plan

SWIFT = {Rank.FLAG: 1, Rank.SCOUT: 1, Rank.CAPTAIN: 1}
"""An army with both ranks that may go two squares, so that such a move tells neither (R13.2)."""
LAW_SWITCHES = {item.name for item in fields(Law)} & {item.name for item in fields(Settings)}


def variant_of(settings: Settings) -> Variant:
    """The board and law of the slow referee's settings, as a variant; home areas and army play no part."""
    law = Law(**{name: getattr(settings, name) for name in LAW_SWITCHES})
    if settings.width == CLASSIC.width:
        return replace(CLASSIC, law=law)
    dry = sorted(map(parse_square, squares(settings)))
    rows = [tuple(at for at in dry if at // 10 == row) for row in (0, settings.height - 1)]
    return Variant(
        name="ground",
        width=settings.width,
        height=settings.height,
        lakes=frozenset(map(parse_square, settings.lakes)),
        home=(rows[0], rows[1][::-1]),
        army=SWIFT,
        reach=CLASSIC.reach,
        law=law,
    )


def men_of(army: Mapping[str, str]) -> dict[Square, Rank]:
    """Squares and ranks by their names."""
    return {parse_square(at): parse_rank(rank) for at, rank in army.items()}


def truth_of(plan: Plan) -> Truth:
    """The game of a plan before its first ply."""
    first = Seat.of(plan.turn)
    return Truth.of_men(variant_of(plan.settings), men_of(plan.red), men_of(plan.blue), first)


def move_of(order: tuple[str, str] | Order) -> Move:
    """A move by the names of its squares, and with the rescue that is ordered."""
    move = make_move(parse_square(order[0]), parse_square(order[1]))
    rescue = order[2] if len(order) == 3 else None
    return move if rescue is None else with_rescue(move, parse_square(rescue[0]), parse_square(rescue[1]))


def same_state(truth: Truth, oracle: Oracle) -> None:
    """Assert that law and slow referee agree on everything that either can say."""
    assert truth.turn.word == oracle.turn
    assert (truth.ply, truth.quiet) == (oracle.ply, oracle.quiet)
    result = None if truth.result.word == "going" else truth.result.word
    reason = None if truth.reason.word == "none" else truth.reason.word
    assert (result, reason) == (oracle.result, oracle.reason)
    expected_pairs = set() if oracle.result else oracle.legal()
    expected = {move_of(pair) for pair in expected_pairs}
    found = truth.legal()
    assert len(found) == len(set(found))
    assert set(found) == expected
    for pair in expected_pairs if oracle.settings.rescues else ():
        wanted = {move_of((*pair, rescue)) for rescue in oracle.rescues(*pair)}
        offered = truth.rescues(move_of(pair))
        assert len(offered) == len(set(offered))
        assert set(offered) == wanted
    standing = {square_name(man.square): man for man in truth.men() if man.square is not None}
    assert set(standing) == set(oracle.men)
    for at, theirs in oracle.men.items():
        mine = standing[at]
        assert (mine.seat.word, mine.rank) == (theirs.side, parse_rank(theirs.rank))
        assert (mine.moved, mine.known) == oracle.known(at)
        assert square_name(mine.id) == theirs.start
