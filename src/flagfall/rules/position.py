"""What Truth, View and World share: a game's record and ply log, read through names instead of cells."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, NoReturn, Self, SupportsIndex

import numpy as np

from flagfall.errors import IllegalMove
from flagfall.rules import calls
from flagfall.rules.board import (
    FILES,
    STRIDE,
    Move,
    Seat,
    Square,
    cell_of,
    origin,
    square,
    square_name,
    square_of,
    target,
    with_rescue,
)
from flagfall.rules.events import Outcome, Played, Reason, Refusal, Result
from flagfall.rules.layout import KNOWN, MEN, MOVED, RED_BIT, SENTINELS, faults, tables
from flagfall.rules.notation import parse_move
from flagfall.rules.pieces import Numbering, Rank, rank_text
from flagfall.rules.variant import Variant, home_order

_SENTENCES = {
    Refusal.GAME_OVER: "the game is over",
    Refusal.OUT_OF_TURN: "it is the other side's turn",
    Refusal.EMPTY: "there is no man on that square",
    Refusal.NOT_YOURS: "that man is not yours to move",
    Refusal.IMMOBILE: "that man never moves",
    Refusal.GEOMETRY: "that man cannot go there",
    Refusal.TWO_SQUARE: "that man would cross the same border once too often in a row",
    Refusal.MORE_SQUARES: "that would chase on into a position that this chase has seen",
    Refusal.RESCUE: "that move brings nobody back, or not that man, or not there",
}


Mark = int
"""Of a man: his cell, 0 once fallen, his byte, and the ply at which he fell, from the lowest eight bits upwards."""

SEATS = tuple(Seat)
_SQUARE_OF = tuple(square_of(cell) for cell in range(STRIDE * STRIDE))
_RANKS = tuple(Rank(rank) if rank in set(Rank) else Rank.UNKNOWN for rank in range(16))

_push: Any = None
_listed: Any = None
_COUNTED = calls.COUNTED


def _bind() -> None:
    """Hold the two calls of every ply directly: it pays for each name that it looks up."""
    global _push, _listed
    _push, _listed = calls.push.direct, calls.listed.direct


class Man(NamedTuple):
    """One man as the position's holder may know him.

    id: his start square, public and without meaning. square: where he stands, None once fallen. rank: UNKNOWN where it
    is hidden. moved: whether he ever moved. known: whether his rank is public. fell: the ply at which he fell, from 1.
    """

    id: Square
    seat: Seat
    square: Square | None
    rank: Rank
    moved: bool
    known: bool
    fell: int | None


def ids_in_order(variant: Variant, seat: Seat, squares: Iterable[Square]) -> dict[Square, int]:
    """Man ids 0..39 (Red) or 40..79 (Blue) by start square, in the owner's order of squares."""
    ordered = home_order(set(squares), seat, variant.width, variant.height)
    return {at: MEN * seat + place for place, at in enumerate(ordered)}


def men_table(variant: Variant, red: Mapping[Square, int], blue: Mapping[Square, int]) -> Any:
    """The table that `calls.start` takes: uint8[80, 2], cell and rank by man id."""
    table = np.zeros((2 * MEN, 2), np.uint8)
    for seat, ranks in ((Seat.RED, red), (Seat.BLUE, blue)):
        for at, pid in ids_in_order(variant, seat, ranks).items():
            table[pid] = cell_of(at), ranks[at]
    return table


