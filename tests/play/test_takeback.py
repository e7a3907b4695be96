"""Plies taken back: an undone game equals one in which they were never played, and what was shown stands."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flagfall.errors import FlagfallError, NotAllowed
from flagfall.play.clock import Control, Kind
from flagfall.play.events import Asked, Denied, TakenBack, standing
from flagfall.play.reading import read_record
from flagfall.play.record import PEOPLE, Sitter, Terms
from flagfall.play.referee import Phase, Referee
from flagfall.play.sheet import sheet_text
from flagfall.play.sheet_reading import read_sheet
from flagfall.rules.board import Move, Seat, make_move, origin, parse_square, target
from flagfall.rules.catalog import CLASSIC, MICRO
from flagfall.rules.deployment import Deployment
from flagfall.rules.events import Reason, Result
from flagfall.rules.pieces import Numbering
from flagfall.rules.variant import Variant
from tests.guests.players import Wanderer

RED, BLUE = Seat.RED, Seat.BLUE
SECRET = bytes(range(32))
TINY = MICRO.with_law(max_plies=40)


def table(variant: Variant = TINY, control: Control | None = None, *, rated: bool = False, seed: int = 0) -> Referee:
    """Micro with Red's F2SM and Blue's FMS2, or another game with armies by chance."""
    referee = Referee(Terms(variant=variant, control=control, rated=rated), secret=SECRET, now_ms=0)
    for seat, text in ((RED, "F2SM"), (BLUE, "FMS2")):
        small = variant.digest == TINY.digest
        army = Deployment.parse(text, variant, seat, Numbering.MODERN) if small else chosen(variant, seat, seed)
        referee.deploy(seat, army, 0)
    return referee


def chosen(variant: Variant, seat: Seat, seed: int) -> Deployment:
    return Wanderer(bytes([seed % 256, int(seat)] * 16)).deploy(variant, seat)


def move_of(words: str) -> Move:
    start, end = words.split("-")
    return make_move(parse_square(start), parse_square(end))


def play(referee: Referee, *words: str, now_ms: int = 0) -> None:
    for word in words:
        assert referee.turn is not None
        referee.move(referee.turn, move_of(word), now_ms)


def why(referee: Referee, seat: Seat) -> str | None:
    refused = referee.why_not_back(seat)
    if refused is not None:
        with pytest.raises(NotAllowed) as caught:
            referee.ask_back(seat, 10_000)
        assert caught.value.stable_code == refused.stable_code
    return None if refused is None else refused.stable_code


def known(referee: Referee, seats: tuple[Seat | None, ...] = (RED, BLUE, None)) -> list[object]:
    """What the board tells everybody, times left out."""
    told: list[object] = [referee.turn, referee.ply, referee.phase, referee.journal(0).moves]
    told += [referee.view(seat).tobytes() for seat in seats]
    told += [[moved.played for moved in standing(referee.events(seat))] for seat in seats]
    return told


@settings(max_examples=30)
@given(st.integers(0, 2**32))
def test_an_undone_game_equals_one_never_played(seed: int) -> None:
    """Two games by the same chances; one of them plays detours that it takes back whenever that is allowed."""
    rng = Random(seed)
    variant = rng.choice((TINY, CLASSIC.with_law(max_plies=200)))
    straight, winding = table(variant, seed=seed), table(variant, seed=seed)
    detours = 0
    for _ in range(60 if variant is TINY else 16):
        if straight.phase is Phase.OVER or straight.turn is None:
            break
        for _ in range(rng.randrange(3)):
            detours += detour(winding, rng)
        assert known(winding) == known(straight)
        move = rng.choice(straight.view(straight.turn).legal())
        for referee in (straight, winding):
            assert referee.turn is not None
            referee.move(referee.turn, move, 0)
    assert known(winding) == known(straight)
    assert (winding.result, winding.reason) == (straight.result, straight.reason)
    assert winding.takebacks == () or detours > 0
    record = winding.journal(0)
    again = Referee.resume(read_record(record.text()), 5)
    assert known(again) == known(winding)
    assert again.takebacks == winding.takebacks
    if winding.phase is Phase.OVER:
        assert read_sheet(sheet_text(record)) == record


def detour(referee: Referee, rng: Random) -> int:
    """Play one or two plies that show nothing and take them back; says how many were played."""
    asker, plies = referee.turn, 0
    for wanted in range(rng.choice((1, 2))):
        move = next((move for move in mixed(referee, rng) if shows_nothing(referee, move, step=wanted == 1)), None)
        if move is None or referee.turn is None:
            break
        referee.move(referee.turn, move, 0)
        plies += 1
    if plies and asker is not None:
        referee.ask_back(asker, 0)
        referee.answer_back(asker.other, True, 0)
    return plies


def mixed(referee: Referee, rng: Random) -> list[Move]:
    moves = [] if referee.turn is None else referee.view(referee.turn).legal()
    return rng.sample(moves, len(moves))


def shows_nothing(referee: Referee, move: Move, *, step: bool) -> bool:
    """Whether a move is a single step to an empty square that ends nothing; `step`: and of a man that moved before."""
    assert referee.turn is not None
    men = {man.square: man for man in referee.view(referee.turn).men()}
    start, end = origin(move), target(move)
    near = abs(start % 10 - end % 10) + abs(start // 10 - end // 10) == 1
    if end in men or not near or (step and not men[start].moved):
        return False
    if referee.ply + 2 >= (referee.terms.variant.law.max_plies or 0):
        return False
    probe = Referee.resume(referee.journal(0), 0)
    probe.move(referee.turn, move, 0)
    return probe.phase is Phase.PLAYING


def test_a_ply_is_asked_back_and_given() -> None:
    referee = table()
    assert why(referee, RED) == "no_ply"
    play(referee, "d1-d2")
    assert why(referee, BLUE) == "no_ply"
    referee.ask_back(RED, 0)
    assert referee.ask is RED
    assert why(referee, RED) == "asked_already"
    referee.answer_back(BLUE, True, 0)
    stands: list[object] = [referee.ply, referee.turn, referee.ask, referee.takebacks]
    assert stands == [0, RED, None, (0,)]
    assert [type(event.fact) for event in referee.events(None)][-2:] == [Asked, TakenBack]
    assert why(referee, RED) == "no_ply"
    play(referee, "d1-d2")
    assert why(referee, RED) is None, "after a ply of its own a seat may ask again"


def test_the_answer_goes_with_it_where_it_told_nothing() -> None:
    referee = table()
    play(referee, "d1-d2", "b4-b3", "d2-d1", "b3-b4", "d1-d2", "b4-b3")
    referee.ask_back(RED, 0)
    referee.answer_back(BLUE, True, 0)
    assert (referee.ply, referee.turn) == (4, RED)


def test_what_was_shown_stands() -> None:
    first = table()
    play(first, "d1-d2", "b4-b3")
    assert why(first, RED) == "revealed", "Blue's first step said that this man is no bomb and no flag"
    assert why(first, BLUE) is None, "one's own first step told the other seat alone"
    run = table()
    play(run, "b1-b3")
    assert why(run, RED) == "revealed", "a long step is a scout's"
    assert why(run, BLUE) == "no_ply"
    fight = table()
    play(fight, "d1-d2", "b4-b3", "b1-b2", "b3-b2")
    assert [why(fight, seat) for seat in Seat] == ["revealed", "revealed"]
    play(fight, "d2-d3")
    assert why(fight, RED) is None, "the step since then showed nothing"


def test_an_ask_lapses_with_the_next_ply_and_may_be_denied() -> None:
    referee = table()
    play(referee, "d1-d2")
    for seat in Seat:
        with pytest.raises(NotAllowed) as caught:
            referee.answer_back(seat, True, 0)
        assert caught.value.stable_code == "no_ask"
    referee.ask_back(RED, 0)
    with pytest.raises(NotAllowed):
        referee.answer_back(RED, True, 0)
    play(referee, "b4-b3")
    assert referee.ask is None
    with pytest.raises(NotAllowed):
        referee.answer_back(BLUE, True, 0)
    referee.ask_back(BLUE, 0)
    referee.answer_back(RED, False, 0)
    assert isinstance(referee.events(None)[-1].fact, Denied)
    assert (referee.ply, why(referee, BLUE)) == (2, "asked_already")


def test_not_in_rated_games_nor_against_a_machine() -> None:
    rated = table(rated=True)
    play(rated, "d1-d2")
    assert why(rated, RED) == "no_takeback"
    referee = Referee(Terms(variant=TINY, sitters=(PEOPLE[0], Sitter("level-1"))), secret=SECRET, now_ms=0)
    for seat, text in ((RED, "F2SM"), (BLUE, "FMS2")):
        referee.deploy(seat, Deployment.parse(text, TINY, seat, Numbering.MODERN), 0)
    play(referee, "d1-d2")
    assert why(referee, RED) == "no_takeback"


def test_time_that_was_used_is_used() -> None:
    """Red's five seconds stay spent, and so does what Blue thought about the question; nobody is given any."""
    referee = table(control=Control(Kind.FISCHER, main_ms=60_000, add_ms=2_000))
    play(referee, "d1-d2", now_ms=5_000)
    referee.ask_back(RED, 8_000)
    referee.answer_back(BLUE, True, 9_000)
    assert referee.left_ms(9_000) == (57_000, 56_000)
    assert referee.left_ms(10_000) == (56_000, 56_000)
    assert referee.deadline_ms() == 66_000
    capped = table(control=Control(Kind.PER_MOVE, cap_ms=10_000))
    play(capped, "d1-d2", now_ms=5_000)
    capped.ask_back(RED, 8_000)
    capped.answer_back(BLUE, True, 9_000)
    assert capped.deadline_ms() == 19_000


