"""Which captured man comes back, and where to, when a move may be played with a rescue (R13.2)."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import TYPE_CHECKING

from flagfall.rules.board import Move, Seat, Square, origin, put_square, rescued
from flagfall.rules.pieces import Rank

if TYPE_CHECKING:
    from flagfall.rules.position import Man
    from flagfall.rules.view import View

WORTH = {
    Rank.MARSHAL: 100.0,
    Rank.GENERAL: 75.0,
    Rank.COLONEL: 50.0,
    Rank.MAJOR: 35.0,
    Rank.MINER: 30.0,
    Rank.CAPTAIN: 25.0,
    Rank.SPY: 20.0,
    Rank.LIEUTENANT: 15.0,
    Rank.SCOUT: 12.0,
    Rank.BOMB: 10.0,
    Rank.SERGEANT: 8.0,
}
"""What a man is worth who may come back; the last miner and a spy with a prey or without one are reckoned apart."""
LAST_MINER = 60.0
IDLE_SPY = 2.0
ROWS_AHEAD = 3.0
"""What a row nearer to the enemy is worth to a man who fights."""
IN_DANGER = 40.0
BESIDE_FLAG = 12.0


def with_rescue_of_choice(view: View, move: Move, lots: Random) -> Move:
    """The move with the best rescue that may go with it, the move itself where none may."""
    choices = view.rescues(move)
    if not choices:
        return move
    men = view.men()
    names = {man.id: man for man in men}
    worth = {man.id: _worth(man, men) for man in men if man.fell is not None}
    board = {man.square: man for man in men if man.square is not None}
    board.pop(origin(move), None)
    seat = view.turn
    scores = [
        worth[who] + _place(put, names[who].rank, board, seat) + lots.random()
        for each in choices
        if (who := rescued(each)) is not None and (put := put_square(each)) is not None
    ]
    return choices[scores.index(max(scores))]


def _worth(man: Man, men: list[Man]) -> float:
    """What it is worth to have this man back."""
    left = [other.rank for other in men if other.seat is man.seat and other.square is not None]
    if man.rank is Rank.MINER and Rank.MINER not in left:
        return LAST_MINER
    if man.rank is Rank.SPY:
        fallen = any(other.rank is Rank.MARSHAL and other.fell for other in men if other.seat is not man.seat)
        return IDLE_SPY if fallen or man.known else WORTH[Rank.SPY]
    return WORTH.get(man.rank, 0.0)


def _place(at: Square, rank: Rank, board: Mapping[Square, Man], seat: Seat) -> float:
    """What a square is worth to a man who is put there: ahead for those who fight, safe, and bombs at the flag."""
    near = [board[there] for there in _beside(at) if there in board]
    row = at // 10 if seat is Seat.RED else 9 - at // 10
    if rank is Rank.BOMB:
        return BESIDE_FLAG * sum(man.rank is Rank.FLAG and man.seat is seat for man in near)
    danger = any(man.seat is not seat and not man.rank < rank for man in near)
    return ROWS_AHEAD * row - IN_DANGER * danger


def _beside(at: Square) -> list[Square]:
    """The four neighbours of a square, off the board or not."""
    level = [Square(at + step) for step in (-1, 1) if (at + step) // 10 == at // 10]
    return [*level, Square(at - 10), Square(at + 10)]
