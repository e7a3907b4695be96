"""The lobby: makes games, finds them, and lets each guest into the rooms of his own."""

from __future__ import annotations

import contextlib
import re
from dataclasses import replace
from typing import Any

import msgspec
import structlog

from flagfall.errors import BadMessage, BadVariant, FlagfallError, NotAllowed, NotFound
from flagfall.play import roster
from flagfall.play.player import Budget
from flagfall.play.record import Record, Sitter, Sort, Terms
from flagfall.rules.board import Seat
from flagfall.rules.catalog import VARIANTS
from flagfall.rules.deployment import Deployment
from flagfall.rules.events import Reason, Result
from flagfall.rules.pieces import Numbering
from flagfall.rules.variant import Law, Variant
from flagfall.server import blocks, cards, games, invites, watching
from flagfall.server.counts import Counts
from flagfall.server.health import Health
from flagfall.server.host import House
from flagfall.server.journal import Entry, Placed, Seated, WatchTerms, opened, record_of
from flagfall.server.leases import HALL, Alone, Leases, off_road
from flagfall.server.reports import Reports
from flagfall.server.roll import Roll, is_account
from flagfall.server.room import Room
from flagfall.server.rooms import Rooms, no_game
from flagfall.server.store import Store, Summary, hashed
from flagfall.version import VERSION
from flagfall.wire import bodies, messages

log = structlog.get_logger()

PERSON = "guest"
MOST_LISTED = 200
MOST_GAMES = 500
"""Unfinished games that one guest may have at a time."""
_GAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")


def is_token(text: str) -> bool:
    """Whether a cookie's text has the form of a guest's token."""
    return _TOKEN.fullmatch(text) is not None


