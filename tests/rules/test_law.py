"""The law's own promises: taking back, hashing, counting, endings at the start, chases without end."""

import json
from collections import Counter
from copy import deepcopy
from itertools import permutations
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from flagfall.check import perft
from flagfall.check.bench import Arrays, digest_by_surface
from flagfall.check.cases import men_of, position_of, result_words
from flagfall.check.enumerate import Census, census
from flagfall.check.lines import LINE_CAP, run_files
from flagfall.check.twins import random_script
from flagfall.errors import BadArmy, FlagfallError, IllegalMove
from flagfall.play.record import Terms
from flagfall.play.referee import Referee
from flagfall.rules import calls, playout
from flagfall.rules.board import Seat, cell_of
from flagfall.rules.catalog import CLASSIC, MICRO, variant
from flagfall.rules.deployment import Deployment
from flagfall.rules.events import Reason, Refusal, Result
from flagfall.rules.layout import hash_word
from flagfall.rules.notation import move_text, parse_move
from flagfall.rules.truth import Truth
from tests.oracle.referee import Oracle
from tests.oracle.settings import Settings
from tests.rules.adapter import truth_of
from tests.shared import SHARED
from tests.strategies import Plan, plans

DATA = Path(__file__).parents[1] / "data" / "cases"
CAGE_1 = ("10@a1 B@c1 B@c2 B@c3 B@a4 B@b4 F@j1", "5@b3 F@j10")
CAGE_2 = ("2@a1 B@c1 B@c2 B@a3 B@b3 F@j1", "2@b2 F@j10")


