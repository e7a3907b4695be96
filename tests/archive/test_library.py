"""The library: filed once whatever happens, whole files or nothing; every question answered as by hand."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flagfall import cli
from flagfall.archive import formats
from flagfall.archive.found import Found, Refused
from flagfall.archive.importing import bring_in, files_of
from flagfall.archive.library import Game, Library, Question
from flagfall.archive.likeness import WHOLE, cost, distance_from
from flagfall.archive.tables import FILE
from flagfall.errors import FlagfallError, NotAllowed, NotFound
from flagfall.play.reading import read_record
from flagfall.play.record import Record
from flagfall.play.referee import Phase
from flagfall.play.sheet import sheet_text
from flagfall.play.sheet_reading import read_sheet
from flagfall.rules.board import Seat
from flagfall.rules.catalog import CLASSIC
from flagfall.rules.deployment import Deployment
from flagfall.rules.events import Reason, Result
from tests.archive.games import army
from tests.play.games import SITTERS, session


def finished(number: int) -> Record:
    """A whole game with everything that can happen at a table, but for its being called off, for that stays closed."""
    game = session(number)
    while game.referee.phase is not Phase.OVER:
        game.turn()
    return finished(number + 1_000) if game.referee.reason is Reason.ABORTED else game.referee.record()


@pytest.fixture(scope="module")
def records() -> list[Record]:
    return [finished(number) for number in range(24)]


@pytest.fixture
def folder(tmp_path: Path, records: list[Record]) -> Path:
    """Files of many formats: records one and many to a file, a match, sheets, a list of deployments, and rubbish."""
    place = tmp_path / "files"
    (place / "deep" / "[red]deeper[/]").mkdir(parents=True)
    for number, record in enumerate(records[:8]):
        (place / f"{number}.json").write_text(record.text())
    (place / "many.jsonl").write_text("".join(record.text() + "\n" for record in records[6:14]))
    match = {"format": "flagfall-match-1", "records": [{"record": record.to_json()} for record in records[14:18]]}
    (place / "deep" / "match.json").write_text(json.dumps(match))
    (place / "deep" / "[red]deeper[/]" / "sheets.txt").write_text("\n".join(map(sheet_text, records[16:])))
    signs = [Deployment(CLASSIC, Seat.RED, army("classic", Seat.RED, Random(seed))).text() for seed in range(5)]
    (place / "list.txt").write_text("".join(f"{text} {seed + 1}\n" for seed, text in enumerate(signs)))
    (place / "rubbish.bin").write_bytes(b"\x00\x01 [bold]nothing[/bold]")
    (place / "cut.json").write_text(records[0].text()[:-40])
    (place / "running.json").write_text(unfinished().text())
    return place


def unfinished() -> Record:
    game = session(3)
    game.turn()
    return game.referee.journal(game.now_ms)


def dump(library: Path) -> list[tuple[object, ...]]:
    """Everything in a library that does not depend on the order in which its files were read."""
    with closing(sqlite3.connect(f"file:{library / FILE}?mode=ro", uri=True)) as base:
        said: list[tuple[object, ...]] = []
        for query in (
            "SELECT digest, name, deployments, passed, refused FROM files",
            "SELECT mark, variant, red, blue, result, reason, plies, begun_ms, record FROM games",
            "SELECT variant, board, signs, listed FROM armies",
            "SELECT code, sentence FROM refusals",
        ):
            said += sorted(base.execute(query).fetchall())
        return said


def test_a_folder_is_filed_once(tmp_path: Path, folder: Path, records: list[Record]) -> None:
    with Library.open(tmp_path / "library", make=True) as library:
        first = bring_in(library, files_of([folder]))
        before = dump(tmp_path / "library")
        assert (first.tally.games, first.tally.again, first.tally.deployments) == (24, 4, 5)
        assert first.tally.refused == {"unknown_format": 1, "not_json": 1, "not_over": 1}
        again = bring_in(library, files_of([folder]))
        assert (again.files, again.skipped) == (0, first.files)
        assert dump(tmp_path / "library") == before
        (folder / "other.json").write_text(records[3].text() + "\n")
        third = bring_in(library, files_of([folder]))
        assert (third.files, third.tally.games, third.tally.again) == (1, 0, 1)
        assert sorted(record.text() for record in library.records(Question())) == sorted(
            record.text() for record in records
        )


def test_files_are_private(tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """DESIGN, secrecy wall 8; and no folder of somebody's own is closed by mistake."""
    place = tmp_path / "new" / "library"
    with Library.open(place, make=True) as library:
        bring_in(library, [folder / "0.json"])
        assert stat.S_IMODE(place.stat().st_mode) == 0o700
        assert {stat.S_IMODE(path.stat().st_mode) for path in place.iterdir()} == {0o600}
    mode = folder.stat().st_mode
    with pytest.raises(NotAllowed) as caught:
        Library.open(folder, make=True)
    assert caught.value.stable_code == "not_a_library"
    assert folder.stat().st_mode == mode
    with pytest.raises(NotFound):
        Library.open(tmp_path / "none")
    (tmp_path / "linked").mkdir()
    (tmp_path / "linked" / FILE).symlink_to(place / FILE)
    with pytest.raises(NotAllowed) as caught:
        Library.open(tmp_path / "linked")
    assert caught.value.stable_code == "not_a_file"
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    with pytest.raises(NotAllowed) as caught:
        Library.open(place)
    assert caught.value.stable_code == "foreign_owner"


