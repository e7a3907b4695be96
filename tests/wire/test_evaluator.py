"""The words of the evaluator protocol say every ply and every army, and refuse what they cannot say."""

from __future__ import annotations

from random import Random

import pytest

from flagfall.errors import IllegalMove, NotAllowed, PlayerFault
from flagfall.play.table import ending
from flagfall.rules.board import Move, Seat, make_move, origin, parse_square, target
from flagfall.rules.catalog import CLASSIC, MICRO, preset, variant
from flagfall.rules.events import Outcome
from flagfall.rules.truth import Truth
from flagfall.wire import evaluator as words
from flagfall.wire.entrant import board_lines
from tests.guests.players import Wanderer


def armies(number: int) -> tuple[Wanderer, Wanderer]:
    return Wanderer(bytes([number, 1])), Wanderer(bytes([number, 2]))


def test_every_ply_of_random_games_can_be_told_and_understood() -> None:
    outcomes = set()
    for number in range(12):
        red, blue = armies(number)
        truth = Truth(CLASSIC, red.deploy(CLASSIC, Seat.RED), blue.deploy(CLASSIC, Seat.BLUE))
        lot = Random(number)
        while not truth.result and truth.ply < 500:
            move = lot.choice(truth.legal())
            assert words.move_of(words.order_of(Move(move))) == move
            played = truth.play(Move(move))
            understood = words.played_of(words.told_text(played), played.ply, played.seat)
            assert understood is not None
            outcomes.add(played.outcome)
            told = (understood.outcome, understood.origin, understood.target, understood.attacker, understood.defender)
            assert told == (played.outcome, played.origin, played.target, played.attacker, played.defender)
    assert outcomes == set(Outcome)


def test_red_sits_on_top_and_nothing_is_mirrored() -> None:
    """R14.5: file = 9 - x, row = y + 1. UP goes towards Red."""
    assert words.square_at(0, 0) == parse_square("j1")
    assert words.square_at(9, 9) == parse_square("a10")
    move = words.move_of("9 6 UP 3")
    assert (origin(move), target(move)) == (parse_square("a7"), parse_square("a4"))
    move = words.move_of("0 3 RIGHT")
    assert (origin(move), target(move)) == (parse_square("j4"), parse_square("i4"))


@pytest.mark.parametrize("seat", list(Seat))
def test_an_army_is_four_lines_from_the_top(seat: Seat) -> None:
    army = Wanderer(b"army").deploy(CLASSIC, seat)
    lines = words.army_lines(army)
    assert words.army_of(lines, CLASSIC, seat) == army
    back = lines[0] if seat is Seat.RED else lines[3]
    home = CLASSIC.home[seat][:10]
    seen = back[::-1] if seat is Seat.RED else back
    assert seen == "".join(words.LETTERS[army.ranks[at]] for at in home)


def test_a_seat_is_shown_its_own_men_and_nothing_of_the_others() -> None:
    red, blue = armies(3)
    truth = Truth(CLASSIC, red.deploy(CLASSIC, Seat.RED), blue.deploy(CLASSIC, Seat.BLUE))
    rows = board_lines(truth.look(Seat.RED))
    assert rows[:4] == words.army_lines(red.deploy(CLASSIC, Seat.RED))
    assert rows[6:] == ["#" * 10] * 4
    assert rows[4] == rows[5] == "..++..++.."
    assert board_lines(truth.look(Seat.BLUE))[:4] == ["#" * 10] * 4


@pytest.mark.parametrize(
    "text",
    ["", "e2e4", "1 2", "1 2 NORTH", "1 2 up", "10 2 UP", "-1 2 UP", "1 2 UP 10", "1 2 UP x", "1 2 UP 1 1", "NO_MOVE"],
)
def test_what_is_no_move(text: str) -> None:
    with pytest.raises(PlayerFault) as caught:
        words.move_of(text)
    assert caught.value.stable_code == "bad_answer"


@pytest.mark.parametrize("text", ["0 0 UP", "9 9 RIGHT 2", "3 3 LEFT 4", "5 5 DOWN 0"])
def test_a_move_off_the_board_is_illegal(text: str) -> None:
    with pytest.raises(IllegalMove):
        words.move_of(text)


def test_a_move_may_carry_blanks() -> None:
    assert words.move_of(" 1 3  DOWN 1 \r") == make_move(words.square_at(1, 3), words.square_at(1, 4))


@pytest.mark.parametrize("lines", [["FB8sB479B8"] * 3 + ["short"], ["x" * 10] * 4, ["FB8sB479B\u0663"] * 4])
def test_an_army_that_cannot_be_read(lines: list[str]) -> None:
    with pytest.raises(PlayerFault) as caught:
        words.army_of(lines, CLASSIC, Seat.RED)
    assert caught.value.stable_code == "bad_setup"


@pytest.mark.parametrize(
    "line",
    ["1 3 DOWN ILLEGAL", "1 3 DOWN VICTORY_FLAG", "1 3 DOWN KILLS", "1 3 DOWN 9 OK", "1 3 DOWN", "START", "QUIT", ""],
)
def test_lines_that_tell_of_no_ply(line: str) -> None:
    assert words.played_of(line, 1, Seat.RED) is None


def test_only_classic_with_open_battles_is_spoken() -> None:
    for law in ("isf", "ucc2012", "online", "family"):
        words.checked(ending(CLASSIC.with_law(**preset(law).departures(CLASSIC.law))))
    for other in (
        MICRO,
        variant("classic", reveal="silent"),
        variant("classic", bomb_once=True),
        variant("classic", tie="attacker"),
        variant("classic", scout_move_and_strike=False),
    ):
        with pytest.raises(NotAllowed) as caught:
            words.checked(other)
        assert caught.value.stable_code == "not_spoken"
