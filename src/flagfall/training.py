"""The wing of the front door that trains: games from the arena, lessons for the mind, weights on disk."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console
from rich.table import Table

from flagfall.arena.bar import Bar
from flagfall.arena.match import play_match
from flagfall.arena.pair import Plan
from flagfall.mind import train
from flagfall.play.player import Budget
from flagfall.play.reading import read_record
from flagfall.play.table import ending
from flagfall.rules.catalog import CLASSIC

STUDENT = "level-10"
GAMES = "games.json"
WEIGHTS = "weights.json"


def teach(folder: Path, *, games: int, nodes: int, seed: int, jobs: int) -> int:
    """Play what is missing of the games, fit, write and print; 2 for an odd number of games."""
    if games % 2:
        Console(stderr=True).print("flagfall: games come in pairs: give an even number")
        return 2
    plan = Plan(STUDENT, STUDENT, ending(CLASSIC), Budget(nodes=nodes), seed).checked()
    with Bar(f"{STUDENT} plays itself", games) as bar:
        play_match(plan, games, jobs=jobs, out=folder / GAMES, watch=bar.add)
    sample = train.sample_of(lessons(folder / GAMES, games))
    found = train.fit(sample)
    curve = train.curve(sample)
    train.write(folder / WEIGHTS, found, {"player": STUDENT, "nodes": nodes, "seed": seed, "curve": curve})
    _show(found, curve)
    return 0


def lessons(path: Path, games: int) -> Iterator[train.Lesson]:
    """The decided ones of the first games of a match file."""
    for game in json.loads(path.read_text(encoding="utf-8"))["records"][:games]:
        record = read_record(json.dumps(game["record"]))
        red, blue = record.deployments
        if red is None or blue is None:
            continue
        moves = iter(record.moves)
        lesson = train.lesson((red, blue), moves, record.result)
        if lesson is not None:
            yield lesson


def _show(found: train.Fit, curve: list[tuple[int, float]]) -> None:
    table = Table("weight", "points", "error")
    for name, value in found.points.items():
        table.add_row(name, f"{value:.0f}", f"{found.errors[name]:.0f}")
    console = Console()
    console.print(table)
    console.print(f"{found.games} decided games, {found.boards} boards")
    console.print(f"loss on games held out: {found.held_start:.4f} before, {found.held_fit:.4f} after")
    console.print("by number of games: " + ", ".join(f"{count}: {value:.4f}" for count, value in curve))
