"""Two players and a referee: whole games, draws by agreement, and every way a program can lose by its own fault."""

from __future__ import annotations

from itertools import count

import pytest

from flagfall.play import roster
from flagfall.play.clock import Control, Kind
from flagfall.play.player import Budget, seat_seed
from flagfall.play.record import Deed, Sitter, Terms
from flagfall.play.referee import Phase, Referee
from flagfall.play.table import Table, ending
from flagfall.rules.board import Move, Seat, square_name
from flagfall.rules.catalog import CLASSIC, MICRO
from flagfall.rules.deployment import Deployment
from flagfall.rules.events import Reason, Result
from flagfall.rules.pieces import Rank
from flagfall.rules.variant import Variant
from flagfall.rules.view import View
from tests.guests.players import Wanderer

SECRET = bytes(range(32))


def game(
    red: str, blue: str, *, variant: Variant = MICRO, control: Control | None = None, step_ms: int = 1, number: int = 0
) -> Table:
    """A table of two players of the roster; each look at the clock finds it `step_ms` on."""
    terms = Terms(variant=variant, sitters=(Sitter(red), Sitter(blue)), control=control)
    secret = number.to_bytes(32, "big")
    players = [roster.seat(name, seat_seed(secret, seat)) for name, seat in zip((red, blue), Seat, strict=True)]
    clock, timer = count(0, step_ms), count(0, 1_000)
    referee = Referee(terms, secret=secret, now_ms=0)
    return Table(referee, *players, now_ms=lambda: next(clock), timer_ns=lambda: next(timer))


def test_a_game_without_a_person_ends() -> None:
    """R11.3: 200 quiet plies, 2,000 plies."""
    law = ending(CLASSIC).law
    assert (law.max_quiet_plies, law.max_plies) == (200, 2_000)
    own = ending(CLASSIC.with_law(max_plies=50)).law
    assert (own.max_quiet_plies, own.max_plies) == (200, 50)
    referee = game("wanderer", "wanderer", variant=ending(CLASSIC)).play()
    assert referee.phase is Phase.OVER
    assert 0 < referee.ply <= 2_000


def test_the_same_secret_gives_the_same_game() -> None:
    first, again = (game("wanderer", "wanderer", variant=ending(CLASSIC), number=4).play() for _ in range(2))
    assert first.record() == again.record()
    other = game("wanderer", "wanderer", variant=ending(CLASSIC), number=5).play()
    assert other.record().acts != first.record().acts


def test_a_table_goes_on_from_any_ply_to_the_same_end() -> None:
    whole = game("wanderer", "peaceful", variant=ending(CLASSIC), number=8).play().record()
    for plies in (0, 1, 7):
        table = game("wanderer", "peaceful", variant=ending(CLASSIC), number=8)
        cut = [number for number, act in enumerate(whole.acts) if act.deed is Deed.MOVE][plies]
        half = Referee(whole.terms, secret=whole.secret, now_ms=0)
        for act in whole.acts[:cut]:
            army = whole.deployments[act.seat] if act.seat is not None else None
            assert act.seat is not None
            if act.deed is Deed.DEPLOY:
                assert army is not None
                half.deploy(act.seat, army, act.at_ms)
            elif act.deed is Deed.MOVE:
                assert act.move is not None
                half.move(act.seat, act.move, act.at_ms)
            elif act.deed is Deed.OFFER:
                half.offer_draw(act.seat, act.at_ms)
            else:
                half.answer_draw(act.seat, False, act.at_ms)
        table.referee = half
        ended = table.play().record()
        assert [act.move for act in ended.acts] == [act.move for act in whole.acts]
        assert (ended.result, ended.reason) == (whole.result, whole.reason)


def test_a_draw_is_offered_and_taken() -> None:
    table = game("peaceful", "peaceful", variant=ending(CLASSIC), number=1)
    referee = table.play()
    assert (referee.result, referee.reason) == (Result.DRAW, Reason.AGREED)
    deeds = {act.deed for act in referee.record().acts}
    assert {Deed.OFFER, Deed.DECLINE, Deed.ACCEPT} <= deeds


