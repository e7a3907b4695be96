"""Where a server keeps its games: a folder that only its owner can open."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from types import TracebackType

import platformdirs

from flagfall.archive.private import private_file, private_folder

STORE = "games.sqlite3"
LOCK = "running"

__all__ = ["LOCK", "STORE", "Lock", "default_home", "private_file", "private_folder"]


def default_home() -> Path:
    """Return the user's own data folder for Flagfall, or that of FLAGFALL_HOME; nothing is made yet."""
    chosen = os.environ.get("FLAGFALL_HOME")
    return Path(chosen) if chosen else Path(platformdirs.user_data_dir("flagfall", appauthor=False))


class Lock:
    """The one server that may use a folder, for as long as its process lives, and where it is for those who come later.

    taken: whether this process holds it. told: what the holder said of itself.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._file = private_file(folder / LOCK).open("r+", encoding="utf-8")
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self.taken = False
        else:
            self.taken = True
            self._file.truncate(0)
        self.told = self._file.read(200).strip()

    def tell(self, words: str) -> None:
        """Leave word of where the holder is."""
        self._file.seek(0)
        self._file.write(words)
        self._file.flush()

    def __enter__(self) -> Lock:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()
