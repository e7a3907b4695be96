"""A room's mailbox: jobs done one at a time by one task, whoever brings them, and tasks that end with the room."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

import structlog

from flagfall.errors import FlagfallError, NotAllowed
from flagfall.server.host import Job
from flagfall.server.problems import internal

log = structlog.get_logger()

Seen = TypeVar("Seen")


class Mailbox:
    """Jobs of one game in the order in which they came.

    name: the game's, for log lines. after: called when a job has ended, well or not.
    """

    def __init__(self, name: str, after: Callable[[], None]) -> None:
        self._name, self._after = name, after
        self._jobs: asyncio.Queue[tuple[Job, asyncio.Future[None]]] = asyncio.Queue()
        self._tasks: set[asyncio.Task[None]] = set()
        self._working = self._closed = False

    @property
    def busy(self) -> bool:
        """Whether a job is being done or waits."""
        return self._working or not self._jobs.empty()

    @property
    def closed(self) -> bool:
        """Whether no job is taken any more."""
        return self._closed

    def start(self) -> None:
        """Begin to work."""
        self.spawn(self._work())

    async def close(self) -> None:
        """End every task and wait for it."""
        tasks = tuple(self._tasks)
        self.close_soon()
        await asyncio.gather(*tasks, return_exceptions=True)

    def close_soon(self) -> None:
        """End every task without waiting for it; who waits for a job hears `closed`."""
        self._closed = True
        for task in tuple(self._tasks):
            task.cancel()
        while not self._jobs.empty():
            _settle(self._jobs.get_nowait()[1], _closed())

    async def do(self, job: Job) -> None:
        """Do a job in its turn. Raises what it raises, NotAllowed `closed`."""
        if self._closed:
            raise _closed()
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._jobs.put_nowait((job, done))
        await done

    async def look(self, look: Callable[[], Seen]) -> Seen:
        """Look at something in its turn, when nothing is half done. Raises as `do`."""
        if not (self.busy or self._closed):
            return self._now(look)
        found: list[Seen] = []

        async def job() -> None:
            found.append(look())

        await self.do(job)
        return found[0]

    def _now(self, look: Callable[[], Seen]) -> Seen:
        """Look at once: nothing is being done, so all that is done is written."""
        try:
            return look()
        except Exception as raised:
            raise (raised if isinstance(raised, FlagfallError) else self._failed(raised)) from None

    def _failed(self, raised: Exception) -> FlagfallError:
        log.error("room_failed", game=self._name, kind=type(raised).__name__)
        return internal()

    def post(self, job: Job) -> None:
        """Have a job done for which nobody waits."""
        self._jobs.put_nowait((job, asyncio.get_running_loop().create_future()))

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Start a task that ends with the room."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _work(self) -> None:
        while True:
            job, done = await self._jobs.get()
            error: FlagfallError | None = _closed()  # unless the job comes to an end
            self._working = True
            try:
                await job()
                error = None
            except FlagfallError as raised:
                error = raised
            except Exception as raised:
                error = self._failed(raised)
            finally:
                self._working = False
                _settle(done, error)
            self._after()


def _closed() -> NotAllowed:
    """What is said of a deed that the room did not get to."""
    return NotAllowed("this table was put away; ask again", code="closed")


def _settle(done: asyncio.Future[None], error: FlagfallError | None) -> None:
    """Tell whoever waits for a job how it went."""
    if not done.done() and error is None:
        done.set_result(None)
    elif not done.done() and error is not None:
        done.set_exception(error)
        done.exception()  # nobody waits for the house's own jobs
