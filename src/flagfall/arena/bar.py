"""The progress of a match on a terminal; nothing where the output is a file."""

from __future__ import annotations

from types import TracebackType
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from flagfall.arena.pair import Plan


class Bar:
    """A bar with the tally so far, as a context; `show` takes a summary after each game."""

    def __init__(self, plan: Plan, games: int) -> None:
        console = Console(stderr=True)
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        self._progress = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
        self._task = self._progress.add_task(f"{plan.a[:30]} - {plan.b[:30]}", total=games)

    def __enter__(self) -> Bar:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()

    def show(self, summary: dict[str, Any]) -> None:
        """Move the bar on."""
        tally = f"+{summary['wins']} ={summary['draws']} -{summary['losses']}"
        self._progress.update(self._task, completed=summary["games"], description=tally)
