"""Learning what men are worth from how games ended: a logistic fit that is drawn to the weights it starts from.

Letters: S samples (boards of games, every so many plies), F features. Each feature is a difference, red minus blue, of
something that both sides have so many of, so that both seats are worth alike by construction. The result is a small
file of weights with all that it takes to make it again. Chess programs call this Texel's method (Österlund 2014).
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flagfall.mind.weights import fitted
from flagfall.rules.board import Move, Seat, Square, origin, target
from flagfall.rules.deployment import Deployment
from flagfall.rules.events import Outcome, Result
from flagfall.rules.pieces import Rank

Floats = NDArray[np.float64]
FROM_PLY, EVERY = 60, 20
INDEPENDENT = 3.0
"""What the boards of one game count together: they tell of one result."""
FOLDS = 5
MOVERS = range(Rank.SPY, Rank.BOMB)
MATERIAL = tuple(f"{table}_{rank}" for table in ("base", "veil") for rank in range(Rank.SPY, Rank.FLAG))
LEADING, SAFE, MEN = "ahead", "safe", "men"
FEATURES = (*MATERIAL, LEADING, SAFE, MEN)
"""`base_R`: men of a rank. `veil_R`: those that nobody knows. `ahead`: having the one highest mover. `safe`: a marshal
whom no spy can take. `men`: the logarithm of the share of movers; it is no weight of the search, but keeps the others
honest: what each mover owes to it in the middle of a game is added to his worth."""
LOOSE = {"base": (20.0, 0.35), "veil": (8.0, 0.7)}
"""How far a fitted weight may stray from its start, one standard deviation: points, or a share if that is more."""
LOOSE_SINGLE, LOOSE_MEN = 50.0, 250.0
MIDDLE_MEN = 20


@dataclass(frozen=True)
class Lesson:
    """One game that was decided: both armies, the moves, and who won."""

    armies: tuple[Deployment, Deployment]
    moves: tuple[Move, ...]
    winner: Seat


@dataclass
class Sample:
    """x [S, F], won [S] by red, game [S]: numbers of games."""

    x: Floats
    won: Floats
    game: NDArray[np.int64]

    @property
    def weight(self) -> Floats:
        """What a board counts [S]."""
        boards = np.bincount(self.game)[self.game]
        return np.minimum(1.0, INDEPENDENT / boards)

    def of(self, chosen: NDArray[np.bool_]) -> Sample:
        """Some of the boards."""
        return Sample(self.x[chosen], self.won[chosen], self.game[chosen])


@dataclass
class Board:
    """Who stands where in a game of which everything is known: rank, seat and whether the rank was shown."""

    men: dict[Square, list[Any]] = field(default_factory=dict)

    def play(self, move: Move, lesson: Lesson) -> None:
        """Carry out a move; ranks that met are shown, and that of a man who went further than a step."""
        rank, seat, shown = self.men.pop(origin(move))
        gap = abs(target(move) - origin(move))
        mine = [rank, seat, shown or gap not in (1, 10)]
        met = self.men.pop(target(move), None)
        if met is not None:
            end = lesson.armies[0].variant.battle(Rank(rank), Rank(met[0]))
            mine[2] = met[2] = True
            if end is Outcome.BOTH:
                return
            mine = met if end is Outcome.DEFENDER else mine
        self.men[target(move)] = mine

    def features(self) -> Floats:
        """The row [F] of this board."""
        count = np.zeros((2, 13))
        hidden = np.zeros((2, 13))
        for rank, seat, shown in self.men.values():
            count[seat, rank] += 1
            hidden[seat, rank] += not shown
        top = [max((rank for rank in MOVERS if row[rank]), default=0) for row in count]
        safe = [bool(count[p, Rank.MARSHAL] and not count[1 - p, Rank.SPY]) for p in (0, 1)]
        movers = count[:, Rank.SPY : Rank.BOMB].sum(1) + 1.0
        ranks = slice(Rank.SPY, Rank.FLAG)
        single = [(top[0] > top[1]) - (top[1] > top[0]), safe[0] - safe[1], math.log(movers[0] / movers[1])]
        return np.concatenate([(count[0] - count[1])[ranks], (hidden[0] - hidden[1])[ranks], np.array(single, float)])


def boards(lesson: Lesson) -> Iterator[Floats]:
    """The rows of a game, every EVERY plies from FROM_PLY on."""
    board = Board()
    for army in lesson.armies:
        for at, rank in army.ranks.items():
            board.men[at] = [int(rank), int(army.seat), False]
    for ply, move in enumerate(lesson.moves, 1):
        if ply > FROM_PLY and ply % EVERY == 0:
            yield board.features()
        board.play(move, lesson)


def sample_of(lessons: Iterable[Lesson]) -> Sample:
    """All boards of many games. Raises ValueError where there is none."""
    rows: list[tuple[Floats, float, int]] = []
    for number, lesson in enumerate(lessons):
        rows += [(row, float(lesson.winner is Seat.RED), number) for row in boards(lesson)]
    if not rows:
        raise ValueError("these games hold no board to learn from")
    x, won, game = zip(*rows, strict=True)
    return Sample(np.array(x), np.array(won), np.array(game))


def solve(sample: Sample, centre: Floats, spread: Floats) -> tuple[Floats, Floats]:
    """(weights [F], their standard errors) by Newton's steps; the prior is normal round `centre` with `spread`."""
    weights, pull, counts = centre.copy(), 1.0 / spread**2, sample.weight
    hessian = np.diag(pull)
    for _ in range(60):
        chance = 1.0 / (1.0 + np.exp(-np.clip(sample.x @ weights, -30.0, 30.0)))
        slope = sample.x.T @ (counts * (chance - sample.won)) + pull * (weights - centre)
        hessian = (sample.x * (counts * chance * (1.0 - chance))[:, None]).T @ sample.x + np.diag(pull)
        step = np.linalg.solve(hessian, slope)
        weights -= step
        if float(np.abs(step).max()) < 1e-9:
            break
    return weights, np.sqrt(np.diag(np.linalg.inv(hessian)))


