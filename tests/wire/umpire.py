"""A contest's manager for tests, written from the protocol's description alone: its own board, rules and processes."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

LAKES = {(x, y) for x in (2, 3, 6, 7) for y in (4, 5)}
STEPS = {"UP": (0, -1), "DOWN": (0, 1), "LEFT": (-1, 0), "RIGHT": (1, 0)}
ARMY = {"1": 1, "2": 1, "3": 2, "4": 3, "5": 4, "6": 4, "7": 4, "8": 5, "9": 8, "s": 1, "B": 6, "F": 1}
MOBILE = set("123456789s")
COLOURS = ("RED", "BLUE")
HOMES = {"RED": range(4), "BLUE": range(6, 10)}


class Lost(Exception):
    """A program loses on its turn; the argument is the manager's word for it."""


@dataclass
class Side:
    """One program and its pipes; `heard` is all that it was told, `said` all that it answered."""

    process: subprocess.Popen[bytes]
    heard: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    buffer: bytes = b""

    def tell(self, line: str) -> None:
        assert self.process.stdin is not None
        self.heard.append(line)
        try:
            self.process.stdin.write(line.encode() + b"\n")
        except BrokenPipeError:
            raise Lost("ILLEGAL") from None

    def hear(self, timeout_s: float) -> str:
        assert self.process.stdout is not None
        until = time.monotonic() + timeout_s
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            while b"\n" not in self.buffer:
                if not selector.select(max(0.0, until - time.monotonic())):
                    raise Lost("ILLEGAL")
                more = os.read(self.process.stdout.fileno(), 4096)
                if not more:
                    raise Lost("ILLEGAL")
                self.buffer += more
        line, _, self.buffer = self.buffer.partition(b"\n")
        self.said.append(line.decode())
        return self.said[-1]


