"""A house player as a program in a contest: it speaks the evaluator protocol over standard input and output."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING, BinaryIO

from flagfall.errors import BadMessage, FlagfallError
from flagfall.play import roster
from flagfall.play.player import SEED_BYTES, Budget, Player, chance, derived
from flagfall.rules.board import Move, Seat, Square
from flagfall.rules.catalog import CLASSIC
from flagfall.rules.deployment import Deployment
from flagfall.rules.events import Outcome
from flagfall.wire import evaluator as words
from flagfall.wire.bot import private_output, warm

if TYPE_CHECKING:
    from flagfall.rules.view import View

LONGEST_LINE = 4_000


def main(name: str, *, time_ms: int | None = None, nodes: int | None = None, seed: int = 0) -> int:
    """Play one game as the player `name`, of either colour, until the manager says QUIT or the input ends.

    time_ms, nodes: what the player may think about a move. seed: 0 for a game of its own each time, another number for
    the same army and the same choices whenever the same is told. Raises BadMessage for a board of another size.
    """
    own = secrets.token_bytes(SEED_BYTES) if seed == 0 else derived(str(seed).encode(), "evaluator")
    entrant = Entrant(roster.seat(name, own), own, Budget(nodes, time_ms))
    with suppress(BrokenPipeError), private_output() as out:
        seat = entrant.set_up(_lines(sys.stdin.buffer), out)
        if seat is not None:
            # The army has been sent by now: a manager's clock need not wait for what a player compiles or loads.
            with suppress(Exception):
                warm(name)
            entrant.play(_lines(sys.stdin.buffer), out)
    return 0


def _lines(source: BinaryIO) -> Iterator[str]:
    """Line after line until the input ends or the manager says QUIT."""
    while text := source.readline(LONGEST_LINE):
        line = text.decode("ascii", "replace").strip()
        if line.split(" ", 1)[0] == words.QUIT:
            return
        yield line


class Entrant:
    """A player at one seat of one game.

    A line that it does not understand it skips. Where what it was told does not fit the board it is shown, it has lost
    the thread and goes on by the board alone: legal moves, but no thought. A player that fails is stood in for alike.
    """

    def __init__(self, player: Player, seed: bytes, budget: Budget) -> None:
        self._player, self._seed, self._budget = player, seed, budget
        self._army: Deployment | None = None
        self._view: View | None = None
        self._answers = 0
        self.lost_thread = False

    def set_up(self, lines: Iterator[str], out: BinaryIO) -> Seat | None:
        """Wait for a seat and answer with an army; None where the input ends first."""
        for line in lines:
            seat = _seat(line)
            if seat is not None:
                self._army = self._deployed(seat)
                _say(out, *words.army_lines(self._army))
                return seat
        return None

    def play(self, lines: Iterator[str], out: BinaryIO) -> None:
        """Answer every board with a move until the lines end."""
        rows: list[str] = []
        for line in lines:
            if words.ROW.fullmatch(line):
                rows.append(line)
            elif line == words.START or words.is_told(line):
                rows = []
                self._hear(line)
            if len(rows) == words.SIDE:
                _say(out, self._answer(rows))
                rows = []

    def _deployed(self, seat: Seat) -> Deployment:
        try:
            return self._player.deploy(CLASSIC, seat).checked()
        except Exception as error:
            _confess(error)
            return roster.fill(CLASSIC, seat, self._seed)

    def _seen(self) -> View | None:
        """The view, made before the first ply is told."""
        if self._view is None and self._army is not None:
            from flagfall.rules.view import View

            enemy = self._army.for_seat(self._army.seat.other).squares
            self._view = View.start(CLASSIC, self._army, enemy)
        return self._view

    def _hear(self, line: str) -> None:
        """Take in a ply that was told: the enemy's, or one's own with its outcome."""
        view = self._seen()
        if view is None or line == words.START or line.endswith(words.OVER):
            return
        played = words.played_of(line, view.ply + 1, view.turn)
        try:
            if played is None:
                raise BadMessage("a move was not made", code="not_made")
            # A flag that fell ends the game: QUIT comes next, and there is nothing left to think about.
            if played.outcome is not Outcome.FLAG:
                view.fold(played)
        except FlagfallError:
            self.lost_thread = True

    def _answer(self, rows: list[str]) -> str:
        view = self._seen()
        self._answers += 1
        lot = chance(self._seed, self._answers, "evaluator")
        if view is None or self.lost_thread or not _fits(view, rows):
            self.lost_thread = True
            return _by_the_board(rows, lot)
        legal = view.legal()
        if not legal:
            # This manager knows no rule of repetition: what is barred elsewhere may be played here.
            barred = [move for move, _ in view.barred()]
            return words.order_of(lot.choice(barred)) if barred else words.SURRENDER
        return words.order_of(self._thought(view, legal, lot))

    def _thought(self, view: View, legal: list[Move], lot: Random) -> Move:
        try:
            move = self._player.move(view, self._budget)
            if move in legal:
                return move
            raise BadMessage("a player answered no legal move", code="illegal_move")
        except Exception as error:
            _confess(error)
            return lot.choice(legal)


def _seat(line: str) -> Seat | None:
    """The seat that a line of set-up gives. Raises BadMessage for a board that is not 10 by 10."""
    parts = line.split()
    if len(parts) < 4 or parts[0] not in ("RED", "BLUE"):
        return None
    if parts[-2:] != [str(words.SIDE)] * 2:
        raise BadMessage("house players play on boards of 10 by 10 squares here", code="not_spoken")
    return Seat.of(parts[0].lower())


def _say(out: BinaryIO, *lines: str) -> None:
    out.write("".join(line + "\n" for line in lines).encode())
    out.flush()


def _confess(error: Exception) -> None:
    """Tell of a fault on the error stream, which belongs to the player's own side."""
    code = error.stable_code if isinstance(error, FlagfallError) else type(error).__name__
    sys.stderr.write(f"flagfall: a player failed: {code}\n")


def _fits(view: View, rows: list[str]) -> bool:
    """Whether a view and a board show the same, with this seat to move."""
    return view.turn is view.seat and rows == board_lines(view)


def board_lines(view: View) -> list[str]:
    """The board as a seat is shown it, ten lines, the topmost first."""
    signs: dict[Square, str] = dict.fromkeys(view.variant.lakes, words.LAKE)
    for man in view.men():
        if man.square is not None:
            signs[man.square] = words.LETTERS[man.rank] if man.seat is view.seat else words.ENEMY
    columns = range(words.SIDE)
    return ["".join(signs.get(words.square_at(x, y), words.EMPTY) for x in columns) for y in range(words.SIDE)]


def _by_the_board(rows: list[str], lot: Random) -> str:
    """A step of any own man that can take one, by the board alone; SURRENDER where none can."""
    steps = []
    for at in range(words.SIDE**2):
        x, y = words.place_of(at)
        if rows[y][x] not in "123456789s":
            continue
        for across, down in ((0, -1), (0, 1), (-1, 0), (1, 0)):
            to_x, to_y = x + across, y + down
            if min(to_x, to_y) >= 0 and max(to_x, to_y) < words.SIDE and rows[to_y][to_x] in ".#":
                steps.append(words.order_text(at, words.square_at(to_x, to_y)))
    return lot.choice(steps) if steps else words.SURRENDER
