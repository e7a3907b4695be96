"""The slow referee against every worked case, recorded game and move-tree count there is."""

import os
import re
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.oracle.board import Man, borders
from tests.oracle.cases import army_of, case_failure, game_failures, game_of, perft, recorded_game, rows
from tests.oracle.referee import Oracle
from tests.oracle.repetition import Shuttle
from tests.oracle.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("FLAGFALL_SHARED", ROOT.parent / "shared"))
CASE_FILES = sorted((ROOT / "tests" / "data" / "cases").glob("*.jsonl"))

CAGE_1 = ("10@a1 B@c1 B@c2 B@c3 B@a4 B@b4 F@j1", "5@b3 F@j10")
CAGE_2 = ("2@a1 B@c1 B@c2 B@a3 B@b3 F@j1", "2@b2 F@j10")
ARMY_S = "BFB33322223B32222444455556666777889T1BBB"  # T is the marshal
ARMY_Q = "10@a1 9@e4 3@j4 2@b2 2@h3 1@d4 B@c1 F@b1"


def turned(army: dict[str, str]) -> dict[str, str]:
    """Give the army to Blue: the Classic board turned by 180 degrees (R1)."""
    return {f"{chr(ord('a') + ord('j') - ord(s[0]))}{11 - int(s[1:])}": rank for s, rank in army.items()}


def classic(letters: str) -> dict[str, str]:
    """Read forty letters from the back row on as Red's army, T for the marshal."""
    return {f"{'abcdefghij'[k % 10]}{k // 10 + 1}": {"T": "10"}.get(c, c) for k, c in enumerate(letters)}


@pytest.mark.parametrize("path", CASE_FILES, ids=lambda path: path.stem)
def test_worked_cases(path: Path) -> None:
    assert [failure for failure in map(case_failure, rows(path)) if failure] == []


def test_worked_cases_are_told_apart_and_name_their_clause() -> None:
    cases = [case for path in CASE_FILES for case in rows(path)]
    assert len(cases) >= 375
    assert len({case["id"] for case in cases}) == len(cases)
    assert [case["id"] for case in cases if case["id"] > 1000 and not re.search(r"R\d", case["note"])] == []


@pytest.mark.skipif(not SHARED.is_dir(), reason="the conformance folder is not here")
def test_handed_cases() -> None:
    cases = list(rows(SHARED / "conformance" / "cases.jsonl"))
    assert len(cases) >= 58
    assert [failure for failure in map(case_failure, cases) if failure] == []


@pytest.mark.skipif(not SHARED.is_dir(), reason="the conformance folder is not here")
def test_recorded_games() -> None:
    games = list(rows(SHARED / "conformance" / "games.jsonl"))
    assert len(games) >= 116
    assert [failure for game in games for failure in game_failures(game)] == []


@pytest.mark.parametrize(
    ("red", "blue", "settings", "counts"),
    [
        (*CAGE_1, Settings(), [2, 8, 10, 24, 38, 91, 126, 241, 403, 855, 1330]),
        (*CAGE_1, Settings(two_square_limit=None), [2, 8, 10, 24, 38, 91, 142, 307, 530, 1218, 1956]),
        (*CAGE_2, Settings(), [2, 8, 4, 14, 8, 28, 14, 46, 22, 72]),
        (*CAGE_2, Settings(more_squares="off"), [2, 8, 4, 14, 8, 28, 14, 46, 26, 88]),
    ],
    ids=["167", "168", "172", "174"],
)
def test_cages(red: str, blue: str, settings: Settings, counts: list[int]) -> None:
    """R16, perft 167 to 174."""
    assert perft(Oracle(settings, army_of(red), army_of(blue)), len(counts)) == counts


def test_armies() -> None:
    """R16, perft 165 and 166."""
    army = classic(ARMY_S)
    assert perft(Oracle(Settings(), army, turned(army)), 3) == [4, 16, 140]
    army = army_of(ARMY_Q)
    assert perft(Oracle(Settings(), army, turned(army)), 3) == [38, 1436, 50444]


def test_empty_handed() -> None:
    """R16, perft 176: stuck before the first move."""
    game = Oracle(Settings(), army_of("B@b1 F@a1"), army_of("9@j9 F@j10"))
    assert (game.result, game.reason, game.legal()) == ("blue", "stuck", set())
    assert game.why("b1", "b2") == "game_over"


