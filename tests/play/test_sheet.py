"""A game's sheet: text for people that holds all of a record; whatever else is read, or refused with its place."""

from __future__ import annotations

import contextlib
import json
from dataclasses import replace
from functools import cache
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flagfall.errors import Unreadable
from flagfall.play.record import Deed, Record
from flagfall.play.referee import Phase, Referee
from flagfall.play.sheet import NO_SECRET, sheet_text
from flagfall.play.sheet_reading import LONGEST_MS, read_sheet
from flagfall.rules.board import Seat
from flagfall.rules.catalog import CLASSIC, MICRO
from flagfall.rules.diagram_text import parse_diagram
from flagfall.rules.events import Reason, Result
from flagfall.rules.pieces import Numbering
from flagfall.rules.variant import Variant
from tests.play.games import SESSIONS, Session, session

NUMBERINGS = st.sampled_from(list(Numbering))


def played(game: Session, deeds: int) -> Record:
    """The record of a session after at most so many deeds."""
    for _ in range(deeds):
        if game.referee.phase is Phase.OVER:
            break
        game.turn()
    return game.referee.journal(game.now_ms)


@cache
def good() -> str:
    """The sheet of a finished game with talk and times."""
    return sheet_text(played(session(1), 400))


@settings(max_examples=40)
@given(SESSIONS, st.integers(0, 400), NUMBERINGS)
def test_a_sheet_holds_the_whole_record(game: Session, deeds: int, numbering: Numbering) -> None:
    """Finished or broken off: equal as an object, and byte for byte as JSON."""
    record = played(game, deeds)
    again = read_sheet(sheet_text(record, numbering))
    assert again == record
    assert again.text() == record.text()


@pytest.mark.parametrize("deeds", [1, 2, 3, 400])
def test_what_a_session_seldom_is(deeds: int) -> None:
    """A record of any date, of any name, written down long after its last deed, and without a secret."""
    record = played(session(8), deeds)
    names = ('a "b" \\ c', " ; ", "")
    for begun_ms, name in zip((0, LONGEST_MS, 253_402_300_799_999), names, strict=True):
        sitter = replace(record.terms.sitters[0], name=name)
        terms = replace(record.terms, begun_ms=begun_ms, sitters=(sitter, record.terms.sitters[1]))
        changed = replace(record, terms=terms, secret=NO_SECRET)
        if record.over:
            changed = replace(changed, elapsed_ms=record.elapsed_ms + 77)
        assert read_sheet(sheet_text(changed)).text() == changed.text()


SMALL = """flagfall-game-1
variant: micro
red army: F2SM
blue army: F2SM

; a remark
"""


def test_by_hand() -> None:
    """Nothing but the game and its plies: the rest has its usual value."""
    record = read_sheet(SMALL + "1. b1b3 c4-c3 ; another\n 3. b3{2}xc3")
    assert (record.result, record.plies, record.terms.game, record.secret) == (Result.GOING, 3, "game", NO_SECRET)
    assert [act.deed for act in record.acts[:2]] == [Deed.DEPLOY, Deed.DEPLOY]
    over = read_sheet(SMALL + "b1b3 blue:resign(1.5)")
    assert (over.result, over.reason, over.elapsed_ms) == (Result.RED, Reason.RESIGNED, 1500)
    assert Referee.resume(over, 0).phase is Phase.OVER
    assert read_sheet("\ufeff" + SMALL.replace("\n", "\r\n")).plies == 0


def test_original_numbers() -> None:
    """The miner of one set is the colonel of the other (R2); a deployment may say so by itself."""
    text = SMALL.replace("F2SM", "F9S1") + "b1{9}-b3"
    for way in (text.replace("variant: micro", "variant: micro\nnumbering: original"),
                text.replace("army: F9S1", "army: original: F9S1").replace("{9}", "{2}")):  # fmt: skip
        assert read_sheet(way).text() == read_sheet(SMALL + "b1b3").text()


def test_a_variant_of_no_catalogue_travels_whole() -> None:
    own = Variant(
        name="my-own", width=4, height=5, lakes=MICRO.lakes, home=MICRO.home, army=MICRO.army, reach=MICRO.reach
    )
    text = SMALL.replace("variant: micro", "variant: " + json.dumps(own.to_json()))
    record = read_sheet(text + "b1b3")
    assert record.terms.variant == own
    assert read_sheet(sheet_text(record)) == record


