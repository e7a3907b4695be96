"""Fit the statistics of deployments that `mind.opening` and `mind.belief` use; run it again when the data change.

    .venv/bin/python tools/fit_deployments.py ../shared/setups src/flagfall/mind/deployments.npz

The model of an army of 40 squares: log P = sum of U[square, rank] + sum over pairs of V[rows apart, files apart, rank,
rank], left and right alike. It is fitted by telling true deployments from ones with two men swapped (ratio matching),
so that no normaliser is needed. Only these tables, the shares of each rank by square and how all was made are stored,
no deployment and no list of them.
"""

from __future__ import annotations

import argparse
import datetime as dt
import gzip
import sys
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

FILES, ROWS, SYMBOLS = 10, 4, 13
SQUARES = FILES * ROWS
LETTERS = ".S23456789MBF"
SEED = 1
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def read(path: Path) -> tuple[Ints, Floats]:
    """Deployments [N, 40] as ranks (0 = empty) and their weights [N]: the square root of how often each occurs."""
    rows, weights = [], []
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            if not line.startswith("#"):
                text, count = line.split()
                rows.append([LETTERS.index(letter) for letter in text])
                weights.append(float(count) ** 0.5)
    return np.array(rows), np.array(weights)


def pair_slots() -> tuple[Ints, Ints]:
    """For squares i, j: the base of their table in V, and whether i comes first [40, 40]."""
    at = np.arange(SQUARES)
    down = at[None, :] // FILES - at[:, None] // FILES
    across = np.abs(at[None, :] % FILES - at[:, None] % FILES)
    return (np.abs(down) * FILES + across) * SYMBOLS * SYMBOLS, (down >= 0).astype(np.int64)


