"""The hall: tables at which somebody waits for anybody, and pairing those who look for the same game."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import asdict

from flagfall.errors import NotAllowed
from flagfall.rules.board import Seat
from flagfall.rules.catalog import VARIANTS
from flagfall.rules.pieces import RANKS
from flagfall.rules.variant import Variant
from flagfall.server import cards, games, invites
from flagfall.server.leases import HALL
from flagfall.server.lobby import Lobby, word_of
from flagfall.server.nature import Nature
from flagfall.server.roll import Roll
from flagfall.server.room import Room
from flagfall.server.store import Store, hashed
from flagfall.wire import bodies, messages
from flagfall.wire.people import OpenTable, Seek

MOST_LISTED = 100
MOST_OF_ONE = 3
"""How many of one person's open tables the list shows."""


class Hall:
    """Who waits for whom. A table stands in the list for as long as its maker's page is open at it, and no longer."""

    def __init__(self, lobby: Lobby, store: Store, nature: Nature) -> None:
        self._lobby, self._store, self._nature = lobby, store, nature
        self._roll = Roll(store)
        self._pairing = asyncio.Lock()
        """Held while somebody is paired or laid a table: two who seek at once find each other."""

    async def tables(self, guest: str) -> list[OpenTable]:
        """The open tables, the longest waiting first."""
        await self._lobby.leases.hold(HALL)
        waiting = self._lobby.rooms.waiting()
        ids = [room.ledger.summary.id for room in waiting]
        makers, names = await self._store.makers(ids), await self._roll.names(ids)
        shown: Counter[bytes] = Counter()
        found = []
        for room in waiting:
            maker = makers.get(room.ledger.summary.id)
            # Whoever sat down while the store was asked has made it no longer open.
            if maker is None or not room.waiting or shown[maker[1]] >= MOST_OF_ONE:
                continue
            shown[maker[1]] += 1
            found.append(self._told(room, Seat.of(maker[0]).other, maker[1] == hashed(guest), names))
        return found[:MOST_LISTED]

    async def seek(self, guest: str, order: Seek, selves: frozenset[str] = frozenset()) -> bodies.Created:
        """Sit down with whoever waits for the same game, else wait at a table of one's own.

        Sought twice it is the same table. Raises NotFound, BadMessage `bad_clock`, NotAllowed `too_many_games`.
        """
        game, control = games.meant(order.variant, {}), cards.control_of(order.clock)
        await self._lobby.leases.hold(HALL)
        async with self._pairing:
            alike = [room for room in self._lobby.rooms.waiting() if _terms(room) == (game, control)]
            makers = await self._store.makers([room.ledger.summary.id for room in alike])
            for room in alike:
                maker = makers.get(room.ledger.summary.id)
                if maker is not None and maker[1] == hashed(guest):
                    return bodies.Created(room.ledger.summary.id, word_of(Seat.of(maker[0])))
            for room in alike:
                try:
                    return await self._lobby.join(guest, invites.code_of(room.ledger.record), selves)
                except NotAllowed as refusal:
                    if refusal.stable_code not in ("seat_taken", "host_away", "closed", "own_table"):
                        raise
            return await self._lobby.create(
                guest,
                bodies.NewGame(variant=order.variant, against="friend", seat="lot", clock=order.clock, open=True),
            )

    def _told(self, room: Room, free: Seat, mine: bool, names: dict[str, dict[str, str]]) -> OpenTable:
        terms = room.ledger.record.terms
        return OpenTable(
            code=invites.code_of(room.ledger.record),
            variant=terms.variant.name,
            law=departures(terms.variant),
            seat=word_of(free),
            first=word_of(terms.first),
            clock=cards.clock_of(terms.control),
            mine=mine,
            host=names.get(room.ledger.summary.id, {}).get(free.other.word),
            waited_ms=max(0, self._nature.now_ms() - room.ledger.summary.started_ms),
        )


def departures(game: Variant) -> dict[str, messages.SwitchValue]:
    """The house rules by which a game departs from its entry in the catalogue."""
    usual = VARIANTS[game.name]
    plain = asdict(usual.law)
    law: dict[str, messages.SwitchValue] = {
        name: value for name, value in asdict(game.law).items() if value != plain[name]
    }
    for rank in RANKS:
        if game.army.get(rank, 0) != usual.army.get(rank, 0):
            law[f"counts.{rank.name.lower()}"] = game.army.get(rank, 0)
    return law


def _terms(room: Room) -> tuple[object, object]:
    terms = room.ledger.record.terms
    return terms.variant, terms.control
