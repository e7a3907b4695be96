"""Games played again under the law of their day: every departure told by its clause, no game mended silently."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings

from flagfall.archive import formats, letters
from flagfall.archive.found import Army, Claim, Found, Kind
from flagfall.archive.gravon import LAW
from flagfall.archive.replaying import deployment_of, found_of, record_of, replayed
from flagfall.errors import Unreadable
from flagfall.play.reading import read_record
from flagfall.rules.board import Move, Seat, Square, parse_square
from flagfall.rules.catalog import CLASSIC
from flagfall.rules.deployment import Deployment
from flagfall.rules.events import Outcome, Reason, Result
from flagfall.rules.notation import parse_move
from flagfall.rules.pieces import Numbering, Rank, parse_rank
from tests.archive.games import PLACE, SEEDS, deployment, game

S = "BFB3332222 3B32222444 4555566667 778891BBBM".replace(" ", "").replace("1", "S")


def men(text: str) -> dict[Square, Rank]:
    """Men as `10@a1 9@e2 …`."""
    return {parse_square(at): parse_rank(rank) for rank, at in (word.split("@") for word in text.split())}


def moves(text: str) -> tuple[Move, ...]:
    return tuple(parse_move(word) for word in text.split())


def found(red: Army, blue: Army, played: str, claim: Claim | None = None, **law: object) -> Found:
    return Found(
        kind=Kind.GAME,
        format="test",
        place=PLACE,
        variant="custom",
        law={**LAW, **law},  # type: ignore[dict-item]
        armies=(red, blue),
        moves=moves(played),
        claim=claim or Claim(),
    )


def classic(played: str, claim: Claim, red: str = S, blue: str = S) -> Found:
    """A game of two whole armies."""
    armies = (
        Deployment.parse(red, CLASSIC, Seat.RED, Numbering.MODERN).ranks,
        Deployment.parse(blue, CLASSIC, Seat.BLUE, Numbering.MODERN).ranks,
    )
    return Found(
        kind=Kind.GAME,
        format="test",
        place=PLACE,
        variant="classic",
        law=LAW,
        armies=armies,
        moves=moves(played),
        claim=claim,
        date="2003-06-07",
    )


def told(game: Found) -> list[tuple[str, str, int | None]]:
    return [(note.code, note.clause, note.ply) for note in replayed(game).deviations]


SHUTTLE = "e4-e5 a7-a6 e5-e4 a6-a7 "


def test_old_games_are_played_under_a_limit_of_five() -> None:
    """R8.1: five crossings were allowed in their day, and the sixth was not."""
    start = men("5@e4 B@a1 F@b1"), men("5@a7 9@j10 F@i10")
    five = found(*start, " ".join((SHUTTLE * 3).split()[:9]))
    assert len(five.moves) == 9
    assert told(five) == []
    six = found(*start, "e4-e5 a7-a6 e5-e4 j10-j9 e4-e5 a6-a7 e5-e4 j9-j10 e4-e5 a7-a6 e5-e4")
    assert told(six) == [("two_square", "R8.2", 11)]
    assert told(replace(six, law={})) == [("two_square", "R8.2", 7)]


def test_a_chase_on_and_on_is_told_by_its_clause() -> None:
    """The ring round the left lake of R9.4: the thirteenth threat was barred then as now."""
    ring = (
        "a4-b4 b5-b6 b4-b5 b6-b7 b5-b6 b7-c7 b6-b7 c7-d7 b7-c7 d7-e7 c7-d7 e7-e6 d7-e7 e6-e5 e7-e6 e5-e4 e6-e5 e4-d4 "
        "e5-e4 d4-c4 e4-d4 c4-b4 d4-c4 b4-b5 c4-b4"
    )
    chased = found(men("10@a4 F@j1"), men("5@b5 F@j10"), ring)
    assert told(chased) == [("more_squares", "R9.2", 25)]
    assert replayed(chased).variant.law.more_squares == "off"
    assert len(replayed(chased).plies) == 25


def test_both_repetition_rules_are_told_with_how_often() -> None:
    start = men("5@e4 B@a1 F@b1"), men("5@a7 9@j10 F@i10")
    long = found(*start, " ".join([SHUTTLE.strip()] * 5))
    notes = replayed(long).deviations
    # Both men cross for the sixth time, and go on crossing.
    assert [(note.code, note.ply) for note in notes] == [("two_square", 11)]
    assert "10 such in all" in notes[0].sentence


def test_moves_after_the_end_are_told() -> None:
    """R11.1 under `immediate`, R11.3 for a limit: the game went on in its day."""
    start = men("9@e4 F@b1 B@a1"), men("5@e5 F@j10 B@i10")
    over = found(*start, "e4xe5 j10-j9", two_square_limit=3)
    with pytest.raises(Unreadable) as refused:
        replayed(over)
    assert (refused.value.stable_code, refused.value.params["ply"], refused.value.params["clause"]) == (
        "game_over",
        2,
        "R11.1",
    )
    limited = found(men("5@e4 F@b1"), men("5@a7 F@j10"), SHUTTLE, max_quiet_plies=2)
    assert told(limited) == [("moves_after_end", "R11.3", 3)]


@pytest.mark.parametrize(
    ("played", "code", "ply", "clause"),
    [
        ("e5-e6", "empty", 1, "R4"),
        ("a7-a6", "not_yours", 1, "R4"),
        ("b1-b2", "immobile", 1, "R5"),
        ("e4-e6", "geometry", 1, "R5"),
        ("e4-e5 a7-a6 e5xe5", "geometry", 3, "R5"),
    ],
)
def test_what_no_law_allows_is_refused_with_ply_and_clause(played: str, code: str, ply: int, clause: str) -> None:
    with pytest.raises(Unreadable) as refused:
        replayed(found(men("5@e4 F@b1"), men("5@a7 F@j10"), played))
    params = refused.value.params
    assert (refused.value.stable_code, params["ply"], params["clause"], params["file"]) == (code, ply, clause, "game")
    assert clause in str(refused.value)


def test_a_battle_that_ended_otherwise_is_told() -> None:
    """R6."""
    fight = found(men("9@e4 F@b1"), men("5@e5 9@j10 F@i10"), "e4xe5")
    right = {1: (Outcome.ATTACKER, Rank.GENERAL, Rank.LIEUTENANT)}
    wrong = {1: (Outcome.DEFENDER, Rank.GENERAL, Rank.LIEUTENANT)}
    assert told(replace(fight, battles=right)) == []
    assert told(replace(fight, battles=wrong)) == [("battle_differs", "R6", 1)]


@pytest.mark.parametrize(
    ("claim", "result", "reason", "notes"),
    [
        (Claim(Result.RED, "resigned"), Result.RED, Reason.RESIGNED, []),
        (Claim(Result.BLUE, "time"), Result.BLUE, Reason.FORFEIT, []),
        (Claim(Result.BLUE, "missing"), Result.BLUE, Reason.FORFEIT, []),
        (Claim(Result.DRAW, "agreed"), Result.DRAW, Reason.AGREED, []),
        (Claim(Result.DRAW, "period"), Result.DRAW, Reason.AGREED, [("kept_as_agreed", "R11.2")]),
        (Claim(Result.DRAW, "both_missing"), Result.DRAW, Reason.AGREED, [("kept_as_agreed", "R11.2")]),
        (Claim(Result.RED, "flag"), Result.RED, Reason.FORFEIT, [("result_differs", "R11.1")]),
        (Claim(Result.DRAW, "both_stuck"), Result.DRAW, Reason.AGREED, [("result_differs", "R11.1")]),
        (Claim(), Result.GOING, Reason.NONE, [("no_result", "R11")]),
    ],
)
def test_an_end_off_the_board_is_kept(
    claim: Claim, result: Result, reason: Reason, notes: list[tuple[str, str]]
) -> None:
    record, deviations = record_of(classic("a4-a5 j7-j6", claim))
    assert (record.result, record.reason) == (result, reason)
    assert [(note.code, note.clause) for note in deviations] == notes


def test_the_board_decides_where_it_ends_a_game_otherwise_than_the_file() -> None:
    """A flag in the front row, taken by a scout: R11.1."""
    flagged = "BMB3332222 3B32222444 4555566667 778891BBBF".replace(" ", "").replace("1", "S")
    # Blue's front row, left to right from his seat, ends with the flag on a7; Red's scout must come to it.
    scout = "BFB3332224 3B32222444 2555566667 778891BBBM".replace(" ", "").replace("1", "S")
    line = "a4-a5 j7-j6 a5-b5 j6-j7 a3-a4 j7-j6 a4xa7"
    taken = classic(line, Claim(Result.RED, "flag"), red=scout, blue=flagged)
    record, deviations = record_of(taken)
    assert (record.result, record.reason, deviations) == (Result.RED, Reason.FLAG, ())
    record, deviations = record_of(replace(taken, claim=Claim(Result.BLUE, "resigned")))
    assert (record.result, record.reason) == (Result.RED, Reason.FLAG)
    assert [(note.code, note.clause, note.ply) for note in deviations] == [("result_differs", "R11.1", 7)]


@settings(max_examples=20)
@given(SEEDS)
def test_a_record_of_an_import_is_a_record_like_any(seed: int) -> None:
    """It is read back by the reader of records, says what the file said, and is the same whoever reads it again."""
    one = game(seed)
    record, deviations = record_of(one)
    assert deviations == ()
    assert read_record(record.text()) == record
    assert found_of(record, PLACE).moves == one.moves
    elsewhere = replace(one, place=replace(PLACE, file="another"), format="other")
    assert record_of(elsewhere)[0].text() == record.text()
    assert record_of(replace(one, date="2001"))[0].text() != record.text()


def test_a_date_becomes_a_moment() -> None:
    record, _ = record_of(classic("a4-a5", Claim(Result.RED, "resigned")))
    assert record.terms.begun_ms == 1_054_944_000_000
    for odd in ("1931-02", "2003-02-31", "0000"):
        assert record_of(replace(classic("a4-a5", Claim(Result.RED, "resigned")), date=odd))[0].terms.begun_ms == 0


def test_a_game_that_lacks_something_is_not_replayed() -> None:
    (lost,) = formats.read(b"#X38FA11 Stratego-Notation v1\ntype 0\nEND\na vs b result 3 winner 0\n", "x.gsn")
    assert isinstance(lost, Found)
    with pytest.raises(Unreadable) as refused:
        record_of(lost)
    assert (refused.value.stable_code, refused.value.params["lacking"]) == ("cannot_replay", "no_field")


def test_armies_that_are_none_make_no_record() -> None:
    fragment = found(men("5@e4 F@b1"), men("5@a7 F@j10"), "e4-e5")
    for bad, code in (
        (fragment, "no_army"),
        (replace(fragment, variant="classic"), "too_few"),
        (replace(fragment, variant="no-such-game"), "unknown_variant"),
        (replace(fragment, armies=({}, {})), "no_army"),
        (replace(fragment, armies=(men("5@e4"), men("5@e4"))), "outside_board"),
        (replace(fragment, armies=(men("5@c5"), men("5@e4"))), "outside_board"),
        (replace(fragment, armies=({Square(3): Rank.UNKNOWN}, men("5@e4"))), "no_army"),
        (replace(fragment, armies=({Square(at): Rank.SCOUT for at in range(41)}, men("5@j10"))), "no_army"),
        (deployment(1), "cannot_replay"),
    ):
        with pytest.raises(Unreadable) as refused:
            record_of(bad)
        assert refused.value.stable_code == code
        assert refused.value.params["file"] == "game"


def test_a_deployment_is_checked_under_its_game() -> None:
    assert deployment_of(deployment(1, "barrage")).variant.name == "barrage"
    with pytest.raises(Unreadable) as refused:
        deployment_of(replace(deployment(1, "barrage"), variant="duel"))
    assert refused.value.stable_code == "too_few"
    with pytest.raises(Unreadable) as refused:
        deployment_of(game(1))
    assert refused.value.stable_code == "no_army"


def test_a_record_is_found_as_what_it_was() -> None:
    record, _ = record_of(classic("a4-a5", Claim(Result.RED, "resigned")))
    again = found_of(record, PLACE)
    assert (again.variant, again.law, again.date) == ("classic", LAW, "2003-06-07")
    assert (again.claim, again.record) == (Claim(Result.RED, "resigned"), record)
    assert record_of(again) == (record, ())
    bare = replace(record, deployments=(None, None))
    assert found_of(bare, PLACE).armies == (None, None)
    own = replace(record.terms.variant, name="own-game")
    assert found_of(replace(record, terms=replace(record.terms, variant=own)), PLACE).variant == "custom"


def test_recorded_games_come_through_every_format_of_games(shared: Path) -> None:
    """All recorded games of whole armies become records, and go to a format and back, to each in its turn."""
    lines = (shared / "conformance" / "games.jsonl").read_text(encoding="utf-8").splitlines()
    seen = 0
    for form in map(json.loads, lines):
        if form["variant"] not in ("classic", "barrage") or form["id"].startswith("synth"):
            continue
        armies = [letters_of(form[f"{seat.word}_setup"], seat) for seat in Seat]
        one = Found(
            kind=Kind.GAME,
            format="test",
            place=PLACE,
            variant=form["variant"],
            law={
                "two_square_limit": 3 if form["rules"]["two_square"] else None,
                "more_squares": "identity" if form["rules"]["continuous_chase"] else "off",
                "max_quiet_plies": form["rules"]["no_attack_limit"],
                "max_plies": form["rules"]["max_moves"],
                "limit_test": "more-than",
                "flag_beats_limit": False,
            },
            armies=(armies[0], armies[1]),
            moves=moves(" ".join("".join(pair) for pair in form["moves"])),
            claim=Claim(Result.RED, "resigned"),
        )
        record, notes = record_of(one)
        assert {note.code for note in notes} <= {"result_differs"}
        assert record.plies == len(form["moves"])
        name = ("strados2", "ataraxos-game", "gamesaver")[seen % 3]
        (again,) = formats.read(formats.write([one], formats.named(name)), "x")
        assert isinstance(again, Found)
        assert (again.armies, again.moves, again.variant) == (one.armies, one.moves, one.variant)
        seen += 1
    assert seen > 100


def letters_of(text: str, seat: Seat) -> Army:
    """The men of forty signs."""
    signs = {"F": Rank.FLAG, "B": Rank.BOMB, "S": Rank.SPY, "M": Rank.MARSHAL}
    own = {at: signs.get(sign) or Rank(int(sign)) for at, sign in enumerate(text) if sign != "."}
    assert len(text) == letters.ARMY
    return {Square(at if seat is Seat.RED else 99 - at): rank for at, rank in own.items()}
