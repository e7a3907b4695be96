"""The two-square rule and the more-squares rule with full lists and no cleverness: RULES.md sections 8 and 9."""

from tests.oracle.board import Man, Men, adjacent, borders
from tests.oracle.settings import Rank, Settings, Side, Square, opponent


class Shuttle:
    """One player's record for the two-square rule: a man and its latest uninterrupted moves (R8.2)."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.man: Man | None = None
        self.moves: list[tuple[Square, Square]] = []

    def drop(self) -> None:
        """Forget everything."""
        self.man, self.moves = None, []

    def note_move(self, man: Man, start: Square, target: Square, *, attack: bool, survived: bool) -> None:
        """Update after the owner's own move."""
        if not survived:
            self.drop()
        elif attack and not self.settings.two_square_counts_attacks:
            self.drop()  # R8.2, consequence 2: such an attack clears the record
        elif man == self.man:
            self.moves.append((start, target))
        else:
            self.man, self.moves = man, [(start, target)]

    def note_taken(self, man: Man) -> None:
        """Update after a man of the owner fell on the opponent's turn."""
        if man == self.man:
            self.drop()

    def bars(self, man: Man, start: Square, target: Square, *, attack: bool) -> bool:
        """Tell whether this move is the one crossing too many."""
        limit = self.settings.two_square_limit
        if limit is None or man != self.man or len(self.moves) < limit:
            return False
        if attack and not self.settings.two_square_counts_attacks:
            return False
        latest = self.moves[-limit:]
        if self.settings.two_square_scope == "exact-squares":  # R8.3, last paragraph
            return all({start, target} == {s, t} for s, t in latest)
        common = borders(start, target)
        for s, t in latest:
            common &= borders(s, t)
        return common != set()


def threatens(men: Men, target: Square, side: Side) -> bool:
    """Tell whether a man of `side` on `target` stands next to at least one enemy, of any kind (R9.1, R9.3)."""
    return any(man.side != side and adjacent(target, square) for square, man in men.items())


class Chases:
    """What the more-squares rule remembers of both players, kept as R9.2 words it."""

    def __init__(self, settings: Settings, men: Men) -> None:
        self.settings = settings
        self.positions: list[Men] = [dict(men)]  # P[0], P[1], ...
        self.last_battle = 0  # the index in P of the position just after the last battle, or of the start
        self.n: dict[Side, int] = {"red": 0, "blue": 0}
        self.src: dict[Side, Square | None] = {"red": None, "blue": None}
        self.dst: dict[Side, Square | None] = {"red": None, "blue": None}

    def note_move(
        self, men: Men, mover: Side, start: Square, target: Square, *, attack: bool, rescue: bool = False
    ) -> None:
        """Update after a ply; `men` is the position it led to, with the man that it brought back."""
        other = opponent(mover)
        self.positions.append(dict(men))
        self.src[mover], self.dst[mover] = start, target
        # 1. did the move evade the other's threat?
        their_last = self.dst[other]
        if self.n[other] > 0 and their_last is not None and adjacent(start, their_last):
            self.n[other] += 1
        else:
            self.n[other] = 0
        # 2. any attack, by either side, ends every chase, and so does a rescue (R13.2)
        if attack or rescue:
            self.n[mover] = self.n[other] = 0
        if attack:
            self.last_battle = len(self.positions) - 1
        # 3. does the move threaten?
        survived = target in men and men[target].side == mover
        if survived and threatens(men, target, mover):
            self.n[mover] += 1
        else:
            self.n[mover] = 0

    def bars(self, men: Men, mover: Side, start: Square, target: Square) -> bool:
        """Tell whether all five conditions of R9.2 hold."""
        if self.settings.more_squares == "off":
            return False
        if self.n[mover] < 2:  # condition 1
            return False
        if target in men:  # condition 2: captures are never barred
            return False
        after = dict(men)
        after[target] = after.pop(start)
        if not threatens(after, target, mover):  # condition 3
            return False
        if start == self.dst[mover] and target == self.src[mover]:  # condition 4: straight back
            return False
        return any(self.same(after, earlier) for earlier in self.remembered(mover))  # condition 5

    def remembered(self, mover: Side) -> list[Men]:
        """List the positions that condition 5 compares with; the current one, P[t], is never among them."""
        now = len(self.positions) - 1
        if self.settings.chase_memory == "game":
            return self.positions[0:now]
        if self.settings.chase_memory == "since-capture":
            return self.positions[self.last_battle : now]
        return self.positions[now - (self.n[mover] - 1) : now]

    def same(self, one: Men, other: Men) -> bool:
        """Compare positions (R9.2): by identity every man is its own; by type only owner and rank count."""
        if self.settings.more_squares == "type":
            return by_type(one) == by_type(other)
        return one == other


def by_type(men: Men) -> dict[Square, tuple[Side, Rank]]:
    """Strip a position of its identities."""
    return {square: (man.side, man.rank) for square, man in men.items()}
