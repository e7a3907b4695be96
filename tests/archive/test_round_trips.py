"""What a format writes, its reader reads back; what a game says beyond it is not lost silently."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flagfall.archive import actions, formats, letters, yorktown, yorktown_game
from flagfall.archive.found import Claim, Format, Found, Kind
from flagfall.errors import NotAllowed, Unreadable
from flagfall.rules.board import Move, Seat, make_move, with_rescue
from flagfall.rules.events import Result
from flagfall.rules.notation import move_text
from flagfall.rules.pieces import Rank
from tests.archive.games import FOUR_ROWS, SEEDS, deployment, game, position

NAMES = st.sampled_from(FOUR_ROWS)
WRITING = [form for form in formats.FORMATS if form.write is not None]


def back(form: Format, found: list[Found]) -> list[Found]:
    """Write, tell the format by what was written, and read."""
    data = formats.write(found, form)
    assert formats.detect("some" + form.suffixes[0], data[: formats.HEAD]) is form
    got = list(formats.read(data, "some" + form.suffixes[0]))
    assert all(isinstance(one, Found) for one in got), got
    return [one for one in got if isinstance(one, Found)]


def core(found: Found) -> tuple[object, ...]:
    """What every format of games says."""
    return found.kind, found.variant, found.armies, found.moves


def men(found: Found) -> dict[int, Rank]:
    """A deployment's men on Red's squares, whoever owns them."""
    red, blue = found.armies
    return {int(at): rank for at, rank in red.items()} if red else {99 - at: rank for at, rank in (blue or {}).items()}


@settings(max_examples=30)
@given(SEEDS, NAMES)
def test_a_game_comes_back_from_strados(seed: int, name: str) -> None:
    found = game(seed, name)
    (again,) = back(formats.named("strados2"), [found])
    assert core(again) == core(found)
    assert (again.players, again.claim, again.deviations) == (found.players, found.claim, ())


@settings(max_examples=30)
@given(SEEDS, NAMES)
def test_a_game_comes_back_from_ataraxos(seed: int, name: str) -> None:
    found = game(seed, name)
    (again,) = back(formats.named("ataraxos-game"), [found])
    assert core(again) == core(found)


@settings(max_examples=15)
@given(st.lists(SEEDS, min_size=1, max_size=20), NAMES)
def test_games_come_back_from_a_game_saver(seeds: list[int], name: str) -> None:
    games = [game(seed, name) for seed in seeds]
    again = back(formats.named("gamesaver"), games)
    assert [core(one) for one in again] == [core(one) for one in games]
    assert [one.place.line for one in again] == list(range(1, len(games) + 1))


@settings(max_examples=30)
@given(st.lists(SEEDS, min_size=1, max_size=3), st.sampled_from(["resigned", "time", "forfeit"]), st.sampled_from(Seat))
def test_games_come_back_from_an_evaluator_log(seeds: list[int], ending: str, winner: Seat) -> None:
    games = [replace(game(seed), players=("a/red", "blue")) for seed in seeds]
    going = Claim(Result.win(winner), ending)
    games = [one if one.claim.ending in ("flag", "stuck") else replace(one, claim=going) for one in games]
    again = back(formats.named("evaluator"), games)
    assert [core(one) for one in again] == [core(one) for one in games]
    assert [(one.claim, one.players) for one in again] == [(one.claim, one.players) for one in games]


@settings(max_examples=30)
@given(SEEDS, NAMES)
def test_a_position_comes_back_from_a_board_string(seed: int, name: str) -> None:
    found = position(seed, name)
    (again,) = back(formats.named("ataraxos-boards"), [found])
    assert (again.armies, again.known, again.moved) == (found.armies, found.known, found.moved)


@settings(max_examples=60)
@given(SEEDS, NAMES, st.sampled_from([None, *Seat]))
def test_a_position_comes_back_from_yorktown(seed: int, name: str, hides: Seat | None) -> None:
    found = position(seed, name)
    if hides is not None:
        hidden = {at: rank if at in found.known else Rank.UNKNOWN for at, rank in (found.armies[hides] or {}).items()}
        open_now = found.armies[hides.other] or {}
        known = found.known | {at for at in open_now if Random(seed).random() < 0.2}
        armies = (hidden, found.armies[1]) if hides is Seat.RED else (found.armies[0], hidden)
        found = replace(found, armies=armies, known=known, first=hides.other)
    (again,) = back(formats.named("yorktown"), [found])
    assert (again.armies, again.known, again.first, again.ply) == (found.armies, found.known, found.first, found.ply)


@settings(max_examples=30)
@given(st.lists(st.tuples(SEEDS, st.integers(1, 5)), min_size=1, max_size=20), st.sampled_from(["classic", "barrage"]))
def test_deployments_come_back_from_every_list(drawn: list[tuple[int, int]], name: str) -> None:
    found = [deployment(seed, name, count) for seed, count in drawn]
    flat = [men(one) for one in found for _ in range(one.count)]
    for form in WRITING:
        if Kind.DEPLOYMENT in form.writes and (form.name != "stg" or name == "classic"):
            again = back(form, found)
            assert [men(one) for one in again for _ in range(one.count)] == flat, form.name
            assert {one.variant for one in again} == {name}


@given(SEEDS, NAMES)
def test_a_board_comes_back_from_letters(seed: int, name: str) -> None:
    found = position(seed, name)
    (again,) = back(formats.named("gravon-letters"), [found])
    assert (again.armies, again.variant) == (found.armies, name)


@given(st.integers(0, 1799), st.sampled_from(Seat))
def test_every_action_is_one_move(action: int, seat: Seat) -> None:
    assert actions.action_of(actions.move_of(action, seat), seat) == action


def test_every_line_of_the_board_has_an_action() -> None:
    lines = [
        make_move(a, b) for a in range(100) for b in range(100) if a != b and (a % 10 == b % 10 or a // 10 == b // 10)
    ]
    for seat in Seat:
        assert sorted(actions.action_of(move, seat) for move in lines) == list(range(1800))


@given(st.integers(0, 99), st.integers(0, 99))
def test_yorktown_moves_come_back(one: int, two: int) -> None:
    move = make_move(one, two)
    assert yorktown.read_move(yorktown.move_text(move), game(0).place) == move


@settings(max_examples=30)
@given(SEEDS, NAMES)
def test_a_game_comes_back_from_yorktown(seed: int, name: str) -> None:
    found = game(seed, name)
    (again,) = back(formats.named("yorktown-game"), [found])
    assert (core(again), again.first, again.deviations) == (core(found), found.first, ())


def test_every_line_of_the_board_has_an_action_of_yorktown() -> None:
    """R14.6: 3600 numbers, of which those that lead off the board are none; each other one is a move of its own."""
    for seat in Seat:
        moves = {}
        for action in range(yorktown_game.ACTIONS):
            with suppress(Unreadable):
                moves[yorktown_game.move_of(action, seat)] = action
        assert len(moves) == 1800
        assert all(yorktown_game.action_of(move, seat) == action for move, action in moves.items())
    # Rows are mirrored for Blue and files are not: his a7-a6 bears the number of Red's a4-a5.
    assert [move_text(yorktown_game.move_of(117, seat)) for seat in Seat] == ["a4-a5", "a7-a6"]
    for wrong in (-1, 3600, 0):
        with pytest.raises(Unreadable) as caught:
            yorktown_game.move_of(wrong, Seat.RED)
        assert caught.value.stable_code == "bad_action"


def test_the_example_of_the_rules_is_yorktown() -> None:
    """The line that R14.6 shows, and what it says of Red's front row."""
    line = "FEBMBEFEEFBGIBHIBEDBGJDDDHCGJGDHDLIFKDDHAA__AA__AAAA__AA__AASTQPNSQPTSUPWPVRPXPURNQONNQSNVPTNQRRTYUP r 0"
    (found,) = formats.read(line.encode(), "x.txt")
    assert isinstance(found, Found)
    assert (found.variant, found.first, found.ply, found.known) == ("classic", Seat.RED, 0, frozenset())
    assert formats.write([found], yorktown.YORKTOWN).decode() == line + "\n"
    assert letters.army_text(found.armies[0] or {}) == line[:40]


