"""What page and server say over HTTP: typed bodies with their limits, and the reader that enforces them."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct

from flagfall.errors import BadMessage
from flagfall.wire.messages import (
    Against,
    ArmyText,
    ClockKind,
    LawWord,
    Name,
    Params,
    Phase,
    ReasonWord,
    ResultWord,
    SeatWord,
    SwitchValue,
    VariantCard,
    misread,
)

SeatChoice = Literal["red", "blue", "lot"]
SetupEnd = Literal["forfeit", "random-fill"]
Switch = Annotated[str, Meta(min_length=1, max_length=40, pattern=r"^[a-z][a-z0-9_.-]*(?!\n)$")]
Switches = Annotated[dict[Switch, SwitchValue], Meta(max_length=40)]
Form = dict[str, Any]
"""A variant as its file has it; what is in it is checked where a variant is made of it."""
Chosen = Name | Form
"""A game of the catalogue by its name, or a user's own as it stands in its file."""

BODY_BYTES = 16_384
Body = TypeVar("Body", bound=Struct)


class Clock(Struct, frozen=True, forbid_unknown_fields=True):
    """A clock as it is ordered: times in milliseconds, null or 0 where the kind has none.

    setup_timeout: whether whoever has not set up in time loses, or plays an army of the lot (R12).
    """

    kind: ClockKind
    main_ms: Annotated[int, Meta(ge=0, le=86_400_000)] = 0
    add_ms: Annotated[int, Meta(ge=0, le=3_600_000)] = 0
    cap_ms: Annotated[int, Meta(ge=1_000, le=14 * 86_400_000)] | None = None
    setup_ms: Annotated[int, Meta(ge=10_000, le=86_400_000)] | None = None
    setup_timeout: SetupEnd = "forfeit"


class LawState(Struct, frozen=True):
    """How far the compiled law is, `done` from 0 to 1."""

    state: LawWord
    done: float


class Level(Struct, frozen=True):
    """A house player that may be sat opposite."""

    name: str


class Hello(Struct, frozen=True):
    """What a page needs before anything else; `usual_clocks` by variant, `plain_law` the law that most games have."""

    version: str
    law: LawState
    variants: list[VariantCard]
    levels: list[Level]
    clocks: list[Clock]
    usual_clocks: dict[str, Clock]
    plain_law: dict[str, SwitchValue]


class ReadVariant(Struct, frozen=True, forbid_unknown_fields=True):
    """Ask what the text of a variant's file means."""

    text: Annotated[str, Meta(min_length=1, max_length=12_000)]


class OwnVariant(Struct, frozen=True):
    """A user's own game: how it is drawn, and the form in which a game of it is ordered."""

    card: VariantCard
    form: Form
    about: str
    clock: Clock | None


class AskCard(Struct, frozen=True, forbid_unknown_fields=True):
    """Ask how a game is drawn under house rules."""

    variant: Chosen
    law: Switches = {}


class AskReady(Struct, frozen=True, forbid_unknown_fields=True):
    """Ask for ready armies."""

    variant: Chosen
    seat: SeatWord
    law: Switches = {}


class AskArmy(Struct, frozen=True, forbid_unknown_fields=True):
    """Ask for a sensible army, round the men of `army` where that is given."""

    variant: Chosen
    seat: SeatWord
    army: ArmyText | None = None
    law: Switches = {}


class Army(Struct, frozen=True):
    """A deployment as letters."""

    army: str


class ReadyArmy(Struct, frozen=True):
    """A deployment of the house; title and idea stand in the page's catalogue under `name`."""

    name: str
    army: str


class CheckArmy(Struct, frozen=True, forbid_unknown_fields=True):
    """Ask whether an army is complete and what is unwise about it."""

    variant: Chosen
    seat: SeatWord
    army: ArmyText
    law: Switches = {}


class Finding(Struct, frozen=True):
    """One fault or warning, by code."""

    code: str
    params: Params


class Check(Struct, frozen=True):
    """What is wrong with an army, and what is unwise."""

    faults: list[Finding]
    warnings: list[Finding]


class Watch(Struct, frozen=True, forbid_unknown_fields=True):
    """Let others look on by a link. delay: how many plies late they see both armies if both seats agree, else never."""

    delay: Annotated[int, Meta(ge=1, le=400)] | None = None


class NewGame(Struct, frozen=True, forbid_unknown_fields=True):
    """Order a game; without an army its men are placed later.

    level: against the house its player, else null. open: whether the hall lists it, for anybody to sit down. watch:
    null where nobody may look on. rated: whether it is to count for ratings, between people only.
    """

    variant: Chosen
    level: Name | None = None
    against: Against = "house"
    law: Switches = {}
    seat: SeatChoice = "red"
    first: SeatChoice = "red"
    clock: Clock | None = None
    army: ArmyText | None = None
    open: bool = False
    watch: Watch | None = None
    rated: bool = False


class GiveArmy(Struct, frozen=True, forbid_unknown_fields=True):
    """Place one's army and be ready."""

    army: ArmyText


class Invitation(Struct, frozen=True):
    """What an invitation offers: the game, the seat, who moves first, and whether the seat is still free.

    game: its id, for who sits there already. open: whether the hall lists it. away: whether whoever made an open table
    has left it, so that nobody can sit down now.
    """

    variant: VariantCard
    seat: SeatWord
    first: SeatWord
    clock: Clock | None
    rated: bool
    free: bool
    game: str | None
    open: bool
    away: bool


class WatchLink(Struct, frozen=True):
    """Where a link for looking on leads; `seat` for who sits at that table and goes there instead."""

    game: str
    seat: SeatWord | None


class Created(Struct, frozen=True):
    """A game that was made, and the seat one has in it."""

    game: str
    seat: SeatWord


class GameLine(Struct, frozen=True):
    """One of my games; `opponent` is the name of whoever sits opposite under an account."""

    game: str
    variant: str
    seat: SeatWord
    level: str
    against: Against
    open: bool
    opponent: str | None
    phase: Phase
    ply: int
    turn: SeatWord | None
    result: ResultWord | None
    reason: ReasonWord | None
    started_ms: int
    updated_ms: int


class Problem(Struct, frozen=True):
    """An error over HTTP (RFC 9457): `code` is stable, `detail` is for people."""

    type: str
    title: str
    status: int
    code: str
    detail: str
    params: Params


def read_body(data: bytes, kind: type[Body]) -> Body:
    """Read one body. Raises BadMessage for anything that is none of its kind, whatever it is."""
    if len(data) > BODY_BYTES:
        raise BadMessage("the message is too long", code="too_long", limit=BODY_BYTES)
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise misread(error) from None
