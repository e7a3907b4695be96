"""How fast the law is: whole random games and trees, through the general entry point with Classic as data.

Rates are per second of this process's CPU time. With a C compiler at hand the ruler (`bench/law_ruler.c`) does the
same work in turn, and with python-chess installed its own game gives the measure of the object surface; what counts
are the medians of the ratios, for absolute figures depend on the machine and its load.
"""

from __future__ import annotations

import importlib.util
import json
import random
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from flagfall.rules import calls, playout
from flagfall.rules.board import Seat
from flagfall.rules.catalog import CLASSIC
from flagfall.rules.deployment import Deployment
from flagfall.rules.layout import tables
from flagfall.rules.truth import Truth

SEED = 1
GAMES = 100
CAP = 2000
ROUNDS = 9
TREE_DEPTH = 4
TREE_POSITIONS = 20
OPENING_PLIES = 120
RULER = Path(__file__).resolve().parents[3] / "bench" / "law_ruler.c"


class Arrays:
    """The arrays that the compiled entry points work on."""

    def __init__(self) -> None:
        self.game = calls.new_games()
        self.tables = tables(CLASSIC)
        self.log = calls.new_log(2 * CAP)
        self.moves = calls.new_moves(16)

    def play(self, seed: int, games: int) -> tuple[int, int]:
        """Plies and digest of random games."""
        plies, digest = playout.play_random(self.game, 0, self.tables, self.log, self.moves, seed, games, CAP)
        return int(plies), int(digest)

    def tree(self, seed: int) -> int:
        """Nodes of a tree from a position OPENING_PLIES into a random game."""
        return int(
            playout.tree_of_random(self.game, 0, self.tables, self.log, self.moves, seed, OPENING_PLIES, TREE_DEPTH)
        )


def digest_by_surface(seed: int, games: int) -> tuple[int, int]:
    """Plies and digest of the same random games, played move by move through the Python surface."""
    mask = 2**64 - 1
    word, plies, digest = seed, 0, 0
    for _ in range(games):
        word, (red, blue) = _deal(word)
        game = Truth(CLASSIC, red, blue)
        while (moves := game.legal()) and game.ply < CAP:
            word = next_word(word)
            game.push(moves[((word >> 33) * len(moves)) >> 31])
        plies += game.ply
        digest = (digest * 31 & mask) ^ (int(game.records[0]["h"][0]) + 4 * game.ply + int(game.result)) & mask
    return plies, digest


def next_word(word: int) -> int:
    """The next word of a xorshift64 generator, as `playout.next_word`."""
    mask = 2**64 - 1
    word ^= word << 13 & mask
    word ^= word >> 7
    return word ^ (word << 17 & mask)


def _deal(word: int) -> tuple[int, list[Deployment]]:
    """Two random armies, as `playout.deal` draws them."""
    ranks = [rank for rank in sorted(CLASSIC.army) for _ in range(CLASSIC.army[rank])]
    armies = []
    for seat in Seat:
        for last in range(len(ranks) - 1, 0, -1):
            word = next_word(word)
            other = ((word >> 33) * (last + 1)) >> 31
            ranks[last], ranks[other] = ranks[other], ranks[last]
        armies.append(Deployment(CLASSIC, seat, dict(zip(CLASSIC.home[seat], ranks, strict=True))))
    return word, armies


def _timed(work: Callable[[], int]) -> float:
    """Units of work per CPU second."""
    begin = time.process_time()
    done = work()
    return done / (time.process_time() - begin)


