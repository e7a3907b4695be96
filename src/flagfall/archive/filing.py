"""Filing what a file holds into the library: the whole file in one transaction, or nothing of it."""

from __future__ import annotations

import hashlib
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache

import sqlalchemy as sa
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.exc import SQLAlchemyError

from flagfall.archive.found import Deviation, Found, Refused
from flagfall.archive.tables import LibraryFault, armies, deviations, files, games, refusals
from flagfall.play.record import CHECKSUM, Record, canonical
from flagfall.rules.deployment import Deployment
from flagfall.rules.variant import Variant

BATCH = 1000
PACKING = 3
"""How hard records are packed: half the time of the usual level for a twentieth more bytes."""


@dataclass(slots=True)
class Tally:
    """What came of one file or of many.

    games, deployments: filed now. again: games that the library had already, from another file. passed: positions,
    which a library does not keep. refused: by code. deviations: by clause of RULES.md.
    """

    games: int = 0
    again: int = 0
    deployments: int = 0
    passed: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    deviations: Counter[str] = field(default_factory=Counter)

    def add(self, other: Tally) -> None:
        """Take another tally in."""
        self.games += other.games
        self.again += other.again
        self.deployments += other.deployments
        self.passed += other.passed
        self.refused.update(other.refused)
        self.deviations.update(other.deviations)


@lru_cache(maxsize=256)
def board_mark(game: Variant) -> bytes:
    """What two games share of which deployments can be laid on one another: eight bytes of a digest of the board."""
    return hashlib.sha256("/".join(game.drawing()).encode()).digest()[:8]


class Filing:
    """One file on its way into the library."""

    def __init__(self, connection: sa.Connection, name: str, digest: bytes) -> None:
        self.tally = Tally()
        self._connection = connection
        self._file = self._start(name, digest)
        self._listed: dict[tuple[str, bytes, str], int] = {}
        self._refused: list[dict[str, object]] = []

    def game(self, record: Record, found: Found, notes: Sequence[Deviation]) -> bool:
        """File a game, unless the library has it; what departs from law or format is kept beside it."""
        form = record.to_json()
        row = {
            "mark": bytes.fromhex(str(form["checksum"]).removeprefix(CHECKSUM)),
            "file": self._file,
            "place": str(found.place),
            "format": found.format,
            "variant": record.terms.variant.name,
            "red": record.terms.sitters[0].name,
            "blue": record.terms.sitters[1].name,
            "result": record.result.word,
            "reason": record.reason.word,
            "plies": record.plies,
            "begun_ms": record.terms.begun_ms,
        }
        known = sa.select(games.c.id).where(games.c.mark == row["mark"])
        if self._connection.execute(known).first() is not None:
            self.tally.again += 1
            return False
        red, blue = (None if army is None else self._army(army) for army in record.deployments)
        row |= {"red_army": red, "blue_army": blue, "record": zlib.compress(canonical(form).encode("ascii"), PACKING)}
        filed = self._connection.execute(sa.insert(games).returning(games.c.id), row).scalar_one()
        told = [
            {"game": filed, "code": note.code, "clause": note.clause, "sentence": str(note)[:500]} for note in notes
        ]
        if told:
            self._connection.execute(sa.insert(deviations), told)
        self.tally.games += 1
        self.tally.deviations.update(note.clause for note in notes)
        return True

    def deployment(self, army: Deployment, count: int) -> None:
        """File a deployment of a list, so often as it occurs there."""
        key = army.variant.name, board_mark(army.variant), army.text()
        self._listed[key] = self._listed.get(key, 0) + count
        self.tally.deployments += 1
        if len(self._listed) >= BATCH:
            self._flush()

    def passing(self) -> None:
        """Count something that no library keeps."""
        self.tally.passed += 1

    def refuse(self, refused: Refused) -> None:
        """Keep why something was not filed."""
        self.tally.refused[refused.code] += 1
        self._refused.append({"file": self._file, "code": refused.code, "sentence": str(refused.error)[:500]})
        if len(self._refused) >= BATCH:
            self._flush()

    def close(self) -> None:
        """Write what is still in hand, and the file's own row."""
        self._flush()
        tally = self.tally
        counts = {
            "games": tally.games,
            "again": tally.again,
            "deployments": tally.deployments,
            "passed": tally.passed,
            "refused": tally.refused.total(),
        }
        self._connection.execute(sa.update(files).where(files.c.id == self._file).values(**counts))

    def _start(self, name: str, digest: bytes) -> int:
        row = {"digest": digest, "name": name, "games": 0, "again": 0, "deployments": 0, "passed": 0, "refused": 0}
        return int(self._connection.execute(sa.insert(files).returning(files.c.id), row).scalar_one())

    def _army(self, army: Deployment) -> int:
        """The id of a deployment, which is filed if it is new."""
        key = {"variant": army.variant.name, "board": board_mark(army.variant), "signs": army.text()}
        same = sa.and_(*(armies.c[name] == value for name, value in key.items()))
        found = self._connection.execute(sa.select(armies.c.id).where(same)).scalar()
        if found is None:
            new = sa.insert(armies).returning(armies.c.id)
            found = self._connection.execute(new, {**key, "listed": 0}).scalar_one()
        return int(found)

    def _flush(self) -> None:
        if self._listed:
            rows = [
                {"variant": variant, "board": board, "signs": signs, "listed": count}
                for (variant, board, signs), count in self._listed.items()
            ]
            new = insert(armies)
            more = {"listed": armies.c.listed + new.excluded.listed}
            self._connection.execute(
                new.on_conflict_do_update(index_elements=["variant", "board", "signs"], set_=more), rows
            )
            self._listed.clear()
        if self._refused:
            self._connection.execute(sa.insert(refusals), self._refused)
            self._refused.clear()


@contextmanager
def filing(engine: sa.Engine, name: str, digest: bytes) -> Iterator[Filing]:
    """File a file: everything at the end of the block, nothing where it is left by an error. Raises LibraryFault."""
    try:
        with engine.begin() as connection:
            work = Filing(connection, name, digest)
            yield work
            work.close()
    except SQLAlchemyError:
        raise LibraryFault("the library cannot be written") from None


def is_filed(engine: sa.Engine, digest: bytes) -> bool:
    """Whether a file of these very bytes was filed before. Raises LibraryFault."""
    try:
        with engine.connect() as connection:
            return connection.execute(sa.select(files.c.id).where(files.c.digest == digest)).first() is not None
    except SQLAlchemyError:
        raise LibraryFault("the library cannot be read") from None