class Umpire:
    """One game between two command lines.

    stop: send SIGSTOP to whoever is not on turn. before: called with the umpire and a colour before each of its turns,
    for mischief. After `play`, `ending` is (colour on turn, word, turn) and `log` has every move with its outcome.
    """

    def __init__(
        self,
        red: Sequence[str],
        blue: Sequence[str],
        *,
        timeout_s: float = 30.0,
        turns: int = 150,
        stop: bool = True,
        before: Callable[[Umpire, str], None] | None = None,
    ) -> None:
        self.commands = {"RED": red, "BLUE": blue}
        self.timeout_s, self.turns, self.stop, self.before = timeout_s, turns, stop, before
        self.board: dict[tuple[int, int], tuple[str, str]] = {}
        self.sides: dict[str, Side] = {}
        self.log: list[str] = []
        self.ending = ("", "", 0)
        self.status: dict[str, int] = {}

    def play(self) -> tuple[str, str, int]:
        for colour, command in self.commands.items():
            process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0
            )
            self.sides[colour] = Side(process)
        try:
            self.ending = self._game()
            red, blue = (self._value(colour) for colour in COLOURS)
            for side in self.sides.values():
                self._signal(side, signal.SIGCONT)
                with suppress(Lost):
                    side.tell(f"QUIT program {self.ending[0]} {self.ending[1]} {self.ending[2]} {red} {blue}")
            for colour, side in self.sides.items():
                self.status[colour] = side.process.wait(20)
        finally:
            for side in self.sides.values():
                side.process.kill()
                side.process.wait()
                for pipe in (side.process.stdin, side.process.stdout):
                    assert pipe is not None
                    pipe.close()
        return self.ending

    def rows(self, colour: str) -> list[str]:
        def sign(x: int, y: int) -> str:
            if (x, y) in LAKES:
                return "+"
            owner, letter = self.board.get((x, y), ("", "."))
            return letter if owner in ("", colour) else "#"

        return ["".join(sign(x, y) for x in range(10)) for y in range(10)]

    def _game(self) -> tuple[str, str, int]:
        for colour in COLOURS:
            try:
                self._set_up(colour)
            except Lost:
                return colour, "BAD_SETUP", 0
        told = "START"
        for turn in range(1, self.turns + 1):
            for colour in COLOURS:
                side, other = self.sides[colour], self.sides[COLOURS[colour == "RED"]]
                self._pause(side, other)
                if self.before:
                    self.before(self, colour)
                try:
                    if told == "START":
                        side.tell(told)
                    for row in self.rows(colour):
                        side.tell(row)
                    told = self._move(colour, side.hear(self.timeout_s))
                except Lost as lost:
                    return colour, str(lost), turn
                if told.endswith(" F") or not self._mobile(COLOURS[colour == "RED"]):
                    return colour, "VICTORY" if self._mobile(colour) or told.endswith(" F") else "DRAW", turn
                self.log.append(f"{turn} {colour[:3]}: {told}")
                side.tell(told)
                other.tell(told)
        return "BLUE", "DRAW_DEFAULT", self.turns

    def _set_up(self, colour: str) -> None:
        side = self.sides[colour]
        side.tell(f"{colour} {self.commands[COLOURS[colour == 'RED']][0]} 10 10")
        rows = [side.hear(120.0) for _ in range(4)]
        if Counter("".join(rows)) != ARMY or any(len(row) != 10 for row in rows):
            raise Lost("BAD_SETUP")
        for y, row in zip(HOMES[colour], rows, strict=True):
            for x, letter in enumerate(row):
                self.board[x, y] = (colour, letter)

    def _move(self, colour: str, text: str) -> str:
        if text == "SURRENDER":
            raise Lost("SURRENDER")
        words = text.split(" ")
        if len(words) not in (3, 4) or not all(word.isdigit() for word in words[:2] + words[3:]):
            raise Lost("ILLEGAL")
        x, y, far = int(words[0]), int(words[1]), int((words[3:] or ["1"])[0])
        across, down = STEPS.get(words[2], (0, 0))
        owner, letter = self.board.get((x, y), ("", "."))
        way = [(x + n * across, y + n * down) for n in range(1, far + 1)]
        if (
            owner != colour
            or letter not in MOBILE
            or (far > 1 and letter != "9")
            or not way
            or not across | down
            or any(not (0 <= at[0] < 10 and 0 <= at[1] < 10) or at in LAKES for at in way)
            or any(at in self.board for at in way[:-1])
            or self.board.get(way[-1], ("", "."))[0] == colour
        ):
            raise Lost("ILLEGAL")
        return f"{text} {self._battle((x, y), way[-1])}"

    def _battle(self, at: tuple[int, int], to: tuple[int, int]) -> str:
        mover = self.board.pop(at)
        if to not in self.board:
            self.board[to] = mover
            return "OK"
        a, d = mover[1], self.board[to][1]
        if a == d:
            del self.board[to]
            return f"BOTHDIE {a} {d}"
        order = "123456789s"
        wins = (
            d == "F" or (d == "B" and a == "8") or (a, d) == ("s", "1") or (d != "B" and order.find(a) < order.find(d))
        )
        if wins:
            self.board[to] = mover
        return f"{'KILLS' if wins else 'DIES'} {a} {d}"

    def _mobile(self, colour: str) -> bool:
        return any(owner == colour and letter in MOBILE for owner, letter in self.board.values())

    def _value(self, colour: str) -> int:
        worth = {letter: 10 - place for place, letter in enumerate("123456789s")}
        return sum(worth.get(letter, 0) for owner, letter in self.board.values() if owner == colour)

    def _pause(self, runs: Side, rests: Side) -> None:
        if self.stop:
            self._signal(rests, signal.SIGSTOP)
            self._signal(runs, signal.SIGCONT)

    def _signal(self, side: Side, number: signal.Signals) -> None:
        if side.process.poll() is None:
            side.process.send_signal(number)
