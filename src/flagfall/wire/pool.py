"""A bounded pool of worker processes in which house players think, so that nobody's event loop does."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from time import perf_counter
from types import TracebackType

from flagfall.errors import NotAllowed, PlayerFault
from flagfall.play.player import Reply, Request
from flagfall.wire.child import Child

TIMEOUT_S = 30.0
RESTARTS = 3
START_S = 300.0  # a worker on a cold cache may have to compile law and mind first
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")


class Pool:
    """At most `workers` processes, each answering one request at a time; the others wait in the order they came.

    players: names that every worker gets ready for when it starts. timeout_s: for one answer; a budget of time is added
    to it. waiting: how many may wait. A worker that died while nobody asked it is replaced before it is asked. One that
    dies over a request is replaced and the request given to another, `RESTARTS` times at most and within the time for
    one answer, for not every death is the player's doing: a worker may have been killed. One death more, an answer
    outside the protocol or a timeout is the player's fault. Workers keep nothing between requests and write nothing
    anywhere but their answers.

    Used as `async with Pool(2) as pool: reply = await pool.ask(request)`, or with `start` and `close`.
    """

    def __init__(
        self,
        workers: int = 2,
        *,
        players: Sequence[str] = (),
        timeout_s: float = TIMEOUT_S,
        waiting: int = 1_000,
        loud: bool = False,
    ) -> None:
        if workers < 1:
            raise ValueError("a pool has at least one worker")
        # -P: a module of the folder that the server was started in must not pass for one of ours.
        command = (sys.executable, "-P", "-m", "flagfall.wire.worker", *players)
        self._timeout_s, self._waiting = timeout_s, waiting
        self._slots = [_Slot(command, loud) for _ in range(workers)]
        self._idle: asyncio.Queue[_Slot] = asyncio.Queue()
        for slot in self._slots:
            self._idle.put_nowait(slot)
        self._tasks: set[asyncio.Task[Reply]] = set()
        self._queued = 0
        self._closed = False

    async def start(self, workers: int | None = None) -> None:
        """Start so many workers, or all, and wait until they are ready; what is to be compiled they share among them.

        Raises PlayerFault where a worker cannot start.
        """
        await asyncio.gather(*(slot.child() for slot in self._slots[:workers]))

    async def ask(self, request: Request, timeout_s: float | None = None) -> Reply:
        """The reply to a request. Raises PlayerFault; NotAllowed `busy` where too many wait, `closed` after `close`.

        Whoever stops waiting stops nobody: the worker finishes its thought, which is thrown away.
        """
        if self._closed:
            raise NotAllowed("the machine players have left", code="closed")
        if self._queued >= self._waiting:
            raise NotAllowed("too many wait for a machine player", code="busy")
        budget_s = (request.budget.time_ms or 0) / 1_000
        task = asyncio.create_task(self._served(request, (timeout_s or self._timeout_s) + budget_s))
        self._tasks.add(task)
        task.add_done_callback(self._forget)
        return await asyncio.shield(task)

    async def close(self) -> None:
        """Send everybody home; what is being thought is given up. May be called twice."""
        self._closed = True
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.gather(*(slot.close() for slot in self._slots))

    @property
    def pids(self) -> list[int]:
        """The process numbers of the workers that run."""
        return [slot.pid for slot in self._slots if slot.pid]

    async def _served(self, request: Request, timeout_s: float) -> Reply:
        left_s, restarts = timeout_s, 0
        while True:
            async with self._turn() as slot:
                begun = None
                try:
                    child = await slot.child()
                    begun = perf_counter()
                    return await child.ask(request, timeout_s)
                except PlayerFault as fault:
                    left_s -= 0.0 if begun is None else perf_counter() - begun
                    if fault.stable_code != "crashed" or restarts == RESTARTS or left_s <= 0:
                        raise
            restarts += 1

    @asynccontextmanager
    async def _turn(self) -> AsyncIterator[_Slot]:
        """The place of a worker that has nothing to do, for one request."""
        self._queued += 1
        try:
            slot = await self._idle.get()
        finally:
            self._queued -= 1
        try:
            yield slot
        finally:
            self._idle.put_nowait(slot)

    def _forget(self, task: asyncio.Task[Reply]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # somebody who stopped waiting never asks for it

    async def __aenter__(self) -> Pool:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


class _Slot:
    """A place for one worker, which is started when it is needed and was not there."""

    def __init__(self, command: Sequence[str], loud: bool) -> None:
        self._command, self._loud = command, loud
        self._child: Child | None = None
        self._starting = asyncio.Lock()

    @property
    def pid(self) -> int:
        return self._child.pid if self._child is not None and self._child.alive else 0

    async def child(self) -> Child:
        # Whoever asks while the worker is being started waits for that one instead of starting a second.
        async with self._starting:
            if self._child is not None and not self._child.alive:
                await self._child.kill()
                self._child = None
            if self._child is None:
                env = {**os.environ, **ONE_THREAD}
                self._child = await Child.start(self._command, timeout_s=START_S, env=env, loud=self._loud)
            return self._child

    async def close(self) -> None:
        if self._child is not None:
            await self._child.close()
