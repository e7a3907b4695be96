"""What those who look on are told, written field by field from a watcher's View, or late from both seats' Views."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from flagfall.play.clock import Kind
from flagfall.play.events import Moved, standing
from flagfall.rules.board import Seat
from flagfall.rules.events import Reason, Result
from flagfall.server import state
from flagfall.server.cards import card, counts
from flagfall.server.ledger import Ledger, not_ready
from flagfall.server.sight import SEATS, fallen_unseen, left_of, man_of
from flagfall.server.state import REASONS, RESULTS
from flagfall.server.watching import Showing
from flagfall.wire.messages import Both, ClockState, Left, Pair
from flagfall.wire.sitters import Sitters
from flagfall.wire.watching import Watched

if TYPE_CHECKING:
    from flagfall.play.clock import Control
    from flagfall.rules.deployment import Deployment
    from flagfall.rules.events import Played
    from flagfall.rules.position import Man
    from flagfall.rules.variant import Variant
    from flagfall.rules.view import View


class Past:
    """A board as it stood after any number of plies: what both seats knew, and what each of them did."""

    def __init__(self, variant: Variant, first: Seat, armies: tuple[Deployment, Deployment]) -> None:
        self._variant, self._first, self._armies = variant, first, armies
        self._plies: list[Played] = []
        self._start()

    def _start(self) -> None:
        # Views stand on the compiled law, which this process does not load before its pages are up.
        from flagfall.rules.view import View

        red, blue = self._armies
        game, first = self._variant, self._first
        self.public: View = View.watch(game, red.squares, blue.squares, first)
        self._seats = View.start(game, red, blue.squares, first), View.start(game, blue, red.squares, first)
        self._plies.clear()

    def follow(self, plies: Sequence[Played]) -> None:
        """Go to the position after these plies: on from the last one asked for, or anew where those are no more."""
        done = len(self._plies)
        if list(plies[:done]) != self._plies:
            self._start()
            done = 0
        for played in plies[done:]:
            for view in (self.public, *self._seats):
                view.fold(played)
            self._plies.append(played)

    def open_men(self) -> list[Man]:
        """Every man with his rank, in the order of the public ones."""
        return _open_men(self._seats, self.public.men())


def before(ledger: Ledger, shown: Showing, sitters: Sitters) -> Watched:
    """What is told while the armies do not both stand: that they are being placed, and nothing of them."""
    army = counts(ledger.record.terms.variant)
    result, reason = ledger.end
    return Watched(
        **_heading(ledger, shown, sitters),
        phase="deploying" if result is Result.GOING else "over",
        turn=None,
        ply=0,
        men=[],
        plies_from=1,
        plies=[],
        left=Left(red=army, blue=army),
        hidden_fallen=Pair(red=0, blue=0),
        offer=None,
        clock=None,
        sealed=None,
        result=RESULTS.get(result),
        reason=REASONS.get(reason),
        truth=None,
    )


def told(ledger: Ledger, shown: Showing, sitters: Sitters, past: Past | None, since: int, now_ms: int) -> Watched:
    """What is told of a game whose armies stand, with the plies after number `since`.

    past: for a board that is late. Raises NotAllowed `law_not_ready`.
    """
    referee = ledger.need()
    events = referee.events(None)
    moves = standing(events)[: shown.ply]
    # Plies that took the place of others are told anew.
    since = min(since, shown.ply, *referee.takebacks)
    is_open, is_late = shown.how == "open", shown.how in ("waiting", "truth", "late")
    over = is_open or referee.reason is Reason.ABORTED
    clock = state.clock_of(referee, now_ms)
    if is_open:
        views = referee.view(Seat.RED), referee.view(Seat.BLUE)
        men = _open_men(views, views[0].men())
        turn, variant = None, referee.terms.variant
    elif is_late:
        if past is None:
            raise not_ready()
        past.follow([fact.played for fact in moves])
        men = past.open_men() if shown.how == "truth" else past.public.men()
        turn, variant = past.public.turn, referee.terms.variant
        clock = _stopped(referee.terms.control, moves)
    else:
        view = referee.view(None)
        men, turn, variant = view.men(), referee.turn, view.variant
    knows = shown.how in ("truth", "open")
    live = shown.how in ("public", "open")
    return Watched(
        **_heading(ledger, shown, sitters),
        phase="over" if over else "playing",
        turn=None if turn is None else SEATS[turn],
        ply=len(moves),
        men=[man_of(man) for man in men],
        plies_from=since + 1,
        plies=[state.ply_of(fact) for fact in moves[since:]],
        left=Left(*(left_of(variant.army, men, side, knows) for side in Seat)),
        hidden_fallen=Pair(red=fallen_unseen(men, Seat.RED), blue=fallen_unseen(men, Seat.BLUE)),
        offer=None if referee.offer is None or not live else SEATS[referee.offer],
        clock=clock,
        sealed=state.sealed([event.fact for event in events]),
        result=RESULTS.get(referee.result) if over else None,
        reason=REASONS.get(referee.reason) if over else None,
        truth=state.opened(referee) if is_open else None,
    )


def _heading(ledger: Ledger, shown: Showing, sitters: Sitters) -> dict[str, Any]:
    terms = ledger.record.terms
    watch = ledger.watch
    return {
        "game": terms.game,
        "showing": shown.how,
        "delay": None if watch is None else watch.delay,
        "agreed": Both(*shown.agreed),
        "variant": card(terms.variant),
        "level": ledger.summary.level,
        "against": ledger.against,
        "complete": ledger.complete,
        "names": sitters[0],
        "ratings": sitters[1],
        "ready": Both(*(ledger.placed(seat) is not None for seat in Seat)),
        "first": SEATS[terms.first],
    }


def _open_men(views: tuple[View, View], order: Sequence[Man]) -> list[Man]:
    """Every man with his rank, out of the View of his own seat."""
    own = {man.id: man for view in views for man in view.men() if man.seat is view.seat}
    return [own[man.id] for man in order]


def _stopped(control: Control | None, moves: Sequence[Moved]) -> ClockState | None:
    """The clocks as they stood after the last ply that is shown; they do not run, for that moment is past."""
    if control is None:
        return None
    left = moves[-1].left_ms if moves else None
    if control.kind is Kind.PER_MOVE and control.cap_ms is not None:
        left = (control.cap_ms, control.cap_ms)
    red_ms, blue_ms = left or (control.main_ms, control.main_ms)
    return ClockState(control.kind.value, red_ms, blue_ms, None, control.cap_ms, 0)
