"""Hostile players to test strength against: statues, chasers, kamikazes, bluffers, rushers, and strange armies.

None is meant to be good. Each leans on one habit that a stronger player may fail to punish. They are on the roster
under names that begin with `foil-`, and on no list of levels.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random
from typing import TYPE_CHECKING

from flagfall.mind.bots import level_7
from flagfall.mind.opening import choose, fill
from flagfall.play.player import Budget, Player, chance
from flagfall.rules.board import Move, Seat, Square, origin, target
from flagfall.rules.deployment import Deployment
from flagfall.rules.events import Outcome
from flagfall.rules.pieces import Rank
from flagfall.rules.variant import Variant

if TYPE_CHECKING:
    from flagfall.rules.position import Man
    from flagfall.rules.view import View

STRONG = Rank.CAPTAIN
FAR_AWAY = 99


class Table:
    """What a foil looks at: who stands where, and the legal moves."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.legal = view.legal()
        self.at: dict[Square, Man] = {man.square: man for man in view.men() if man.square is not None}
        self.enemies = [man for man in self.at.values() if man.seat is not view.seat]
        self.forward = 1 if view.seat is Seat.RED else -1

    def mover(self, move: Move) -> Man:
        """Who would move."""
        return self.at[origin(move)]

    def met(self, move: Move) -> Man | None:
        """The enemy man on the target, if any."""
        return self.at.get(target(move))

    def outcome(self, move: Move) -> Outcome | None:
        """How the battle of a move ends; None for no battle or one that nobody can tell."""
        met = self.met(move)
        if met is None or met.rank is Rank.UNKNOWN:
            return None
        return self.view.variant.battle(self.mover(move).rank, met.rank)

    def wins(self, move: Move) -> bool:
        """Whether a move takes a man for certain and lives."""
        return self.outcome(move) in (Outcome.ATTACKER, Outcome.FLAG)

    def gain(self, move: Move) -> int:
        """Rows towards the enemy."""
        return (target(move) // 10 - origin(move) // 10) * self.forward

    def nearest(self, at: Square, men: Iterable[Man]) -> int:
        """Steps from a square to the nearest of some men, lakes and other men left out."""
        squares = [man.square for man in men if man.square is not None]
        return min((abs(at // 10 - to // 10) + abs(at % 10 - to % 10) for to in squares), default=FAR_AWAY)


class Foil:
    """A player of one habit, in an army as people set it up. It never offers a draw and never takes one."""

    def __init__(self, seed: bytes) -> None:
        self._seed = seed

    def deploy(self, variant: Variant, seat: Seat) -> Deployment:
        """A sensible army in people's style."""
        return choose(variant, seat, self._seed, "human")

    def move(self, view: View, budget: Budget) -> Move:
        """What the habit likes best; the lot decides between equals."""
        del budget
        table, lot = Table(view), chance(self._seed, view.ply)
        return max(table.legal, key=lambda move: (self.liking(table, move), lot.random()))

    def liking(self, table: Table, move: Move) -> float:
        """How much the habit likes a move."""
        raise NotImplementedError

    def accepts_draw(self, view: View) -> bool:
        """Never."""
        del view
        return False

    def offers_draw(self, view: View) -> bool:
        """Never."""
        del view
        return False


class Statue(Foil):
    """Moves because it must: a step that meets nobody, ends beside nobody, and leaves the ranks closed."""

    def liking(self, table: Table, move: Move) -> float:
        """Quiet, safe, backwards, and by a man who has moved before, so that all others stay unmoved."""
        if table.met(move) is not None:
            return -100.0 + 50.0 * table.wins(move)
        safe = table.nearest(target(move), table.enemies) > 1
        return 20.0 * safe + 10.0 * table.mover(move).moved - 3.0 * table.gain(move)


class Chaser(Foil):
    """Hunts men that it knows to be weaker, for ever; scouts and sergeants find it some."""

    def liking(self, table: Table, move: Move) -> float:
        """A sure capture; else a step that brings a hunter nearer to its prey."""
        mover, met = table.mover(move), table.met(move)
        if met is not None:
            if met.rank is Rank.UNKNOWN:
                return 30.0 if mover.rank <= Rank.SERGEANT and mover.rank not in (Rank.SPY, Rank.MINER) else -50.0
            return 100.0 if table.wins(move) else -100.0
        battle = table.view.variant.battle
        prey = [
            man
            for man in table.enemies
            if man.rank not in (Rank.UNKNOWN, Rank.BOMB) and battle(mover.rank, man.rank) is Outcome.ATTACKER
        ]
        if not prey:
            return 2.0 * table.gain(move) if mover.rank in (Rank.SCOUT, Rank.SERGEANT) else -5.0
        nearer = table.nearest(origin(move), prey) - table.nearest(target(move), prey)
        return 10.0 * nearer - 0.5 * table.nearest(target(move), prey)


class Kamikaze(Foil):
    """Attacks whatever it can reach, and otherwise walks towards the nearest enemy."""

    def liking(self, table: Table, move: Move) -> float:
        """Any battle before any step."""
        if table.met(move) is not None:
            return 100.0 + 10.0 * table.wins(move)
        nearer = table.nearest(origin(move), table.enemies) - table.nearest(target(move), table.enemies)
        return nearer + 0.5 * table.gain(move)


class Bluffer(Foil):
    """Walks men whom nobody has seen, weak ones first, up to known strong men, as if they were stronger."""

    def liking(self, table: Table, move: Move) -> float:
        """A sure capture; else an unseen weak man beside a strong known one."""
        mover, met = table.mover(move), table.met(move)
        if met is not None:
            return (
                100.0 if table.wins(move) else -100.0 + 90.0 * (mover.rank is Rank.SCOUT and met.rank is Rank.UNKNOWN)
            )
        strong = [man for man in table.enemies if STRONG <= man.rank <= Rank.MARSHAL]
        if mover.known or mover.rank >= STRONG:
            return -20.0
        nearer = table.nearest(origin(move), strong) - table.nearest(target(move), strong)
        return 10.0 * nearer + 3.0 * table.gain(move) - mover.rank


class Rusher(Foil):
    """Sends its strongest men first, straight on, into whatever stands there."""

    def liking(self, table: Table, move: Move) -> float:
        """The strongest man's way forward, through men if need be."""
        mover = table.mover(move)
        if table.wins(move):
            return 200.0
        if table.outcome(move) in (Outcome.DEFENDER, Outcome.BOTH):
            return -200.0
        return 10.0 * mover.rank + 8.0 * table.gain(move) + 5.0 * (table.met(move) is not None)


class Builder(Foil):
    """A player of level-7 behind an army built round some fixed men."""

    def deploy(self, variant: Variant, seat: Seat) -> Deployment:
        """The fixed men where the variant has them and the squares, the others as people place them."""
        home = variant.home[seat]
        fixed = self.fixed(variant.width, chance(self._seed, 0, "foil"))
        left = dict(variant.army)
        keep: dict[Square, Rank] = {}
        for place, rank in fixed.items():
            if place < len(home) and left.get(rank, 0):
                keep[home[place]] = rank
                left[rank] -= 1
        return fill(variant, seat, self._seed, keep)

    def fixed(self, width: int, lot: Random) -> Mapping[int, Rank]:
        """Men by place: rows from the back, left to right from the owner's seat."""
        raise NotImplementedError

    def move(self, view: View, budget: Budget) -> Move:
        """As level-7 moves."""
        return level_7(self._seed).move(view, budget)


class Fortress(Builder):
    """The flag in a corner behind two rings of bombs."""

    def fixed(self, width: int, lot: Random) -> Mapping[int, Rank]:
        """Bombs at one and two steps from the corner; the sixth stands before them."""
        left = lot.random() < 0.5
        ring = [(0, 1), (1, 0), (0, 2), (1, 1), (2, 0), (0, 3)]
        places = [row * width + (file if left else width - 1 - file) for row, file in ring]
        return {0 if left else width - 1: Rank.FLAG} | dict.fromkeys(places, Rank.BOMB)


class LakeBombs(Builder):
    """Bombs in the front row below the lakes, the flag unguarded at the back."""

    def fixed(self, width: int, lot: Random) -> Mapping[int, Rank]:
        """Four bombs before the lakes, two beside them, the flag anywhere in the last row."""
        front = 3 * width
        bombs = [front + file for file in (2, 3, 6, 7, 4, 5)]
        return {lot.randrange(width): Rank.FLAG} | dict.fromkeys(bombs, Rank.BOMB)


class FrontFlag(Builder):
    """The flag in the front row, where nobody looks for it."""

    def fixed(self, width: int, lot: Random) -> Mapping[int, Rank]:
        """The flag before a lake, or before open ground now and then."""
        return {3 * width + lot.choice((2, 3, 6, 7, 2, 3, 6, 7, 0, 5)): Rank.FLAG}


def statue(seed: bytes) -> Player:
    """Stands still as far as the law lets it."""
    return Statue(seed)


def chaser(seed: bytes) -> Player:
    """Hunts for ever."""
    return Chaser(seed)


def kamikaze(seed: bytes) -> Player:
    """Attacks at every chance."""
    return Kamikaze(seed)


def bluffer(seed: bytes) -> Player:
    """Pretends."""
    return Bluffer(seed)


def rusher(seed: bytes) -> Player:
    """Strong men first."""
    return Rusher(seed)


def fortress(seed: bytes) -> Player:
    """Level-7 behind two rings of bombs."""
    return Fortress(seed)


def lake_bombs(seed: bytes) -> Player:
    """Level-7 with its bombs below the lakes."""
    return LakeBombs(seed)


def front_flag(seed: bytes) -> Player:
    """Level-7 with its flag in the front row."""
    return FrontFlag(seed)
