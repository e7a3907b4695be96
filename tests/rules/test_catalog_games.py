"""Whole games of every entry: the compiled law against the slow referee, rescues included; and counted trees."""

from dataclasses import asdict
from random import Random

import pytest

from flagfall.check.perft import counts
from flagfall.check.twins import shuffled
from flagfall.rules.board import Seat, make_move, parse_square, square_name, with_rescue
from flagfall.rules.catalog import VARIANTS
from flagfall.rules.deployment import Deployment
from flagfall.rules.pieces import rank_text
from flagfall.rules.truth import Truth
from flagfall.rules.variant import Variant
from tests.oracle.referee import Oracle, Rescue
from tests.oracle.settings import Settings
from tests.rules.adapter import LAW_SWITCHES, same_state
from tests.strategies import TEMPERS, choose

PLIES = 160
LONG_GAMES = 6


def settings_of(game: Variant) -> Settings:
    """A variant's board and law in the slow referee's words."""
    law = {name: value for name, value in asdict(game.law).items() if name in LAW_SWITCHES}
    lakes = frozenset(square_name(at) for at in game.lakes)
    return Settings(width=game.width, height=game.height, lakes=lakes, **law)


def pair_of(game: Variant, red: Deployment, blue: Deployment) -> tuple[Truth, Oracle]:
    """The same start for both."""
    named = [{square_name(at): rank_text(rank) for at, rank in army.ranks.items()} for army in (red, blue)]
    return Truth(game, red, blue), Oracle(settings_of(game), named[0], named[1])


def rescues_agree(truth: Truth, oracle: Oracle, pair: tuple[str, str], draw: Random) -> Rescue | None:
    """Both know the same rescues that may be added to a move; one of them by lot, or none."""
    theirs = oracle.rescues(*pair)
    move = make_move(*map(parse_square, pair))
    assert set(truth.rescues(move)) == {with_rescue(move, parse_square(who), parse_square(put)) for who, put in theirs}
    return draw.choice(sorted(theirs)) if theirs and draw.random() < 0.9 else None


def play(game: Variant, seed: int, plies: int = PLIES) -> Oracle:
    """One game on both, the same after every ply."""
    draw = Random(seed)
    truth, oracle = pair_of(game, *(shuffled(game, seat, draw).checked() for seat in Seat))
    tempers = [TEMPERS[draw.choice(sorted(TEMPERS))] for _ in range(2)]
    same_state(truth, oracle)
    while oracle.ply < plies and (pair := choose(oracle, tempers[oracle.ply % 2], draw)):
        rescue = rescues_agree(truth, oracle, pair, draw)
        move = make_move(*map(parse_square, pair))
        played = truth.play(with_rescue(move, *map(parse_square, rescue)) if rescue else move)
        assert played.outcome.word == (oracle.push(*pair, rescue) or "quiet")
        same_state(truth, oracle)
    assert truth.faults() == []
    return oracle


@pytest.mark.parametrize("name", VARIANTS)
def test_law_and_slow_referee_play_every_entry_alike(name: str) -> None:
    """R13.1, R13.2."""
    play(VARIANTS[name], 1)


@pytest.mark.soak
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("name", VARIANTS)
def test_many_long_games_of_every_entry(name: str) -> None:
    """R13.1, R13.2: whole games, and where rescues are the rule some happen."""
    played = [play(VARIANTS[name], seed, 700) for seed in range(2, 2 + LONG_GAMES)]
    ended = sum(game.result is not None for game in played)
    assert ended > 0
    if VARIANTS[name].law.rescues:
        assert sum(len(men) for game in played for men in game.rescuers.values()) > 0


def slow_counts(oracle: Oracle, depth: int) -> list[int]:
    """Sequences of 1 to `depth` plies, counted by playing each of them anew."""
    level: list[tuple[tuple[str, str], ...]] = [()]
    found = []
    for _ in range(depth):
        level = [(*line, move) for line in level for move in _after(oracle, line).legal()]
        found.append(len(level))
    return found


def _after(start: Oracle, line: tuple[tuple[str, str], ...]) -> Oracle:
    red, blue = ({man.start: man.rank for man in start.men.values() if man.side == side} for side in ("red", "blue"))
    game = Oracle(start.settings, red, blue)
    for move in line:
        game.push(*move)
    return game


@pytest.mark.parametrize("name", [name for name in VARIANTS if name != "micro"])
def test_trees_of_every_board(name: str) -> None:
    """R16: two plies of a random start on every board."""
    game = VARIANTS[name]
    draw = Random(16)
    truth, oracle = pair_of(game, *(shuffled(game, seat, draw) for seat in Seat))
    assert counts(truth, 2) == slow_counts(oracle, 2)
