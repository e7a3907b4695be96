"""A game as data: drawn board, army, reach, battles and the switches of its law (R0, R13); never a subclass."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cache, cached_property
from typing import Any, Literal, get_args, get_type_hints

from flagfall.errors import BadVariant
from flagfall.rules.board import Seat, Square, parse_square, square, turned
from flagfall.rules.events import Outcome
from flagfall.rules.pieces import RANKS, Rank
from flagfall.rules.soundness import sense_faults, shape_faults

FORMAT = "flagfall-variant-1"
NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*", re.ASCII)
NAME_CAP = 60
COUNTS = "counts."
"""What the names of house rules begin with that change an army and not the law."""
MEN_CAP = 40
RESCUES_CAP = 8
"""The most rescues that a law can grant a player."""
FAR = 9
"""The reach of a rank that runs any distance: no board is longer."""

TwoSquareScope = Literal["border", "exact-squares"]
MoreSquares = Literal["off", "identity", "type"]
ChaseMemory = Literal["chase", "since-capture", "game"]
Tie = Literal["both", "attacker", "defender"]
StuckCheck = Literal["immediate", "on_turn", "piece-count"]
LimitTest = Literal["at", "more-than"]
Reveal = Literal["both", "silent", "none"]
FirstPlayer = Literal["red", "chosen", "lot"]


@dataclass(frozen=True, slots=True)
class Law:
    """The switches of R0, R11 and R13.2; the defaults are the preset `isf`.

    two_square_limit: crossings in a row before the next is barred, None = off (R8). max_quiet_plies, max_plies: plies
    before a draw, None = off (R11.3). reveal: `both` ranks of a battle, `silent` defence, or `none` (R7, R13.2).
    rescues: the most rescues of a player in a game, 0 = off; no man makes two (R13.2). captains_move_two: captains go
    one or two squares, straight on or round one corner, to attack as well (R13.2).
    spy_taken_only_by_attack restates the ordinary rule (R13.2) and changes nothing; it is kept so that a house that
    names it finds it. smaller_army: a player may leave men of the army in the box, the flag excepted (Free set-up).
    """

    two_square_limit: int | None = 3
    two_square_counts_attacks: bool = True
    two_square_scope: TwoSquareScope = "border"
    more_squares: MoreSquares = "identity"
    chase_memory: ChaseMemory = "chase"
    scout_move_and_strike: bool = True
    bomb_once: bool = False
    tie: Tie = "both"
    stuck_check: StuckCheck = "immediate"
    max_quiet_plies: int | None = None
    max_plies: int | None = None
    limit_test: LimitTest = "at"
    flag_beats_limit: bool = True
    reveal: Reveal = "both"
    rescues: int = 0
    captains_move_two: bool = False
    spy_taken_only_by_attack: bool = False
    first_player: FirstPlayer = "red"
    smaller_army: bool = False

    def __post_init__(self) -> None:
        hints = _switch_types()
        for item in fields(self):
            _check_switch(item.name, getattr(self, item.name), hints[item.name])
        if self.two_square_limit not in (None, 2, 3, 4, 5):
            raise _bad_switch("two_square_limit", "two_square_limit is 2 to 5, or null for off")
        if self.rescues > RESCUES_CAP:
            raise _bad_switch("rescues", "rescues are 0 to 8 a player")

    def departures(self, usual: Law) -> dict[str, Any]:
        """The switches that differ from another law, by name."""
        mine, theirs = asdict(self), asdict(usual)
        return {name: value for name, value in mine.items() if value != theirs[name]}


@cache
def _switch_types() -> Mapping[str, Any]:
    """The declared type of each switch; reading them takes longer than all the rest of a law."""
    return get_type_hints(Law)


def _check_switch(name: str, value: object, hint: Any) -> None:
    """One switch against its declared type. Raises BadVariant."""
    if hint is bool:
        good = isinstance(value, bool)
    elif hint is int:
        good = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 10**9
    elif hint == int | None:
        good = value is None or (isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 10**9)
    else:
        good = isinstance(value, str) and value in get_args(hint)
    if not good:
        raise _bad_switch(name, f"the switch {name} cannot have this value")


def _bad_switch(name: str, sentence: str, code: str = "bad_switch") -> BadVariant:
    return BadVariant(sentence, code=code, switch=name, field=f"law.{name}")


def law_from(switches: Mapping[str, Any], base: Law | None = None) -> Law:
    """A law with some switches set. Raises BadVariant where a name or a value is none of the law's."""
    known = {item.name for item in fields(Law)}
    for name in switches:
        if name not in known:
            shown = str(name)[:40]
            raise _bad_switch(shown if shown.isprintable() else "?", "no such switch of the law", "unknown_switch")
    return replace(base or Law(), **dict(switches))


