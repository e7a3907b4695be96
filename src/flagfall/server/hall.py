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
from flagfall.server import blocks, cards, games, invites, ratings
from flagfall.server.leases import HALL
from flagfall.server.lobby import Lobby, sign_in_to_count, word_of
from flagfall.server.nature import Nature
from flagfall.server.roll import Roll, is_account
from flagfall.server.room import Room
from flagfall.server.rooms import class_of
from flagfall.server.scale import Standing, told
from flagfall.server.store import Store, hashed
from flagfall.wire import bodies, messages
from flagfall.wire.people import OpenTable, PaceWord, Seek

MOST_LISTED = 100
MOST_OF_ONE = 3
"""How many of one person's open tables the list shows."""
WINDOW, WIDENS_A_SECOND = 100.0, 5.0
"""How far apart ratings that are paired may be, besides both deviations, and how much more with each second."""


class Hall:
    """Who waits for whom. A table stands in the list for as long as its maker's page is open at it, and no longer."""

    def __init__(self, lobby: Lobby, store: Store, nature: Nature) -> None:
        self._lobby, self._store, self._nature = lobby, store, nature
        self._roll = Roll(store)
        self._pairing = asyncio.Lock()
        """Held while somebody is paired or laid a table: two who seek at once find each other."""

    async def tables(self, guest: str, selves: frozenset[str] = frozenset()) -> list[OpenTable]:
        """The open tables, the longest waiting first, but for those of whom one has blocked or is blocked by."""
        await self._lobby.leases.hold(HALL)
        waiting = self._lobby.rooms.waiting()
        ids = [room.ledger.summary.id for room in waiting]
        makers, names = await self._store.makers(ids), await self._roll.names(ids)
        stand = await self._standings(waiting, {holder for _, holder in makers.values()})
        apart = await blocks.apart(self._store, {hashed(one) for one in selves | {guest}})
        shown: Counter[bytes] = Counter()
        found = []
        for room in waiting:
            maker = makers.get(room.ledger.summary.id)
            # Whoever sat down while the store was asked has made it no longer open.
            if maker is None or not room.waiting or shown[maker[1]] >= MOST_OF_ONE or maker[1] in apart:
                continue
            shown[maker[1]] += 1
            name = names.get(room.ledger.summary.id, {}).get(maker[0])
            rating = stand.get((room.ledger.summary.id, maker[1]))
            found.append(self._told(room, Seat.of(maker[0]).other, maker[1] == hashed(guest), name, rating))
        return found[:MOST_LISTED]

    async def seek(self, guest: str, order: Seek, selves: frozenset[str] = frozenset()) -> bodies.Created:
        """Sit down with whoever waits for the same game and is near enough in rating, else wait at one's own table.

        Sought again it is the same table, unless somebody is near enough by now: who waits is content with more.
        Raises NotFound, BadMessage `bad_clock`, NotAllowed `too_many_games`, `sign_in_to_count`.
        """
        game, control = games.meant(order.variant, {}), cards.control_of(order.clock)
        if order.rated and not is_account(guest):
            raise sign_in_to_count()
        await self._lobby.leases.hold(HALL)
        async with self._pairing:
            wanted = (game, control, order.rated)
            alike = [room for room in self._lobby.rooms.waiting() if _terms(room) == wanted]
            makers = await self._store.makers([room.ledger.summary.id for room in alike])
            own = next(
                (room for room in alike if makers.get(room.ledger.summary.id, ("", b""))[1] == hashed(guest)), None
            )
            others = await self._near([room for room in alike if room is not own], own, makers, guest, selves)
            if own is not None:
                seat = word_of(Seat.of(makers[own.ledger.summary.id][0]))
                mine = bodies.Created(own.ledger.summary.id, seat)
                if not others:
                    return mine
                try:
                    await self._lobby.withdraw(guest, mine.game)
                except NotAllowed:
                    return mine
            for room in others:
                try:
                    return await self._lobby.join(guest, invites.code_of(room.ledger.record), selves)
                except NotAllowed as refusal:
                    if refusal.stable_code not in ("seat_taken", "host_away", "closed", "own_table"):
                        raise
            return await self._lobby.create(
                guest,
                bodies.NewGame(
                    variant=order.variant,
                    against="friend",
                    seat="lot",
                    clock=order.clock,
                    open=True,
                    rated=order.rated,
                ),
            )

    async def _near(
        self,
        rooms: list[Room],
        own: Room | None,
        makers: dict[str, tuple[str, bytes]],
        guest: str,
        selves: frozenset[str],
    ) -> list[Room]:
        """Those of some tables alike whose makers may be met, the longest waiting first."""
        if not rooms:
            return []
        apart = await blocks.apart(self._store, {hashed(one) for one in selves | {guest}})
        holders = {makers[room.ledger.summary.id][1] for room in rooms if room.ledger.summary.id in makers}
        stand = await self._standings(rooms, holders | {hashed(guest)})
        now_ms = self._nature.now_ms()
        found = []
        for room in rooms:
            game = room.ledger.summary.id
            if game not in makers or makers[game][1] in apart | {hashed(guest)}:
                continue
            pair = stand.get((game, hashed(guest))), stand.get((game, makers[game][1]))
            waited_ms = max(now_ms - one.ledger.summary.started_ms for one in (room, own) if one is not None)
            if near(*pair, waited_ms):
                found.append(room)
        return found

    async def _standings(self, rooms: list[Room], holders: set[bytes]) -> dict[tuple[str, bytes], Standing]:
        """Where holders stand now, by table and holder, in the class of each table."""
        classes: dict[tuple[str, PaceWord], list[str]] = {}
        for room in rooms:
            classes.setdefault(class_of(room), []).append(room.ledger.summary.id)
        now_ms = self._nature.now_ms()
        found: dict[tuple[str, bytes], Standing] = {}
        for (variant, pace), ids in classes.items():
            for holder, one in (await ratings.standings(self._store, holders, variant, pace)).items():
                found |= {(game, holder): one.at(now_ms) for game in ids}
        return found

    def _told(self, room: Room, free: Seat, mine: bool, name: str | None, rating: Standing | None) -> OpenTable:
        terms = room.ledger.record.terms
        return OpenTable(
            code=invites.code_of(room.ledger.record),
            variant=terms.variant.name,
            law=departures(terms.variant),
            seat=word_of(free),
            first=word_of(terms.first),
            clock=cards.clock_of(terms.control),
            mine=mine,
            host=name,
            rated=terms.rated,
            rating=None if rating is None or name is None else told(rating),
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


def near(one: Standing | None, other: Standing | None, waited_ms: int) -> bool:
    """Whether two may be paired: who has no rating yet meets anybody, and who waits is content with more.

    A rating that is not sure is near to many.
    """
    if one is None or other is None:
        return True
    window = WINDOW + WIDENS_A_SECOND * max(0, waited_ms) / 1_000
    return abs(one.rating - other.rating) <= window + one.deviation + other.deviation


def _terms(room: Room) -> tuple[object, ...]:
    terms = room.ledger.record.terms
    return terms.variant, terms.control, terms.rated
