"""Help with placing an army: fill it in, offer the house's own, say what is wrong or unwise about it."""

from __future__ import annotations

import asyncio
import hashlib
from functools import lru_cache

from flagfall.errors import FlagfallError, Unreadable
from flagfall.play import roster
from flagfall.rules.board import Seat, Square, square_name
from flagfall.rules.deployment import Deployment
from flagfall.rules.pieces import Numbering, Rank
from flagfall.rules.variant import Variant
from flagfall.server.games import meant
from flagfall.server.nature import Nature
from flagfall.wire.bodies import Army, AskArmy, AskReady, Check, CheckArmy, Finding, ReadyArmy
from flagfall.wire.messages import params_of

STEPS = (-10, -1, 1, 10)
DRAWN = 4
"""Ready armies of a game for which nobody has made any."""


async def fill_in(order: AskArmy, nature: Nature) -> Army:
    """A sensible army round what stands already. Raises NotFound, Unreadable, BadVariant, BadArmy."""
    game, seat = meant(order.variant, order.law), Seat.of(order.seat)
    kept = {} if order.army is None else Deployment.parse(order.army, game, seat, Numbering.MODERN).ranks
    army = await asyncio.to_thread(roster.fill, game, seat, nature.secret(), kept)
    return Army(army.text())


async def ready(order: AskReady) -> list[ReadyArmy]:
    """The house's own armies of a game; a few drawn ones, always the same, where it has none. Raises NotFound."""
    game, seat = meant(order.variant, order.law), Seat.of(order.seat)
    kept = [ReadyArmy(called, text) for called, text in await asyncio.to_thread(roster.ready, game)]
    fit = [one for one in kept if _fits(one.army, game, seat)]
    if fit:
        return fit
    drawn = await asyncio.to_thread(_drawn, game, seat)
    return [ReadyArmy(f"drawn_{at}", text) for at, text in enumerate(drawn, 1)]


@lru_cache(maxsize=200)
def _drawn(game: Variant, seat: Seat) -> tuple[str, ...]:
    """A few sound armies of a game, the same whenever one asks; the seeds of the house itself are secrets."""
    seeds = [hashlib.sha256(f"ready army {at} of {game.digest}".encode()).digest() for at in range(1, DRAWN + 1)]
    return tuple(roster.fill(game, seat, seed).text() for seed in seeds)


def _fits(text: str, game: Variant, seat: Seat) -> bool:
    """Whether a text is an army of this game: house rules may change its counts."""
    try:
        return not Deployment.parse(text, game, seat, Numbering.MODERN).faults()
    except Unreadable:
        return False


def check(order: CheckArmy) -> Check:
    """What keeps this from being an army (R3), and what is unwise about it. Raises NotFound, Unreadable."""
    game, seat = meant(order.variant, order.law), Seat.of(order.seat)
    army = Deployment.parse(order.army, game, seat, Numbering.MODERN)
    return Check(
        faults=[Finding(fault.stable_code, params_of(fault)) for fault in army.faults()],
        warnings=[Finding(warning.stable_code, params_of(warning)) for warning in warnings(army)],
    )


def warnings(army: Deployment) -> list[FlagfallError]:
    """What is unwise about an army, the worst first; none of it is forbidden.

    `walled_in`: no man has a first move (R3.5). `flag_front`: the flag stands in the front row. `flag_open`: a square
    beside the flag is empty, where an army has bombs and fills its ground. `miners_back`: all miners stand in the back
    row.
    """
    found = []
    if not army.faults() and army.walled_in():
        found.append(FlagfallError("no man of this army can move", code="walled_in"))
    flag = next((at for at, rank in army.ranks.items() if rank is Rank.FLAG), None)
    if flag is not None:
        found += _flag_warnings(army, flag)
    rows = [at // 10 for at in army.variant.home[army.seat]]
    back, deep = (min(rows) if army.seat is Seat.RED else max(rows)), min(rows) != max(rows)
    miners = [at // 10 for at, rank in army.ranks.items() if rank is Rank.MINER]
    if deep and len(miners) > 1 and all(row == back for row in miners):
        found.append(FlagfallError("all miners stand in the back row", code="miners_back"))
    return found


def _flag_warnings(army: Deployment, flag: Square) -> list[FlagfallError]:
    rows = [at // 10 for at in army.variant.home[army.seat]]
    front = max(rows) if army.seat is Seat.RED else min(rows)
    found = []
    if flag // 10 == front and min(rows) != max(rows):
        found.append(FlagfallError("the flag stands in the front row", code="flag_front", square=square_name(flag)))
    free = [square_name(at) for at in _beside(army.variant, flag) if at not in army.ranks]
    # Eight men on forty squares cannot stand shoulder to shoulder, and some armies have no bomb to stand there.
    if free and army.variant.army.get(Rank.BOMB) and 4 * army.variant.men >= 3 * len(rows):
        found.append(
            FlagfallError("a square beside the flag is empty", code="flag_open", square=square_name(flag), beside=free)
        )
    return found


def _beside(game: Variant, at: Square) -> list[Square]:
    """The dry neighbours of a square on the board."""
    near = (Square(at + step) for step in STEPS if abs(step) == 10 or (at + step) // 10 == at // 10)
    return [there for there in near if there in game.usable]
