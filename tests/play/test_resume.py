"""A game interrupted anywhere goes on from its record as if nothing had been, and a record leads to the same end."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flagfall.errors import FlagfallError, Unreadable
from flagfall.play.clock import Control
from flagfall.play.clock import Kind as Sort
from flagfall.play.player import Kind
from flagfall.play.reading import read_record
from flagfall.play.record import Act, Deed, Record, Terms
from flagfall.play.referee import Phase, Referee
from flagfall.rules.board import Seat
from flagfall.rules.catalog import MICRO
from flagfall.rules.deployment import Deployment
from flagfall.rules.events import Reason, Result
from flagfall.rules.notation import parse_move
from flagfall.rules.pieces import Numbering
from tests.play.games import SESSIONS, Session, session

TURNS = 500


def everything(referee: Referee, now_ms: int) -> list[object]:
    """All that anybody can ask of a referee."""
    told: list[object] = [referee.phase, referee.turn, referee.ply, referee.result, referee.reason, referee.offer]
    told += [referee.ask, referee.takebacks, referee.may_abort(), *(str(referee.why_not_back(seat)) for seat in Seat)]
    told += [referee.journal(now_ms), referee.left_ms(now_ms)]
    told += [referee.events(audience) for audience in (Seat.RED, Seat.BLUE, None)]
    told += [referee.may_offer(seat) for seat in Seat] + [referee.own_army(seat) for seat in Seat]
    told += [referee.request(Kind.MOVE, seat) for seat in Seat]
    if referee.phase is not Phase.DEPLOYING and all(referee.deployed(seat) for seat in Seat):
        told += [referee.view(audience).tobytes() for audience in (Seat.RED, Seat.BLUE, None)]
    return told


@settings(max_examples=60)
@given(SESSIONS, st.lists(st.integers(0, TURNS), max_size=4), st.integers(0, 10**12))
def test_interrupted_anywhere_a_game_goes_on_as_it_was(played: Session, breaks: list[int], away_ms: int) -> None:
    """Twice the same game, one of them written down and taken up again at each break, on another clock each time."""
    broken = Session(played.referee, Random(), played.now_ms)
    broken.referee = Referee.resume(read_record(played.referee.journal(played.now_ms).text()), played.now_ms)
    broken.rng.setstate(played.rng.getstate())
    for turn in range(TURNS):
        if turn in breaks:
            text = broken.referee.journal(broken.now_ms).text()
            broken.now_ms += away_ms
            broken.referee = Referee.resume(read_record(text), broken.now_ms)
        if played.referee.phase is Phase.OVER:
            break
        played.turn()
        broken.turn()
        ahead = everything(broken.referee, broken.now_ms)
        if turn % 20 == 0 or turn in breaks or played.referee.result is not Result.GOING:
            assert everything(played.referee, played.now_ms) == ahead


@settings(max_examples=60)
@given(SESSIONS)
def test_a_finished_record_leads_to_the_same_end(played: Session) -> None:
    for _ in range(TURNS):
        played.turn()
    if played.referee.phase is not Phase.OVER:
        played.referee.resign(Seat.RED, played.now_ms)
    record = played.referee.journal(played.now_ms)
    again = Referee.resume(read_record(record.text()), 77)
    assert again.journal(0) == record
    assert again.ply == record.plies
    assert (again.result, again.reason) == (played.referee.result, played.referee.reason)
    assert again.events(None) == played.referee.events(None)
    assert again.journal(0).text() == record.text()


def test_the_sessions_reach_every_ending() -> None:
    """The two properties above are worth what the drawn games hold."""
    reasons, deeds = set(), set()
    for number in range(160):
        played = session(number)
        for _ in range(TURNS):
            played.turn()
        reasons.add(played.referee.reason)
        deeds |= {act.deed for act in played.referee.journal(played.now_ms).acts}
    assert deeds == set(Deed)
    assert set(Reason) - {Reason.NONE, Reason.BOTH_STUCK} <= reasons


def finished() -> Referee:
    played = session(3)
    for _ in range(TURNS):
        played.turn()
    assert played.referee.phase is Phase.OVER
    assert played.referee.ply > 5
    return played.referee


def test_a_record_that_lies_is_found_out() -> None:
    record = finished().record()
    acts = record.acts
    plies = [number for number, act in enumerate(acts) if act.deed is Deed.MOVE]
    other = Result.RED if record.result is not Result.RED else Result.BLUE
    lies = {
        "another result": replace(record, result=other),
        "another reason": replace(record, reason=Reason.FLAG if record.reason is not Reason.FLAG else Reason.STUCK),
        "not over": replace(record, result=Result.GOING, reason=Reason.NONE),
        "a ply left out": replace(record, acts=acts[: plies[1]] + acts[plies[1] + 1 :]),
        "a ply twice": replace(record, acts=(*acts[: plies[1] + 1], *acts[plies[1] :])),
        "cut short": replace(record, acts=acts[:-1]),
        "goes on": replace(record, acts=(*acts, Act(record.elapsed_ms, Deed.RESIGN, Seat.RED))),
        "backwards": replace(record, acts=(*acts[:-1], replace(acts[-1], at_ms=0))),
        "after its end": replace(record, elapsed_ms=record.elapsed_ms - 1),
        "no army": replace(record, deployments=(None, record.deployments[1])),
        "time not up": replace(record, acts=(*acts[: plies[1]], Act(acts[plies[1]].at_ms, Deed.TIME, Seat.RED))),
    }
    for name, lie in lies.items():
        with pytest.raises(Unreadable) as caught:
            Referee.resume(lie, 0)
        assert caught.value.stable_code in ("record_illegal", "record_differs"), name
        assert isinstance(caught.value, FlagfallError)


def timed(*acts: Act, ends: tuple[Result, Reason] = (Result.BLUE, Reason.TIME)) -> Record:
    """A record under a clock of one second with these acts after both have set up."""
    control = Control(Sort.SUDDEN_DEATH, main_ms=1_000)
    referee = Referee(Terms(variant=MICRO, control=control), secret=bytes(32), now_ms=0)
    for seat in Seat:
        referee.deploy(seat, Deployment.parse("F2SM", MICRO, seat, Numbering.MODERN), 0)
    return replace(referee.journal(9_999), acts=(*referee.journal(0).acts, *acts), result=ends[0], reason=ends[1])


def test_a_record_cannot_bend_its_clock() -> None:
    """A flag falls at its very millisecond, for the seat on turn, and nothing is done after it."""
    fell = Act(1_000, Deed.TIME, Seat.RED)
    assert Referee.resume(timed(fell), 0).reason is Reason.TIME
    going = (Result.GOING, Reason.NONE)
    for record in (
        timed(replace(fell, at_ms=999)),
        timed(replace(fell, at_ms=1_001)),
        timed(replace(fell, seat=Seat.BLUE), ends=(Result.RED, Reason.TIME)),
        timed(replace(fell, seat=None), ends=(Result.DRAW, Reason.TIME)),
        timed(Act(1_000, Deed.MOVE, Seat.RED, move=parse_move("b1-b2")), ends=going),
        timed(Act(1_000, Deed.OFFER, Seat.BLUE), ends=going),
        timed(Act(1_000, Deed.RESIGN, Seat.RED), ends=(Result.BLUE, Reason.RESIGNED)),
    ):
        with pytest.raises(Unreadable) as caught:
            Referee.resume(record, 0)
        assert (caught.value.stable_code, caught.value.params) == ("record_illegal", {"act": 3})
