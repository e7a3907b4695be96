"""What is kept of a seat's sight is what would be drawn anew: every variant, every ply, both seats, byte for byte."""

from __future__ import annotations

from random import Random

import pytest

from flagfall.play import roster
from flagfall.play.record import PEOPLE, Terms
from flagfall.play.referee import Referee
from flagfall.rules.board import Seat
from flagfall.rules.catalog import CLASSIC, VARIANTS
from flagfall.server import state
from flagfall.server.sight import Sight
from flagfall.wire.messages import write

TOLD = state.Told("", against="friend")


def table(name: str, seed: int) -> Referee:
    """A game whose armies stand."""
    game = VARIANTS[name]
    referee = Referee(Terms(variant=game, sitters=PEOPLE), secret=bytes([seed] * 32), now_ms=0)
    for seat in Seat:
        referee.deploy(seat, roster.fill(game, seat, bytes([seed] * 32)), 0)
    return referee


def fresh(referee: Referee, seat: Seat, since: int) -> bytes:
    return write(state.seen(referee, seat, since, referee.ply, TOLD))


@pytest.mark.parametrize("name", sorted(VARIANTS))
def test_kept_and_fresh_are_the_same_bytes(name: str) -> None:
    chance, referee = Random(7), table(name, 7)
    sights = (Sight(Seat.RED), Sight(Seat.BLUE))
    looked_last = [0, 0]
    for number in range(1, 161):
        turn = referee.turn
        if turn is None:
            break
        view = referee.view(turn)
        move = chance.choice(view.legal())
        move = chance.choice([move, *view.rescues(move)])
        referee.move(turn, move, number)
        for seat in Seat:
            if chance.random() < 0.7:  # some plies are missed, as by a slow page
                since, looked_last[seat] = looked_last[seat], referee.ply
                kept = write(state.seen(referee, seat, since, referee.ply, TOLD, sights[seat]))
                assert kept == fresh(referee, seat, since), (name, number, seat)
    if referee.turn is not None:
        referee.resign(Seat.RED, 1_000)
    for seat in Seat:
        kept = write(state.seen(referee, seat, 0, referee.ply, TOLD, sights[seat]))
        assert kept == fresh(referee, seat, 0)


def test_a_sight_follows_to_another_referee() -> None:
    """A game read anew from the store has another referee, perhaps of fewer plies."""
    sight = Sight(Seat.RED)
    for seed, plies in ((1, 6), (2, 3), (3, 5)):
        referee, chance = table(CLASSIC.name, seed), Random(seed)
        for number in range(plies):
            turn = referee.turn
            assert turn is not None
            referee.move(turn, chance.choice(referee.view(turn).legal()), number)
            assert write(state.seen(referee, Seat.RED, 0, referee.ply, TOLD, sight)) == fresh(referee, Seat.RED, 0)


def test_nobody_is_shown_the_other_sight() -> None:
    with pytest.raises(ValueError, match="own sight"):
        state.seen(table(CLASSIC.name, 1), Seat.RED, 0, 0, TOLD, Sight(Seat.BLUE))


def test_what_a_caller_does_to_a_list_stays_with_him() -> None:
    referee, sight = table(CLASSIC.name, 1), Sight(Seat.RED)
    first = state.seen(referee, Seat.RED, 0, 0, TOLD, sight)
    first.men.clear()
    assert len(state.seen(referee, Seat.RED, 0, 0, TOLD, sight).men) == 80
