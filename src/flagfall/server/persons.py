"""A player's page: ratings, finished games with people, results by opponent, and openings that he shows.

Of a game others are told no id: by that its record opens, and with it two armies that nobody chose to show.
"""

from __future__ import annotations

from collections import defaultdict

import msgspec
import sqlalchemy as sa

from flagfall.errors import NotFound
from flagfall.server import openings, ratings
from flagfall.server.journal import read_entry, record_of
from flagfall.server.nature import Nature
from flagfall.server.roll import Roll, accounts
from flagfall.server.scale import pace_of, told
from flagfall.server.store import Store, events, games, hashed, seats
from flagfall.wire.people import Person, Played, RatingChange, RatingLine, Score, Tally

MOST_GAMES = 100


class Persons:
    """Everything that may be asked about people. Every call may raise StoreFault."""

    def __init__(self, store: Store, nature: Nature) -> None:
        self._store, self._nature, self._roll = store, nature, Roll(store)

    async def page(self, name: str, asker: str | None) -> Person:
        """A player's page. Raises NotFound `no_person`."""
        account = await self._roll.named(name)
        if account is None:
            raise NotFound("nobody has this name", code="no_person")
        mine, holder = account.who == asker, hashed(account.who)
        now_ms = self._nature.now_ms()
        shown = await openings.shown(self._store, holder)
        return Person(
            name=account.name,
            since_ms=account.created_ms,
            mine=mine,
            ratings=[
                RatingLine(variant, pace, told(one.at(now_ms)), one.games)
                for variant, pace, one in await ratings.ladder(self._store, holder)
            ],
            against=await self._against(holder),
            games=await self._games(holder, mine),
            openings=shown if mine else [msgspec.structs.replace(one, game=None) for one in shown],
        )

    async def show(self, who: str, game: str, public: bool) -> None:
        """Show one's opening of a game, or hide it. Raises as `openings.show`."""
        await openings.show(self._store, who, game, public)

    async def changes(self, game: str) -> list[RatingChange]:
        """How a game moved both ratings, Red's first; nothing where it counts for none, goes on, or is not there."""
        return [
            RatingChange("red" if seat == "red" else "blue", told(old.at(new.at_ms)), told(new))
            for seat, old, new in await ratings.moved(self._store, game)
        ]

    async def _against(self, holder: bytes) -> list[Tally]:
        """Results against each opponent, the most met first."""
        mine, theirs = seats.alias("mine"), seats.alias("theirs")
        query = (
            sa.select(accounts.c.name, mine.c.seat, games.c.result, sa.func.count().label("count"))
            .select_from(_pairs(mine, theirs))
            .where(mine.c.guest == holder, *_counted())
            .group_by(accounts.c.name, mine.c.seat, games.c.result)
        )
        tallies: defaultdict[str | None, dict[Score, int]] = defaultdict(lambda: {"won": 0, "drawn": 0, "lost": 0})
        for row in await self._store.ask(query):
            tallies[row["name"]][_score(row["seat"], row["result"])] += row["count"]
        found = [Tally(name, line["won"], line["drawn"], line["lost"]) for name, line in tallies.items()]
        return sorted(found, key=lambda one: (-(one.won + one.drawn + one.lost), one.opponent or ""))

    async def _games(self, holder: bytes, mine_too: bool) -> list[Played]:
        mine, theirs = seats.alias("mine"), seats.alias("theirs")
        query = (
            sa.select(games.c.id, games.c.variant, games.c.result, games.c.updated_ms, mine.c.seat, accounts.c.name)
            .add_columns(events.c.entry)
            .select_from(_pairs(mine, theirs).join(events, sa.and_(events.c.game == games.c.id, events.c.n == 1)))
            .where(mine.c.guest == holder, *_counted())
            .order_by(games.c.updated_ms.desc(), games.c.id)
            .limit(MOST_GAMES)
        )
        found = []
        for row in await self._store.ask(query):
            terms = record_of([read_entry(row["entry"])]).terms
            found.append(
                Played(
                    game=row["id"] if mine_too else None,
                    seat="red" if row["seat"] == "red" else "blue",
                    variant=row["variant"],
                    pace=pace_of(terms.control),
                    rated=terms.rated,
                    score=_score(row["seat"], row["result"]),
                    opponent=row["name"],
                    over_ms=row["updated_ms"],
                )
            )
        return found


def _pairs(mine: sa.FromClause, theirs: sa.FromClause) -> sa.Join:
    """Games with both their seats, and the account of the other one where there is one."""
    opposite = sa.and_(theirs.c.game == mine.c.game, theirs.c.seat != mine.c.seat)
    joined = games.join(mine, mine.c.game == games.c.id).join(theirs, opposite)
    return joined.outerjoin(accounts, accounts.c.holder == theirs.c.guest)


def _counted() -> tuple[sa.ColumnElement[bool], ...]:
    return games.c.phase == "over", games.c.against == "friend", games.c.result.in_(("red", "blue", "draw"))


def _score(seat: str, result: str) -> Score:
    return "drawn" if result == "draw" else "won" if result == seat else "lost"
