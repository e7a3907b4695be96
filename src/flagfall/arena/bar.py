"""The progress of a match on a terminal; nothing where the output is a file."""

from __future__ import annotations

from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from flagfall.arena.pair import Game


class Bar:
    """A bar with the tally so far, as a context; `add` takes a game that has ended."""

    def __init__(self, title: str, games: int) -> None:
        console = Console(stderr=True)
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        self._progress = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
        self._title = title
        self._task = self._progress.add_task(title, total=games)
        self._tally = {1.0: 0, 0.5: 0, 0.0: 0}

    def __enter__(self) -> Bar:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()

    def add(self, game: Game) -> None:
        """Move the bar on by a game."""
        self._tally[game["score"]] += 1
        wins, draws, losses = self._tally.values()
        said = f"{self._title}  +{wins} ={draws} -{losses}"
        self._progress.update(self._task, advance=1, description=said)