BASE, FIRST = pair_slots()
UNARY = ROWS * (FILES // 2) * SYMBOLS
PAIRS = ROWS * FILES * SYMBOLS * SYMBOLS


def unary_slot(square: Ints, rank: Ints) -> Ints:
    """Index of U for a square and a rank; mirror images share it."""
    file = square % FILES
    return ((square // FILES * (FILES // 2) + np.minimum(file, FILES - 1 - file)) * SYMBOLS + rank).astype(np.int64)


def pair_slot(i: Ints, j: Ints, a: Ints, b: Ints) -> Ints:
    """Index of V, after the unary part, for ranks a, b on squares i, j; on one row the order is dropped."""
    low, high = np.minimum(a, b), np.maximum(a, b)
    level = i // FILES == j // FILES
    first = FIRST[i, j] == 1
    left = np.where(level, low, np.where(first, a, b))
    right = np.where(level, high, np.where(first, b, a))
    slots: Ints = UNARY + BASE[i, j] + left * SYMBOLS + right
    return slots


def fit(ranks: Ints, weights: Floats, start: Floats, steps: int, pull: float, seed: int) -> Floats:
    """Adam on the swap loss from `start`; `pull` ties the answer to `start` (the fewer the data, the stronger)."""
    rng = np.random.default_rng(seed)
    chance = weights / weights.sum()
    size = len(start)
    table, mean, var = start.copy(), np.zeros(size), np.zeros(size)
    average = np.zeros(size)
    others = np.arange(SQUARES)
    for step in range(1, steps + 1):
        x = ranks[rng.choice(len(ranks), 2048, p=chance)]
        i, j = rng.integers(SQUARES, size=2048), rng.integers(SQUARES, size=2048)
        row = np.arange(2048)
        a, b = x[row, i], x[row, j]
        keep = a != b
        x, i, j, a, b = x[keep], i[keep], j[keep], a[keep], b[keep]
        k = np.broadcast_to(others, x.shape)
        ii, jj, aa, bb = (np.broadcast_to(v[:, None], x.shape) for v in (i, j, a, b))
        inside = ((k != ii) & (k != jj)).astype(np.float64)
        gain = np.concatenate([pair_slot(ii, k, aa, x), pair_slot(jj, k, bb, x)], axis=1)
        loss = np.concatenate([pair_slot(ii, k, bb, x), pair_slot(jj, k, aa, x)], axis=1)
        inside = np.concatenate([inside, inside], axis=1)
        single_gain = np.stack([unary_slot(i, a), unary_slot(j, b), pair_slot(i, j, a, b)], axis=1)
        single_loss = np.stack([unary_slot(i, b), unary_slot(j, a), pair_slot(i, j, b, a)], axis=1)
        delta = ((table[gain] - table[loss]) * inside).sum(1) + (table[single_gain] - table[single_loss]).sum(1)
        push = -1.0 / (1.0 + np.exp(np.clip(delta, -30, 30))) / len(x)
        wide = (push[:, None] * inside).ravel()
        narrow = np.repeat(push, 3)
        pulled: Floats = pull * (table - start)
        grad = pulled + np.bincount(gain.ravel(), wide, size) - np.bincount(loss.ravel(), wide, size)
        grad = grad + np.bincount(single_gain.ravel(), narrow, size) - np.bincount(single_loss.ravel(), narrow, size)
        mean += 0.1 * (grad - mean)
        var += 0.005 * (grad * grad - var)
        rate = 0.03 * min(1.0, 2.0 * (1.0 - step / steps) + 0.02)
        table -= rate * (mean / (1 - 0.9**step)) / (np.sqrt(var / (1 - 0.995**step)) + 1e-6)
        if step > steps * 3 // 4:
            average += table
        if step % max(1, steps // 5) == 0:
            told = (np.logaddexp(0.0, -delta)).mean()
            print(f"  step {step}: swap loss {told:.4f}, told apart {np.mean(delta > 0):.3f}", flush=True)
    return average / (steps - steps * 3 // 4)


def shares(ranks: Ints, weights: Floats) -> Floats:
    """Share of each rank on each square [40, 13], mirror images averaged."""
    counts: Floats = np.array([np.bincount(ranks[:, square], weights, SYMBOLS) for square in range(SQUARES)])
    counts = counts + counts.reshape(ROWS, FILES, SYMBOLS)[:, ::-1].reshape(SQUARES, SYMBOLS)
    result: Floats = counts / counts.sum(1, keepdims=True)
    return result


def main() -> None:
    """Fit and write the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("setups", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--steps", type=int, default=3000)
    options = parser.parse_args()
    tables: dict[str, NDArray[np.generic]] = {}
    began = time.process_time()
    for name, file, base, steps, pull in (
        ("classic_human", "human-classic", None, options.steps, 2e-5),
        ("classic_learned", "learned-classic", "classic_human", options.steps // 2, 3e-4),
        ("barrage_human", "human-barrage", None, options.steps // 2, 1e-4),
    ):
        print(name)
        ranks, weights = read(options.setups / f"{file}.txt.gz")
        start = fits[base] if base else np.zeros(UNARY + PAIRS)
        fits[name] = fit(ranks, weights, start, steps, pull, SEED)
        tables[name + "_unary"] = fits[name][:UNARY].reshape(ROWS, FILES // 2, SYMBOLS).astype(np.float16)
        tables[name + "_pairs"] = fits[name][UNARY:].reshape(ROWS, FILES, SYMBOLS, SYMBOLS).astype(np.float16)
        tables[name + "_shares"] = shares(ranks, weights).astype(np.float32)
    command = " ".join(["tools/fit_deployments.py", *sys.argv[1:]])
    tables["made"] = np.array(f"{command}; seed {SEED}; {dt.datetime.now(dt.UTC).date()}")
    np.savez_compressed(options.out, **tables)  # type: ignore[arg-type]
    print(f"{options.out.stat().st_size} bytes in {time.process_time() - began:.0f} CPU s")


fits: dict[str, Floats] = {}

if __name__ == "__main__":
    main()
