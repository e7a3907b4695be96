"""Programs of a contest at our tables: honest ones play, bad ones lose by a fault of their own that is named."""

from __future__ import annotations

import os
import shlex
import signal
import sys
import time
from pathlib import Path

import pytest

from flagfall.errors import BadMessage, NotAllowed
from flagfall.play import roster
from flagfall.play.player import seat_seed
from flagfall.play.record import Sitter, Sort, Terms
from flagfall.play.referee import Referee
from flagfall.play.table import Table, ending
from flagfall.rules.board import Seat
from flagfall.rules.catalog import CLASSIC, MICRO, preset
from flagfall.rules.events import Outcome, Played, Reason, Result
from flagfall.rules.pieces import Rank
from flagfall.rules.variant import Variant
from flagfall.wire import contest as contests
from flagfall.wire import program as programs
from flagfall.wire.contest import Contest, Contestant, one_word, quit_line

PROGRAM = str(Path(__file__).with_name("program.py"))
SECRET = bytes(range(32))


def command(kind: str, *more: str) -> str:
    return shlex.join([sys.executable, PROGRAM, kind, *(more or ("1",))])


def played(text: str, seat: Seat = Seat.BLUE, plies: int = 60, law: str = "isf") -> tuple[Table, Contest]:
    """A game of a program against a random mover, and the contest that held it, over by now."""
    variant: Variant = ending(CLASSIC.with_law(**preset(law).departures(CLASSIC.law)), plies=plies)
    sitters = [Sitter("wanderer"), Sitter("wanderer")]
    sitters[seat] = Sitter("program", Sort.PROGRAM)
    referee = Referee(Terms(variant=variant, sitters=(sitters[0], sitters[1])), secret=SECRET, now_ms=0)
    players = [roster.seat("wanderer", seat_seed(SECRET, each)) for each in Seat]
    with Contest(text) as contest:
        guest = Contestant(contest, b"", opponent="wanderer")
        players[seat] = guest
        table = Table(referee, *players, now_ms=lambda: 0)
        table.play()
        plies_played = referee.record().acts
        assert plies_played or referee.ply == 0
        events = [event.fact.played for event in referee.events(None) if hasattr(event.fact, "played")]
        guest.leave(events, referee.result, referee.reason, ("red", "blue"))
    return table, contest


@pytest.mark.parametrize("seat", list(Seat))
@pytest.mark.parametrize("kind", ["honest", "slow"])
def test_an_honest_program_plays_its_game(seat: Seat, kind: str) -> None:
    """It keeps a board of its own, and gives up the game where that differs from ours."""
    table, _ = played(command(kind), seat, plies=400 if kind == "honest" else 20)
    assert [chair.fault for chair in table.chairs] == [None, None]
    assert table.referee.ply > 15


@pytest.mark.parametrize("seat", list(Seat))
@pytest.mark.parametrize(
    ("kind", "code"),
    [
        ("garbage", "bad_answer"),
        ("waiting", "bad_answer"),
        ("empty", "bad_answer"),
        ("huge", "too_long"),
        ("dying", "crashed"),
        ("illegal", "geometry"),
        ("flag", "immobile"),
        ("odd army", "too_many"),
        ("unreadable army", "bad_setup"),
    ],
)
def test_every_fault_is_named_and_charged(seat: Seat, kind: str, code: str) -> None:
    table, _ = played(command(kind), seat)
    fault = table.chairs[seat].fault
    assert fault is not None
    assert fault.stable_code == code
    assert table.chairs[seat.other].fault is None
    assert (table.referee.result, table.referee.reason) == (Result.win(seat.other), Reason.FORFEIT)


def test_a_program_that_says_nothing_runs_out_of_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contests, "MOVE_S", 0.4)
    monkeypatch.setattr(contests, "GRACE_S", 0.4)
    for kind in ("silent", "mute"):
        monkeypatch.setattr(contests, "SET_UP_S", 0.5 if kind == "mute" else 30.0)
        begun = time.monotonic()
        table, _ = played(command(kind))
        fault = table.chairs[Seat.BLUE].fault
        assert fault is not None
        assert fault.stable_code == "timeout"
        assert time.monotonic() - begun < 20


def test_answers_that_nobody_asked_for_are_the_next_answers() -> None:
    """As the original manager reads them: sooner or later one of them is no legal move, or none is read in time."""
    table, _ = played(command("flood"), plies=1_000)
    fault = table.chairs[Seat.BLUE].fault
    assert fault is not None
    assert fault.stable_code in ("geometry", "empty", "not_yours", "two_square")


def test_a_surrender_is_no_fault() -> None:
    table, _ = played(command("resigning"))
    assert [chair.fault for chair in table.chairs] == [None, None]
    assert (table.referee.result, table.referee.reason) == (Result.RED, Reason.RESIGNED)


