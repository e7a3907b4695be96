"""What a seat may do to a running game: each frame of the page tried against the board and done through the ledger."""

from __future__ import annotations

from flagfall.errors import IllegalMove, NotAllowed
from flagfall.rules.board import Move, Seat, make_move, parse_square, with_rescue
from flagfall.rules.events import Refusal
from flagfall.server.ledger import Ledger
from flagfall.server.presence import Absence
from flagfall.wire import messages


async def perform(
    ledger: Ledger, seat: Seat, frame: messages.Move | messages.Deed, absence: Absence | None = None
) -> None:
    """Do what a frame asks; the same frame again is the same deed. Raises what the referee raises, StoreFault.

    absence: how long the other seat has been empty, None where somebody sits there.
    """
    if ledger.done(seat, frame.id):
        return
    referee = ledger.need()
    match frame:
        case messages.Move():
            await _move(ledger, seat, frame)
        case messages.Resign():
            await ledger.do(lambda referee, now_ms: referee.resign(seat, now_ms), frame.id)
        case messages.OfferDraw() if referee.offer is None:
            await ledger.do(lambda referee, now_ms: referee.offer_draw(seat, now_ms), frame.id)
        case messages.OfferDraw():
            raise NotAllowed("a draw is offered already", code="offered_already")
        case messages.AnswerDraw(accept=accept):
            await ledger.do(lambda referee, now_ms: referee.answer_draw(seat, accept, now_ms), frame.id)
        case messages.AskBack(ply=ply):
            current(referee.ply, ply)
            await ledger.do(lambda referee, now_ms: referee.ask_back(seat, now_ms), frame.id)
        case messages.AnswerBack(ply=ply, accept=accept):
            current(referee.ply, ply)
            await ledger.do(lambda referee, now_ms: referee.answer_back(seat, accept, now_ms), frame.id)
        case messages.Abort():
            await ledger.do(lambda referee, now_ms: referee.abort(seat, now_ms), frame.id)
        case messages.Claim(win=win):
            if absence is None or absence.seat is seat or absence.claim_ms > 0:
                raise NotAllowed("the other seat has not been empty for long enough", code="not_left")
            await ledger.do(lambda referee, now_ms: referee.claim(seat, win, now_ms), frame.id)


def current(ply: int, seen: int) -> None:
    """Refuse what was asked on an older board. Raises NotAllowed `stale`."""
    if seen != ply:
        raise NotAllowed("the game has gone on since", code="stale", ply=ply + 1)


async def _move(ledger: Ledger, seat: Seat, frame: messages.Move) -> None:
    move = make_move(parse_square(frame.origin), parse_square(frame.target))
    if frame.rescue is not None:
        move = with_rescue(move, parse_square(frame.rescue.man), parse_square(frame.rescue.put))
    if not ledger.played(seat, frame.ply, move):
        check(ledger, seat, frame.ply, move)
        await ledger.do(lambda referee, now_ms: referee.move(seat, move, now_ms), frame.id)


def check(ledger: Ledger, seat: Seat, ply: int, move: Move) -> None:
    """Refuse a move for what the seat itself can see. Raises IllegalMove, NotAllowed."""
    referee = ledger.need()
    if not ledger.started or referee.turn is None:
        return  # the referee says why
    if referee.turn is not seat:
        raise IllegalMove("it is the other side's turn", Refusal.OUT_OF_TURN.word)
    current(referee.ply, ply - 1)
    view = ledger.sights[seat].look(referee)
    if view.why(move) is not None:
        raise view.refused(move)
