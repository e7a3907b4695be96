"""The first reply of level 1 in a fresh process: a new game, one ply of ours, its answer. Prints CPU seconds as JSON.

Run it twice: the first run of an installation compiles, the second is what a person meets from then on.
"""

import json
import os
import time

# As a machine player's process has it: the threads of a linear algebra that nobody uses cost more than loading it.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from flagfall.play import roster
from flagfall.play.player import Budget
from flagfall.play.record import Terms
from flagfall.play.referee import Referee
from flagfall.rules.board import Seat
from flagfall.rules.catalog import CLASSIC


def main() -> None:
    """Play one ply and be answered."""
    referee = Referee(Terms(variant=CLASSIC), secret=bytes(32), now_ms=0)
    house = roster.seat("level-1", bytes(32))
    referee.deploy(Seat.RED, roster.fill(CLASSIC, Seat.RED, b"\1" * 32), 0)
    referee.deploy(Seat.BLUE, house.deploy(CLASSIC, Seat.BLUE), 0)
    referee.move(Seat.RED, referee.view(Seat.RED).legal()[0], 0)
    referee.move(Seat.BLUE, house.move(referee.view(Seat.BLUE), Budget()), 0)
    print(json.dumps({"cpu_s": round(time.process_time(), 3), "plies": referee.ply}))


main()
