"""The house players at a table: legal armies and moves, budgets kept, sensible replies to draw offers."""

import time
from random import Random

import pytest

from flagfall.mind import bots
from flagfall.mind.thought import Manner, appraise
from flagfall.play import roster
from flagfall.play.player import Budget, Factory
from flagfall.rules.board import Seat, parse_square, target
from flagfall.rules.catalog import CLASSIC, MICRO
from flagfall.rules.events import Result
from flagfall.rules.pieces import parse_rank
from flagfall.rules.truth import Truth
from flagfall.rules.variant import Variant

LEVELS: list[Factory] = [bots.level_1, bots.level_2, bots.level_5, bots.level_7, bots.level_9, bots.level_10]
EVERYBODY: list[Factory] = [*LEVELS, bots.beginner, bots.random_mover]


def fragment(red: str, blue: str) -> Truth:
    squares = [
        {parse_square(at): int(parse_rank(rank)) for rank, at in (word.split("@") for word in text.split())}
        for text in (red, blue)
    ]
    return Truth.of_men(CLASSIC, squares[0], squares[1])


def play(red: Factory, blue: Factory, seed: int, game: Variant, nodes: int, plies: int = 2_000) -> Truth:
    players = (red(b"r%d" % seed), blue(b"b%d" % seed))
    armies = [players[seat].deploy(game, seat) for seat in Seat]
    truth = Truth(game, armies[0].checked(), armies[1].checked())
    views = [truth.look(seat) for seat in Seat]
    while not truth.result and truth.ply < plies:
        event = truth.play(players[truth.turn].move(views[truth.turn], Budget(nodes=nodes)))
        for view in views:
            view.fold(event)
    return truth


@pytest.mark.parametrize("player", EVERYBODY, ids=lambda player: player.__name__)
@pytest.mark.parametrize("game", [CLASSIC, MICRO], ids=lambda game: game.name)
def test_everybody_plays_any_variant(player: Factory, game: Variant) -> None:
    """Two of a kind, from their own deployments on: no move is refused."""
    truth = play(player, player, 1, game, 300, plies=80)
    assert truth.result or truth.ply == 80


def test_the_roster_finds_the_house() -> None:
    """Names of scripts and pages, by entry points."""
    assert {"level-1", "level-3", "level-5", "level-7", "level-9", "random", "beginner"} <= set(roster.names())
    assert isinstance(roster.seat("level-5", b"x"), bots.Thinker)
    assert roster.fill(CLASSIC, Seat.RED, b"x").faults() == []


def test_levels_beat_those_far_below_them() -> None:
    """A coarse guard, not a measurement: the scores of DESIGN's ladder are measured by the arena."""
    game = CLASSIC.with_law(max_quiet_plies=200, max_plies=2_000)
    score = 0
    for number in range(6):
        mine = Seat(number % 2)
        players = (bots.level_7, bots.beginner) if mine is Seat.RED else (bots.beginner, bots.level_7)
        score += play(*players, number, game, 3_000).result == Result.win(mine)
    assert score >= 5


def test_a_player_made_afresh_answers_alike() -> None:
    """Chance is a function of seed and ply alone."""
    truth = play(bots.level_3, bots.beginner, 3, CLASSIC, 300, plies=30)
    view = truth.look(truth.turn)
    for player in EVERYBODY:
        used = player(b"same")
        for other in range(3):
            used.deploy(CLASSIC, Seat(other % 2))
        used.move(view, Budget(nodes=700))
        assert used.move(view, Budget(nodes=700)) == player(b"same").move(view, Budget(nodes=700))


@pytest.mark.parametrize("time_ms", [5, 40])
def test_a_time_is_used_and_held(time_ms: int) -> None:
    """The strongest level never takes much longer than it may, and a level of few plies stops when it is through."""
    truth = play(bots.level_3, bots.beginner, 3, CLASSIC, 300, plies=60)
    view = truth.look(truth.turn)
    player, quick = bots.level_10(b"t"), bots.level_1(b"t")
    spent = []
    for _ in range(8):
        began = time.process_time()
        assert player.move(view, Budget(time_ms=time_ms)) in view.legal()
        spent.append(1000 * (time.process_time() - began))
    assert sorted(spent)[-2] < 1.2 * time_ms + 2
    began = time.process_time()
    quick.move(view, Budget(time_ms=10_000))
    assert time.process_time() - began < 1


def test_draw_offers_are_answered_by_the_position() -> None:
    """A seat far ahead declines, a seat far behind accepts; and neither offers a draw in the opening."""
    ahead = fragment("10@e4 9@d4 8@f4 7@b3 F@a1", "4@e8 F@j10")
    for level in LEVELS:
        player = level(b"d")
        assert not player.accepts_draw(ahead.look(Seat.RED))
        assert player.accepts_draw(ahead.look(Seat.BLUE))
        assert not player.offers_draw(ahead.look(Seat.RED))
    manner = Manner(1, 100, 0.0)
    assert appraise(ahead.look(Seat.RED), manner) > 150 > -150 > appraise(ahead.look(Seat.BLUE), manner)


def test_the_beginner_takes_and_never_runs_into_what_it_knows() -> None:
    """One ply ahead: a sure capture is taken, a known stronger man is left alone."""
    game = fragment("10@e4 9@a1 F@j1", "8@e5 9@f4 F@j10 B@i10")
    record, _, _ = game.records
    for at in ("e5",):
        square = parse_square(at)
        record["code"][0, (square // 10 + 1) * 12 + square % 10 + 1] |= 0x80
    for seed in range(8):
        move = bots.beginner(b"%d" % seed).move(game.look(Seat.RED), Budget())
        assert target(move) == parse_square("e5")


def test_random_moves_reach_every_legal_one() -> None:
    """The uniform mover leaves nothing out."""
    red, blue = (bots.random_mover(b"u").deploy(CLASSIC, seat) for seat in Seat)
    view = Truth(CLASSIC, red, blue).look(Seat.RED)
    draw = Random(1)
    seen = {bots.random_mover(draw.randbytes(8)).move(view, Budget()) for _ in range(300)}
    assert seen == set(view.legal())
