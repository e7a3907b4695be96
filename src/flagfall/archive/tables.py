"""The library on disk: one SQLite file in a folder of its own, its tables, and how it is opened."""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from flagfall.archive.private import private_file, private_folder
from flagfall.errors import FlagfallError, NotAllowed, NotFound

FILE = "library.sqlite3"
VERSION = 1
"""What `PRAGMA user_version` says of a library of this make."""

# The journal is written ahead, so a process killed at any moment leaves whole files in the library and no part of one.
PRAGMAS = ("journal_mode=WAL", "synchronous=NORMAL", "busy_timeout=10000", "foreign_keys=ON")

tables = sa.MetaData()
files = sa.Table(
    "files",
    tables,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("digest", sa.LargeBinary(32), nullable=False, unique=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("games", sa.Integer, nullable=False),
    sa.Column("again", sa.Integer, nullable=False),
    sa.Column("deployments", sa.Integer, nullable=False),
    sa.Column("passed", sa.Integer, nullable=False),
    sa.Column("refused", sa.Integer, nullable=False),
)
refusals = sa.Table(
    "refusals",
    tables,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("file", sa.Integer, sa.ForeignKey("files.id"), nullable=False, index=True),
    sa.Column("code", sa.Text, nullable=False),
    sa.Column("sentence", sa.Text, nullable=False),
)
armies = sa.Table(
    "armies",
    tables,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("variant", sa.Text, nullable=False),
    sa.Column("board", sa.LargeBinary(8), nullable=False),
    sa.Column("signs", sa.Text, nullable=False),
    sa.Column("listed", sa.Integer, nullable=False, default=0),
    sa.UniqueConstraint("variant", "board", "signs", name="one_row_an_army"),
)
games = sa.Table(
    "games",
    tables,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("mark", sa.LargeBinary(32), nullable=False, unique=True),
    sa.Column("file", sa.Integer, sa.ForeignKey("files.id"), nullable=False, index=True),
    sa.Column("place", sa.Text, nullable=False),
    sa.Column("format", sa.Text, nullable=False),
    sa.Column("variant", sa.Text, nullable=False),
    sa.Column("red", sa.Text, nullable=False),
    sa.Column("blue", sa.Text, nullable=False),
    sa.Column("result", sa.Text, nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("plies", sa.Integer, nullable=False),
    sa.Column("begun_ms", sa.BigInteger, nullable=False),
    sa.Column("red_army", sa.Integer, sa.ForeignKey("armies.id"), index=True),
    sa.Column("blue_army", sa.Integer, sa.ForeignKey("armies.id"), index=True),
    sa.Column("record", sa.LargeBinary, nullable=False),
    sa.Index("games_by_variant", "variant", "plies"),
    sa.Index("games_by_red", "red"),
    sa.Index("games_by_blue", "blue"),
)
deviations = sa.Table(
    "deviations",
    tables,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("game", sa.Integer, sa.ForeignKey("games.id"), nullable=False, index=True),
    sa.Column("code", sa.Text, nullable=False),
    sa.Column("clause", sa.Text, nullable=False),
    sa.Column("sentence", sa.Text, nullable=False),
)


class LibraryFault(FlagfallError):
    """The library could not be read or written; nothing changed."""

    code = "library"


def is_library(folder: Path) -> bool:
    """Whether a path is the folder of a library."""
    return (folder / FILE).is_file()


def opened(folder: Path, *, make: bool) -> sa.Engine:
    """The database of the library in a folder; with `make` a new one where there is none.

    Only a folder that is empty, or new, becomes a library, for it is closed to everybody else. Raises NotFound
    `no_library`, NotAllowed `not_a_library`, `foreign_owner` or `not_a_file`, LibraryFault `library_unusable`.
    """
    if not is_library(folder):
        if not make:
            raise NotFound(f"{folder} is no library; flagfall import makes one", code="no_library")
        strange = folder.exists() and (not folder.is_dir() or any(folder.iterdir()))
        if strange and not is_library(folder):  # another import may have made it a moment ago
            raise NotAllowed(f"{folder} is no library and not empty: name a new folder", code="not_a_library")
    try:
        private_folder(folder)
        engine = sa.create_engine(f"sqlite:///{private_file(folder / FILE)}", hide_parameters=True)
        sa.event.listen(engine, "connect", _pragmas)
        with alone(folder), engine.begin() as connection:
            version = connection.exec_driver_sql("PRAGMA user_version").scalar()
            if version == 0 and not sa.inspect(connection).get_table_names():
                tables.create_all(connection)
                connection.exec_driver_sql(f"PRAGMA user_version={VERSION}")
            elif version != VERSION:
                raise LibraryFault(f"{folder} holds a library of another make", code="library_unusable")
    except OSError as error:
        raise NotAllowed(f"{folder} cannot be used: {error.strerror}", code="not_writable") from None
    except (SQLAlchemyError, sqlite3.Error):
        raise LibraryFault(f"what {folder} holds is no library, or cannot be opened", code="library_unusable") from None
    return engine


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Hold the library in a folder alone, after whoever held it before: writers take turns, however long a turn is.

    A process that is killed lets go. Questions need no turn.
    """
    held = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield
    finally:
        os.close(held)


def _pragmas(connection: sqlite3.Connection, _: object) -> None:
    cursor = connection.cursor()
    for pragma in PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()