class Position:
    """A game under way, whoever looks at it; see Truth, View and World for what each may do."""

    __slots__ = (
        "_count",
        "_desk",
        "_full",
        "_game",
        "_log",
        "_moves",
        "_ply",
        "_reason",
        "_result",
        "_starts",
        "_tables",
        "_words",
        "variant",
    )

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self._tables = calls.readable(tables(variant))
        self._game = calls.new_games()
        self._log = calls.new_log()
        self._moves = calls.new_moves()
        self._lay_out()
        self._full = self._log.shape[1] - SENTINELS
        self._count = self._ply = self._result = self._reason = 0
        self._starts: dict[int, Square] = {}

    def _start(self, men: Any, first: Seat) -> None:
        """Set the men up and take in how the game stands."""
        self._starts = {pid: square_of(int(cell)) for pid, (cell, rank) in enumerate(men) if rank}
        self._take(calls.start(self._desk, calls.address_of(men), int(first)))

    def _lay_out(self) -> None:
        """Make the desk anew: the arrays lie elsewhere."""
        self._words = calls.desk_of(self._game, self._tables, self._log, self._moves)
        self._desk = calls.address_of(self._words)
        _bind()

    def _take(self, packed: int) -> None:
        """Keep what `calls.push` answered."""
        self._count = packed & 0xFFFF
        self._result = packed >> 32 & 15
        self._reason = packed >> 36

    def _adopt(self, game: Any, log: Any) -> None:
        """Take other arrays for one's own: GAME[1] and PLY[1, C]."""
        self._game, self._log = game, log
        self._lay_out()
        self._full = log.shape[1] - SENTINELS

    def _room(self, plies: int = 1) -> None:
        """Let the log grow, so that no ply of a game is ever forgotten (R9.2)."""
        have = self._log.shape[1]
        if self._ply + plies + SENTINELS > have:
            longer = calls.new_log(4 * have + plies)
            longer[:, :have] = self._log
            self._adopt(self._game, longer)

    def copy(self) -> Self:
        """An independent position with the same past."""
        own = {"_game": self._game.copy(), "_log": self._log.copy(), "_moves": self._moves.copy()}
        twin = object.__new__(type(self))
        for kind in type(self).__mro__:
            for name in getattr(kind, "__slots__", ()):
                setattr(twin, name, own[name] if name in own else getattr(self, name))
        twin._lay_out()
        return twin

    def __copy__(self) -> Self:
        return self.copy()

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        raise TypeError("a position is not to be pickled: send its events")

    @property
    def turn(self) -> Seat:
        """The side to move, or that would be."""
        return Seat(int(self._game["turn"][0]))

    @property
    def ply(self) -> int:
        """Plies played."""
        return self._ply

    @property
    def quiet(self) -> int:
        """Plies since the last battle (R11.3)."""
        return self._ply - int(self._game["battle"][0])

    @property
    def result(self) -> Result:
        """How the game stands."""
        return Result(self._result)

    @property
    def reason(self) -> Reason:
        """Why it ended, or NONE."""
        return Reason(self._reason)

    def legal(self) -> list[Move]:
        """The legal moves of the side to move, [] once over; their order tells of public facts and own men alone."""
        return _listed(self._desk, self._count)  # type: ignore[no-any-return]

    def why(self, move: Move | str) -> Refusal | None:
        """Why the side to move may not play this, the first reason in the order of R0; None where it may."""
        wanted = parse_move(move) if isinstance(move, str) else move
        if self._result:
            return Refusal.GAME_OVER
        found = calls.refuse(self._desk, wanted >> 8 & 255, wanted & 255)
        if not found and wanted >> 16:
            found = calls.refuse_rescue(self._desk, wanted)
        return Refusal(found) if found else None

    def rescues(self, move: Move) -> list[Move]:
        """A legal move again with each rescue that may go with it (R13.2), [] for none.

        The rescue of an attack is carried out only if the attacker is left on the back row and the game goes on.
        """
        if not self.variant.law.rescues or move >> 16 or move not in self.legal():
            return []
        if not calls.may_rescue(self._desk, move >> 8 & 255, move & 255):
            return []
        seat, height, game = self.turn, self.variant.height, self._game[0]
        mine = range(MEN * seat, MEN * seat + MEN)
        men = [pid for pid in mine if int(game["fallen"][pid]) & 15 not in (0, Rank.UNKNOWN)]
        half = range(height // 2) if seat is Seat.RED else range(height - height // 2, height)
        free = [at for at in self.variant.usable if at // 10 in half and not game["code"][cell_of(at)]]
        free += [origin(move)] if origin(move) // 10 in half else []
        return [with_rescue(move, self._starts[pid], at) for pid in men for at in sorted(free)]

    def can_move(self, seat: Seat) -> bool:
        """Whether a seat's men, as far as they are known here, have a move by R5 alone."""
        buffer = calls.new_moves()
        return bool(calls.list_geometric(self._desk, calls.address_of(buffer), int(seat)))

    def barred(self) -> list[tuple[Move, Refusal]]:
        """Moves of the side to move that only a repetition rule forbids, with that rule."""
        if self._result:
            return []
        buffer = calls.new_moves()
        count = calls.list_geometric(self._desk, calls.address_of(buffer), int(self.turn))
        free = set(self.legal())
        shut = [Move(word) for word in buffer["m"][:count].tolist() if word not in free]
        return [(move, reason) for move in shut if (reason := self.why(move)) is not None]

    def refused(self, move: Move) -> IllegalMove:
        """The error for a move that may not be played now."""
        reason = self.why(move) or Refusal.GEOMETRY
        params: dict[str, Any] = {"from": square_name(origin(move)), "to": square_name(target(move))}
        return IllegalMove(_SENTENCES[reason], reason.word, **params)

    def played(self, number: int) -> Played:
        """The ply of this number, 1..ply, as everybody knows it."""
        entry = self._log[0, number - 1 + SENTINELS]
        told = int(entry["told"])
        last = number == self._ply
        seat = Seat.RED if int(entry["pid"]) < MEN else Seat.BLUE
        return Played(
            number,
            seat,
            square_of(int(entry["frm"])),
            square_of(int(entry["to"])),
            Outcome(int(entry["outcome"])),
            Rank(told & 15) if told & 15 else None,
            Rank(told >> 4) if told >> 4 else None,
            self.result if last else Result.GOING,
            self.reason if last else Reason.NONE,
            self._starts[int(entry["back"])] if entry["put"] else None,
            square_of(int(entry["put"])) if entry["put"] else None,
        )

    @property
    def events(self) -> tuple[Played, ...]:
        """Every ply so far."""
        return tuple(self.played(number) for number in range(1, self._ply + 1))

    @property
    def starts(self) -> dict[int, Square]:
        """Start squares by man id: public, and all that an id says."""
        return self._starts

    def men(self) -> list[Man]:
        """Every man that ever stood, in the order of ids: Red's first, each army in its owner's order of squares."""
        return self.men_of(self.marks())

    def men_of(self, marks: Iterable[Mark]) -> list[Man]:
        """The men that this position's marks tell of."""
        return [self.man(pid, mark) for pid, mark in zip(sorted(self._starts), marks, strict=True)]

    def marks(self, falls: Mapping[int, int] | None = None) -> list[Mark]:
        """Where and what each man is, in the order of ids: two marks are equal where nothing about a man has changed.

        falls: what `falls` answers, from a caller that knows that it has not changed.
        """
        game, falls = self._game[0], self.falls() if falls is None else falls
        cells, codes, fallen = game["sq"].tolist(), game["code"].tolist(), game["fallen"].tolist()
        return [
            cells[pid] | (codes[cells[pid]] if cells[pid] else fallen[pid]) << 8 | falls.get(pid, 0) << 16
            for pid in sorted(self._starts)
        ]

    def man(self, pid: int, mark: Mark) -> Man:
        """The man that a mark of this position tells of."""
        cell, code = mark & 255, mark >> 8 & 255
        return Man(
            self._starts[pid],
            SEATS[pid >= MEN],
            _SQUARE_OF[cell] if cell else None,
            _RANKS[code & 15],
            code & MOVED != 0,
            code & KNOWN != 0,
            mark >> 16 or None,
        )

    def falls(self) -> dict[int, int]:
        """The ply at which each fallen man fell last, by man id; a man that came back is not there any more."""
        played = self._log[0, SENTINELS : SENTINELS + self._ply]
        found: dict[int, int] = {}
        for place in np.nonzero(played["outcome"] | played["put"])[0].tolist():
            outcome = int(played["outcome"][place])
            if outcome in (Outcome.DEFENDER, Outcome.BOTH):
                found[int(played["pid"][place])] = place + 1
            if outcome not in (Outcome.QUIET, Outcome.DEFENDER):
                found[int(played["tid"][place])] = place + 1
            if played["put"][place]:
                found.pop(int(played["back"][place]), None)  # a fall before a diagram is in no log
        return found

    def man_at(self, at: Square) -> Man | None:
        """Who stands on a square, as far as this position's holder may know."""
        return next((man for man in self.men() if man.square == at), None)

    def board(self, numbering: Numbering = Numbering.MODERN) -> str:
        """The board as text, Blue's back row on top: Red's men as `r6`, Blue's as `b6`, `~~` a lake."""
        game, rows = self._game[0], []
        for row in range(self.variant.height - 1, -1, -1):
            cells = [self._sign(game, square(file, row), numbering) for file in range(self.variant.width)]
            rows.append((f"{row + 1:>2} " + " ".join(cells)).rstrip())
        names = "".join(f"{name:<4}" for name in FILES[: self.variant.width])
        return "\n".join([*rows, f"   {names}".rstrip()])

    def _sign(self, game: Any, at: Square, numbering: Numbering) -> str:
        if at in self.variant.lakes:
            return "~~ "
        code = int(game["code"][cell_of(at)])
        if not code:
            return ".  "
        return f"{'r' if code & RED_BIT else 'b'}{rank_text(code & 15, numbering)}".ljust(3)

    def __str__(self) -> str:
        return self.board()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.variant.name}, ply {self._ply}, {self.result.word}>"

    def tobytes(self) -> bytes:
        """Everything that this position holds, for comparing two of them byte for byte."""
        return bytes(self._game.tobytes()) + bytes(self._log[0, : self._ply + SENTINELS].tobytes())

    @property
    def records(self) -> tuple[Any, Any, Any]:
        """(GAME[1], PLY[1, C], TABLES[1]) for compiled code; to be read, not written."""
        return self._game, self._log, self._tables

    def faults(self) -> list[str]:
        """What is wrong with the record, [] for nothing: an aid for tests (`layout.faults`)."""
        return faults(self._game[0])


class Playable(Position):
    """A position in which every standing man has a rank, so that the law can judge moves on it: Truth or World."""

    __slots__ = ()

    def push(self, move: Move) -> None:
        """Play a legal move. Raises IllegalMove, with nothing changed."""
        if self._ply == self._full:
            self._room()
        packed = _push(self._desk, self._count, move)
        if packed < 0:
            raise self.refused(move)
        self._ply += 1
        self._count = packed
        if packed > _COUNTED:
            self._take(packed)
