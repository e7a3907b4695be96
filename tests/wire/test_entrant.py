"""House players in a contest, in processes of their own, under a manager that knows nothing of this house."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from flagfall.wire.bot import warm
from tests.wire.umpire import ARMY, Umpire

PROGRAM = str(Path(__file__).with_name("program.py"))
pytestmark = pytest.mark.timeout(300)  # a cold cache is compiled first

RUN = "import sys; from flagfall.wire import bot; sys.exit(bot.main({name!r}, protocol='evaluator', {options}))"


def house(name: str = "wanderer", options: str = "nodes=100, seed=7") -> list[str]:
    """The command of a house player; what it has to compile is compiled before it is started, as before a contest."""
    if name.startswith(("level-", "wanderer")):
        warm(name)
    return [sys.executable, "-c", RUN.format(name=name, options=options)]


def program(kind: str, number: int = 1) -> list[str]:
    return [sys.executable, PROGRAM, kind, str(number)]


@pytest.mark.parametrize("colour", ["RED", "BLUE"])
@pytest.mark.parametrize("name", ["wanderer", "level-3"])
def test_a_whole_game_of_either_colour(colour: str, name: str) -> None:
    """Against an honest program, stopped and continued turn by turn; both boards agree to the end."""
    commands = [house(name), program("honest")]
    umpire = Umpire(*(commands if colour == "RED" else commands[::-1]), turns=120)
    on_turn, word, turns = umpire.play()
    assert word in ("VICTORY", "DRAW_DEFAULT", "DRAW"), (on_turn, word, turns)
    assert turns > 20
    assert umpire.status == {"RED": 0, "BLUE": 0}
    outcomes = Counter(line.split()[-3] for line in umpire.log if not line.endswith("OK"))
    assert len(outcomes) == 3, "battles of every outcome were told"
    assert umpire.sides[colour].said[-1] != "SURRENDER"


def test_two_house_players_meet() -> None:
    umpire = Umpire(house("level-1", "nodes=50, seed=3"), house("level-1", "nodes=50, seed=4"), turns=100)
    assert umpire.play()[1] in ("VICTORY", "DRAW_DEFAULT", "SURRENDER")
    assert umpire.status == {"RED": 0, "BLUE": 0}


def test_a_seed_repeats_a_game_and_none_does_not() -> None:
    def said(options: str) -> list[str]:
        umpire = Umpire(house("level-3", options), program("honest"), turns=6)
        umpire.play()
        return umpire.sides["RED"].said

    assert said("nodes=50, seed=5") == said("nodes=50, seed=5")
    assert said("nodes=50, seed=6") != said("nodes=50, seed=5")
    assert said("nodes=50")[:4] != said("nodes=50")[:4]


def test_garbage_between_the_lines_is_survived() -> None:
    """Noise before every turn: the game goes on with legal moves."""
    noise = ["", "hello", "\x00\x01", "x" * 10_000, "1 2 3 4 5", "NO_MOVE", "RED again 10 10", "BLUE", "9 9 UP", "[]"]

    def disturb(umpire: Umpire, colour: str) -> None:
        if colour == "RED":
            for line in noise:
                umpire.sides["RED"].tell(line)
                umpire.sides["RED"].heard.pop()

    umpire = Umpire(house("level-1"), program("honest"), turns=40, before=disturb)
    on_turn, word, turn = umpire.play()
    assert (word, turn) == ("DRAW_DEFAULT", 40) or word == "VICTORY", (on_turn, word, turn)
    assert umpire.status["RED"] == 0


def test_a_thread_that_is_lost_is_no_illegal_move() -> None:
    """A board that was changed behind the player's back: it goes on by the board alone."""

    def steal(umpire: Umpire, colour: str) -> None:
        if colour == "RED" and len(umpire.log) == 10:
            at = next(at for at, (owner, letter) in sorted(umpire.board.items()) if owner == "BLUE" and letter != "F")
            del umpire.board[at]

    umpire = Umpire(house("level-3"), program("other"), turns=60, before=steal)
    # The other program keeps no board, so that nobody but the house player could be confused.
    on_turn, word, turn = umpire.play()
    assert (on_turn, word) != ("RED", "ILLEGAL")
    assert turn > 10


@pytest.mark.parametrize(
    "lines",
    [
        [],
        ["QUIT"],
        ["", "nonsense", "QUIT early"],
        ["RED somebody 10 10"],
        ["RED somebody 10 10", "QUIT"],
        ["BLUE somebody 10 10", "3 3 DOWN OK", "QUIT x RED ILLEGAL 1 148 148"],
        ["RED somebody 10 10", "START", "..", "##########"],
    ],
)
def test_an_end_at_any_time_is_an_end(lines: list[str]) -> None:
    told = "".join(line + "\n" for line in lines).encode()
    ended = subprocess.run(house(), input=told, capture_output=True, check=False, timeout=60)
    assert ended.returncode == 0, ended.stderr
    assert b"Traceback" not in ended.stderr
    said = ended.stdout.decode().splitlines()
    if any("10 10" in line for line in lines):
        assert Counter("".join(said)) == ARMY
    else:
        assert said == []


def test_another_board_is_refused() -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "flagfall", "bot", "random", "--protocol", "evaluator"],
        input=b"RED somebody 8 8\n", capture_output=True, check=False, timeout=60,
    )  # fmt: skip
    assert ended.returncode == 1
    assert ended.stdout == b""
    assert ended.stderr.startswith(b"flagfall: not_spoken: ")


def test_a_manager_that_goes_away_in_mid_game_is_no_error() -> None:
    with subprocess.Popen(house(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as bot:
        assert bot.stdin is not None
        assert bot.stdout is not None
        bot.stdin.write(b"RED somebody 10 10\n")
        bot.stdin.flush()
        rows = [bot.stdout.readline() for _ in range(4)]
        bot.stdout.close()
        bot.stdin.write(b"START\n" + b"".join(rows) + b"..++..++..\n" * 2 + b"##########\n" * 4)
        bot.stdin.close()
        assert bot.stderr is not None
        assert bot.stderr.read() == b""
        assert bot.wait(30) == 0


def test_a_stopped_player_answers_when_it_is_continued() -> None:
    with subprocess.Popen(house(), stdin=subprocess.PIPE, stdout=subprocess.PIPE) as bot:
        assert bot.stdin is not None
        assert bot.stdout is not None
        os.kill(bot.pid, signal.SIGSTOP)  # before it has read anything
        bot.stdin.write(b"BLUE somebody 10 10\n")
        bot.stdin.flush()
        time.sleep(0.3)
        os.kill(bot.pid, signal.SIGCONT)
        assert Counter("".join(bot.stdout.readline().decode().strip() for _ in range(4))) == ARMY
        bot.stdin.write(b"QUIT\n")
        bot.stdin.flush()
        assert bot.wait(30) == 0


@pytest.mark.parametrize("name", ["raiser", "liar", "disorderly", "noisy"])
def test_a_player_that_fails_is_stood_in_for(name: str) -> None:
    umpire = Umpire(house(name), program("honest"), turns=8)
    assert umpire.play() == ("BLUE", "DRAW_DEFAULT", 8)