@dataclass(frozen=True, eq=False)
class Variant:
    """One game of the family.

    name: lower-case words joined by hyphens. width, height: 1 to 10. lakes: squares outside play (R1). home: the two
    home areas, each in its owner's order, back row first and left to right from his seat (R3.2). army: men by rank,
    at most 40. reach: the farthest a rank moves, 0 never, 9 any distance (R5). battles: results that differ from R6,
    as (attacker, defender, outcome).

    >>> from flagfall.rules.catalog import CLASSIC
    >>> CLASSIC.men, CLASSIC.army[Rank.SCOUT], len(CLASSIC.lakes)
    (40, 8, 8)
    """

    name: str
    width: int
    height: int
    lakes: frozenset[Square]
    home: tuple[tuple[Square, ...], tuple[Square, ...]]
    army: Mapping[Rank, int]
    reach: Mapping[Rank, int]
    battles: tuple[tuple[Rank, Rank, Outcome], ...] = ()
    law: Law = field(default_factory=Law)

    def __post_init__(self) -> None:
        for fault in self._faults():
            raise fault
        # One order, whoever wrote the table: what a player draws by lot from it may not depend on where it was read.
        object.__setattr__(self, "army", {rank: self.army[rank] for rank in RANKS if self.army.get(rank)})
        object.__setattr__(self, "reach", {rank: self.reach[rank] for rank in RANKS if rank in self.reach})

    def _faults(self) -> Iterator[BadVariant]:
        """What keeps this data from being a game that can be played and won, the first reason first."""
        if len(self.name) > NAME_CAP or not NAME.fullmatch(self.name):
            yield BadVariant("a name is lower-case words and numbers joined by hyphens", code="bad_name", field="name")
        yield from shape_faults(self, MEN_CAP, FAR)
        yield from sense_faults(self)

    def __eq__(self, other: object) -> bool:
        """Equal names and equal games, however their tables are kept: a variant read from its JSON form is the same."""
        return isinstance(other, Variant) and (self.name, self.digest) == (other.name, other.digest)

    def __hash__(self) -> int:
        return hash((self.name, self.digest))

    @property
    def men(self) -> int:
        """How many men one army has."""
        return sum(self.army.values())

    @property
    def usable(self) -> tuple[Square, ...]:
        """The squares in play, ascending."""
        cells = (square(file, row) for row in range(self.height) for file in range(self.width))
        return tuple(at for at in cells if at not in self.lakes)

    def with_law(self, **switches: Any) -> Variant:
        """The same game under house rules. Raises BadVariant.

        Besides the switches of the law, `counts.miner` and the like set how many men of a rank an army has (R13.2).

        >>> from flagfall.rules.catalog import CLASSIC
        >>> game = CLASSIC.with_law(tie="attacker", **{"counts.miner": 4})
        >>> game.law.tie, game.army[Rank.MINER], game.men
        ('attacker', 4, 39)
        """
        counts = {name: count for name, count in switches.items() if name.startswith(COUNTS)}
        law = law_from({name: value for name, value in switches.items() if name not in counts}, self.law)
        return replace(self, law=law, army=dict(self.army) | _counts(counts))

    def reach_of(self, rank: Rank) -> int:
        """How far a rank moves in a straight line under this law: 0 never, 9 any distance (R5, R13.2)."""
        reach = self.reach.get(rank, 0)
        return max(reach, 2) if reach and rank is Rank.CAPTAIN and self.law.captains_move_two else reach

    def battle(self, attacker: Rank, defender: Rank) -> Outcome:
        """Who is left when `attacker` meets `defender` (R6)."""
        for mine, theirs, outcome in self.battles:
            if (mine, theirs) == (attacker, defender):
                return outcome
        if defender is Rank.FLAG:
            return Outcome.FLAG
        if defender is Rank.BOMB:
            if attacker is Rank.MINER:
                return Outcome.ATTACKER
            return Outcome.BOTH if self.law.bomb_once else Outcome.DEFENDER
        if (attacker, defender) == (Rank.SPY, Rank.MARSHAL) or attacker > defender:
            return Outcome.ATTACKER
        if attacker < defender:
            return Outcome.DEFENDER
        return {"both": Outcome.BOTH, "attacker": Outcome.ATTACKER, "defender": Outcome.DEFENDER}[self.law.tie]

    @cached_property
    def digest(self) -> str:
        """SHA-256 of all that makes the game, the name left out: equal games have equal digests.

        Switches at rest are left out too, so that a switch which comes later, off, leaves old records readable.
        """
        form, usual = self.to_json(), asdict(Law())
        del form["name"]
        form["law"] = {name: value for name, value in form["law"].items() if value != usual[name]}
        return hashlib.sha256(json.dumps(form, sort_keys=True, separators=(",", ":")).encode()).hexdigest()

    def drawing(self) -> list[str]:
        """The board drawn, Blue's back row on top: `r` and `b` home, `~` lake, `.` open ground."""
        signs = dict.fromkeys(self.lakes, "~")
        signs |= dict.fromkeys(self.home[Seat.RED], "r") | dict.fromkeys(self.home[Seat.BLUE], "b")
        rows = range(self.height - 1, -1, -1)
        return ["".join(signs.get(square(file, row), ".") for file in range(self.width)) for row in rows]

    def to_json(self) -> dict[str, Any]:
        """The variant as plain JSON data, the same for equal variants."""
        return {
            "format": FORMAT,
            "name": self.name,
            "board": self.drawing(),
            "army": {rank.word: self.army[rank] for rank in RANKS if self.army.get(rank)},
            "reach": {rank.word: self.reach.get(rank, 0) for rank in RANKS if self.army.get(rank)},
            "battles": [[mine.word, theirs.word, end.word] for mine, theirs, end in self.battles],
            "law": asdict(self.law),
        }

    @staticmethod
    def from_json(form: object) -> Variant:
        """The variant that plain JSON data means. Raises BadVariant with the path of the field that is wrong."""
        from flagfall.rules.form import variant_from

        return variant_from(form)


def _counts(switches: Mapping[str, Any]) -> dict[Rank, int]:
    """Counts by rank of `counts.miner` and the like. Raises BadVariant."""
    words = {COUNTS + rank.word: rank for rank in RANKS if rank is not Rank.FLAG}
    for name, count in switches.items():
        if name not in words:
            raise _bad_switch(name[:40] if name.isprintable() else "?", "no such switch of the law", "unknown_switch")
        if not isinstance(count, int) or isinstance(count, bool) or not 0 <= count <= MEN_CAP:
            raise _bad_switch(name, "a rank counts 0 to 40 men")
    return {words[name]: count for name, count in switches.items()}


def home_order(squares: frozenset[Square] | set[Square], seat: Seat, width: int, height: int) -> tuple[Square, ...]:
    """Squares in their owner's order: back row first, left to right from his seat (R14.1)."""
    if seat is Seat.RED:
        return tuple(sorted(squares))
    return tuple(sorted(squares, key=lambda at: turned(at, width, height)))


def squares_from(names: list[str]) -> frozenset[Square]:
    """Squares by their names. Raises Unreadable."""
    return frozenset(parse_square(name) for name in names)