def loss(sample: Sample, weights: Floats) -> float:
    """Mean loss in nats of predicting the winner of a board."""
    logit = sample.x @ weights
    nats = np.logaddexp(0.0, np.where(sample.won > 0.5, -logit, logit))
    return float((nats * sample.weight).sum() / sample.weight.sum())


@dataclass(frozen=True)
class Fit:
    """Weights in points by feature, their errors, and losses on games held out, of the start and of the fit.

    The losses are NaN where the games are too few to hold some out.
    """

    points: dict[str, float]
    errors: dict[str, float]
    per_logit: float
    held_start: float
    held_fit: float
    games: int
    boards: int


def start_points(weights: Mapping[str, float]) -> Floats:
    """The start of the fit [F], in points, from weights by name."""
    return np.array([weights.get(name, 0.0) for name in FEATURES])


def fit(sample: Sample, weights: Mapping[str, float] | None = None) -> Fit:
    """Fit all features at once; `weights` are those to start from, the package's if None."""
    start = start_points(fitted() if weights is None else weights)
    spread = np.array([_spread(name, value) for name, value in zip(FEATURES, start, strict=True)])
    fold = np.random.default_rng(0).integers(0, FOLDS, int(sample.game.max()) + 1)[sample.game]
    enough = len(set(fold.tolist())) == FOLDS
    held = np.zeros(2) if enough else np.full(2, math.nan)
    for number in range(FOLDS if enough else 0):
        taught, asked = sample.of(fold != number), sample.of(fold == number)
        scale = _scale(taught, start)
        found, _ = solve(taught, start * scale, spread * scale)
        share = float(asked.weight.sum() / sample.weight.sum())
        held += share * np.array([loss(asked, start * scale), loss(asked, found)])
    scale = _scale(sample, start)
    found, errors = solve(sample, start * scale, spread * scale)
    points, error = (dict(zip(FEATURES, (row / scale).tolist(), strict=True)) for row in (found, errors))
    games = len(set(sample.game.tolist()))
    return Fit(points, error, 1.0 / scale, float(held[0]), float(held[1]), games, len(sample.won))


def _scale(sample: Sample, start: Floats) -> float:
    """How many logits a point of the start is worth."""
    summed = Sample((sample.x @ start)[:, None], sample.won, sample.game)
    found, _ = solve(summed, np.array([0.003]), np.array([1.0]))
    return max(1e-4, float(found[0]))


def _spread(name: str, start: float) -> float:
    if name == MEN:
        return LOOSE_MEN
    least, share = LOOSE.get(name.partition("_")[0], (LOOSE_SINGLE, 0.0))
    return max(least, share * start)


def weights_of(found: Fit, weights: Mapping[str, float] | None = None) -> dict[str, float]:
    """All weights by name with the fitted ones in place, rounded to points; none is below 0."""
    made = dict(fitted() if weights is None else weights)
    each = found.points[MEN] / MIDDLE_MEN
    for name, value in found.points.items():
        if name in made:
            rank = int(name.rpartition("_")[2]) if name.startswith("base_") else 0
            made[name] = float(max(0.0, round(value + (each if rank in MOVERS else 0.0))))
    return made


def curve(sample: Sample, steps: int = 5) -> list[tuple[int, float]]:
    """(games, loss on games held out) for the first part of the games, the first two parts, and so on."""
    games = int(sample.game.max()) + 1
    counts = sorted({games * k // steps for k in range(1, steps + 1)} - {0})
    losses = [(count, fit(sample.of(sample.game < count)).held_fit) for count in counts]
    return [(count, round(value, 4)) for count, value in losses if not math.isnan(value)]


def write(path: Path, found: Fit, told: Mapping[str, Any]) -> None:
    """Write the weights with what made them: `told` says by which games."""
    made = dict(told) | {
        "games": found.games,
        "boards": found.boards,
        "held_loss": None
        if math.isnan(found.held_fit)
        else {"start": round(found.held_start, 4), "fitted": round(found.held_fit, 4)},
        "points_per_logit": round(found.per_logit),
        "errors": {name: round(value, 1) for name, value in found.errors.items()},
    }
    beside = path.with_name(path.name + ".new")
    beside.write_text(json.dumps({"made": made, "weights": weights_of(found)}, indent=1) + "\n", encoding="utf-8")
    beside.replace(path)


def lesson(armies: tuple[Deployment, Deployment], moves: Iterable[Move], result: Result) -> Lesson | None:
    """A lesson from a game that was decided, else None."""
    winner = {Result.RED: Seat.RED, Result.BLUE: Seat.BLUE}.get(result)
    return None if winner is None else Lesson(armies, tuple(moves), winner)
