"""Who is at a table: the sockets of each seat, counted, and what they are to be told of."""

from __future__ import annotations

import asyncio

from flagfall.rules.board import Seat


class Watch:
    """One socket's wish to hear of `news`; `tabs`, `crowd`: the number of the seat's sockets or of watchers changed."""

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self.news = asyncio.Event()
        self.tabs = False
        self.crowd = False


class Presence:
    """The sockets of one game."""

    def __init__(self) -> None:
        self._watches: list[Watch] = []

    def __bool__(self) -> bool:
        return bool(self._watches)

    def come(self, seat: Seat) -> Watch:
        """Begin to listen for a seat."""
        watch = Watch(seat)
        self._watches.append(watch)
        self._count(seat)
        return watch

    def go(self, watch: Watch) -> None:
        """Stop listening."""
        self._watches.remove(watch)
        self._count(watch.seat)

    def tabs(self, seat: Seat) -> int:
        """How many sockets of a seat are open."""
        return sum(watch.seat is seat for watch in self._watches)

    def tell(self) -> None:
        """Let every socket know that there is news."""
        for watch in self._watches:
            watch.news.set()

    def tell_crowd(self) -> None:
        """Let every socket know that more or fewer look on."""
        for watch in self._watches:
            watch.crowd = True
            watch.news.set()

    def _count(self, seat: Seat) -> None:
        for watch in self._watches:
            if watch.seat is seat:
                watch.tabs = True
                watch.news.set()
