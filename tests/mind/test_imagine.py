"""Imagined Worlds: consistent with everything told, every consistent one among them, and as often as the model says."""

import time
from collections import Counter
from dataclasses import replace
from itertools import permutations
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from flagfall.check.twins import Script, every_twin, hidden_from, random_script, twins
from flagfall.mind import imagine as imagining
from flagfall.mind.fitted import believed_tables
from flagfall.mind.imagine import imagine, likely_deals, worlds
from flagfall.mind.surmise import SCALE
from flagfall.rules.board import Move, Seat, Square, target
from flagfall.rules.catalog import CLASSIC, MICRO, variant
from flagfall.rules.deployment import Deployment
from flagfall.rules.layout import MEN
from flagfall.rules.pieces import RANKS, Rank
from flagfall.rules.truth import Truth
from flagfall.rules.variant import Reveal, Variant
from flagfall.rules.view import View

SEEDS = st.integers(0, 2**32 - 1)
POLICIES: list[Reveal] = ["both", "silent", "none"]
Arrangement = tuple[int, ...]


def ranks_of(army: Deployment) -> Arrangement:
    """Ranks in the order of man ids, which is that of the home squares."""
    return tuple(int(army.ranks[at]) for at in army.variant.home[army.seat] if at in army.ranks)


def dealt(view: View, count: int, seed: int, trust: bool) -> dict[Arrangement, float]:
    """What was dealt, with the weight of each arrangement."""
    deals = imagine(view, count, seed, trust=trust)
    found: dict[Arrangement, float] = {}
    men = sum(man.seat is not view.seat for man in view.men())
    for ranks, weight in zip(deals.ranks, deals.weights, strict=True):
        if weight:
            dealt_ranks = tuple(int(rank) for rank in ranks[:men])
            found[dealt_ranks] = found.get(dealt_ranks, 0.0) + float(weight)
    return found


def small_script(seed: int, plies: int, reveal: Reveal, stuck: str) -> Script:
    """A game of the micro variant under a policy of reveals."""
    game = variant("micro", reveal=reveal, stuck_check=stuck, max_plies=None)
    return random_script(game, Random(seed), plies)


@pytest.mark.parametrize("reveal", POLICIES)
@pytest.mark.parametrize("stuck", ["immediate", "on_turn", "piece-count"])
@examples(max_examples=15)
@given(seed=SEEDS, plies=st.integers(0, 9))
def test_deals_are_all_that_may_be_and_alike_likely(reveal: Reveal, stuck: str, seed: int, plies: int) -> None:
    """Every arrangement of the micro game is tried: the deals are those with the same events, no other (R7, R11.1)."""
    script = small_script(seed, plies, reveal, stuck)
    truth = script.truth()
    if truth.result or not truth.ply:
        return
    for seat in Seat:
        script_army = script.army(seat.other)
        exact = {ranks_of(script_army)} | {ranks_of(twin.army(seat.other)) for twin in every_twin(script, seat)}
        found = dealt(truth.look(seat), 24_000, seed, trust=False)
        assert set(found) == exact
        share = 1.0 / len(exact)
        assert all(abs(weight - share) < 0.12 * max(share, 0.3) for weight in found.values())


def endgame(game: Variant, seed: int, hidden: int) -> Script | None:
    """A random game that spares the flags, cut where so few enemy men are hidden from Red; else None."""
    draw = Random(seed)
    script = random_script(game, draw, 0)
    truth = script.truth()
    flags = {at for seat in Seat for at, rank in script.army(seat).ranks.items() if rank is Rank.FLAG}
    moves: list[Move] = []
    while not truth.result and len(moves) < 3000:
        spare = [move for move in truth.legal() if target(move) not in flags]
        if not spare:
            return None
        men = truth.men()
        held = {man.square for man in men}
        attacks = [move for move in spare if target(move) in held]
        moves.append(draw.choice(attacks or spare))
        truth.push(moves[-1])
        told = sum(man.known for man in men if man.seat is Seat.BLUE)
        if attacks and not truth.result and told >= len(men) // 2 - hidden - 1:
            unknown = [man for man in truth.look(Seat.RED).men() if man.seat is Seat.BLUE and man.rank is Rank.UNKNOWN]
            if len(unknown) <= hidden:
                return replace(script, moves=tuple(moves))
    return None


def exact_weights(script: Script, view: View) -> dict[Arrangement, float]:
    """The chance of every arrangement of the hidden men, by trying all, under the model as `fitted` tells it."""
    army = script.army(Seat.BLUE)
    squares = hidden_from(script, Seat.RED)
    events = script.events()
    imagine(view, 1, 0)
    evidence = imagining._evidence()[0]  # noqa: SLF001 - the signs and styles found for this view
    theta = evidence["theta"].reshape(2 * MEN, 16)[MEN:]
    pull = np.array(evidence["pull"])
    game = script.variant
    order = list(game.home[Seat.BLUE])
    ids = {at: k for k, at in enumerate(order_of(army))}
    tables = believed_tables(game)
    found: dict[Arrangement, float] = {}
    for ranks in set(permutations(army.ranks[at] for at in squares)):
        all_ranks = dict(army.ranks) | dict(zip(squares, ranks, strict=True))
        twin = script.with_army(Deployment(game, Seat.BLUE, all_ranks))
        if twin.events() != events:
            continue
        x = np.array([int(all_ranks.get(at, 0)) for at in order])
        place = np.arange(len(order))
        energy = sum(float(theta[ids[at], all_ranks[at]]) for at in squares)
        for style, table in enumerate(tables):
            pairs = table.toward[place[:, None], x[:, None], place[None, :], x[None, :]]
            energy += pull[style] * (float(table.unary[place, x].sum()) + 0.5 * float(pairs.sum()))
        found[tuple(int(rank) for rank in x if rank)] = energy
    top = max(found.values())
    total = sum(np.exp(energy - top) for energy in found.values())
    assert pull.sum() <= SCALE + 1e-9
    return {ranks: float(np.exp(energy - top) / total) for ranks, energy in found.items()}


