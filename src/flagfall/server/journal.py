"""What may stand in a game's log: one typed entry an event, from which alone a game is rebuilt.

Entries hold hidden deployments and the secret that seeds come from: they are for the store, never for a log line, a
message or an error.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import msgspec
from msgspec import Struct

from flagfall.play.reading import read_record
from flagfall.play.record import Act, Deed, Record, Sort
from flagfall.rules.board import Seat
from flagfall.rules.deployment import Deployment
from flagfall.rules.events import Reason, Result
from flagfall.rules.notation import move_text, parse_move
from flagfall.rules.pieces import Numbering


class WatchTerms(Struct, frozen=True):
    """Others may look on; `delay`: how many plies late they see both armies if both seats agree, None for never."""

    delay: int | None = None


class Opened(Struct, frozen=True, tag="opened"):
    """A table was laid: the record of a game in which nothing has happened yet, and the game it is a rematch of."""

    record: str
    rematch_of: str | None = None
    watch: WatchTerms | None = None

    def __repr__(self) -> str:
        return "Opened(…)"


class Placed(Struct, frozen=True, tag="placed"):
    """A person put an army on the table; the referee takes it in as soon as the law is there."""

    seat: str
    army: str

    def __repr__(self) -> str:
        return f"Placed({self.seat}, …)"


class Seated(Struct, frozen=True, tag="seated"):
    """Somebody took the seat that was free."""

    seat: str


class Acted(Struct, frozen=True, tag="acted", omit_defaults=True):
    """One act of a game at its time; `id` is what the page called it, `ply` its number if it is one.

    `nth`, where plies were taken back before: the how-manieth ply ever played here this one is. `result` and `reason`
    stand with the act that ended the game.
    """

    at_ms: int
    deed: str
    seat: str | None
    move: str | None = None
    fault: str | None = None
    army: str | None = None
    id: str | None = None
    ply: int | None = None
    nth: int | None = None
    result: str | None = None
    reason: str | None = None

    def __repr__(self) -> str:
        return f"Acted({self.deed}, {self.seat}, …)"


class Rematched(Struct, frozen=True, tag="rematched"):
    """A rematch was made, under another id."""

    game: str


class Agreed(Struct, frozen=True, tag="agreed"):
    """A seat lets those who look on see both armies late, or lets them no longer."""

    seat: str
    give: bool


Entry = Opened | Placed | Seated | Acted | Rematched | Agreed

_decoder: msgspec.json.Decoder[Entry] = msgspec.json.Decoder(Entry)


def write_entry(entry: Entry) -> str:
    """An entry as the store keeps it."""
    return msgspec.json.encode(entry).decode()


def read_entry(text: str) -> Entry:
    """The entry that `write_entry` wrote."""
    return _decoder.decode(text)


def opened(record: Record, rematch_of: str | None = None, watch: WatchTerms | None = None) -> Opened:
    """The first entry of a game, from its record before anything happened."""
    return Opened(record.text(), rematch_of, watch)


def acted(
    act: Act, army: Deployment | None, name: str | None, number: tuple[int, int] | None, end: tuple[Result, Reason]
) -> Acted:
    """The entry of one act; `army` where it was a deployment, `end` how the game stood after it.

    number: of a ply, its number in the game and among all that were ever played here.
    """
    over = end[0] is not Result.GOING
    return Acted(
        at_ms=act.at_ms,
        deed=act.deed.value,
        seat=None if act.seat is None else act.seat.word,
        move=None if act.move is None else move_text(act.move),
        fault=act.fault,
        army=None if army is None else army.text(),
        id=name,
        ply=None if number is None else number[0],
        nth=None if number is None or number[0] == number[1] else number[1],
        result=end[0].word if over else None,
        reason=end[1].word if over else None,
    )


def record_of(entries: Sequence[Entry]) -> Record:
    """The record that a log tells, up to its last act. Raises Unreadable where the log is none."""
    first = entries[0]
    if not isinstance(first, Opened):
        raise TypeError("the log of a game begins with its opening")
    start = read_record(first.record)
    armies: list[Deployment | None] = [None, None]
    acts: list[Act] = []
    result, reason = Result.GOING, Reason.NONE
    for entry in entries:
        if not isinstance(entry, Acted):
            continue
        seat = None if entry.seat is None else Seat.of(entry.seat)
        move = None if entry.move is None else parse_move(entry.move)
        acts.append(Act(entry.at_ms, Deed(entry.deed), seat, move=move, fault=entry.fault))
        if entry.army is not None and seat is not None:
            armies[seat] = Deployment.parse(entry.army, start.terms.variant, seat, Numbering.MODERN)
        if entry.result is not None and entry.reason is not None:
            result, reason = Result[entry.result.upper()], Reason[entry.reason.upper()]
    return replace(
        start,
        acts=tuple(acts),
        deployments=(armies[0], armies[1]),
        elapsed_ms=acts[-1].at_ms if acts else 0,
        result=result,
        reason=reason,
    )


def house_seat(record: Record) -> Seat | None:
    """The seat at which the house sits, None between people."""
    return next((seat for seat in Seat if record.terms.sitters[seat].sort is Sort.HOUSE), None)