def _build_ruler(folder: str) -> Callable[..., float] | None:
    """The C ruler as a function from its arguments to its rate; None without a compiler or its source."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None or not RULER.is_file():
        return None
    binary = Path(folder) / "law_ruler"
    subprocess.run([compiler, "-O3", "-march=native", str(RULER), "-o", str(binary)], check=True)

    def rate(*arguments: int | str) -> float:
        told = subprocess.run([str(binary), *map(str, arguments)], check=True, capture_output=True)
        return next(float(value) for key, value in json.loads(told.stdout).items() if key.endswith("per_cpu_s"))

    return rate


def _surface(plies: int) -> int:
    """Random Classic play through list of moves and push, for about so many plies."""
    draw = random.Random(SEED).random
    done = 0
    red, blue = _deal(SEED)[1]
    while done < plies:
        game = Truth(CLASSIC, red, blue)
        while (moves := game.legal()) and done < plies:
            game.push(moves[int(draw() * len(moves))])
            done += 1
    return done


def _chess(plies: int) -> int:
    """The same for python-chess on its own game."""
    import chess

    draw = random.Random(SEED).random
    done = 0
    while done < plies:
        board = chess.Board()
        while (moves := list(board.legal_moves)) and done < plies:
            board.push(moves[int(draw() * len(moves))])
            done += 1
    return done


def measure() -> dict[str, Any]:
    """All figures of one run, as plain data."""
    arrays = Arrays()
    plies, digest = arrays.play(SEED, GAMES)
    arrays.tree(SEED)
    _surface(1000)
    rounds: dict[str, list[float]] = {name: [] for name in ("play", "tree", "surface", "play/c", "tree/c", "surface/c")}
    with tempfile.TemporaryDirectory() as folder:
        ruler = _build_ruler(folder)
        chess = importlib.util.find_spec("chess") is not None
        for number in range(1, ROUNDS + 1):
            _round(rounds, arrays, number, ruler, chess)
    middle = {name: statistics.median(rates) if rates else None for name, rates in rounds.items()}
    return {
        "play": {
            "plies_per_cpu_s": middle["play"],
            "ratio_to_c": middle["play/c"],
            "seed": SEED,
            "games": GAMES,
            "plies": plies,
            "digest": f"{digest:016x}",
        },
        "tree": {"nodes_per_cpu_s": middle["tree"], "ratio_to_c": middle["tree/c"], "depth": TREE_DEPTH},
        "surface": {"plies_per_cpu_s": middle["surface"], "ratio_to_python_chess": middle["surface/c"]},
        "repetition": {"share_of_play": repetition_share(arrays)},
        "rounds": ROUNDS,
        "workload": "random Classic games of random armies, at most 2000 plies; trees 4 plies deep after 120 plies",
    }


def _round(rounds: dict[str, list[float]], arrays: Arrays, number: int, ruler: Any, chess: bool) -> None:
    """One round of every measure, each beside its ruler."""
    play = _timed(lambda: arrays.play(number, 1000)[0])
    rounds["play"].append(play)
    if ruler:
        rounds["play/c"].append(play / ruler("play", 1500, number))
    tree = _timed(lambda: sum(arrays.tree(number * 1000 + k) for k in range(TREE_POSITIONS)))
    rounds["tree"].append(tree)
    if ruler:
        rounds["tree/c"].append(tree / ruler("tree", TREE_DEPTH, TREE_POSITIONS, number))
    surface = _timed(lambda: _surface(100_000))
    rounds["surface"].append(surface)
    if chess:
        rounds["surface/c"].append(surface / _timed(lambda: _chess(8_000)))


def repetition_share(arrays: Arrays) -> float:
    """The share of random play's time that the two repetition rules take: with them, and with both off, in turn."""
    bare = Arrays()
    bare.tables = tables(CLASSIC.with_law(two_square_limit=None, more_squares="off"))
    shares = []
    for number in range(1, ROUNDS + 1):
        with_rules = _timed(lambda seed=number: arrays.play(seed, 500)[0])  # type: ignore[misc]
        without = _timed(lambda seed=number: bare.play(seed, 500)[0])  # type: ignore[misc]
        shares.append(1 - with_rules / without)
    return statistics.median(shares)


def law(as_json: bool = False) -> int:
    """Print the figures."""
    found = measure()
    if as_json:
        print(json.dumps(found))
        return 0
    for name in ("play", "tree", "surface", "repetition"):
        told = {key: "not measured" if value is None else value for key, value in found[name].items()}
        parts = [f"{key} {value:,.2f}" if isinstance(value, float) else f"{key} {value}" for key, value in told.items()]
        print(f"{name:<11}" + ", ".join(parts))
    print(found["workload"])
    return 0
