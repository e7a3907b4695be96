"""What a seat may do at a table and when; how a game ends away from the board (R11.2); who is told what."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from flagfall.errors import BadArmy, FlagfallError, IllegalMove, NotAllowed, PlayerFault
from flagfall.play.clock import Control, Kind
from flagfall.play.events import Declined, Deployed, Ended, Event, Moved, Offered, Started
from flagfall.play.record import Terms, commitment
from flagfall.play.referee import Phase, Referee
from flagfall.rules.board import Seat, make_move, parse_square
from flagfall.rules.catalog import CLASSIC, MICRO
from flagfall.rules.deployment import Deployment
from flagfall.rules.events import Reason, Result
from flagfall.rules.pieces import Numbering

TINY = MICRO.with_law(max_plies=40)
SECRET = bytes(range(32))
RED, BLUE = Seat.RED, Seat.BLUE


def army(seat: Seat, text: str = "F2SM") -> Deployment:
    return Deployment.parse(text, TINY, seat, Numbering.MODERN)


def table(control: Control | None = None, now_ms: int = 0, first: Seat = RED) -> Referee:
    """Micro, both armies set up at `now_ms`: Red's F2SM on a1 to d1, Blue's on d4 to a4."""
    referee = Referee(Terms(variant=TINY, control=control, first=first), secret=SECRET, now_ms=now_ms)
    for seat in Seat:
        referee.deploy(seat, army(seat), now_ms)
    return referee


def step(referee: Referee, words: str, now_ms: int = 0, seat: Seat | None = None) -> None:
    start, end = words.split("-")
    who = referee.turn if seat is None else seat
    assert who is not None
    referee.move(who, make_move(parse_square(start), parse_square(end)), now_ms)


def code_of(deed: Callable[[], object]) -> str:
    with pytest.raises(FlagfallError) as caught:
        deed()
    return caught.value.stable_code


def test_a_game_starts_when_both_have_set_up() -> None:
    referee = Referee(Terms(variant=TINY), secret=SECRET, now_ms=0)
    assert (referee.phase, referee.turn) == (Phase.DEPLOYING, None)
    assert code_of(lambda: referee.view(RED)) == "not_started"
    assert code_of(lambda: step(referee, "b1-b2", seat=RED)) == "not_started"
    assert code_of(lambda: referee.offer_draw(RED, 0)) == "not_started"
    referee.deploy(BLUE, army(BLUE), 5)
    assert referee.deployed(BLUE)
    assert not referee.deployed(RED)
    referee.deploy(RED, army(RED), 9)
    assert (referee.phase, referee.turn) == (Phase.PLAYING, RED)


def test_a_bad_army_is_told_to_its_owner_and_changes_nothing() -> None:
    referee = Referee(Terms(variant=TINY), secret=SECRET, now_ms=0)
    for bad in (army(RED, "F22M"), army(BLUE), Deployment(CLASSIC, RED, {})):
        with pytest.raises(BadArmy):
            referee.deploy(RED, bad, 0)
    assert referee.events(RED) == ()
    referee.deploy(RED, army(RED), 0)
    assert code_of(lambda: referee.deploy(RED, army(RED, "MF2S"), 1)) == "already_deployed"
    assert referee.own_army(RED) == army(RED)


def test_a_refused_move_says_why_and_changes_nothing() -> None:
    referee = table()
    before = referee.journal(0)
    assert code_of(lambda: step(referee, "b1-c2")) == "geometry"
    assert code_of(lambda: step(referee, "a1-a2")) == "immobile"
    assert code_of(lambda: step(referee, "a2-a3")) == "empty"
    assert code_of(lambda: step(referee, "a4-a3")) == "not_yours"
    with pytest.raises(IllegalMove) as caught:
        step(referee, "c4-c3", seat=BLUE)
    assert caught.value.reason == "out_of_turn"
    assert referee.journal(0) == before


def test_blue_may_move_first() -> None:
    referee = table(first=BLUE)
    assert referee.turn is BLUE
    step(referee, "b4-b3")
    assert referee.turn is RED


def test_an_offer_lapses_with_the_next_ply() -> None:
    referee = table()
    referee.offer_draw(RED, 0)
    assert [referee.offer] == [RED]
    assert code_of(lambda: referee.offer_draw(RED, 0)) == "offered_already"
    assert code_of(lambda: referee.answer_draw(RED, True, 0)) == "no_offer"
    step(referee, "b1-b2")
    assert referee.offer is None
    assert code_of(lambda: referee.answer_draw(BLUE, True, 0)) == "no_offer"
    referee.offer_draw(RED, 0)  # after its own ply it may offer again
    step(referee, "b4-b3")
    assert referee.offer is None
    assert not referee.may_offer(RED)
    assert referee.may_offer(BLUE)


def test_a_declined_offer_may_not_be_repeated_before_a_ply() -> None:
    referee = table()
    referee.offer_draw(RED, 0)
    referee.answer_draw(BLUE, False, 0)
    assert referee.offer is None
    assert not referee.may_offer(RED)
    assert code_of(lambda: referee.offer_draw(RED, 0)) == "offered_already"


def test_a_draw_is_agreed() -> None:
    accepted, crossed = table(), table()
    for referee in (accepted, crossed):
        referee.offer_draw(BLUE, 0)
    accepted.answer_draw(RED, True, 0)
    crossed.offer_draw(RED, 0)  # an offer against an offer is an agreement
    for referee in (accepted, crossed):
        assert (referee.result, referee.reason, referee.offer) == (Result.DRAW, Reason.AGREED, None)


@pytest.mark.parametrize("seat", Seat)
def test_resignation_at_any_time(seat: Seat) -> None:
    during = table()
    before = Referee(Terms(variant=TINY), secret=SECRET, now_ms=0)
    for referee in (during, before):
        referee.resign(seat, 3)
        assert (referee.result, referee.reason) == (Result.win(seat.other), Reason.RESIGNED)


def test_after_the_end_nothing_can_be_done() -> None:
    referee = table()
    referee.resign(RED, 0)
    ended = [event for event in referee.events(None) if isinstance(event.fact, Ended)]
    for deed in (
        lambda: step(referee, "b1-b2", seat=RED),
        lambda: referee.resign(BLUE, 0),
        lambda: referee.offer_draw(BLUE, 0),
        lambda: referee.answer_draw(BLUE, True, 0),
        lambda: referee.forfeit(BLUE, PlayerFault("x"), 0),
        lambda: referee.deploy(BLUE, army(BLUE), 0),
    ):
        assert code_of(deed) == "game_over"
    assert not referee.tick(10**9)
    assert len(ended) == 1
    assert [event for event in referee.events(None) if isinstance(event.fact, Ended)] == ended


def test_a_fault_forfeits() -> None:
    referee = table()
    referee.forfeit(BLUE, PlayerFault("too slow", code="timeout"), 7)
    assert (referee.result, referee.reason) == (Result.RED, Reason.FORFEIT)
    assert referee.record().acts[-1].fault == "timeout"


def test_the_flag_falls_for_the_seat_on_turn() -> None:
    referee = table(Control(Kind.SUDDEN_DEATH, main_ms=1_000), now_ms=50)
    assert referee.deadline_ms() == 1_050
    step(referee, "b1-b2", 650)
    assert referee.left_ms(650) == (400, 1_000)
    assert referee.deadline_ms() == 1_650
    assert not referee.tick(1_649)
    assert referee.tick(1_650)
    assert (referee.result, referee.reason) == (Result.RED, Reason.TIME)
    assert referee.left_ms(9_999) == (400, 0)


def test_a_deed_after_the_time_finds_the_game_over() -> None:
    for deed in (
        lambda late: step(late, "b1-b2", 1_000),
        lambda late: late.resign(BLUE, 1_000),
        lambda late: late.offer_draw(BLUE, 5_000),
    ):
        referee = table(Control(Kind.SUDDEN_DEATH, main_ms=1_000))
        assert code_of(lambda: deed(referee)) == "game_over"  # noqa: B023
        assert (referee.result, referee.reason, referee.ply) == (Result.BLUE, Reason.TIME, 0)
        assert referee.record().acts[-1].at_ms == 1_000


def test_the_time_to_set_up() -> None:
    control = Control(Kind.SUDDEN_DEATH, main_ms=1_000, setup_ms=300)
    one, none = (Referee(Terms(variant=TINY, control=control), secret=SECRET, now_ms=0) for _ in range(2))
    one.deploy(RED, army(RED), 100)
    assert one.deadline_ms() == 300
    assert code_of(lambda: one.deploy(BLUE, army(BLUE), 300)) == "game_over"
    assert (one.result, one.reason) == (Result.RED, Reason.TIME)
    assert none.tick(300)
    assert (none.result, none.reason) == (Result.DRAW, Reason.TIME)  # R11.2: both absent


def test_the_board_ends_the_game_once() -> None:
    referee = table()
    for words in ("d1-d2", "b4-b3", "d2-d3", "b3-b2", "d3-d4"):  # Blue's F2SM stands on d4 c4 b4 a4
        step(referee, words)
    assert (referee.phase, referee.result, referee.reason) == (Phase.OVER, Result.RED, Reason.FLAG)
    assert sum(isinstance(event.fact, Ended) for event in referee.events(RED)) == 1


def test_an_army_without_a_first_move_loses_before_it() -> None:
    """R3.5: six bombs wall Red in."""
    back, front = "FS" + "2" * 8 + "3" * 5 + "4" * 4 + "55" + "66" + "777" + "88" + "9M", "BB65BB65BB"
    walled = Deployment.parse(back + front, CLASSIC, RED, Numbering.MODERN)
    open_front = Deployment.parse(front + back, CLASSIC, BLUE, Numbering.MODERN)
    referee = Referee(Terms(variant=CLASSIC), secret=SECRET, now_ms=0)
    referee.deploy(RED, walled, 0)
    referee.deploy(BLUE, open_front, 0)
    assert (referee.phase, referee.result, referee.reason) == (Phase.OVER, Result.BLUE, Reason.STUCK)
    assert [type(event.fact) for event in referee.events(None)] == [Deployed, Deployed, Started, Ended]
    assert referee.record().plies == 0


def numbers(events: tuple[Event, ...]) -> list[int]:
    return [event.n for event in events]


def test_every_audience_is_told_in_numbers_without_gaps() -> None:
    referee = table()
    referee.offer_draw(RED, 1)
    referee.answer_draw(BLUE, False, 2)
    step(referee, "b1-b2", 3)
    referee.resign(RED, 4)
    facts = [Deployed, Deployed, Started, Offered, Declined, Moved, Ended]
    for audience in (RED, BLUE, None):
        told = referee.events(audience)
        assert numbers(told) == list(range(1, 8))
        assert [type(event.fact) for event in told] == facts
        assert referee.events(audience, 5) == told[5:]
        assert referee.events(audience, 99) == ()
        assert referee.events(audience, -3) == told


def test_an_army_is_told_to_its_owner_alone() -> None:
    referee = table()
    for audience in (RED, BLUE, None):
        armies = {
            event.fact.seat: event.fact.army for event in referee.events(audience) if isinstance(event.fact, Deployed)
        }
        for seat in Seat:
            assert armies[seat] == (army(seat).text() if seat is audience else None)


def test_armies_are_committed_to_before_the_first_ply() -> None:
    referee = table()
    started = next(event.fact for event in referee.events(None) if isinstance(event.fact, Started))
    assert started.commitments == (commitment(SECRET, army(RED)), commitment(SECRET, army(BLUE)))
    assert len(set(started.commitments)) == 2
    other = commitment(bytes(32), army(RED))
    assert other != started.commitments[0]


def test_the_record_opens_with_the_end() -> None:
    referee = table()
    assert code_of(referee.record) == "not_over"
    assert code_of(referee.armies) == "not_over"
    referee.resign(BLUE, 12)
    assert referee.armies() == (army(RED), army(BLUE))
    assert referee.record().result is Result.RED


def test_positions_compared_by_type_are_refused_at_a_live_table() -> None:
    """R9.6: they would tell hidden ranks."""
    foreign = CLASSIC.with_law(more_squares="type")
    with pytest.raises(NotAllowed):
        Referee(Terms(variant=foreign), secret=SECRET, now_ms=0)
    Referee(Terms(variant=foreign), secret=SECRET, now_ms=0, live=False)


def test_a_secret_has_its_length() -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        Referee(Terms(variant=TINY), secret=b"short", now_ms=0)
