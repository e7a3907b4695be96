"""The search: alike for both seats, the same for the same seed, and sound in small positions with one right answer."""

from random import Random

import pytest

from flagfall.mind import bots
from flagfall.mind.opening import choose
from flagfall.mind.thought import Manner, Thought, consider
from flagfall.play.player import Budget, chance
from flagfall.rules.board import Move, Seat, Square, make_move, origin, parse_square, target, turned
from flagfall.rules.catalog import CLASSIC, variant
from flagfall.rules.notation import move_text
from flagfall.rules.pieces import parse_rank
from flagfall.rules.truth import Truth
from flagfall.rules.variant import Variant

SHARP = Manner(6, 20_000, 0.0)


def men(text: str) -> dict[Square, int]:
    """`F@a1 10@e4` as ranks by square."""
    pairs = (word.split("@") for word in text.split())
    return {parse_square(at): int(parse_rank(rank)) for rank, at in pairs}


def position(red: str, blue: str, **switches: object) -> Truth:
    return Truth.of_men(variant("classic", **switches), men(red), men(blue))


def dealt(game: Variant = CLASSIC) -> Truth:
    return Truth(game, choose(CLASSIC, Seat.RED, b"s"), choose(CLASSIC, Seat.BLUE, b"s"))


def best(game: Truth, manner: Manner = SHARP) -> str:
    found = consider(game.look(game.turn), manner, Random(1)).move
    return move_text(found)


def half_turn(move: Move) -> Move:
    return make_move(turned(origin(move), 10, 10), turned(target(move), 10, 10))


def test_both_seats_think_alike() -> None:
    """A game and the same game turned by 180 degrees, the seats exchanged, are worth the same to the side to move."""
    off = 0
    asked = 0
    for number in range(3):
        red, blue = (choose(CLASSIC, seat, b"%d%d" % (number, seat)) for seat in Seat)
        upright = Truth(CLASSIC, red, blue)
        turned_round = Truth(CLASSIC, blue.for_seat(Seat.RED), red.for_seat(Seat.BLUE), Seat.BLUE)
        player = bots.level_3(b"%d" % number)
        for ply in range(120):
            if upright.result:
                break
            if ply % 10 == 0:
                thoughts: list[Thought] = []
                for game in (upright, turned_round):
                    thoughts.append(consider(game.look(game.turn), Manner(2, 10**6, 0.0), Random(0)))
                assert thoughts[0].score == thoughts[1].score
                asked += 1
                # Moves of equal order are looked at from the other end, which can shift a value by a trifle.
                off += abs(thoughts[0].ranked[0][1] - thoughts[1].ranked[0][1]) > 1e-6
                assert abs(thoughts[0].ranked[0][1] - thoughts[1].ranked[0][1]) < 5
            move = player.move(upright.look(upright.turn), Budget())
            upright.push(move)
            turned_round.push(half_turn(move))
    assert asked >= 30
    assert off <= asked // 10


def test_the_same_seed_and_nodes_give_the_same_thought() -> None:
    """Whatever was thought before, and by whom: a cold worker answers alike."""
    game = dealt()
    view = game.look(Seat.RED)
    manner = Manner(12, 4_000, 10.0)
    once = consider(view, manner, chance(b"seed", 0))
    game.push(once.move)
    consider(game.look(Seat.BLUE), manner, chance(b"other", 1))
    assert consider(view, manner, chance(b"seed", 0)) == once
    assert once.nodes <= 4_000


def test_another_seed_varies_the_move() -> None:
    """Among nearly equal moves the lot decides, so that no reply can be learnt by heart."""
    view = dealt().look(Seat.RED)
    moves = {bots.level_9(b"%d" % number).move(view, Budget(nodes=2_000)) for number in range(12)}
    assert len(moves) >= 3


