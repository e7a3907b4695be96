"""One honest player and many bad ones."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from flagfall.play.player import Budget, chance
from flagfall.rules.board import Move, Seat, make_move, origin, target
from flagfall.rules.deployment import Deployment
from flagfall.rules.events import Outcome, Played, Reason, Result
from flagfall.rules.pieces import Rank
from flagfall.rules.variant import Variant
from flagfall.rules.view import View

HIDDEN_WORDS = "their flag stands on a1"


class Wanderer:
    """Any army, any move."""

    def __init__(self, seed: bytes) -> None:
        self.seed = seed

    def deploy(self, variant: Variant, seat: Seat) -> Deployment:
        men = [rank for rank, count in variant.army.items() for _ in range(count)]
        places = list(variant.home[seat])
        rng = chance(self.seed, 0, "army")
        rng.shuffle(places)
        return Deployment(variant, seat, dict(zip(places[: len(men)], men, strict=True)))

    def move(self, view: View, budget: Budget) -> Move:
        return chance(self.seed, view.ply).choice(view.legal())

    def accepts_draw(self, view: View) -> bool:
        return False

    def offers_draw(self, view: View) -> bool:
        return False


class Peaceful(Wanderer):
    """Offers a draw now and then, and takes one after ten plies."""

    def offers_draw(self, view: View) -> bool:
        return view.ply % 3 == 0

    def accepts_draw(self, view: View) -> bool:
        return view.ply > 10


class Liar(Wanderer):
    """Moves where it may not, at its second move."""

    def move(self, view: View, budget: Budget) -> Move:
        return make_move(0, 99) if view.ply >= 2 else super().move(view, budget)


class Raiser(Wanderer):
    """Raises with a sentence that nobody may read."""

    def move(self, view: View, budget: Budget) -> Move:
        raise ValueError(HIDDEN_WORDS)


class Fatal(Wanderer):
    """Takes its process down."""

    def move(self, view: View, budget: Budget) -> Move:
        os._exit(3)


class Fragile(Wanderer):
    """Takes its process down once; the file named in FLAGFALL_TEST_MARK remembers."""

    def move(self, view: View, budget: Budget) -> Move:
        mark = Path(os.environ["FLAGFALL_TEST_MARK"])
        if not mark.exists():
            mark.touch()
            os._exit(3)
        return super().move(view, budget)


class Waiter(Wanderer):
    """Thinks until the file named in FLAGFALL_TEST_MARK is there."""

    def move(self, view: View, budget: Budget) -> Move:
        while not Path(os.environ["FLAGFALL_TEST_MARK"]).exists():
            time.sleep(0.01)
        return super().move(view, budget)


class Forger(Wanderer):
    """Plays on in the view it was given, as if its move were made already."""

    def move(self, view: View, budget: Budget) -> Move:
        move = super().move(view, budget)
        made = view.ply + 1, view.turn, origin(move), target(move), Outcome.QUIET
        view.fold(Played(*made, None, None, Result.GOING, Reason.NONE))
        return move


class Wrecker(Wanderer):
    """Leaves a view behind in which nothing can be asked any more."""

    def move(self, view: View, budget: Budget) -> Move:
        move = super().move(view, budget)
        del view._desk  # noqa: SLF001 - that is its fault
        return move


class Sleeper(Wanderer):
    """Thinks for a minute."""

    def move(self, view: View, budget: Budget) -> Move:
        time.sleep(60)
        return super().move(view, budget)


class Noisy(Wanderer):
    """Prints where the protocol is spoken."""

    def move(self, view: View, budget: Budget) -> Move:
        sys.stdout.write(HIDDEN_WORDS + "\n")
        sys.stdout.flush()
        return super().move(view, budget)


class Hoarder(Wanderer):
    """Answers by what its process was asked before: what no player may do."""

    asked = 0

    def move(self, view: View, budget: Budget) -> Move:
        Hoarder.asked += 1
        legal = view.legal()
        return legal[Hoarder.asked % len(legal)]


class Disorderly(Wanderer):
    """Sets up an army of flags."""

    def deploy(self, variant: Variant, seat: Seat) -> Deployment:
        return Deployment(variant, seat, dict.fromkeys(variant.home[seat], Rank.FLAG))
