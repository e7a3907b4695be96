"""What a reader finds in a file: games, deployments and positions as they stand there, or why one could not be read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from flagfall.errors import JsonValue, Unreadable
from flagfall.play.record import Record
from flagfall.rules.board import Move, Seat, Square
from flagfall.rules.events import Outcome, Result
from flagfall.rules.pieces import Rank

Army = Mapping[Square, Rank]
"""One side's men: rank by square, UNKNOWN where a text hides it."""


class Kind(StrEnum):
    """What was found."""

    GAME = "game"
    DEPLOYMENT = "deployment"
    POSITION = "position"


@dataclass(frozen=True, slots=True)
class Place:
    """Where in a file something stands.

    file: its name as shown to people, `a.zip!b.xml` for the member of a bundle. line: from 1, or 0 for the file as a
    whole. column: from 1, in characters, or 0 where there is none; in a file that is no text line is 1 and column
    the byte.
    """

    file: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        numbers = [number for number in (self.line, self.column) if number]
        return ":".join([self.file, *map(str, numbers)])

    def at(self, line: int, column: int = 0) -> Place:
        """Another place in the same file."""
        return Place(self.file, line, column)

    def error(self, sentence: str, code: str, **params: JsonValue) -> Unreadable:
        """The error that names this place; `file`, `line` and `column` are among its params."""
        return Unreadable(
            f"{self}: {sentence}", code=code, file=self.file, line=self.line, column=self.column, **params
        )


@dataclass(frozen=True, slots=True)
class Deviation:
    """Where a file departs from its format or a game from the law of its day: told, never silently mended.

    code: stable. clause: of RULES.md, such as `R8.2` or `R14.2`. ply: from 1, of a game's deviation. place: None where
    only the game shows it.
    """

    code: str
    clause: str
    sentence: str
    place: Place | None = None
    ply: int | None = None

    def __str__(self) -> str:
        where = "" if self.place is None else f"{self.place}: "
        when = "" if self.ply is None else f"ply {self.ply}: "
        return f"{where}{when}{self.sentence} ({self.clause}, {self.code})"


@dataclass(frozen=True, slots=True)
class Claim:
    """How a file says that its game ended; whether the board agrees is for the replay to find out.

    ending: a word of `Reason`, or one of Gravon's that the board does not know: `both_missing`, `time_missing`,
    `missing`, `period`; `none` where nothing is said.
    """

    result: Result = Result.GOING
    ending: str = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One game, deployment or position, read but not yet played.

    format: the format's name. variant: a name of the catalogue, or `custom` for men that are no army of it. law: the
    switches of its day, over the variant's own. armies: Red's and Blue's men at the start, None where the file lacks
    them; a deployment without a seat stands as Red's. moves: Red and Blue alternately from `first`. known, moved: the
    squares of a position's men whose rank is public, and that have moved. ply: of a position. battles: what the file
    says of a battle by its ply, from 1: outcome, attacker, defender. count: how often a deployment occurs. date:
    `2005`, `2005-03` or `2005-03-31`. record: of a record of Flagfall's own.
    """

    kind: Kind
    format: str
    place: Place
    variant: str
    law: Mapping[str, JsonValue] = field(default_factory=dict)
    armies: tuple[Army | None, Army | None] = (None, None)
    first: Seat = Seat.RED
    moves: tuple[Move, ...] = ()
    known: frozenset[Square] = frozenset()
    moved: frozenset[Square] = frozenset()
    ply: int = 0
    battles: Mapping[int, tuple[Outcome, Rank, Rank]] = field(default_factory=dict)
    players: tuple[str, str] = ("red", "blue")
    claim: Claim = field(default_factory=Claim)
    date: str | None = None
    count: int = 1
    deviations: tuple[Deviation, ...] = ()
    record: Record | None = None


@dataclass(frozen=True, slots=True)
class Refused:
    """Something that could not be read, and why; the rest of the batch goes on.

    The error's sentence begins with the place; its params hold `file`, `line` and `column`.
    """

    place: Place
    error: Unreadable

    @classmethod
    def of(cls, error: Unreadable, file: Place) -> Refused:
        """The refusal of an error in this file, at the place that the error names."""
        line, column = (error.params.get(word, 0) for word in ("line", "column"))
        known = isinstance(line, int) and isinstance(column, int)
        return cls(file.at(line, column) if known else file, error)  # type: ignore[arg-type]

    @property
    def code(self) -> str:
        """The stable code of the error."""
        return self.error.stable_code


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """One way of writing games, deployments or positions down.

    title: a line for people. suffixes: usual ends of file names, with the dot. sniff: whether a file of this name that
    begins so may be one; the first format that says yes reads it. read: everything in a file; it may raise Unreadable
    where nothing more can be read, and yields Refused for a line that it can step over. write: the bytes of a file,
    None where the format is only read; raises NotAllowed `not_in_this_format`. writes: the kinds it writes. single:
    whether a file holds one game or deployment.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    sniff: Callable[[str, bytes], bool]
    read: Callable[[bytes, Place], Iterator[Found | Refused]]
    write: Callable[[Sequence[Found]], bytes] | None = None
    writes: frozenset[Kind] = frozenset()
    single: bool = False