@pytest.mark.parametrize(("name", "hidden"), [("classic", 4), ("barrage", 4)])
def test_deals_of_an_endgame_have_the_weights_of_the_whole_list(name: str, hidden: int) -> None:
    """Against full enumeration: weighted deals, and stirred ones, come out as the model says but for chance."""
    checked = 0
    for seed in range(0, 40, 2):
        script = endgame(variant(name), seed, hidden)
        if script is None:
            continue
        view = script.truth().look(Seat.RED)
        exact = exact_weights(script, view)
        if len(exact) < 3:
            continue
        weighed = dealt(view, 20_000, seed, trust=True)
        assert set(weighed) <= set(exact)
        off = sum(abs(weighed.get(ranks, 0.0) - chance) for ranks, chance in exact.items()) / 2
        assert off < 0.02
        men = len(next(iter(exact)))
        drawn = Counter(tuple(int(rank) for rank in row[:men]) for row in likely_deals(view, 4000, seed))
        off = sum(abs(drawn[ranks] / 4000 - chance) for ranks, chance in exact.items()) / 2
        assert off < 0.04
        checked += 1
        if checked == 2:
            break
    assert checked == 2


@pytest.mark.parametrize("reveal", POLICIES)
def test_every_world_tells_the_same_story(reveal: Reveal) -> None:
    """A whole army dealt out in place of the true one leaves every event of the game as it was (R5 to R11)."""
    script = random_script(variant("classic", reveal=reveal), Random(11), 260)
    events = script.events()
    for seat in Seat:
        view = script.truth().look(seat)
        army = script.army(seat.other)
        rows = likely_deals(view, 40, 5)
        assert len({row.tobytes() for row in rows}) > 20
        for row in rows:
            other = Deployment(army.variant, army.seat, {at: Rank(row[k]) for k, at in enumerate(order_of(army))})
            assert script.with_army(other).events() == events


def order_of(army: Deployment) -> list[Square]:
    return [at for at in army.variant.home[army.seat] if at in army.ranks]


def test_worlds_can_be_played_and_come_again_for_the_same_seed() -> None:
    """A World has every rank; it stands as the View does, and the seed alone decides which."""
    view = random_script(CLASSIC, Random(3), 120).truth().look(Seat.BLUE)
    found = worlds(view, 10, 42)
    assert len(found) == 10
    for world in found:
        assert world.ply == view.ply
        assert all(man.rank is not Rank.UNKNOWN for man in world.men() if man.square is not None)
        assert len(world.legal()) > 0
    again = worlds(view, 10, 42)
    assert [world.men() for world in found] == [world.men() for world in again]
    assert [world.men() for world in found] != [world.men() for world in worlds(view, 10, 43)]


def test_what_is_imagined_uses_nothing_hidden() -> None:
    """Paired worlds: games that the seat cannot tell apart give the same deals and weights, byte for byte."""
    script = random_script(CLASSIC, Random(8), 150)
    others = twins(script, Seat.RED, 5, Random(1))
    assert others

    def told(world: Script) -> bytes:
        deals = imagine(world.truth().look(Seat.RED), 50, 9)
        return deals.ranks.tobytes() + deals.weights.tobytes()

    assert {told(other) for other in others} == {told(script)}


def test_what_he_may_imagine_of_us_is_public() -> None:
    """Deals of the own army follow what the enemy was told, not what we know."""
    script = random_script(CLASSIC, Random(9), 150)
    others = twins(script, Seat.BLUE, 5, Random(1))
    assert others

    def told(world: Script) -> bytes:
        deals = imagine(world.truth().look(Seat.RED), 50, 9, army=Seat.RED)
        return deals.ranks.tobytes() + deals.weights.tobytes()

    assert {told(other) for other in others} == {told(script)}


def test_a_smaller_army_is_dealt_from_what_the_box_holds() -> None:
    """Where men may stay at home (R13.2), no rank comes too often, and the flag is always there."""
    game: Variant = variant("free")
    area = game.home[Seat.RED]
    ranks = [Rank.FLAG, Rank.BOMB, Rank.SCOUT, Rank.MARSHAL, Rank.MINER, Rank.MINER, Rank.SPY]
    red, blue = (Deployment(game, seat, dict(zip(game.home[seat], ranks, strict=False))) for seat in Seat)
    assert len(area) > len(ranks)
    view = Truth(game, red, blue).look(Seat.RED)
    deals = imagine(view, 500, 1)
    assert deals.weights.min() > 0
    for row in deals.ranks:
        count = Counter(int(rank) for rank in row if rank)
        assert count[Rank.FLAG] == 1
        assert sum(count.values()) == len(ranks)
        assert all(count[rank] <= game.army.get(rank, 0) for rank in RANKS)
    assert len({row.tobytes() for row in deals.ranks}) > 400


def test_thousands_of_worlds_a_second() -> None:
    """Deals of a middle game: more than two thousand chosen and stirred ones a second of CPU time."""
    view = random_script(CLASSIC, Random(4), 200).truth().look(Seat.RED)
    likely_deals(view, 10, 0)
    began = time.process_time()
    rows = likely_deals(view, 1000, 1)
    assert len(rows) == 1000
    assert time.process_time() - began < 0.5


def test_a_watcher_imagines_nothing() -> None:
    """A watcher has no enemy."""
    truth = random_script(MICRO, Random(1), 0).truth()
    with pytest.raises(ValueError, match="watcher"):
        imagine(truth.look(None), 3, 0)
