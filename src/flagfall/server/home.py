"""Where a server keeps its games: a folder that only its owner can open."""

from __future__ import annotations

import fcntl
import os
import stat
from pathlib import Path
from types import TracebackType

import platformdirs

from flagfall.errors import NotAllowed

STORE = "games.sqlite3"
LOCK = "running"


def default_home() -> Path:
    """Return the user's own data folder for Flagfall, or that of FLAGFALL_HOME; nothing is made yet."""
    chosen = os.environ.get("FLAGFALL_HOME")
    return Path(chosen) if chosen else Path(platformdirs.user_data_dir("flagfall", appauthor=False))


def private_folder(folder: Path) -> Path:
    """Make a folder of mode 0700, or close an own one that stands open.

    Raises NotAllowed `foreign_owner` when it belongs to somebody else: who owns a folder can read what lies in it.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    _own(folder)
    if stat.S_IMODE(folder.stat().st_mode) & 0o077:
        folder.chmod(0o700)
    return folder


def private_file(path: Path) -> Path:
    """Make an empty file of mode 0600 in a private folder, or close an own one that stands open.

    Raises NotAllowed `foreign_owner` when it belongs to somebody else, `not_a_file` when it is a link or a folder.
    """
    private_folder(path.parent)
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_NOFOLLOW, 0o600))
    except FileExistsError:
        if not stat.S_ISREG(path.lstat().st_mode):
            raise NotAllowed("the store is not an ordinary file", code="not_a_file", path=str(path)) from None
    _own(path)
    if stat.S_IMODE(path.stat().st_mode) & 0o177:
        path.chmod(0o600)
    return path


def _own(path: Path) -> None:
    if hasattr(os, "geteuid") and path.stat().st_uid != os.geteuid():
        raise NotAllowed("the store belongs to another account", code="foreign_owner", path=str(path))


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
