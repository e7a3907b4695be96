"""Programs of a contest in a match: seated, their faults counted by name, the match played to its end."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from flagfall.arena.match import run
from flagfall.arena.pair import Plan, play_pair
from flagfall.errors import NotAllowed
from flagfall.play.player import Budget
from flagfall.play.reading import read_record
from flagfall.play.record import canonical
from flagfall.play.referee import Referee
from flagfall.play.table import ending
from flagfall.rules.catalog import CLASSIC, MICRO

PROGRAM = Path(__file__).resolve().parents[1] / "wire" / "program.py"


FREE = CLASSIC.with_law(two_square_limit=None, more_squares="off")
"""No rule of repetition: a program at random would break one sooner or later."""


def seated(kind: str) -> str:
    return "evaluator:" + shlex.join([sys.executable, str(PROGRAM), kind, "1"])


def went_on(game: dict[str, Any], most: int) -> bool:
    """Whether a game ended at its limit or, armies being drawn by a lot that nobody repeats, by a flag before it."""
    plies: int = game["plies"]
    return plies == most if game["reason"] == "limit" else game["reason"] == "flag" and 0 < plies <= most


def test_a_program_plays_both_colours_and_its_records_hold() -> None:
    games = play_pair(Plan(seated("honest"), "wanderer", ending(FREE, plies=120), Budget(), 1), 0)
    assert [game["red"] for game in games] == ["a", "b"]
    for game in games:
        assert game["faults"] == {}
        assert went_on(game, 120)
        assert Referee.resume(read_record(canonical(game["record"])), 0).result.word == game["result"]
    sorts = [[game["record"]["players"][seat]["sort"] for seat in ("red", "blue")] for game in games]
    assert sorts == [["program", "house"], ["house", "program"]]


def test_two_programs_meet() -> None:
    (game, _) = play_pair(Plan(seated("honest"), seated("honest"), ending(FREE, plies=60), Budget(), 1), 0)
    assert game["faults"] == {}
    assert went_on(game, 60)


@pytest.mark.parametrize(("kind", "code"), [("dying", "crashed"), ("shuffling", "two_square")])
def test_a_match_goes_on_after_every_fault(tmp_path: Path, kind: str, code: str) -> None:
    out = tmp_path / "match.json"
    assert run("wanderer", seated(kind), games=4, out=out) == 0
    form = json.loads(out.read_text())
    assert form["faults"] == {"a": 0, "b": 4}
    assert form["fault_codes"] == {"a": {}, "b": {code: 4}}
    assert (form["wins"], form["reasons"]) == (4, {"forfeit": 4})


@pytest.mark.timeout(400)
@pytest.mark.parametrize("jobs", [1, 2])
def test_an_interrupt_ends_the_programs_too(tmp_path: Path, jobs: int) -> None:
    """Also one that stands still while the other side thinks."""
    pids, out = tmp_path / "pids", tmp_path / "match.json"
    script = (
        "import signal, sys; from pathlib import Path; from flagfall.arena.match import run; "
        # A shell that started the tests in the background would have it ignored.
        "signal.signal(signal.SIGINT, signal.default_int_handler); "
        f"sys.exit(run('wanderer', sys.argv[2], games=100_000, jobs={jobs}, out=Path(sys.argv[1])))"
    )
    command = [sys.executable, "-c", script, str(out), seated("honest")]
    told = os.environ | {"FLAGFALL_TEST_PIDS": str(pids)}
    with subprocess.Popen(command, env=told, stderr=subprocess.DEVNULL, start_new_session=True) as match:
        for _ in range(1500):
            if pids.exists() and pids.read_text().count("\n") > 2:
                break
            time.sleep(0.1)
        os.killpg(match.pid, signal.SIGINT)  # as a terminal does
        assert match.wait(timeout=90) == 130
    for _ in range(100):
        if not any(lives(int(pid)) for pid in pids.read_text().split()):
            return
        time.sleep(0.1)
    pytest.fail("a program of the match is still there")


def lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_law_by_name_stands_in_for_the_games_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "match.json"
    assert run("wanderer", seated("shuffling"), games=2, out=out, law="ucc2012") == 0
    form = json.loads(out.read_text())
    assert form["fault_codes"]["b"] == {}
    assert "faults: 0 and 0" in capsys.readouterr().out


def test_another_game_is_refused_before_anything_is_played() -> None:
    for variant in (MICRO, CLASSIC.with_law(reveal="silent")):
        with pytest.raises(NotAllowed) as caught:
            Plan("wanderer", seated("honest"), ending(variant), Budget(), 1).checked()
        assert caught.value.stable_code == "not_spoken"
