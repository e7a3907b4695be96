"""The slow referee: a whole game under any switches, every clause applied word for word."""

from collections.abc import Iterator, Mapping

from tests.oracle.battle import fight, told
from tests.oracle.board import Man, Men, distance, geometric_targets, place, round_a_corner, squares
from tests.oracle.ending import Verdict, verdict
from tests.oracle.repetition import Chases, Shuttle
from tests.oracle.settings import Ending, Outcome, Rank, Reason, Result, Settings, Side, Square, opponent

Rescue = tuple[Square, Square]  # the start square of the man that comes back, and where he is put (R13.2)


class Oracle:
    """One game from a position of known men.

    `red` and `blue` map squares to ranks. Raises ValueError for a position that cannot be: two men on
    one square, a man in a lake or off the board. No army is counted: fragments are welcome.

    >>> game = Oracle(Settings(), {"e4": "10", "a1": "F"}, {"j9": "9", "j10": "F"})
    >>> game.why("e4", "e6"), game.push("e4", "e5"), game.turn
    ('geometry', None, 'blue')
    """

    def __init__(
        self, settings: Settings, red: Mapping[Square, Rank], blue: Mapping[Square, Rank], turn: Side = "red"
    ) -> None:
        if set(red) & set(blue) or not set(red) | set(blue) <= squares(settings):
            raise ValueError("two men on one square, or a man outside the board")
        self.settings = settings
        self.men: Men = {square: Man(square, "red", rank) for square, rank in red.items()}
        self.men |= {square: Man(square, "blue", rank) for square, rank in blue.items()}
        self.fallen: list[Man] = []  # in the order of their fall, the attacker first when both fall
        self.moved: set[Man] = set()  # R7: has it ever moved
        self.told: set[Man] = set()  # R7: is its rank public
        self.rescuers: dict[Side, list[Man]] = {"red": [], "blue": []}  # R13.2: who has brought a man back
        self.turn: Side = turn
        self.ply = 0
        self.quiet = 0  # R11.3: plies of either side since the last attack
        self.shuttles: dict[Side, Shuttle] = {"red": Shuttle(settings), "blue": Shuttle(settings)}
        self.chases = Chases(settings, self.men)
        self.verdict: Verdict = self._judge(None)  # R11.1: the same test on the initial position

    @property
    def result(self) -> Result | None:
        """Tell who has won, or a draw; None while the game goes on."""
        return self.verdict[0] if self.verdict else None

    @property
    def reason(self) -> Ending | None:
        """Tell why the game is over (R11.1); None while it goes on."""
        return self.verdict[1] if self.verdict else None

    def why(self, start: Square, target: Square, rescue: Rescue | None = None) -> Reason | None:
        """Tell why the side to move may not play this: the first reason in the order of R0, or None if it may."""
        if self.result is not None:
            return "game_over"
        if start not in self.men:
            return "empty"  # a lake too
        man = self.men[start]
        if man.side != self.turn:
            return "not_yours"
        if not man.can_ever_move:
            return "immobile"
        if target not in geometric_targets(self.settings, self.men, start):
            return "geometry"
        if self.shuttles[self.turn].bars(man, start, target, attack=target in self.men):
            return "two_square"
        if self.chases.bars(self.men, self.turn, start, target):
            return "more_squares"
        return "rescue" if rescue is not None and not self.can_rescue(start, target, rescue) else None

    def may_rescue(self, start: Square, target: Square) -> bool:
        """Tell whether the man on `start` may bring somebody back when he moves to `target` (R13.2).

        Our readings where the clause is silent: he must come from another row, and who has made one rescue makes no
        second; the rescue of an attack is ordered with it.
        """
        man = self.men[start]
        back_row = self.settings.height if man.side == "red" else 1
        arrives = place(target)[1] == back_row and place(start)[1] != back_row
        used = self.rescuers[man.side]
        return arrives and not man.is_scout and man not in used and len(used) < self.settings.rescues

    def can_rescue(self, start: Square, target: Square, rescue: Rescue) -> bool:
        """Tell whether this rescue may go with the legal move from `start` to `target` (R13.2).

        The middle row of an odd number is in nobody's half: our reading.
        """
        if not self.may_rescue(start, target):
            return False
        side, (who, put), height = self.men[start].side, rescue, self.settings.height
        captured = any(other.start == who and other.side == side for other in self.fallen)
        own_rows = range(1, height // 2 + 1) if side == "red" else range(height - height // 2 + 1, height + 1)
        empty = put in squares(self.settings) and (put not in self.men or put == start)
        return captured and empty and place(put)[1] in own_rows

    def rescues(self, start: Square, target: Square) -> set[Rescue]:
        """Collect every rescue that may go with a move; none with a move that is not legal."""
        if start not in self.men or not self.may_rescue(start, target) or self.why(start, target) is not None:
            return set()
        men, everywhere = [man.start for man in self.fallen], squares(self.settings)
        return {(who, put) for who in men for put in everywhere if self.can_rescue(start, target, (who, put))}

    def legal(self) -> set[tuple[Square, Square]]:
        """Collect every legal move of the side to move; none once the game is over."""
        return {move for move in self.geometric_moves(self.turn) if self.why(*move) is None}

    def geometric_moves(self, side: Side) -> Iterator[tuple[Square, Square]]:
        """List the moves of a side by section 5 alone, repetition rules and turn left aside."""
        for start, man in self.men.items():
            if man.side == side:
                for target in geometric_targets(self.settings, self.men, start):
                    yield start, target

    def has_geometric_move(self, side: Side) -> bool:
        """Tell whether section 5 alone gives this side a move (R11.1)."""
        return any(True for _ in self.geometric_moves(side))

    def has_mover(self, side: Side) -> bool:
        """Tell whether this side owns a man of rank 1 to 10 (R11.1, piece-count)."""
        return any(man.side == side and man.can_ever_move for man in self.men.values())

    def known(self, square: Square) -> tuple[bool, bool]:
        """Tell what the opponent knows of the man here: has it moved, is its rank public. KeyError if empty."""
        man = self.men[square]
        return man in self.moved, man in self.told

    def push(self, start: Square, target: Square, rescue: Rescue | None = None) -> Outcome | None:
        """Play a ply and return the outcome of its battle, None if quiet. ValueError with the reason if barred."""
        reason = self.why(start, target, rescue)
        if reason is not None:
            raise ValueError(reason)
        mover = self.turn
        attacker, defender = self.men[start], self.men.get(target)
        outcome = None if defender is None else fight(self.settings, attacker, defender)
        survived = outcome in (None, "attacker", "flag")

        # R7: what everyone sees
        self.moved.add(attacker)
        if self.tells(start, target):
            self.told.add(attacker)
        if defender is not None:
            self.told |= told(self.settings, attacker, defender)

        # R6: a winning attacker moves onto the square, a winning defender stays
        del self.men[start]
        if not survived:
            self.fallen.append(attacker)
        if defender is not None and outcome != "defender":
            del self.men[target]
            self.fallen.append(defender)
            self.shuttles[opponent(mover)].note_taken(defender)
        if survived:
            self.men[target] = attacker

        # R13.2: who stands on the back row now may have brought a man back; what was known of him stays known
        saved = rescue is not None and outcome in (None, "attacker")
        if rescue is not None and saved:
            back = next(man for man in self.fallen if (man.side, man.start) == (mover, rescue[0]))
            self.fallen.remove(back)
            self.men[rescue[1]] = back
            self.rescuers[mover].append(attacker)

        attack = defender is not None
        self.shuttles[mover].note_move(attacker, start, target, attack=attack, survived=survived)
        self.chases.note_move(self.men, mover, start, target, attack=attack, rescue=saved)
        self.ply += 1
        self.quiet = 0 if attack else self.quiet + 1
        self.turn = opponent(mover)
        self.verdict = self._judge(outcome)
        return outcome

    def tells(self, start: Square, target: Square) -> bool:
        """Tell whether a move as such shows the rank: two squares or more, which only a scout can do (R7).

        Where captains move two, a straight way of two is either's, one round a corner a captain's (R13.2).
        """
        if not self.settings.captains_move_two:
            return distance(start, target) >= 2
        return distance(start, target) >= 3 or round_a_corner(start, target)

    def _judge(self, outcome: Outcome | None) -> Verdict:
        self.verdict = None  # why() must answer for the position, not for the game
        return verdict(
            self.settings,
            outcome=outcome,
            turn=self.turn,
            ply=self.ply,
            quiet=self.quiet,
            has_legal_move=lambda: any(self.why(*move) is None for move in self.geometric_moves(self.turn)),
            has_geometric_move=self.has_geometric_move,
            has_mover=self.has_mover,
        )
