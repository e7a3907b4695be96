"""The scale of ratings: a person's strength as an estimate with its deviation, moved by one game between two.

The model is openskill's Bradley-Terry one, on the familiar scale: 400 points are odds of ten to one.
"""

from __future__ import annotations

import math

from msgspec import Struct
from openskill.models import BradleyTerryFull

from flagfall.play.clock import Control
from flagfall.wire.people import PaceWord
from flagfall.wire.sitters import Rating

START, WIDEST, NARROWEST = 1500.0, 350.0, 45.0
PROVISIONAL = 110.0
"""A larger deviation than this makes a rating provisional."""
WEEKLY = 25.0
"""A week without a rated game of its class adds the square of this to the square of a deviation."""
WEEK_MS = 7 * 24 * 3600 * 1000
MOVES = 100
"""Moves of one seat that a game is taken to have, where its clock is put into a class."""
RAPID_MS, LONG_MS = 600_000, 1_800_000
_BETA = 400 / math.log(10) / math.sqrt(2)
_model = BradleyTerryFull(mu=START, sigma=WIDEST, beta=_BETA, tau=0.0, gamma=lambda *_: 1.0)


class Standing(Struct, frozen=True):
    """Where somebody stands in one class after so many `games` there, the last of which ended at `at_ms`."""

    rating: float = START
    deviation: float = WIDEST
    games: int = 0
    at_ms: int = 0

    @property
    def provisional(self) -> bool:
        """Whether this is little more than a guess."""
        return self.deviation > PROVISIONAL

    def at(self, now_ms: int) -> Standing:
        """What it is worth later: the deviation grows with the time in which nothing was played."""
        weeks = max(0, now_ms - self.at_ms) / WEEK_MS if self.games else 0.0
        wider = min(WIDEST, math.hypot(self.deviation, WEEKLY * math.sqrt(weeks)))
        return Standing(self.rating, wider, self.games, self.at_ms)


def played(red: Standing, blue: Standing, ranks: tuple[int, int], now_ms: int) -> tuple[Standing, Standing]:
    """Where both stand after a game that ends now; ranks: 1 for who won, 2 for who lost, alike for a draw."""
    pair = [red.at(now_ms), blue.at(now_ms)]
    teams = [[_model.rating(mu=one.rating, sigma=one.deviation)] for one in pair]
    moved = [team[0] for team in _model.rate(teams, ranks=list(ranks))]
    found = [
        Standing(new.mu, min(WIDEST, max(NARROWEST, new.sigma)), old.games + 1, now_ms)
        for old, new in zip(pair, moved, strict=True)
    ]
    return found[0], found[1]


def told(one: Standing) -> Rating:
    """A standing as others see it."""
    return Rating(round(one.rating), round(one.deviation), one.provisional)


def pace_of(control: Control | None) -> PaceWord:
    """The class of a clock: what one seat has for a game of so many moves."""
    if control is None:
        return "untimed"
    if control.by_days:
        return "days"
    each_ms = control.add_ms if control.main_ms else (control.cap_ms or 0)
    whole_ms = control.main_ms + MOVES * each_ms
    return "blitz" if whole_ms < RAPID_MS else "rapid" if whole_ms < LONG_MS else "long"