def test_another_database_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"no database" * 100)
    with pytest.raises(FlagfallError) as caught:
        Library.open(tmp_path, make=True)
    assert caught.value.stable_code == "library_unusable"
    (tmp_path / FILE).unlink()
    with closing(sqlite3.connect(tmp_path / FILE)) as base:
        base.execute("CREATE TABLE mine (x)")
    with pytest.raises(FlagfallError) as caught:
        Library.open(tmp_path, make=True)
    assert caught.value.stable_code == "library_unusable"


def test_a_reader_that_fails_leaves_nothing_of_its_file(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rest of the batch is read, and the file itself at the next import."""
    read = formats.read

    def failing(path: Path) -> Iterator[Found | Refused]:
        for number, one in enumerate(read(path)):
            if path.name == "many.jsonl" and number == 5:
                raise RecursionError
            yield one

    with Library.open(tmp_path / "library", make=True) as library:
        with monkeypatch.context() as patch:
            patch.setattr(formats, "read", failing)
            report = bring_in(library, [folder / "many.jsonl", folder / "0.json"])
        assert (report.tally.games, report.tally.refused) == (1, {"reader_failed": 1})
        assert library.sums() == {"files": 1, "games": 1, "deployments": 2, "refusals": 0}
        assert bring_in(library, [folder / "many.jsonl"]).tally.games == 8


def test_killed_in_the_middle(tmp_path: Path) -> None:
    """`kill -9` while files are being filed; the next import goes on, and the end is as if nothing had been."""
    place = tmp_path / "files"
    place.mkdir()
    for number in range(40):
        text = "".join(finished(number * 2 + more).text() + "\n" for more in range(2))
        (place / f"{number:03}.jsonl").write_text(text)
    library = tmp_path / "library"
    words = [sys.executable, "-m", "flagfall", "import", str(place), "--to", str(library)]
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    filed = 0
    end = time.monotonic() + 90
    while filed < 5 and process.poll() is None and time.monotonic() < end:
        time.sleep(0.005)
        filed = count(library)
    process.send_signal(signal.SIGKILL)
    process.wait()
    killed = count(library)
    assert 5 <= killed < 40
    with closing(sqlite3.connect(library / FILE)) as base:
        assert base.execute("SELECT count(*) FROM games").fetchone()[0] == 2 * killed
        assert base.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
    done = subprocess.run([*words, "--json"], capture_output=True, check=True)
    told = json.loads(done.stdout)
    assert (told["skipped"], told["files"], told["games"]) == (killed, 40 - killed, 80 - 2 * killed)
    with Library.open(tmp_path / "clean", make=True) as clean:
        bring_in(clean, files_of([place]))
    assert dump(library) == dump(tmp_path / "clean")


def test_imports_at_the_same_time_share_the_files_out(tmp_path: Path) -> None:
    """Two processes make one library and file the same folder: each file is filed once, and neither fails."""
    place = tmp_path / "files"
    place.mkdir()
    for number in range(12):
        (place / f"{number:03}.jsonl").write_text(finished(number).text() + "\n")
    words = [sys.executable, "-m", "flagfall", "import", str(place), "--to", str(tmp_path / "library"), "--json"]
    processes = [subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(2)]
    told = []
    for process in processes:
        out, err = process.communicate(timeout=120)
        assert process.returncode == 0, err
        told.append(json.loads(out))
    assert all(each["files"] + each["skipped"] == 12 for each in told)
    assert sum(each["games"] for each in told) == sum(each["files"] for each in told) == 12
    with Library.open(tmp_path / "clean", make=True) as clean:
        bring_in(clean, files_of([place]))
    assert dump(tmp_path / "library") == dump(tmp_path / "clean")


def test_broken_off_by_hand(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ctrl-C ends an import in one sentence, with whole files kept."""
    read = formats.read

    def stopped(path: Path) -> Iterator[Found | Refused]:
        for number, one in enumerate(read(path)):
            if path.name == "many.jsonl" and number == 3:
                raise KeyboardInterrupt
            yield one

    with monkeypatch.context() as patch:
        patch.setattr(formats, "read", stopped)
        assert cli.main(["import", str(folder), "--to", str(tmp_path / "library")]) == 130
    assert "goes on from there" in capsys.readouterr().err
    with Library.open(tmp_path / "library") as library:
        kept = library.sums()["files"]
        assert kept > 0
        report = bring_in(library, files_of([folder]))
        assert (report.skipped, library.sums()["games"]) == (kept, 24)


def test_progress_is_told_within_a_file(tmp_path: Path, records: list[Record]) -> None:
    (tmp_path / "games.jsonl").write_text("".join(record.text() + "\n" for record in 3 * records))
    heard: list[int | None] = []
    with Library.open(tmp_path / "library", make=True) as library:
        bring_in(
            library,
            [tmp_path / "games.jsonl"],
            lambda _, inside: heard.append(None if inside is None else inside.games),
        )
    assert heard == [24, 24, None]


def count(library: Path) -> int:
    """How many files a library holds, as another process sees it; 0 before it is there."""
    try:
        with closing(sqlite3.connect(f"file:{library / FILE}?mode=ro", uri=True)) as base:
            return int(base.execute("SELECT count(*) FROM files").fetchone()[0])
    except sqlite3.Error:
        return 0


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory, records: list[Record]) -> Iterator[Library]:
    """A library of the games and of some hundred deployments."""
    place = tmp_path_factory.mktemp("full")
    (place / "games.jsonl").write_text("".join(record.text() + "\n" for record in records))
    armies = [Deployment(CLASSIC, Seat.RED, army("classic", Seat.RED, Random(seed))) for seed in range(150)]
    (place / "list.txt").write_text("".join(f"{one.text()} {seed + 1}\n" for seed, one in enumerate(armies)))
    with Library.open(place / "library", make=True) as library:
        bring_in(library, [place / "games.jsonl", place / "list.txt"])
        yield library


