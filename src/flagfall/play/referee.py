"""The referee: alone holds the Truth, lets each seat do what it may, and tells each audience what it may know."""

from __future__ import annotations

from enum import StrEnum
from typing import NoReturn, SupportsIndex

from flagfall.errors import BadArmy, FlagfallError, IllegalMove, NotAllowed, Unreadable
from flagfall.play.clock import Clock, SetupEnd, setup_deadline_ms
from flagfall.play.events import Audience, Declined, Deployed, Ended, Event, Fact, Moved, Offered, Started
from flagfall.play.lot import by_lot
from flagfall.play.player import SEED_BYTES, Kind, Request, seat_seed
from flagfall.play.record import Act, Deed, Record, Terms, commitment
from flagfall.rules.board import Move, Seat
from flagfall.rules.deployment import Deployment
from flagfall.rules.events import Played, Reason, Refusal, Result
from flagfall.rules.truth import Truth
from flagfall.rules.view import View, forbid_type_comparison


class Phase(StrEnum):
    """Where a game stands."""

    DEPLOYING = "deploying"
    PLAYING = "playing"
    OVER = "over"


class Referee:
    """One game from the set-up to its end.

    Every deed is one `Act`, done in one place whether it is live or read from a record: so a record leads to the same
    end, and an interrupted game goes on as if nothing had been. Times are handed in, in milliseconds on any clock of
    the caller's that does not run backwards. A deed that is not allowed raises and changes nothing, but that a game
    whose time was up before it is over first.

    secret: 32 random bytes of this game alone; ValueError for another length. live: False to walk through a game that
    was played elsewhere; a live table refuses a law that compares positions by type (R9.6): NotAllowed.
    """

    def __init__(self, terms: Terms, *, secret: bytes, now_ms: int, live: bool = True) -> None:
        if len(secret) != SEED_BYTES:
            raise ValueError(f"the secret of a game has {SEED_BYTES} bytes")
        if live:
            forbid_type_comparison(terms.variant)
        self.terms = terms
        self.result, self.reason = Result.GOING, Reason.NONE
        self.offer: Seat | None = None
        self._secret = secret
        self._origin_ms = now_ms
        self._truth: Truth | None = None
        self._armies: list[Deployment | None] = [None, None]
        self._clock: Clock | None = None
        self._turn_since_ms = 0
        self._plies: list[Played] = []
        self._acts: list[Act] = []
        self._events: list[Event] = []
        self._may_offer = [True, True]

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
        return self.phase is Phase.PLAYING and self._may_offer[seat]

    def left_ms(self, now_ms: int) -> tuple[int, int] | None:
        """What red and blue have left for the game; None without a clock or before it starts."""
        if self._clock is None:
            return None
        at = self._at(now_ms)
        return self._clock.remaining_ms(Seat.RED, at), self._clock.remaining_ms(Seat.BLUE, at)

    def deadline_ms(self) -> int | None:
        """When the running time is up, on the caller's clock; None where nothing runs out."""
        due = self._due_ms()
        return None if due is None else due + self._origin_ms

    # --- what an audience may know -------------------------------------------------------------------------------

    def view(self, audience: Audience) -> View:
        """What a seat, or a watcher (None), may know of the board. Raises NotAllowed before the first ply is due."""
        if self._truth is None:
            raise NotAllowed("nobody has seen a board before both armies stand", code="not_started")
        return self._truth.look(audience)

    def events(self, audience: Audience, since: int = 0) -> tuple[Event, ...]:
        """The events after number `since` that an audience is told, numbered from 1 without gaps."""
        return tuple(_told(event, audience) for event in self._events[max(0, since) :])

    @property
    def told(self) -> int:
        """How many events there were, for every audience as many."""
        return len(self._events)

    def moves(self, since: int = 0) -> list[Moved]:
        """The plies after number `since`, as every audience is told them."""
        found: list[Moved] = []
        for event in reversed(self._events):
            if isinstance(event.fact, Moved):
                if event.fact.played.ply <= since:
                    break
                found.append(event.fact)
        return found[::-1]

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

    def armies(self) -> tuple[Deployment | None, Deployment | None]:
        """Both armies, once the game is over. Raises NotAllowed `not_over`."""
        self._only_over()
        return self._armies[Seat.RED], self._armies[Seat.BLUE]

    def record(self) -> Record:
        """The record, once the game is over. Raises NotAllowed `not_over`."""
        self._only_over()
        return self._written(self._acts[-1].at_ms)

    def journal(self, now_ms: int) -> Record:
        """The record as it stands, with all that is secret: for the referee's own store and nobody's eyes."""
        return self.record() if self.phase is Phase.OVER else self._written(self._at(now_ms))

    # --- what a seat may do ----------------------------------------------------------------------------------------

    def deploy(self, seat: Seat, army: Deployment, now_ms: int) -> None:
        """Set up. Raises BadArmy (R3), NotAllowed."""
        self._live(Deed.DEPLOY, seat, now_ms, army=army)

    def move(self, seat: Seat, move: Move, now_ms: int) -> Played:
        """Play a ply. Raises IllegalMove with a reason of R0 or `out_of_turn`, NotAllowed."""
        self._live(Deed.MOVE, seat, now_ms, move=move)
        return self._plies[-1]

    def offer_draw(self, seat: Seat, now_ms: int) -> None:
        """Offer a draw; where the other seat's offer stands, that one is accepted. Raises NotAllowed."""
        self._live(Deed.ACCEPT if self.offer is seat.other else Deed.OFFER, seat, now_ms)

    def answer_draw(self, seat: Seat, accept: bool, now_ms: int) -> None:
        """Take or decline the draw that the other seat offers. Raises NotAllowed."""
        self._live(Deed.ACCEPT if accept else Deed.DECLINE, seat, now_ms)

    def resign(self, seat: Seat, now_ms: int) -> None:
        """Give up, at any time and out of turn too (R11.2). Raises NotAllowed."""
        self._live(Deed.RESIGN, seat, now_ms)

    def forfeit(self, seat: Seat, fault: FlagfallError, now_ms: int) -> None:
        """Lose for a fault of one's program (R11.2); the fault's code stays in the record. Raises NotAllowed."""
        self._live(Deed.FORFEIT, seat, now_ms, fault=fault.stable_code)

    def tick(self, now_ms: int) -> bool:
        """Do what is due by now, one thing a call; says whether there was one.

        Where a time was up the game ends (R11.2); where it was the time to set up, the lot may set up instead (R12).
        """
        due = self._due_ms()
        at = self._at(now_ms)
        if due is None or at < due:
            return False
        if self._fills():
            self._do(Act(due, Deed.FILL, self._missing()[0]))
        else:
            self._do(Act(due, Deed.TIME, self._late()))
        return True

    # --- taking a game up again --------------------------------------------------------------------------------------

    @classmethod
    def resume(cls, record: Record, now_ms: int) -> Referee:
        """The referee of a recorded game, as it was when the record was written; the time between does not count.

        Raises Unreadable: `record_illegal` (`act` says which, from 1) or `record_differs` where the game does not end
        as the record says.
        """
        referee = cls(record.terms, secret=record.secret, now_ms=now_ms - record.elapsed_ms, live=not record.over)
        for number, act in enumerate(record.acts, 1):
            try:
                if act.at_ms > record.elapsed_ms:
                    raise NotAllowed("this act lies after the end of its record", code="too_late")
                referee._do(
                    act, record.deployments[act.seat] if act.deed is Deed.DEPLOY and act.seat is not None else None
                )
            except FlagfallError as error:
                raise Unreadable(
                    f"act {number} of this record cannot be: {error}", code="record_illegal", act=number
                ) from None
        kept = referee._written(record.elapsed_ms)
        if (kept.result, kept.reason, kept.deployments) != (record.result, record.reason, record.deployments):
            raise Unreadable("this game does not end as its record says", code="record_differs")
        return referee

    # --- inside ------------------------------------------------------------------------------------------------------

    def _live(
        self, deed: Deed, seat: Seat, now_ms: int, *, army: Deployment | None = None, move: Move | None = None,
        fault: str | None = None,
    ) -> None:  # fmt: skip
        while self.tick(now_ms):
            pass
        self._do(Act(self._at(now_ms), deed, seat, move=move, fault=fault), army)

    def _do(self, act: Act, army: Deployment | None = None) -> None:
        """Do one act, or raise and leave everything as it was."""
        if self.phase is Phase.OVER:
            raise NotAllowed("the game is over", code="game_over")
        if self._acts and act.at_ms < self._acts[-1].at_ms:
            raise NotAllowed("an act lies before the one in front of it", code="too_early")
        due = self._due_ms()
        if act.deed in (Deed.TIME, Deed.FILL):
            whose = self._missing()[0] if self._fills() else self._late()
            if act.at_ms != due or act.seat is not whose or self._fills() != (act.deed is Deed.FILL):
                raise NotAllowed("no time was up then", code="time_not_up")
        elif due is not None and act.at_ms >= due:
            raise NotAllowed("the time was up before", code="time_up")
        if act.seat is None:
            self._close(act, Result.DRAW, Reason.TIME)
        elif act.deed is Deed.DEPLOY:
            self._deploy(act, act.seat, army)
        elif act.deed is Deed.FILL:
            self._deploy(act, act.seat, by_lot(self.terms.variant, act.seat, seat_seed(self._secret, act.seat)))
        elif act.deed in _LOSSES:
            self._close(act, Result.win(act.seat.other), _LOSSES[act.deed])
        elif self._truth is None:
            raise NotAllowed("the armies are still being set up", code="not_started")
        elif act.deed is Deed.MOVE:
            self._move(act, act.seat, self._truth)
        else:
            self._bargain(act, act.seat)

    def _deploy(self, act: Act, seat: Seat, army: Deployment | None) -> None:
        if self._armies[seat] is not None:
            raise NotAllowed("this army stands already", code="already_deployed")
        if army is None or army.variant != self.terms.variant or army.seat is not seat:
            raise BadArmy("this army belongs to another game or seat", code="wrong_army")
        self._armies[seat] = army.checked()
        self._tell(act, Deployed(seat, army.text()))
        red, blue = self._armies
        if red is None or blue is None:
            return
        self._truth = Truth(self.terms.variant, red, blue, self.terms.first)
        self._turn_since_ms = act.at_ms
        squares = (tuple(sorted(red.squares)), tuple(sorted(blue.squares)))
        sealed = (commitment(self._secret, red), commitment(self._secret, blue))
        self._announce(act.at_ms, Started(self.terms.first, squares, sealed))
        if self._truth.result is not Result.GOING:
            self._end(act.at_ms, self._truth.result, self._truth.reason)
        elif self.terms.control is not None:
            self._clock = Clock.start(self.terms.control, self.terms.first, act.at_ms)

    def _move(self, act: Act, seat: Seat, truth: Truth) -> None:
        if act.move is None or truth.turn is not seat:
            raise IllegalMove("it is the other side's turn", Refusal.OUT_OF_TURN.word)
        played = truth.play(act.move)
        self._plies.append(played)
        self.offer = None
        self._may_offer[seat] = True
        if self._clock is not None:
            self._clock = self._clock.pressed(act.at_ms)
        spent, self._turn_since_ms = act.at_ms - self._turn_since_ms, act.at_ms
        self._tell(act, Moved(played, spent, self._clock.left_ms if self._clock is not None else None))
        if played.result is not Result.GOING:
            self._end(act.at_ms, played.result, played.reason)

    def _bargain(self, act: Act, seat: Seat) -> None:
        if act.deed is Deed.OFFER:
            if not self._may_offer[seat] or self.offer is not None:
                raise NotAllowed("a draw may be offered again after the next own move", code="offered_already")
            self.offer, self._may_offer[seat] = seat, False
            self._tell(act, Offered(seat))
        elif self.offer is not seat.other:
            raise NotAllowed("no draw is offered", code="no_offer")
        elif act.deed is Deed.ACCEPT:
            self._close(act, Result.DRAW, Reason.AGREED)
        else:
            self.offer = None
            self._tell(act, Declined(seat))

    def _close(self, act: Act, result: Result, reason: Reason) -> None:
        """End the game away from the board (R11.2)."""
        self._acts.append(act)
        self._end(act.at_ms, result, reason)

    def _end(self, at_ms: int, result: Result, reason: Reason) -> None:
        self.result, self.reason, self.offer = result, reason, None
        if self._clock is not None:
            self._clock = self._clock.stopped(at_ms)
        self._announce(at_ms, Ended(result, reason))

    def _tell(self, act: Act, fact: Fact) -> None:
        self._acts.append(act)
        self._announce(act.at_ms, fact)

    def _announce(self, at_ms: int, fact: Fact) -> None:
        self._events.append(Event(len(self._events) + 1, at_ms, fact))

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

    def _only_over(self) -> None:
        if self.phase is not Phase.OVER:
            raise NotAllowed("this is open when the game is over", code="not_over")

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
        return f"Referee({self.terms.game}, {self.terms.variant.name}, {self.phase.value}, ply {self.ply})"

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        """A referee is neither copied nor pickled: it is written down as a record, by name and on purpose."""
        raise TypeError("a referee is neither copied nor pickled")


_LOSSES = {Deed.RESIGN: Reason.RESIGNED, Deed.TIME: Reason.TIME, Deed.FORFEIT: Reason.FORFEIT}


def _told(event: Event, audience: Audience) -> Event:
    """The event as an audience hears it: an army goes to its owner alone."""
    fact = event.fact
    if isinstance(fact, Deployed) and fact.seat is not audience:
        return Event(event.n, event.at_ms, Deployed(fact.seat, None))
    return event
