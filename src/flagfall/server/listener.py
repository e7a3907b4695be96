"""Uvicorn set up our way: how it listens, what it says of itself, and how it is asked to stop."""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import signal
import socket
from collections.abc import Callable, Iterator

import structlog
import uvicorn

from flagfall.server.health import Health
from flagfall.server.prompt import Prompt
from flagfall.server.security import App

log = structlog.get_logger()

LONGEST_FRAME = 4_096
MOST_CONNECTIONS = 12_000
KEEP_SECONDS = 10
"""How long a line may lie idle between two questions."""


class Listener(uvicorn.Server):
    """Uvicorn set up our way: it says when it is up, and signals (if it is to hear them) only ask it to stop.

    What was started besides can so be ended in order, and no log line holds a request's words. health: told at once
    that the server is leaving; drain_s: how long it goes on nevertheless. Sockets are closed with 1012: come again.
    """

    def __init__(
        self,
        app: App,
        up: Callable[[], None],
        *,
        signals: bool = True,
        health: Health | None = None,
        drain_s: float = 0,
    ) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                lifespan="off",
                ws="websockets-sansio",
                ws_max_size=LONGEST_FRAME,
                ws_per_message_deflate=False,
                http=Prompt,
                timeout_keep_alive=KEEP_SECONDS,
                log_config=None,
                access_log=False,
                server_header=False,
                date_header=False,
                proxy_headers=False,
                limit_concurrency=MOST_CONNECTIONS,
                timeout_graceful_shutdown=2,
            )
        )
        self._up, self._signals = up, signals
        self._health, self._drain_s = health, drain_s
        self._leaving = False

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen, and say so."""
        await super().startup(sockets)
        self._up()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Take the first signal as a wish and the second as an order; none is raised again at the end.

        A terminal's Ctrl-C goes to every process; one of several leaves it to the process that minds them.
        """
        loop = asyncio.get_running_loop()
        if self._signals:
            loop.add_signal_handler(signal.SIGTERM, self._asked_to_stop)
            loop.add_signal_handler(
                signal.SIGINT, _unheard if multiprocessing.parent_process() else self._asked_to_stop
            )
        yield

    @contextlib.contextmanager
    def ending_with_parent(self) -> Iterator[None]:
        """Be asked to stop when the process that minds this one and its fellows ends, where there is one."""
        parent = multiprocessing.parent_process()
        loop = asyncio.get_running_loop()
        if parent is not None:
            loop.add_reader(parent.sentinel, self._left_behind, parent.sentinel)
        try:
            yield
        finally:
            if parent is not None:
                loop.remove_reader(parent.sentinel)

    def _left_behind(self, sentinel: int) -> None:
        asyncio.get_running_loop().remove_reader(sentinel)
        self._asked_to_stop()

    def _asked_to_stop(self) -> None:
        self.force_exit = self.should_exit
        if self._health is not None:
            self._health.leaving = True
        if self._leaving or not self._drain_s:
            self.should_exit = True
        else:
            log.info("draining", seconds=self._drain_s)
            asyncio.get_running_loop().call_later(self._drain_s, self._go)
        self._leaving = True

    def _go(self) -> None:
        self.should_exit = True


def _unheard() -> None:
    """Do nothing."""
