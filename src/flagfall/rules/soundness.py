"""What makes data a game that can be played and won: every reason to refuse a variant, with the field it lies in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from flagfall.errors import BadVariant
from flagfall.rules.board import MAX_FILES, MAX_ROWS, Seat, Square, square_name
from flagfall.rules.events import Outcome
from flagfall.rules.pieces import RANKS, Rank

if TYPE_CHECKING:
    from flagfall.rules.variant import Variant


def shape_faults(game: Variant, men_cap: int, far: int) -> Iterator[BadVariant]:
    """What keeps a variant's tables from being tables of a game, the first first."""
    if not (1 <= game.width <= MAX_FILES and 1 <= game.height <= MAX_ROWS):
        yield _bad("bad_board", "board", "a board is 1 to 10 files wide and 1 to 10 rows deep")
        return
    if not _squares_fit(game):
        yield _bad("bad_board", "board", "home areas and lakes lie on the board and do not overlap")
        return
    for rank, count in game.army.items():
        if not 0 <= count <= men_cap:
            yield _bad("bad_counts", f"army.{rank.word}", "a rank counts 0 to 40 men")
    if game.army.get(Rank.FLAG, 0) != 1:
        yield _bad("bad_counts", "army.flag", "an army has exactly one flag")
    if not 1 <= game.men <= men_cap:
        yield _bad("bad_counts", "army", "an army has at most 40 men")
    for rank, reach in game.reach.items():
        if not 0 <= reach <= far:
            yield _bad("bad_reach", f"reach.{rank.word}", "a reach is 0 to 9 fields")
    if game.reach.get(Rank.FLAG, 0) != 0:
        yield _bad("bad_reach", "reach.flag", "a flag never moves")
    yield from _battle_faults(game)


def sense_faults(game: Variant) -> Iterator[BadVariant]:
    """What keeps a variant of sound shape from being played and won."""
    for seat in Seat:
        if game.men > len(game.home[seat]):
            found = f"{game.men} men do not fit into the {len(game.home[seat])} squares of {seat.word}'s home"
            yield _bad("bad_counts", "army", found)
    movers = [rank for rank in RANKS if game.army.get(rank) and game.reach_of(rank)]
    if not movers:
        yield _bad("no_mover", "army", "nobody in this army ever moves")
    cut_off = _cut_off(game)
    if cut_off is not None:
        yield _bad("cut_off", "board", f"no way leads from one army to the other's square {square_name(cut_off)}")
    takers = [rank for rank in movers if game.battle(rank, Rank.BOMB) in (Outcome.ATTACKER, Outcome.BOTH)]
    if game.army.get(Rank.BOMB) and not takers:
        yield _bad("bombs_for_ever", "army", "nobody in this army takes bombs, so a flag behind them is safe")


def _bad(code: str, field: str, sentence: str) -> BadVariant:
    return BadVariant(sentence, code=code, field=field)


def _squares_fit(game: Variant) -> bool:
    areas = [set(game.home[0]), set(game.home[1]), set(game.lakes)]
    every = set().union(*areas)
    on_board = all(at >= 0 and at % 10 < game.width and at // 10 < game.height for at in every)
    return on_board and len(every) == len(game.home[0]) + len(game.home[1]) + len(game.lakes)


def _battle_faults(game: Variant) -> Iterator[BadVariant]:
    """Exceptions that cannot be, or that contradict each other."""
    seen = set()
    for place, (mine, theirs, _) in enumerate(game.battles):
        field = f"battles[{place}]"
        if Rank.FLAG in (mine, theirs):
            yield _bad("bad_battle", field, "a battle with a flag has only one end")
        elif not game.reach_of(mine):
            yield _bad("bad_battle", field, f"a {mine.word} never attacks, for it never moves")
        elif (mine, theirs) in seen:
            yield _bad("battle_twice", field, "this battle has an end already")
        seen.add((mine, theirs))


def _cut_off(game: Variant) -> Square | None:
    """A home square that cannot be reached from Red's first one over dry squares, None for a board that hangs together.

    Whoever stood there could neither attack nor be attacked, and a flag there could not be won.
    """
    homes = [*game.home[Seat.RED], *game.home[Seat.BLUE]]
    dry, reached, left = set(game.usable), set(homes[:1]), homes[:1]
    while left:
        at = left.pop()
        for step in (-10, -1, 1, 10):
            there = Square(at + step)
            level = abs(step) == 10 or there // 10 == at // 10
            if level and there in dry and there not in reached:
                reached.add(there)
                left.append(there)
    return next((at for at in homes if at not in reached), None)
