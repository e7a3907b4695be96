"""What a seat may do to a running game: each frame of the page tried against the board and done through the ledger."""

from __future__ import annotations

from flagfall.errors import IllegalMove, NotAllowed
from flagfall.rules.board import Move, Seat, make_move, parse_square, with_rescue
from flagfall.rules.events import Refusal
from flagfall.server.ledger import Ledger
from flagfall.wire import messages


async def perform(ledger: Ledger, seat: Seat, frame: messages.Move | messages.Deed) -> None:
    """Do what a frame asks; the same frame again is the same deed. Raises what the referee raises, StoreFault."""
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
    if ply != referee.ply + 1:
        raise NotAllowed("the game has gone on since", code="stale", ply=referee.ply + 1)
    view = ledger.sights[seat].look(referee)
    if view.why(move) is not None:
        raise view.refused(move)
