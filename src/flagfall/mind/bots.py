"""The house players: ten levels of one search, a mover at random, and a scripted beginner."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from flagfall.mind.manner import Manner
from flagfall.mind.opening import choose, random_army
from flagfall.mind.rescuer import with_rescue_of_choice
from flagfall.play.player import Budget, Player, chance
from flagfall.rules.board import Move, Seat, origin, target
from flagfall.rules.deployment import Deployment
from flagfall.rules.events import Outcome
from flagfall.rules.pieces import Rank
from flagfall.rules.variant import Variant

if TYPE_CHECKING:
    from flagfall.rules.kernels import Kernel
    from flagfall.rules.view import View


NODES_WITHOUT_END = 2**62
"""What a player may look at where time alone is set."""


class RandomMover:
    """Any legal army, any legal move."""

    def __init__(self, seed: bytes) -> None:
        self._seed = seed

    def deploy(self, variant: Variant, seat: Seat) -> Deployment:
        """A random legal army."""
        return random_army(variant, seat, self._seed)

    def move(self, view: View, budget: Budget) -> Move:
        """A random legal move; where it may bring a man back it does so, any man anywhere."""
        del budget
        lots = chance(self._seed, view.ply)
        move = lots.choice(view.legal())
        return lots.choice(view.rescues(move) or [move])

    def accepts_draw(self, view: View) -> bool:
        """By lot."""
        return chance(self._seed, view.ply, "draw").random() < 0.5

    def offers_draw(self, view: View) -> bool:
        """Never."""
        del view
        return False


class Beginner:
    """Looks one ply ahead: takes the best man it knows it beats, else advances at random."""

    def __init__(self, seed: bytes) -> None:
        self._seed = seed

    def deploy(self, variant: Variant, seat: Seat) -> Deployment:
        """A sensible army in people's style."""
        return choose(variant, seat, self._seed, "human")

    def move(self, view: View, budget: Budget) -> Move:
        """The best sure capture, else a random advance, else any move that loses nothing for certain."""
        del budget
        lots = chance(self._seed, view.ply)
        men = {man.square: man for man in view.men() if man.square is not None}
        forward = 1 if view.seat == Seat.RED else -1
        sure: list[tuple[int, Move]] = []
        advances, calm, legal = [], [], view.legal()
        for move in legal:
            mine, met = men[origin(move)], men.get(target(move))
            if met is not None and met.rank != Rank.UNKNOWN:
                end = view.variant.battle(mine.rank, met.rank)
                if end in (Outcome.ATTACKER, Outcome.FLAG):
                    sure.append((99 if end == Outcome.FLAG else int(met.rank) % 11, move))
                if end in (Outcome.DEFENDER, Outcome.BOTH):
                    continue
            calm.append(move)
            if (target(move) // 10 - origin(move) // 10) * forward > 0:
                advances.append(move)
        if sure:
            best = max(worth for worth, _ in sure)
            return lots.choice([move for worth, move in sure if worth == best])
        if advances and lots.random() < 0.8:
            return lots.choice(advances)
        return lots.choice(calm or legal)

    def accepts_draw(self, view: View) -> bool:
        """When it has fewer men left than the other side."""
        men = [man.seat for man in view.men() if man.square is not None]
        return men.count(Seat.RED if view.seat == Seat.RED else Seat.BLUE) * 2 < len(men)

    def offers_draw(self, view: View) -> bool:
        """Never."""
        del view
        return False


class Thinker:
    """A searching player in one manner of thinking."""

    def __init__(self, seed: bytes, manner: Manner, style: str) -> None:
        self._seed, self._manner, self._style = seed, manner, style

    @property
    def kernels(self) -> tuple[Kernel, ...]:
        """What it runs, so that it can be compiled beforehand."""
        from flagfall.mind.thought import KERNELS

        return KERNELS

    def deploy(self, variant: Variant, seat: Seat) -> Deployment:
        """An army drawn from the fitted model, another one each game."""
        return choose(variant, seat, self._seed, self._style)

    def move(self, view: View, budget: Budget) -> Move:
        """The best move that the budget finds, in nodes or time; among nearly equal ones the lot decides."""
        from flagfall.mind.thought import consider

        legal, lots = view.legal(), chance(self._seed, view.ply)
        if len(legal) == 1:
            return with_rescue_of_choice(view, legal[0], lots)
        habit = self._manner.nodes if budget.time_ms is None else NODES_WITHOUT_END
        manner = replace(self._manner, nodes=budget.nodes or habit)
        return with_rescue_of_choice(view, consider(view, manner, lots, time_ms=budget.time_ms).move, lots)

    def accepts_draw(self, view: View) -> bool:
        """When it stands clearly worse, or when nothing has happened for long and it stands no better."""
        from flagfall.mind.thought import appraise

        score = appraise(view, self._manner)
        return score < -150.0 or (view.quiet > 120 and score < 60.0)

    def offers_draw(self, view: View) -> bool:
        """Once in a while, in a long quiet game that it does not stand better in."""
        if view.quiet < 100 or view.quiet % 50 > 1:
            return False
        from flagfall.mind.thought import appraise

        return -400.0 < appraise(view, self._manner) < 40.0


def random_mover(seed: bytes) -> Player:
    """Any legal army, any legal move."""
    return RandomMover(seed)


def beginner(seed: bytes) -> Player:
    """The scripted beginner."""
    return Beginner(seed)


LEVELS: dict[str, Manner] = {
    "level-1": Manner(1, 1_000, noise=120.0, prior=0.0, memory=2, care=0.12),
    "level-2": Manner(1, 1_000, noise=60.0, prior=0.0, memory=8, care=0.25),
    "level-3": Manner(2, 2_000, noise=35.0, prior=0.15, memory=20, care=0.36),
    "level-4": Manner(2, 2_000, noise=25.0, prior=0.3, memory=32, care=0.43),
    "level-5": Manner(2, 2_000, noise=15.0, prior=0.6, memory=60, care=0.53),
    "level-6": Manner(2, 2_000, noise=12.0, memory=90, care=0.62),
    "level-7": Manner(3, 4_000, noise=9.0, memory=150, care=0.74),
    "level-8": Manner(3, 4_000, noise=6.0, care=0.86),
    "level-9": Manner(4, 6_000, noise=3.0, care=0.95),
    "level-10": Manner(30, 16_000, noise=1.5, trust=0.9),
}
"""The levels, weakest first. Nodes are worth at most ten milliseconds a move on one core of a small server."""
LEARNED_FROM = 7
"""From this level on armies are drawn from the model of the learned deployments, below from that of people's."""


def _level(number: int, seed: bytes) -> Player:
    return Thinker(seed, LEVELS[f"level-{number}"], "learned" if number >= LEARNED_FROM else "human")


def level_1(seed: bytes) -> Player:
    """Sees what can be taken at once where it looks, and soon forgets what it saw."""
    return _level(1, seed)


def level_2(seed: bytes) -> Player:
    """Looks at a third of its moves, and remembers a rank for a dozen plies."""
    return _level(2, seed)


def level_3(seed: bytes) -> Player:
    """Looks at the answer too."""
    return _level(3, seed)


def level_4(seed: bytes) -> Player:
    """Overlooks half, and has a notion of where men usually stand."""
    return _level(4, seed)


def level_5(seed: bytes) -> Player:
    """Remembers a rank for thirty moves of each side."""
    return _level(5, seed)


def level_6(seed: bytes) -> Player:
    """Knows where men usually stand."""
    return _level(6, seed)


def level_7(seed: bytes) -> Player:
    """Looks three plies ahead, and forgets little."""
    return _level(7, seed)


def level_8(seed: bytes) -> Player:
    """Forgets nothing."""
    return _level(8, seed)


def level_9(seed: bytes) -> Player:
    """Looks four plies ahead, at nearly all it can do."""
    return _level(9, seed)


def level_10(seed: bytes) -> Player:
    """As deep as its time goes."""
    return _level(10, seed)
