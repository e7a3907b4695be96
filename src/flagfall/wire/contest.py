"""A program that speaks the evaluator protocol, held as a player: started for each game, stopped while others think."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import TYPE_CHECKING

from flagfall.errors import BadMessage, PlayerFault
from flagfall.play.player import Budget, Resigns
from flagfall.rules.board import Move, Seat
from flagfall.rules.catalog import CLASSIC
from flagfall.rules.deployment import Deployment
from flagfall.rules.events import Outcome, Played, Reason, Result
from flagfall.rules.pieces import Rank
from flagfall.rules.variant import Variant
from flagfall.wire import evaluator as words
from flagfall.wire.entrant import board_lines
from flagfall.wire.program import Program

if TYPE_CHECKING:
    from flagfall.rules.view import View

SET_UP_S = 60.0
MOVE_S = 2.0  # what the original manager gives
GRACE = 1.5
GRACE_S = 1.0
_WORTH = {rank: int(rank) for rank in Rank if rank <= Rank.MARSHAL}
_ARMY_WORTH = sum(_WORTH[rank] * count for rank, count in CLASSIC.army.items() if rank in _WORTH)


class Contest:
    """A command line whose programs play one game each, as a context. Raises BadMessage for one that cannot be split.

    A program has 60 seconds for its army. A move may take 2 seconds, or where a time is the budget one and a half times
    that and a second, whichever is more: the protocol has no word for a budget, the command line must say it.
    """

    def __init__(self, command: str) -> None:
        try:
            self._words = shlex.split(command)
        except ValueError:
            self._words = []
        if not self._words:
            raise BadMessage("this is no command line", code="bad_command")
        self._running: Program | None = None

    def __enter__(self) -> Contest:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.dismiss()

    def start(self) -> Program:
        """A fresh program; the one before is ended. Raises PlayerFault `no_program`."""
        self.dismiss()
        self._running = Program(self._words)
        return self._running

    def dismiss(self) -> None:
        """End the program that runs, if any."""
        if self._running is not None:
            self._running.kill()
            self._running = None


class Contestant:
    """A program at one seat of one game: a `Player` that is told what the protocol has words for and nothing else."""

    def __init__(self, contest: Contest, seed: bytes, budget: Budget | None = None, opponent: str = "opponent") -> None:
        del seed  # the protocol has no word for it
        self._contest, self._opponent = contest, one_word(opponent)
        self._limit_s = max(MOVE_S, GRACE * ((budget and budget.time_ms) or 0) / 1_000 + GRACE_S)
        self._program: Program | None = None
        self._told = 0
        self._seat: Seat | None = None

    def deploy(self, variant: Variant, seat: Seat) -> Deployment:
        """The army that the program sets up. Raises PlayerFault; NotAllowed for another game than the protocol's."""
        words.checked(variant)
        self._seat = seat
        self._program = self._contest.start()
        asked = f"{seat.word.upper()} {self._opponent} {words.SIDE} {words.SIDE}"
        return words.army_of(self._program.ask([asked], 4, SET_UP_S), variant, seat)

    def move(self, view: View, budget: Budget) -> Move:
        """The move that the program orders. Raises Resigns where it surrenders, PlayerFault, IllegalMove."""
        del budget  # the protocol has no word for it
        if self._program is None:
            raise PlayerFault("a program did not set up", code="no_program")
        fresh = [words.told_text(view.played(number)) for number in range(self._told + 1, view.ply + 1)]
        self._told = view.ply
        (answer,) = self._program.ask([*(fresh or [words.START]), *board_lines(view)], 1, self._limit_s)
        if answer.strip() == words.SURRENDER:
            raise Resigns
        return words.move_of(answer)

    def accepts_draw(self, view: View) -> bool:
        """Never: the protocol has no word for it."""
        del view
        return False

    def offers_draw(self, view: View) -> bool:
        """Never."""
        del view
        return False

    def leave(self, plies: Sequence[Played], result: Result, reason: Reason, names: tuple[str, str]) -> None:
        """Tell the program how the game ended, and end it. names: those of red and blue."""
        if self._program is None:
            return
        # The program's own move is told to it, but the ply that ended the game is not: QUIT comes in its place.
        own = [played for played in plies[self._told :] if played.seat is self._seat]
        echo = [words.told_text(played) for played in own if played.result is Result.GOING]
        self._program.farewell([*echo, quit_line(plies, result, reason, names)])
        self._contest.dismiss()
        self._program = None


_ENDINGS = {
    Reason.FLAG: "VICTORY",
    Reason.STUCK: "VICTORY",
    Reason.BOTH_STUCK: "DRAW",
    Reason.AGREED: "DRAW",
    Reason.LIMIT: "DRAW_DEFAULT",
    Reason.RESIGNED: "SURRENDER",
    Reason.TIME: "ILLEGAL",
    Reason.FORFEIT: "ILLEGAL",
}


def quit_line(plies: Sequence[Played], result: Result, reason: Reason, names: tuple[str, str]) -> str:
    """The last line of a game: `QUIT name COLOUR RESULT turns redValue blueValue`, of the player who ended it."""
    word = _ENDINGS.get(reason, "INTERNAL_ERROR")
    winner = {Result.RED: Seat.RED, Result.BLUE: Seat.BLUE}.get(result)
    if winner is not None:
        seat = winner if word == "VICTORY" else winner.other
    elif plies:
        seat = plies[-1].seat
    else:
        seat = Seat.RED
    left = [_ARMY_WORTH, _ARMY_WORTH]
    for played in plies:
        for owner, rank in _fallen(played):
            left[owner] -= _WORTH.get(rank, 0)
    turns = (len(plies) + 1) // 2
    return f"{words.QUIT} {one_word(names[seat])} {seat.word.upper()} {word} {turns} {left[0]} {left[1]}"


def one_word(name: str) -> str:
    """A name as the protocol can say it: the last part of a path, its first word, no more than 60 signs."""
    first = (name.split() or ["opponent"])[0].rsplit("/", 1)[-1]
    return "".join(sign for sign in first if sign.isascii() and sign.isprintable())[:60] or "opponent"


def _fallen(played: Played) -> Iterator[tuple[Seat, Rank]]:
    """The men that fell in a ply, with their owners."""
    if played.outcome in (Outcome.DEFENDER, Outcome.BOTH) and played.attacker is not None:
        yield played.seat, played.attacker
    if played.outcome in (Outcome.ATTACKER, Outcome.BOTH) and played.defender is not None:
        yield played.seat.other, played.defender
