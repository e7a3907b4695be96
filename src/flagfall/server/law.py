"""How far the compiled law is: compiled in a process of its own, then loaded in a thread, while the page is up."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import Callable, Sequence

import msgspec
import structlog

from flagfall.errors import NotAllowed
from flagfall.wire.messages import LawFrame, LawWord

log = structlog.get_logger()

WARMING = (sys.executable, "-m", "flagfall.server.warming")
LOADING_SHARE = 0.1
"""How much of the progress line is the loading that comes after the compiling."""


class _Told(msgspec.Struct):
    """One line of the warming process."""

    done: float


class LawKeeper:
    """Whether the law can be used in this process, and how far it is until then.

    load: makes the law usable, run once in a thread. warming: the command that compiles it beforehand, telling its
    progress in lines of JSON; empty where that is not wanted.
    """

    def __init__(self, load: Callable[[], None], warming: Sequence[str] = WARMING) -> None:
        self._load, self._warming = load, tuple(warming)
        self._state: LawWord = "cold"
        self._done = 0.0
        self._begun, self._ready = asyncio.Event(), asyncio.Event()
        self._watchers: set[Callable[[], None]] = set()
        self._task: asyncio.Task[None] | None = None

    @property
    def frame(self) -> LawFrame:
        """The state of the law as a message."""
        return LawFrame(self._state, round(self._done, 3))

    @property
    def usable(self) -> bool:
        """Whether the law is there."""
        return self._state == "ready"

    def start(self) -> None:
        """Begin; what is there already is not done again."""
        self._begun.set()
        if self._task is None:
            self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """Give up, and leave no process behind."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    async def begun(self) -> None:
        """Wait until somebody has begun."""
        await self._begun.wait()

    async def ready(self, patience_s: float | None = None) -> None:
        """Wait until the law is there. Raises NotAllowed `law_not_ready` when patience ends first."""
        try:
            async with asyncio.timeout(patience_s):
                await self._ready.wait()
        except TimeoutError:
            raise NotAllowed("the rules are still being got ready", code="law_not_ready", done=self._done) from None

    def watch(self, wake: Callable[[], None]) -> Callable[[], None]:
        """Call `wake` at every step; the answer ends that."""
        self._watchers.add(wake)
        return lambda: self._watchers.discard(wake)

    async def _run(self) -> None:
        self._tell("warming", 0.0)
        try:
            if self._warming:
                await self._compile()
            await asyncio.to_thread(self._load)
        except Exception as error:
            # Without the law no game can go on, but pages, deployments and lists of games still work.
            log.error("law_failed", kind=type(error).__name__)
            self._tell("cold", 0.0)
            return
        self._tell("ready", 1.0)
        self._ready.set()

    async def _compile(self) -> None:
        process = await asyncio.create_subprocess_exec(
            *self._warming, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
        )
        try:
            while process.stdout is not None and (line := await process.stdout.readline()):
                with contextlib.suppress(msgspec.DecodeError):
                    told = msgspec.json.decode(line, type=_Told)
                    self._tell("warming", (1 - LOADING_SHARE) * min(1.0, max(self._done, told.done)))
            if await process.wait() != 0:
                log.warning("law_warming_failed", status=process.returncode)
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()

    def _tell(self, state: LawWord, done: float) -> None:
        self._state, self._done = state, done
        for wake in tuple(self._watchers):
            wake()