@pytest.mark.parametrize(
    ("bad", "codes", "plies"),
    [
        ("liar", {"empty", "not_yours", "immobile", "geometry"}, 2),
        ("raiser", {"raised"}, 0),
        ("disorderly", {"too_few"}, 0),
    ],
)
@pytest.mark.parametrize("seat", Seat)
def test_a_fault_loses_the_game(bad: str, codes: set[str], plies: int, seat: Seat) -> None:
    names = ("wanderer", bad) if seat else (bad, "wanderer")
    table = game(*names, variant=ending(CLASSIC), number=1)
    referee = table.play()
    assert (referee.result, referee.reason) == (Result.win(seat.other), Reason.FORFEIT)
    assert referee.ply == plies + (seat is Seat.BLUE and bad != "disorderly")
    fault = table.chairs[seat].fault
    assert fault is not None
    assert fault.stable_code in codes
    assert table.chairs[seat.other].fault is None
    assert referee.record().acts[-1].fault == fault.stable_code


def test_thinking_is_timed() -> None:
    table = game("wanderer", "wanderer", number=2)
    referee = table.play()
    assert [chair.moves for chair in table.chairs] == [(referee.ply + 1) // 2, referee.ply // 2]
    assert [chair.thought_ns for chair in table.chairs] == [1_000 * chair.moves for chair in table.chairs]


def test_the_clock_decides() -> None:
    slow = game("wanderer", "wanderer", control=Control(Kind.PER_MOVE, cap_ms=1), step_ms=5)
    referee = slow.play()
    assert (referee.result, referee.reason) == (Result.BLUE, Reason.TIME)
    assert slow.chairs[Seat.RED].fault is None
    setup = game("wanderer", "wanderer", control=Control(Kind.PER_MOVE, cap_ms=1, setup_ms=1), step_ms=5).play()
    assert setup.reason is Reason.TIME


@pytest.mark.parametrize(("bad", "codes"), [("forger", {"ply_out_of_order"}), ("wrecker", {"raised"})])
@pytest.mark.parametrize("seat", Seat)
def test_a_view_that_was_spoilt_is_the_fault_of_its_player(bad: str, codes: set[str], seat: Seat) -> None:
    names = ("wanderer", bad) if seat else (bad, "wanderer")
    table = game(*names, variant=ending(CLASSIC), number=1)
    referee = table.play()
    assert (referee.result, referee.reason) == (Result.win(seat.other), Reason.FORFEIT)
    assert referee.ply == 1 + seat
    fault = table.chairs[seat].fault
    assert fault is not None
    assert fault.stable_code in codes
    assert table.chairs[seat.other].fault is None
    assert Referee.resume(referee.record(), 0).result is referee.result


class WalledIn(Wanderer):
    """Closes its own front row with its bombs."""

    def deploy(self, variant: Variant, seat: Seat) -> Deployment:
        gates = {"a", "b", "e", "f", "i", "j"}
        men = [rank for rank, count in variant.army.items() for _ in range(count) if rank is not Rank.BOMB]
        places = {at: Rank.BOMB for at in variant.home[seat][-variant.width :] if square_name(at)[0] in gates}
        others = [at for at in variant.home[seat] if at not in places]
        return Deployment(variant, seat, places | dict(zip(others, men, strict=True)))

    def move(self, view: View, budget: Budget) -> Move:
        raise AssertionError("nobody without a move is asked for one")


@pytest.mark.parametrize("seat", Seat)
def test_a_player_without_a_move_resigns(seat: Seat) -> None:
    """R11.1, piece-count: a side that is walled in but owns a man that could move must resign."""
    variant = ending(CLASSIC.with_law(stuck_check="piece-count"))
    terms = Terms(variant=variant, sitters=(Sitter("a"), Sitter("b")))
    makers = (Wanderer, WalledIn) if seat else (WalledIn, Wanderer)
    referee = Referee(terms, secret=SECRET, now_ms=0)
    table = Table(referee, *(maker(SECRET) for maker in makers), now_ms=lambda: 0)
    table.play()
    assert (referee.result, referee.reason) == (Result.win(seat.other), Reason.RESIGNED)
    assert referee.ply == int(seat)
    assert table.chairs[seat].fault is None


def test_a_fault_after_the_time_was_up_loses_by_time() -> None:
    table = game("raiser", "wanderer", control=Control(Kind.PER_MOVE, cap_ms=2, setup_ms=100), step_ms=5)
    referee = table.play()
    assert (referee.result, referee.reason) == (Result.BLUE, Reason.TIME)
