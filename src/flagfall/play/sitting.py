"""A game as its referee holds it: how it stands, what anybody may ask of it, and when its time is up."""

from __future__ import annotations

from enum import StrEnum
from typing import NoReturn, SupportsIndex

from flagfall.errors import NotAllowed
from flagfall.play.agreement import Question
from flagfall.play.clock import Clock, SetupEnd, setup_deadline_ms
from flagfall.play.events import Audience, Event, Moved, TakenBack, told
from flagfall.play.player import Kind, Request, seat_seed
from flagfall.play.record import Act, Record, Sort, Terms
from flagfall.play.takeback import refusal, undone
from flagfall.rules.board import Seat
from flagfall.rules.deployment import Deployment
from flagfall.rules.events import Played, Reason, Result
from flagfall.rules.position import Position

EARLY_PLIES = 1
"""How many plies may have been played where a game may still be called off (R11.2): before the second move."""


class Phase(StrEnum):
    """Where a game stands."""

    DEPLOYING = "deploying"
    PLAYING = "playing"
    OVER = "over"


class Sitting:
    """What a referee knows and who may ask for it; the deeds are the referee's own.

    secret: 32 random bytes of this game alone. now_ms: the beginning of its time, on the caller's clock.
    """

    def __init__(self, terms: Terms, secret: bytes, now_ms: int) -> None:
        self.terms = terms
        self.result, self.reason = Result.GOING, Reason.NONE
        self._secret = secret
        self._origin_ms = now_ms
        self._truth: Position | None = None
        self._armies: list[Deployment | None] = [None, None]
        self._clock: Clock | None = None
        self._turn_since_ms = 0
        self._plies: list[Played] = []
        self._acts: list[Act] = []
        self._events: list[Event] = []
        self._moved: list[Moved] = []
        self._draw = Question("offered_already", "no_offer")
        self._back = Question("asked_already", "no_ask")

    # --- what anybody may know -----------------------------------------------------------------------------------

    @property
    def phase(self) -> Phase:
        """Where the game stands."""
        if self.result is not Result.GOING:
            return Phase.OVER
        return Phase.DEPLOYING if self._truth is None else Phase.PLAYING

    @property
    def turn(self) -> Seat | None:
        """Whose ply is awaited; None unless the game is being played."""
        return self._truth.turn if self._truth is not None and self.phase is Phase.PLAYING else None

    @property
    def ply(self) -> int:
        """How many plies were played."""
        return len(self._plies)

    @property
    def last_act(self) -> Act | None:
        """What was done last, set-ups apart a thing that everybody was told."""
        return self._acts[-1] if self._acts else None

    def deployed(self, seat: Seat) -> bool:
        """Whether a seat has set up."""
        return self._armies[seat] is not None

    def may_offer(self, seat: Seat) -> bool:
        """Whether a seat may offer a draw: once, then again only after a ply of its own."""
        return self.phase is Phase.PLAYING and self._draw.may(seat)

    @property
    def offer(self) -> Seat | None:
        """Who offers a draw that is not answered yet."""
        return self._draw.asker

    @property
    def ask(self) -> Seat | None:
        """Who asks for a ply back and is not answered yet."""
        return self._back.asker

    @property
    def takebacks(self) -> tuple[int, ...]:
        """How many plies each takeback left standing, in order."""
        return tuple(event.fact.ply for event in self._events if isinstance(event.fact, TakenBack))

    def why_not_back(self, seat: Seat) -> NotAllowed | None:
        """Why a seat may not ask for its last ply back, None where it may; public facts alone decide (R7)."""
        if self.phase is not Phase.PLAYING or self.turn is None:
            return NotAllowed("no game is being played", code="not_playing")
        if self.terms.rated or any(sitter.sort is not Sort.PERSON for sitter in self.terms.sitters):
            return NotAllowed("plies are taken back in casual games between people only", code="no_takeback")
        return refusal(self._plies, undone(self.turn, seat)) or self._back.why_not(seat)

    def may_abort(self) -> bool:
        """Whether either seat may call the game off: before the second move."""
        return self.phase is not Phase.OVER and self.ply <= EARLY_PLIES

    def left_ms(self, now_ms: int) -> tuple[int, int] | None:
        """What red and blue have left for the game; None without a clock or before it starts."""
        if self._clock is None:
            return None
        at = self._at(now_ms)
        return self._clock.remaining_ms(Seat.RED, at), self._clock.remaining_ms(Seat.BLUE, at)

    def free_ms(self, now_ms: int) -> int:
        """What is left of the running move's free time; 0 without any."""
        return 0 if self._clock is None else self._clock.free_ms(self._at(now_ms))

    def deadline_ms(self) -> int | None:
        """When the running time is up, on the caller's clock; None where nothing runs out."""
        due = self._due_ms()
        return None if due is None else due + self._origin_ms

    # --- what an audience may know -------------------------------------------------------------------------------

    def events(self, audience: Audience, since: int = 0) -> tuple[Event, ...]:
        """The events after number `since` that an audience is told, numbered from 1 without gaps."""
        return tuple(told(event, audience) for event in self._events[max(0, since) :])

    @property
    def told(self) -> int:
        """How many events there were, for every audience as many."""
        return len(self._events)

    def moves(self, since: int = 0) -> list[Moved]:
        """The plies that stand after number `since`, as every audience is told them."""
        return self._moved[max(0, since) :]

    def request(self, kind: Kind, seat: Seat) -> Request:
        """All that a player at `seat` needs to answer; its name and budget are those of the sitter."""
        other = self._armies[seat.other] if self._truth is not None else None
        sitter = self.terms.sitters[seat]
        return Request(
            kind=kind,
            player=sitter.name,
            variant=self.terms.variant,
            seat=seat,
            seed=seat_seed(self._secret, seat),
            first=self.terms.first,
            deployment=self._armies[seat],
            enemy=() if other is None else tuple(sorted(other.squares)),
            events=tuple(self._plies),
            budget=sitter.budget,
        )

    def own_army(self, seat: Seat) -> Deployment | None:
        """What a seat has set up, for that seat."""
        return self._armies[seat]

    # --- time ------------------------------------------------------------------------------------------------------

    def _at(self, now_ms: int) -> int:
        """The time of the game, never before its last act."""
        return max(now_ms - self._origin_ms, self._acts[-1].at_ms if self._acts else 0)

    def _due_ms(self) -> int | None:
        """The time of the game at which the running time is up."""
        if self.phase is Phase.DEPLOYING:
            return setup_deadline_ms(self.terms.control, 0)
        return None if self._clock is None else self._clock.deadline_ms()

    def _late(self) -> Seat | None:
        """Whose time is running; None where it is both seats'."""
        if self._truth is not None:
            return self._truth.turn
        missing = self._missing()
        return missing[0] if len(missing) == 1 else None

    def _missing(self) -> list[Seat]:
        """The seats that have not set up."""
        return [seat for seat in Seat if self._armies[seat] is None]

    def _fills(self) -> bool:
        """Whether the end of the running time means that the lot sets up."""
        control = self.terms.control
        fills = control is not None and control.setup_timeout is SetupEnd.RANDOM_FILL
        return fills and self.phase is Phase.DEPLOYING

    def _written(self, elapsed_ms: int) -> Record:
        return Record(
            terms=self.terms,
            secret=self._secret,
            elapsed_ms=elapsed_ms,
            deployments=(self._armies[Seat.RED], self._armies[Seat.BLUE]),
            acts=tuple(self._acts),
            result=self.result,
            reason=self.reason,
        )

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}({self.terms.game}, {self.terms.variant.name}, {self.phase.value}, ply {self.ply})"
        )

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        """A referee is neither copied nor pickled: it is written down as a record, by name and on purpose."""
        raise TypeError("a referee is neither copied nor pickled")
