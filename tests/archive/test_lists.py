"""Lists of deployments and positions, and games in MessagePack: what each says, and where a line goes wrong."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from msgspec.msgpack import encode

from flagfall.archive import formats, letters
from flagfall.archive.found import Found, Kind, Refused
from flagfall.archive.replaying import deployment_of
from flagfall.rules.board import Seat, parse_square
from flagfall.rules.catalog import CLASSIC
from flagfall.rules.deployment import Deployment
from flagfall.rules.pieces import Numbering, Rank
from tests.archive.games import deployment, game, position

SIGNS = "BFB3332222" + "3B32222444" + "4555566667" + "77889MSBBB"
OURS = Deployment.parse(SIGNS, CLASSIC, Seat.RED, Numbering.MODERN).ranks
LETTERS = letters.army_text(OURS)
RECORD = formats.write([deployment(1)], formats.named("stg"))
BOARD = formats.write([position(1)], formats.named("ataraxos-boards")).decode().strip()
YORKTOWN = formats.write([position(1)], formats.named("yorktown")).decode().strip()


def read(data: bytes, name: str) -> list[Found | Refused]:
    return list(formats.read(data, name))


def one(data: bytes, name: str) -> Found:
    (found,) = read(data, name)
    assert isinstance(found, Found), found
    return found


def test_a_set_up_list_has_the_front_row_first() -> None:
    """R14.3: the whole line reversed is the back row first in own view."""
    found = one(b"# human inits\n" + LETTERS[::-1].encode() + b"\n", "full_human_inits.dat")
    assert (found.armies[0], found.variant, found.place.line) == (OURS, "classic", 2)
    assert found.armies[0] is not None
    assert found.armies[0][parse_square("b1")] is Rank.FLAG
    assert deployment_of(found).text() == SIGNS


def test_a_junk_line_in_a_list_is_stepped_over() -> None:
    """The barrage list is known for a line that holds `]` alone."""
    barrage = formats.write([deployment(1, "barrage"), deployment(2, "barrage")], formats.named("init-list"))
    found = read(barrage + b"]\n" + barrage, "barrage_human_inits.dat")
    assert [type(item) for item in found] == [Found, Found, Refused, Found, Found]
    assert isinstance(found[2], Refused)
    assert (found[2].code, found[2].place.line) == ("army_length", 4)
    assert all(isinstance(item, Refused) or item.variant == "barrage" for item in found)


def test_the_same_letters_with_the_back_row_first() -> None:
    assert one(LETTERS.encode(), "x.txt").armies == (OURS, None)


def test_two_spellings_of_signs() -> None:
    own = one(f"{SIGNS} 37\n".encode(), "x.txt")
    assert (own.armies[0], own.count, own.format) == (OURS, 37, "setups")
    theirs = one(SIGNS.replace("S", "1").replace("M", "X").encode(), "x.txt")
    assert (theirs.armies[0], theirs.count, theirs.format) == (OURS, 1, "gravon-setups")


def test_men_that_are_no_army_are_custom() -> None:
    found = one(f"{SIGNS.replace('M', '9')}\n".encode(), "x.txt")
    assert found.variant == "custom"


def test_a_whole_army_that_stands_elsewhere_is_no_army_of_its_game() -> None:
    start = position(1)
    red, blue = (dict(army or {}) for army in start.armies)
    red[parse_square("a5")] = red.pop(parse_square("a4"))
    for men, name in ((start.armies, "classic"), ((red, blue), "custom")):
        line = formats.write(
            [replace(start, armies=men, known=frozenset(), moved=frozenset())], formats.named("yorktown")
        )
        assert one(line, "x.txt").variant == name


@pytest.mark.parametrize(
    ("name", "line", "code", "column"),
    [
        ("x.dat", LETTERS[1:], "army_length", 1),
        ("x.dat", "N" + LETTERS[1:], "bad_letter", 1),
        ("x.dat", LETTERS[:39] + "a", "bad_letter", 40),
        ("letters", "AN" + LETTERS[2:], "bad_letter", 2),
        ("letters", LETTERS + "A", "army_length", 1),
        ("setups", "X" + SIGNS[1:], "bad_letter", 1),
        ("setups", SIGNS + " many", "bad_line", 1),
        ("setups", SIGNS[:-1] + " 3", "army_length", 1),
        ("boards", BOARD[:-1], "board_length", 1),
        ("boards", BOARD[:7] + "x" + BOARD[8:], "bad_mark", 8),
        ("yorktown", YORKTOWN.replace(" ", "  ", 1), "bad_line", 1),
        ("yorktown", YORKTOWN[:-1] + "x", "bad_line", 1),
        ("yorktown", "?" + YORKTOWN[1:], "two_views", 1),
        ("yorktown", "Z" + YORKTOWN[1:], "bad_letter", 1),
    ],
)
def test_a_bad_line_is_refused_at_its_place(name: str, line: str, code: str, column: int) -> None:
    """The lines before and after it are read."""
    by_name = {
        "x.dat": ("init-list", LETTERS[::-1]),
        "letters": ("gravon-letters", LETTERS),
        "setups": ("setups", SIGNS),
        "boards": ("ataraxos-boards", BOARD),
        "yorktown": ("yorktown", YORKTOWN),
    }
    form, good = by_name[name]
    found = list(formats.read(f"{good}\r\n\r\n{line}\r\n{good}\r\n".encode(), name, formats.named(form)))
    assert [type(item) for item in found] == [Found, Refused, Found]
    assert isinstance(found[1], Refused)
    assert (found[1].code, found[1].place.line, found[1].place.column) == (code, 3, column)


def test_a_man_that_moved_must_be_there() -> None:
    at = BOARD.index("a@")
    found = one(f"{BOARD[:at]}a.{BOARD[at + 2 :]}\n".encode(), "x.txt")
    assert [(note.code, note.clause) for note in found.deviations] == [("moved_nobody", "R14.4")]
    assert at // 2 not in found.moved


def test_records_of_squares_stand_at_the_top() -> None:
    """R14.7: y counts from the back row, x from the left as the bottom sees it."""
    record = bytes(number for man in range(40) for number in (man % 10, man // 10))
    found = one(record, "x.stg")
    red, blue = found.armies
    assert red is None
    assert blue is not None
    first, last = ("a10", "b10", "c10", "d10"), ("d7", "e7", "j7")
    assert [blue[parse_square(name)].word for name in first] == ["flag", "spy", "marshal", "general"]
    assert [blue[parse_square(name)].word for name in last] == ["scout", "bomb", "bomb"]
    assert (found.variant, deployment_of(found).seat) == ("classic", Seat.BLUE)


@pytest.mark.parametrize(
    ("record", "code", "column"),
    [
        (b"\x0a" + RECORD[1:], "bad_byte", 81),
        (RECORD[:1] + b"\x04" + RECORD[2:], "bad_byte", 81),
        (RECORD[:4] + RECORD[:2] + RECORD[6:], "square_twice", 85),
    ],
)
def test_a_bad_record_of_squares_is_stepped_over(record: bytes, code: str, column: int) -> None:
    found = read(RECORD + record + RECORD, "x.stg")
    assert [type(item) for item in found] == [Found, Refused, Found]
    assert isinstance(found[1], Refused)
    assert (found[1].code, found[1].place.line, found[1].place.column) == (code, 2, column)


def test_a_record_of_squares_cut_off_is_told() -> None:
    found = read(RECORD + RECORD[:79], "x.stg")
    assert [type(item) for item in found] == [Found, Refused]
    assert isinstance(found[1], Refused)
    assert found[1].code == "unfinished"


def test_games_in_messagepack_are_read_one_by_one() -> None:
    """A game that is none is stepped over; a board may have a hundred signs or two hundred."""
    found = game(1, plies=10)
    board, numbers = formats.write([found], formats.named("ataraxos-game")).decode().split("\n", 1)
    good = [board, [int(number) for number in numbers.split()]]
    bad = [[board, [1800]], [board], 7, [board[1:], []], [board, "x"], [board, [0] * 20_001], [board, [-1]], {"a": 1}]
    got = read(encode([good, *bad, good]), "x.msgpack")
    assert [type(item) for item in got] == [Found, *[Refused] * len(bad), Found]
    assert [item.place.line for item in got] == list(range(1, len(bad) + 3))
    assert {item.code for item in got if isinstance(item, Refused)} == {"bad_game", "field_length"}
    assert isinstance(got[0], Found)
    assert got[0].moves == found.moves


@pytest.mark.parametrize(
    "data",
    [b"", b"\xdd\xff\xff\xff\xff", b"\x91" * 100_000, b"\xc1", b"\x91\xdb\xff\xff\xff\xff", encode({}), encode("x")],
)
def test_messagepack_that_is_none_is_refused(data: bytes) -> None:
    got = list(formats.read(data, "x.msgpack", formats.named("gamesaver")))
    assert [item.code for item in got if isinstance(item, Refused)] in (["bad_messagepack"], ["bad_game"])


def test_deployments_of_people_are_read(shared: Path) -> None:
    """Every line of the three files, with its number, and every one a legal army of its game."""
    for name, game_name, distinct, total in (
        ("human-barrage.txt.gz", "barrage", 3_646, 3_944),
        ("learned-classic.txt.gz", "classic", 1_000, 1_000),
    ):
        got = list(formats.read(shared / "setups" / name))
        found = [item for item in got if isinstance(item, Found)]
        assert len(got) == len(found) == distinct
        assert sum(item.count for item in found) == total
        assert {(item.kind, item.variant) for item in found} == {(Kind.DEPLOYMENT, game_name)}
        for item in found[:200]:
            deployment_of(item)