def test_an_illegal_ply_changes_nothing() -> None:
    game = Oracle(Settings(), army_of("10@e4 F@a1"), army_of("9@j9 F@j10"))
    for start, target, reason in [
        ("c5", "c4", "empty"),
        ("j9", "j8", "not_yours"),
        ("a1", "a2", "immobile"),
        ("e4", "e4", "geometry"),
        ("e4", "e6", "geometry"),
    ]:
        with pytest.raises(ValueError, match=reason):
            game.push(start, target)
    assert (game.ply, game.turn, sorted(game.legal())) == (
        0,
        "red",
        [("e4", "d4"), ("e4", "e3"), ("e4", "e5"), ("e4", "f4")],
    )


def test_the_record_of_a_battle() -> None:
    """R6, R7: identities survive moving, the fallen are listed, the counters run."""
    game = Oracle(Settings(), army_of("9@e5 4@b4 F@a1"), army_of("5@e6 8@j9 F@j10"))
    assert (game.push("e5", "e6"), game.quiet, game.ply) == ("attacker", 0, 1)
    assert game.men["e6"].start == "e5"
    assert [(man.side, man.start, man.rank) for man in game.fallen] == [("blue", "e6", "5")]
    assert game.known("e6") == (True, True)
    game.push("j9", "j8")
    assert (game.quiet, game.ply, game.turn, game.known("j8")) == (1, 2, "red", (True, False))


def test_men_must_stand_on_squares_of_their_own() -> None:
    for red, blue in [("5@c5", "5@a1"), ("5@a1", "5@a1"), ("5@a11", "5@a1"), ("5@k1", "5@a1")]:
        with pytest.raises(ValueError, match="outside the board"):
            Oracle(Settings(), army_of(red), army_of(blue))


def test_borders_of_a_long_move() -> None:
    assert borders("e2", "e5") == {frozenset(("e2", "e3")), frozenset(("e3", "e4")), frozenset(("e4", "e5"))}


@settings(deadline=None)
@given(st.lists(st.integers(1, 10), min_size=5, max_size=5))
def test_scouts_on_one_line(rows_gone: list[int]) -> None:
    """R8.3: the border form says the same as its closed form for one line, limit 3."""
    assume(all(one != other for one, other in pairwise(rows_gone)))
    shuttle, scout = Shuttle(Settings()), Man("e1", "red", "2")
    stops = [f"e{row}" for row in rows_gone]
    for start, target in pairwise(stops[:4]):
        shuttle.note_move(scout, start, target, attack=False, survived=True)
    spans = [sorted(pair) for pair in pairwise(rows_gone[:4])]
    low, high = max(span[0] for span in spans), min(span[1] for span in spans)
    here, there = sorted(rows_gone[3:])
    enters = low < high and max(low, here) < min(high, there)
    assert shuttle.bars(scout, stops[3], stops[4], attack=False) is enters


def test_the_readers_can_fail() -> None:
    """A wrong answer, a wrong mark and an illegal ply are each reported."""
    case = {"id": 0, "pos": ["10@e4 F@a1", "9@e5 F@j10"], "turn": "R", "pre": "", "cfg": {}}
    assert case_failure(case | {"query": "e4-f4", "expect": "legal"}) is None
    assert case_failure(case | {"query": "e4-f4", "expect": "illegal: geometry"}) == (
        "0: e4-f4: legal, not illegal: geometry"
    )
    assert "mark" in str(case_failure(case | {"query": "e4-e5", "expect": "attacker wins"}))
    assert "geometry" in str(case_failure(case | {"pre": "e4-e6", "query": "result", "expect": "game goes on"}))
    with pytest.raises(KeyError):
        game_of(case | {"cfg": {"two_squares": 3}})
    game = {
        "id": "g",
        "rules": {"two_square": True, "continuous_chase": True, "no_attack_limit": None, "max_moves": None},
        "red_setup": "F2",
        "blue_setup": "F2",
        "moves": [["b1", "b2"]],
        "expect": {"legal_next": [["i10", "i1"]], "illegal_next": [["i10", "i9"]], "illegal_reason": "two_square"},
        "derived": {
            "plies": 1,
            "quiet": 1,
            "to_move": "blue",
            "legal_next_count": 0,
            "final_red": "a1F b22",
            "final_blue": "i102 j10F",
        },
    }
    assert recorded_game(game).known("b1") == (False, False)
    assert game_failures(game) == ["g: i10-i9 is None, not two_square", "g: legal_next_count: 17, not 0"]
