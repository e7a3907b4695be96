"""A server for one game of a paired world: the house's army and moves are written down, and no time passes.

Run as a program with a folder and `leak` or `tight`; the game comes as JSON on a line of input, and the server ends
when its input does. `leak` plants what must never be: the state tells one hidden rank.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec

from flagfall.rules.board import Seat
from flagfall.server import run, state
from tests.server.hall import Scripted, hall, sealed_alike, still

STATIC = Path(run.__file__).parent / "static"


def tell_a_rank(referee: Any, seat: Seat, *rest: Any) -> Any:
    """The honest state with one rank too many."""
    told = HONEST(referee, seat, *rest)
    army = referee.own_army(seat.other)
    at, hidden = next((at, man) for at, man in enumerate(told.men) if man.seat == seat.other.word and man.rank is None)
    told.men[at] = msgspec.structs.replace(hidden, rank=int(next(iter(army.ranks.values()))))
    return told


HONEST: Any = state.seen


async def serve(folder: Path, leak: bool) -> None:
    """Serve until the input ends."""
    lines = asyncio.get_running_loop()
    game = json.loads(await lines.run_in_executor(None, sys.stdin.readline))
    house = Scripted(game["army"], game["moves"])
    with sealed_alike(), patch.object(state, "seen", tell_a_rank if leak else HONEST):
        async with hall(folder / "games.sqlite3", thinker=house, nature=still(), static=STATIC) as server:
            sys.stdout.write(f"http://{server.address}\n")
            sys.stdout.flush()
            await lines.run_in_executor(None, sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(serve(Path(sys.argv[1]), sys.argv[2] == "leak"))
