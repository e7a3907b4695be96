"""A World: a View with its gaps imagined, on which thinking can play moves out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flagfall.errors import BadArmy
from flagfall.rules import calls
from flagfall.rules.layout import MEN, NOBODY
from flagfall.rules.pieces import Rank
from flagfall.rules.position import Playable
from flagfall.rules.view import View


class World(Playable):
    """What a seat thinks may be: every hidden man of the View has a rank."""

    __slots__ = ()

    @classmethod
    def imagine(cls, view: View, ranks: Mapping[int, int]) -> World:
        """A World from a View and a rank for every hidden standing man, by man id.

        Raises BadArmy where a hidden man has none, or one that is known already is given another.
        """
        world = cls(view.variant)
        game, log, _ = view.records
        world._starts = dict(view.starts)
        world._adopt(game.copy(), log.copy())
        world._ply, world._result, world._reason = view.ply, int(view.result), int(view.reason)
        fill(world._game[0], world._tables[0], ranks)
        world._count = 0
        if not world._result:
            world._count = calls.list_legal(world._desk)
        return world


def fill(game: Any, tables: Any, ranks: Mapping[int, int]) -> None:
    """Give the hidden standing men of a record their ranks, and list those that can move. Raises BadArmy."""
    game["seen_by"] = 3
    for seat in (0, 1):
        count = 0
        for pid in range(MEN * seat, MEN * seat + MEN):
            cell = int(game["sq"][pid])
            if not cell:
                continue
            code = int(game["code"][cell])
            if code & 15 == Rank.UNKNOWN:
                if not 1 <= ranks.get(pid, 0) <= Rank.FLAG:
                    raise BadArmy("a hidden man has no imagined rank", code="no_rank")
                code = code & 0xF0 | ranks[pid]
                game["code"][cell] = code
            elif ranks.get(pid, code & 15) != code & 15:
                raise BadArmy("a known man is imagined with another rank", code="other_rank")
            if tables["reach"][code & 15]:
                game["ml"][MEN * seat + count] = pid
                game["ms"][pid] = count
                count += 1
            else:
                game["ms"][pid] = NOBODY
        game["mc"][seat] = count
