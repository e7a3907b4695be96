"""Requests to ask of pools, bots and engines."""

from __future__ import annotations

from flagfall.play import roster
from flagfall.play.player import Budget, Kind, Request
from flagfall.play.record import Sitter, Terms
from flagfall.play.referee import Phase, Referee
from flagfall.play.table import ending
from flagfall.rules.board import Seat
from flagfall.rules.catalog import CLASSIC
from flagfall.rules.variant import Variant
from tests.guests.players import Wanderer


def referee_after(plies: int, player: str, *, variant: Variant = CLASSIC, number: int = 1) -> Referee:
    """A game of `plies` plies at random in which `player` sits at both sides."""
    sitters = (Sitter(player, budget=Budget(nodes=50)), Sitter(player, budget=Budget(nodes=50)))
    referee = Referee(Terms(variant=ending(variant), sitters=sitters), secret=number.to_bytes(32, "big"), now_ms=0)
    for seat in Seat:
        referee.deploy(seat, Wanderer(bytes([number, seat])).deploy(referee.terms.variant, seat), 0)
    while referee.ply < plies and referee.turn is not None:
        seat = referee.turn
        referee.move(seat, Wanderer(bytes([number])).move(referee.view(seat), Budget()), 0)
    assert referee.phase is Phase.PLAYING
    return referee


def to_move(plies: int = 0, player: str = "wanderer", *, variant: Variant = CLASSIC, number: int = 1) -> Request:
    """The request to the seat on turn."""
    referee = referee_after(plies, player, variant=variant, number=number)
    assert referee.turn is not None
    return referee.request(Kind.MOVE, referee.turn)


def to_deploy(player: str = "wanderer", seat: Seat = Seat.RED) -> Request:
    """The request to set up."""
    return Request(kind=Kind.DEPLOY, player=player, variant=CLASSIC, seat=seat, seed=bytes(32))


def answered(request: Request) -> object:
    """What a fresh player answers in this process."""
    return roster.answer(request)