def test_a_barred_repetition_forfeits_and_is_named() -> None:
    """The protocol has no way to ask again; under a law without the rule the game goes on."""
    table, _ = played(command("shuffling"))
    fault = table.chairs[Seat.BLUE].fault
    assert fault is not None
    assert fault.stable_code == "two_square"
    table, _ = played(command("shuffling"), law="ucc2012", plies=40)
    assert table.chairs[Seat.BLUE].fault is None
    assert table.referee.reason is Reason.LIMIT


@pytest.mark.parametrize("text", ["/no/such/program", "/dev/null"])
def test_what_cannot_be_started(text: str) -> None:
    table, _ = played(text)
    fault = table.chairs[Seat.BLUE].fault
    assert fault is not None
    assert fault.stable_code == "no_program"


@pytest.mark.parametrize("text", ["", "   ", "'unfinished"])
def test_what_is_no_command_line(text: str) -> None:
    with pytest.raises(BadMessage) as caught:
        Contest(text)
    assert caught.value.stable_code == "bad_command"


def test_another_game_is_refused() -> None:
    with Contest(command("honest")) as contest, pytest.raises(NotAllowed) as caught:
        Contestant(contest, b"").deploy(MICRO, Seat.RED)
    assert caught.value.stable_code == "not_spoken"


def group_lives(leader: int) -> bool:
    try:
        os.killpg(leader, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("kind", ["honest", "forking"])
def test_a_program_ends_with_all_that_it_started(kind: str) -> None:
    with Contest(command(kind)) as contest:
        guest = Contestant(contest, b"")
        guest.deploy(CLASSIC, Seat.RED)
        running = contest.start()  # a second game ends the first program
        running.ask(["BLUE somebody 10 10"], 4, 30.0)
        leader = running.pid
        assert group_lives(leader)
    for _ in range(100):
        if not group_lives(leader):
            return
        time.sleep(0.05)
    pytest.fail("a process of the program is still there")


def test_a_program_is_stopped_while_others_think() -> None:
    def state(pid: int) -> str:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]

    if not Path("/proc/self/stat").exists():
        pytest.skip("this system does not tell how a process is")
    with Contest(command("honest")) as contest:
        program = contest.start()
        program.ask(["RED somebody 10 10"], 4, 30.0)
        for _ in range(100):
            if state(program.pid) == "T":
                break
            time.sleep(0.02)
        assert state(program.pid) == "T"
        program.signal(signal.SIGCONT)


def test_what_a_program_is_told(tmp_path: Path) -> None:
    """Its seat and its opponent's name, its own men, every ply once with its outcome, and the end in place of one."""
    diary = tmp_path / "diary"
    table, _ = played(command("diary", "1", str(diary)), plies=40)
    lines = diary.read_text().splitlines()
    assert lines[0] == "BLUE wanderer 10 10"
    told = [line for line in lines[1:] if " " in line]
    assert len(told) == 40 if table.referee.reason is Reason.LIMIT else len(told) > 1
    assert told[-1].startswith("QUIT ")
    assert told[-1].split()[3] == "DRAW_DEFAULT"
    boards = [line for line in lines if len(line) == 10]
    assert len(boards) == 10 * 20
    enemy = {"red": "".join(boards[:4])}
    assert set(enemy["red"]) <= {"#", "."}
    assert not any(line.startswith("START") for line in lines)


def test_the_last_line_of_a_game() -> None:
    ply = Played(1, Seat.RED, CLASSIC.home[0][30], CLASSIC.home[1][30], Outcome.ATTACKER, Rank.MARSHAL, Rank.SPY,
                 Result.GOING, Reason.NONE)  # fmt: skip
    names = ("our level", "/path/to/theirs --fast")
    assert quit_line([ply], Result.RED, Reason.FLAG, names) == "QUIT our RED VICTORY 1 148 147"
    assert quit_line([ply], Result.RED, Reason.RESIGNED, names) == "QUIT theirs BLUE SURRENDER 1 148 147"
    assert quit_line([ply, ply], Result.BLUE, Reason.FORFEIT, names) == "QUIT our RED ILLEGAL 1 148 146"
    assert quit_line([ply], Result.DRAW, Reason.LIMIT, names) == "QUIT our RED DRAW_DEFAULT 1 148 147"
    assert quit_line([], Result.DRAW, Reason.BOTH_STUCK, names) == "QUIT our RED DRAW 0 148 148"
    assert one_word("") == one_word("\u2603") == "opponent"


def test_glances_are_short() -> None:
    """A program that ended is noticed long before its time is up."""
    assert programs.GLANCE_S <= 0.5
    begun = time.monotonic()
    table, _ = played(shlex.join([sys.executable, "-c", "pass"]))
    fault = table.chairs[Seat.BLUE].fault
    assert fault is not None
    assert fault.stable_code == "crashed"
    assert time.monotonic() - begun < 15
