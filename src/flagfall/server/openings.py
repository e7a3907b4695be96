"""Openings that somebody shows on his page: armies of his own from games that are over; none unless he chose it."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from flagfall.errors import NotAllowed
from flagfall.rules.board import Seat
from flagfall.server.journal import record_of
from flagfall.server.lobby import word_of
from flagfall.server.rooms import no_game
from flagfall.server.store import Store, games, hashed, seats, tables
from flagfall.wire.people import Opening

openings = sa.Table(
    "openings",
    tables,
    sa.Column("game", sa.Text, sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("seat", sa.Text, primary_key=True),
    sa.Column("holder", sa.LargeBinary(32), nullable=False, index=True),
)
MOST = 50


async def show(store: Store, who: str, game: str, on: bool) -> None:
    """Show one's army of a game that is over, or hide it again; twice is once.

    Raises NotFound `no_game`, NotAllowed `not_over`, `aborted`, `too_many_openings`, StoreFault.
    """
    summary, sat = await store.summary(game), await store.seats(game, hashed(who))
    if summary is None or len(sat) != 1:
        raise no_game()
    if summary.phase != "over":
        raise NotAllowed("this is open when the game is over", code="not_over")
    if summary.result == "void":
        raise NotAllowed("a game that was called off stays closed", code="aborted")
    if on and await _count(store, hashed(who)) >= MOST:
        raise NotAllowed("you show many openings already: hide one first", code="too_many_openings", limit=MOST)
    row = {"game": game, "seat": sat[0], "holder": hashed(who)}
    mine = sa.and_(openings.c.game == game, openings.c.seat == sat[0])
    await store.change((sa.delete(openings).where(mine), None), *([(sa.insert(openings), [row])] if on else []))


async def shown(store: Store, holder: bytes) -> list[Opening]:
    """The openings that somebody shows, the latest first. Raises StoreFault."""
    query = (
        sa.select(openings.c.game, openings.c.seat)
        .join(games, games.c.id == openings.c.game)
        # Who gave his seat away with his account, or whose game is not over, shows nothing.
        .join(seats, sa.and_(seats.c.game == openings.c.game, seats.c.seat == openings.c.seat))
        .where(openings.c.holder == holder, seats.c.guest == holder, games.c.phase == "over", games.c.result != "void")
        .order_by(games.c.updated_ms.desc(), games.c.id)
        .limit(MOST)
    )
    found = []
    for row in await store.ask(query):
        record, seat = record_of([entry for entry, _ in await store.log(row["game"])]), Seat.of(row["seat"])
        army = record.deployments[seat]
        if army is not None:
            found.append(Opening(row["game"], record.terms.variant.name, word_of(seat), army.text()))
    return found


async def _count(store: Store, holder: bytes) -> int:
    query = sa.select(sa.func.count().label("count")).where(openings.c.holder == holder)
    return int((await store.ask(query))[0]["count"])


def forget(holder: bytes) -> tuple[Any, None]:
    """The statement that hides everything that a holder shows."""
    return sa.delete(openings).where(openings.c.holder == holder), None
