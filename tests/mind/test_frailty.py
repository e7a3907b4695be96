"""What a weaker player lacks: ranks are forgotten after so many plies, and moves overlooked by lot, never invented."""

from random import Random

import numpy as np

from flagfall.mind import bots
from flagfall.mind.frailty import FEWEST, forget, last_seen, noticed
from flagfall.mind.thought import Manner, consider
from flagfall.play.player import Budget, chance
from flagfall.rules.board import Seat, Square
from flagfall.rules.catalog import CLASSIC
from flagfall.rules.events import Outcome
from flagfall.rules.pieces import Rank
from flagfall.rules.truth import Truth
from flagfall.rules.view import View


def played(plies: int) -> Truth:
    players = bots.beginner(b"1"), bots.beginner(b"2")
    red, blue = (players[seat].deploy(CLASSIC, seat) for seat in Seat)
    game = Truth(CLASSIC, red, blue)
    while game.ply < plies and not game.result:
        game.push(players[game.turn].move(game.look(game.turn), Budget()))
    return game


def known(view: View, memory: int) -> tuple[set[Square], set[Square]]:
    """(ids of the enemy's standing men whose rank the view knows, those still known after forgetting)."""
    game, log, _ = view.records
    assert view.seat is not None
    before = {man.id for man in view.men() if man.seat is not view.seat and man.square and man.rank != Rank.UNKNOWN}
    copy = game.copy()
    forget(copy, log.copy(), view.seat, view.ply, memory)
    after: set[Square] = set()
    for pid, start in view.starts.items():
        cell = int(copy["sq"][0, pid])
        if pid // 40 != view.seat and cell and int(copy["code"][0, cell]) & 15 != Rank.UNKNOWN:
            after.add(start)
    return before, after


def test_last_seen_is_the_last_ply_of_a_battle_or_a_telling_move() -> None:
    """Held against the events that everybody saw."""
    view = played(120).look(Seat.RED)
    _, log, _ = view.records
    where = {square: pid for pid, square in view.starts.items()}
    expected = [0] * 80
    for event in view.events:
        mover = where.pop(event.origin)
        met = where.pop(event.target, None)
        if event.outcome is not Outcome.QUIET or event.attacker is not None:
            expected[mover] = event.ply
            if met is not None:
                expected[met] = event.ply
        if event.outcome in (Outcome.QUIET, Outcome.ATTACKER):
            where[event.target] = mover
        elif event.outcome is Outcome.DEFENDER and met is not None:
            where[event.target] = met
    assert last_seen(log, view.ply) == expected
    assert max(expected) > 0


def test_a_long_memory_keeps_all_and_a_short_one_what_was_just_seen() -> None:
    """And nothing is ever known that was not."""
    found = 0
    for plies in (80, 140, 200):
        for seat in Seat:
            view = played(plies).look(seat)
            before, after = known(view, 10_000)
            assert before == after
            _, none = known(view, 0)
            _, some = known(view, 25)
            assert none <= some <= before
            found += len(before - some)
    assert found > 0


def test_forgetting_works_on_copies_and_changes_thoughts() -> None:
    """The view stays as it was; somebody who forgets values the position otherwise."""
    view = played(140).look(Seat.RED)
    before = view.tobytes()
    values = {
        consider(view, Manner(2, 2_000, 0.0, memory=memory), chance(b"m", 1)).score for memory in (None, 10_000, 5)
    }
    assert view.tobytes() == before
    assert len(values) == 2


def test_noticed_moves_are_some_of_the_legal_ones() -> None:
    """About as many as care says, never fewer than FEWEST, the same for the same lots."""
    legal = played(40).look(Seat.RED).legal()
    counts = []
    for seed in range(200):
        seen = noticed(legal, 0.3, Random(seed))
        assert set(seen) <= set(legal)
        assert len(seen) >= min(FEWEST, len(legal))
        assert seen == noticed(legal, 0.3, Random(seed))
        counts.append(len(seen))
    assert abs(float(np.mean(counts)) / len(legal) - 0.3) < 0.1
    assert noticed(legal[:2], 0.01, Random(1)) == legal[:2]
