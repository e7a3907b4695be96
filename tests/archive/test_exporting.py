"""Writing files in another format, from the front door too."""

from __future__ import annotations

from pathlib import Path

import pytest

from flagfall import cli
from flagfall.archive import exporting, formats
from flagfall.archive.found import Found, Refused
from flagfall.archive.replaying import record_of
from flagfall.errors import NotAllowed
from tests.archive.games import deployment, game, position

GAMES = [game(1), game(2), game(3, "barrage")]


@pytest.fixture
def saver(tmp_path: Path) -> Path:
    path = tmp_path / "games.msgpack"
    path.write_bytes(formats.write(GAMES, formats.named("gamesaver")))
    return path


def found_in(path: Path) -> list[Found | Refused]:
    return list(formats.read(path))


def test_games_become_records_and_go_out_again(tmp_path: Path) -> None:
    """Whoever reads the records finds the same games, with claims and players."""
    path = tmp_path / "records.jsonl"
    path.write_bytes(formats.write(GAMES, formats.named("record")))
    again = found_in(path)
    assert [one.record for one in again if isinstance(one, Found)] == [record_of(one)[0] for one in GAMES]
    told = exporting.export([path], formats.named("strados2"), tmp_path / "out")
    assert (told.written, told.files, dict(told.left_out)) == (3, 3, {})
    files = sorted((tmp_path / "out").iterdir())
    assert [file.name for file in files] == [f"records-00000{number}.xml" for number in (1, 2, 3)]
    for file, one in zip(files, GAMES, strict=True):
        (back,) = found_in(file)
        assert isinstance(back, Found)
        assert (back.moves, back.players, back.variant) == (one.moves, one.players, one.variant)


def test_one_record_and_a_broken_one_are_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    text = record_of(GAMES[0])[0].text()
    changed = text.replace('"at":0', '"at":1', 1)
    path.write_text(f"{text}\n{changed}\n{text[:50]}\n", encoding="utf-8")
    found = found_in(path)
    codes = [one.code if isinstance(one, Refused) else one.format for one in found]
    assert codes == ["record", "wrong_checksum", "not_json"]
    assert [one.place.line for one in found] == [1, 2, 3]
    for whole in (text, text + "\n"):
        path.write_text(whole, encoding="utf-8")
        assert [type(one) for one in found_in(path)] == [Found]
    path.write_text(text[:-10], encoding="utf-8")
    (cut,) = found_in(path)
    assert isinstance(cut, Refused)
    assert cut.code == "not_json"
    assert cut.place.column > 1


def test_a_game_without_a_result_gets_the_board_s(tmp_path: Path) -> None:
    """A game in numbers says nothing of its end; Gravon's file must."""
    long = next(one for seed in range(100) if (one := game(seed, "barrage", 2000)).claim.ending == "flag")
    bare = tmp_path / "bare.txt"
    bare.write_bytes(formats.write([long], formats.named("ataraxos-game")))
    assert exporting.export([bare], formats.named("strados2"), tmp_path / "out").written == 1
    (back,) = found_in(tmp_path / "out" / "bare-000001.xml")
    assert isinstance(back, Found)
    assert back.claim == long.claim


def test_the_file_of_a_match_is_read(tmp_path: Path) -> None:
    text = record_of(GAMES[0])[0].text()
    path = tmp_path / "match.json"
    path.write_text(f'{{"format":"flagfall-match-1","records":[{{"record":{text}}},{text},7]}}', encoding="utf-8")
    assert [type(one) for one in found_in(path)] == [Found, Found, Refused]


def test_a_file_is_written_whole_or_not_at_all(saver: Path, tmp_path: Path) -> None:
    out = tmp_path / "deep" / "records.jsonl"
    told = exporting.export([saver], formats.named("record"), out)
    assert (told.written, told.files) == (3, 1)
    before = out.read_bytes()
    with pytest.raises(NotAllowed) as refused:
        exporting.export([saver, saver], formats.named("record"), out)
    assert refused.value.stable_code == "exists"
    assert out.read_bytes() == before
    assert exporting.export([saver, saver], formats.named("record"), out, overwrite=True).written == 6
    assert [file.name for file in out.parent.iterdir()] == ["records.jsonl"]


