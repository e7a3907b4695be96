"""Several server processes at one address: they are handed one listening socket, and one that dies is replaced."""

from __future__ import annotations

import multiprocessing
import signal
import socket
import time
from collections.abc import Callable
from multiprocessing.connection import wait
from multiprocessing.context import SpawnProcess

import structlog

log = structlog.get_logger()

AGAIN_S = 1.0
"""No process is replaced sooner after it was started: one that cannot start must not fill the log."""
Work = Callable[[int, socket.socket], int]
"""What a process does: its number, the socket that it listens at; its exit status."""


class Crew:
    """So many processes of one work, which a fresh interpreter must be able to import."""

    def __init__(self, size: int, work: Work, listening: socket.socket) -> None:
        self._work, self._listening = work, listening
        self._context = multiprocessing.get_context("spawn")
        self._leaving = False
        self._there: dict[int, tuple[SpawnProcess, float]] = {}
        for number in range(size):
            self._start(number)

    def run(self) -> int:
        """Mind them until a signal asks all to leave, or one refuses to start; the exit status."""
        for ending in (signal.SIGINT, signal.SIGTERM):
            signal.signal(ending, self._leave)
        status = 0
        while self._there:
            wait([process.sentinel for process, _ in self._there.values()], timeout=AGAIN_S)
            for number, (process, begun_s) in list(self._there.items()):
                if process.is_alive():
                    continue
                if self._leaving or (process.exitcode or 0) >= 0:
                    del self._there[number]
                    status = status or process.exitcode or 0
                    if not self._leaving:
                        self._leave()  # what ends by itself was not killed: it cannot serve here
                elif time.monotonic() - begun_s > AGAIN_S:
                    log.warning("process_died", number=number, status=process.exitcode)
                    self._start(number)
        return max(0, status)

    def _start(self, number: int) -> None:
        process = self._context.Process(target=_enlisted, args=(self._work, number, self._listening))
        process.start()
        self._there[number] = process, time.monotonic()

    def _leave(self, *_: object) -> None:
        """Ask all to stop; asked a second time, they do so at once."""
        self._leaving = True
        for process, _begun_s in self._there.values():
            if process.is_alive():
                process.terminate()


def _enlisted(work: Work, number: int, listening: socket.socket) -> None:
    raise SystemExit(work(number, listening))
