"""Logs of the StrategoEvaluator manager (R14.5)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from flagfall.archive import formats
from flagfall.archive.evaluator import EVALUATOR
from flagfall.archive.found import Claim, Found, Refused
from flagfall.archive.replaying import record_of, replayed
from flagfall.rules.board import Seat, parse_square
from flagfall.rules.events import Outcome, Result
from flagfall.rules.notation import move_text
from flagfall.rules.pieces import Rank
from tests.archive.games import game

SETUPS = """one/red RED SETUP
BFB7968984
4B6B58Bs67
B998356819
9425975937
two/blue BLUE SETUP
967B669999
6724898974
BB31555583
FB8sB479B8
"""
BOTH = "1 RED: 0 3 DOWN 3 BOTHDIE 9 9\n"
LOST = "Game ends on BLUE's turn - REASON: Unintelligable response\ntwo/blue BLUE ILLEGAL 1 146 146\n"


def read(text: str) -> list[Found | Refused]:
    return list(formats.read(text.encode(), "x.log", EVALUATOR))


def one(text: str) -> Found:
    (found,) = read(text)
    assert isinstance(found, Found), found
    return found


def codes(found: Found) -> list[str]:
    return [note.code for note in found.deviations]


def test_a_log_is_read() -> None:
    """Red stands at the top: x counts from our last file, y from our first row."""
    found = one(SETUPS + BOTH + "1 BLU: \n" + LOST)
    red, blue = found.armies
    assert red is not None
    assert blue is not None
    assert (found.variant, found.players, found.claim) == (
        "classic",
        ("one/red", "two/blue"),
        Claim(Result.RED, "forfeit"),
    )
    assert (red[parse_square("i1")], red[parse_square("j1")]) == (Rank.FLAG, Rank.BOMB)
    assert (blue[parse_square("j10")], blue[parse_square("j7")], blue[parse_square("a10")]) == (
        Rank.FLAG,
        Rank.SCOUT,
        Rank.MINER,
    )
    assert [move_text(move) for move in found.moves] == ["j4-j7"]
    assert found.battles == {1: (Outcome.BOTH, Rank.SCOUT, Rank.SCOUT)}
    record, notes = record_of(found)
    assert (record.result, record.plies, notes) == (Result.RED, 1, ())


def test_what_a_crash_leaves_in_a_log_is_stepped_over() -> None:
    chatter = (
        "SIGPIPE - Broken pipe (AI program no longer running)\n\tStrange; BLUE still appears valid.\n"
        "\tRED also appears valid. Exiting with ERROR.\n"
        "Game ends on BLUE's turn - REASON: Internal controller error - Unspecified ERROR\n"
    )
    found = one(SETUPS + BOTH + "1 BLU: \nGame ends on BLUE's turn - REASON: Unintelligable response\n" + chatter)
    assert found.claim == Claim(Result.RED, "forfeit")


@pytest.mark.parametrize(
    ("line", "claim"),
    [
        ("Game ends on RED's turn - REASON: Captured the flag", Claim(Result.RED, "flag")),
        ("Game ends on BLUE's turn - REASON: Destroyed all mobile enemy pieces", Claim(Result.BLUE, "stuck")),
        ("Game ends on RED's turn - REASON: This player has surrendered!", Claim(Result.BLUE, "resigned")),
        ("Game ends on RED's turn - REASON: Response timeout after 2.000000 seconds.", Claim(Result.BLUE, "time")),
        ("Game ends on BLUE's turn - REASON: Coords outside board", Claim(Result.RED, "forfeit")),
        ("Game ends on BLUE's turn - REASON: Selected piece belongs to other player", Claim(Result.RED, "forfeit")),
        ("Game ends on RED's turn - REASON: Game declared a draw after 5000 turns", Claim(Result.DRAW, "limit")),
        (
            "Game ends on RED's turn - REASON: Game declared a draw because neither player has mobile pieces",
            Claim(Result.DRAW, "both_stuck"),
        ),
        ("Game ends on ERROR's turn - REASON: Internal controller error - Unspecified ERROR", Claim()),
        ("a RED VICTORY 12 100 90", Claim(Result.RED, "none")),
        ("a b BLUE SURRENDER 12 100 90", Claim(Result.RED, "resigned")),
        ("a RED ILLEGAL 12 100 90", Claim(Result.BLUE, "forfeit")),
        ("a RED DRAW 12 0 0", Claim(Result.DRAW, "both_stuck")),
        ("a RED DRAW_DEFAULT 5000 0 0", Claim(Result.DRAW, "limit")),
        ("a NONE INTERNAL_ERROR 12 100 90", Claim()),
        ("a BOTH BOTH_ILLEGAL 12 100 90", Claim()),
    ],
)
def test_every_end_is_understood(line: str, claim: Claim) -> None:
    assert one(SETUPS + BOTH + line + "\n").claim == claim


def test_an_unanswered_turn_ends_a_log() -> None:
    for answer in ("", "I give up", "SURRENDER", "9 9 9 9"):
        assert len(one(SETUPS + BOTH + f"1 BLU: {answer}\n" + LOST).moves) == 1
        (found,) = read(SETUPS + BOTH + f"1 BLU: {answer}\n2 RED: 1 3 DOWN OK\n" + LOST)
        assert isinstance(found, Refused)
        assert (found.code, found.error.params["line"]) == ("bad_line", 12)


def test_what_departs_from_the_protocol_is_told() -> None:
    skipped = one(SETUPS + BOTH + "1 BLU: 0 0 UP ILLEGAL\n2 RED: 1 3 DOWN OK\n" + LOST)
    assert codes(skipped) == ["illegal_ignored", "passed"]
    with pytest.raises(Exception, match="passed"):
        replayed(skipped)
    refused = one("a RED SETUP\nINVALID!\n" + SETUPS.split("\n", 5)[5] + "a RED BAD_SETUP 0 0 0\n")
    assert (codes(refused), refused.armies[0], refused.claim.result) == (["no_setup"], None, Result.BLUE)
    twice = one(SETUPS + BOTH + LOST + "one/red RED ILLEGAL 1 1 1\n")
    assert codes(twice) == ["two_results"]
    wrong = one(SETUPS + "1 RED: 0 3 DOWN 3 KILLS 9 9\n" + LOST)
    assert [note.code for note in replayed(wrong).deviations] == ["battle_differs"]


def test_games_follow_one_another_and_a_bad_one_does_not_stop_the_rest() -> None:
    bad = SETUPS.replace("BFB7968984", "BFB796898?")
    found = read(SETUPS + BOTH + LOST + bad + BOTH + LOST + SETUPS + BOTH + LOST)
    assert [type(one) for one in found] == [Found, Refused, Found]
    assert isinstance(found[1], Refused)
    assert (found[1].code, found[1].error.params["line"], found[1].error.params["column"]) == ("bad_letter", 15, 10)
    assert [one.place.line for one in found] == [1, 15, 27]


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        (SETUPS, "unfinished", 1),
        (SETUPS + BOTH, "unfinished", 1),
        ("\n".join(SETUPS.split("\n")[:8]) + "\n", "unfinished", 1),
        (SETUPS.replace("4B6B58Bs67", "4B6B58Bs6"), "bad_row", 3),
        (SETUPS + "1 RED: 0 0 UP OK\n" + LOST, "bad_square", 11),
        (SETUPS + "1 RED: 0 0 LEFT 1 OK\n" + LOST, "bad_square", 11),
        (SETUPS + "1 RED: 0 3 DOWN 0 OK\n" + LOST, "bad_square", 11),
        (SETUPS + BOTH + "hello\n" + LOST, "bad_line", 12),
        (SETUPS + BOTH + LOST + "2 RED: 0 3 DOWN OK\n", "bad_line", 14),
    ],
)
def test_a_bad_log_is_refused_at_its_place(text: str, code: str, line: int) -> None:
    (found,) = read(text)
    assert isinstance(found, Refused)
    assert (found.code, found.error.params["line"]) == (code, line)
    assert str(found.error).startswith(f"x.log:{line}")


def test_a_text_that_is_no_log_is_refused() -> None:
    (found,) = read("hello\n" + SETUPS)
    assert isinstance(found, Refused)
    assert found.code == "bad_head"


def test_a_written_log_looks_like_the_manager_s() -> None:
    found = replace(one(SETUPS + BOTH + "1 BLU: 1 6 UP OK\n" + LOST), players=("one red", "two"))
    text = formats.write([found], EVALUATOR).decode()
    assert text.startswith("one_red RED SETUP\nBFB7968984\n")
    assert text.endswith(
        "1 RED: 0 3 DOWN 3 BOTHDIE 9 9\n1 BLU: 1 6 UP OK\n"
        "Game ends on BLUE's turn - REASON: Unintelligable response\ntwo BLUE ILLEGAL 2 146 146\n"
    )


def test_a_name_cannot_break_a_log() -> None:
    found = replace(game(1), players=("a\nb RED SETUP", " "), claim=Claim(Result.RED, "resigned"))
    again = one(formats.write([found], EVALUATOR).decode())
    assert again.players == ("a?b_RED_SETUP", "blue")
    assert again.first is Seat.RED
