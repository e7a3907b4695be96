"""Learning from results: a fit finds what made the difference, and its file is one that the mind can read."""

import json
from pathlib import Path

import numpy as np
import pytest

from flagfall.mind import train
from flagfall.mind.opening import choose
from flagfall.mind.weights import fitted, place_of, spread
from flagfall.rules.board import Move, Seat, make_move, parse_square
from flagfall.rules.catalog import CLASSIC
from flagfall.rules.events import Result
from flagfall.rules.truth import Truth

RANKS = 11


def random_game(seed: int, plies: int = 150) -> tuple[train.Lesson, Truth]:
    draw = np.random.default_rng(seed)
    armies = (choose(CLASSIC, Seat.RED, b"%d" % seed), choose(CLASSIC, Seat.BLUE, b"%d" % seed))
    game = Truth(CLASSIC, *armies)
    moves: list[Move] = []
    while len(moves) < plies and not game.result:
        legal = game.legal()
        moves.append(legal[int(draw.integers(len(legal)))])
        game.push(moves[-1])
    return train.Lesson(armies, tuple(moves), Seat.RED), game


@pytest.mark.parametrize("seed", range(4))
def test_a_replayed_board_counts_as_the_law_does(seed: int) -> None:
    """Men of each rank and those still hidden, after a whole game, against the Truth."""
    lesson, game = random_game(seed)
    board = train.Board(
        {at: [int(rank), int(army.seat), False] for army in lesson.armies for at, rank in army.ranks.items()}
    )
    for move in lesson.moves:
        board.play(move, lesson)
    row = board.features()
    men = [man for man in game.men() if man.square is not None]
    for rank in range(1, 12):
        signs = [1 if man.seat is Seat.RED else -1 for man in men if man.rank == rank]
        hidden = [1 if man.seat is Seat.RED else -1 for man in men if man.rank == rank and not man.known]
        assert row[rank - 1] == sum(signs)
        assert row[RANKS + rank - 1] == sum(hidden)


def test_a_fit_finds_the_weights_that_decided_the_games() -> None:
    """Made-up boards whose winner follows from known weights: these come back, and the loss falls on games held out."""
    draw = np.random.default_rng(3)
    x = draw.integers(-2, 3, (6_000, len(train.FEATURES))).astype(float)
    truth = np.zeros(len(train.FEATURES))
    truth[train.FEATURES.index("base_8")] = 1.0
    truth[train.FEATURES.index("base_10")] = 0.5
    won = (draw.random(6_000) < 1.0 / (1.0 + np.exp(-(x @ truth)))).astype(float)
    sample = train.Sample(x, won, np.arange(6_000))
    found = train.fit(sample)
    assert found.points["base_8"] > 1.5 * found.points["base_10"] > 3.0 * abs(found.points["base_2"])
    assert found.held_fit < found.held_start


def test_both_sides_are_worth_alike() -> None:
    """A game with the seats exchanged gives the rows with the sign turned."""
    lesson, _ = random_game(5)
    red, blue = lesson.armies
    half = tuple(make_move(parse_square(_turned(move, 0)), parse_square(_turned(move, 1))) for move in lesson.moves)
    other = train.Lesson((blue.for_seat(Seat.RED), red.for_seat(Seat.BLUE)), half, Seat.BLUE)
    for row, turned in zip(train.boards(lesson), train.boards(other), strict=True):
        assert np.allclose(row, -turned)


def _turned(move: Move, end: int) -> str:
    from flagfall.rules.board import origin, square_name, target, turned

    return square_name(turned((origin(move), target(move))[end], 10, 10))


def test_the_file_of_a_fit_is_read_by_the_mind(tmp_path: Path) -> None:
    """Every name is one that a slate takes, no weight is below 0, and what made it stands beside."""
    lessons = [random_game(seed)[0] for seed in range(8)]
    found = train.fit(train.sample_of(lessons))
    train.write(tmp_path / "weights.json", found, {"seed": 1})
    form = json.loads((tmp_path / "weights.json").read_text())
    assert form["weights"].keys() == fitted().keys()
    assert all(value >= 0 for name, value in form["weights"].items() if name.startswith(("base", "veil")))
    assert form["made"]["seed"] == 1
    array = spread(form["weights"])
    assert all(array[place_of(name)] == value for name, value in form["weights"].items())


def test_drawn_games_teach_nothing_and_no_game_is_an_error() -> None:
    lesson, _ = random_game(1)
    assert train.lesson(lesson.armies, lesson.moves, Result.DRAW) is None
    with pytest.raises(ValueError, match="no board"):
        train.sample_of([])
    with pytest.raises(ValueError, match="no weight"):
        place_of("base_13")
