"""What page and server say of people: the open tables of the hall, and who looks for an opponent."""

from __future__ import annotations

from msgspec import Struct

from flagfall.wire.bodies import Clock, Switches
from flagfall.wire.messages import Name, SeatWord


class OpenTable(Struct, frozen=True):
    """A table at which somebody waits for anybody.

    code: its invitation. law: the house rules by which it departs from the catalogue. seat: the one that is free. mine:
    whether it is one's own, at which nobody sits down himself. waited_ms: for how long it has been there.
    """

    code: str
    variant: str
    law: Switches
    seat: SeatWord
    first: SeatWord
    clock: Clock | None
    mine: bool
    waited_ms: int


class Seek(Struct, frozen=True, forbid_unknown_fields=True):
    """Look for an opponent at a game of the catalogue, by its own rules, under a clock."""

    variant: Name
    clock: Clock | None = None
