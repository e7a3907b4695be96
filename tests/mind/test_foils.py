"""Hostile players keep to the law, to their habit and to their seed, and know nothing but a view."""

from __future__ import annotations

import pytest

from flagfall.check.twins import Script, leaks, twins
from flagfall.mind import foils
from flagfall.play import roster
from flagfall.play.player import Budget, Factory, chance
from flagfall.rules.board import Seat, Square, origin, target
from flagfall.rules.catalog import CLASSIC, MICRO
from flagfall.rules.deployment import Deployment
from flagfall.rules.pieces import Rank
from flagfall.rules.truth import Truth
from flagfall.rules.variant import Variant
from tests.mind.test_secrecy import played_script

HABITS: list[Factory] = [foils.statue, foils.chaser, foils.kamikaze, foils.bluffer, foils.rusher]
BUILDERS: list[Factory] = [foils.fortress, foils.lake_bombs, foils.front_flag]
QUICK = Budget(nodes=100)


def game(red: Factory, blue: Factory, plies: int, *, variant: Variant = CLASSIC, number: int = 1) -> Truth:
    """A game of so many plies between two players; every move is played, so every move is legal."""
    players = [maker(bytes([number, seat])) for maker, seat in zip((red, blue), Seat, strict=True)]
    truth = Truth(variant, players[0].deploy(variant, Seat.RED), players[1].deploy(variant, Seat.BLUE))
    while not truth.result and truth.ply < plies:
        truth.play(players[truth.turn].move(truth.look(truth.turn), QUICK))
    return truth


def moves(truth: Truth, seat: Seat) -> list[tuple[Square, Square, bool]]:
    """Origin, target and whether it met a man, of every ply of a seat."""
    plies = [truth.played(number) for number in range(1, truth.ply + 1)]
    return [(ply.origin, ply.target, ply.defender is not None) for ply in plies if ply.seat is seat]


@pytest.mark.parametrize("maker", HABITS + BUILDERS)
def test_all_play_legal_games_of_either_colour_and_other_sizes(maker: Factory) -> None:
    for variant in (CLASSIC, MICRO):
        game(maker, foils.kamikaze, 80, variant=variant)
        game(foils.rusher, maker, 80, variant=variant)


@pytest.mark.parametrize("maker", HABITS)
def test_the_same_seed_plays_the_same_game(maker: Factory) -> None:
    first, again, other = (game(maker, foils.rusher, 60, number=number) for number in (1, 1, 2))
    assert first.tobytes() == again.tobytes()
    assert first.tobytes() != other.tobytes()


@pytest.mark.parametrize("maker", HABITS)
def test_a_habit_rests_on_the_view_alone(maker: Factory) -> None:
    script = played_script(60, 90)
    seat = script.truth().turn
    others = twins(script, seat, 10, chance(b"foils", 0))
    assert len(others) >= 5

    def answered(world: Script) -> bytes:
        truth = world.truth()
        return str(maker(b"seed").move(truth.look(truth.turn), QUICK)).encode()

    assert leaks(script, answered, others) == []


def test_a_statue_stands_still() -> None:
    """Nearly all of its army never moves, and it attacks nobody who is not next to it."""
    truth = game(foils.statue, foils.bluffer, 200)
    moved = {man.id for man in truth.look(Seat.RED).men() if man.seat is Seat.RED and man.moved}
    assert len(moved) <= 12
    assert sum(met for *_, met in moves(truth, Seat.RED)) <= 5


def test_a_kamikaze_never_spares_anybody() -> None:
    truth = game(foils.kamikaze, foils.statue, 120)
    assert sum(met for *_, met in moves(truth, Seat.RED)) >= 10
    player = foils.kamikaze(b"x")
    while not truth.result and truth.ply < 300:
        view = truth.look(truth.turn)
        enemies = {man.square for man in view.men() if man.seat is not view.seat and man.square is not None}
        move = player.move(view, QUICK)
        if any(target(each) in enemies for each in view.legal()):
            assert target(move) in enemies
        truth.play(move)


def test_a_rusher_leads_with_its_strongest() -> None:
    truth = game(foils.rusher, foils.statue, 30)
    armies = {man.id: man.rank for man in truth.look(Seat.RED).men() if man.seat is Seat.RED}
    first = {start for start, *_ in moves(truth, Seat.RED)[:10]} & set(armies)
    free = [rank for rank in armies.values() if Rank.MAJOR <= rank <= Rank.MARSHAL]
    assert free
    assert max(armies[start] for start in first) >= Rank.MAJOR


def test_a_bluffer_shows_no_strong_man() -> None:
    truth = game(foils.bluffer, foils.rusher, 60)
    ranks = {man.id: man.rank for man in truth.look(Seat.RED).men() if man.seat is Seat.RED}
    starts = [ranks[start] for start, *_ in moves(truth, Seat.RED) if start in ranks]
    assert sum(rank >= foils.STRONG for rank in starts) * 3 <= len(starts)


def army(maker: Factory, seat: Seat, number: int) -> Deployment:
    return maker(bytes([number])).deploy(CLASSIC, seat).checked()


@pytest.mark.parametrize("seat", list(Seat))
def test_strange_armies_are_what_they_are_called(seat: Seat) -> None:
    home = CLASSIC.home[seat]
    for number in range(10):
        rows = [army(maker, seat, number) for maker in BUILDERS]
        signs = [[each.ranks[at] for at in home] for each in rows]
        corner = 0 if signs[0][0] is Rank.FLAG else 9
        assert signs[0][corner] is Rank.FLAG
        assert {signs[0][abs(corner - 1)], signs[0][10 + corner]} == {Rank.BOMB}
        assert [signs[1][30 + file] for file in (2, 3, 6, 7)] == [Rank.BOMB] * 4
        assert Rank.FLAG in signs[2][30:]
    assert army(foils.fortress, seat, 1) == army(foils.fortress, seat, 1)


def test_foils_are_seated_by_name_and_are_no_level() -> None:
    found = [name for name in roster.names() if name.startswith("foil-")]
    assert len(found) == len(HABITS) + len(BUILDERS)
    view = game(foils.statue, foils.statue, 0).look(Seat.RED)
    for name in found:
        move = roster.seat(name, bytes(32)).move(view, QUICK)
        assert origin(move) in CLASSIC.home[Seat.RED]
