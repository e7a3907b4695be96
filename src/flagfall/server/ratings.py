"""Ratings as the store keeps them: one step a seat of a rated game, never changed, the latest of a class the rating.

A step is written in the transaction that ends its game, under the number that follows the holder's last one in that
class: a game is counted once, and two games that end at once are counted one after the other.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import sqlalchemy as sa

from flagfall.play.record import Terms
from flagfall.server.roll import accounts
from flagfall.server.scale import Standing, pace_of, played
from flagfall.server.store import Store, Summary, games, seats, tables
from flagfall.wire.people import PaceWord

rating_steps = sa.Table(
    "rating_steps",
    tables,
    sa.Column("game", sa.Text, sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("seat", sa.Text, primary_key=True),
    sa.Column("holder", sa.LargeBinary(32), nullable=False),
    sa.Column("variant", sa.Text, nullable=False),
    sa.Column("pace", sa.Text, nullable=False),
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("rating", sa.Double, nullable=False),
    sa.Column("deviation", sa.Double, nullable=False),
    sa.Column("at_ms", sa.BigInteger, nullable=False),
    sa.UniqueConstraint("holder", "variant", "pace", "number", name="one_step_a_number"),
)
RANKS = {"red": (1, 2), "blue": (2, 1), "draw": (1, 1)}
"""Who comes first, by the result; a void game has none."""
TRIES = 10


async def standings(store: Store, holders: Iterable[bytes], variant: str, pace: PaceWord) -> dict[bytes, Standing]:
    """Where holders stand in one class; who has played no rated game there is left out. Raises StoreFault."""
    query = sa.select(rating_steps).where(
        rating_steps.c.holder.in_(list(holders)),
        rating_steps.c.variant == variant,
        rating_steps.c.pace == pace,
        _latest(),
    )
    return {row["holder"]: standing(row) for row in await store.ask(query)}


async def seated(store: Store, classes: dict[str, tuple[str, PaceWord]]) -> dict[str, dict[str, Standing]]:
    """Where those who sit at games stand, each game's class given, by game and seat. Raises StoreFault."""
    query = sa.select(seats.c.game.label("at"), seats.c.seat.label("side"), *rating_steps.c)
    query = query.join(rating_steps, rating_steps.c.holder == seats.c.guest).where(seats.c.game.in_(classes), _latest())
    found: dict[str, dict[str, Standing]] = {}
    for row in await store.ask(query):
        if classes[row["at"]] == (row["variant"], row["pace"]):
            found.setdefault(row["at"], {})[row["side"]] = standing(row)
    return found


async def moved(store: Store, game: str) -> list[tuple[str, Standing, Standing]]:
    """Seat, where its holder stood before a game and where after it; of a game that counts, once it is over.

    Raises StoreFault.
    """
    before = rating_steps.alias("before")
    same = (before.c[name] == rating_steps.c[name] for name in ("holder", "variant", "pace"))
    query = (
        sa.select(
            rating_steps, before.c.rating.label("was"), before.c.deviation.label("wide"), before.c.at_ms.label("at")
        )
        .outerjoin(before, sa.and_(*same, before.c.number == rating_steps.c.number - 1))
        .where(rating_steps.c.game == game)
        .order_by(rating_steps.c.seat.desc())
    )
    found = []
    for row in await store.ask(query):
        new = standing(row)
        old = Standing() if row["was"] is None else Standing(row["was"], row["wide"], new.games - 1, row["at"])
        found.append((row["seat"], old, new))
    return found


async def ladder(store: Store, holder: bytes) -> list[tuple[str, PaceWord, Standing]]:
    """Every class in which a holder has a rating, the most played first. Raises StoreFault."""
    query = sa.select(rating_steps).where(rating_steps.c.holder == holder, _latest())
    query = query.order_by(rating_steps.c.number.desc(), rating_steps.c.variant, rating_steps.c.pace)
    return [(row["variant"], row["pace"], standing(row)) for row in await store.ask(query)]


def standing(row: sa.RowMapping) -> Standing:
    """Where a step led."""
    return Standing(row["rating"], row["deviation"], row["number"], row["at_ms"])


async def steps(store: Store, summary: Summary, terms: Terms) -> list[dict[str, Any]]:
    """The steps of a game that ends with this summary: none where it does not count. Raises StoreFault.

    It counts where it was rated, was not called off, and two accounts sit there.
    """
    ranks = RANKS.get(summary.result or "")
    if not terms.rated or summary.against != "friend" or ranks is None:
        return []
    query = sa.select(seats).join(accounts, accounts.c.holder == seats.c.guest).where(seats.c.game == summary.id)
    sat = {row["seat"]: row["guest"] for row in await store.ask(query)}
    if len(sat) < 2 or sat["red"] == sat["blue"]:
        return []
    variant, pace = summary.variant, pace_of(terms.control)
    old = await standings(store, sat.values(), variant, pace)
    red, blue = (old.get(sat[seat], Standing()) for seat in ("red", "blue"))
    new = played(red, blue, ranks, summary.updated_ms)
    return [
        row_of(summary.id, seat, sat[seat], variant, pace, one) for seat, one in zip(("red", "blue"), new, strict=True)
    ]


def row_of(game: str, seat: str, holder: bytes, variant: str, pace: str, one: Standing) -> dict[str, Any]:
    """A step as the store has it."""
    return {
        "game": game,
        "seat": seat,
        "holder": holder,
        "variant": variant,
        "pace": pace,
        "number": one.games,
        "rating": one.rating,
        "deviation": one.deviation,
        "at_ms": one.at_ms,
    }


def add(rows: list[dict[str, Any]]) -> tuple[tuple[Any, list[dict[str, Any]]], ...]:
    """The statements that write steps."""
    return ((sa.insert(rating_steps), rows),) if rows else ()


def forsake(holder: bytes, nobody: bytes) -> tuple[Any, None]:
    """The statement that leaves a holder's steps to nobody: those whom he met keep what they won and lost."""
    return sa.update(rating_steps).where(rating_steps.c.holder == holder).values(holder=nobody), None


async def rebuild(store: Store) -> int:
    """Work every rating out anew, from the results of the games that counted, in their order; how many there were.

    Nothing may be played meanwhile. Raises StoreFault.
    """
    order = (rating_steps.c.at_ms, rating_steps.c.game, rating_steps.c.seat.desc())
    query = sa.select(rating_steps, games.c.result).join(games, games.c.id == rating_steps.c.game).order_by(*order)
    kept = await store.ask(query)
    now: dict[tuple[bytes, str, str], Standing] = {}
    rows: list[dict[str, Any]] = []
    for red, blue in zip(kept[::2], kept[1::2], strict=True):
        keys = [(one["holder"], one["variant"], one["pace"]) for one in (red, blue)]
        old = [now.get(key, Standing()) for key in keys]
        new = played(old[0], old[1], RANKS[red["result"]], red["at_ms"])
        for key, line, one in zip(keys, (red, blue), new, strict=True):
            now[key] = one
            rows.append(row_of(line["game"], line["seat"], *key, one))
    await store.change((sa.delete(rating_steps), None), *add(rows))
    return len(rows) // 2


def _latest() -> sa.ColumnElement[bool]:
    later = rating_steps.alias("later")
    same = (later.c[name] == rating_steps.c[name] for name in ("holder", "variant", "pace"))
    return ~sa.exists().where(*same, later.c.number > rating_steps.c.number)
