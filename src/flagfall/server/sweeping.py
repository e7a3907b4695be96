"""Keeping the cyclic collector out of the way of play: thousands of games are alive, and hardly any is a cycle."""

from __future__ import annotations

import asyncio
import gc

from flagfall.server.counts import Counts
from flagfall.server.law import LawKeeper

PACE = (3_000, 5, 1_000_000)
"""Young objects are looked through often and few at a time; all of them are never looked through by themselves."""
LOOK_EVERY_S = 20.0
GAMES_A_SWEEP, SOCKETS_A_SWEEP = 1_000, 20_000


async def sweep(law: LawKeeper, counts: Counts) -> None:
    """Look through everything once the law is there, and then after every so many games and sockets.

    Only what has gone can be a forgotten cycle, so nothing is looked for before enough has come. A walk through two
    thousand live games takes about a second, in which nobody is answered: Python's own pace would take one every two
    minutes.
    """
    await law.ready()
    gc.collect()
    gc.freeze()
    usual = gc.get_threshold()
    gc.set_threshold(*PACE)
    try:
        games, sockets = counts.laid.total(), counts.opened
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            if counts.laid.total() - games >= GAMES_A_SWEEP or counts.opened - sockets >= SOCKETS_A_SWEEP:
                games, sockets = counts.laid.total(), counts.opened
                gc.collect()
    finally:
        gc.set_threshold(*usual)
