"""Gravon's two kinds of game files, with the defects that old ones are known for (R14.2)."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest

from flagfall.archive import formats, gravon, gsn, letters
from flagfall.archive.found import Claim, Found, Refused
from flagfall.archive.replaying import record_of
from flagfall.rules.board import Seat
from flagfall.rules.events import Result
from flagfall.rules.notation import move_text
from flagfall.rules.pieces import Rank
from tests.archive.games import both, game

FIELD = letters.field_text(*both("classic", Random(5)))
HEAD = "\ufeff#X38FA11 Stratego-Notation v1"
RESULT = "Anna vs Bernd result 3 winner 0"


def gsn_text(*lines: str, head: str = HEAD, field: str | None = FIELD, kind: str = "type 0") -> bytes:
    rows = [head, kind, *([field] if field is not None else []), *lines]
    return "\r\n".join([*rows, ""]).encode()


def one(data: bytes, name: str) -> Found:
    (found,) = formats.read(data, name)
    assert isinstance(found, Found), found
    return found


def refused(data: bytes, name: str) -> Refused:
    (found,) = formats.read(data, name)
    assert isinstance(found, Refused), found
    return found


def codes(found: Found) -> list[str]:
    return [note.code for note in found.deviations]


def xml(*rows: str, kind: str = "classic", field: str | None = FIELD, result: str = 'type="3" winner="1"') -> bytes:
    """A file as the server wrote it: spaces round signs and all."""
    content = "" if field is None else f'<field content="{field}"/>'
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<stratego>\n'
        f' <game type = "{kind}">\n {content}\n {"".join(rows)}\n'
        f' <player id ="1">Anna &amp; Co</player>\n <player id ="2">Bernd</player>\n <result {result}/>\n'
        " </game>\n</stratego>\n"
    ).encode()


def moved(source: str, target: str, number: int = 1) -> str:
    return f'<move id="{number}" source="{source}" target="{target}"/>\n'


# --- the older files ---------------------------------------------------------------------------------------------


def test_an_old_file_is_read() -> None:
    found = one(gsn_text("A4-A5", "K7-K6", "END", RESULT), "classic.2003.06.07.505.gsn")
    assert [move_text(move) for move in found.moves] == ["a4-a5", "j7-j6"]
    assert (found.variant, found.players, found.date) == ("classic", ("Anna", "Bernd"), "2003-06-07")
    assert found.claim == Claim(Result.RED, "resigned")
    assert letters.field_text(found.armies[0] or {}, found.armies[1] or {}) == FIELD
    assert found.law == {"two_square_limit": 5, "stuck_check": "on_turn"}
    assert found.deviations == ()


@pytest.mark.parametrize("tenth", [":", "0", "X", "10", "x"])
def test_four_spellings_of_the_tenth_row_are_read(tenth: str) -> None:
    found = one(gsn_text(f"A9-A{tenth}", "END", RESULT), "x.gsn")
    assert [move_text(move) for move in found.moves] == ["a9-a10"]


def test_a_file_with_two_ends_keeps_all_its_moves_and_says_so() -> None:
    found = one(gsn_text("A4-A5", "END", RESULT, "K7-K6", "END", "Anna vs Bernd result 4 winner 2"), "x.gsn")
    assert [move_text(move) for move in found.moves] == ["a4-a5", "j7-j6"]
    assert codes(found) == ["lines_after_end", "end_twice", "two_results"]
    assert found.claim == Claim(Result.RED, "resigned")
    assert [note.clause for note in found.deviations] == ["R14.2"] * 3
    assert [note.place and note.place.line for note in found.deviations] == [7, 8, 9]


def test_lines_after_the_end_are_taken_in_their_order() -> None:
    found = one(gsn_text("A4-A5", "END", RESULT, "K7-K6", "A5-A6"), "x.gsn")
    assert [move_text(move) for move in found.moves] == ["a4-a5", "j7-j6", "a5-a6"]
    assert codes(found) == ["lines_after_end"]


def test_a_missing_field_is_told() -> None:
    found = one(gsn_text("END", RESULT, field=None), "x.gsn")
    assert (found.armies, codes(found)) == ((None, None), ["no_field"])
    assert codes(one(gsn_text("A4-A5", "END", RESULT, field=None), "x.gsn")) == ["no_field"]


def test_a_rescue_is_told_and_not_taken_for_a_move() -> None:
    found = one(gsn_text("A4-A5", "K7:M", "END", RESULT, kind="type 3"), "x.gsn")
    assert (found.variant, len(found.moves)) == ("ultimate-lightning", 1)
    assert [(note.code, note.clause, note.ply) for note in found.deviations] == [("rescue", "R13.2", 2)]


def test_the_file_j_is_taken_for_k_and_told_once() -> None:
    found = one(gsn_text("J4-J5", "J7-J6", "END", RESULT), "x.gsn")
    assert [move_text(move) for move in found.moves] == ["j4-j5", "j7-j6"]
    assert codes(found) == ["file_j"]


@pytest.mark.parametrize(
    ("data", "code", "line", "column"),
    [
        (gsn_text("END", RESULT, head="#X38FA11 Stratego-Notation v3"), "bad_head", 1, 1),
        (gsn_text("END", RESULT, kind="type 7"), "unknown_type", 2, 1),
        (gsn_text("END", RESULT, field=FIELD[:-1]), "field_length", 3, 1),
        (gsn_text("END", RESULT, field="Z" + FIELD[1:]), "bad_letter", 3, 1),
        (gsn_text("END", RESULT, field=FIELD[:42] + "A" + FIELD[43:]), "bad_lake", 3, 43),
        (gsn_text("A4-A5", "A4 A5", "END", RESULT), "bad_line", 5, 1),
        (gsn_text("END", "Anna vs Bernd result 3 winner 7"), "bad_result", 5, 1),
        (gsn_text("A4-A5"), "unfinished", 4, 0),
        (gsn_text("A4-A5", "END"), "unfinished", 5, 0),
        (gsn_text("END", RESULT).replace(b"Anna", b"An\xffna"), "wrong_encoding", 5, 3),
        (gsn_text("END", RESULT).replace(b"Anna", b"An\x00na"), "not_text", 5, 3),
        (b"", "bad_head", 1, 1),
    ],
)
def test_a_bad_old_file_is_refused_at_its_place(data: bytes, code: str, line: int, column: int) -> None:
    found = refused(data, "bad.gsn")
    assert (found.code, found.place.line, found.place.column) == (code, line, column)
    assert str(found.error).startswith(f"bad.gsn:{line}")


def test_a_game_of_too_many_plies_is_refused() -> None:
    found = refused(gsn_text(*["A4-A5", "K7-K6"] * 10_001, "END", RESULT), "x.gsn")
    assert (found.code, found.place.line) == ("too_many_plies", 20_004)


# --- the newer files ---------------------------------------------------------------------------------------------


def test_a_newer_file_is_read() -> None:
    found = one(xml(moved("A4", "A5"), moved("K7", "K6", 2)), "classic-2005.5-2105.xml")
    assert [move_text(move) for move in found.moves] == ["a4-a5", "j7-j6"]
    assert (found.players, found.date, found.deviations) == (("Anna & Co", "Bernd"), "2005-05", ())
    assert found.claim == Claim(Result.RED, "resigned")


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("classic", "classic"),
        ("barrage", "barrage"),
        ("classicfree", "free"),
        ("ultimate lightning", "ultimate-lightning"),
        ("duell", "duel"),
    ],
)
def test_every_type_has_its_game(word: str, name: str) -> None:
    assert one(xml(kind=word), "x.xml").variant == name


@pytest.mark.parametrize("name", gravon.TYPES.values())
def test_every_type_of_game_is_played_again(name: str) -> None:
    """Each under the law of its day, and written as it was read."""
    for seed in range(5):
        found = replace(game(seed, name, 200), law=gravon.LAW)
        again = one(formats.write([found], formats.named("strados2")), "x.xml")
        record, notes = record_of(again)
        assert (record.terms.variant.name, record.terms.variant.law.two_square_limit) == (name, 5)
        assert notes == ()
        assert record.plies == len(found.moves)


def test_a_smaller_army_of_the_free_set_up_is_played() -> None:
    red, blue = both("classic", Random(8))
    few = [{at: rank for at, rank in men.items() if rank in (Rank.FLAG, Rank.SCOUT, Rank.BOMB)} for men in (red, blue)]
    start = next(at for at in sorted(few[0]) if few[0][at] is Rank.SCOUT and at + 10 not in few[0] and at < 40)
    field = letters.field_text(few[0], few[1])
    text = moved(gravon.square_text(start, "10"), gravon.square_text(start + 10, "10"))
    record, notes = record_of(one(xml(text, kind="classicfree", field=field), "x.xml"))
    assert (record.plies, record.terms.variant.name, notes) == (1, "free", ())


@pytest.mark.parametrize(
    ("code", "ending", "winner"),
    [
        (0, "stuck", 1),
        (1, "flag", 2),
        (2, "both_stuck", 3),
        (3, "resigned", 1),
        (4, "agreed", 3),
        (10, "both_missing", 3),
        (11, "time", 2),
        (12, "period", 3),
        (13, "time_missing", 1),
        (14, "missing", 2),
    ],
)
def test_every_ending_has_its_word(code: int, ending: str, winner: int) -> None:
    found = one(xml(result=f'type="{code}" winner="{winner}"'), "x.xml")
    assert found.claim == Claim((Result.RED, Result.BLUE, Result.DRAW)[winner - 1], ending)
    assert found.deviations == ()


def test_what_does_not_go_together_is_told() -> None:
    assert codes(one(xml(result='type="4" winner="1"'), "x.xml")) == ["ending_and_winner"]
    assert codes(one(xml(result='type="99" winner="1"'), "x.xml")) == ["unknown_ending"]
    assert codes(one(xml(moved("A4", "A5", 7)), "x.xml")) == ["move_ids"]
    assert codes(one(xml(moved("J4", "J5")), "x.xml")) == ["file_j"]
    assert codes(one(xml(field=None), "x.xml")) == ["no_field"]
    assert codes(one(xml(field=""), "x.xml")) == ["no_field"]


@pytest.mark.parametrize(
    ("name", "date", "told"),
    [
        ("classic-2005.0-17.xml", "2004-12", ["month_zero"]),
        ("ultimate lightning-2005.5-2105.xml", "2005-05", []),
        ("a.zip!classic-2009.11-3.xml", "2009-11", []),
        ("classic-2005.77-17.xml", "2005", []),
        ("classic.2003.13.07.505.xml", "2003", []),
        ("anything.xml", None, []),
    ],
)
def test_dates_stand_in_names(name: str, date: str | None, told: list[str]) -> None:
    found = one(xml(), name)
    assert (found.date, codes(found)) == (date, told)


@pytest.mark.parametrize(
    ("data", "code", "line"),
    [
        (b"<stratego>", "bad_xml", 1),
        (b"<html/>", "bad_structure", 1),
        (xml()[:-20], "bad_xml", 9),
        (xml(kind="chess"), "unknown_type", 3),
        (xml(field=FIELD[1:]), "field_length", 4),
        (xml(moved("A4", "Z9")), "bad_square", 5),
        (xml(moved("A4", "A11")), "bad_square", 5),
        (xml(moved("A4", "")), "bad_square", 5),
        (xml(result='type="1" winner="9"'), "bad_result", 8),
        (xml(result='type="one" winner="1"'), "bad_result", 8),
        (xml(result='type="1"'), "bad_result", 8),
        (xml("<result type='1' winner='1'/>"), "bad_structure", 8),
        (xml("<game type='classic'/>"), "bad_structure", 5),
        (xml("<player>Carl</player>"), "bad_structure", 7),
        (xml(f'<field content="{FIELD}"/>'), "bad_structure", 5),
        (b"<stratego><move source='A1' target='A2'/></stratego>", "bad_structure", 1),
        (b"<stratego/>", "bad_structure", 0),
        (b"<game>" * 30, "unknown_type", 1),
        (b"<game type='classic'>" + b"<x>" * 30, "bad_structure", 1),
        (xml().replace(b"UTF-8", b"none-8"), "bad_xml", 1),
        (xml().replace(b"Bernd", b"B\xe9rnd"), "bad_xml", 7),
        (b"\x00" * 50, "bad_xml", 1),
        (b"", "bad_xml", 1),
    ],
)
def test_a_bad_newer_file_is_refused_at_its_place(data: bytes, code: str, line: int) -> None:
    found = refused(data, "bad.xml")
    assert (found.code, found.place.line) == (code, line), found
    assert re.match(r"bad\.xml(:\d+)*: ", str(found.error))


def test_latin_letters_are_read_where_the_file_says_so() -> None:
    data = xml().replace(b"UTF-8", b"ISO-8859-1").replace(b"Bernd", b"B\xe9rnd")
    assert one(data, "x.xml").players[1] == "Bérnd"


@pytest.mark.parametrize("outside", ["/etc/passwd", "file:///etc/passwd", "http://127.0.0.1:1/x"])
def test_entities_reach_nothing(outside: str) -> None:
    for doctype in (
        f'<!DOCTYPE stratego [<!ENTITY a SYSTEM "{outside}">]>',
        f'<!DOCTYPE stratego [<!ENTITY % a SYSTEM "{outside}"> %a;]>',
        '<!DOCTYPE stratego [<!ENTITY a "Anna">]>',
    ):
        found = refused(
            xml().replace(b"<stratego>", doctype.encode() + b"<stratego>", 1).replace(b"Anna", b"&a;"), "x.xml"
        )
        assert found.code == "forbidden_xml"
        assert "root:" not in str(found.error)


def test_an_entity_bomb_is_refused_before_it_grows() -> None:
    names = "abcdefghij"
    bomb = '<!ENTITY a "lol">' + "".join(f'<!ENTITY {name} "{f"&{before};" * 10}">' for before, name in pairwise(names))
    data = xml().replace(b"<stratego>", f"<!DOCTYPE x [{bomb}]><stratego>".encode(), 1).replace(b"Anna", b"&j;")
    assert refused(data, "x.xml").code == "forbidden_xml"


def test_a_huge_file_is_refused_by_its_size() -> None:
    data = xml("<!--" + "x" * 5_000_000 + "-->")
    assert refused(data, "x.xml").code == "too_large"
    assert refused(gsn_text(*["A4-A5"] * 700_000, "END", RESULT), "x.gsn").code == "too_large"


def test_names_of_players_stay_in_bounds() -> None:
    found = one(xml().replace(b"Bernd", b"B" * 100_000), "x.xml")
    assert len(found.players[1]) <= 200
    told = one(xml().replace(b"Bernd", "B\u202e\u2028d".encode()), "x.xml")
    assert told.players[1].isprintable()


def test_a_written_name_cannot_break_the_file() -> None:
    found = replace(game(1), players=("</player><result/>", "a\x1b[2Jb\u2028"))
    again = one(formats.write([found], formats.named("strados2")), "x.xml")
    assert again.players == ("</player><result/>", "a?[2Jb?")


def test_the_older_format_is_told_by_its_first_line() -> None:
    assert formats.detect("noname", gsn_text("END", RESULT)) is gsn.GSN
    assert Seat.RED is one(gsn_text("END", RESULT), "noname").first