class Lobby:
    """Everything that a page may ask for outside a room."""

    def __init__(self, store: Store, house: House, leases: Leases | None = None) -> None:
        self._store, self._house, self._roll = store, house, Roll(store)
        self.leases: Leases = leases or Alone()
        self.rooms = Rooms(store, house, self.leases)
        self.reports = Reports(store, house.nature)
        self.health = Health(store, house.law)

    @property
    def counts(self) -> Counts:
        """What the server counts of itself."""
        return self._house.counts

    def hello(self) -> bodies.Hello:
        """What a page needs first."""
        frame = self._house.law.frame
        return bodies.Hello(
            version=VERSION,
            law=bodies.LawState(frame.state, frame.done),
            variants=cards.cards(),
            levels=cards.levels(),
            clocks=list(cards.CLOCKS),
            usual_clocks=cards.usual_clocks(),
            plain_law=cards.switches(Law()),
        )

    async def create(self, guest: str, order: bodies.NewGame, rematch_of: str | None = None) -> bodies.Created:
        """Lay a table. Raises NotFound, BadVariant, BadArmy, Unreadable, BadMessage, NotAllowed `too_many_games`."""
        if order.against == "house" and (order.level is None or not roster.known(order.level)):
            raise NotFound("no player of the house has this name", code="unknown_player")
        if order.rated and order.against != "friend":
            raise NotAllowed("only games between two people are rated", code="casual_only")
        if order.rated and not is_account(guest):
            raise sign_in_to_count()
        lot = self._house.nature.lot
        game = games.meant(order.variant, order.law)
        if order.rated and game != VARIANTS.get(game.name):
            raise NotAllowed("only games of the catalogue, by their own rules, are rated", code="casual_rules")
        if order.open:
            _fit_for_the_hall(order, game)
            await self.leases.hold(HALL)
        seat = Seat(lot()) if order.seat == "lot" else Seat.of(order.seat)
        first = Seat(lot()) if order.first == "lot" else Seat.of(order.first)
        person = Sitter(PERSON, Sort.PERSON)
        machine = order.against == "house" and order.level is not None
        other = Sitter(order.level or PERSON, Sort.HOUSE, Budget()) if machine else person
        army = None if order.army is None else _army(order.army, game, seat)
        terms = Terms(
            variant=game,
            first=first,
            sitters=(person, other) if seat is Seat.RED else (other, person),
            control=cards.control_of(order.clock),
            game=self._house.nature.game_id(),
            begun_ms=self._house.nature.now_ms(),
            rated=order.rated,
        )
        owners = {seat.word: hashed(guest)}
        if order.against == "here":
            owners[seat.other.word] = hashed(guest)
        watch = None if order.watch is None else WatchTerms(order.watch.delay)
        await self._lay(owners, terms, seat, army, rematch_of, order.against, order.open, watch)
        return bodies.Created(terms.game, word_of(seat))

    async def _lay(
        self,
        owners: dict[str, bytes],
        terms: Terms,
        seat: Seat,
        army: Deployment | None,
        rematch_of: str | None,
        against: messages.Against,
        in_hall: bool = False,
        watch: WatchTerms | None = None,
    ) -> None:
        await self._may_have_another(owners[seat.word])
        record = Record(
            terms=terms,
            secret=self._house.nature.secret(),
            elapsed_ms=0,
            deployments=(None, None),
            acts=(),
            result=Result.GOING,
            reason=Reason.NONE,
        )
        entries: list[Entry] = [opened(record, rematch_of, watch)]
        if army is not None:
            entries.append(Placed(seat.word, army.text()))
        invitation: tuple[bytes, str] | None = None
        if against == "friend" and len(owners) == len(Seat):
            entries.append(Seated(seat.other.word))
        elif against == "friend":
            invitation = hashed(invites.code_of(record)), seat.other.word
        summary = Summary(
            id=terms.game,
            variant=terms.variant.name,
            level=terms.sitters[seat.other].name if against == "house" else "",
            phase="deploying",
            ply=0,
            turn=None,
            result=None,
            reason=None,
            started_ms=terms.begun_ms,
            updated_ms=terms.begun_ms,
            against=against,
            open=in_hall,
        )
        link = None if watch is None else hashed(watching.code_of(record))
        await self.leases.hold(terms.game)
        await self._store.create(summary, owners, entries, terms.begun_ms, invitation, link)
        self.counts.laid[against] += 1
        log.info("game_laid", game=terms.game, variant=terms.variant.name, level=summary.level, against=against)
        await self.rooms.enter(summary, entries)

    async def _may_have_another(self, guest: bytes) -> None:
        """Let a guest have another game. Raises NotAllowed `too_many_games`."""
        if await self._store.unfinished(guest) >= MOST_GAMES:
            raise NotAllowed("finish some of your games first", code="too_many_games")

    async def games(self, guest: str) -> list[bodies.GameLine]:
        """A guest's games, the latest first."""
        found = await self._store.of_guest(hashed(guest), MOST_LISTED)
        # Whoever plays both seats has one line for the game.
        once = {summary.id: (seat, summary) for seat, summary in reversed(found)}
        names = await self._roll.names([game for game, (_, one) in once.items() if one.against == "friend"])
        return [
            _line(seat, summary, names.get(summary.id, {}).get(Seat.of(seat).other.word))
            for seat, summary in reversed(once.values())
        ]

    async def room(self, guest: str, game: str, seat: str | None = None) -> tuple[Room, Seat]:
        """The room of one of a guest's games, and his seat in it. Raises NotFound `no_game`.

        seat: which one is meant by a guest who plays both; without it red's.
        """
        if not _GAME.fullmatch(game):
            raise no_game()
        seats = await self._store.seats(game, hashed(guest))
        if seat is not None:
            seats = [word for word in seats if word == seat]
        if not seats:
            raise no_game()
        return await self.rooms.find(game), Seat.of(seats[0])

    async def invitation(self, guest: str, code: str, selves: frozenset[str] = frozenset()) -> bodies.Invitation:
        """What an invitation offers. Raises NotFound `no_invitation`."""
        room, seat = await self._invited(code)
        ledger, mine = room.ledger, await self._store.seats(room.ledger.summary.id, hashed(guest))
        terms, offered = ledger.record.terms, ledger.summary.open and not ledger.complete
        away = offered and not room.waiting
        if offered and not mine and not away:
            away = bool(
                set((await self._store.owners(ledger.summary.id)).values()) & await self._apart(selves | {guest})
            )
        return bodies.Invitation(
            variant=cards.card(terms.variant),
            seat=word_of(seat),
            first=word_of(terms.first),
            clock=cards.clock_of(terms.control),
            rated=terms.rated,
            free=not ledger.complete,
            game=ledger.summary.id if mine else None,
            open=ledger.summary.open,
            away=away,
        )

    async def join(self, guest: str, code: str, selves: frozenset[str] = frozenset()) -> bodies.Created:
        """Take the seat of an invitation; who has a seat at this table keeps it. Raises NotFound, NotAllowed.

        selves: everything under which the same person may sit here already, signed in or not.
        """
        room, seat = await self._invited(code)
        game = room.ledger.summary.id
        with room.held():
            mine = await self._store.seats(game, hashed(guest))
            if mine:
                return bodies.Created(game, word_of(Seat.of(mine[0])))
            if room.ledger.summary.open and not room.ledger.complete and not room.waiting:
                raise host_away()
            sat = set((await self._store.owners(game)).values())
            if {hashed(one) for one in selves} & sat:
                raise NotAllowed("you sit at this table already, signed in or not", code="own_table")
            if room.ledger.summary.open and sat & await self._apart(selves | {guest}):
                # Nobody is told that he is blocked.
                raise host_away()
            if room.ledger.record.terms.rated and not is_account(guest):
                raise sign_in_to_count()
            await self._may_have_another(hashed(guest))
            await room.join(seat, hashed(guest))
            for one in selves:
                room.gallery.expel(hashed(one))
            await self.rooms.name([room])
        log.info("seat_taken", game=game)
        if room.ledger.summary.open and self.leases.crowded:
            with contextlib.suppress(FlagfallError):
                await self.rooms.pass_on(game)
        return bodies.Created(game, word_of(seat))

    async def _apart(self, selves: frozenset[str]) -> set[bytes]:
        return await blocks.apart(self._store, {hashed(one) for one in selves})

    async def withdraw(self, guest: str, game: str) -> None:
        """Take a game back that nobody has joined. Raises NotFound `no_game`, NotAllowed `joined_already`."""
        await self.room(guest, game)
        await self.take_away(game)

    async def take_away(self, game: str) -> None:
        """Forget a game that nobody has joined. Raises NotFound `no_game`, NotAllowed `joined_already`."""
        room = await self.rooms.find(game)
        async with room.again:
            if room.ledger.complete:
                raise NotAllowed("somebody sits at this table: resign instead", code="joined_already")
            async with self.rooms.emptied(game):
                await self._store.drop(game)

    async def give_up(self, who: str, game: str, word: str) -> None:
        """Leave a game that is not over, whichever process keeps it. Raises what `room` and its deeds raise."""
        keeper = await self.leases.keeper(game)
        if keeper is not None:
            await self.leases.resign(keeper, who, game, word)
            return
        with off_road():
            room, seat = await self.room(who, game, word)
            if not room.ledger.complete:
                await self.withdraw(who, game)
                return
        await room.opened()
        await room.deed(seat, messages.Resign(id="account-deleted"))

    async def watch(self, guest: str, code: str, selves: frozenset[str] = frozenset()) -> tuple[Room, str | None]:
        """The room that a watchers' link leads to, and the seat of who sits there. Raises NotFound `no_watch_link`.

        selves: as in `join`; who sits there signed in or not, and asks the other way, hears NotAllowed `own_game`.
        """
        game = await self._store.watched(hashed(code)) if invites.is_code(code) else None
        if game is None:
            raise watching.no_link()
        seats = await self._store.seats(game, hashed(guest))
        if not seats and {hashed(one) for one in selves} & set((await self._store.owners(game)).values()):
            raise watching.own_game(game, None)
        return await self.rooms.find(game), seats[0] if seats else None

    async def finished(self, guest: str, game: str) -> Room:
        """The room of a game that is over, for anybody who knows its id; whoever sits there is told that it is not.

        Raises NotFound `no_game`, NotAllowed `not_over`.
        """
        summary = await self._store.summary(game) if _GAME.fullmatch(game) else None
        if summary is None or summary.phase != "over":
            await self.room(guest, game)
            raise NotAllowed("this is open when the game is over", code="not_over")
        return await self.rooms.find(game)

    async def record(self, guest: str, game: str) -> dict[str, Any]:
        """The record of a game that is over, as `finished`; from its log alone. Raises NotAllowed `aborted`."""
        await self.finished(guest, game)
        record = record_of([entry for entry, _ in await self._store.log(game)])
        if record.reason is Reason.ABORTED:
            raise NotAllowed("a game that was called off stays closed", code="aborted")
        return record.to_json()

    async def _invited(self, code: str) -> tuple[Room, Seat]:
        found = await self._store.invited(hashed(code)) if invites.is_code(code) else None
        if found is None:
            raise invites.no_invitation()
        return await self.rooms.find(found[0]), Seat.of(found[1])

    async def rematch(self, guest: str, game: str) -> bodies.Created:
        """The same game again with the sides swapped; asked twice it is the same rematch. Raises NotAllowed."""
        room, seat = await self.room(guest, game)
        with room.held():
            return await self._again(room, seat)

    async def _again(self, room: Room, seat: Seat) -> bodies.Created:
        async with room.again:
            ledger = room.ledger
            if ledger.end[0] is Result.GOING:
                raise NotAllowed("this game is not over", code="not_over")
            if ledger.rematch is not None:
                return bodies.Created(ledger.rematch, word_of(seat.other))
            old = ledger.record.terms
            red, blue = old.sitters
            terms = replace(
                old,
                sitters=(blue, red),
                game=self._house.nature.game_id(),
                begun_ms=self._house.nature.now_ms(),
            )
            sat = await self._store.owners(old.game)
            owners = {Seat.of(word).other.word: guest for word, guest in sat.items()}
            told = (ledger.against, ledger.summary.open, ledger.watch)
            await self._lay(owners, terms, seat.other, None, old.game, *told)
            await room.follow(terms.game)
        return bodies.Created(terms.game, word_of(seat.other))


