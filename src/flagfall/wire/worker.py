"""One worker of the pool: a process that seats whatever house player a request names, and ends with its parent."""

from __future__ import annotations

import io
import os
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from flagfall.play import roster
from flagfall.wire.bot import converse, private_output, warm
from flagfall.wire.protocol import LONGEST_LINE

STEPS_BACK = 10


def main(players: Sequence[str]) -> int:
    """Get ready to seat `players`, then answer until the input ends."""
    give_way()
    lines = _until_orphaned(sys.stdin.buffer)
    with private_output() as out:
        for name in players:
            # A player that cannot is not given up: whoever asks it for a move hears of the fault then.
            with suppress(Exception):
                warm(name)
        converse(lines, out, roster.answer, "worker")
    return 0


def give_way() -> None:
    """Let everything else on the machine go first: people's moves never wait for a machine's thought.

    Linux may weigh whole sessions against one another, and then a process alone cannot step back.
    """
    with suppress(OSError):
        os.nice(STEPS_BACK)
    with suppress(OSError):
        Path("/proc/self/autogroup").write_text(str(STEPS_BACK), encoding="ascii")


def _until_orphaned(source: BinaryIO) -> BinaryIO:
    """The lines of `source`, copied by a thread that ends the process when they end, even in mid-thought."""
    read_end, write_end = os.pipe()

    def copy() -> None:
        with os.fdopen(write_end, "wb", buffering=0) as sink:
            while text := source.readline(LONGEST_LINE + 1):
                sink.write(text)
        os._exit(0)

    threading.Thread(target=copy, name="orphan watch", daemon=True).start()
    return io.BufferedReader(io.FileIO(read_end))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