@pytest.mark.parametrize("path", sorted(DATA.glob("*.jsonl")), ids=lambda path: path.stem)
def test_worked_cases(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_files([path]) == 0
    assert capsys.readouterr().out.endswith("passed, 0 failed\n")


@pytest.mark.skipif(SHARED is None, reason="the recorded games lie outside the project")
def test_recorded_games(capsys: pytest.CaptureFixture[str]) -> None:
    assert SHARED is not None
    assert run_files([SHARED / "conformance" / name for name in ("cases.jsonl", "games.jsonl")]) == 0, (
        capsys.readouterr()
    )


def test_a_wrong_case_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The checker can fail: a wrong answer, a line that is none, a mark that does not fit."""
    good = json.loads((DATA / "conformance.jsonl").read_text().splitlines()[0])
    men = " ".join(f"2@{file}{row}" for row in range(1, 5) for file in "abcdefghij") + " 2@a5"
    changes: list[dict[str, object]] = [
        {"expect": "illegal: geometry"},
        {"pre": "e4xe5"},
        {"query": ""},
        {"pos": ["10@e4 10@e4", ""]},
        {"pos": ["10@c5", ""]},
        {"pos": ["10@e4", "9@e4"]},
        {"pos": [men, ""]},
        {"pos": 3},
    ]
    lines = [json.dumps(line).encode() for line in [good, *({**good, **change} for change in changes), {"id": 1}]]
    path = tmp_path / "cases.jsonl"
    path.write_bytes(b"\n".join([*lines, b"not json", b"[" * 60_000, b"\xff\xfe"]))
    assert run_files([path]) == 1
    assert capsys.readouterr().out.endswith("1 passed, 12 failed\n")


def test_a_record_of_our_own_is_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A record that the page wrote is played again through the referee; a changed one is not believed."""
    referee = Referee(Terms(variant=MICRO), secret=bytes(32), now_ms=0)
    for seat in Seat:
        referee.deploy(seat, Deployment.parse("F2SM", MICRO, seat), 0)
    referee.move(Seat.RED, referee.view(Seat.RED).legal()[0], 0)
    referee.resign(Seat.BLUE, 1)
    path = tmp_path / "record.json"
    path.write_text(referee.record().text())
    assert run_files([path]) == 0
    path.write_text(referee.record().text().replace("resigned", "agreed"))
    assert run_files([path]) == 1
    assert capsys.readouterr().out.endswith("0 passed, 1 failed\n")


def test_a_position_for_counting_is_looked_at(tmp_path: Path) -> None:
    path = tmp_path / "position.json"
    for text in ("[" * 100_000, "{}", '{"pos": ["10@c5", "9@j9"]}', '{"pos": ["10@z1", "9@j9"]}', "\x00"):
        path.write_text(text)
        with pytest.raises(FlagfallError):
            perft.main("classic", 2, path)
    with pytest.raises(FlagfallError):
        perft.main("micro", 10**9)


def test_nobody_can_change_a_law_that_is_shared() -> None:
    shared = perft.start_of(CLASSIC).look(Seat.RED).records[2]
    with pytest.raises(ValueError, match="WRITEABLE"):
        shared.setflags(write=True)


@pytest.mark.parametrize(
    ("men", "cfg", "expected"),
    [
        (CAGE_1, {}, [2, 8, 10, 24, 38, 91, 126, 241, 403, 855, 1330]),
        (CAGE_1, {"two_sq": None}, [2, 8, 10, 24, 38, 91, 142, 307, 530, 1218, 1956]),
        (CAGE_2, {}, [2, 8, 4, 14, 8, 28, 14, 46, 22, 72]),
        (CAGE_2, {"chase": None}, [2, 8, 4, 14, 8, 28, 14, 46, 26, 88]),
        (("B@b1 F@a1", "9@j9 F@j10"), {}, [0]),
    ],
)
def test_perft(men: tuple[str, str], cfg: dict[str, object], expected: list[int]) -> None:
    """Rows 167 to 176 of R16."""
    assert perft.counts(position_of({"pos": men, "cfg": cfg}), len(expected)) == expected


def test_perft_of_whole_armies() -> None:
    """Rows 165 and 166 of R16."""
    assert perft.counts(perft.start_of(CLASSIC), 3) == [4, 16, 140]
    red = men_of("10@a1 9@e4 3@j4 2@b2 2@h3 1@d4 B@c1 F@b1")
    army = Deployment(CLASSIC, Seat.RED, red)
    assert perft.counts(Truth.of_men(CLASSIC, red, army.for_seat(Seat.BLUE).ranks), 3) == [38, 1436, 50444]


@examples(max_examples=60)
@given(plans(start="fragments", plies=60))
def test_a_tree_leaves_no_trace(plan: Plan) -> None:
    """Making and taking back every move restores the record to the byte, whatever the law."""
    truth = truth_of(plan)
    draw = Random(plan.seed)
    for _ in range(plan.plies):
        legal = truth.legal()
        if not legal:
            break
        truth.push(draw.choice(legal))
    game, log, tables = truth.records
    if truth.result:
        return
    before = game.tobytes()
    roomy = calls.new_log(truth.ply + 8)
    roomy[:, : log.shape[1]] = log[:, : roomy.shape[1]]
    assert int(playout.count_tree(game, 0, tables, roomy, calls.new_moves(8), 3)) >= 0
    assert game.tobytes() == before


@examples(max_examples=30)
@given(st.integers(0, 2**32 - 1))
def test_the_hash_is_that_of_the_position(seed: int) -> None:
    """The running hash equals the one summed up afresh, so equal positions have equal hashes (R9.2)."""
    script = random_script(CLASSIC, Random(seed), 150)
    game = script.truth().records[0][0]
    fresh = 0
    for pid in range(80):
        if game["sq"][pid]:
            fresh ^= hash_word(pid, int(game["sq"][pid]))
    assert fresh == int(game["h"])


def test_hash_words_differ() -> None:
    """Also for exchanges of two men, for which sums of products would cancel; even the low half tells them apart."""
    words = {(man, at): hash_word(man, cell_of(at)) for man in range(80) for at in range(100)}
    assert len(set(words.values())) == len(words)
    draw = Random(1)
    exchanges = set()
    for _ in range(20_000):
        one, two = draw.sample(range(80), 2)
        here, there = draw.sample(range(100), 2)
        exchange = words[one, here] ^ words[two, there] ^ words[one, there] ^ words[two, here]
        exchanges.add((exchange & 0xFFFFFFFF) or -1)
    assert -1 not in exchanges
    assert len(exchanges) > 19_900


def test_the_surface_plays_what_the_kernel_plays() -> None:
    """One digest of random games, played compiled and played move by move."""
    plies, digest = Arrays().play(seed=1, games=20)
    assert digest_by_surface(seed=1, games=20) == (plies, digest)


def test_the_micro_game_whole() -> None:
    """Every game of every pair of deployments, five plies to the limit, with what each seat can tell apart."""
    assert census(MICRO, 5) == Census(
        deployments=24,
        histories=5_049_384,
        endings=(173_422, 608, 0, 4_154_288),
        information_states=(1_061_280, 1_287_438),
    )


def test_a_small_census_by_hand() -> None:
    """The census agrees with the slow referee where that can walk the whole tree: the first ply of every pair."""
    nodes, ends = 0, Counter[str]()
    for red in permutations("FS2M"):
        for blue in permutations("FS2M"):
            nodes += _walk(_oracle(red, blue), 1, ends)
    found = census(MICRO, 1)
    assert (found.histories, found.endings[0]) == (nodes, ends["flag"])


def _oracle(red: tuple[str, ...], blue: tuple[str, ...]) -> Oracle:
    """A micro game of the slow referee; the second army is given from its own seat."""
    signs = {"S": "1", "M": "10"}
    armies = [
        {f"{file}{row}": signs.get(sign, sign) for file, sign in zip(files, army, strict=True)}
        for files, row, army in (("abcd", 1, red), ("dcba", 4, blue))
    ]
    return Oracle(Settings(width=4, height=4, lakes=frozenset(), max_plies=5), armies[0], armies[1])


def _walk(game: Oracle, depth: int, ends: Counter[str]) -> int:
    """Count histories of up to `depth` plies."""
    if game.reason:
        ends[game.reason] += 1
        return 1
    if not depth:
        return 1
    total = 1
    for pair in game.legal():
        after = deepcopy(game)
        after.push(*pair)
        total += _walk(after, depth - 1, ends)
    return total


@pytest.mark.parametrize(
    ("red", "blue", "law", "expected"),
    [
        ("F@a1", "F@j10", {}, "draw (both stuck)"),
        ("F@a1 5@b1", "F@j10", {}, "Red wins (stuck)"),
        ("F@a1", "F@j10 5@i10", {}, "Blue wins (stuck)"),
        ("F@a1 5@b1", "F@j10", {"stuck_check": "on_turn"}, "game goes on"),
        ("F@a1", "F@j10 5@i10", {"stuck_check": "on_turn"}, "Blue wins (stuck)"),
        ("F@a1", "F@j10", {"stuck_check": "piece-count"}, "draw (both stuck)"),
        ("F@a2 5@a1 B@b1", "F@j10 5@i10", {"stuck_check": "piece-count"}, "game goes on"),
        ("F@a2 5@a1 B@b1", "F@j10 5@i10", {}, "Blue wins (stuck)"),
        ("F@a1 5@b1", "F@j10 5@i10", {"max_plies": 0}, "draw (limit)"),
        ("F@a1 5@b1", "F@j10 5@i10", {"max_plies": 0, "limit_test": "more-than"}, "game goes on"),
        ("F@a1 5@b1", "F@j10 5@i10", {"max_quiet_plies": 0}, "draw (limit)"),
        ("F@a1", "F@j10 5@i10", {"max_plies": 0}, "Blue wins (stuck)"),
        ("F@a1", "F@j10 5@i10", {"max_plies": 0, "flag_beats_limit": False}, "draw (limit)"),
    ],
)
def test_endings_at_the_start(red: str, blue: str, law: dict[str, object], expected: str) -> None:
    """The initial position is tested once, before the first ply (R11.1)."""
    truth = Truth.of_men(variant("classic", **law), men_of(red), men_of(blue))
    assert result_words(truth) == expected
    if expected != "game goes on":
        assert truth.legal() == []


def test_a_chase_longer_than_any_buffer_is_remembered() -> None:
    """Under `game` memory and without a two-square limit, no position is forgotten, 3,000 plies later (R9.2)."""
    law = variant("classic", two_square_limit=None, chase_memory="game")
    truth = Truth.of_men(law, men_of("10@e2 4@j2 F@a1"), men_of("5@e4 8@i9 F@j10"))
    chase = "e2-e3 e4-f4 e3-f3 f4-g4 f3-g3 g4-f4 g3-f3 f4-e4"
    for word in chase.split():
        truth.play(word)
    assert truth.why("f3-e3") is Refusal.MORE_SQUARES
    for _ in range(760):
        for word in ("f3-f2", "i9-i8", "f2-f3", "i8-i9"):
            truth.play(word)
    assert truth.ply == 8 + 4 * 760
    assert truth.why("f3-e3") is None, "the chase was broken off: its first threat comes first"
    for word in ("f3-e3", "e4-f4"):
        truth.play(word)
    assert truth.why("e3-f3") is None, "straight back"
    assert truth.why("e3-e4") is None


def test_one_chase_of_thousands_of_plies() -> None:
    """A running chase keeps its very first position, however long it goes straight back and forth in between."""
    law = variant("classic", two_square_limit=None)
    truth = Truth.of_men(law, men_of("10@e2 4@j2 F@a1"), men_of("5@e4 8@i9 F@j10"))
    for word in ["e2-e3", "e4-f4", "e3-f3", "f4-g4", "f3-g3"]:
        truth.play(word)
    for _ in range(700):
        for word in ["g4-f4", "g3-f3", "f4-g4", "f3-g3"]:
            truth.play(word)
    for word in ["g4-f4", "g3-f3", "f4-e4"]:
        truth.play(word)
    assert truth.ply > 2304 + 500
    assert truth.why("f3-e3") is Refusal.MORE_SQUARES


def test_a_refused_move_changes_nothing() -> None:
    truth = perft.start_of(CLASSIC)
    before = truth.tobytes()
    for text, reason in [("e5-e6", "empty"), ("a10-a9", "not_yours"), ("a1-a2", "immobile"), ("e4-e6", "geometry")]:
        with pytest.raises(IllegalMove) as caught:
            truth.play(text)
        assert caught.value.reason == reason
        assert caught.value.params == {"from": text.split("-")[0], "to": text.split("-")[1]}
    assert truth.tobytes() == before


def test_no_move_after_the_end() -> None:
    truth = Truth.of_men(CLASSIC, men_of("3@e5 F@a1"), men_of("F@e6 5@j10"))
    assert truth.play("e5xe6").reason is Reason.FLAG
    assert truth.result is Result.RED
    assert truth.legal() == []
    assert truth.barred() == []
    assert truth.why("j10-j9") is Refusal.GAME_OVER
    with pytest.raises(IllegalMove, match="over"):
        truth.play("j10-j9")


def test_an_army_must_be_legal() -> None:
    red = perft.start_of(CLASSIC)
    assert red.ply == 0
    army = Deployment(CLASSIC, Seat.RED, {})
    with pytest.raises(BadArmy):
        Truth(CLASSIC, army, army.for_seat(Seat.BLUE))


def test_the_law_tells_moves_by_name() -> None:
    truth = perft.start_of(CLASSIC)
    assert sorted(map(move_text, truth.legal())) == ["a4-a5", "b4-b5", "e4-e5", "f4-f5"]
    assert parse_move("a4a5") in truth.legal()


def test_a_line_without_an_end_is_not_read_to_its_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "endless.jsonl"
    path.write_bytes(b"\0" * (LINE_CAP + 1))
    assert run_files([path]) == 1
    assert capsys.readouterr().out == f"{path}:1: this line is too long\n0 passed, 1 failed\n"
