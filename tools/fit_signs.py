"""Fit what behaviour tells of a hidden rank (`mind/signs.npz`); run it again when the players or the data change.

    .venv/bin/python tools/fit_signs.py ../shared src/flagfall/mind/signs.npz --games 300 --seed 1

Games of house players of every level, with deployments of people, learned ones and some drawn by lot, and every second
of the recorded games, are looked at in the middle; the log-weights of the signs are fitted by telling the true ranks of
two hidden men from their exchange (ratio matching), beside what squares and pairs of squares say already. What is
stored is a table of weights, the command, the seed and the date; no game and no deployment.
"""

from __future__ import annotations

import argparse
import datetime as dt
import gzip
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from flagfall.check.beliefs import PLAYERS, Sight, of_conformance
from flagfall.mind import belief as believing
from flagfall.mind.evidence import KINDS, OWN, SIGNS, SLOTS
from flagfall.mind.habits import habits
from flagfall.mind.opening import random_army
from flagfall.mind.thought import believe
from flagfall.play.player import Budget
from flagfall.play.table import ending
from flagfall.rules.board import Seat
from flagfall.rules.catalog import CLASSIC
from flagfall.rules.deployment import Deployment
from flagfall.rules.events import Outcome
from flagfall.rules.layout import MEN
from flagfall.rules.pieces import Numbering, Rank
from flagfall.rules.truth import Truth

NODES, EVERY = 1500, 30
STEPS, BATCH, RATE, PULL, SWAPS = 500, 20_000, 0.05, 1e-2, 8
STRONG, OVERKILL = 8, 3
Floats = NDArray[np.float64]


@dataclass
class Data:
    """Swaps of two hidden men: how their signs differ [N, SIGNS], true ranks a, b, what else is known, and a weight."""

    signs: list[NDArray[np.float32]] = field(default_factory=list)
    pairs: list[tuple[int, int]] = field(default_factory=list)
    known: list[float] = field(default_factory=list)
    weights: list[float] = field(default_factory=list)


def house_games(shared: Path, games: int, seed: int) -> Iterator[Iterator[Sight]]:
    """Sights game by game; armies from the lists in `shared`, mirrored by lot, one in ten drawn at random."""
    game = ending(CLASSIC)
    lists = {}
    for name in ("human", "learned"):
        with gzip.open(shared / "setups" / f"{name}-classic.txt.gz", "rt", encoding="utf-8") as lines:
            rows = [line.split() for line in lines if not line.startswith("#")]
        lists[name] = [row[0] for row in rows], [float(row[1]) ** 0.5 for row in rows]

    def army(seat: Seat, draw: Random) -> Deployment:
        if draw.random() < 0.1:
            return random_army(game, seat, draw.randbytes(8))
        text = draw.choices(*lists[draw.choice(("human", "learned"))])[0]
        found = Deployment.parse(text, game, seat, Numbering.MODERN)
        return found.mirror() if draw.random() < 0.5 else found

    def sights(number: int) -> Iterator[Sight]:
        draw = Random(f"{seed} {number}")
        names = draw.choices(list(PLAYERS), k=2)
        players = [PLAYERS[name](draw.randbytes(8)) for name in names]
        armies = [army(seat, draw) for seat in Seat]
        truth = Truth(game, armies[0], armies[1])
        while not truth.result:
            truth.push(players[truth.turn].move(truth.look(truth.turn), Budget(nodes=NODES)))
            if truth.ply % EVERY == 0 and not truth.result:
                for seat in Seat:
                    ranks = {at: int(rank) for at, rank in armies[seat.other].ranks.items()}
                    yield truth.look(seat), ranks, names[seat.other]

    for number in range(games):
        yield sights(number)


def take(data: Data, sights: Iterator[Sight], draw: Random) -> None:
    """Add the swaps of one game; all its swaps together weigh as the root of their number."""
    begun = len(data.pairs)
    for view, ranks, _ in sights:
        table = believe(view)[0].table
        evidence = believing._evidence()[0]  # noqa: SLF001 - the signs that the surmise has just counted
        seat = view.seat or Seat.RED
        counts = evidence["count"].reshape(2 * MEN, SIGNS)[MEN * seat.other :]
        order = [man.id for man in view.men() if man.seat is not seat]
        hidden = [at for at in order if at in table]
        strength = np.minimum(np.log2(1.0 + counts), 3.0)
        strength[:, OWN * SLOTS :] = counts[:, OWN * SLOTS :]
        for _ in range(SWAPS):
            if len(hidden) < 2:
                break
            one, two = draw.sample(hidden, 2)
            a, b = ranks[one], ranks[two]
            if a == b or not (table[one][b] > 0 and table[two][a] > 0):
                continue
            both = [np.log(np.maximum(table[at], 1e-3)) for at in (one, two)]
            data.signs.append((strength[order.index(one)] - strength[order.index(two)]).astype(np.float32))
            data.pairs.append((a, b))
            data.known.append(float(both[0][a] + both[1][b] - both[0][b] - both[1][a]))
    got = len(data.pairs) - begun
    data.weights.extend([got**-0.5] * got)


