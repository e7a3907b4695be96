"""Where compiled code is kept: a folder of the user's cache, keyed by a digest of every source that can end up in it.

The key is ours because the compiler's own stamp does not notice an edit in another file. Only the user may enter the
folder: what lies in it is executed. Nothing here loads the compiler, so a server can ask before it does.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from flagfall.errors import NotAllowed

NAME = b"flagfall.rules.compiled"
OURS = frozenset({"compiled.py", "kernels.py", "objects.py", "cache.py"})
_IMPORT = re.compile(rb"^from flagfall\.(\w+)\.(\w+) import", re.MULTILINE)


def _compiler() -> str:
    """The compiler's name and version by its folder's name, for asking it or the installer's records takes long."""
    found = find_spec("numba")
    if found is None or found.origin is None:
        return ""
    return " ".join(sorted(path.name for path in Path(found.origin).parents[1].glob("numba-*.dist-info")))


@cache
def sources_digest() -> str:
    """SHA-256 over every source that compiled code is made of, with the versions of the compiler and of Python."""
    return digest_of(Path(__file__).resolve().parents[1])


def digest_of(package: Path) -> str:
    """The same for the package in a folder.

    Compiled functions stand in sources that name this module, and take constants from what these import, or that does.
    """
    texts = {path: path.read_bytes() for path in package.glob("*/*.py")}
    found: set[Path] = set()
    wanted = [path for path, text in texts.items() if NAME in text or path.name in OURS]
    while wanted:
        path = wanted.pop()
        if path in texts and path not in found:
            found.add(path)
            wanted += [package / room.decode() / f"{name.decode()}.py" for room, name in _IMPORT.findall(texts[path])]
    total = hashlib.sha256(f"{_compiler()} {sys.version_info[:3]}".encode())
    for path in sorted(found):
        total.update(path.relative_to(package).as_posix().encode() + b"\0" + texts[path] + b"\0")
    return total.hexdigest()


def cache_folder() -> Path:
    """The folder for this state of the sources, made with mode 0700. Raises NotAllowed if another user owns it."""
    chosen = os.environ.get("FLAGFALL_CACHE")
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    top = Path(chosen) if chosen else Path(home) / "flagfall"
    folder = top / f"compiled-{sources_digest()[:16]}"
    for place in (top, folder):
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        told = place.stat()
        if hasattr(os, "getuid") and told.st_uid != os.getuid():
            raise NotAllowed("the cache of compiled code belongs to another user", code="foreign_cache")
        if stat.S_IMODE(told.st_mode) & 0o077:
            place.chmod(0o700)
    return folder
