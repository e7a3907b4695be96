"""A View: what one seat, or a watcher, may know; the one thing that players, pages and learners are given."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self

import numpy as np

from flagfall.errors import BadMessage, NotAllowed
from flagfall.rules import calls
from flagfall.rules.board import Move, Seat, Square, cell_of, make_move, with_rescue
from flagfall.rules.deployment import Deployment
from flagfall.rules.events import Outcome, Played, Refusal
from flagfall.rules.layout import GAME, KNOWN, MEN, NOBODY, PLY, RED_BIT, SENTINELS, WALL
from flagfall.rules.pieces import Rank
from flagfall.rules.position import Position, men_table
from flagfall.rules.variant import RESCUES_CAP, Variant

WATCHER = 2
"""`seen_by` of a View that belongs to no seat: what both seats know."""

UNLISTED = -1
"""The number of moves of a View that has not been asked for them yet."""

_PUBLIC = ("h", "ply", "battle", "chase", "turn", "result", "reason", "run", "bid", "sq", "start", "spent", "saviour")
_PUBLIC_OF_PLY = ("h", "chase", "battle", "frm", "to", "pid", "tid", "run", "outcome", "told", "back", "put")


def forbid_type_comparison(variant: Variant) -> None:
    """Refuse a law under which legality would tell hidden ranks (R9.6). Raises NotAllowed."""
    if variant.law.more_squares == "type":
        raise NotAllowed("positions compared by rank would tell hidden ranks", code="type_comparison")


class View(Position):
    """What a seat may know of a game, kept up to date by its public events.

    >>> from flagfall.rules.catalog import MICRO
    >>> from flagfall.rules.notation import parse_move
    >>> army = Deployment.parse("F2SM", MICRO, Seat.RED)
    >>> view = View.start(MICRO, army, army.for_seat(Seat.BLUE).squares)
    >>> len(view.legal()), view.why("a1-a2").word, view.man_at(Square(30)).rank.name
    (5, 'immobile', 'UNKNOWN')
    """

    __slots__ = ("seat",)

    seat: Seat | None

    @classmethod
    def start(
        cls, variant: Variant, deployment: Deployment, enemy_squares: Iterable[Square], first: Seat = Seat.RED
    ) -> Self:
        """The View of the deployment's owner before the first ply; the other army stands on `enemy_squares`."""
        forbid_type_comparison(variant)
        view = cls(variant)
        view.seat = deployment.seat
        hidden = dict.fromkeys(enemy_squares, int(Rank.UNKNOWN))
        own = {at: int(rank) for at, rank in deployment.ranks.items()}
        red, blue = (own, hidden) if view.seat is Seat.RED else (hidden, own)
        view._open(men_table(variant, red, blue), first)
        return view

    @classmethod
    def watch(cls, variant: Variant, red: Iterable[Square], blue: Iterable[Square], first: Seat = Seat.RED) -> Self:
        """A watcher's View before the first ply: which squares are occupied, nothing else."""
        forbid_type_comparison(variant)
        view = cls(variant)
        view.seat = None
        hidden = [dict.fromkeys(squares, int(Rank.UNKNOWN)) for squares in (red, blue)]
        view._open(men_table(variant, *hidden), first)
        return view

    @classmethod
    def of_record(cls, variant: Variant, game: Any, log: Any, starts: dict[int, Square], seat: Seat | None) -> Self:
        """The View that a seat has of a full record: a fresh one, filled from the public fields and its own ranks.

        game: one GAME, log: PLY[C] of the Truth; starts: start squares by man id, which are public. Never a copy
        with things deleted: a field not named stays zero.
        """
        forbid_type_comparison(variant)
        view = cls(variant)
        view.seat, view._starts = seat, dict(starts)
        ply = int(game["ply"])
        fresh, log_to = np.zeros(1, GAME), np.zeros((1, max(calls.FIRST_LOG, ply) + SENTINELS), PLY)
        for name in _PUBLIC:
            fresh[0][name] = game[name]
        fresh["seen_by"] = WATCHER if seat is None else int(seat)
        fresh[0]["code"] = mask_men(game["code"], seat)
        fresh[0]["fallen"] = mask_men(game["fallen"], seat)
        fresh[0]["ms"] = NOBODY
        if seat is not None:
            mine = slice(MEN * seat, MEN * seat + MEN)
            fresh["mc"][0, seat] = game["mc"][seat]
            for name in ("ml", "ms"):
                fresh[0][name][mine] = game[name][mine]
            rescues = slice(RESCUES_CAP * seat, RESCUES_CAP * (seat + 1))
            for name in ("kept_place", "kept_tail"):
                fresh[0][name][rescues] = game[name][rescues]
        used = slice(0, ply + SENTINELS)
        for name in _PUBLIC_OF_PLY:
            log_to[0, used][name] = log[used][name]
        for name in ("code", "tc"):
            log_to[0, used][name] = mask_men(log[used][name], seat)
        view._adopt(calls.readable(fresh), calls.readable(log_to))
        view._ply, view._result, view._reason = ply, int(game["result"]), int(game["reason"])
        view._count = UNLISTED
        return view

    def _open(self, men: Any, first: Seat) -> None:
        """Set the men up; how the game stands is told by events alone, for a View cannot see who is walled in."""
        self._start(men, first)
        self._game["result"] = self._game["reason"] = 0
        self._game["seen_by"] = WATCHER if self.seat is None else int(self.seat)
        self._result = self._reason = 0
        self._count = UNLISTED

    def ends_at_start(self, result: int, reason: int) -> None:
        """Take in that the game was over before its first ply (R11.1)."""
        self._game["result"], self._game["reason"] = result, reason
        self._result, self._reason = int(result), int(reason)
        self._count = UNLISTED

    def fold(self, event: Played) -> None:
        """Take in one ply. Raises BadMessage, with nothing changed, where it does not follow from what is known."""
        self._room()
        verdict = int(event.outcome) | int(event.attacker or 0) << 8 | int(event.defender or 0) << 12
        cells = cell_of(event.origin), cell_of(event.target)
        ending = int(event.result) | int(event.reason) << 4
        order = 0
        if event.rescued is not None and event.put is not None:
            order = with_rescue(make_move(event.origin, event.target), event.rescued, event.put)
            stands = event.outcome in (Outcome.QUIET, Outcome.ATTACKER)
            if not stands or calls.refuse_rescue(self._desk, order):
                raise BadMessage("this rescue does not follow from the plies before", code="ply_out_of_order")
        if not calls.fold(self._desk, event.ply, int(event.seat), *cells, verdict, ending):
            raise BadMessage("this ply does not follow from the ones before", code="ply_out_of_order")
        if order:
            calls.carry_out(self._desk, order)
        self._ply += 1
        self._result, self._reason = int(event.result), int(event.reason)
        self._count = UNLISTED

    def legal(self) -> list[Move]:
        """This seat's legal moves; [] unless it is to move (R7: nobody gets the other side's)."""
        if self._count == UNLISTED:
            mine = not self._result and self.seat is self.turn
            self._count = calls.list_legal(self._desk) if mine else 0
        return super().legal()

    def why(self, move: Move | str) -> Refusal | None:
        """Why this seat may not play a move now, the first reason in the order of R0; None where it may."""
        if not self._result and self.seat is not self.turn:
            return Refusal.OUT_OF_TURN
        return super().why(move)

    def barred(self) -> list[tuple[Move, Refusal]]:
        """This seat's moves that only a repetition rule forbids; [] unless it is to move."""
        return super().barred() if self.seat is self.turn else []


def mask_men(men: Any, seat: Seat | None) -> Any:
    """Man bytes, any shape, with the ranks gone that the seat may not know."""
    bit = 0 if seat is None else RED_BIT << seat
    side = men & WALL
    hidden = (side != 0) & (side != WALL) & (side != bit) & (men & KNOWN == 0)
    return np.where(hidden, (men & 0xF0) | int(Rank.UNKNOWN), men).astype(np.uint8)