def relation(rank: int, other: int) -> int:
    """How a rank stands to another that it might attack: 0 takes it, 1 falls with it, 2 falls, 3 bomb, 4 flag."""
    if rank >= Rank.BOMB:
        return 3 + (rank == Rank.FLAG)
    end = CLASSIC.battle(Rank(rank), Rank(other))
    return {Outcome.ATTACKER: 0, Outcome.FLAG: 0, Outcome.BOTH: 1, Outcome.DEFENDER: 2}[end]


def basis() -> tuple[Floats, Floats]:
    """What the weights are made of [K, SIGNS · 13], and how strongly each is held to 0 [K]."""
    parts: list[Floats] = []
    pulls: list[float] = []

    def part(pull: float) -> Floats:
        parts.append(np.zeros((SIGNS, 13)))
        pulls.append(pull)
        return parts[-1]

    for kind in range(KINDS - 1):
        for how in range(5):
            for strong in (False, True):
                table = part(1.0 if strong else 0.3)
                for other in range(STRONG if strong else 1, Rank.FLAG):
                    for rank in range(1, 13):
                        table[kind * SLOTS + other, rank] = relation(rank, other) == how
        table = part(1.0)
        for other in range(1, Rank.BOMB):
            table[kind * SLOTS + other, other + OVERKILL : Rank.BOMB] = 1
        for rank in range(1, 13):
            part(2.0)[kind * SLOTS + 1 : kind * SLOTS + 13, rank] = 1
            part(1.0)[kind * SLOTS + 13, rank] = 1
            part(1.0)[kind * SLOTS + 14, rank] = 1
    for slot in range(14):
        for rank in range(1, 13):
            part(1.0)[OWN * SLOTS + slot, rank] = 1
    return np.array(parts).reshape(len(parts), -1), np.array(pulls)


def fit(data: Data, seed: int) -> Floats:
    """Adam on the swap loss; weights [SIGNS, 13]."""
    parts, pulls = basis()
    signs, pairs = np.array(data.signs), np.array(data.pairs)
    known, weights = np.array(data.known), np.array(data.weights)
    draw = np.random.default_rng(seed)
    size = len(parts)
    beta, mean, var, average, kept = np.zeros(size), np.zeros(size), np.zeros(size), np.zeros(size), 0
    for step in range(1, STEPS + 1):
        table = (beta @ parts).reshape(SIGNS, 13)
        pick = draw.integers(len(pairs), size=BATCH)
        a, b, more, weight = pairs[pick, 0], pairs[pick, 1], signs[pick], weights[pick]
        delta = (more * (table[:, a] - table[:, b]).T).sum(1) + known[pick]
        push = (-weight / (1.0 + np.exp(np.clip(delta, -30, 30))) / weight.sum())[:, None] * more
        slope = np.stack([push[a == rank].sum(0) - push[b == rank].sum(0) for rank in range(13)], axis=1)
        grad = parts @ slope.ravel() + PULL * pulls * beta
        mean += 0.1 * (grad - mean)
        var += 0.01 * (grad * grad - var)
        rate = RATE * min(1.0, 2.0 * (1.0 - step / STEPS) + 0.02)
        beta -= rate * (mean / (1 - 0.9**step)) / (np.sqrt(var / (1 - 0.99**step)) + 1e-5)
        if step > STEPS * 7 // 10:
            average += beta
            kept += 1
        if step % 100 == 0:
            told = (weight * np.logaddexp(0.0, -delta)).sum() / weight.sum()
            print(f"  step {step}: swap loss {told:.4f}", flush=True)
    table = (average / kept @ parts).reshape(SIGNS, 13)
    return table


def main() -> None:
    """Play, look, fit and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("shared", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    data, draw = Data(), Random(options.seed)
    # While it is fitted, nothing may be believed of behaviour.
    habits(ending(CLASSIC))["sign"] = 0.0
    for number, sights in enumerate(house_games(options.shared, options.games, options.seed)):
        take(data, sights, draw)
        if number % 20 == 0:
            print(f"game {number}: {len(data.pairs)} swaps", flush=True)
    take_recorded(data, options.shared, draw)
    weights = fit(data, options.seed)
    command = " ".join(["tools/fit_signs.py", *sys.argv[1:]])
    made = f"{command}; {len(data.pairs)} swaps; {dt.datetime.now(dt.UTC).date()}"
    np.savez_compressed(options.out, weights=weights.astype(np.float32), made=np.array(made))


def take_recorded(data: Data, shared: Path, draw: Random) -> None:
    """Add every second recorded game; the others are left to measure by."""
    number, last, game = -1, 10**9, list[Sight]()
    for sight in of_conformance(shared / "conformance" / "games.jsonl"):
        if sight[0].ply < last:
            number += 1
            _take_game(data, game, number - 1, draw)
            game = []
            habits(sight[0].variant)["sign"] = 0.0
        last = sight[0].ply
        game.append(sight)
    _take_game(data, game, number, draw)


def _take_game(data: Data, game: list[Sight], number: int, draw: Random) -> None:
    if game and number % 2:
        take(data, iter(game), draw)


if __name__ == "__main__":
    main()
