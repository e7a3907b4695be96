"""Every question on set-ups and file formats that the conformance files ask, each answered by what does the work."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from flagfall.archive import actions, gravon, letters, stg
from flagfall.archive.ataraxos import read_board
from flagfall.archive.evaluator import read_move
from flagfall.archive.evaluator_words import RANK_OF
from flagfall.archive.found import Deviation, Place
from flagfall.rules.board import Seat, Square, parse_square, square_name
from flagfall.rules.catalog import CLASSIC, variant
from flagfall.rules.deployment import Deployment
from flagfall.rules.events import Result
from flagfall.rules.notation import move_text, parse_move
from flagfall.rules.pieces import Rank, parse_rank, rank_text
from flagfall.rules.truth import Truth

FILE = Path(__file__).parents[1] / "data" / "formats.jsonl"
QUESTIONS = {form["id"]: form for form in map(json.loads, FILE.read_text(encoding="utf-8").splitlines())}
HERE = Place("question", 1, 1)
ARMY_S = "B F B 3 3 3 2 2 2 2 / 3 B 3 2 2 2 2 4 4 4 / 4 5 5 5 5 6 6 6 6 7 / 7 7 8 8 9 10 1 B B B"


def by_rows(text: str) -> dict[Square, Rank]:
    """An army as `back row / … / front row`, from Red's side."""
    return {Square(at): parse_rank(word) for at, word in enumerate(text.replace("/", " ").split())}


def by_squares(text: str) -> dict[Square, Rank]:
    """An army as `10@a1 9@e4 …`."""
    pairs = (word.split("@") for word in text.split())
    return {parse_square(at): parse_rank(rank) for rank, at in pairs}


def verdict(game: str, men: dict[Square, Rank]) -> str:
    """What keeps men from being Red's army, in the words of the questions."""
    counts: dict[Rank, str] = {}
    words = []
    for fault in Deployment(variant(game), Seat.RED, men).faults():
        if "square" in fault.params:
            at = str(fault.params["square"])
            lake = parse_square(at) in variant(game).lakes
            words.append(f"lake {at}" if lake else f"outside home rows {at}")
        else:
            rank = Rank(int(str(fault.params["rank"])))
            counts[rank] = f"count of {rank_text(rank)}: {fault.params['have']} instead of {fault.params['need']}"
    # The table of armies names flag and bombs first (R13.1).
    words += [counts[rank] for rank in sorted(counts, key=lambda rank: rank if rank < Rank.BOMB else -rank)]
    return f"illegal: {'; '.join(words)}" if words else "legal"


def moved_marshal(to: str) -> dict[Square, Rank]:
    men = by_rows(ARMY_S)
    men[parse_square(to)] = men.pop(parse_square("f4"))
    return men


def walled_in(_: str) -> str:
    """Six bombs in the front row, the rest anywhere behind (R3.5)."""
    bombs = [parse_square(name) for name in ("a4", "b4", "e4", "f4", "i4", "j4")]
    others = [rank for rank in by_rows(ARMY_S).values() if rank is not Rank.BOMB]
    rest = [at for at in CLASSIC.home[Seat.RED] if at not in bombs]
    men = dict.fromkeys(bombs, Rank.BOMB) | dict(zip(rest, others, strict=True))
    army = Deployment(CLASSIC, Seat.RED, men).checked()
    blue = Deployment(CLASSIC, Seat.RED, by_rows(ARMY_S)).for_seat(Seat.BLUE)
    lost = Truth(CLASSIC, army, blue).result is Result.BLUE
    return f"{'no' if army.walled_in() else 'yes'}; a player on turn {'loses at once' if lost else 'plays on'}"


def field_of_s() -> str:
    red = Deployment(CLASSIC, Seat.RED, by_rows(ARMY_S))
    return letters.field_text(red.ranks, red.for_seat(Seat.BLUE).ranks)


def one_man(field: str) -> str:
    board = letters.field(field, HERE)
    ((at, rank),) = board.red.items()
    return f"Red {rank.word} on {square_name(at)}"


def lone(sign: str, index: int, empty: str = "A") -> str:
    """A board with one man."""
    signs = ["_" if at in CLASSIC.lakes else empty for at in range(100)]
    signs[index] = sign
    return "".join(signs)


