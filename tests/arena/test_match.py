"""Matches are paired, the same whatever plays them, lose no game, and their records hold."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from flagfall.arena import match as matches
from flagfall.arena.match import play_match, run, summary_of
from flagfall.arena.pair import Game, Plan, play_pair
from flagfall.errors import NotAllowed, NotFound, Unreadable
from flagfall.play import roster
from flagfall.play.player import Budget, seat_seed
from flagfall.play.reading import read_record
from flagfall.play.record import Sitter, Terms, canonical
from flagfall.play.referee import Referee
from flagfall.play.table import Table, ending
from flagfall.rules.board import Seat
from flagfall.rules.catalog import CLASSIC, MICRO


def plan(a: str = "wanderer", b: str = "wanderer", seed: int = 1, plies: int = 60) -> Plan:
    return Plan(a, b, ending(CLASSIC, plies=plies), Budget(nodes=50), seed)


def timeless(game: Game) -> Game:
    """A game without the times, which no two runs share."""
    record = game["record"]
    moves = [(act.get("seat"), act.get("move"), act.get("act")) for act in record["acts"]]
    kept = {key: value for key, value in game.items() if key not in ("seconds", "record")}
    return kept | {"moves made": moves, "deployments": record["deployments"], "secret": record["secret"]}


def by_number(games: list[Game]) -> dict[tuple[int, int], Game]:
    return {(game["pair"], game["half"]): timeless(game) for game in games}


def test_both_games_of_a_pair_have_the_same_armies_and_other_chairs() -> None:
    for number in range(3):
        first, second = play_pair(plan("wanderer", "peaceful"), number)
        assert first["record"]["deployments"] == second["record"]["deployments"]
        assert (first["red"], second["red"]) == ("a", "b")
        names = [[game["record"]["players"][seat]["name"] for seat in ("red", "blue")] for game in (first, second)]
        assert names == [["wanderer", "peaceful"], ["peaceful", "wanderer"]]
        assert first["record"]["secret"] != second["record"]["secret"]


def test_armies_come_from_both_sides_in_turn() -> None:
    """Side a sets up red in even pairs and blue in odd ones: `disorderly` cannot, and both its games end there."""
    for number, stands in ((0, {"red": False, "blue": False}), (1, {"red": True, "blue": False})):
        for game in play_pair(plan("disorderly", "wanderer"), number):
            assert game["faults"] == {"a": game["faults"]["a"]}
            assert game["faults"]["a"].startswith("too_few")
            assert game["score"] == 0.0
            assert {seat: army is not None for seat, army in game["record"]["deployments"].items()} == stands


def test_pairs_differ_and_repeat() -> None:
    first, again = ([timeless(game) for game in play_pair(plan(), 4)] for _ in range(2))
    assert first == again
    assert [timeless(game) for game in play_pair(plan(seed=2), 4)] != first
    assert [timeless(game) for game in play_pair(plan(), 5)] != first


def test_every_record_holds() -> None:
    for game in play_pair(plan("wanderer", "peaceful", plies=300), 0):
        record = read_record(canonical(game["record"]))
        referee = Referee.resume(record, 0)
        assert referee.result.word == game["result"]
        assert referee.reason.word == game["reason"]
        assert referee.ply == game["plies"]
        points = {"draw": 0.5, "red": 1.0, "blue": 0.0}[game["result"]]
        assert game["score"] == (points if game["red"] == "a" else 1.0 - points)


def test_the_same_games_in_one_process_and_in_two(tmp_path: Path) -> None:
    games = []
    for jobs in (1, 2):
        out = tmp_path / f"{jobs}.json"
        play_match(plan(), 8, jobs=jobs, out=out)
        games.append(by_number(json.loads(out.read_text())["records"]))
    assert games[0] == games[1]
    assert len(games[0]) == 8


def test_a_broken_match_goes_on_where_it_broke(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = tmp_path / "whole.json"
    play_match(plan(), 12, out=whole)
    broken = tmp_path / "deep" / "broken.json"
    broken.parent.mkdir()

    class Enough(Exception):
        pass

    def stop(game: Game) -> None:
        if (game["pair"], game["half"]) == (2, 0):
            raise Enough

    with pytest.raises(Enough):
        play_match(plan(), 12, out=broken, watch=stop)
    journal = broken.with_name("broken.json.part")
    assert not broken.exists()
    with journal.open("a") as file:
        file.write('{"pair": 77, "ha')  # the machine went down while it wrote
    played: list[tuple[int, tuple[int, ...]]] = []

    def watched(what: Plan, number: int, halves: tuple[int, ...]) -> list[Game]:
        played.append((number, halves))
        return play_pair(what, number, halves)

    monkeypatch.setattr(matches, "play_pair", watched)
    summary = play_match(plan(), 12, out=broken)
    assert played == [(2, (1,)), (3, (0, 1)), (4, (0, 1)), (5, (0, 1))]
    assert not journal.exists()
    first, second = (json.loads(path.read_text()) for path in (whole, broken))
    assert by_number(first["records"]) == by_number(second["records"])
    assert [game["pair"] for game in second["records"]] == [pair for pair in range(6) for _ in range(2)]
    assert summary["games"] == 12
    played.clear()
    assert play_match(plan(), 14, out=broken)["games"] == 14
    assert played == [(6, (0, 1))]
    played.clear()
    play_match(plan(), 14, out=broken)
    assert played == []


def test_another_match_is_not_continued(tmp_path: Path) -> None:
    out = tmp_path / "match.json"
    play_match(plan(), 2, out=out)
    for other in (plan(seed=2), plan("peaceful"), plan(plies=61)):
        with pytest.raises(NotAllowed) as caught:
            play_match(other, 2, out=out)
        assert caught.value.stable_code == "other_match"
    for text in ("", "[]", "{}", '{"records": 5}', "[" * 50_000):
        out.write_text(text)
        with pytest.raises(Unreadable):
            play_match(plan(), 2, out=out)
        assert out.read_text() == text


def test_the_summary_counts() -> None:
    def game(pair: int, half: int, score: float, reason: str, faults: dict[str, str]) -> Game:
        times = {"moves": {"a": 10, "b": 5}, "seconds": {"a": 1.0, "b": 0.25}}
        red = "ab"[half]
        told = {"pair": pair, "half": half, "red": red, "score": score, "reason": reason, "plies": 15, "faults": faults}
        return {**told, **times}

    told = summary_of(
        [game(0, 0, 1.0, "flag", {}), game(0, 1, 0.5, "limit", {}), game(1, 0, 0.0, "forfeit", {"a": "timeout"})]
    )
    assert (told["wins"], told["draws"], told["losses"], told["score"]) == (1, 1, 1, 0.5)
    assert told["reasons"] == {"flag": 1, "limit": 1, "forfeit": 1}
    assert told["seconds_per_move"] == {"a": pytest.approx(0.1), "b": pytest.approx(0.05)}
    assert told["faults"] == {"a": 1, "b": 0}
    assert told["first_mover"] == pytest.approx((1.0 + 0.5 + 0.0) / 3)  # won as Red, drawn as Blue, lost as Red
    assert told["decisive"] == pytest.approx(2 / 3)
    assert told["points"] == {
        "isf": {"a": 6 + 3 + 1, "b": 1 + 3 + 6},
        "team": {"a": 2 + 1 + 0, "b": 0 + 1 + 2},
        "contest": {"a": 3 + 2 - 1, "b": 1 + 2 + 3},
    }
    assert summary_of([])["interval"] == [0.0, 1.0]


def test_the_file_of_a_match(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "match.json"
    assert run("wanderer", "liar", games=4, variant="micro", seed=3, out=out) == 0
    form = json.loads(out.read_text())
    assert {"wins", "draws", "losses", "reasons", "score", "interval", "seconds_per_move", "faults"} <= set(form)
    assert form["wins"] + form["draws"] + form["losses"] == form["games"] == len(form["records"]) == 4
    assert Counter(game["reason"] for game in form["records"]) == Counter(form["reasons"])
    assert form["settings"]["digest"] == ending(MICRO).digest
    said = capsys.readouterr()
    assert said.out.startswith("wanderer against liar, micro: 4 games\n")
    assert said.err == ""


def test_bad_usage(capsys: pytest.CaptureFixture[str]) -> None:
    for odd in (0, 1, 7):
        assert run("wanderer", "wanderer", games=odd) == 2
    assert "even number" in capsys.readouterr().err
    for a, b in (("nobody", "wanderer"), ("wanderer", "chess:./program")):
        with pytest.raises(NotFound):
            run(a, b, games=2)
    with pytest.raises(NotFound):
        run("wanderer", "wanderer", games=2, variant="chess")


def abroad(name: str = "wanderer") -> str:
    """The command of a foreign program: a house player at the end of a pipe."""
    return shlex.join([sys.executable, "-c", f"from flagfall.wire import bot; bot.main({name!r})"])


def at_home(names: tuple[str, str], secret: bytes) -> list[str]:
    """The moves of a game between two house players that each set up for themselves."""
    terms = Terms(variant=plan(plies=20).variant, sitters=(Sitter(names[0]), Sitter(names[1])))
    players = [roster.seat(name, seat_seed(secret, seat)) for name, seat in zip(names, Seat, strict=True)]
    referee = Table(Referee(terms, secret=secret, now_ms=0), *players, now_ms=lambda: 0).play()
    return [act["move"] for act in referee.record().to_json()["acts"] if "move" in act]


def test_a_foreign_program_takes_a_chair() -> None:
    """The same player at home and at the end of a pipe plays the same games."""
    secrets = [bytes([number]) * 32 for number in (7, 8)]
    drawn = iter(secrets)
    games = play_pair(plan("wanderer", f"flagfall:{abroad()}", plies=20), 0, fresh=lambda size: next(drawn))
    assert [game["red"] for game in games] == ["a", "b"]
    assert [game["record"]["secret"] for game in games] == [secret.hex() for secret in secrets]
    assert [game["record"]["players"][seat]["sort"] for game, seat in zip(games, ("blue", "red"), strict=True)] == [
        "program"
    ] * 2
    for game, secret in zip(games, secrets, strict=True):
        made = [act["move"] for act in game["record"]["acts"] if "move" in act]
        assert made == at_home(("wanderer", "wanderer"), secret)
        assert len(made) == 20


def test_a_foreign_program_meets_no_army_twice_and_no_seed_that_can_be_found(tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    command = shlex.join(["sh", "-c", f"tee -a {shlex.quote(str(heard))} | {abroad()}"])
    what = plan("wanderer", f"flagfall:{command}", plies=8)
    games = play_pair(what, 0)
    armies = [game["record"]["deployments"][seat] for game in games for seat in ("red", "blue")]
    assert len(set(armies)) == 4
    asks = [json.loads(text) for text in heard.read_text().splitlines()]
    told = {ask["seed"] for ask in asks if ask["type"] == "ask"}
    own = {
        seat_seed(bytes.fromhex(game["record"]["secret"]), Seat.BLUE if game["red"] == "a" else Seat.RED).hex()
        for game in games
    }
    assert told == own
    assert len(told) == 2
    said = heard.read_text()
    for game in games:
        assert game["record"]["secret"] not in said
        assert not any(text and text in said for text in game["record"]["commitments"].values())
        house = game["record"]["deployments"]["red" if game["red"] == "a" else "blue"]
        assert house not in said


def test_the_file_tells_whose_armies_were_played(tmp_path: Path) -> None:
    assert (plan().settings()["armies"], plan().settings()["seed"]) == ("swapped", 1)
    abroad_too = plan("wanderer", "flagfall:/no/such/program")
    assert (abroad_too.settings()["armies"], abroad_too.settings()["seed"]) == ("own", None)
    again = [game["record"]["secret"] for _ in range(2) for game in play_pair(abroad_too, 0)]
    assert len(set(again)) == 4, "nothing follows from the seed"
    out = tmp_path / "match.json"
    play_match(abroad_too, 2, out=out)
    kept = json.loads(out.read_text())["records"]
    assert play_match(abroad_too, 4, out=out)["games"] == 4
    games = json.loads(out.read_text())["records"]
    assert games[:2] == kept
    assert len({game["record"]["secret"] for game in games}) == 4


def test_a_half_of_a_pair_goes_on_under_a_fresh_secret(tmp_path: Path) -> None:
    class Enough(Exception):
        pass

    def stop(game: Game) -> None:
        raise Enough

    out = tmp_path / "match.json"
    what = plan("flagfall:/no/such/program", "wanderer")
    with pytest.raises(Enough):
        play_match(what, 2, out=out, watch=stop)
    assert play_match(what, 2, out=out)["games"] == 2
    first, second = json.loads(out.read_text())["records"]
    assert (first["half"], second["half"]) == (0, 1)
    assert first["record"]["secret"] != second["record"]["secret"]


def test_a_folder_is_made_or_refused_before_any_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "new" / "deeper" / "match.json"
    assert play_match(plan(plies=10), 2, out=out)["games"] == 2
    assert [path.name for path in out.parent.iterdir()] == ["match.json"]
    monkeypatch.delattr(matches, "play_pair")
    (tmp_path / "file").touch()
    for bad in (tmp_path / "file" / "match.json", tmp_path / "new", Path("/proc/match.json")):
        with pytest.raises(NotAllowed) as caught:
            play_match(plan(), 2, out=bad)
        assert caught.value.stable_code == "not_writable"


def test_a_journal_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "match.json"
    head = json.dumps({"format": "flagfall-match-1", "settings": plan().settings()}).encode()
    for text in (b"\xff\xfe\n", b"[\n", head + b"\n5\n", head + b'\n{"pair": 0}\n', head + b"\n\xff"):
        journal = tmp_path / "match.json.part"
        journal.write_bytes(text)
        with pytest.raises(Unreadable) as caught:
            play_match(plan(), 2, out=out)
        assert caught.value.stable_code == "not_a_match"
        assert journal.read_bytes() == text


def test_a_program_that_is_not_there_loses_and_is_counted() -> None:
    told = summary_of(play_pair(plan("flagfall:/no/such/program", "wanderer"), 0))
    assert (told["losses"], told["faults"], told["reasons"]) == (2, {"a": 2, "b": 0}, {"forfeit": 2})


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_interrupt_keeps_the_games_and_leaves_nobody(tmp_path: Path, jobs: int) -> None:
    out = tmp_path / "match.json"
    script = (
        "import sys; from pathlib import Path; from flagfall.arena.match import run; "
        f"sys.exit(run('wanderer', 'wanderer', games=100_000, jobs={jobs}, out=Path(sys.argv[1])))"
    )
    journal = out.with_name("match.json.part")
    with subprocess.Popen(
        [sys.executable, "-c", script, str(out)], stderr=subprocess.PIPE, start_new_session=True
    ) as match:
        for _ in range(600):
            if journal.exists() and journal.read_text().count("\n") > 3:
                break
            time.sleep(0.1)
        os.killpg(match.pid, signal.SIGINT)  # as a terminal does
        assert match.stderr is not None
        said = match.stderr.read().decode()
        assert match.wait(timeout=30) == 130, said
    assert "flagfall: interrupted; the same command goes on from what match.json.part holds" in said
    assert "Traceback" not in said
    lines = journal.read_text().splitlines()
    assert len(lines) > 3
    assert all(json.loads(line) for line in lines)
    for _ in range(100):
        if not group_lives(match.pid):
            return
        time.sleep(0.1)
    pytest.fail("a process of the match is still there")


def group_lives(leader: int) -> bool:
    try:
        os.killpg(leader, 0)
    except ProcessLookupError:
        return False
    return True