def word_of(seat: Seat) -> messages.SeatWord:
    """A seat's word as messages have it."""
    return "red" if seat is Seat.RED else "blue"


def _line(seat: str, summary: Summary, opponent: str | None) -> bodies.GameLine:
    """One line of a list of games."""
    known = {name: getattr(summary, name) for name in summary.__struct_fields__ if name != "id"}
    return msgspec.convert({"game": summary.id, "seat": seat, "opponent": opponent, **known}, bodies.GameLine)


def host_away() -> NotAllowed:
    """What is said of an open table at which nobody waits, and of one that is not for whoever asks."""
    return NotAllowed("whoever made this table has left it", code="host_away")


def sign_in_to_count() -> NotAllowed:
    """What a guest is told who wants a rated game."""
    return NotAllowed("a rated game is for two people with accounts: sign in first", code="sign_in_to_count")


def _fit_for_the_hall(order: bodies.NewGame, game: Variant) -> None:
    """Let strangers find a table. Raises BadMessage, BadVariant."""
    if order.against != "friend":
        raise BadMessage("only a table with a free seat can be open", at="$.open")
    if game.name not in VARIANTS:
        raise BadVariant("open tables are for games of the catalogue", code="not_in_hall", field="variant")


def _army(text: str, game: Variant, seat: Seat) -> Deployment:
    return Deployment.parse(text, game, seat, Numbering.MODERN).checked()
