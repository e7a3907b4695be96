"""Challenges by name: a game between two people whose free seat is offered to one account, until it answers."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from flagfall.errors import BadVariant, NotAllowed, NotFound
from flagfall.play.record import Record
from flagfall.rules.board import Seat
from flagfall.server import cards, invites
from flagfall.server.blocks import hears_not
from flagfall.server.hall import departures
from flagfall.server.journal import record_of
from flagfall.server.lobby import Lobby, word_of
from flagfall.server.nature import Nature
from flagfall.server.roll import Roll, accounts
from flagfall.server.store import Store, games, hashed, seats, tables
from flagfall.wire import bodies
from flagfall.wire.bots import Challenge, NewChallenge

MOST_WAITING, MOST_FROM_ONE = 20, 3
"""Challenges that wait for one account, from everybody and from one person; more are refused."""

challenges = sa.Table(
    "challenges",
    tables,
    sa.Column("game", sa.Text, sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("holder", sa.LargeBinary(32), nullable=False, index=True),
    sa.Column("at_ms", sa.BigInteger, nullable=False),
)
"""holder: the hash under which the challenged account holds seats."""


class Challenges:
    """Who wants to play whom. Every call raises StoreFault when the database fails."""

    def __init__(self, store: Store, lobby: Lobby, nature: Nature) -> None:
        self._store, self._lobby, self._nature, self._roll = store, lobby, nature, Roll(store)

    async def make(self, who: str, asked: NewChallenge) -> bodies.Created:
        """Lay a table and offer its other seat.

        Raises NotFound `no_person`, NotAllowed `own_table`, `not_heard` (blocked, or too many wait there),
        `bad_challenge`, and what `Lobby.create` raises.
        """
        found = await self._store.ask(sa.select(accounts.c.holder).where(accounts.c.folded == asked.name.casefold()))
        if not found:
            raise NotFound("nobody has this name", code="no_person")
        holder = found[0]["holder"]
        if holder == hashed(who):
            raise NotAllowed("nobody plays against himself", code="own_table")
        if not isinstance(asked.order.variant, str):
            raise BadVariant("challenges are for games of the catalogue", code="not_in_hall", field="variant")
        if asked.order.against != "friend" or asked.order.open:
            raise NotAllowed("a challenge is a game between two people, not an open table", code="bad_challenge")
        others = [row["maker"] for row in await self._store.ask(_waiting(holder))]
        full = len(others) >= MOST_WAITING or others.count(hashed(who)) >= MOST_FROM_ONE
        if full or await hears_not(self._store, holder, hashed(who)):
            raise NotAllowed("this person does not take your challenge now", code="not_heard")
        made = await self._lobby.create(who, asked.order)
        row = {"game": made.game, "holder": holder, "at_ms": self._nature.now_ms()}
        await self._store.change((sa.insert(challenges), [row]))
        return made

    async def waiting(self, who: str) -> list[str]:
        """The games to which an account is challenged and where nobody has taken its seat, the oldest first."""
        return [row["game"] for row in await self._store.ask(_waiting(hashed(who)))]

    async def told(self, game: str) -> Challenge:
        """A challenge that waits. Raises NotFound `no_challenge` where it does no longer."""
        maker = (await self._store.makers([game])).get(game)
        if maker is None:
            raise _no_challenge()
        terms, free = (await self._record(game)).terms, Seat.of(maker[0]).other
        names = (await self._roll.names([game])).get(game, {})
        return Challenge(
            game=game,
            by=names.get(free.other.word),
            variant=terms.variant.name,
            law=departures(terms.variant),
            seat=word_of(free),
            first=word_of(terms.first),
            clock=cards.clock_of(terms.control),
            rated=terms.rated,
        )

    async def accept(self, who: str, game: str, selves: frozenset[str]) -> bodies.Created:
        """Sit down. Raises NotFound `no_challenge`, and what `Lobby.join` raises."""
        await self._mine(who, game)
        made = await self._lobby.join(who, invites.code_of(await self._record(game)), selves)
        await self._drop(game)
        return made

    async def decline(self, who: str, game: str) -> None:
        """Take no seat; the table is taken away. Raises NotFound `no_challenge`."""
        await self._mine(who, game)
        await self._lobby.take_away(game)

    async def _record(self, game: str) -> Record:
        return record_of([entry for entry, _ in await self._store.log(game)])

    async def _mine(self, who: str, game: str) -> None:
        mine = sa.and_(challenges.c.game == game, challenges.c.holder == hashed(who))
        if not await self._store.ask(sa.select(challenges.c.game).where(mine)):
            raise _no_challenge()

    async def _drop(self, game: str) -> None:
        await self._store.change((sa.delete(challenges).where(challenges.c.game == game), None))


def forget(holder: bytes) -> tuple[Any, None]:
    """The statement that forgets to what a holder was challenged."""
    return sa.delete(challenges).where(challenges.c.holder == holder), None


def _waiting(holder: bytes) -> sa.Select[Any]:
    """Challenges that wait for somebody and who laid each table; a second seat there is no longer free."""
    taken = seats.alias("taken")
    second = sa.exists().where(taken.c.game == challenges.c.game, taken.c.seat != seats.c.seat)
    return (
        sa.select(challenges.c.game, seats.c.guest.label("maker"))
        .join(games, games.c.id == challenges.c.game)
        .join(seats, seats.c.game == challenges.c.game)
        .where(challenges.c.holder == holder, games.c.phase == "deploying", ~second)
        .order_by(challenges.c.at_ms, challenges.c.game)
    )


def _no_challenge() -> NotFound:
    return NotFound("no such challenge waits for you", code="no_challenge")
