"""One seat's state as the page gets it, written field by field from its View; nothing is copied and then masked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flagfall.play.clock import Kind
from flagfall.play.events import Fact, Moved, Started
from flagfall.rules.board import Move, Seat, Square, named, origin, put_square, rescued, square_name, target
from flagfall.rules.deployment import Deployment
from flagfall.rules.events import Reason, Refusal, Result
from flagfall.rules.pieces import Rank
from flagfall.server.cards import OUTCOMES, card, counts
from flagfall.server.sight import SEATS, Sight
from flagfall.wire import messages
from flagfall.wire.messages import Barred, ClockState, Left, MayRescue, Opened, Pair, Ply, Rescue, Sealed, State
from flagfall.wire.sitters import NOBODY, Sitters

if TYPE_CHECKING:
    from flagfall.play.record import Terms
    from flagfall.play.referee import Referee
    from flagfall.rules.view import View
    from flagfall.server.presence import Absence

RESULTS: dict[Result, messages.ResultWord] = {
    Result.RED: "red",
    Result.BLUE: "blue",
    Result.DRAW: "draw",
    Result.VOID: "void",
}
REASONS: dict[Reason, messages.ReasonWord] = {
    Reason.FLAG: "flag",
    Reason.STUCK: "stuck",
    Reason.BOTH_STUCK: "both_stuck",
    Reason.LIMIT: "limit",
    Reason.RESIGNED: "resigned",
    Reason.AGREED: "agreed",
    Reason.TIME: "time",
    Reason.FORFEIT: "forfeit",
    Reason.ABORTED: "aborted",
    Reason.ABANDONED: "abandoned",
}
BARS: dict[Refusal, messages.BarredWord] = {
    Refusal.TWO_SQUARE: "two_square",
    Refusal.MORE_SQUARES: "more_squares",
}


@dataclass(frozen=True, slots=True)
class Told:
    """What the room knows besides the board.

    level: the house's name, empty between people. thinking: whether the house is awaited. rematch: the game that
    follows. setup_ms: what is left for setting up. watch: who may look on. invite: the code of the other seat while it
    is free. taken, ready, here: by seat, whether somebody has it, whether its army stands, whether its page is open.
    open: whether the hall lists it while a seat is free. sitters: names and ratings of those who sit there under an
    account. may_abort: whether the game may still be called off. absence: the seat that is empty while the other one
    waits.
    """

    level: str
    against: messages.Against = "house"
    invite: str | None = None
    taken: tuple[bool, bool] = (True, True)
    ready: tuple[bool, bool] = (False, False)
    here: tuple[bool, bool] = (True, True)
    may_abort: bool = False
    absence: Absence | None = None
    thinking: bool = False
    rematch: str | None = None
    setup_ms: int | None = None
    open: bool = False
    sitters: Sitters = NOBODY
    watch: messages.Watching | None = None


def before(terms: Terms, seat: Seat, own: Deployment | None, told: Told, n: int, end: tuple[Result, Reason]) -> State:
    """The state of a game whose armies do not both stand: one's own men if they do, nothing of the other side."""
    army = counts(terms.variant)
    over = end[0] is not Result.GOING
    return State(
        **_heading(terms, seat, told, n),
        phase="over" if over else "deploying",
        turn=None,
        ply=0,
        men=[] if own is None else [_placed(at, own.ranks[at], seat) for at in own.squares],
        legal={},
        barred=[],
        rescues=[],
        plies_from=1,
        plies=[],
        left=Left(red=army, blue=army),
        hidden_fallen=Pair(red=0, blue=0),
        offer=None,
        may_offer=False,
        ask=None,
        may_ask=False,
        backs=0,
        absence=None,
        clock=None,
        setup_ms=None if over else told.setup_ms,
        result=RESULTS.get(end[0]),
        reason=REASONS.get(end[1]),
        truth=None,
        sealed=None,
    )


def seen(referee: Referee, seat: Seat, since: int, now_ms: int, told: Told, sight: Sight | None = None) -> State:
    """The state of a game whose armies stand, with the plies after number `since`.

    sight: this very seat's, where it is kept; ValueError for the other's.
    """
    sight = Sight(seat) if sight is None else sight
    if sight.seat is not seat:
        raise ValueError("a seat is shown its own sight alone")
    view, turn = sight.look(referee), referee.turn
    moves = view.legal() if turn is seat else []
    left, fallen = sight.counted(referee)
    started = sight.started(referee)
    return State(
        **_heading(referee.terms, seat, told, referee.told),
        phase="over" if referee.result is not Result.GOING else "playing",
        turn=None if turn is None else SEATS[turn],
        ply=referee.ply,
        men=sight.men(referee),
        legal=_by_origin(moves),
        barred=_barred(view) if turn is seat else [],
        rescues=_rescues(view, moves),
        plies_from=since + 1,
        plies=[ply_of(fact) for fact in referee.moves(since)],
        left=Left(*left),
        hidden_fallen=Pair(*fallen),
        offer=None if referee.offer is None else SEATS[referee.offer],
        may_offer=referee.may_offer(seat) and referee.offer is None,
        ask=None if referee.ask is None else SEATS[referee.ask],
        may_ask=told.against == "friend" and referee.why_not_back(seat) is None,
        backs=len(referee.takebacks),
        absence=_absence(told.absence) if referee.result is Result.GOING else None,
        clock=clock_of(referee, now_ms),
        setup_ms=None,
        result=RESULTS.get(referee.result),
        reason=REASONS.get(referee.reason),
        truth=opened(referee),
        sealed=None if started is None else sealed([started]),
    )


