"""A match between two machines: pairs of games, many at a time, with an interval, every record, and no game lost."""

from __future__ import annotations

import signal
import sys
import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any

from joblib import Parallel, delayed

from flagfall.arena.interval import score_interval
from flagfall.arena.ledger import Ledger
from flagfall.arena.pair import SIDES, Game, Plan, play_pair
from flagfall.play.player import Budget
from flagfall.play.scoring import POINTS
from flagfall.play.table import ending
from flagfall.rules.catalog import entry_or_file, preset

INTERRUPTED = 130
Watch = Callable[[Game], None]


def run(  # noqa: PLR0913 - one for each option of the command
    a: str,
    b: str,
    *,
    games: int,
    variant: str = "classic",
    time_ms: int | None = None,
    nodes: int | None = None,
    seed: int = 0,
    jobs: int = 1,
    out: Path | None = None,
    law: str | None = None,
) -> int:
    """Play a match with a progress bar and print its result; status 2 for an odd number of games, 130 if interrupted.

    variant: a name of the catalogue, or the path of a JSON file. law: a preset that stands in for its own law. Raises
    NotFound for a player, variant or preset that is not there; NotAllowed or Unreadable where `out` is another match.
    """
    if games < 2 or games % 2:
        print("flagfall: games come in pairs: give an even number", file=sys.stderr)
        return 2
    game = entry_or_file(variant).variant
    if law is not None:
        game = replace(game, law=preset(law))
    plan = Plan(a, b, ending(game), Budget(nodes, time_ms), seed).checked()
    from flagfall.arena.bar import Bar

    try:
        with Bar(f"{plan.a[:30]} - {plan.b[:30]}", games) as bar:
            summary = play_match(plan, games, jobs=jobs, out=out, watch=bar.add)
    except KeyboardInterrupt:
        kept = f"; the same command goes on from what {out.name}.part holds" if out else ""
        print(f"flagfall: interrupted{kept}", file=sys.stderr)
        return INTERRUPTED
    print(told(plan, summary))
    return 0


