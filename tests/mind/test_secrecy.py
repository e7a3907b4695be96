"""A house player answers, works and takes draws alike in all worlds that its seat cannot tell apart."""

from random import Random

import pytest

from flagfall.check.twins import Script, leaks, random_script, twins
from flagfall.mind import bots
from flagfall.mind.thought import Manner, appraise, consider
from flagfall.play.player import Budget, Factory, Kind, Request, chance, think
from flagfall.rules.board import Move, Seat
from flagfall.rules.catalog import CLASSIC, variant
from flagfall.rules.truth import Truth

MANNER = Manner(12, 3_000, 5.0)
PLAYERS: list[Factory] = [bots.level_1, bots.level_6, bots.level_10, bots.beginner, bots.random_mover]


def played_script(seed: int, plies: int) -> Script:
    """A game between sensible players, so that men are known, moved and fallen as they are at a table."""
    red, blue = (bots.level_3(b"%d %d" % (seed, seat)) for seat in Seat)
    armies = (red.deploy(CLASSIC, Seat.RED), blue.deploy(CLASSIC, Seat.BLUE))
    game = Truth(CLASSIC, *armies)
    moves: list[Move] = []
    while len(moves) < plies and not game.result:
        moves.append((red, blue)[game.turn].move(game.look(game.turn), Budget()))
        game.push(moves[-1])
    return Script(CLASSIC, *armies, tuple(moves))


def thought(script: Script) -> bytes:
    """Everything that a search brings: moves, values, depth and the count of positions, which is its time."""
    view = script.truth().look(script.truth().turn)
    found = consider(view, MANNER, chance(b"seed", view.ply))
    return repr((found, appraise(view, MANNER))).encode()


@pytest.mark.parametrize("plies", [30, 90, 180])
def test_a_thought_is_the_same_in_paired_worlds(plies: int) -> None:
    """The crown test: moves, values, depth and node counts agree byte for byte."""
    script = played_script(plies, plies)
    seat = script.truth().turn
    others = twins(script, seat, 10, Random(plies))
    assert len(others) >= 5
    assert leaks(script, thought, others) == []


@pytest.mark.parametrize("player", PLAYERS, ids=lambda player: player.__name__)
def test_answers_and_draw_replies_are_the_same_in_paired_worlds(player: Factory) -> None:
    """Through the request that a worker gets, under the ordinary law and under silent defence."""
    for script in (played_script(3, 61), random_script(variant("classic", reveal="silent"), Random(4), 120)):
        seat = script.truth().turn

        def answers(world: Script, seat: Seat = seat) -> bytes:
            events = world.events()
            assert events is not None
            told = []
            for kind in (Kind.MOVE, Kind.DRAW):
                request = Request(
                    kind=kind,
                    player="any",
                    variant=world.variant,
                    seat=seat,
                    seed=b"seat",
                    deployment=world.army(seat),
                    enemy=tuple(sorted(world.army(seat.other).squares)),
                    events=events,
                    budget=Budget(nodes=1_500),
                )
                told.append(think(player(b"seat"), request))
            return repr([(reply.move, reply.offers_draw, reply.accepts_draw) for reply in told]).encode()

        assert leaks(script, answers, twins(script, seat, 6, Random(7))) == []


def test_the_paired_worlds_would_find_a_leak() -> None:
    """A planted leak, a thought about the enemy's true first man, is seen."""
    script = played_script(2, 60)
    seat = script.truth().turn

    def leaky(world: Script) -> bytes:
        return (
            thought(world)
            + bytes(sorted(world.army(seat.other).ranks.values(), reverse=True)[:1])
            + bytes(int(rank) for rank in world.army(seat.other).ranks.values())
        )

    assert leaks(script, leaky, twins(script, seat, 3, Random(1))) != []


def test_a_thought_leaves_the_view_as_it_was() -> None:
    """The search works on copies: the view's bytes are those from before."""
    view = played_script(1, 40).truth().look(Seat.RED)
    before = view.tobytes()
    consider(view, MANNER, chance(b"x", view.ply))
    assert view.tobytes() == before
