"""What the referee announces: numbered events, for each audience without gaps, and nothing that it may not know."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from flagfall.rules.board import Seat, Square
from flagfall.rules.events import Played, Reason, Result

Audience = Seat | None
"""A seat, or None for those who watch and know what both seats know."""


@dataclass(frozen=True, slots=True)
class Deployed:
    """A seat has set up; `army`, as text, goes to that seat alone (R3.4)."""

    seat: Seat
    army: str | None

    def __repr__(self) -> str:
        return f"Deployed({self.seat.word})"


@dataclass(frozen=True, slots=True)
class Started:
    """Both have set up: who moves first, the squares of both armies, and a commitment to each army.

    A commitment is a salted digest; the salt comes out with the finished record, so that anybody can check that no
    army was exchanged during play.
    """

    first: Seat
    squares: tuple[tuple[Square, ...], tuple[Square, ...]]
    commitments: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Moved:
    """A ply, how long it took, and what red and blue have left on their clocks (None without a clock)."""

    played: Played
    spent_ms: int
    left_ms: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class Offered:
    """A seat offers a draw; the offer lapses with the next ply (R11.2)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Declined:
    """A seat has declined the draw that it was offered."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Ended:
    """The game is over. From now on the record is open."""

    result: Result
    reason: Reason


@dataclass(frozen=True, slots=True)
class Asked:
    """A seat asks for its last ply back; it lapses with the next ply."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Denied:
    """A seat keeps to the plies that the other one asked back."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class TakenBack:
    """A seat took its last ply back, with the answer to it if there was one: `ply` plies stand."""

    seat: Seat
    ply: int


Fact = Deployed | Started | Moved | Offered | Declined | Asked | Denied | TakenBack | Ended


@dataclass(frozen=True, slots=True)
class Event:
    """One fact with its number, from 1, and the time of the game at which it happened."""

    n: int
    at_ms: int
    fact: Fact


def told(event: Event, audience: Audience) -> Event:
    """The event as an audience hears it: an army goes to its owner alone."""
    fact = event.fact
    if isinstance(fact, Deployed) and fact.seat is not audience:
        return Event(event.n, event.at_ms, Deployed(fact.seat, None))
    return event


def standing(events: Iterable[Event]) -> list[Moved]:
    """The plies that stand, in order: those taken back are gone as if never played."""
    plies: list[Moved] = []
    for event in events:
        if isinstance(event.fact, Moved):
            plies.append(event.fact)
        elif isinstance(event.fact, TakenBack):
            del plies[event.fact.ply :]
    return plies
