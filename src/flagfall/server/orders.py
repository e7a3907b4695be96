"""The operator's orders: written by the command line, read every other second, carried out by who keeps the game."""

from __future__ import annotations

import asyncio
import contextlib

import sqlalchemy as sa
import structlog

from flagfall.errors import FlagfallError
from flagfall.rules.events import Result
from flagfall.server.audit import Audit
from flagfall.server.bans import Bans
from flagfall.server.leases import off_road
from flagfall.server.lobby import Lobby
from flagfall.server.nature import Nature
from flagfall.server.store import Store, tables

log = structlog.get_logger()

LOOK_EVERY_S = 2.0
MOST_SEATS = 1_000
NOT_HERE = ("elsewhere", "closed", "law_not_ready")
"""Why an order is left for later, or for another process."""

orders = sa.Table(
    "orders",
    tables,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("target", sa.Text, nullable=False),
    sa.Column("asked_ms", sa.BigInteger, nullable=False),
    sa.Column("done_ms", sa.BigInteger),
    sa.Column("outcome", sa.Text),
)
"""kind: `abort` a game, or read the `bans` anew. outcome: `done`, or the code of what was in the way."""


class Orders:
    """Carries them out; every process of a store does, each what is its own."""

    def __init__(self, store: Store, lobby: Lobby, bans: Bans, nature: Nature) -> None:
        self._store, self._lobby, self._bans, self._nature = store, lobby, bans, nature
        self._seen = 0

    async def run(self) -> None:
        """Look for orders until cancelled. A database that does not answer is asked again."""
        with contextlib.suppress(FlagfallError):
            await Audit(self._store, self._nature).forget()
        while True:
            try:
                await self.obey()
            except FlagfallError as error:
                log.warning("orders_unread", code=error.stable_code)
            await asyncio.sleep(LOOK_EVERY_S)

    async def obey(self) -> None:
        """Carry out what was ordered since. Raises StoreFault."""
        newer = sa.and_(orders.c.kind == "bans", orders.c.id > self._seen)
        waiting = sa.and_(orders.c.kind == "abort", orders.c.done_ms.is_(None))
        found = await self._store.ask(sa.select(orders).where(sa.or_(newer, waiting)).order_by(orders.c.id))
        if any(order["kind"] == "bans" for order in found):
            await self._ban()
        for order in found:
            outcome: str | None = "done"
            if order["kind"] == "bans":
                self._seen = order["id"]
            else:
                outcome = await self._abort(order["target"])
            if outcome is not None:
                await self._done(order["id"], outcome)

    async def _done(self, order: int, outcome: str) -> None:
        statement = sa.update(orders).where(orders.c.id == order, orders.c.done_ms.is_(None))
        await self._store.change((statement.values(done_ms=self._nature.now_ms(), outcome=outcome), None))

    async def _abort(self, game: str) -> str | None:
        """Call a game off; None where it has to wait, or is another process's."""
        try:
            with off_road():
                room = await self._lobby.rooms.find(game)
            with room.held():
                if room.ledger.end[0] is not Result.GOING:
                    return "game_over"
                await room.opened()
                await room.annul()
        except FlagfallError as error:
            return None if error.stable_code in NOT_HERE else error.stable_code
        log.info("game_annulled", game=game)
        return "done"

    async def _ban(self) -> None:
        """Take in who is banned; whoever is that now is shown out."""
        for subject in await self._bans.read():
            sat = await self._store.of_guest(subject, MOST_SEATS)
            self._lobby.rooms.turn_out(subject, [(seat, summary.id) for seat, summary in sat])
