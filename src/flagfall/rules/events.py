"""What a table tells about a ply: one public event, the same for both seats and every watcher (R7)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from flagfall.rules.board import Seat, Square
from flagfall.rules.pieces import Rank


class Outcome(IntEnum):
    """How a ply ended on its target square (R6)."""

    QUIET = 0
    ATTACKER = 1
    DEFENDER = 2
    BOTH = 3
    FLAG = 4

    @property
    def word(self) -> str:
        """`quiet`, `attacker`, `defender`, `both` or `flag`: who is left, or what fell."""
        return self.name.lower()


class Result(IntEnum):
    """How a game stands (R11)."""

    GOING = 0
    RED = 1
    BLUE = 2
    DRAW = 3
    VOID = 4

    @property
    def word(self) -> str:
        """`going`, `red`, `blue`, `draw`, or `void` for a game that was called off and counts for nothing."""
        return self.name.lower()

    @staticmethod
    def win(seat: int) -> Result:
        """The result that `seat` wins."""
        return Result.BLUE if seat else Result.RED


class Reason(IntEnum):
    """Why a game ended: the first four on the board (R11.1), the others at the table (R11.2)."""

    NONE = 0
    FLAG = 1
    STUCK = 2
    BOTH_STUCK = 3
    LIMIT = 4
    RESIGNED = 5
    AGREED = 6
    TIME = 7
    FORFEIT = 8
    ABORTED = 9
    ABANDONED = 10

    @property
    def word(self) -> str:
        """The reason's stable code."""
        return self.name.lower()


class Refusal(IntEnum):
    """Why a move is not legal, in the order in which R0 tests; a RESCUE (R13.2) is looked at after all else."""

    NONE = 0
    GAME_OVER = 1
    EMPTY = 2
    NOT_YOURS = 3
    IMMOBILE = 4
    GEOMETRY = 5
    TWO_SQUARE = 6
    MORE_SQUARES = 7
    OUT_OF_TURN = 8
    RESCUE = 9

    @property
    def word(self) -> str:
        """The refusal's stable code."""
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Played:
    """One ply as everybody may know it.

    ply: its number, from 1. outcome: who is left on the target. attacker, defender: the ranks that this ply told,
    None where it told none; a run that only one rank can make tells the mover's rank as `attacker` (R7).
    result, reason: how the game stands after it. rescued, put: the square where the man began that this ply brought
    back, and where he was put (R13.2), None for no rescue. He comes back with all that was known of him and nothing
    else: his rank is public if it was when he fell.

    >>> Played(1, Seat.RED, Square(34), Square(44), Outcome.QUIET, None, None, Result.GOING, Reason.NONE).outcome.word
    'quiet'
    """

    ply: int
    seat: Seat
    origin: Square
    target: Square
    outcome: Outcome
    attacker: Rank | None
    defender: Rank | None
    result: Result
    reason: Reason
    rescued: Square | None = None
    put: Square | None = None
