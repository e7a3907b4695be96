"""The games of a match on disk: each kept as soon as it is over, so that a broken match goes on where it broke."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

from flagfall.arena.pair import Game
from flagfall.errors import NotAllowed, Unreadable

FORMAT = "flagfall-match-1"
_TOLD = {"pair", "half", "score", "reason", "plies", "moves", "seconds", "faults", "record"}


class Ledger:
    """The finished file of a match and, while it lasts, a journal beside it with a line a game.

    settings: what the match is. Games on disk count only if they were played under the same. Raises NotAllowed
    `other_match` where they were not, `not_writable` where the file could not be kept, its folder made if need be;
    Unreadable for a file that is no match.
    """

    def __init__(self, out: Path, settings: dict[str, Any]) -> None:
        self._out, self._settings = out, settings
        self._journal = out.with_name(out.name + ".part")
        with self._writing():
            out.parent.mkdir(parents=True, exist_ok=True)
            if out.is_dir() or self._journal.is_dir():
                raise NotAllowed(f"{out} cannot be written: a folder is in its place", code="not_writable")
            # Found out now rather than after the first game.
            with TemporaryFile(dir=out.parent):
                pass
            self.games = self._finished() + self._unfinished()

    def keep(self, game: Game) -> None:
        """Add a game to the journal."""
        fresh = not self._journal.exists()
        with self._journal.open("a", encoding="utf-8") as file:
            if fresh:
                file.write(json.dumps({"format": FORMAT, "settings": self._settings}) + "\n")
            file.write(json.dumps(game) + "\n")
        self.games.append(game)

    def close(self, summary: dict[str, Any]) -> None:
        """Write the finished file in one step and drop the journal."""
        form = {"format": FORMAT, "settings": self._settings, **summary, "records": self.games}
        beside = self._out.with_name(self._out.name + ".new")
        beside.write_text(json.dumps(form, separators=(",", ":")) + "\n", encoding="utf-8")
        beside.replace(self._out)
        self._journal.unlink(missing_ok=True)

    def _finished(self) -> list[Game]:
        if not self._out.exists():
            return []
        try:
            form = json.loads(self._out.read_text(encoding="utf-8"))
            games = list(form["records"])
        except (ValueError, KeyError, TypeError, RecursionError):
            raise Unreadable("this file is no match of the arena", code="not_a_match") from None
        self._compare(form)
        return _checked(games)

    def _unfinished(self) -> list[Game]:
        """The games of the journal; a last line that was cut off is a game that was not kept."""
        if not self._journal.exists():
            return []
        try:
            lines = self._journal.read_text(encoding="utf-8").split("\n")
            whole = lines[:-1]
            forms = [json.loads(text) for text in whole]
        except (ValueError, RecursionError):
            raise Unreadable("the journal of this match cannot be read", code="not_a_match") from None
        if lines[-1] or not forms:
            self._journal.write_text("".join(text + "\n" for text in whole), encoding="utf-8")
        if not forms:
            self._journal.unlink()
            return []
        self._compare(forms[0])
        return _checked(forms[1:])

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise NotAllowed(f"{self._out} cannot be written: {error.strerror}", code="not_writable") from None

    def _compare(self, form: Any) -> None:
        if not isinstance(form, dict) or form.get("format") != FORMAT:
            raise Unreadable("this file is no match of the arena", code="not_a_match")
        if form.get("settings") != self._settings:
            raise NotAllowed(f"{self._out.name} holds another match: give another file", code="other_match")


def _checked(games: list[Any]) -> list[Game]:
    if not all(isinstance(game, dict) and game.keys() >= _TOLD for game in games):
        raise Unreadable("a game of this match cannot be read", code="not_a_match")
    return games
