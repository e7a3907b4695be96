"""What changes of the evaluation's weights are worth in games: a factorial match of the strongest level with itself.

    .venv/bin/python tools/weigh.py factors.json games.jsonl --games 2000 --nodes 3000 --seed 1

`factors.json` names each factor with the weights that it sets: `{"cautious": {"caution": 0.8}, "heavy": {"base_10":
340, "base_9": 260}}`; `deepest`, `noise` and `trust` are the manner's. In every game each factor is on for one side
and off for the other, which of them by lot; both games of a pair are played with the same armies and the same lots,
colours exchanged. A game ends up as one line, so a match that was broken off goes on where it stood. Told is the
least-squares effect of each factor on the score of the side that has it, in points of a hundred, with one standard
error.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from joblib import Parallel, delayed

from flagfall.mind.bots import LEVELS, Thinker
from flagfall.mind.manner import Manner
from flagfall.play.player import Budget, derived, seat_seed
from flagfall.play.record import Sitter, Sort, Terms
from flagfall.play.referee import Referee
from flagfall.play.table import Table, ending
from flagfall.rules.board import Seat
from flagfall.rules.catalog import CLASSIC
from flagfall.rules.events import Result

GAME = ending(CLASSIC)
STYLE = "learned"
OF_MANNER = ("deepest", "noise", "trust")
SCORES = {Result.DRAW: 0.5, Result.RED: 1.0, Result.BLUE: 0.0}
Factors = dict[str, dict[str, float]]


def manner_of(factors: Factors, names: list[str], nodes: int) -> Manner:
    """The strongest level's manner with these factors on."""
    changes: dict[str, float] = {}
    for name in names:
        changes |= factors[name]
    own: dict[str, Any] = {key: value for key, value in changes.items() if key in OF_MANNER}
    weights = tuple((key, value) for key, value in changes.items() if key not in OF_MANNER)
    return replace(LEVELS["level-10"], nodes=nodes, weights=weights, **own)


def play(factors: Factors, pair: int, half: int, nodes: int, seed: int) -> dict[str, Any]:
    """One game of a pair; `score` is that of the side that has the factors `on`, the other side has all others."""
    root = derived(str(seed).encode(), "weigh", pair)
    lots = Random(root)
    on = [name for name in factors if lots.random() < 0.5]
    sides = (on, [name for name in factors if name not in on])
    secret = derived(root, "game", 0)
    players = [
        Thinker(seat_seed(secret, seat), manner_of(factors, sides[int(seat) ^ half], nodes), STYLE) for seat in Seat
    ]
    sitter = Sitter("level-10", Sort.HOUSE, Budget(nodes=nodes))
    terms = Terms(variant=GAME, sitters=(sitter, sitter), game=f"pair-{pair}-{half}", begun_ms=0)
    referee = Referee(terms, secret=secret, now_ms=0)
    for seat, player in zip(Seat, players, strict=True):
        referee.deploy(seat, player.deploy(GAME, seat), 0)
    Table(referee, players[0], players[1], now_ms=lambda: 0).play()
    red = SCORES[referee.result]
    return {
        "pair": pair,
        "half": half,
        "on": on,
        "score": red if half == 0 else 1.0 - red,
        "reason": referee.reason.word,
        "plies": referee.ply,
    }


def effects(factors: Factors, games: list[dict[str, Any]]) -> Iterator[tuple[str, float, float]]:
    """(factor, points of a hundred that it adds to its side's score, one standard error), by whole pairs."""
    pairs: dict[int, list[dict[str, Any]]] = {}
    for game in games:
        pairs.setdefault(game["pair"], []).append(game)
    rows = [
        (pair[0]["on"], np.mean([game["score"] for game in pair]) - 0.5) for pair in pairs.values() if len(pair) == 2
    ]
    signs = np.array([[1.0 if name in on else -1.0 for name in factors] for on, _ in rows])
    scores = np.array([score for _, score in rows])
    found, *_ = np.linalg.lstsq(signs, scores, rcond=None)
    spread = scores - signs @ found
    inverse = np.linalg.inv(signs.T @ signs)
    freedom = max(1, len(rows) - len(factors))
    errors = np.sqrt(np.diag(inverse) * (spread @ spread) / freedom)
    for name, value, error in zip(factors, found, errors, strict=True):
        # A side with the factor scores half + value, one without it half - value.
        yield name, 100.0 * 2.0 * value, 100.0 * 2.0 * error


def main() -> None:
    """Play what is missing, and tell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("factors", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--nodes", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    words = parser.parse_args()
    factors: Factors = json.loads(words.factors.read_text(encoding="utf-8"))
    games = [json.loads(line) for line in words.out.read_text().splitlines()] if words.out.exists() else []
    done = {(game["pair"], game["half"]) for game in games}
    wanted = [(pair, half) for pair in range(words.games // 2) for half in (0, 1) if (pair, half) not in done]
    work = Parallel(n_jobs=words.jobs, return_as="generator_unordered")
    with words.out.open("a", encoding="utf-8") as file:
        for game in work(delayed(play)(factors, pair, half, words.nodes, words.seed) for pair, half in wanted):
            games.append(game)
            print(json.dumps(game), file=file, flush=True)
    for name, value, error in effects(factors, games):
        print(f"{name:20} {value:+6.1f} +- {error:.1f}")
    print(f"{len(games)} games")


if __name__ == "__main__":
    main()
