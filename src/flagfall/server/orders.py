"""The operator's orders and bans: written by the command line, read and carried out by every process."""

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
"""kind: `abort` a game. outcome: `done`, or the code of what was in the way."""


class Orders:
    """Carries them out; every process of a store does, each what is its own."""

    def __init__(self, store: Store, lobby: Lobby, bans: Bans, nature: Nature) -> None:
        self._store, self._lobby, self._bans, self._nature = store, lobby, bans, nature

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
        """Take in who is banned now, and carry out what was ordered. Raises StoreFault."""
        await self._ban()
        waiting = sa.and_(orders.c.kind == "abort", orders.c.done_ms.is_(None))
        for order in await self._store.ask(sa.select(orders).where(waiting).order_by(orders.c.id)):
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
        """Read who is banned; whoever was not before is shown out. Read whole: a mark would pass over a late commit."""
        for subject in await self._bans.read():
            sat = await self._store.of_guest(subject, MOST_SEATS)
            self._lobby.rooms.turn_out(subject, [(seat, summary.id) for seat, summary in sat])