@pytest.mark.parametrize(
    ("text", "code", "line", "column"),
    [
        ("", "wrong_format", 1, 1),
        ("flagfall-game-2\n", "wrong_format", 1, 1),
        ("flagfall-game-1", "missing_field", 1, 1),
        ("flagfall-game-1\nvariant classic", "bad_line", 2, 1),
        ("flagfall-game-1\nvariant: draughts", "unknown_variant", 2, 10),
        ("flagfall-game-1\nvariant: {", "not_json", 2, 10),
        ("flagfall-game-1\nvariant: " + '{"a":' * 50_000, "not_json", 2, 10),
        ("flagfall-game-1\nvariant: {}", "bad_format", 2, 10),
        (SMALL.replace("micro", "micro\nvariant: micro"), "field_twice", 3, 1),
        (SMALL.replace("micro", "micro\ncolour: green"), "unknown_field", 3, 1),
        (SMALL.replace("micro", "micro\nlaw: tie=never"), "bad_switch", 3, 6),
        (SMALL.replace("micro", "micro\nlaw: tie=both  bribes=true"), "unknown_switch", 3, 16),
        (SMALL.replace("micro", "micro\nlaw: tie"), "bad_switch", 3, 6),
        (SMALL.replace("micro", "micro\ndigest: " + "0" * 64), "wrong_digest", 3, 9),
        (SMALL.replace("micro", "micro\ndigest: 0"), "bad_digest", 3, 9),
        (SMALL.replace("micro", "micro\nnumbering: dutch"), "bad_choice", 3, 12),
        (SMALL.replace("micro", "micro\nfirst: green"), "bad_choice", 3, 8),
        (SMALL.replace("micro", "micro\ngame: ../../etc/passwd"), "bad_game", 3, 7),
        (SMALL.replace("micro", "micro\nbegun: yesterday"), "bad_moment", 3, 8),
        (SMALL.replace("micro", "micro\nbegun: 1969-01-01"), "bad_moment", 3, 8),
        (SMALL.replace("micro", "micro\nbegun: 99999999999999999"), "bad_count", 3, 8),
        (SMALL.replace("micro", 'micro\nred: "x" robot'), "bad_sitter", 3, 6),
        (SMALL.replace("micro", 'micro\nred: "x'), "bad_sitter", 3, 6),
        (SMALL.replace("micro", 'micro\nred: "\\ud800" person'), "bad_sitter", 3, 6),
        (SMALL.replace("micro", 'micro\nred: "x" house, 5 apples'), "bad_sitter", 3, 6),
        (SMALL.replace("micro", "micro\nclock: hourglass"), "bad_clock", 3, 8),
        (SMALL.replace("micro", "micro\nclock: fischer, main 1 s"), "bad_clock", 3, 8),
        (SMALL.replace("micro", "micro\nclock: fischer, main x s"), "bad_seconds", 3, 8),
        (SMALL.replace("micro", "micro\nsecret: 00"), "bad_secret", 3, 9),
        (SMALL.replace("F2SM", "F2S", 1), "deployment_length", 3, 11),
        (SMALL.replace("F2SM", "F2SQ", 1), "deployment_sign", 3, 11),
        (SMALL.replace("F2SM", "F2SS", 1), "too_many", 3, 11),
        (SMALL + "e2-e4", "empty", 7, 1),
        (SMALL + "b1-b3 hello", "bad_ply", 7, 7),
        (SMALL + "b1-b3 c4-c3 b3-c3", "claim", 7, 13),
        (SMALL + "b1-b3\n c4xc3", "claim", 8, 2),
        (SMALL + "b1{10}-b3", "claim", 7, 1),
        (SMALL + "b1-b3 c4-c3 b3xc3+", "claim", 7, 13),
        (SMALL + "1. b1-b3 3. c4-c3", "ply_number", 7, 10),
        (SMALL + "a1-a2", "immobile", 7, 1),
        (SMALL + "b1-b3(1.2345)", "bad_seconds", 7, 1),
        (SMALL + "b1-b3(", "bad_seconds", 7, 1),
        (SMALL + "b1-b3 red:move", "bad_deed", 7, 7),
        (SMALL + "b1-b3 red:forfeit", "bad_deed", 7, 7),
        (SMALL + "b1-b3 both:resign", "bad_deed", 7, 7),
        (SMALL + "b1-b3 red:accept", "no_offer", 7, 7),
        (SMALL + "b1-b3 red:time", "time_not_up", 7, 7),
        (SMALL + "b1-b3 red:resign c4-c3", "game_over", 7, 18),
        (SMALL.replace("micro", "micro\nresult: red by flag") + "b1-b3", "record_differs", 3, 9),
        (SMALL.replace("micro", "micro\nelapsed: 1 s") + "b1-b3(2)", "record_differs", 3, 10),
        (SMALL.replace("red army", "; red army") + "b1-b3", "not_started", 7, 1),
    ],
)  # fmt: skip
def test_every_complaint_has_its_place(text: str, code: str, line: int, column: int) -> None:
    with pytest.raises(Unreadable) as caught:
        read_sheet(text)
    told = caught.value
    assert (told.stable_code, told.params["line"], told.params["column"]) == (code, line, column), str(told)
    assert str(told).startswith(f"line {line}, column {column}: ")


