"""Where the set-up clock says so, the lot sets up for whoever was late (R12); never twice alike, never a foul army."""

from __future__ import annotations

import pytest

from flagfall.errors import NotAllowed, Unreadable
from flagfall.play.clock import Control, Kind, SetupEnd
from flagfall.play.lot import by_lot
from flagfall.play.reading import read_record
from flagfall.play.record import Deed, Terms
from flagfall.play.referee import Phase, Referee
from flagfall.play.sheet import sheet_text
from flagfall.play.sheet_reading import read_sheet
from flagfall.rules.board import Seat
from flagfall.rules.catalog import CLASSIC, VARIANTS
from flagfall.rules.events import Reason

CONTROL = Control(Kind.SUDDEN_DEATH, main_ms=1_000, setup_ms=300, setup_timeout=SetupEnd.RANDOM_FILL)


def late(*ready: Seat, secret: bytes = bytes(32)) -> Referee:
    """A table at which only the seats of `ready` set up in time, a moment after it was up."""
    referee = Referee(Terms(variant=CLASSIC, control=CONTROL), secret=secret, now_ms=0)
    for seat in ready:
        referee.deploy(seat, by_lot(CLASSIC, seat, b"own"), 100)
    while referee.tick(310):
        pass
    return referee


@pytest.mark.parametrize("name", VARIANTS)
def test_the_lot_sets_up_whole_armies_that_can_move(name: str) -> None:
    for number in range(20):
        for seat in Seat:
            army = by_lot(VARIANTS[name], seat, bytes([number]))
            assert army.checked().ranks == by_lot(VARIANTS[name], seat, bytes([number])).ranks
            assert len(army.ranks) == VARIANTS[name].men
            assert not army.walled_in()
    assert by_lot(CLASSIC, Seat.RED, b"1").text() != by_lot(CLASSIC, Seat.RED, b"2").text()


@pytest.mark.parametrize("ready", [(), (Seat.RED,), (Seat.BLUE,)])
def test_a_late_seat_plays_an_army_of_the_lot(ready: tuple[Seat, ...]) -> None:
    referee = late(*ready)
    assert referee.phase is Phase.PLAYING
    own = [referee.own_army(seat) for seat in Seat]
    assert all(army is not None and len(army.ranks) == 40 for army in own)
    assert referee.deadline_ms() == 1_300  # Red's clock began when the time to set up was over
    with pytest.raises(NotAllowed) as caught:
        referee.deploy(Seat.BLUE, by_lot(CLASSIC, Seat.BLUE, b"x"), 320)
    assert caught.value.stable_code == "already_deployed"
    other = late(*ready, secret=bytes([1]) * 32)
    for seat in set(Seat) - set(ready):
        mine, theirs = referee.own_army(seat), other.own_army(seat)
        assert mine is not None
        assert theirs is not None
        assert mine.text() != theirs.text()


def test_a_long_sleep_costs_the_first_move_as_well() -> None:
    """Whoever looks only after both times were up finds the game lost on time, not begun late."""
    referee = Referee(Terms(variant=CLASSIC, control=CONTROL), secret=bytes(32), now_ms=0)
    while referee.tick(99_999):
        pass
    assert (referee.phase, referee.reason) == (Phase.OVER, Reason.TIME)
    assert [act.deed for act in referee.record().acts] == [Deed.FILL, Deed.FILL, Deed.TIME]
    assert [act.at_ms for act in referee.record().acts] == [300, 300, 1_300]


def test_a_record_keeps_what_the_lot_did() -> None:
    referee = late(Seat.BLUE)
    referee.resign(Seat.RED, 400)
    record = referee.record()
    assert read_record(record.text()) == record
    assert Referee.resume(record, 400).record() == record
    assert read_sheet(sheet_text(record)) == record


def test_no_army_but_that_of_the_lot_is_believed() -> None:
    """A record in which a late seat set up as it liked is refused."""
    referee = late(Seat.BLUE)
    referee.resign(Seat.RED, 400)
    record = referee.record()
    own = record.deployments[0]
    assert own is not None
    forged = record.text().replace(own.text(), own.mirror().text())
    assert forged != record.text()
    with pytest.raises(Unreadable):
        Referee.resume(read_record(forged), 400)
