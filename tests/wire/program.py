"""Programs for tests that speak the evaluator protocol, one honest and many bad; run as `program.py KIND [SEED]`.

Written from the protocol's description alone and standing on nothing of the house. The honest one moves at random,
keeping its own board from what it is told, and ends with status 7 where that differs from the board it is shown.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from pathlib import Path

ROWS = ["FB8sB479B8", "BB31555583", "6724898974", "967B669999"]
STEPS = {"UP": (0, -1), "DOWN": (0, 1), "LEFT": (-1, 0), "RIGHT": (1, 0)}
KIND = sys.argv[1]
LOT = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)


KEEPS_BOARD = KIND in ("honest", "diary", "forking", "slow")


def say(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def heard() -> str:
    line = sys.stdin.readline()
    if KIND == "diary":
        with Path(sys.argv[3]).open("a") as file:
            file.write(line)
    if not line or line.startswith("QUIT"):
        sys.exit(0)
    return line.rstrip("\n")


def steps(board: list[str]) -> list[tuple[int, int, str]]:
    """All steps of one square that this board allows."""
    found = []
    for y in range(10):
        for x in range(10):
            for word, (across, down) in STEPS.items():
                to_x, to_y = x + across, y + down
                if board[y][x] in "123456789s" and 0 <= to_x < 10 and 0 <= to_y < 10 and board[to_y][to_x] in ".#":
                    found.append((x, y, word))
    return found


ANSWERS = {
    "garbage": "\x00\xff I think, therefore I move\n",
    "illegal": "0 0 UP\n",
    "resigning": "SURRENDER\n",
    "waiting": "NO_MOVE\n",
    "empty": "\n",
}


def answer(board: list[str], turn: int) -> str:
    """The move of a turn, from 1, as this kind of program makes it; the first two are made as by an honest one."""
    x, y, word = LOT.choice(steps(board))
    honest = f"{x} {y} {word}\n"
    if turn < 3:
        return honest
    if KIND in ("silent", "slow"):
        time.sleep(60 if KIND == "silent" else 0.2)
    if KIND == "dying":
        os._exit(3)
    while KIND == "huge":
        say("x" * 100_000)
    if KIND == "flood":
        return honest * 100_000
    if KIND == "flag":
        return flag_moved(board)
    if KIND == "shuffling":
        return shuffled(board)
    return ANSWERS.get(KIND, honest)


def flag_moved(board: list[str]) -> str:
    """The flag steps aside."""
    x, y = next((x, y) for y in range(10) for x in range(10) if board[y][x] == "F")
    return f"{x} {y} {'LEFT' if x else 'RIGHT'}\n"


HOME: list[tuple[int, int, str]] = []
BACK = {"UP": "DOWN", "DOWN": "UP", "LEFT": "RIGHT", "RIGHT": "LEFT"}


def shuffled(board: list[str]) -> str:
    """One man to and fro for as long as he lives and nobody is in his way."""
    quiet = [(x, y, w) for x, y, w in steps(board) if board[y + STEPS[w][1]][x + STEPS[w][0]] == "."]
    if HOME and HOME[0] not in quiet:
        HOME.clear()
    x, y, word = HOME[0] if HOME else quiet[0]
    HOME[:] = [(x + STEPS[word][0], y + STEPS[word][1], BACK[word])]
    return f"{x} {y} {word}\n"


def told(board: list[list[str]], line: str, own: bool) -> None:
    """Take in a move with its outcome."""
    words = line.split(" ")
    far = 1
    if words[3].isdigit():
        far = int(words.pop(3))
    x, y = int(words[0]), int(words[1])
    across, down = STEPS[words[2]]
    to_x, to_y = x + far * across, y + far * down
    man, board[y][x] = board[y][x], "."
    if (man == "#") == own:
        os._exit(7)
    if words[3] in ("OK", "KILLS"):
        board[to_y][to_x] = man
    elif words[3] == "BOTHDIE":
        board[to_y][to_x] = "."
    elif words[3] != "DIES":
        os._exit(7)


def main() -> None:
    if pids := os.environ.get("FLAGFALL_TEST_PIDS"):
        with Path(pids).open("a") as file:
            file.write(f"{os.getpid()}\n")
    colour = heard().split(" ")[0]
    if KIND == "forking":
        subprocess.Popen(["sleep", "300"], stdin=subprocess.DEVNULL)  # it holds on to standard output
    if KIND == "mute":
        time.sleep(60)
    if KIND in ("odd army", "unreadable army"):
        say(("FB8sB479B8\n" if KIND == "odd army" else "my army\n") * 4)
    rows = ROWS if colour == "RED" else ROWS[::-1]
    say("".join(row + "\n" for row in rows))
    board: list[list[str]] = []
    for turn in range(1, 100_000):
        line = heard()
        if line == "START":
            pass
        elif board and KEEPS_BOARD:
            told(board, line, own=False)
        shown = [heard() for _ in range(10)]
        if board and KEEPS_BOARD and ["".join(row) for row in board] != shown:
            os._exit(7)
        board = [list(row) for row in shown]
        say(answer(shown, turn))
        echo = heard()
        if KEEPS_BOARD:
            told(board, echo, own=True)


main()