@pytest.mark.parametrize(
    ("red", "blue", "known", "answer"),
    [
        ("10@e4 F@a1", "9@e5 F@j10 5@j9", "e5", "e4-e5"),
        ("8@e4 3@d1 F@a1", "7@e5 3@j9 F@j10", "e5", "e4-e5"),
        ("1@e4 8@d1 F@a1", "10@e5 7@j9 F@j10", "e5", "e4-e5"),
        ("2@e1 10@d8 F@a1", "1@e8 7@j9 F@j10", "e8", "e1-e8"),
    ],
)
def test_takes_what_it_knows_it_beats(red: str, blue: str, known: str, answer: str) -> None:
    """Known men hang: general to marshal, major to colonel, marshal to spy, spy to scout."""
    game = position(red, blue)
    show(game, known)
    assert best(game) == answer


def show(game: Truth, *names: str) -> None:
    """Make men public, as a battle before would have."""
    record, _, _ = game.records
    for name in names:
        at = parse_square(name)
        cell = (at // 10 + 1) * 12 + at % 10 + 1
        record["code"][0, cell] |= 0x80


def test_does_not_attack_a_known_stronger_man_or_a_bomb() -> None:
    """A captain beside a known general and a known bomb touches neither."""
    game = position("6@e4 4@a2 F@a1", "9@e5 B@d4 5@j9 F@j10")
    show(game, "e5", "d4")
    assert best(game) not in ("e4-e5", "e4-d4")


def test_a_threatened_known_man_gets_away() -> None:
    """A known general next to a known marshal, far from all else, moves or loses."""
    game = position("9@e4 4@a2 F@a1 B@b1", "10@e5 5@j9 F@j10")
    show(game, "e5", "e4")
    assert best(game).startswith("e4-")


def test_shields_the_flag_from_a_hidden_man_who_may_be_a_scout() -> None:
    """A hidden man far down an open file might run onto the flag: the only man near steps between; or a bomb does."""
    game = position("F@a1 4@b3 10@h1", "2@a8 5@j9 F@j10")
    show(game, "j9")
    assert best(game) == "b3-a3"
    shielded = position("F@a1 B@a2 4@b3 10@h1", "2@a8 5@j9 F@j10")
    show(shielded, "j9")
    assert best(shielded) != "b3-a3"


def test_finds_the_only_square_where_the_flag_can_be() -> None:
    """One unmoved man is left to the enemy beside a man known to move: he is the flag, and is taken."""
    game = position("5@e4 F@a1", "6@j9 F@e5")
    show(game, "j9")
    assert best(game) == "e4-e5"


@pytest.mark.parametrize("number", range(3))
def test_never_proposes_a_barred_move(number: int) -> None:
    """Its moves are among the legal ones all through games in which both rules of repetition bite (R8, R9)."""
    red, blue = bots.level_7(b"r%d" % number), bots.level_7(b"b%d" % number)
    start = position("10@a4 9@e2 4@c4 F@j1", "5@b5 6@e4 F@j10 B@i10 3@f8")
    show(start, "a4", "e2", "b5", "e4")
    for _ in range(120):
        if start.result:
            break
        legal = start.legal()
        move = (red, blue)[start.turn].move(start.look(start.turn), Budget(nodes=800))
        assert move in legal
        start.push(move)


def test_wins_a_won_ending() -> None:
    """Marshal, miners and majors against two hidden captains behind a bomb: over within the limits, by a win."""
    game = position(
        "10@e4 7@d4 7@f4 3@a4 3@j4 F@a1 B@b1 B@a2", "6@e8 5@f8 F@j10 B@i10 B@j9", max_quiet_plies=200, max_plies=1000
    )
    players = bots.level_9(b"won"), bots.level_1(b"lost")
    while not game.result:
        game.push(players[game.turn].move(game.look(game.turn), Budget(nodes=2_000)))
    assert game.result.word == "red"


@pytest.mark.parametrize("reveal", ["silent", "none"])
def test_plays_on_under_other_policies_of_reveals(reveal: str) -> None:
    """Silent defence and no reveals at all: whole stretches of play without a fault (R13.2)."""
    game = dealt(variant("classic", reveal=reveal))
    player = bots.level_5(b"p")
    for _ in range(150):
        if game.result:
            break
        game.push(player.move(game.look(game.turn), Budget(nodes=500)))
    assert game.ply >= 60
