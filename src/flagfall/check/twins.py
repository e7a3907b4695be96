"""Paired worlds: games that differ only in what a seat may not know, and the outlets that must not tell them apart.

Take a game, change the other side's hidden ranks so that this seat is told the very same events, ply by ply, and ask
an outlet twice: any byte that differs is a leak. Nothing is normalised away.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import permutations
from random import Random

from flagfall.errors import FlagfallError
from flagfall.rules.board import Move, Seat, Square
from flagfall.rules.deployment import Deployment
from flagfall.rules.events import Played
from flagfall.rules.pieces import Rank
from flagfall.rules.truth import Truth
from flagfall.rules.variant import Variant

Outlet = Callable[["Script"], bytes]
"""All that a seat receives of a game, as bytes."""

TRIES_PER_TWIN = 60


@dataclass(frozen=True)
class Script:
    """A whole game as data: two deployments and the plies played from them."""

    variant: Variant
    red: Deployment
    blue: Deployment
    moves: tuple[Move, ...]
    first: Seat = Seat.RED

    def army(self, seat: Seat) -> Deployment:
        """The deployment of a seat."""
        return self.blue if seat is Seat.BLUE else self.red

    def truth(self, plies: int | None = None) -> Truth:
        """The game after so many plies, all of them by default. Raises IllegalMove where one may not be played."""
        game = Truth(self.variant, self.red, self.blue, self.first)
        for move in self.moves[:plies]:
            game.push(move)
        return game

    def until(self, plies: int) -> Script:
        """The same game cut short."""
        return replace(self, moves=self.moves[:plies])

    def with_army(self, army: Deployment) -> Script:
        """The same plies with another army for its seat."""
        return replace(self, blue=army) if army.seat is Seat.BLUE else replace(self, red=army)

    def events(self) -> tuple[Played, ...] | None:
        """What everybody is told, an end before the first ply included as None; None too where a ply is illegal."""
        try:
            game = self.truth()
        except FlagfallError:
            return None
        return None if game.result and not game.ply else game.events


def random_script(
    variant: Variant, draw: Random, plies: int, armies: tuple[Deployment, Deployment] | None = None
) -> Script:
    """A game of random armies and random moves, of at most so many plies; most rescues that may be made are made."""
    red, blue = armies or (shuffled(variant, Seat.RED, draw), shuffled(variant, Seat.BLUE, draw))
    game = Truth(variant, red, blue)
    moves: list[Move] = []
    while len(moves) < plies and (legal := game.legal()):
        move = draw.choice(legal)
        if variant.law.rescues and (rescues := game.rescues(move)) and draw.random() < 0.8:
            move = draw.choice(rescues)
        moves.append(move)
        game.push(move)
    return Script(variant, red, blue, tuple(moves))


def shuffled(variant: Variant, seat: Seat, draw: Random) -> Deployment:
    """A random legal deployment; where an army may be smaller, about a quarter of the men stays in the box."""
    men = [rank for rank, count in sorted(variant.army.items()) for _ in range(count)]
    if variant.law.smaller_army:
        men = [rank for rank in men if rank is Rank.FLAG or draw.random() < 0.75]
    squares = draw.sample(variant.home[seat], len(men))
    return Deployment(variant, seat, dict(zip(squares, men, strict=True)))


def hidden_from(script: Script, seat: Seat) -> list[Square]:
    """The other side's men, by start square, whose rank the seat has not been told."""
    men = script.truth().look(seat).men()
    return [man.id for man in men if man.seat is not seat and man.rank is Rank.UNKNOWN]


def twins(script: Script, seat: Seat, count: int, draw: Random) -> list[Script]:
    """Up to `count` different games that the seat cannot tell from this one.

    Hidden ranks are exchanged two at a time, or one for a man left in the box, and an exchange is kept where every
    event stays as it was, so that the search works under any law and any policy of reveals.
    """
    events = script.events()
    hidden = hidden_from(script, seat)
    found: dict[str, Script] = {}
    current = script.army(seat.other)
    for _ in range(TRIES_PER_TWIN * count):
        if len(found) == count or len(hidden) < 2:
            break
        one, two = draw.sample(hidden, 2)
        ranks = dict(current.ranks)
        box = _box(current)
        if box and draw.random() < 0.5 and ranks[one] is not Rank.FLAG:
            ranks[one] = draw.choice(box)
        elif ranks[one] is not ranks[two]:
            ranks[one], ranks[two] = ranks[two], ranks[one]
        else:
            continue
        candidate = script.with_army(replace(current, ranks=ranks))
        if candidate.events() == events:
            current = candidate.army(seat.other)
            found.setdefault(current.text(), candidate)
    found.pop(script.army(seat.other).text(), None)
    return list(found.values())


def _box(army: Deployment) -> list[Rank]:
    """The men that were left in the box, the flag never among them."""
    away = Counter(army.variant.army) - Counter(army.ranks.values())
    return [rank for rank in sorted(away.elements()) if rank is not Rank.FLAG]


def every_twin(script: Script, seat: Seat) -> Iterator[Script]:
    """All games that the seat cannot tell from this one: for armies small enough to try every arrangement."""
    events, army = script.events(), script.army(seat.other)
    squares = list(army.ranks)
    seen = {army.text()}
    for ranks in permutations(army.ranks.values()):
        candidate = script.with_army(replace(army, ranks=dict(zip(squares, ranks, strict=True))))
        text = candidate.army(seat.other).text()
        if text not in seen and candidate.events() == events:
            seen.add(text)
            yield candidate


def leaks(script: Script, outlet: Outlet, others: Iterable[Script]) -> list[str]:
    """Where an outlet tells a game from its twins: a line for each, [] for a tight one."""
    said = outlet(script)
    found = []
    for other in others:
        answer = outlet(other)
        if answer != said:
            place = next(
                (at for at, pair in enumerate(zip(said, answer, strict=False)) if len(set(pair)) > 1), len(said)
            )
            found.append(f"differs at byte {place}: {said[place : place + 40]!r} and {answer[place : place + 40]!r}")
    return found
