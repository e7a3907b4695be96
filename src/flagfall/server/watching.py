"""Who may look on at a game and what is shown to them: the link, the seats' agreement, and how far the show has come.

Somebody who has seen both armies can follow the men for the rest of the game. So the truth begins only with a position
that is as old as was agreed, counted from the last one that was shown as it stood; and when a seat withdraws after an
army was shown, the ranks go but the board stays late.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass

from flagfall.errors import NotAllowed, NotFound
from flagfall.play.player import derived
from flagfall.play.record import Deed, Record
from flagfall.play.takeback import undone
from flagfall.rules.board import Seat
from flagfall.server.journal import Acted, Agreed, Entry, Opened, house_seat
from flagfall.wire.watching import WatchedWord

CODE_BYTES = 18
"""144 random bits: nobody guesses a link."""


@dataclass(frozen=True, slots=True)
class Showing:
    """What those who look on are shown: in which manner, up to which ply, and which seats let the armies be seen."""

    how: WatchedWord
    ply: int
    agreed: tuple[bool, bool]


def code_of(record: Record) -> str:
    """The code of a game's link: from the game's secret, one way, and by another word than its invitation."""
    return base64.urlsafe_b64encode(derived(record.secret, "watch", 0)[:CODE_BYTES]).decode()


def agreed_at(record: Record) -> list[bool]:
    """Which seats agree from the beginning: the house has nothing to lose by being seen."""
    house = house_seat(record)
    return [seat is house for seat in Seat]


def showing(entries: Sequence[Entry], record: Record, ply: int, over: bool) -> Showing:
    """How far the show has come in a game of so many plies, from its log alone."""
    first = entries[0]
    delay = first.watch.delay if isinstance(first, Opened) and first.watch is not None else None
    agreed = agreed_at(record)
    since: int | None = None
    seen = False
    reached = most = 0
    for entry in entries if delay is not None else ():
        if isinstance(entry, Acted) and entry.ply is not None:
            reached, most = entry.ply, max(most, entry.ply)
        elif isinstance(entry, Acted) and entry.deed == Deed.ALLOW.value and entry.seat is not None:
            turn = record.terms.first if reached % 2 == 0 else record.terms.first.other
            reached -= undone(turn, Seat.of(entry.seat).other)
        elif isinstance(entry, Agreed):
            agreed[Seat.of(entry.seat)] = entry.give
            if all(agreed) and since is None:
                since = reached
            elif not all(agreed) and not seen:
                since = None
        if delay is not None and since is not None and all(agreed) and most - delay >= since:
            seen = True
    both = (agreed[Seat.RED], agreed[Seat.BLUE])
    if over:
        return Showing("open", ply, both)
    if delay is None or since is None:
        return Showing("public", ply, both)
    # A takeback is no news behind a board that is late: it stays where it is until the game has come further again.
    at = min(ply, max(since, most - delay))
    if not all(agreed):
        return Showing("late", at, both)
    return Showing("truth" if most - delay >= since else "waiting", at, both)


def no_link() -> NotFound:
    """What is said of a code that lets nobody in."""
    return NotFound("this link leads to no game", code="no_watch_link")


def not_watched() -> NotAllowed:
    """What is said at a table where nobody may look on."""
    return NotAllowed("nobody may look on at this game", code="not_watched")


def own_game(game: str, seat: str | None) -> NotAllowed:
    """What is said to a player who would look on at his own game."""
    return NotAllowed("you sit at this table", code="own_game", game=game, seat=seat)
