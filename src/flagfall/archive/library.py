"""The library: games and deployments on disk, and the questions that may be asked of them."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from flagfall.archive.filing import board_mark
from flagfall.archive.likeness import WHOLE, distance_from
from flagfall.archive.tables import LibraryFault, armies, deviations, files, games, opened, refusals
from flagfall.errors import NotFound
from flagfall.play.reading import read_record
from flagfall.play.record import Record
from flagfall.rules.deployment import Deployment

LIKE_CAP = 1000
"""The most deployments that a question by likeness finds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Which games are wanted: all that every given thing is true of.

    player: the name of either side. result: `red`, `blue`, `draw`, or `going` for a game without an end. opening: a
    deployment that either side had, as it stands or mirrored. within: how far from it a deployment may be, in squares
    as `likeness` counts them.
    """

    variant: str | None = None
    player: str | None = None
    result: str | None = None
    reason: str | None = None
    opening: Deployment | None = None
    within: float = 0
    least_plies: int | None = None
    most_plies: int | None = None


@dataclass(frozen=True, slots=True)
class Game:
    """A game in one line; `id` asks for its record."""

    id: int
    variant: str
    red: str
    blue: str
    result: str
    reason: str
    plies: int
    begun_ms: int
    format: str
    place: str


@dataclass(frozen=True, slots=True)
class Army:
    """A deployment in one line: its signs, how often lists have it, how many games began with it.

    distance: in squares, from the one asked for; mirrored: whether it is the nearer with left and right exchanged.
    """

    id: int
    variant: str
    signs: str
    listed: int
    played: int
    distance: float = 0
    mirrored: bool = False


_GAME = tuple(games.c[name] for name in Game.__slots__)


class Library:
    """An open library. Every question raises LibraryFault where the database fails."""

    def __init__(self, engine: sa.Engine, folder: Path) -> None:
        self.engine = engine
        self.folder = folder

    @classmethod
    def open(cls, folder: Path, *, make: bool = False) -> Library:
        """Open the library in a folder. Raises as `tables.opened`."""
        return cls(opened(folder, make=make), folder)

    def __enter__(self) -> Library:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.engine.dispose()

    def games(self, question: Question, limit: int | None = None) -> list[Game]:
        """The games that answer a question, in the order in which they were filed."""
        query = sa.select(*_GAME).where(*self._conditions(question)).order_by(games.c.id).limit(limit)
        return [Game(**row) for row in self._ask(query)]

    def count(self, question: Question) -> int:
        """How many games answer a question."""
        query = sa.select(sa.func.count().label("n")).select_from(games).where(*self._conditions(question))
        return int(self._ask(query)[0]["n"])

    def records(self, question: Question) -> Iterator[Record]:
        """The records of the games that answer a question, in the order in which they were filed."""
        for game in self.games(question):
            yield self.record(game.id)

    def record(self, game: int) -> Record:
        """The record of a game. Raises NotFound `no_such_game`."""
        found = self._ask(sa.select(games.c.record).where(games.c.id == game))
        if not found:
            raise NotFound("the library has no game of this number", code="no_such_game")
        return read_record(zlib.decompress(found[0]["record"]))

    def notes(self, game: int) -> list[str]:
        """What departs from law or format in a game, in sentences."""
        query = sa.select(deviations.c.sentence).where(deviations.c.game == game).order_by(deviations.c.id)
        return [row["sentence"] for row in self._ask(query)]

    def deployments(self, variant: str | None = None, limit: int | None = None) -> list[Army]:
        """Deployments, those that occur most often first."""
        played = _played().label("played")
        query = sa.select(armies.c.id, armies.c.variant, armies.c.signs, armies.c.listed, played)
        if variant is not None:
            query = query.where(armies.c.variant == variant)
        query = query.order_by((armies.c.listed + played).desc(), armies.c.id).limit(limit)
        return [Army(**row) for row in self._ask(query)]

    def like(self, army: Deployment, limit: int) -> list[Army]:
        """The deployments of the same game nearest to one, the nearest first (`likeness`); at most LIKE_CAP."""
        near = self._measured(army)
        near.sort(key=lambda item: (item[0], item[2]))
        kept = near[: min(limit, LIKE_CAP)]
        query = sa.select(armies.c.id, armies.c.variant, armies.c.signs, armies.c.listed, _played().label("played"))
        rows = {row["id"]: row for row in self._ask(query.where(armies.c.id.in_([at for _, _, at in kept])))}
        return [Army(**rows[at], distance=far / WHOLE, mirrored=mirrored) for far, mirrored, at in kept]

    def refusals(self, limit: int | None = None) -> list[tuple[str, str, str]]:
        """File, code and sentence of everything that was refused, in order."""
        query = sa.select(files.c.name, refusals.c.code, refusals.c.sentence).join(files, files.c.id == refusals.c.file)
        found = self._ask(query.order_by(refusals.c.id).limit(limit))
        return [(row["name"], row["code"], row["sentence"]) for row in found]

    def sums(self) -> dict[str, int]:
        """How much the library holds: files, games, deployments, refusals."""
        counted = {"files": files, "games": games, "deployments": armies, "refusals": refusals}
        return {
            name: int(self._ask(sa.select(sa.func.count().label("n")).select_from(table))[0]["n"])
            for name, table in counted.items()
        }

    def _conditions(self, question: Question) -> list[sa.ColumnElement[bool]]:
        found: list[sa.ColumnElement[bool]] = []
        for name in ("variant", "result", "reason"):
            wanted = getattr(question, name)
            if wanted is not None:
                found.append(games.c[name] == wanted)
        if question.player is not None:
            found.append(sa.or_(games.c.red == question.player, games.c.blue == question.player))
        if question.least_plies is not None:
            found.append(games.c.plies >= question.least_plies)
        if question.most_plies is not None:
            found.append(games.c.plies <= question.most_plies)
        if question.opening is not None:
            most = question.within * WHOLE
            near = [at for far, _, at in self._measured(question.opening) if far <= most]
            found.append(sa.or_(_among(games.c.red_army, near), _among(games.c.blue_army, near)))
        return found

    def _measured(self, army: Deployment) -> list[tuple[int, bool, int]]:
        """Distance, whether mirrored, and id of every deployment of the same game."""
        measure = distance_from(army)
        query = sa.select(armies.c.id, armies.c.signs).where(
            armies.c.variant == army.variant.name, armies.c.board == board_mark(army.variant)
        )
        return [(*measure(row["signs"]), row["id"]) for row in self._ask(query)]

    def _ask(self, query: Any) -> Sequence[sa.RowMapping]:
        try:
            with self.engine.connect() as connection:
                return connection.execute(query).mappings().all()
        except SQLAlchemyError:
            raise LibraryFault("the library cannot be read") from None


def _played() -> sa.ScalarSelect[Any]:
    """How many games a deployment stands at the beginning of, either side's."""
    here = sa.or_(games.c.red_army == armies.c.id, games.c.blue_army == armies.c.id)
    return sa.select(sa.func.count(games.c.id)).where(here).scalar_subquery()


def _among(column: sa.Column[Any], ids: list[int]) -> sa.ColumnElement[bool]:
    """Whether a column is one of many ids, given as one JSON text: a statement may name only so many values."""
    listed = sa.func.json_each(str(ids)).table_valued("value")
    return column.in_(sa.select(listed.c.value))
