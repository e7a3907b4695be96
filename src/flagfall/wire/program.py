"""A foreign program of a contest: a process group that runs while it is asked, and is held to time and length."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from select import select
from time import monotonic

from flagfall.errors import PlayerFault

QUIT_S = 2.0
LONGEST_LINE = 400
GLANCE_S = 0.2


class Program:
    """One running program, in a process group of its own, with a time and a length for everything it says.

    Its error stream is not read. Every fault is a PlayerFault: `no_program`, `crashed`, `timeout`,
    `too_long`. After any of them it is dead.
    """

    def __init__(self, command: Sequence[str]) -> None:
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                # What it starts is stopped and ended with it, and an interrupt at the keyboard is ours to handle.
                start_new_session=True,
            )
        except (OSError, ValueError):
            raise PlayerFault("a player's program cannot be started", code="no_program") from None
        assert self._process.stdin is not None  # noqa: S101 - pipes were asked for
        assert self._process.stdout is not None  # noqa: S101
        self._into, self._out = self._process.stdin.fileno(), self._process.stdout.fileno()
        os.set_blocking(self._into, False)
        self._heard = b""
        self._closed = False

    @property
    def pid(self) -> int:
        """The number of its process, and of its group."""
        return self._process.pid

    def ask(self, lines: Sequence[str], answers: int, timeout_s: float) -> list[str]:
        """Say some lines and hear as many as are wanted, the program running meanwhile only. Raises PlayerFault."""
        until = monotonic() + timeout_s
        try:
            self.signal(signal.SIGCONT)
            self._say("".join(line + "\n" for line in lines).encode(), until)
            said = [self._line(until) for _ in range(answers)]
        except BaseException:
            self.kill()
            raise
        self.signal(signal.SIGSTOP)
        return said

    def farewell(self, lines: Sequence[str]) -> None:
        """Say the last lines and give the program two seconds to go, then end it."""
        if self._closed:
            return
        with suppress(PlayerFault):
            self.ask(lines, 0, QUIT_S)
        self.signal(signal.SIGCONT)
        if self._process.stdin is not None:
            self._process.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(QUIT_S)
        self.kill()

    def kill(self) -> None:
        """End the program and all of its group, now. May be called twice."""
        if self._closed:
            return
        self._closed = True
        self.signal(signal.SIGKILL)
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
        self._process.wait()

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the program and to all that it started."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)

    def _say(self, text: bytes, until: float) -> None:
        while text:
            self._wait([], [self._into], until)
            try:
                text = text[os.write(self._into, text) :]
            except BlockingIOError:
                continue
            except OSError:
                return  # it reads no more; what it has said already is still heard

    def _line(self, until: float) -> str:
        while b"\n" not in self._heard:
            if len(self._heard) > LONGEST_LINE:
                raise PlayerFault("a program's answer is too long", code="too_long")
            self._wait([self._out], [], until)
            more = os.read(self._out, LONGEST_LINE)
            if not more:
                raise PlayerFault("a player's program ended", code="crashed")
            self._heard += more
        line, _, self._heard = self._heard.partition(b"\n")
        if len(line) > LONGEST_LINE:
            raise PlayerFault("a program's answer is too long", code="too_long")
        return line.decode("ascii", "replace")

    def _wait(self, reading: list[int], writing: list[int], until: float) -> None:
        """Wait until a pipe is ready. Raises PlayerFault: the time is up, or nothing can come any more."""
        while True:
            gone = self._process.poll() is not None
            left_s = until - monotonic()
            readers, writers, _ = select(reading, writing, [], 0 if gone else max(0.0, min(GLANCE_S, left_s)))
            if readers or writers:
                return
            if gone:
                raise PlayerFault("a player's program ended", code="crashed")
            if left_s <= 0:
                raise PlayerFault("a player took too long", code="timeout")
