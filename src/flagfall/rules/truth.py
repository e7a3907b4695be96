"""The Truth of a game: what is, all of it. Only a referee, a vector of games and the checks hold one."""

from __future__ import annotations

from collections.abc import Mapping

from flagfall.errors import BadArmy
from flagfall.rules.board import Move, Seat, Square
from flagfall.rules.deployment import Deployment
from flagfall.rules.events import Played
from flagfall.rules.layout import MEN
from flagfall.rules.notation import parse_move
from flagfall.rules.pieces import RANKS
from flagfall.rules.position import Playable, men_table
from flagfall.rules.variant import Variant
from flagfall.rules.view import View


class Truth(Playable):
    """A whole game under the law.

    >>> from flagfall.rules.catalog import MICRO
    >>> red = Deployment.parse("F2SM", MICRO, Seat.RED)
    >>> game = Truth(MICRO, red, red.for_seat(Seat.BLUE))
    >>> print(game)
     4 b10 b1  b2  bF
     3 .   .   .   .
     2 .   .   .   .
     1 rF  r2  r1  r10
       a   b   c   d
    >>> game.play("b1-b3").attacker.name, game.why("a4xb3") is None, game.why("d4-d3").word
    ('SCOUT', False, 'immobile')
    """

    __slots__ = ()

    def __init__(self, variant: Variant, red: Deployment, blue: Deployment, first: Seat = Seat.RED) -> None:
        """A game from two deployments. Raises BadArmy where one of them is no legal army."""
        super().__init__(variant)
        self._start(men_table(variant, red.checked().ranks, blue.checked().ranks), first)

    @classmethod
    def of_men(
        cls, variant: Variant, red: Mapping[Square, int], blue: Mapping[Square, int], first: Seat = Seat.RED
    ) -> Truth:
        """A game from any position: ranks by square, whole armies or not, at most 40 men a side.

        Raises BadArmy where men stand outside the board or two on one square, or a rank is none.
        """
        dry = set(variant.usable)
        if not (dry.issuperset(red) and dry.issuperset(blue) and set(red).isdisjoint(blue)):
            raise BadArmy("men stand on squares of the board, one on each", code="outside_board")
        if max(len(red), len(blue)) > MEN:
            raise BadArmy("a side has at most 40 men", code="too_many_men")
        if not {*red.values(), *blue.values()} <= set(RANKS):
            raise BadArmy("a man has no rank", code="no_rank")
        game = object.__new__(cls)
        Playable.__init__(game, variant)
        game._start(men_table(variant, red, blue), first)
        return game

    def play(self, move: Move | str) -> Played:
        """Play a legal move and tell what everybody may know of it. Raises IllegalMove, Unreadable."""
        self.push(parse_move(move) if isinstance(move, str) else move)
        return self.played(self._ply)

    def look(self, seat: Seat | None) -> View:
        """What a seat, or with None a watcher, may know. Raises NotAllowed under comparison by type (R9.6)."""
        return View.of_record(self.variant, self._game[0], self._log[0], self.starts, seat)