@settings(max_examples=60)
@given(data=st.data())
def test_games_are_found_as_by_hand(full: Library, records: list[Record], data: st.DataObject) -> None:
    """By variant, player, result, reason, length and opening deployment, alone and together."""
    some = data.draw(st.sampled_from(records))
    maybe = st.booleans()
    seat = data.draw(st.sampled_from(list(Seat)))
    opening = some.deployments[seat] if data.draw(maybe) else None
    if opening is not None and data.draw(maybe):
        opening = opening.mirror()
    within = data.draw(st.sampled_from((0, 0, 1.5, 4)))
    question = Question(
        variant=some.terms.variant.name if data.draw(maybe) else None,
        player=some.terms.sitters[seat].name if data.draw(maybe) else None,
        result=some.result.word if data.draw(maybe) else None,
        reason=some.reason.word if data.draw(maybe) else None,
        opening=opening,
        within=within,
        least_plies=some.plies - data.draw(st.sampled_from((0, 3))) if data.draw(maybe) else None,
        most_plies=some.plies + data.draw(st.sampled_from((0, 3))) if data.draw(maybe) else None,
    )
    found = full.games(question)
    assert full.count(question) == len(found)
    assert [full.record(game.id).text() for game in found] == [
        record.text() for record in records if answers(record, question)
    ]