def refused_or_read(text: str) -> None:
    """Nothing but an error with a place leaves the reader, and what is read can be written and read again."""
    placed = True
    try:
        record = read_sheet(text)
    except Unreadable as error:
        placed = {"line", "column"} <= error.params.keys()
    else:
        assert read_sheet(sheet_text(record)) == record
    assert placed


@settings(max_examples=150)
@given(st.data())
def test_a_spoilt_sheet_is_read_or_refused(data: st.DataObject) -> None:
    """A piece cut out, doubled, or put in from nowhere, anywhere in a good sheet."""
    text = good()
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 30)))
    put = data.draw(
        st.sampled_from(["", text[start:end] * 2, "\n", ":", "(1)", "\x00", "\u2028"]) | st.text(max_size=9)
    )
    refused_or_read(text[:start] + put + text[end:])


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    for whole in (text, "flagfall-game-1\n" + text, SMALL + text):
        with contextlib.suppress(Unreadable):
            read_sheet(whole)


def test_what_is_too_long_is_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("flagfall.rules.heading.LONGEST_TEXT", 10)
    with pytest.raises(Unreadable, match="too long"):
        read_sheet(SMALL)


def test_a_type_comparing_law_replays() -> None:
    """A record of another house's law is read though no table here would play it (R9.6)."""
    text = SMALL.replace("micro", "micro\nlaw: more_squares=type") + "b1b3"
    assert sheet_text(read_sheet(text)).count("more_squares=type") == 1


def test_the_lot_may_set_up() -> None:
    """R12: an army that the lot set up is written down, and must be the lot's."""
    clock = "micro\nclock: fischer, main 9 s, add 1 s, setup 3 s, random-fill"
    only_red = SMALL.replace("micro", clock).replace("blue army: F2SM\n", "")
    record = read_sheet(sheet_text(read_sheet(SMALL.replace("micro", clock))))
    assert record.deployments[1] is not None
    with pytest.raises(Unreadable, match="not the one"):
        read_sheet(only_red + "blue:fill(3)")
    both = SMALL.replace("micro", clock)
    armies = ["".join(army) for army in permutations("F2SM")]
    fitting = [army for army in armies if _read(both.replace("blue army: F2SM", f"blue army: {army}") + "blue:fill(3)")]
    assert len(fitting) == 1
    text = both.replace("blue army: F2SM", f"blue army: {fitting[0]}") + "blue:fill(3)"
    assert read_sheet(sheet_text(read_sheet(text))) == read_sheet(text)


def _read(text: str) -> bool:
    try:
        read_sheet(text)
    except Unreadable:
        return False
    return True


@pytest.mark.parametrize(
    ("way", "kept"),
    [
        ("d1-d2 b3-a3 d2-d3 a3-b3 d3-c3 b3-b2 c3xc4/b1@b1", "c3{10}xc4{2}+/b1@b1"),
        ("c1-c2 b3-a3 c2-c3 a3-a2 c3xc4/b1@b1", "c3{1}xc4{2}-/b1@b1"),
    ],
)
def test_a_rescue_is_written_behind_its_ply(way: str, kept: str) -> None:
    """R13.2; the order stays on record where the attack that it went with failed."""
    text = SMALL.replace("micro", "micro\nlaw: rescues=2 max_plies=null") + f"b1-b3 a4-a3 b3xa3 a3-b3 {way}"
    record = read_sheet(text)
    assert kept in sheet_text(record)
    assert read_sheet(sheet_text(record)).text() == record.text()
    with pytest.raises(Unreadable) as caught:
        read_sheet(text.replace("/b1@b1", "/b1@a3"))
    assert caught.value.stable_code == "rescue"


def test_the_document_shows_what_is_read() -> None:
    """The texts of docs/notation.md are good ones."""
    document = (Path(__file__).parents[2] / "docs" / "notation.md").read_text(encoding="utf-8")
    game, position = (part.partition("```")[0] for part in document.split("```text\n")[1:])
    assert read_sheet(game).reason is Reason.FLAG
    assert parse_diagram(position).view().ply == 64


def test_the_first_player_may_be_blue() -> None:
    record = read_sheet(SMALL.replace("micro", "micro\nfirst: blue") + "1. c4-c3 blue:offer c1-c2")
    assert record.terms.first is Seat.BLUE
    assert record.acts[2].seat is Seat.BLUE
    assert CLASSIC.name not in sheet_text(record)