def board_cell(query: str) -> str:
    """The cell of a board string, on an otherwise empty board."""
    found = re.search(r'cell "(.)(.)" at pair index (\d+)', query)
    assert found is not None
    index = int(found[3])
    cells = [f"{sign}@" for sign in lone(found[1], index, "a")]
    cells[index] = found[1] + found[2]
    position = read_board("".join(cells), HERE, "x")
    ((at, rank),) = (position.armies[0] or {}).items()
    seen = "visible" if at in position.known else "hidden"
    went = "has moved" if at in position.moved else "has not moved"
    return f"Red {rank.word} on {square_name(at)}, rank {seen}, {went}"


def action(query: str) -> str:
    found = re.search(r"for (Red|Blue) (\w+-\w+)", query)
    assert found is not None
    return str(actions.action_of(parse_move(found[2]), Seat.of(found[1].lower())))


def acted(query: str) -> str:
    found = re.search(r"action (\d+) played by (Red|Blue)", query)
    assert found is not None
    return move_text(actions.move_of(int(found[1]), Seat.of(found[2].lower())))


def gsn_move(query: str) -> str:
    found = re.search(r"GSN move (\w\w)-(\w\w)", query)
    assert found is not None
    notes: list[Deviation] = []
    move = gravon.read_move(found[1], found[2], HERE, notes)
    # A corrupt file is read, and says that it is one.
    assert [note.code for note in notes] == (["file_j"] if "corrupt" in query else [])
    # The question keeps the square's own name: the file that Gravon calls K is j.
    return move_text(move)


def evaluator_line(query: str) -> str:
    found = re.search(r'"(.*)" by RED', query)
    assert found is not None
    move, outcome, ranks = read_move(found[1], HERE)
    assert ranks is not None
    removed = {"BOTHDIE": "both removed", "KILLS": "defender removed", "DIES": "attacker removed"}[outcome]
    return f"{move_text(move)}, {ranks[0].word} against {ranks[1].word}, {removed}"


def evaluator_signs(query: str) -> str:
    signs = query.removeprefix("evaluator piece characters ").split(", ")
    return ", ".join(f"{RANK_OF[sign].word}({int(RANK_OF[sign])})" for sign in signs)


def stg_record(_: str) -> str:
    """A record that begins 0,0, 1,0, 2,0 and goes on filling the rows."""
    record = bytes(number for man in range(40) for number in (man % 10, man // 10))
    men = stg.read_record(record, Place("x.stg", 1, 1))
    names = [(at, rank) for at, rank in men.items()][:3]
    return ", ".join(f"{rank.word} at x{at % 10} y{9 - at // 10}" for at, rank in names)


ANSWERS: dict[int, Callable[[str], str]] = {
    112: lambda query: verdict("classic", by_rows(query.split(": ", 1)[1])),
    114: lambda _: verdict("classic", {at: rank for at, rank in by_rows(ARMY_S).items() if rank is not Rank.MARSHAL}),
    116: lambda _: verdict("classic", moved_marshal("f5")),
    118: lambda _: verdict("classic", moved_marshal("c5")),
    120: walled_in,
    122: lambda query: verdict("barrage", by_squares(query.split(": ", 1)[1])),
    124: lambda query: verdict("duel", by_squares(query.split(": ", 1)[1])),
    126: lambda _: verdict("duel", by_squares("10@a1 9@e4 3@j4 2@b2 2@h3 1@d4 B@c1 F@b1")),
    128: lambda _: field_of_s()[40:60],
    130: lambda _: field_of_s()[60:][::-1],
    132: lambda _: one_man(lone("L", 35)),
    134: board_cell,
    136: action,
    138: action,
    140: action,
    142: acted,
    144: acted,
    146: gsn_move,
    148: gsn_move,
    150: evaluator_line,
    152: evaluator_signs,
    154: stg_record,
}


def test_no_question_is_left_out() -> None:
    assert set(ANSWERS) == set(QUESTIONS)


@pytest.mark.parametrize("number", sorted(QUESTIONS))
def test_the_question_is_answered_right(number: int) -> None:
    form = QUESTIONS[number]
    assert ANSWERS[number](form["query"]) == form["expect"]


def test_the_copy_is_the_conformance_file(shared: Path) -> None:
    assert FILE.read_bytes() == (shared / "conformance" / "formats.jsonl").read_bytes()