def answers(record: Record, question: Question) -> bool:
    """Whether a record is one of those asked for."""
    named = {sitter.name for sitter in record.terms.sitters}
    wanted = [
        question.variant in (None, record.terms.variant.name),
        question.player is None or question.player in named,
        question.result in (None, record.result.word),
        question.reason in (None, record.reason.word),
        question.least_plies is None or record.plies >= question.least_plies,
        question.most_plies is None or record.plies <= question.most_plies,
    ]
    if question.opening is not None:
        same = [one for one in record.deployments if one and one.variant.name == question.opening.variant.name]
        near = [apart(question.opening, one) <= question.within * WHOLE for one in same]
        wanted.append(any(near))
    return all(wanted)


def apart(one: Deployment, two: Deployment) -> int:
    """The distance of two deployments, square by square, without a table."""

    def laid(other: str) -> int:
        return sum(cost(mine, theirs) for mine, theirs in zip(one.text(), other, strict=True))

    return min(laid(two.text()), laid(two.mirror().text()))


@settings(max_examples=25)
@given(seed=st.integers(0, 400), changes=st.integers(0, 6), mirrored=st.booleans())
def test_likeness_finds_the_nearest(full: Library, seed: int, changes: int, mirrored: bool) -> None:
    """Mirror aware: the army itself is found at its distance, and nothing nearer is left out."""
    chance = Random(seed)
    ranks = dict(army("classic", Seat.RED, chance))
    for _ in range(changes):
        one, two = chance.sample(list(ranks), 2)
        ranks[one], ranks[two] = ranks[two], ranks[one]
    asked = Deployment(CLASSIC, Seat.RED, ranks)
    asked = asked.mirror() if mirrored else asked
    found = full.like(asked, 20)
    everyone = [Deployment.parse(one.signs, CLASSIC, Seat.RED) for one in full.deployments("classic")]
    distances = sorted(apart(asked, one) for one in everyone)
    assert [round(one.distance * WHOLE) for one in found] == distances[:20]
    if seed < 150:
        assert found[0].distance <= 2 * changes
    for near in found:
        assert distance_from(asked)(near.signs) == (round(near.distance * WHOLE), near.mirrored)


@settings(max_examples=60)
@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_the_measure(one_seed: int, two_seed: int) -> None:
    """Nothing from itself and its mirror image, the same both ways, the same for both seats."""
    one = Deployment(CLASSIC, Seat.RED, army("classic", Seat.RED, Random(one_seed)))
    two = Deployment(CLASSIC, Seat.RED, army("classic", Seat.RED, Random(two_seed)))
    assert distance_from(one)(one.text()) == (0, False)
    assert distance_from(one)(one.mirror().text())[0] == 0
    assert distance_from(one)(two.text())[0] == distance_from(two)(one.text())[0] == apart(one, two)
    assert distance_from(one.for_seat(Seat.BLUE))(two.text()) == distance_from(one)(two.text())


def test_a_row_says_what_the_record_says(full: Library, records: list[Record]) -> None:
    for game, record in zip(full.games(Question()), records, strict=True):
        terms = record.terms
        assert game == Game(
            game.id, terms.variant.name, terms.sitters[0].name, terms.sitters[1].name, record.result.word,
            record.reason.word, record.plies, terms.begun_ms, "record", game.place,
        )  # fmt: skip
    with pytest.raises(NotFound):
        full.record(10**9)
    with pytest.raises(NotFound):
        full.record(-1)


def test_what_became_of_each(full: Library) -> None:
    """Deployments know how often they were listed and played; a mirror image is another row."""
    rows = full.deployments()
    assert sum(row.listed for row in rows) == sum(range(1, 151))
    assert sum(row.played for row in rows) == 2 * len(full.games(Question()))
    assert [row.listed + row.played for row in rows] == sorted((row.listed + row.played for row in rows), reverse=True)


