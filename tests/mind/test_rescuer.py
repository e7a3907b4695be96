"""A house player that may bring a man back (R13.2) brings a good one, and puts him where he is safe."""

from random import Random

from flagfall.check.twins import Script, leaks, random_script, twins
from flagfall.mind import bots
from flagfall.mind.rescuer import WORTH, with_rescue_of_choice
from flagfall.play.player import Budget
from flagfall.rules.board import Move, put_square, rescued
from flagfall.rules.catalog import variant
from flagfall.rules.pieces import Rank

LIGHTNING = variant("ultimate-lightning")


def before_a_rescue() -> tuple[Script, list[Move]]:
    """A game just before a move that may be played with a rescue, and those moves."""
    for seed in range(22, 200):
        played = random_script(LIGHTNING, Random(seed), 130)
        for event in played.events() or ():
            if event.rescued is not None:
                script = played.until(event.ply - 1)
                view = script.truth().look(script.truth().turn)
                return script, [move for move in view.legal() if view.rescues(move)]
    raise AssertionError("no game has a rescue")


def test_the_choice() -> None:
    script, moves = before_a_rescue()
    game = script.truth()
    view = game.look(game.turn)
    men = {man.id: man for man in view.men()}
    fallen = [man for man in men.values() if man.seat is game.turn and man.square is None]
    chosen = with_rescue_of_choice(view, moves[0], Random(1))
    assert chosen in view.rescues(moves[0])
    who, put = rescued(chosen), put_square(chosen)
    assert who is not None
    assert put is not None
    best = max(WORTH.get(man.rank, 0.0) for man in fallen)
    assert men[who].rank in (Rank.MINER, Rank.SPY) or WORTH[men[who].rank] >= best - 30
    near = [man for man in men.values() if man.square in (put - 10, put + 10, put - 1, put + 1)]
    assert not any(man.seat is not game.turn for man in near)
    assert with_rescue_of_choice(view, moves[0], Random(1)) == chosen
    game.play(chosen)


def test_without_a_rescue_the_move_stays() -> None:
    script = random_script(LIGHTNING, Random(1), 4)
    view = script.truth().look(script.truth().turn)
    assert with_rescue_of_choice(view, view.legal()[0], Random(1)) == view.legal()[0]


def test_the_choice_is_the_same_in_paired_worlds() -> None:
    script, moves = before_a_rescue()
    seat = script.truth().turn

    def choice(world: Script) -> bytes:
        view = world.truth().look(seat)
        answers = [with_rescue_of_choice(view, move, Random(3)) for move in moves]
        return repr((answers, bots.level_3(b"s").move(view, Budget(nodes=500)))).encode()

    others = twins(script, seat, 20, Random(9))
    assert len(others) == 20
    assert leaks(script, choice, others) == []
