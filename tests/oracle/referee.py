"""The slow referee: a whole game under any switches, every clause applied word for word."""

from collections.abc import Iterator, Mapping

from tests.oracle.battle import fight, told
from tests.oracle.board import Man, Men, distance, geometric_targets, squares
from tests.oracle.ending import Verdict, verdict
from tests.oracle.repetition import Chases, Shuttle
from tests.oracle.settings import Ending, Outcome, Rank, Reason, Result, Settings, Side, Square, opponent


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

    def why(self, start: Square, target: Square) -> Reason | None:
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
        return None

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

    def push(self, start: Square, target: Square) -> Outcome | None:
        """Play a ply and return the outcome of its battle, None if quiet. ValueError with the reason if barred."""
        reason = self.why(start, target)
        if reason is not None:
            raise ValueError(reason)
        mover = self.turn
        attacker, defender = self.men[start], self.men.get(target)
        outcome = None if defender is None else fight(self.settings, attacker, defender)
        survived = outcome in (None, "attacker", "flag")

        # R7: what everyone sees
        self.moved.add(attacker)
        if distance(start, target) >= 2:
            self.told.add(attacker)  # only a scout can do that
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

        attack = defender is not None
        self.shuttles[mover].note_move(attacker, start, target, attack=attack, survived=survived)
        self.chases.note_move(self.men, mover, start, target, attack=attack)
        self.ply += 1
        self.quiet = 0 if attack else self.quiet + 1
        self.turn = opponent(mover)
        self.verdict = self._judge(outcome)
        return outcome

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