def test_lists_add_up(tmp_path: Path) -> None:
    """A deployment of two lists, and twice in one, has the sum of their numbers."""
    signs = Deployment(CLASSIC, Seat.RED, army("classic", Seat.RED, Random(1))).text()
    (tmp_path / "a.txt").write_text(f"{signs} 3\n{signs} 4\n")
    (tmp_path / "b.txt").write_text(f"{signs} 5\n")
    with Library.open(tmp_path / "library", make=True) as library:
        bring_in(library, [tmp_path / "a.txt", tmp_path / "b.txt"])
        assert [(row.signs, row.listed) for row in library.deployments()] == [(signs, 12)]


def test_unfinished_sheets_are_told(tmp_path: Path) -> None:
    """What somebody wrote by hand may have no end; a sheet without an army is no game."""
    broken = sheet_text(unfinished())
    whole = "flagfall-game-1\nvariant: micro\nred army: F2SM\nblue army: F2SM\n\nb1b3\n"
    (tmp_path / "a.txt").write_text(broken + "\n" + whole)
    with Library.open(tmp_path / "library", make=True) as library:
        report = bring_in(library, [tmp_path / "a.txt"])
        assert (report.tally.games, report.tally.refused, report.tally.deviations) == (1, {"no_army": 1}, {"R11": 1})
        assert library.games(Question(result=Result.GOING.word))[0].plies == 1
        assert "no_result" in library.notes(1)[0]


def test_the_commands(tmp_path: Path, folder: Path, records: list[Record], capsys: pytest.CaptureFixture[str]) -> None:
    """Every command, as text and as JSON; what a file's name holds is no markup."""
    place = str(tmp_path / "library")
    assert cli.main(["import", str(folder), "--to", place]) == 0
    said = capsys.readouterr().out
    assert "games filed" in said
    assert "refused: not_over" in said
    assert cli.main(["import", str(folder), "--to", place, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["games"] == 0
    assert cli.main(["import", str(folder / "rubbish.bin"), "--to", str(tmp_path / "second")]) == 1
    capsys.readouterr()
    assert cli.main(["library", "games", place, "--limit", "3"]) == 0
    assert "3 of 24 games" in capsys.readouterr().out
    assert cli.main(["library", "games", place, "--player", "level-5", "--result", "red", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    meant = [record for record in records if record.result is Result.RED and SITTERS[1] in record.terms.sitters]
    assert told["count"] == len(told["games"]) == len(meant) > 0
    assert cli.main(["library", "show", place, "1"]) == 0
    shown = read_sheet(capsys.readouterr().out)
    assert cli.main(["library", "show", place, "1", "--json"]) == 0
    assert read_record(capsys.readouterr().out) == shown
    assert cli.main(["library", "show", place, "999"]) == 1
    assert "no_such_game" in capsys.readouterr().err
    signs = Deployment(CLASSIC, Seat.RED, army("classic", Seat.RED, Random(3))).mirror().text()
    assert cli.main(["library", "deployments", place, "--like", signs, "--limit", "1"]) == 0
    assert "0.00 mirrored" in capsys.readouterr().out
    assert cli.main(["library", "deployments", place, "--variant", "classic", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["listed"] == 5
    assert cli.main(["library", "refused", place, "--json"]) == 0
    assert {row["code"] for row in json.loads(capsys.readouterr().out)} == {"unknown_format", "not_json", "not_over"}
    assert cli.main(["library", "games", place, "--opening", "Q"]) == 1
    assert "deployment_length" in capsys.readouterr().err


def test_conformance_games_are_filed(shared: Path, tmp_path: Path) -> None:
    """Of the recorded games all but those of two odd armies, each as it was played."""
    with Library.open(tmp_path / "library", make=True) as library:
        report = bring_in(library, [shared / "conformance" / "games.jsonl"])
        lines = (shared / "conformance" / "games.jsonl").read_text().splitlines()
        wanted = [form for form in map(json.loads, lines) if form["variant"] != "custom"]
        assert (report.tally.games, report.tally.refused) == (len(wanted), {"no_army": len(lines) - len(wanted)})
        assert [game.plies for game in library.games(Question())] == [len(form["moves"]) for form in wanted]
        ends = [form["expect"].get("result") for form in wanted]
        for game, end in zip(library.games(Question()), ends, strict=True):
            assert end in (None, game.result)
