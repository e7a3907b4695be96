"""The referee: alone holds the Truth, lets each seat do what it may, and tells each audience what it may know."""

from __future__ import annotations

from flagfall.errors import BadArmy, FlagfallError, IllegalMove, NotAllowed, Unreadable
from flagfall.play.clock import Clock
from flagfall.play.events import (
    Asked,
    Audience,
    Declined,
    Denied,
    Deployed,
    Ended,
    Event,
    Fact,
    Moved,
    Offered,
    Started,
    TakenBack,
)
from flagfall.play.lot import by_lot
from flagfall.play.player import SEED_BYTES, seat_seed
from flagfall.play.record import Act, Deed, Record, Sort, Terms, commitment
from flagfall.play.sitting import Phase, Sitting
from flagfall.play.takeback import undone
from flagfall.rules.board import Move, Seat
from flagfall.rules.deployment import Deployment
from flagfall.rules.events import Played, Reason, Refusal, Result
from flagfall.rules.truth import Truth
from flagfall.rules.view import View, forbid_type_comparison

__all__ = ["Phase", "Referee"]


class Referee(Sitting):
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
        super().__init__(terms, secret, now_ms)
        self._truth: Truth | None = None
        self._moves: list[Move] = []

    # --- what an audience may know -------------------------------------------------------------------------------

    def view(self, audience: Audience) -> View:
        """What a seat, or a watcher (None), may know of the board. Raises NotAllowed before the first ply is due."""
        if self._truth is None:
            raise NotAllowed("nobody has seen a board before both armies stand", code="not_started")
        return self._truth.look(audience)

    def armies(self) -> tuple[Deployment | None, Deployment | None]:
        """Both armies, once the game is over. Raises NotAllowed `not_over`, `aborted`: such a game stays closed."""
        self._only_open()
        return self._armies[Seat.RED], self._armies[Seat.BLUE]

    def record(self) -> Record:
        """The record, once the game is over. Raises NotAllowed `not_over`, `aborted`: such a game stays closed."""
        self._only_open()
        return self._written(self._acts[-1].at_ms)

    def journal(self, now_ms: int) -> Record:
        """The record as it stands, with all that is secret: for the referee's own store and nobody's eyes."""
        return self._written(self._acts[-1].at_ms if self.phase is Phase.OVER else self._at(now_ms))

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

    def ask_back(self, seat: Seat, now_ms: int) -> None:
        """Ask for one's last ply back, with the answer to it if there is one; see `why_not_back`. Raises NotAllowed."""
        self._live(Deed.ASK, seat, now_ms)

    def answer_back(self, seat: Seat, allow: bool, now_ms: int) -> None:
        """Give back what the other seat asks for, or keep to it. Raises NotAllowed."""
        self._live(Deed.ALLOW if allow else Deed.DENY, seat, now_ms)

    def abort(self, seat: Seat, now_ms: int) -> None:
        """Call the game off before the second move; it counts for nothing and stays closed. Raises NotAllowed."""
        self._live(Deed.ABORT, seat, now_ms)

    def annul(self, now_ms: int) -> None:
        """Call the game off at any time, by the word of whoever runs the house; it stays closed. Raises NotAllowed."""
        self._live(Deed.ANNUL, None, now_ms)

    def claim(self, seat: Seat, win: bool, now_ms: int) -> None:
        """Claim the win, or a draw, where the caller knows that the other seat has left (R11.2). Raises NotAllowed."""
        self._live(Deed.LEFT if win else Deed.AWAY, seat.other, now_ms)

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
        self, deed: Deed, seat: Seat | None, now_ms: int, *, army: Deployment | None = None, move: Move | None = None,
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
        self._in_time(act)
        if act.deed is Deed.ANNUL:
            self._close(act, Result.VOID, Reason.ABORTED)
        elif act.seat is None:
            self._close(act, Result.DRAW, Reason.TIME)
        elif act.deed is Deed.DEPLOY:
            self._deploy(act, act.seat, army)
        elif act.deed is Deed.FILL:
            self._deploy(act, act.seat, by_lot(self.terms.variant, act.seat, seat_seed(self._secret, act.seat)))
        elif act.deed in _LOSSES:
            self._close(act, Result.win(act.seat.other), _LOSSES[act.deed])
        elif act.deed is Deed.ABORT:
            self._abort(act)
        elif self._truth is None:
            raise NotAllowed("the armies are still being set up", code="not_started")
        elif act.deed is Deed.MOVE:
            self._move(act, act.seat, self._truth)
        elif act.deed in (Deed.LEFT, Deed.AWAY):
            self._abandon(act, act.seat)
        elif act.deed in (Deed.ASK, Deed.ALLOW, Deed.DENY):
            self._reconsider(act, act.seat)
        else:
            self._bargain(act, act.seat)

    def _in_time(self, act: Act) -> None:
        """Refuse an act that the clocks forbid. Raises NotAllowed `time_not_up`, `time_up`."""
        due = self._due_ms()
        if act.deed in (Deed.TIME, Deed.FILL):
            whose = self._missing()[0] if self._fills() else self._late()
            if act.at_ms != due or act.seat is not whose or self._fills() != (act.deed is Deed.FILL):
                raise NotAllowed("no time was up then", code="time_not_up")
        elif due is not None and act.at_ms >= due:
            raise NotAllowed("the time was up before", code="time_up")

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
        self._moves.append(act.move)
        self._draw.lapse(seat)
        self._back.lapse(seat)
        if self._clock is not None:
            self._clock = self._clock.pressed(act.at_ms)
        spent, self._turn_since_ms = act.at_ms - self._turn_since_ms, act.at_ms
        self._moved.append(Moved(played, spent, self._clock.left_ms if self._clock is not None else None))
        self._tell(act, self._moved[-1])
        if played.result is not Result.GOING:
            self._end(act.at_ms, played.result, played.reason)

    def _bargain(self, act: Act, seat: Seat) -> None:
        if act.deed is Deed.OFFER:
            self._draw.ask(seat)
            self._tell(act, Offered(seat))
            return
        self._draw.answer(seat)
        if act.deed is Deed.ACCEPT:
            self._close(act, Result.DRAW, Reason.AGREED)
        else:
            self._tell(act, Declined(seat))

    def _reconsider(self, act: Act, seat: Seat) -> None:
        if act.deed is Deed.ASK:
            refused = self.why_not_back(seat)
            if refused is not None:
                raise refused
            self._back.ask(seat)
            self._tell(act, Asked(seat))
            return
        self._back.answer(seat)
        if act.deed is Deed.ALLOW:
            self._take_back(act, seat.other)
        else:
            self._tell(act, Denied(seat))

    def _take_back(self, act: Act, asker: Seat) -> None:
        """Play the game again without its last plies: it is as if they had never been; time that was used is used."""
        red, blue = self._armies
        if red is None or blue is None or self._truth is None:
            raise NotAllowed("the armies are still being set up", code="not_started")
        count = undone(self._truth.turn, asker)
        truth = Truth(self.terms.variant, red, blue, self.terms.first)
        self._moves = self._moves[:-count]
        for move in self._moves:
            truth.push(move)
        self._truth = truth
        del self._plies[-count:], self._moved[-count:]
        self._draw.lapse()
        if self._clock is not None:
            self._clock = self._clock.turned(asker, act.at_ms)
        self._turn_since_ms = act.at_ms
        self._tell(act, TakenBack(asker, self.ply))

    def _abort(self, act: Act) -> None:
        if not self.may_abort():
            raise NotAllowed("a game may be called off before the second move only", code="too_late_to_abort")
        self._close(act, Result.VOID, Reason.ABORTED)

    def _abandon(self, act: Act, gone: Seat) -> None:
        control = self.terms.control
        if control is None or control.by_days or self.terms.sitters[gone].sort is not Sort.PERSON:
            raise NotAllowed("absence decides nothing in this game", code="no_claim")
        self._close(act, Result.win(gone.other) if act.deed is Deed.LEFT else Result.DRAW, Reason.ABANDONED)

    def _close(self, act: Act, result: Result, reason: Reason) -> None:
        """End the game away from the board (R11.2)."""
        self._acts.append(act)
        self._end(act.at_ms, result, reason)

    def _end(self, at_ms: int, result: Result, reason: Reason) -> None:
        self.result, self.reason = result, reason
        self._draw.lapse()
        self._back.lapse()
        if self._clock is not None:
            self._clock = self._clock.stopped(at_ms)
        self._announce(at_ms, Ended(result, reason))

    def _tell(self, act: Act, fact: Fact) -> None:
        self._acts.append(act)
        self._announce(act.at_ms, fact)

    def _announce(self, at_ms: int, fact: Fact) -> None:
        self._events.append(Event(len(self._events) + 1, at_ms, fact))

    def _only_open(self) -> None:
        if self.phase is not Phase.OVER:
            raise NotAllowed("this is open when the game is over", code="not_over")
        if self.reason is Reason.ABORTED:
            # Else one look at an army would cost no more than a game that is called off at once.
            raise NotAllowed("a game that was called off stays closed", code="aborted")


_LOSSES = {Deed.RESIGN: Reason.RESIGNED, Deed.TIME: Reason.TIME, Deed.FORFEIT: Reason.FORFEIT}
