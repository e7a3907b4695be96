"""Foreign programs at a table: an honest one plays as it would at home, a bad one loses by its own fault."""

from __future__ import annotations

import json
import shlex
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from flagfall.errors import BadMessage, PlayerFault
from flagfall.play import roster
from flagfall.play.player import Budget, seat_seed
from flagfall.play.record import Sitter, Sort, Terms
from flagfall.play.referee import Referee
from flagfall.play.table import Table, ending
from flagfall.rules.board import Seat
from flagfall.rules.catalog import CLASSIC
from flagfall.rules.events import Reason, Result
from flagfall.wire import engine as engines
from flagfall.wire.engine import Engine, Guest
from tests.wire.asking import to_deploy, to_move

SECRET = bytes(range(32))


def house(name: str) -> str:
    """The command line of a house player in a process of its own."""
    return shlex.join([sys.executable, "-c", f"from flagfall.wire import bot; bot.main({name!r})"])


def script(tmp_path: Path, body: str) -> str:
    """The command line of a program that says hello, then does as `body` does with each ask."""
    path = tmp_path / "program.py"
    path.write_text(
        "import json, sys, time, os\n"
        "for text in sys.stdin:\n"
        "    ask = json.loads(text)\n"
        "    if ask['type'] == 'hello':\n"
        "        print(json.dumps({'type': 'hello', 'version': 1, 'name': 'script'}), flush=True)\n"
        "        continue\n"
        f"    {body}\n"
    )
    return shlex.join([sys.executable, str(path)])


def test_a_program_plays_as_it_would_at_home() -> None:
    """The same player, once in this process and once at the end of a pipe, knowing only what its seat is told."""

    def played(blue: Guest | None) -> list[object]:
        variant = ending(CLASSIC, plies=60)
        sitters = (Sitter("wanderer"), Sitter("wanderer", Sort.PROGRAM))
        referee = Referee(Terms(variant=variant, sitters=sitters), secret=SECRET, now_ms=0)
        red, own = (roster.seat("peaceful", seat_seed(SECRET, seat)) for seat in Seat)
        Table(referee, red, blue or own, now_ms=lambda: 0).play()
        return [(act.deed, act.seat, act.move) for act in referee.record().acts]

    with Engine(house("peaceful")) as engine:
        abroad = played(Guest(engine, seat_seed(SECRET, Seat.BLUE)))
    assert abroad == played(None)
    assert len(abroad) > 20


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("os._exit(1)", "crashed"),
        ("print('I resign', flush=True)", "bad_answer"),
        ("print('x' * 100000, flush=True)", "bad_answer"),
        ("print(json.dumps({'type': 'answer', 'id': 99, 'move': 'e4-e5'}), flush=True)", "bad_answer"),
        ("print(json.dumps({'type': 'answer', 'id': ask['id'], 'accept': True}), flush=True)", "bad_answer"),
        ("print(json.dumps({'type': 'answer', 'id': ask['id'], 'error': 'tired'}), flush=True)", "tired"),
        ("time.sleep(30)", "timeout"),
    ],
)
def test_every_fault_has_its_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str, code: str) -> None:
    monkeypatch.setattr(engines, "ANSWER_S", 0.4 if code == "timeout" else 20.0)
    with Engine(script(tmp_path, body)) as engine, pytest.raises(PlayerFault) as caught:
        engine.ask(to_deploy())
    assert caught.value.stable_code == code


def test_a_budget_of_time_is_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "GRACE_S", 0.2)
    with Engine(script(tmp_path, "time.sleep(30)")) as engine, pytest.raises(PlayerFault) as caught:
        engine.ask(replace(to_move(), budget=Budget(None, 50)))
    assert caught.value.stable_code == "timeout"


def test_a_program_that_fell_is_started_again(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    body = (
        f"os.path.exists({str(mark)!r}) or (open({str(mark)!r}, 'w').close(), os._exit(1)); "
        "print(json.dumps({'type': 'answer', 'id': ask['id'], 'army': 'x' * 40}), flush=True)"
    )
    with Engine(script(tmp_path, body)) as engine:
        for code in ("crashed", "bad_answer"):
            with pytest.raises(PlayerFault) as caught:
                engine.ask(to_deploy())
            assert caught.value.stable_code == code


@pytest.mark.parametrize(
    ("command", "code"),
    [("/no/such/program", "no_program"), (f"{sys.executable} -c pass", "crashed"), ("echo hello", "bad_answer")],
)
def test_what_is_no_player(command: str, code: str) -> None:
    with Engine(command) as engine, pytest.raises(PlayerFault) as caught:
        engine.ask(to_deploy())
    assert caught.value.stable_code == code


@pytest.mark.parametrize("command", ["", "   ", "'unfinished"])
def test_what_is_no_command_line(command: str) -> None:
    with pytest.raises(BadMessage) as caught:
        Engine(command)
    assert caught.value.stable_code == "bad_command"


def test_a_program_is_told_what_its_seat_may_know(tmp_path: Path) -> None:
    """Every line it gets is kept; its enemy's army is in none of them, and it moves illegally to end the game."""
    log = tmp_path / "log"
    body = (
        f"open({str(log)!r}, 'a').write(text); "
        "print(json.dumps({'type': 'answer', 'id': ask['id'], 'move': 'a1-j10'}), flush=True)"
    )
    referee = Referee(Terms(variant=CLASSIC), secret=SECRET, now_ms=0)
    red, blue = (roster.seat("wanderer", seat_seed(SECRET, seat)) for seat in Seat)
    for seat, player in zip(Seat, (red, blue), strict=True):
        referee.deploy(seat, player.deploy(CLASSIC, seat), 0)
    with Engine(script(tmp_path, body)) as engine:
        Table(referee, red, Guest(engine, seat_seed(SECRET, Seat.BLUE)), now_ms=lambda: 0).play()
    assert (referee.result, referee.reason) == (Result.RED, Reason.FORFEIT)
    told = [json.loads(text) for text in log.read_text().splitlines()]
    assert len(told) == 1
    enemy, own = referee.armies()
    assert enemy is not None
    assert own is not None
    assert told[0]["army"] == own.text()
    assert enemy.text() not in log.read_text()
    assert seat_seed(SECRET, Seat.RED).hex() not in log.read_text()
    assert len(told[0]["plies"]) == 1
