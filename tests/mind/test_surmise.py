"""What behaviour and deployments tell of hidden ranks: signs counted right, alike for both seats and both sides."""

import re
from importlib import resources
from random import Random

import numpy as np
import pytest

from flagfall.check.beliefs import Tally
from flagfall.check.twins import Script, random_script
from flagfall.mind import belief as believing
from flagfall.mind.evidence import CAME, LEFT, SIGNS, SLOTS, STAYED
from flagfall.mind.thought import believe
from flagfall.rules.board import Move, Seat, Square, make_move, origin, parse_square, target
from flagfall.rules.catalog import CLASSIC, VARIANTS
from flagfall.rules.deployment import Deployment
from flagfall.rules.layout import MEN
from flagfall.rules.pieces import Rank
from flagfall.rules.truth import Truth
from flagfall.rules.view import View


def squares(text: str) -> dict[Square, int]:
    """`10@a4 12@a1` as ranks by square."""
    return {parse_square(at): int(rank) for rank, at in (man.split("@") for man in text.split())}


def signs_of(view: View, at: str) -> np.ndarray:
    """Signs of an enemy man [kinds, slots], by his start square."""
    believe(view)
    counts = believing._evidence()[0]["count"].reshape(2 * MEN, SIGNS)  # noqa: SLF001 - there is no other outlet
    enemies = [man.id for man in view.men() if man.seat is not view.seat]
    first = MEN * (1 - int(view.seat or 0))
    return np.array(counts[first + enemies.index(parse_square(at))]).reshape(-1, SLOTS)


def test_coming_leaving_and_staying_beside_a_known_man_are_counted() -> None:
    """Our captain is known after a battle; a blue man comes up to him, stays while another moves, and goes."""
    red = squares("6@a4 12@a1 5@h4 4@i1")
    blue = squares("5@a5 8@b6 12@j10 3@j9 7@i7")
    truth = Truth.of_men(CLASSIC, red, blue)
    for move in ("a4xa5", "b6-b5", "i1-i2", "j9-i9", "i2-i1", "b5-b6"):
        truth.play(move)
    counts = signs_of(truth.look(Seat.RED), "b6")
    assert counts[CAME, 6] == counts[STAYED, 6] == counts[LEFT, 6] == 1
    assert counts[:3].sum() == 3
    assert signs_of(truth.look(Seat.RED), "i7")[:3].sum() == 0


def turned_script(script: Script) -> Script:
    """The same game from the other side: colours exchanged, the board turned by 180 degrees, Blue first."""

    def turn(at: Square) -> Square:
        return Square(99 - at)

    red, blue = (
        Deployment(CLASSIC, seat, {turn(at): rank for at, rank in script.army(seat.other).ranks.items()})
        for seat in Seat
    )
    moves: list[Move] = [make_move(turn(origin(move)), turn(target(move))) for move in script.moves]
    return Script(CLASSIC, red, blue, tuple(moves), first=Seat.BLUE)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_both_seats_surmise_alike(seed: int) -> None:
    """A game turned by 180 degrees with the colours exchanged gives the same chances, man for man (R1)."""
    script = random_script(CLASSIC, Random(seed), 200)
    turned = turned_script(script)
    for seat in Seat:
        mine = believe(script.truth().look(seat))
        theirs = believe(turned.truth().look(seat.other))
        for here, there in zip(mine, theirs, strict=True):
            assert {Square(99 - at) for at in here.table} == set(there.table)
            for at, chances in here.table.items():
                assert np.allclose(chances, there.table[Square(99 - at)], atol=2e-3)


@pytest.mark.parametrize("name", sorted(VARIANTS))
def test_every_game_of_the_catalogue_can_be_surmised(name: str) -> None:
    """Whatever the board, army and law: chances sum to 1, and what was true is never thought impossible."""
    script = random_script(VARIANTS[name], Random(5), 60)
    truth = script.truth()
    for seat in Seat:
        for belief in believe(truth.look(seat)):
            for at, chances in belief.table.items():
                army = script.red if at in script.red.ranks else script.blue
                assert chances.sum() == pytest.approx(1.0, abs=1e-4)
                assert chances[army.ranks[at]] > 0


def test_pairs_of_squares_count() -> None:
    """Two bombs seen beside a back corner square say that the flag stands there, more than counting or squares do."""
    shown = {"b1": Rank.BOMB, "a2": Rank.BOMB}
    army = random_script(CLASSIC, Random(1), 0).red
    ranks = dict(army.ranks)
    for name, rank in {**shown, "a1": Rank.FLAG}.items():
        at, other = parse_square(name), next(square for square, held in ranks.items() if held is rank)
        ranks[at], ranks[other] = ranks[other], ranks[at]
    script = Script(CLASSIC, Deployment(CLASSIC, Seat.RED, ranks), random_script(CLASSIC, Random(2), 0).blue, ())
    view = script.truth().look(Seat.BLUE)
    at = parse_square("a1")
    before = believe(view)[0].table[at][Rank.FLAG]
    for name in shown:
        pid = [man.id for man in view.men() if man.seat is Seat.RED].index(parse_square(name))
        # The View is told of two bombs as if battles had shown them.
        game = view.records[0]
        place = int(game["sq"][0, pid])
        game["code"][0, place] = int(game["code"][0, place]) & 0x70 | 0x80 | int(Rank.BOMB)
    after = believe(view)[0].table[at][Rank.FLAG]
    squares_alone = believe(view, squares_alone=True)[0].table[at][Rank.FLAG]
    assert after > 3 * before
    assert after > 2 * squares_alone


def test_a_tally_adds_up() -> None:
    """Chances are as many as men times ranks, and as many come true as there are men."""
    script = random_script(CLASSIC, Random(7), 90)
    tally = Tally()
    view = script.truth().look(Seat.RED)
    tally.add((view, {at: int(rank) for at, rank in script.blue.ranks.items()}, "random"))
    men = tally.men["all"]
    assert men == sum(man.seat is Seat.BLUE and man.rank is Rank.UNKNOWN for man in view.men())
    assert tally.bins["all"][:, 0].sum() == 12 * men
    assert tally.bins["all"][:, 2].sum() == men
    assert tally.bins["all"][:, 1].sum() == pytest.approx(men, abs=0.01)


def test_the_tables_say_how_they_were_made() -> None:
    """Command, seed and date lie beside the numbers."""
    for name in ("deployments.npz", "signs.npz"):
        with resources.files("flagfall.mind").joinpath(name).open("rb") as file, np.load(file) as data:
            made = str(data["made"])
        assert made.startswith(("tools/fit_", "the model of tools/fit_"))
        assert "seed" in made
        assert re.search(r"\d{4}-\d\d-\d\d$", made)
