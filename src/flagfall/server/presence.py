"""Who is at a table: the sockets of each seat, counted, and what they are to be told of."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from flagfall.rules.board import Seat

LEFT_MS = 90_000
"""How long a seat may be empty before the other one may claim the game."""


class Watch:
    """One socket's wish to hear of `news`; `tabs`, `crowd`: the number of the seat's sockets or of watchers changed."""

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self.news = asyncio.Event()
        self.tabs = False
        self.crowd = False
        self.out = False
        """Whether the socket is to be closed: its holder is banned."""


@dataclass(frozen=True, slots=True)
class Absence:
    """A seat that is empty, and when the other one may claim the game: in `claim_ms`, at 0 now."""

    seat: Seat
    claim_ms: int


class Presence:
    """The sockets of one game.

    Whoever sits there may claim the game when the other seat has been empty for LEFT_MS before his eyes. All of it is
    held in memory: where a server starts again, everybody has come and gone anew.
    """

    def __init__(self, now_ms: int) -> None:
        self._watches: list[Watch] = []
        self._since_ms = [now_ms, now_ms]
        """When the first socket of a seat came, or its last one went."""

    def __bool__(self) -> bool:
        return bool(self._watches)

    def come(self, seat: Seat, now_ms: int) -> Watch:
        """Begin to listen for a seat."""
        if not self.tabs(seat):
            self._since_ms[seat] = now_ms
        watch = Watch(seat)
        self._watches.append(watch)
        self._count(seat)
        return watch

    def go(self, watch: Watch, now_ms: int) -> None:
        """Stop listening."""
        self._watches.remove(watch)
        if not self.tabs(watch.seat):
            self._since_ms[watch.seat] = now_ms
        self._count(watch.seat)

    def tabs(self, seat: Seat) -> int:
        """How many sockets of a seat are open."""
        return sum(watch.seat is seat for watch in self._watches)

    def absence(self, now_ms: int) -> Absence | None:
        """The empty seat, where the other one is not."""
        empty = [seat for seat in Seat if not self.tabs(seat)]
        if len(empty) != 1:
            return None
        return Absence(empty[0], max(0, max(self._since_ms) + LEFT_MS - now_ms))

    def tell(self) -> None:
        """Let every socket know that there is news."""
        for watch in self._watches:
            watch.news.set()

    def tell_crowd(self) -> None:
        """Let every socket know that more or fewer look on."""
        for watch in self._watches:
            watch.crowd = True
            watch.news.set()

    def turn_out(self, seat: Seat) -> None:
        """Let the sockets of a seat close."""
        for watch in self._watches:
            if watch.seat is seat:
                watch.out = True
                watch.news.set()

    def _count(self, seat: Seat) -> None:
        for watch in self._watches:
            if watch.seat is seat:
                watch.tabs = True
                watch.news.set()
