"""Getting the law ready: everything the server asks of it is asked once, so that it is compiled and loaded.

Run as a program it does so in a process of its own, which fills the compiler's cache, and tells its progress in lines
of JSON. It ends when its input does, so that none outlives the server that began it.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from flagfall.rules.cache import cache_folder

SHARES = (0.18, 0.38, 0.48, 0.6, 0.87, 0.96, 0.97, 0.98, 0.985, 0.995, 1.0)
"""How far the work is after each step, as measured on a cold cache."""


def steps() -> Iterator[None]:
    """Take the steps one by one: every kernel of the law, then the table that stands on it."""
    from flagfall.rules import calls

    for kernel in calls.KERNELS:
        _ = kernel.direct
        yield
    import_module("flagfall.play.referee")
    _mark().touch(mode=0o600)
    yield


def load() -> None:
    """Make the law usable in this process."""
    for _ in steps():
        pass


def _end_with_parent() -> None:
    """End this process when its input ends."""

    def watch() -> None:
        # Not through sys.stdin: its lock, held by a waiting thread, would not let the interpreter end.
        while os.read(0, 1):
            pass
        os._exit(1)

    threading.Thread(target=watch, name="orphan watch", daemon=True).start()


def _mark() -> Path:
    return cache_folder() / "warmed"


def warmed() -> bool:
    """Whether this has been done before for these very sources, so that loading is all that is left."""
    return _mark().is_file()


def main() -> None:
    """Fill the cache and tell how far that is."""
    _end_with_parent()
    for share, _ in zip(SHARES, steps(), strict=True):
        sys.stdout.write(f'{{"done":{share}}}\n')
        sys.stdout.flush()


if __name__ == "__main__":
    main()