@pytest.mark.parametrize("form", WRITING, ids=lambda form: form.name)
def test_what_a_format_cannot_say_it_refuses(form: Format) -> None:
    wrong = {Kind.GAME: position(1), Kind.POSITION: deployment(1), Kind.DEPLOYMENT: game(1)}
    for kind in form.writes:
        for other in wrong[kind], replace(wrong[kind], armies=(None, None)):
            if other.kind not in form.writes:
                with pytest.raises(NotAllowed, match=form.name) as refused:
                    formats.write([other], form)
                assert refused.value.stable_code == "not_in_this_format"


@pytest.mark.parametrize("name", ["strados2", "ataraxos-game", "gamesaver", "evaluator"])
def test_no_game_loses_what_its_format_cannot_say(name: str) -> None:
    found = game(3)
    rescue = Move(with_rescue(found.moves[0], 3, 5))
    for lost in (
        replace(found, moves=(rescue,)),
        replace(found, first=Seat.BLUE),
        replace(found, armies=(found.armies[0], None)),
    ):
        with pytest.raises(NotAllowed) as refused:
            formats.write([lost], formats.named(name))
        assert refused.value.stable_code == "not_in_this_format"


def test_a_list_is_not_written_a_thousand_million_times() -> None:
    with pytest.raises(NotAllowed) as refused:
        formats.write([deployment(1, count=10**9)], formats.named("init-list"))
    assert refused.value.stable_code == "too_large"


def test_what_is_only_read_is_not_written() -> None:
    with pytest.raises(NotAllowed) as refused:
        formats.write([game(1)], formats.named("gsn"))
    assert refused.value.stable_code == "read_only"
