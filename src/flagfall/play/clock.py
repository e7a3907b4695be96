"""Game clocks as pure functions of times that are handed in, all in whole milliseconds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from flagfall.errors import BadMessage
from flagfall.rules.board import Seat

DAY_MS = 24 * 3600 * 1000
LONGEST_MS = 366 * DAY_MS  # a year: correspondence play fits, and a page can still count it exactly


def _bad(field: str) -> BadMessage:
    return BadMessage(f"no clock can have this {field}", code="bad_clock", field=field)


class Kind(StrEnum):
    """How time is given: all at once, with a gift, time back or free time for each move, or for each move alone."""

    SUDDEN_DEATH = "sudden-death"
    FISCHER = "fischer"
    BRONSTEIN = "bronstein"
    DELAY = "delay"
    PER_MOVE = "per-move"


class SetupEnd(StrEnum):
    """What becomes of a seat that has not set up in time (R12): it loses, or the lot sets up its army."""

    FORFEIT = "forfeit"
    RANDOM_FILL = "random-fill"


@dataclass(frozen=True, slots=True)
class Control:
    """What time each seat has: `main_ms` for the game, `add_ms` a move, at most `cap_ms` a move, `setup_ms` to set up.

    Fischer adds `add_ms` after every move; Bronstein gives back what the move took, at most `add_ms` (R12); with a
    delay the first `add_ms` of every move are free, so that no flag falls in them.
    `cap_ms` may join any kind and is all there is with `per-move`. `setup_timeout` says what becomes of whoever has not
    set up in time; it needs a `setup_ms`. A clock of a game without one is no Control at all.
    Raises BadMessage `bad_clock` for a control that cannot be.

    >>> Control.from_json({"kind": "bronstein", "main_ms": 720_000, "add_ms": 4_000}).main_ms
    720000
    """

    kind: Kind
    main_ms: int = 0
    add_ms: int = 0
    cap_ms: int | None = None
    setup_ms: int | None = None
    setup_timeout: SetupEnd = SetupEnd.FORFEIT

    def __post_init__(self) -> None:
        for field in ("main_ms", "add_ms", "cap_ms", "setup_ms"):
            value = getattr(self, field)
            least = 1 if field in ("cap_ms", "setup_ms") else 0
            if value is not None and not (type(value) is int and least <= value <= LONGEST_MS):
                raise _bad(field)
        gives = self.kind in (Kind.FISCHER, Kind.BRONSTEIN, Kind.DELAY)
        if (self.main_ms == 0) != (self.kind is Kind.PER_MOVE):
            raise _bad("main_ms")
        if (self.add_ms == 0) == gives:
            raise _bad("add_ms")
        if self.kind is Kind.PER_MOVE and self.cap_ms is None:
            raise _bad("cap_ms")
        if self.setup_ms is None and self.setup_timeout is not SetupEnd.FORFEIT:
            raise _bad("setup_timeout")

    @property
    def by_days(self) -> bool:
        """Whether it is a correspondence clock: a day or more for each move."""
        return self.kind is Kind.PER_MOVE and self.cap_ms is not None and self.cap_ms >= DAY_MS

    def to_json(self) -> dict[str, Any]:
        """The form that `from_json` reads."""
        return {
            "kind": self.kind.value,
            "main_ms": self.main_ms,
            "add_ms": self.add_ms,
            "cap_ms": self.cap_ms,
            "setup_ms": self.setup_ms,
            "setup_timeout": self.setup_timeout.value,
        }

    @classmethod
    def from_json(cls, data: object) -> Control:
        """Read a JSON object, in which missing numbers are 0 or none. Raises BadMessage `bad_clock`."""
        if not isinstance(data, Mapping):
            raise _bad("kind")
        unknown = [key for key in data if key not in cls.__slots__]
        if unknown or data.get("kind") not in list(Kind):
            raise _bad(str(unknown[0])[:40] if unknown else "kind")
        ending = data.get("setup_timeout", SetupEnd.FORFEIT)
        if ending not in list(SetupEnd):
            raise _bad("setup_timeout")
        counts = {field: 0 if data.get(field) is None else data[field] for field in ("main_ms", "add_ms")}
        caps = (data.get("cap_ms"), data.get("setup_ms"))
        return cls(Kind(data["kind"]), counts["main_ms"], counts["add_ms"], *caps, SetupEnd(ending))


@dataclass(frozen=True, slots=True)
class Clock:
    """Two clocks, of which the one of the seat on turn runs.

    `left_ms` is what red and blue had when the running turn began, `since_ms` the moment it began (None: stopped).
    A moment before `since_ms` counts as `since_ms`: no time is ever created by a clock set back.
    Time is up when as much has passed as there was (R11.2: own thinking time used up is a loss).

    >>> clock = Clock.start(Control(Kind.FISCHER, main_ms=60_000, add_ms=2_000), Seat.RED, now_ms=0)
    >>> clock.pressed(now_ms=5_000).left_ms
    (57000, 60000)
    """

    control: Control
    left_ms: tuple[int, int]
    running: Seat
    since_ms: int | None

    @classmethod
    def start(cls, control: Control, first: Seat, now_ms: int) -> Clock:
        """Both clocks full, the one of `first` running from `now_ms`."""
        return cls(control, (control.main_ms, control.main_ms), first, now_ms)

    def spent_ms(self, now_ms: int) -> int:
        """How long the running turn has lasted; 0 when the clock is stopped."""
        return 0 if self.since_ms is None else max(0, now_ms - self.since_ms)

    def free_ms(self, now_ms: int) -> int:
        """What is left of the free time of the running turn; 0 without any."""
        return max(0, self._free_ms - self.spent_ms(now_ms)) if self.since_ms is not None else 0

    def remaining_ms(self, seat: Seat, now_ms: int) -> int:
        """What a seat has left for the game at `now_ms`, never below 0; 0 throughout where only a cap counts."""
        spent = self._charged_ms(now_ms) if seat is self.running else 0
        return max(0, self.left_ms[seat] - spent)

    def turn_ms(self) -> int:
        """The longest the running turn may last."""
        cap = self.control.cap_ms
        if self.control.kind is Kind.PER_MOVE:
            return cap or 0
        main = self.left_ms[self.running] + self._free_ms
        return main if cap is None else min(main, cap)

    def deadline_ms(self) -> int | None:
        """The first moment at which the running seat's time is up; None when the clock is stopped."""
        return None if self.since_ms is None else self.since_ms + self.turn_ms()

    def fallen(self, now_ms: int) -> Seat | None:
        """The seat whose time is up at `now_ms`, if any."""
        deadline = self.deadline_ms()
        return None if deadline is None or now_ms < deadline else self.running

    def pressed(self, now_ms: int) -> Clock:
        """The clock after the running seat's move at `now_ms`: its gift added, the other side's clock running.

        Raises ValueError when the clock is stopped or the flag has fallen: whoever asks must have looked.
        """
        if self.since_ms is None or self.fallen(now_ms) is not None:
            raise ValueError("the clock is stopped or its flag has fallen")
        left = list(self.left_ms)
        left[self.running] += self._gift_ms(now_ms) - (self._charged_ms(now_ms) if self.control.main_ms else 0)
        return replace(
            self, left_ms=(left[0], left[1]), running=self.running.other, since_ms=max(now_ms, self.since_ms)
        )

    def stopped(self, now_ms: int) -> Clock:
        """The clock at rest, with what was spent of the running turn taken off."""
        left = tuple(self.remaining_ms(seat, now_ms) for seat in (Seat.RED, Seat.BLUE))
        return replace(self, left_ms=(left[0], left[1]), since_ms=None)

    def turned(self, seat: Seat, now_ms: int) -> Clock:
        """The clock after plies were taken back and it is this seat's turn: what was spent is spent, no gift is added.

        A cap or a time for each move starts anew where the turn changed.
        """
        if seat is self.running:
            return self
        return replace(self.stopped(now_ms), running=seat, since_ms=max(now_ms, self.since_ms or 0))

    @property
    def _free_ms(self) -> int:
        return self.control.add_ms if self.control.kind is Kind.DELAY else 0

    def _charged_ms(self, now_ms: int) -> int:
        """What of the running turn is taken off the clock."""
        return max(0, self.spent_ms(now_ms) - self._free_ms)

    def _gift_ms(self, now_ms: int) -> int:
        if self.control.kind is Kind.BRONSTEIN:
            return min(self.control.add_ms, self.spent_ms(now_ms))
        return self.control.add_ms if self.control.kind is Kind.FISCHER else 0


def setup_deadline_ms(control: Control | None, since_ms: int) -> int | None:
    """When the time to set up is over; None without a set-up clock (R12)."""
    return None if control is None or control.setup_ms is None else since_ms + control.setup_ms
