"""The library on a terminal: the progress of an import, its closing table, and the answers to questions."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from flagfall.archive.filing import Tally
from flagfall.archive.importing import Report, bring_in, files_of
from flagfall.archive.library import Army, Game, Library, Question
from flagfall.play.sheet import moment_text, sheet_text
from flagfall.rules.board import Seat
from flagfall.rules.catalog import VARIANTS, variant
from flagfall.rules.deployment import Deployment
from flagfall.rules.pieces import Numbering

INTERRUPTED = 130
"""The status of a command that its user broke off."""


def bring(sources: Sequence[Path], folder: Path, *, as_json: bool) -> int:
    """Import files into the library in a folder and say what came of it.

    Returns 1 where something was refused and nothing is in the library by it, else 0.
    """
    paths = files_of(sources)
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    bar = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
    with Library.open(folder, make=True) as library, bar:
        task = bar.add_task("Reading", total=len(paths))

        def told(report: Report, inside: Tally | None) -> None:
            sums = Tally()
            sums.add(report.tally)
            sums.add(inside or Tally())
            said = f"{sums.games} games, {sums.deployments} deployments, {sums.refused.total()} refused"
            bar.update(task, advance=0 if inside else 1, description=said)

        try:
            report = bring_in(library, paths, told)
        except KeyboardInterrupt:
            console.print("Broken off; whole files are kept, and the same command goes on from there.")
            return INTERRUPTED
    if as_json:
        _say(json.dumps(report.to_json()))
    else:
        _closing(report)
    tally = report.tally
    filed = tally.games + tally.again + tally.deployments + report.skipped
    return 1 if tally.refused and not filed else 0


def show_games(folder: Path, question: Question, *, limit: int, as_json: bool) -> None:
    """Print the games that answer a question."""
    with Library.open(folder) as library:
        found, count = library.games(question, limit), library.count(question)
    if as_json:
        _say(json.dumps({"count": count, "games": [asdict(game) for game in found]}))
        return
    table = _table("game", "variant", "red", "blue", "result", "plies", "begun", "from")
    for game in found:
        table.add_row(*_game_row(game))
    _print(table, f"{len(found)} of {count} games")


def show_deployments(folder: Path, like: Deployment | None, name: str | None, *, limit: int, as_json: bool) -> None:
    """Print deployments: those most used, or the nearest to one."""
    with Library.open(folder) as library:
        found = library.deployments(name, limit) if like is None else library.like(like, limit)
    if as_json:
        _say(json.dumps([asdict(army) for army in found]))
        return
    table = _table("deployment", "listed", "played", *(["squares away"] if like is not None else ["variant"]))
    for army in found:
        last = f"{army.distance:.2f}{' mirrored' if army.mirrored else ''}" if like is not None else army.variant
        table.add_row(_rows_of(army), str(army.listed), str(army.played), last)
    _print(table, f"{len(found)} deployments, the back row first, left to right from their owner's seat")


def show_game(folder: Path, game: int, numbering: Numbering, *, as_json: bool) -> None:
    """Print a game's sheet, or its record."""
    with Library.open(folder) as library:
        record, notes = library.record(game), library.notes(game)
    _say(record.text() if as_json else sheet_text(record, numbering).rstrip())
    if not as_json:
        for note in notes:
            _say(f"; {note}")


def show_refused(folder: Path, *, limit: int, as_json: bool) -> None:
    """Print what was refused, and why."""
    with Library.open(folder) as library:
        found = library.refusals(limit)
    if as_json:
        _say(json.dumps([{"file": file, "code": code, "sentence": sentence} for file, code, sentence in found]))
        return
    table = _table("code", "where and why")
    for _, code, sentence in found:
        table.add_row(code, sentence)
    _print(table, f"{len(found)} refusals")


def question_of(*, opening: str | None, variant_name: str | None, within: float, **rest: Any) -> Question:
    """A question from a command's words. Raises Unreadable and NotFound for a deployment or variant that is none."""
    plain = Question(variant=variant_name, **rest)
    if opening is None:
        return plain
    return replace(plain, opening=army_of(opening, variant_name), within=within)


def army_of(text: str, name: str | None) -> Deployment:
    """A deployment in either numbering, of Classic where no variant is named. Raises Unreadable, NotFound."""
    return Deployment.parse(text, variant(name or "classic"), Seat.RED)


def _closing(report: Report) -> None:
    tally = report.tally
    table = _table("read", "count")
    table.add_row("files read", str(report.files))
    table.add_row("files skipped: filed before", str(report.skipped))
    table.add_row("games filed", str(tally.games))
    table.add_row("games that were there already", str(tally.again))
    table.add_row("deployments filed", str(tally.deployments))
    table.add_row("positions passed over", str(tally.passed))
    for name, count in sorted(report.by_format.items()):
        table.add_row(f"  of them as {name}", str(count))
    for code, count in tally.refused.most_common():
        table.add_row(f"refused: {code}", str(count))
    for clause, count in sorted(tally.deviations.items()):
        table.add_row(f"deviations from {clause}", str(count))
    rate = tally.games / report.seconds if report.seconds else 0.0
    _print(table, f"{report.seconds:.1f} s, {rate:.0f} games/s")


def _game_row(game: Game) -> list[str]:
    begun = moment_text(game.begun_ms)[:10] if game.begun_ms else ""
    why = f"{game.result}, {game.reason}" if game.reason != "none" else game.result
    return [str(game.id), game.variant, game.red, game.blue, why, str(game.plies), begun, game.format]


def _rows_of(army: Army) -> str:
    """The signs of a deployment with a space between rows, where its game is in the catalogue."""
    if army.variant not in VARIANTS:
        return army.signs
    home = VARIANTS[army.variant].home[Seat.RED]
    if len(home) != len(army.signs):
        return army.signs
    rows: dict[int, str] = {}
    for at, sign in zip(home, army.signs, strict=True):
        rows[at // 10] = rows.get(at // 10, "") + sign
    return " ".join(rows.values())


def _table(*names: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in names:
        table.add_column(name, overflow="fold")
    return table


def _print(table: Table, closing: str) -> None:
    console = Console(width=None if sys.stdout.isatty() else 160, highlight=False, markup=False)
    if table.rows:
        console.print(table)
    console.print(closing)


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
