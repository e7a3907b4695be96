"""The house sits down to every entry of the catalogue: sound armies, legal moves, beliefs that add up."""

from random import Random

import numpy as np
import pytest

from flagfall.check.twins import shuffled
from flagfall.mind import bots
from flagfall.mind.opening import choose, faults
from flagfall.mind.thought import believe
from flagfall.play.player import Budget
from flagfall.rules.board import Seat
from flagfall.rules.catalog import VARIANTS, variant
from flagfall.rules.deployment import Deployment
from flagfall.rules.pieces import Rank
from flagfall.rules.truth import Truth
from flagfall.rules.variant import Reveal

GAMES = [name for name in VARIANTS if name != "micro"]


def cost(army: Deployment) -> float:
    """What is unwise in an army (`opening.faults`)."""
    ranks = [int(army.ranks.get(at, 0)) for at in army.variant.home[army.seat]]
    return faults(army.variant, army.seat, ranks)


@pytest.mark.parametrize("style", ["human", "learned"])
@pytest.mark.parametrize("name", GAMES)
def test_house_armies_are_sound_in_every_game(name: str, style: str) -> None:
    """Whole, with a first move, the flag never in front, and far wiser than what the lot would place."""
    game, draw = VARIANTS[name], Random(3)
    armies = [choose(game, seat, bytes([number]), style) for number in range(8) for seat in Seat]
    assert len({army.for_seat(Seat.RED).text() for army in armies}) == 8
    for army in armies:
        assert army.checked().walled_in() is False
        assert len(army.ranks) == game.men
        rows = [at // 10 for at in game.home[army.seat]]
        front = max(rows) if army.seat is Seat.RED else min(rows)
        flag = next(at for at, rank in army.ranks.items() if rank is Rank.FLAG)
        assert flag // 10 != front
    random = [shuffled(game.with_law(smaller_army=False), Seat.RED, draw) for _ in armies]
    assert 3 * sum(map(cost, armies)) < sum(map(cost, random))


@pytest.mark.timeout(600)  # the first one may have to compile the search
@pytest.mark.parametrize("reveal", ["both", "none"])
@pytest.mark.parametrize("name", GAMES)
def test_the_house_plays_every_game(name: str, reveal: Reveal) -> None:
    """Legal moves and beliefs that are chances, from armies of the lot too, which may be smaller ones."""
    game, draw = variant(name, reveal=reveal), Random(7)
    truth = Truth(game, shuffled(game, Seat.RED, draw), shuffled(game, Seat.BLUE, draw))
    players = (bots.level_5(b"red"), bots.random_mover(b"blue"))
    while not truth.result and truth.ply < 80:
        view = truth.look(truth.turn)
        move = players[truth.turn].move(view, Budget(nodes=400))
        if truth.turn is Seat.RED and truth.ply % 20 == 0:
            table = believe(view)[0].table
            assert set(table) == {man.id for man in view.men() if man.seat is Seat.BLUE and man.rank is Rank.UNKNOWN}
            for at, chances in table.items():
                assert np.isclose(chances.sum(), 1.0), at
                assert (chances >= 0.0).all()
        truth.play(move)