def play_match(
    plan: Plan, games: int, *, jobs: int = 1, out: Path | None = None, watch: Watch | None = None
) -> dict[str, Any]:
    """Play what is missing of the first `games` games; the summary of all of them, written to `out` with every record.

    jobs: how many processes; the games are the same with any number. watch: called with each game as it ends.
    """
    ledger = Ledger(out, plan.settings()) if out else None
    done = list(ledger.games) if ledger else []
    if watch:
        for game in done:
            watch(game)
    have = {(game["pair"], game["half"]) for game in done}
    missing = {pair: tuple(half for half in (0, 1) if (pair, half) not in have) for pair in range(games // 2)}
    wanted = [(pair, halves) for pair, halves in missing.items() if halves]
    for game in _played(plan, wanted, jobs):
        done.append(game)
        if ledger:
            ledger.keep(game)
        if watch:
            watch(game)
    summary = summary_of(done)
    if ledger:
        ledger.games.sort(key=lambda game: (game["pair"], game["half"]))
        ledger.close(summary)
    return summary


def _played(plan: Plan, wanted: list[tuple[int, tuple[int, ...]]], jobs: int) -> Iterator[Game]:
    """The games of the wanted pairs as they end."""
    if jobs == 1:
        for pair, halves in wanted:
            yield from play_pair(plan, pair, halves)
        return
    work = Parallel(n_jobs=jobs, return_as="generator_unordered", initializer=_be_deaf)
    with _born_deaf():
        done = work(delayed(play_pair)(plan, pair, halves) for pair, halves in wanted)
    for games in done:
        yield from games


def _be_deaf() -> None:
    """Leave a terminal's interrupt to the process that hands out the work."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def _born_deaf() -> Iterator[None]:
    """Processes begun meanwhile ignore an interrupt from their first moment, for they inherit it so."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    heard = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, heard)


def summary_of(games: list[Game]) -> dict[str, Any]:
    """Wins, draws and losses of side a, its score with a 95 % interval by pairs, reasons, seconds a move, faults.

    first_mover: the share of whoever began. decisive: the share of games without a draw. points: of both sides, by the
    scorings of R12.
    """
    scores = [game["score"] for game in games]
    pairs: dict[int, list[float]] = defaultdict(list)
    for game in games:
        pairs[game["pair"]].append(game["score"])
    low, high = score_interval([fmean(both) for both in pairs.values()])
    return {
        "games": len(games),
        "wins": scores.count(1.0),
        "draws": scores.count(0.5),
        "losses": scores.count(0.0),
        "score": fmean(scores) if scores else 0.5,
        "interval": [low, high],
        "interval_by": "pairs of games, 95 %, two imagined pairs added",
        "first_mover": fmean(_of_first(game) for game in games) if games else 0.5,
        "decisive": fmean(score != 0.5 for score in scores) if games else 0.0,
        "points": {name: {side: way.total(_shares(games, side)) for side in SIDES} for name, way in POINTS.items()},
        "reasons": dict(Counter(game["reason"] for game in games)),
        "plies": fmean(game["plies"] for game in games) if games else 0.0,
        "seconds_per_move": {side: _seconds(games, side) for side in SIDES},
        "faults": {side: sum(side in game["faults"] for game in games) for side in SIDES},
        "fault_codes": {side: _codes(games, side) for side in SIDES},
    }


def _of_first(game: Game) -> float:
    """The score of the side that had the first move: Red's, at every table of a match."""
    score: float = game["score"]
    return score if game["red"] == SIDES[0] else 1.0 - score


def _shares(games: list[Game], side: str) -> list[tuple[float, bool]]:
    """What a side scored in each game, and whether it lost by a fault."""
    return [(game["score"] if side == SIDES[0] else 1.0 - game["score"], side in game["faults"]) for game in games]


def _seconds(games: list[Game], side: str) -> float:
    moves = sum(game["moves"][side] for game in games)
    return sum(float(game["seconds"][side]) for game in games) / moves if moves else 0.0


def _codes(games: list[Game], side: str) -> dict[str, int]:
    """How often a side lost by which fault; what raised it is left out."""
    return dict(Counter(str(game["faults"][side]).partition(":")[0] for game in games if side in game["faults"]))


def told(plan: Plan, summary: dict[str, Any]) -> str:
    """The result in words."""
    low, high = summary["interval"]
    speed = summary["seconds_per_move"]
    reasons = ", ".join(f"{reason} {count}" for reason, count in sorted(summary["reasons"].items()))
    lines = [
        f"{plan.a} against {plan.b}, {plan.variant.name}: {summary['games']} games",
        f"wins {summary['wins']}, draws {summary['draws']}, losses {summary['losses']}",
        f"score {summary['score']:.1%}, 95 % interval {low:.1%} to {high:.1%}",
        f"match points: {_points(summary)}",
        f"first mover {summary['first_mover']:.1%}, decisive {summary['decisive']:.1%}",
        f"endings: {reasons or 'none'}; {summary['plies']:.0f} plies a game",
        f"milliseconds a move: {1000 * speed['a']:.3g} and {1000 * speed['b']:.3g}",
        f"faults: {_faults(summary, 'a')} and {_faults(summary, 'b')}",
    ]
    return "\n".join(lines)


def _points(summary: dict[str, Any]) -> str:
    told = ((way, summary["points"][name]) for name, way in POINTS.items())
    return ", ".join(f"{count['a']} to {count['b']} ({way.name})" for way, count in told)


def _faults(summary: dict[str, Any], side: str) -> str:
    codes = ", ".join(f"{code} {count}" for code, count in sorted(summary["fault_codes"][side].items()))
    return f"{summary['faults'][side]} ({codes})" if codes else "0"