def test_a_file_of_one_game_is_not_written_over(saver: Path, tmp_path: Path) -> None:
    """It may have come there while the games before it were written."""
    there = tmp_path / "out" / "games-000002.txt"
    there.parent.mkdir()
    there.write_text("mine", encoding="utf-8")
    with pytest.raises(NotAllowed) as refused:
        exporting.export([saver], formats.named("ataraxos-game"), there.parent)
    assert refused.value.stable_code == "exists"
    assert there.read_text(encoding="utf-8") == "mine"
    assert sorted(file.name for file in there.parent.iterdir()) == ["games-000001.txt", "games-000002.txt"]
    assert exporting.export([saver], formats.named("ataraxos-game"), there.parent, overwrite=True).files == 3
    assert there.read_text(encoding="utf-8") != "mine"


def test_what_a_format_cannot_say_is_left_out_and_told(tmp_path: Path) -> None:
    boards = tmp_path / "boards.txt"
    boards.write_bytes(formats.write([position(1)], formats.named("ataraxos-boards")) + b"nonsense\n")
    setups = tmp_path / "setups.txt"
    setups.write_bytes(formats.write([deployment(1), deployment(2, "barrage")], formats.named("setups")))
    told = exporting.export([boards, setups], formats.named("stg"), tmp_path / "x.stg")
    assert (told.written, dict(told.left_out)) == (1, {"not_in_this_format": 2, "board_length": 1})
    assert all(str(tmp_path) in sentence for sentence in told.told)
    assert len(told.told) == 3


def test_a_library_is_taken_out_of(saver: Path, tmp_path: Path) -> None:
    """Its games for a format of games, else its deployments as often as they occur."""
    setups = tmp_path / "setups.txt"
    setups.write_bytes(formats.write([deployment(99, count=3)], formats.named("setups")))
    assert cli.main(["import", str(saver), str(setups), "--to", str(tmp_path / "library")]) in (0, 1)
    told = exporting.export([tmp_path / "library"], formats.named("gamesaver"), tmp_path / "again.msgpack")
    assert (told.written, dict(told.left_out)) == (len(GAMES), {})
    again = [one for one in found_in(tmp_path / "again.msgpack") if isinstance(one, Found)]
    assert [(one.armies, one.moves) for one in again] == [(one.armies, one.moves) for one in GAMES]
    told = exporting.export([tmp_path / "library"], formats.named("setups"), tmp_path / "again.txt")
    armies = [one for one in found_in(tmp_path / "again.txt") if isinstance(one, Found)]
    assert (told.written, told.left_out) == (len(armies), {})
    assert {one.count for one in armies if one.armies == deployment(99).armies} == {3}
    (empty := tmp_path / "folder").mkdir()
    assert dict(exporting.export([empty], formats.named("record"), tmp_path / "x").left_out) == {"not_plain": 1}


def test_nothing_is_written_where_nothing_can_be(saver: Path, tmp_path: Path) -> None:
    with pytest.raises(NotAllowed) as refused:
        exporting.export([saver], formats.named("gsn"), tmp_path / "x")
    assert refused.value.stable_code == "read_only"
    with pytest.raises(NotAllowed) as refused:
        exporting.export([saver], formats.named("record"), saver / "below" / "x.jsonl")
    assert refused.value.stable_code == "not_writable"
    empty = tmp_path / "empty"
    empty.write_bytes(b"")
    told = exporting.export([empty], formats.named("record"), tmp_path / "none.jsonl")
    assert (told.written, dict(told.left_out)) == (0, {"unknown_format": 1})
    assert not (tmp_path / "none.jsonl").exists()


def test_the_front_door_exports(saver: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["export", str(saver), "--format", "ataraxos-game", "--to", str(tmp_path / "out")]) == 0
    assert "3 written" in capsys.readouterr().out
    assert cli.main(["export", str(saver)]) == cli.USAGE
    assert "strados2" in capsys.readouterr().out
    assert cli.main(["export", str(saver), "--format", "stg", "--to", str(tmp_path / "x.stg")]) == 1
    printed = capsys.readouterr()
    assert "left out: 3 not_in_this_format" in printed.out
    assert printed.err.count("\n") == 3
    assert cli.main(["export", str(saver), "--format", "nonsense", "--to", str(tmp_path / "x")]) == 1
    assert "unknown_format" in capsys.readouterr().err
