"""The front door: quick, light, and clear about what went wrong."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from flagfall import __version__, cli
from flagfall.errors import IllegalMove

COMMANDS = [
    "play", "serve", "check", "perft", "variants", "variants show", "bot", "arena", "arena match", "bench", "bench law",
    "bench belief", "warm", "replay",
]  # fmt: skip
HEAVY = {"numba", "numpy", "litestar", "sqlalchemy", "msgspec", "joblib", "uvicorn"}


def flagfall(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", "-m", "flagfall", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--help"]) == 0
    printed = capsys.readouterr().out
    assert all(f" {name} " in printed for name in COMMANDS if " " not in name)


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_explains_itself(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([*command.split(), "--help"]) == 0
    printed = capsys.readouterr().out
    assert f"Usage: flagfall {command}" in printed
    assert printed.splitlines()[2].endswith(".") or len(printed.splitlines()) > 4


def test_help_loads_nothing_heavy() -> None:
    code = "import sys; from flagfall.cli import main; main(['--help']); print(sorted(sys.modules), file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert not HEAVY & {name.strip("[]' \n") for name in done.stderr.split(",")}


def test_the_package_loads_nothing_heavy() -> None:
    code = "import sys, flagfall; print('\\n'.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert not HEAVY & set(done.stdout.split())


def test_version() -> None:
    done = flagfall("--version")
    assert (done.returncode, done.stdout.strip()) == (0, __version__)


@pytest.mark.parametrize(
    "words",
    [
        ["nothing-like-it"],
        ["perft", "classic"],
        ["perft", "classic", "-1"],
        ["perft", "classic", "two"],
        ["play", "--level", "11"],
        ["play", "--colour", "red"],
        ["check", "no-such-file.jsonl"],
        ["arena", "match", "level-1"],
        ["arena", "match", "level-1", "level-3", "--games", "0"],
        ["bot", "level-1", "--protocol", "semaphore"],
    ],
)
def test_bad_usage_is_status_2(words: Sequence[str]) -> None:
    done = flagfall(*words)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr + done.stdout
    assert done.stderr.strip()


def test_an_error_of_the_house_is_one_line_with_its_code(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(words: Sequence[str] | None) -> int:
        raise IllegalMove("that man never moves", "immobile")

    monkeypatch.setattr(cli, "app", refuse)
    assert cli.main([]) == 1
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == ("", "flagfall: immobile: that man never moves\n")


def test_variants_are_listed_and_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["variants"]) == 0
    assert "classic" in capsys.readouterr().out
    assert cli.main(["variants", "--json"]) == 0
    listed = {game["name"]: game for game in json.loads(capsys.readouterr().out)}
    assert cli.main(["variants", "show", "classic", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == listed["classic"]
    assert cli.main(["variants", "show", "classic"]) == 0
    drawn = capsys.readouterr().out.splitlines()
    board = ["bbbbbbbbbb"] * 4 + ["..~~..~~.."] * 2 + ["rrrrrrrrrr"] * 4
    assert drawn[2:13] == [f"{10 - down:>2} {' '.join(row)}" for down, row in enumerate(board)] + [
        "   a b c d e f g h i j"
    ]


def test_a_game_of_ones_own_comes_from_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mine = {
        "format": "flagfall-variant-1",
        "name": "mine",
        "board": ["bb.", ".~.", ".rr"],
        "army": {"flag": 1, "scout": 1},
        "reach": {"scout": 2},
        "battles": [["scout", "scout", "attacker"]],
        "clock": {"kind": "fischer", "main_ms": 60_000, "add_ms": 500},
    }
    file = tmp_path / "mine.json"
    file.write_text(json.dumps(mine))
    assert cli.main(["variants", "show", str(file)]) == 0
    drawn = capsys.readouterr().out
    assert " 3 b b .\n 2 . ~ .\n 1 . r r\n" in drawn
    assert "Moves: scout up to 2 squares\nBattles: scout attacks scout: attacker wins\n" in drawn
    assert "Clock: 1 minute, and 0.5 seconds more with every move\n" in drawn
    assert cli.main(["perft", str(file), "2", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["counts"]) == 2
    file.write_text(json.dumps(mine | {"army": {"flag": 1, "scout": "two"}}))
    assert cli.main(["variants", "show", str(file)]) == 1
    assert capsys.readouterr().err == f"flagfall: bad_field: {file}: this is a whole number (field army.scout)\n"
    file.write_text(json.dumps(mine | {"clock": {"kind": "fischer", "main_ms": 60_000, "add_ms": -1}}))
    for words in ["variants", "show", str(file)], ["play", "--no-browser", "--port", "0", "--variant", str(file)]:
        assert cli.main(words) == 1
        told = f"flagfall: bad_clock: {file}: no clock can have this add_ms (field clock.add_ms)\n"
        assert capsys.readouterr().err == told
    file.write_text('{"format": "flagfall-variant-1",\n "name" "mine"}')
    assert cli.main(["perft", str(file), "1"]) == 1
    assert "line 2, column 9" in capsys.readouterr().err


def test_an_unknown_variant_is_status_1(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["variants", "show", "no-such-game"]) == 1
    assert capsys.readouterr().err.startswith("flagfall: unknown_variant: ")


def test_a_reader_that_leaves_early_is_no_crash(tmp_path: Path) -> None:
    script = f"{sys.executable} -m flagfall variants --json | true; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60)
    assert "Traceback" not in done.stderr
