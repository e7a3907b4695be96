"""A deployment: where one army's men stand before the first ply (R3), and its text in both numberings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from flagfall.errors import BadArmy, Unreadable
from flagfall.rules.board import Seat, Square, square_name, turned
from flagfall.rules.pieces import RANKS, Numbering, Rank, rank_text
from flagfall.rules.variant import Variant

TEXT_CAP = 2000
"""The longest text that is looked at, in characters."""

_MODERN = {rank: rank_text(rank) for rank in RANKS} | {Rank.SPY: "S", Rank.MARSHAL: "M"}
_ORIGINAL = {rank: rank_text(rank, Numbering.ORIGINAL) for rank in RANKS}
_SIGNS = {Numbering.MODERN: _MODERN, Numbering.ORIGINAL: _ORIGINAL}
_RANKS = {numbering: {sign: rank for rank, sign in signs.items()} for numbering, signs in _SIGNS.items()}


@dataclass(frozen=True)
class Deployment:
    """One army on its home area, whole or in the making.

    ranks: rank by square, this seat's men alone. Nothing is checked on making one: `faults()` says what keeps it from
    being an army, `checked()` raises it.

    >>> from flagfall.rules.catalog import MICRO
    >>> army = Deployment.parse("F2SM", MICRO, Seat.BLUE)
    >>> square_name(min(army.ranks)), army.text(Numbering.ORIGINAL)
    ('a4', 'F9S1')
    """

    variant: Variant
    seat: Seat
    ranks: Mapping[Square, Rank]

    @staticmethod
    def parse(text: str, variant: Variant, seat: Seat, numbering: Numbering | None = None) -> Deployment:
        """The deployment that a text means, one sign a home square, back row first, left to right from the seat.

        Signs are `F B S`, digits, `M` for a modern marshal and `.` for empty; spaces and line breaks count for
        nothing. A first word `modern:` or `original:` names the numbering. Without one, `M` says modern and `1` says
        original; a text with neither is refused where the two readings differ, unless only one of them is an army.
        Raises Unreadable.
        """
        if len(text) > TEXT_CAP:
            raise Unreadable("a deployment is a short text", code="deployment_too_long")
        head, colon, rest = text.partition(":")
        if colon:
            if head.strip().lower() not in ("modern", "original"):
                raise Unreadable("a deployment's numbering is modern or original", code="bad_numbering")
            numbering, text = Numbering(head.strip().lower()), rest
        signs = "".join(text.split())
        signs = signs.upper() if signs.isascii() else signs
        area = variant.home[seat]
        if len(signs) != len(area):
            raise Unreadable(
                f"a deployment of this game has {len(area)} signs", code="deployment_length", needed=len(area)
            )
        for place, sign in enumerate(signs, 1):
            if sign != "." and sign not in _MODERN.values() and sign not in _ORIGINAL.values():
                raise Unreadable("a sign of this deployment is no rank", code="deployment_sign", place=place)
        return _read(signs, variant, seat, numbering)

    def text(self, numbering: Numbering = Numbering.MODERN) -> str:
        """One sign a home square, back row first, left to right from the seat; `.` for an empty one."""
        signs = _SIGNS[numbering]
        return "".join(signs[self.ranks[at]] if at in self.ranks else "." for at in self.variant.home[self.seat])

    def lines(self, numbering: Numbering = Numbering.MODERN) -> str:
        """The same for people: a line with the numbering, then a line a row, the front row first."""
        rows: dict[int, str] = {}
        for at, sign in zip(self.variant.home[self.seat], self.text(numbering), strict=True):
            rows[at // 10] = rows.get(at // 10, "") + sign
        return "\n".join([f"{numbering.value}:", *rows.values()])

    @property
    def squares(self) -> tuple[Square, ...]:
        """The occupied squares in the owner's order: all that the other side sees of a deployment (R7)."""
        return tuple(at for at in self.variant.home[self.seat] if at in self.ranks)

    def faults(self) -> list[BadArmy]:
        """What keeps this from being a legal army (R3.1, R3.2), for its owner's eyes alone."""
        found = []
        area = set(self.variant.home[self.seat])
        for at in sorted(set(self.ranks) - area):
            found.append(BadArmy("a man stands outside the home area", code="outside_home", square=square_name(at)))
        have = Counter(self.ranks.values())
        for rank in RANKS:
            need = self.variant.army.get(rank, 0)
            spare = self.variant.law.smaller_army and rank is not Rank.FLAG
            if have[rank] > need or (have[rank] < need and not spare):
                code = "too_few" if have[rank] < need else "too_many"
                found.append(
                    BadArmy(
                        f"{have[rank]} of {need}: {rank.word}", code=code, rank=int(rank), have=have[rank], need=need
                    )
                )
        if have[Rank.UNKNOWN]:
            found.append(BadArmy("a man has no rank", code="no_rank"))
        return found

    def checked(self) -> Deployment:
        """This deployment, if it is a legal army. Raises BadArmy with the first fault."""
        for fault in self.faults():
            raise fault
        return self

    def mirror(self) -> Deployment:
        """The same army with left and right exchanged; men on squares without a mirror image stay."""
        edge = self.variant.width - 1
        area = set(self.variant.home[self.seat])
        swapped = {}
        for at, rank in self.ranks.items():
            across = Square(at - at % 10 + edge - at % 10)
            swapped[across if across in area else at] = rank
        return Deployment(self.variant, self.seat, swapped)

    def for_seat(self, seat: Seat) -> Deployment:
        """The same army behind the other side of the board, turned by 180 degrees (R1)."""
        if seat is self.seat:
            return self
        width, height = self.variant.width, self.variant.height
        return Deployment(self.variant, seat, {turned(at, width, height): rank for at, rank in self.ranks.items()})

    def walled_in(self) -> bool:
        """Whether no man of this army can make a first move (R3.5); the enemy's men are taken to be far away."""
        for at, rank in self.ranks.items():
            if self.variant.reach.get(rank, 0) and any(self._free(at, step) for step in (-10, -1, 1, 10)):
                return False
        return True

    def _free(self, at: int, step: int) -> bool:
        """Whether the neighbour one step on is on the board, dry and without an own man."""
        there = at + step
        on_board = 0 <= there % 10 < self.variant.width and 0 <= there // 10 < self.variant.height and there >= 0
        level = abs(step) == 10 or there // 10 == at // 10
        return on_board and level and there not in self.variant.lakes and there not in self.ranks


def _read(signs: str, variant: Variant, seat: Seat, numbering: Numbering | None) -> Deployment:
    """Signs to ranks, in the numbering given or the one that fits. Raises Unreadable."""
    if numbering is None:
        numbering = Numbering.MODERN if "M" in signs else Numbering.ORIGINAL if "1" in signs else None
    readings = [numbering] if numbering else list(Numbering)
    made: list[Deployment] = []
    for reading in readings:
        table = _RANKS[reading]
        if all(sign == "." or sign in table for sign in signs):
            area = variant.home[seat]
            ranks = {at: table[sign] for at, sign in zip(area, signs, strict=True) if sign != "."}
            made.append(Deployment(variant, seat, ranks))
    if not made:
        raise Unreadable("this deployment mixes the two numberings", code="mixed_numbering")
    if len(made) == 1 or made[0].ranks == made[1].ranks:
        return made[0]
    whole = [army for army in made if not army.faults()]
    if len(whole) != 1:
        raise Unreadable("say modern: or original: before these numbers", code="which_numbering")
    return whole[0]
