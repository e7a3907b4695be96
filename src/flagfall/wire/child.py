"""A program at the far end of a pipe that answers one line with one line."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Mapping, Sequence

from flagfall.errors import PlayerFault
from flagfall.play.player import Reply, Request
from flagfall.wire.protocol import LONGEST_REPLY, VERSION, Answer, Hello, ask_of, line, read_answer, reply_of

GRACE_S = 2.0


class Child:
    """One running program. Its errors go nowhere unless `loud`: they could name what a seat may not know.

    Every fault is a PlayerFault: `no_program`, `crashed`, `timeout`, `bad_answer`. After any of them it is dead.
    """

    def __init__(self, process: Process) -> None:
        self._process = process
        self._asked = 0
        self.name = ""

    @classmethod
    async def start(
        cls, command: Sequence[str], *, timeout_s: float, env: Mapping[str, str] | None = None, loud: bool = False
    ) -> Child:
        """Start a program and wait until it has said hello."""
        try:
            process = await asyncio.create_subprocess_exec(
                *command,
                stdin=PIPE,
                stdout=PIPE,
                stderr=None if loud else DEVNULL,
                env=env,
                limit=2 * LONGEST_REPLY,
                # A group of its own: what it starts ends with it, and an interrupt at the keyboard is ours to handle.
                start_new_session=True,
            )
        except (OSError, ValueError):
            raise PlayerFault("a player's program cannot be started", code="no_program") from None
        child = cls(process)
        try:
            hello = await child._exchange(line(Hello(VERSION)), timeout_s)
            if not isinstance(hello, Hello) or hello.version != VERSION:
                raise PlayerFault("a program speaks another protocol", code="bad_answer")
        except BaseException:
            await child.kill()
            raise
        child.name = hello.name
        return child

    @property
    def alive(self) -> bool:
        """Whether the program still runs. Asked of the system: the event loop hears of an end only later."""
        if self._process.returncode is not None:
            return False
        try:
            return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None
        except ChildProcessError:  # its end was noted, but not told yet
            return False

    @property
    def pid(self) -> int:
        """The number of its process."""
        return self._process.pid

    async def ask(self, request: Request, timeout_s: float) -> Reply:
        """One request, one reply. Raises PlayerFault; a program that gave an `error` of its own lives on."""
        self._asked += 1
        try:
            answer = await self._exchange(line(ask_of(request, self._asked)), timeout_s)
            if not isinstance(answer, Answer) or answer.id != self._asked:
                raise PlayerFault("a player answered another question", code="bad_answer")
        except BaseException:
            await self.kill()
            raise
        return reply_of(answer, request)

    async def _exchange(self, text: bytes, timeout_s: float) -> Hello | Answer:
        """Send a line, read a line."""
        stdin, stdout = self._process.stdin, self._process.stdout
        if stdin is None or stdout is None:
            raise PlayerFault("a player has no pipe", code="crashed")
        try:
            async with asyncio.timeout(timeout_s):
                # One that ended before it was asked may have said why it is no player: that is read all the same.
                with contextlib.suppress(OSError):
                    stdin.write(text)
                    await stdin.drain()
                said = await stdout.readline()
        except TimeoutError:
            raise PlayerFault("a player took too long", code="timeout") from None
        except ValueError:
            raise PlayerFault("a player's answer is too long", code="bad_answer") from None
        if not said.endswith(b"\n"):
            raise PlayerFault("a player's program ended", code="crashed")
        return read_answer(said)

    async def close(self) -> None:
        """End the program: its input closes; what has not gone within two seconds is killed."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._process.wait(), GRACE_S)
        await self.kill()

    async def kill(self) -> None:
        """End the program, and what it started, now."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        if self._process.stdin is not None:
            self._process.stdin.close()
        # What it had still to say is read to its end: a process counts as ended when its pipes are empty.
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(GRACE_S):
                while self._process.stdout is not None and await self._process.stdout.read(2**16):
                    pass
                await self._process.wait()
