"""Keeping the cyclic collector out of the way of play: thousands of games are alive, and hardly any is a cycle."""

from __future__ import annotations

import asyncio
import gc

from flagfall.server.law import LawKeeper

LOOK_EVERY_S = 20.0
GROWN_BY = 2_500_000
"""Objects that came and did not go since the last walk: three thousand games laid, or ten minutes of full play."""


async def sweep(law: LawKeeper) -> None:
    """Walk through everything once the law is there, and again whenever so much has come and not gone.

    What is dropped goes at once without the collector; only forgotten cycles stay, and they count as grown. A walk
    through two thousand live games takes about a second, in which nobody is answered; Python's own pace would take one
    every two minutes, and stop for a tenth of a second between them to look through what is young, where plies that
    stay are all there is.
    """
    await law.ready()
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            if gc.get_count()[0] >= GROWN_BY:
                gc.collect()
    finally:
        gc.enable()
