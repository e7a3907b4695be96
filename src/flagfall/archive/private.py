"""Folders and files that only their owner can open: what lies in them may hold armies."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from flagfall.errors import NotAllowed


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
