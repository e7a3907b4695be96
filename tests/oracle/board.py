"""Squares, men and the geometry of moves: RULES.md sections 1, 2 and 5."""

from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from tests.oracle.settings import Rank, Settings, Side, Square

Border = frozenset[Square]  # the line between two neighbouring squares (R8.2)


@dataclass(frozen=True)
class Man:
    """One physical piece. Its start square is its identity: no two men began on the same square."""

    start: Square
    side: Side
    rank: Rank

    @property
    def can_ever_move(self) -> bool:
        """Tell whether this is neither a bomb nor a flag (R5)."""
        return self.rank not in ("B", "F")

    @property
    def is_scout(self) -> bool:
        """Tell rank 2 (R2)."""
        return self.rank == "2"

    @property
    def is_captain(self) -> bool:
        """Tell rank 6 (R2)."""
        return self.rank == "6"


Men = dict[Square, Man]  # who stands where: a position in the sense of R9.2


def name(file: int, row: int) -> Square:
    """Name the square in file 0.. and row 1.. (R1)."""
    return f"{chr(ord('a') + file)}{row}"


@cache
def place(square: Square) -> tuple[int, int]:
    """Give file from 0 and row from 1 of a square."""
    return ord(square[0]) - ord("a"), int(square[1:])


@cache
def squares(settings: Settings) -> frozenset[Square]:
    """Collect every square a man may stand on; lakes are outside play (R1)."""
    every = {name(file, row) for row in range(1, settings.height + 1) for file in range(settings.width)}
    return frozenset(every - settings.lakes)


def adjacent(one: Square, other: Square) -> bool:
    """Tell whether two squares are neighbours, orthogonally only (R1)."""
    (file, row), (other_file, other_row) = place(one), place(other)
    return abs(file - other_file) + abs(row - other_row) == 1


def distance(start: Square, target: Square) -> int:
    """Count the steps of a straight move."""
    (file, row), (target_file, target_row) = place(start), place(target)
    return abs(file - target_file) + abs(row - target_row)


def path(start: Square, target: Square) -> list[Square]:
    """List the squares of a straight move, both ends included."""
    (file, row), (target_file, target_row) = place(start), place(target)
    steps = distance(start, target)
    across, up = (target_file - file) // steps, (target_row - row) // steps
    return [name(file + k * across, row + k * up) for k in range(steps + 1)]


def round_a_corner(start: Square, target: Square) -> bool:
    """Tell whether a move changes file and row: only a captain that moves two can (R13.2)."""
    return place(start)[0] != place(target)[0] and place(start)[1] != place(target)[1]


def borders(start: Square, target: Square) -> set[Border]:
    """Collect S(s,t) of R8.2: the borders a move crosses, one for each step.

    R8 says nothing of a captain's way round a corner, which two ways may lead. Our decision: it crosses none of the
    four borders there but the corner itself, which stands here as the pair of its two squares.
    """
    if round_a_corner(start, target):
        return {frozenset((start, target))}
    line = path(start, target)
    return {frozenset(pair) for pair in pairwise(line)}


@cache
def lines(settings: Settings, start: Square) -> list[list[Square]]:
    """Draw the four straight lines from a square, nearest square first, each up to the edge or a lake (R1, R5)."""
    file, row = place(start)
    found = []
    for across, up in ((0, 1), (0, -1), (1, 0), (-1, 0)):
        line: list[Square] = []
        while (square := name(file + (len(line) + 1) * across, row + (len(line) + 1) * up)) in squares(settings):
            line.append(square)
        found.append(line)
    return found


def geometric_targets(settings: Settings, men: Men, start: Square) -> list[Square]:
    """List where section 5 alone lets the man on `start` go; the repetition rules are not asked."""
    man = men[start]
    if not man.can_ever_move:
        return []
    targets = []
    swift = man.is_captain and settings.captains_move_two
    for line in lines(settings, start):
        for steps, target in enumerate(line, start=1):
            if steps > 1 and not man.is_scout and not (swift and steps == 2):
                break
            if target not in men:
                targets.append(target)
                continue
            # The first man met ends the line. An enemy may be attacked, from afar only where
            # a scout may move and strike in one turn.
            if men[target].side != man.side and (steps == 1 or not man.is_scout or settings.scout_move_and_strike):
                targets.append(target)
            break
    if swift:
        targets += corner_targets(settings, men, start)
    return targets


def corner_targets(settings: Settings, men: Men, start: Square) -> list[Square]:
    """List where a captain gets by one step and another to the side (R13.2): the first onto an empty square."""
    side = men[start].side
    found = set()
    for line in lines(settings, start):
        if not line or line[0] in men:
            continue
        for turn in lines(settings, line[0]):
            if turn and round_a_corner(start, turn[0]) and (turn[0] not in men or men[turn[0]].side != side):
                found.add(turn[0])
    return sorted(found)
