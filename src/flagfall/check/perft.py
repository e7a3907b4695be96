"""Counting the move sequences of exactly so many plies (R16)."""

from __future__ import annotations

import json
from pathlib import Path

from flagfall.check.cases import position_of
from flagfall.errors import Unreadable
from flagfall.rules import calls, playout
from flagfall.rules.board import Seat, Square
from flagfall.rules.catalog import entry_or_file
from flagfall.rules.deployment import Deployment
from flagfall.rules.pieces import Rank
from flagfall.rules.truth import Truth
from flagfall.rules.variant import Variant

ARMY_S = "BFB33322223B32222444455556666777889MSBBB"
"""The army S of R16, for both sides of Classic."""

DEPTH_CAP = 200
BUFFERS = 64
"""Lists of moves that a tree may hold at once."""


def counts(game: Truth, depth: int) -> list[int]:
    """Sequences of exactly 1, 2 … depth plies from a position, all ranks known; ended games are not extended."""
    records, log, tables = (array.copy() for array in game.records)
    longer = calls.new_log(game.ply + depth + 2)
    longer[:, : log.shape[1]] = log[:, : longer.shape[1]]
    if game.result:
        return [0] * depth
    buffer = calls.new_moves(max(BUFFERS, depth + 1))
    return [int(playout.count_tree(records, 0, tables, longer, buffer, ply)) for ply in range(1, depth + 1)]


def start_of(game: Variant) -> Truth:
    """The start position that is counted: the army S for Classic, else each army by rank, back row first."""
    text = ARMY_S if game.name == "classic" else None
    red = Deployment.parse(text, game, Seat.RED) if text else Deployment(game, Seat.RED, _by_rank(game))
    return Truth(game, red, red.for_seat(Seat.BLUE))


def _by_rank(game: Variant) -> dict[Square, Rank]:
    """An army on its first squares, the flag first, then from the weakest man up."""
    ranks = [rank for rank, count in sorted(game.army.items()) for _ in range(count)]
    return dict(zip(game.home[Seat.RED], ranks[-1:] + ranks[:-1], strict=False))


def main(name: str, depth: int, position: Path | None = None, as_json: bool = False) -> int:
    """Print the counts of a game by its name or file, or of the position in a file of one JSON object."""
    game = entry_or_file(name).variant
    if depth > DEPTH_CAP:
        raise Unreadable(f"nobody counts deeper than {DEPTH_CAP} plies", code="too_deep")
    if position is None:
        truth = start_of(game)
    else:
        try:
            form = json.loads(Path(position).read_text(encoding="utf-8"))
            truth = position_of(form, game)
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as fault:
            raise Unreadable("the file holds no position: pos, turn, pre, cfg", code="bad_position") from fault
    found = counts(truth, depth)
    if as_json:
        print(json.dumps({"counts": found}))
    else:
        for ply, count in enumerate(found, 1):
            print(f"{ply:>3} {count:>20,}")
    return 0