def _heading(terms: Terms, seat: Seat, told: Told, n: int) -> dict[str, Any]:
    return {
        "game": terms.game,
        "n": n,
        "seat": SEATS[seat],
        "variant": card(terms.variant),
        "level": told.level,
        "against": told.against,
        "invite": told.invite,
        "open": told.open,
        "taken": messages.Both(*told.taken),
        "ready": messages.Both(*told.ready),
        "here": messages.Both(*told.here),
        "names": told.sitters[0],
        "ratings": told.sitters[1],
        "first": SEATS[terms.first],
        "rated": terms.rated,
        "may_abort": told.may_abort,
        "thinking": told.thinking,
        "rematch": told.rematch,
        "watch": told.watch,
    }


def _absence(absence: Absence | None) -> messages.Absence | None:
    return None if absence is None else messages.Absence(SEATS[absence.seat], absence.claim_ms)


def _placed(at: Square, rank: Rank, seat: Seat) -> messages.Man:
    name = square_name(at)
    return messages.Man(name, SEATS[seat], name, int(rank), moved=False, known=False, fell=None)


def _rank(rank: Rank | None) -> int | None:
    return None if rank is None or rank is Rank.UNKNOWN else int(rank)


def _by_origin(moves: Iterable[Move]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for at, to in map(named, sorted(moves)):
        found.setdefault(at, []).append(to)
    return found


def _barred(view: View) -> list[Barred]:
    """Moves of one's own that would be legal but for a repetition rule (R8, R9)."""
    found = sorted((origin(move), target(move), BARS[reason]) for move, reason in view.barred() if reason in BARS)
    return [Barred(square_name(at), square_name(to), word) for at, to, word in found]


def _rescues(view: View, moves: Iterable[Move]) -> list[MayRescue]:
    """Which legal moves of one's own may bring a fallen man back (R13.2), each man onto each of the squares."""
    if not view.variant.law.rescues:
        return []
    found = []
    for move in sorted(moves):
        orders = view.rescues(move)
        if orders:
            men, places = ({part(order) for order in orders} - {None} for part in (rescued, put_square))
            found.append(MayRescue(square_name(origin(move)), square_name(target(move)), _names(men), _names(places)))
    return found


def _names(squares: Iterable[Square | None]) -> list[str]:
    return [square_name(at) for at in sorted(at for at in squares if at is not None)]


def _rescue(man: Square | None, put: Square | None) -> Rescue | None:
    return None if man is None or put is None else Rescue(square_name(man), square_name(put))


def ply_of(fact: Moved) -> Ply:
    """A ply as everybody was told it."""
    played = fact.played
    return Ply(
        ply=played.ply,
        seat=SEATS[played.seat],
        origin=square_name(played.origin),
        target=square_name(played.target),
        outcome=OUTCOMES[played.outcome],
        attacker=_rank(played.attacker),
        defender=_rank(played.defender),
        rescue=_rescue(played.rescued, played.put),
        ms=fact.spent_ms,
    )


def clock_of(referee: Referee, now_ms: int) -> ClockState | None:
    """The clock as it stands."""
    control, left = referee.terms.control, referee.left_ms(now_ms)
    if control is None or left is None:
        return None
    running, deadline_ms = referee.turn, referee.deadline_ms()
    if control.kind is Kind.PER_MOVE and control.cap_ms is not None:
        # The move's own time is all there is: whole for the side that waits.
        rest_ms = control.cap_ms if deadline_ms is None else max(0, deadline_ms - now_ms)
        left = (rest_ms, control.cap_ms) if running is Seat.RED else (control.cap_ms, rest_ms)
    return ClockState(
        kind=control.kind.value,
        red_ms=left[Seat.RED],
        blue_ms=left[Seat.BLUE],
        running=None if running is None else SEATS[running],
        cap_ms=control.cap_ms,
        free_ms=referee.free_ms(now_ms),
    )


def opened(referee: Referee) -> Opened | None:
    """Both armies, which the referee hands out once the game is over, unless it was called off."""
    if referee.result is Result.GOING or referee.reason is Reason.ABORTED:
        return None
    red, blue = referee.armies()
    return None if red is None or blue is None else Opened(red=red.text(), blue=blue.text())


def sealed(facts: Iterable[Fact]) -> Sealed | None:
    """The digests of both armies that were told before the first ply."""
    return next((Sealed(*fact.commitments) for fact in facts if isinstance(fact, Started)), None)
