"""Seeds go one way, chance depends on seed and ply alone, and a request carries all that an answer needs."""

from __future__ import annotations

import pytest

from flagfall.errors import NotFound, PlayerFault
from flagfall.play import roster
from flagfall.play.player import Kind, Request, chance, derived, seat_seed, think
from flagfall.play.record import Sitter, Terms
from flagfall.play.referee import Referee
from flagfall.rules.board import Seat
from flagfall.rules.catalog import CLASSIC, MICRO
from tests.guests.players import Wanderer

SECRET = bytes(range(32))


def test_seats_have_seeds_of_their_own() -> None:
    seeds = {seat_seed(SECRET, seat) for seat in Seat} | {seat_seed(SECRET[::-1], seat) for seat in Seat}
    assert len(seeds) == 4
    assert all(len(seed) == 32 and SECRET not in seed for seed in seeds)
    assert derived(SECRET, "a", "b") != derived(SECRET, "ab")


def test_chance_is_of_seed_ply_and_purpose() -> None:
    def draw(seed: bytes, ply: int, purpose: str) -> float:
        return chance(seed, ply, purpose).random()

    assert draw(SECRET, 3, "move") == draw(SECRET, 3, "move")
    assert len({draw(SECRET, 3, "move"), draw(SECRET, 4, "move"), draw(SECRET, 3, "army"), draw(b"x", 3, "move")}) == 4


def test_a_request_leads_to_the_very_view_of_its_seat() -> None:
    terms = Terms(variant=CLASSIC, first=Seat.BLUE, sitters=(Sitter("wanderer"), Sitter("wanderer")))
    referee = Referee(terms, secret=SECRET, now_ms=0)
    for seat in Seat:
        army = roster.answer(referee.request(Kind.DEPLOY, seat)).deployment
        assert army is not None
        referee.deploy(seat, army, 0)
    for _ in range(60):
        turn = referee.turn
        assert turn is not None
        for seat in Seat:
            asked = referee.request(Kind.MOVE, seat)
            assert asked.view().tobytes() == referee.view(seat).tobytes()
            assert list(asked.enemy) == sorted(asked.enemy)
        reply = roster.answer(referee.request(Kind.MOVE, turn))
        assert reply.move == Wanderer(seat_seed(SECRET, turn)).move(
            referee.view(turn), referee.request(Kind.MOVE, turn).budget
        )
        assert reply.move is not None
        referee.move(turn, reply.move, 0)


def test_before_both_stand_a_request_tells_nothing_of_the_other() -> None:
    referee = Referee(Terms(variant=MICRO), secret=SECRET, now_ms=0)
    referee.deploy(Seat.RED, Wanderer(SECRET).deploy(MICRO, Seat.RED), 0)
    asked = referee.request(Kind.DEPLOY, Seat.BLUE)
    assert (asked.deployment, asked.enemy, asked.events) == (None, (), ())


def test_what_is_asked_is_answered() -> None:
    asked = Request(kind=Kind.DEPLOY, player="wanderer", variant=MICRO, seat=Seat.BLUE, seed=SECRET)
    reply = think(Wanderer(SECRET), asked)
    assert reply.deployment is not None
    assert not reply.deployment.faults()
    with pytest.raises(PlayerFault):
        think(Wanderer(SECRET), Request(kind=Kind.MOVE, player="", variant=MICRO, seat=Seat.BLUE, seed=SECRET))


def test_nothing_secret_in_the_words_for_a_request() -> None:
    army = Wanderer(SECRET).deploy(MICRO, Seat.RED)
    asked = Request(kind=Kind.MOVE, player="p", variant=MICRO, seat=Seat.RED, seed=SECRET, deployment=army)
    assert repr(asked) == "Request(move, p, red, after ply 0)"


def test_the_roster_names_the_house_and_the_guests() -> None:
    assert {"level-1", "level-3", "level-5", "level-7", "level-9", "random", "wanderer"} <= set(roster.names())
    assert roster.names() == sorted(roster.names())
    assert roster.known("level-9")
    assert not roster.known("level-11")
    with pytest.raises(NotFound) as caught:
        roster.seat("level-11", SECRET)
    assert caught.value.stable_code == "unknown_player"


def test_an_army_is_filled_round_what_stands() -> None:
    whole = roster.fill(CLASSIC, Seat.BLUE, SECRET)
    kept = dict(list(whole.ranks.items())[:7])
    again = roster.fill(CLASSIC, Seat.BLUE, SECRET[::-1], kept)
    assert not again.faults()
    assert kept.items() <= again.ranks.items()
