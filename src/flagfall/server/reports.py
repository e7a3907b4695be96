"""Reports: what one player holds against the other, kept for whoever runs the server; one for each seat of a game."""

from __future__ import annotations

import sqlalchemy as sa

from flagfall.errors import BadMessage, NotAllowed
from flagfall.rules.board import Seat
from flagfall.server import audit
from flagfall.server.nature import Nature
from flagfall.server.rates import Buckets, Rate
from flagfall.server.store import Store, Taken, hashed, tables
from flagfall.server.talk import cleaned
from flagfall.wire.people import Report

PACE = Rate(per_second=1 / 600, burst=5)
"""How often one person may report: five at once, then one in ten minutes."""

reports = sa.Table(
    "reports",
    tables,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("game", sa.Text, sa.ForeignKey("games.id", ondelete="CASCADE"), nullable=False),
    sa.Column("seat", sa.Text, nullable=False),
    sa.Column("reporter", sa.LargeBinary(32), nullable=False),
    sa.Column("accused", sa.LargeBinary(32), nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("words", sa.Text, nullable=False),
    sa.Column("at_ms", sa.BigInteger, nullable=False),
    sa.Column("closed_ms", sa.BigInteger),
    sa.UniqueConstraint("game", "seat", name="one_report_a_seat"),
)
"""seat: the reporter's. reporter, accused: the hashes under which both sat there then."""


class Reports:
    """What people hold against each other."""

    def __init__(self, store: Store, nature: Nature) -> None:
        self._store, self._nature = store, nature
        self._pace = Buckets(PACE, nature.ticks_ms)

    async def file(self, guest: str, game: str, seat: Seat, report: Report) -> None:
        """Keep a report on whoever sits opposite; a second one of the same seat changes nothing.

        Raises NotAllowed `nobody_to_report`, `too_fast`, BadMessage `no_words`, StoreFault.
        """
        sat = await self._store.owners(game)
        mine, other = sat.get(seat.word), sat.get(seat.other.word)
        if mine is None or other is None or mine == other:
            raise NotAllowed("nobody else sits at this table", code="nobody_to_report")
        words = cleaned(report.words) if report.words.strip() else ""
        if report.reason == "other" and not words:
            raise BadMessage("say what it is", code="no_words")
        if not self._pace.take(guest):
            raise NotAllowed("too many tries; wait a while", code="too_fast")
        at_ms = self._nature.now_ms()
        row = {
            "game": game,
            "seat": seat.word,
            "reporter": hashed(guest),
            "accused": other,
            "reason": report.reason,
            "words": words,
            "at_ms": at_ms,
        }
        try:
            await self._store.change(
                (sa.insert(reports), [row]), audit.line("reported", audit.tag(mine), f"{game} {report.reason}", at_ms)
            )
        except Taken:
            return