def test_a_record_that_takes_back_what_it_may_not_is_refused() -> None:
    referee = table()
    play(referee, "d1-d2")
    referee.ask_back(RED, 0)
    referee.answer_back(BLUE, True, 0)
    text = referee.journal(0).text()
    assert Referee.resume(read_record(text), 0).ply == 0
    rated = table(rated=True)
    play(rated, "d1-d2")
    lie = rated.journal(0)
    with pytest.raises(FlagfallError):
        Referee.resume(type(lie)(**{**{name: getattr(lie, name) for name in lie.__slots__},
                                    "acts": referee.journal(0).acts}), 0)  # fmt: skip


def test_a_game_is_called_off_before_the_second_move_and_stays_closed() -> None:
    for plies in (0, 1):
        referee = table()
        play(referee, *["d1-d2"][:plies])
        referee.abort(BLUE, 0)
        assert (referee.result, referee.reason, referee.phase) == (Result.VOID, Reason.ABORTED, Phase.OVER)
        for closed in (referee.armies, referee.record):
            with pytest.raises(NotAllowed) as caught:
                closed()
            assert caught.value.stable_code == "aborted"
        assert Referee.resume(read_record(referee.journal(0).text()), 3).reason is Reason.ABORTED
    early = Referee(Terms(variant=TINY), secret=SECRET, now_ms=0)
    early.abort(RED, 0)
    assert early.reason is Reason.ABORTED
    late = table()
    play(late, "d1-d2", "b4-b3")
    with pytest.raises(NotAllowed) as caught:
        late.abort(RED, 0)
    assert (caught.value.stable_code, late.phase) == ("too_late_to_abort", Phase.PLAYING)


def test_a_seat_that_was_left_loses_or_draws_where_a_clock_runs() -> None:
    clock = Control(Kind.SUDDEN_DEATH, main_ms=60_000)
    for win, result in ((True, Result.BLUE), (False, Result.DRAW)):
        referee = table(control=clock)
        play(referee, "d1-d2")
        referee.claim(BLUE, win, 5)
        assert (referee.result, referee.reason) == (result, Reason.ABANDONED)
    days = Control(Kind.PER_MOVE, cap_ms=3 * 24 * 3600 * 1000)
    assert days.by_days
    assert not Control(Kind.PER_MOVE, cap_ms=3600 * 1000).by_days
    for control in (None, days):
        referee = table(control=control)
        with pytest.raises(NotAllowed) as caught:
            referee.claim(BLUE, True, 5)
        assert caught.value.stable_code == "no_claim"
    unready = Referee(Terms(variant=TINY, control=clock), secret=SECRET, now_ms=0)
    with pytest.raises(NotAllowed) as caught:
        unready.claim(BLUE, True, 5)
    assert caught.value.stable_code == "not_started"
