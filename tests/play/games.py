"""Whole games with everything that can happen at a table, drawn by Hypothesis."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from random import Random

from hypothesis import strategies as st

from flagfall.errors import NotAllowed
from flagfall.play.clock import Control, Kind, SetupEnd
from flagfall.play.player import Budget, derived
from flagfall.play.record import Sitter, Sort, Terms
from flagfall.play.referee import Phase, Referee
from flagfall.play.table import fault_of
from flagfall.rules.board import Seat
from flagfall.rules.catalog import CLASSIC, MICRO
from tests.guests.players import Wanderer

VARIANTS = (
    MICRO.with_law(max_plies=40),
    MICRO.with_law(max_plies=None, max_quiet_plies=12, stuck_check="on_turn"),
    CLASSIC.with_law(max_quiet_plies=60, max_plies=300),
)
CONTROLS = (
    None,
    Control(Kind.SUDDEN_DEATH, main_ms=9_000, setup_ms=500),
    Control(Kind.FISCHER, main_ms=3_000, add_ms=100, cap_ms=2_000),
    Control(Kind.BRONSTEIN, main_ms=3_000, add_ms=50),
    Control(Kind.PER_MOVE, cap_ms=700, setup_ms=900),
    Control(Kind.FISCHER, main_ms=3_000, add_ms=100, setup_ms=300, setup_timeout=SetupEnd.RANDOM_FILL),
)
SITTERS = (Sitter("Zoë", Sort.PERSON), Sitter("level-5", Sort.HOUSE, Budget(nodes=500)))
FRIENDS = (Sitter("Zoë", Sort.PERSON), Sitter("Ben", Sort.PERSON))


@dataclass
class Session:
    """A referee and what moves it: each `turn` does one deed that chance picks, at a time that chance picks."""

    referee: Referee
    rng: Random
    now_ms: int

    def turn(self) -> None:
        referee, rng = self.referee, self.rng
        self.now_ms += rng.choice((0, 1, 5, 40, 200))
        seat = rng.choice(tuple(Seat))
        with contextlib.suppress(NotAllowed):
            if referee.phase is Phase.DEPLOYING:
                seed = derived(str(rng.random()).encode(), "army")
                referee.deploy(seat, Wanderer(seed).deploy(referee.terms.variant, seat), self.now_ms)
            elif rng.random() < 0.85 and referee.turn is not None:
                mover = referee.turn
                referee.move(mover, rng.choice(referee.view(mover).legal()), self.now_ms)
            else:
                self._talk(seat)

    def _talk(self, seat: Seat) -> None:
        chance = self.rng.random()
        if chance < 0.1 and self.referee.may_abort():
            self.referee.abort(seat, self.now_ms)
        elif self.referee.ask is seat.other:
            self.referee.answer_back(seat, chance > 0.5, self.now_ms)
        elif chance < 0.35:
            self.referee.offer_draw(seat, self.now_ms)
        elif chance < 0.65:
            self.referee.answer_draw(seat, chance > 0.62, self.now_ms)
        elif chance < 0.94:
            self.referee.ask_back(seat, self.now_ms)
        else:
            self._end(seat, chance)

    def _end(self, seat: Seat, chance: float) -> None:
        if chance < 0.96:
            self.referee.claim(seat, chance < 0.95, self.now_ms)
        elif chance < 0.975:
            self.referee.resign(seat, self.now_ms)
        elif chance < 0.98:
            self.referee.annul(self.now_ms)
        else:
            self.referee.forfeit(seat, fault_of(ValueError()), self.now_ms)


def session(number: int) -> Session:
    """The session of a number: the same number, the same game."""
    rng = Random(number)
    terms = Terms(
        variant=rng.choice(VARIANTS),
        first=rng.choice(tuple(Seat)),
        sitters=rng.choice((SITTERS, FRIENDS, FRIENDS)),
        control=rng.choice(CONTROLS),
        game=f"game-{number}",
        begun_ms=rng.randrange(2**41),
        rated=rng.random() < 0.2,
    )
    start = rng.randrange(10**9)
    return Session(Referee(terms, secret=derived(str(number).encode(), "secret"), now_ms=start), rng, start)


SESSIONS = st.integers(0, 2**32).map(session)
