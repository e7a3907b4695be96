"""Clocks give what their kind promises, create no time, and fall at the millisecond."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flagfall.errors import BadMessage
from flagfall.play.clock import LONGEST_MS, Clock, Control, Kind, setup_deadline_ms
from flagfall.rules.board import Seat

MAIN = st.integers(1, 10_000)
ADD = st.integers(1, 500)
ADDING = st.sampled_from([Kind.FISCHER, Kind.BRONSTEIN, Kind.DELAY])
CAP = st.one_of(st.none(), st.integers(1, 3_000))
CONTROLS = st.one_of(
    st.builds(Control, st.just(Kind.SUDDEN_DEATH), main_ms=MAIN, cap_ms=CAP),
    st.builds(
        Control, st.sampled_from([Kind.FISCHER, Kind.BRONSTEIN, Kind.DELAY]), main_ms=MAIN, add_ms=ADD, cap_ms=CAP
    ),
    st.builds(Control, st.just(Kind.PER_MOVE), cap_ms=st.integers(1, 3_000)),
)
WAITS = st.lists(st.integers(-50, 2_000), max_size=40)


def played(control: Control, waits: list[int]) -> tuple[Clock, list[list[int]], int]:
    """The clock after a press after each wait, as far as no flag fell; what each seat spent; the moment of the last."""
    clock, now, spent = Clock.start(control, Seat.RED, 0), 0, [[], []]  # type: ignore[var-annotated]
    for wait in waits:
        if clock.fallen(now + wait) is not None:
            break
        spent[clock.running].append(clock.spent_ms(now + wait))
        now += wait
        clock = clock.pressed(now)
        now = max(now, clock.since_ms or 0)
    return clock, spent, now


@given(CONTROLS, WAITS)
def test_every_kind_keeps_its_books(control: Control, waits: list[int]) -> None:
    clock, spent, now = played(control, waits)
    for seat in Seat:
        used, add = spent[seat], control.add_ms
        gifts = {
            Kind.SUDDEN_DEATH: 0,
            Kind.FISCHER: add * len(used),
            Kind.BRONSTEIN: sum(min(add, each) for each in used),
            Kind.DELAY: sum(min(add, each) for each in used),
            Kind.PER_MOVE: sum(used),
        }[control.kind]
        assert clock.remaining_ms(seat, now) == control.main_ms - sum(used) + gifts


@given(CONTROLS, WAITS, st.integers(0, 5_000), st.integers(0, 5_000))
def test_time_only_runs_down_within_a_turn(control: Control, waits: list[int], sooner: int, later: int) -> None:
    clock, _, now = played(control, waits)
    sooner, later = sorted((sooner, later))
    for seat in Seat:
        first, then = (clock.remaining_ms(seat, now + wait) for wait in (sooner, later))
        assert 0 <= then <= first
        if seat is not clock.running:
            assert then == first
    if clock.fallen(now + sooner) is not None:
        assert clock.fallen(now + later) is clock.running


@given(CONTROLS, WAITS)
def test_the_flag_falls_at_the_deadline_and_not_before(control: Control, waits: list[int]) -> None:
    clock, _, _ = played(control, waits)
    due = clock.deadline_ms()
    assert due is not None
    assert clock.fallen(due - 1) is None
    assert clock.fallen(due) is clock.running
    with pytest.raises(ValueError, match="fallen"):
        clock.pressed(due)


@given(CONTROLS, WAITS)
def test_bronstein_and_sudden_death_never_have_more_than_at_first(control: Control, waits: list[int]) -> None:
    clock, _, now = played(control, waits)
    if control.kind is not Kind.FISCHER:
        assert max(clock.remaining_ms(seat, now) for seat in Seat) <= control.main_ms


@given(CONTROLS, WAITS, st.integers(0, 20_000))
def test_a_stopped_clock_keeps_what_was_left(control: Control, waits: list[int], wait: int) -> None:
    clock, _, now = played(control, waits)
    rest = clock.stopped(now + wait)
    assert rest.fallen(now + 10**9) is None
    assert rest.deadline_ms() is None
    for seat in Seat:
        assert rest.remaining_ms(seat, now + 10**9) == clock.remaining_ms(seat, now + wait)


def test_no_flag_falls_in_the_free_time_of_a_move() -> None:
    clock = Clock.start(Control(Kind.DELAY, main_ms=1_000, add_ms=500), Seat.RED, 0)
    assert [clock.free_ms(at) for at in (0, 200, 500, 700)] == [500, 300, 0, 0]
    assert [clock.remaining_ms(Seat.RED, at) for at in (0, 500, 700)] == [1_000, 1_000, 800]
    assert clock.pressed(400).left_ms == (1_000, 1_000)
    late = clock.pressed(1_499)
    assert (late.left_ms, late.free_ms(1_600)) == ((1, 1_000), 399)
    again = late.pressed(1_499)
    assert (again.fallen(1_999), again.fallen(2_000)) == (None, Seat.RED), "a millisecond after the free time"


def test_a_clock_set_back_gives_nothing() -> None:
    clock = Clock.start(Control(Kind.FISCHER, main_ms=100, add_ms=5), Seat.RED, 1_000)
    back = clock.pressed(400)
    assert back.left_ms == (105, 100)
    assert back.since_ms == 1_000


def test_a_cap_joins_any_kind() -> None:
    clock = Clock.start(Control(Kind.SUDDEN_DEATH, main_ms=10_000, cap_ms=100), Seat.BLUE, 0)
    assert clock.fallen(99) is None
    assert clock.fallen(100) is Seat.BLUE
    assert clock.remaining_ms(Seat.BLUE, 100) == 9_900


def test_set_up_time() -> None:
    control = Control(Kind.SUDDEN_DEATH, main_ms=1, setup_ms=300_000)
    assert setup_deadline_ms(control, 5) == 300_005
    assert setup_deadline_ms(Control(Kind.SUDDEN_DEATH, main_ms=1), 5) is None
    assert setup_deadline_ms(None, 5) is None


@given(CONTROLS)
def test_json_round_trip(control: Control) -> None:
    assert Control.from_json(json.loads(json.dumps(control.to_json()))) == control


@pytest.mark.parametrize(
    "form",
    [
        None,
        [],
        "fischer",
        {},
        {"kind": "hourglass", "main_ms": 5},
        {"kind": ["fischer"], "main_ms": 5},
        {"kind": "sudden-death"},
        {"kind": "sudden-death", "main_ms": True},
        {"kind": "sudden-death", "main_ms": ""},
        {"kind": "sudden-death", "main_ms": 1.5},
        {"kind": "sudden-death", "main_ms": "60000"},
        {"kind": "sudden-death", "main_ms": -1},
        {"kind": "sudden-death", "main_ms": LONGEST_MS + 1},
        {"kind": "sudden-death", "main_ms": 5, "add_ms": 5},
        {"kind": "sudden-death", "main_ms": 5, "cap_ms": 0},
        {"kind": "sudden-death", "main_ms": 5, "setup_ms": 0},
        {"kind": "sudden-death", "main_ms": 5, "setup_timeout": "random-fill"},
        {"kind": "sudden-death", "main_ms": 5, "setup_ms": 9, "setup_timeout": "mercy"},
        {"kind": "sudden-death", "main_ms": 5, "setup_ms": 9, "setup_timeout": None},
        {"kind": "sudden-death", "main_ms": 5, "colour": "red"},
        {"kind": "fischer", "main_ms": 5},
        {"kind": "bronstein", "add_ms": 5},
        {"kind": "per-move"},
        {"kind": "per-move", "main_ms": 5, "cap_ms": 5},
    ],
)
def test_what_is_no_clock_is_refused(form: Any) -> None:
    with pytest.raises(BadMessage) as caught:
        Control.from_json(form)
    assert caught.value.stable_code == "bad_clock"
