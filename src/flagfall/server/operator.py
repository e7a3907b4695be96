"""What whoever runs the server may do to a store, beside a server that uses it: list, call off, ban, hand out, read.

Of a game that is not over nothing is told but what both seats know; nothing here reads an army of such a game.
"""

from __future__ import annotations

import asyncio
import getpass
from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from flagfall.errors import NotAllowed, NotFound
from flagfall.rules.events import Reason
from flagfall.server import audit, ratings
from flagfall.server.bans import bans
from flagfall.server.journal import record_of
from flagfall.server.nature import Nature
from flagfall.server.orders import LOOK_EVERY_S, orders
from flagfall.server.reports import reports
from flagfall.server.roll import accounts
from flagfall.server.store import Store, Taken, games, seats

LISTED = ("id", "variant", "against", "level", "phase", "ply", "result", "reason", "started_ms", "updated_ms")
Row = dict[str, Any]


class Operator:
    """Every call raises StoreFault when the database fails."""

    def __init__(self, store: Store, nature: Nature) -> None:
        self._store, self._nature = store, nature
        self._me = f"operator {getpass.getuser()}"

    # --- games -------------------------------------------------------------------------------------------------------

    async def list_games(self, who: str | None, *, over: bool | None, most: int) -> list[Row]:
        """The latest games, of everybody or of one person; over: only such ones. Raises NotFound `no_person`."""
        query = sa.select(*(games.c[name] for name in LISTED)).order_by(games.c.updated_ms.desc(), games.c.id)
        if who is not None:
            subject, _ = await self._subject(who)
            query = query.where(games.c.id.in_(sa.select(seats.c.game).where(seats.c.guest == subject)))
        if over is not None:
            query = query.where((games.c.phase == "over") if over else (games.c.phase != "over"))
        found = [dict(row) for row in await self._store.ask(query.limit(most))]
        sat = await self._sat([row["id"] for row in found])
        return [row | {"red": sat.get((row["id"], "red")), "blue": sat.get((row["id"], "blue"))} for row in found]

    async def _sat(self, ids: Sequence[str]) -> dict[tuple[str, str], str]:
        query = (
            sa.select(seats.c.game, seats.c.seat, seats.c.guest, accounts.c.name)
            .join(accounts, accounts.c.holder == seats.c.guest, isouter=True)
            .where(seats.c.game.in_(ids))
        )
        rows = await self._store.ask(query)
        return {(row["game"], row["seat"]): row["name"] or audit.tag(row["guest"]) for row in rows}

    async def call_off(self, game: str, wait_s: float) -> str | None:
        """Order a game to be called off; what came of it within so long, None if nothing yet.

        Raises NotFound `no_game`, NotAllowed `game_over`.
        """
        summary = await self._store.summary(game)
        if summary is None:
            raise NotFound("there is no such game", code="no_game")
        if summary.phase == "over":
            raise NotAllowed("the game is over", code="game_over")
        at_ms = self._nature.now_ms()
        row = {"kind": "abort", "target": game, "asked_ms": at_ms}
        await self._store.change((sa.insert(orders), [row]), self._line("game_called_off", game))
        mine = sa.and_(orders.c.kind == "abort", orders.c.target == game, orders.c.asked_ms == at_ms)
        waited_s = 0.0
        while True:
            found = await self._store.ask(sa.select(orders.c.outcome).where(mine).order_by(orders.c.id.desc()))
            outcome: str | None = found[0]["outcome"]
            if outcome is not None or waited_s >= wait_s:
                return outcome
            await asyncio.sleep(LOOK_EVERY_S / 4)
            waited_s += LOOK_EVERY_S / 4

    async def record(self, game: str) -> Row:
        """The record of a game that is over. Raises NotFound `no_game`, NotAllowed `not_over`, `aborted`."""
        summary = await self._store.summary(game)
        if summary is None:
            raise NotFound("there is no such game", code="no_game")
        if summary.phase != "over":
            raise NotAllowed("the armies of a game are closed until it is over, to everybody", code="not_over")
        record = record_of([entry for entry, _ in await self._store.log(game)])
        if record.reason is Reason.ABORTED:
            raise NotAllowed("a game that was called off stays closed", code="aborted")
        await self._note("record_exported", game)
        return record.to_json()

    # --- people ------------------------------------------------------------------------------------------------------

    async def ban(self, who: str, reason: str) -> None:
        """Ban an account or a guest. Raises NotFound `no_person`, NotAllowed `banned_already`."""
        subject, name = await self._subject(who)
        row = {"subject": subject, "name": name, "reason": reason, "since_ms": self._nature.now_ms()}
        try:
            await self._store.change((sa.insert(bans), [row]), self._line("banned", who))
        except Taken:
            raise NotAllowed("is banned already", code="banned_already") from None

    async def unban(self, who: str) -> None:
        """Lift a ban, of an account with those of its browsers' guests; who may be as `list_bans` tells it.

        Raises NotFound `no_person`, `not_banned`.
        """
        kept = await self._store.ask(sa.select(bans.c.subject, bans.c.name))
        mine = [row["subject"] for row in kept if not row["name"] and audit.tag(row["subject"]) == who]
        if not mine:
            subject, name = await self._subject(who)
            mine = [row["subject"] for row in kept if row["subject"] == subject or (name and row["name"] == name)]
        if not mine:
            raise NotFound("is not banned", code="not_banned")
        await self._store.change((sa.delete(bans).where(bans.c.subject.in_(mine)), None), self._line("unbanned", who))

    async def list_bans(self) -> list[Row]:
        """Who is banned, since when and why."""
        found = await self._store.ask(sa.select(bans).order_by(bans.c.since_ms))
        return [
            {"who": row["name"] or audit.tag(row["subject"]), "since_ms": row["since_ms"], "reason": row["reason"]}
            for row in found
        ]

    async def _subject(self, who: str) -> tuple[bytes, str]:
        """The hash under which a person holds seats, and an account's name. Raises NotFound `no_person`."""
        game, slash, seat = who.partition("/")
        if slash:
            found = (await self._store.owners(game)).get(seat)
            if found is None:
                raise NotFound("nobody sits there", code="no_person")
            named = await self._store.ask(sa.select(accounts.c.name).where(accounts.c.holder == found))
            return found, named[0]["name"] if named else ""
        rows = await self._store.ask(
            sa.select(accounts.c.name, accounts.c.holder).where(accounts.c.folded == who.casefold())
        )
        if not rows:
            raise NotFound("nobody has this name; a guest is called by GAME/red or GAME/blue", code="no_person")
        return rows[0]["holder"], rows[0]["name"]

    # --- reports and the audit log -----------------------------------------------------------------------------------

    async def list_reports(self, *, closed: bool) -> list[Row]:
        """Reports that wait, or all of them, the oldest first."""
        query = sa.select(reports).order_by(reports.c.id)
        found = await self._store.ask(query if closed else query.where(reports.c.closed_ms.is_(None)))
        names = await self._names({row["reporter"] for row in found} | {row["accused"] for row in found})
        kept = ("id", "game", "seat", "reason", "words", "at_ms", "closed_ms")
        return [
            {name: row[name] for name in kept} | {"by": names[row["reporter"]], "on": names[row["accused"]]}
            for row in found
        ]

    async def _names(self, subjects: set[bytes]) -> dict[bytes, str]:
        query = sa.select(accounts.c.holder, accounts.c.name).where(accounts.c.holder.in_(subjects))
        named = {row["holder"]: row["name"] for row in await self._store.ask(query)}
        return {subject: named.get(subject) or audit.tag(subject) for subject in subjects}

    async def close_report(self, number: int) -> None:
        """Put a report away. Raises NotFound `no_report`."""
        mine = sa.and_(reports.c.id == number, reports.c.closed_ms.is_(None))
        if not await self._store.ask(sa.select(reports.c.id).where(mine)):
            raise NotFound("no such report waits", code="no_report")
        await self._store.change((sa.update(reports).where(mine).values(closed_ms=self._nature.now_ms()), None))
        await self._note("report_closed", str(number))

    async def audited(self, days: float, most: int) -> list[Row]:
        """The audit log of the last days, oldest first."""
        since_ms = self._nature.now_ms() - int(days * 24 * 3600 * 1000)
        return [dict(row) for row in await audit.lines(self._store, since_ms, most)]

    async def rebuild_ratings(self) -> int:
        """Work every rating out anew while no server runs; how many games counted."""
        counted = await ratings.rebuild(self._store)
        await self._note("ratings_rebuilt", str(counted))
        return counted

    # --- inside ------------------------------------------------------------------------------------------------------

    async def _note(self, deed: str, about: str) -> None:
        await self._store.change(self._line(deed, about))

    def _line(self, deed: str, about: str) -> tuple[Any, list[Row]]:
        return audit.line(deed, self._me, about, self._nature.now_ms())
