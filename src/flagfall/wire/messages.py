"""What the server says over the socket, typed and tagged, and the decoder that enforces the limits of both sides.

Squares travel by name, seats as `red` and `blue`, ranks as integers 1 (spy) to 12 (flag), a hidden rank as null. A
man's id is the name of its start square, which is public (R7). Deployments are letters `F B S 2..9 M`, `.` for an empty
square, the owner's back row first. The types in `frontend/src/wire.ts` are generated from here and from `bodies`.
"""

from __future__ import annotations

import re
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from flagfall.errors import BadMessage, FlagfallError
from flagfall.wire.frames import (
    Abort,
    AnswerBack,
    AnswerDraw,
    AskBack,
    Claim,
    ClientFrame,
    ClientId,
    Deed,
    Hear,
    Hearing,
    Move,
    OfferDraw,
    PhraseWord,
    Ping,
    PlyNumber,
    Rescue,
    Resign,
    Said,
    Say,
    ShowTruth,
    Spoken,
    SquareName,
    Wish,
    Write,
)
from flagfall.wire.sitters import Names, Ratings

__all__ = [
    "Abort", "AnswerBack", "AnswerDraw", "AskBack", "Claim", "ClientFrame", "ClientId", "Deed", "Hear",
    "Hearing", "Move", "OfferDraw", "PhraseWord", "Ping", "PlyNumber", "Rescue", "Resign", "Said", "Say",
    "ShowTruth", "Spoken", "SquareName", "Wish", "Write",
]  # fmt: skip
"""What is passed on; whatever is defined here is meant to be used as well."""

SeatWord = Literal["red", "blue"]
Phase = Literal["deploying", "playing", "over"]
OutcomeWord = Literal["quiet", "attacker", "defender", "both", "flag"]
ResultWord = Literal["red", "blue", "draw", "void"]
ReasonWord = Literal[
    "flag", "stuck", "both_stuck", "limit", "resigned", "agreed", "time", "forfeit", "aborted", "abandoned"
]
BarredWord = Literal["two_square", "more_squares"]
LawWord = Literal["cold", "warming", "ready"]
Against = Literal["house", "friend", "here"]
"""Who sits opposite: the house, somebody with the invitation, or the same guest at the same screen."""
ShowingWord = Literal["public", "waiting", "truth", "late"]
ClockKind = Literal["sudden-death", "fischer", "bronstein", "delay", "per-move"]

Name = Annotated[str, Meta(min_length=1, max_length=40, pattern=r"^[a-z0-9][a-z0-9_-]*(?!\n)$")]
ArmyText = Annotated[str, Meta(min_length=1, max_length=100, pattern=r"^[FBSM2-9.]+(?!\n)$")]
SwitchValue = bool | Annotated[int, Meta(ge=0, le=1_000_000)] | Annotated[str, Meta(max_length=40)] | None
Param = str | float | bool | None | list[str | float]
Params = dict[str, Param]
Counts = dict[str, int]
"""How many men, by rank."""


# --- variants and clocks --------------------------------------------------------------------------------------------


class Homes(Struct, frozen=True):
    """Where each army may be placed."""

    red: list[str]
    blue: list[str]


class Meeting(Struct, frozen=True):
    """A battle between two ranks that ends otherwise than in other games (R6)."""

    attacker: int
    defender: int
    outcome: OutcomeWord


class VariantCard(Struct, frozen=True):
    """A variant as the page draws it.

    own: no game of the catalogue. reach: fields by rank, 9 for any distance. battles: what ends otherwise than in other
    games. law: every switch. default_law, default_army: those of the catalogue's entry, the plain law for one's own.
    """

    name: str
    own: bool
    digest: str
    width: int
    height: int
    lakes: list[str]
    home: Homes
    army: Counts
    reach: Counts
    battles: list[Meeting]
    law: dict[str, SwitchValue]
    default_law: dict[str, SwitchValue]
    default_army: Counts


class ClockState(Struct, frozen=True):
    """A clock as it stands when the message leaves: what is left to each seat, and whose time runs.

    cap_ms: the longest a move may take, from its beginning. free_ms: what is left before the running time begins to
    count.
    """

    kind: ClockKind
    red_ms: int
    blue_ms: int
    running: SeatWord | None
    cap_ms: int | None
    free_ms: int


# --- the server speaks ----------------------------------------------------------------------------------------------


class Man(Struct, frozen=True):
    """One man: `rank` null while hidden from this seat, `known` when it is public, `fell` the ply that took it."""

    id: str
    seat: SeatWord
    square: str | None
    rank: int | None
    moved: bool
    known: bool
    fell: int | None


class Ply(Struct, frozen=True, rename={"origin": "from", "target": "to"}):
    """One ply as everybody saw it; `ms` is the time the mover took, `rescue` who came back with it and where."""

    ply: int
    seat: SeatWord
    origin: str
    target: str
    outcome: OutcomeWord
    attacker: int | None
    defender: int | None
    rescue: Rescue | None
    ms: int


class Barred(Struct, frozen=True, rename={"origin": "from", "target": "to"}):
    """A move of one's own that only a repetition rule forbids (R8, R9)."""

    origin: str
    target: str
    code: BarredWord


class MayRescue(Struct, frozen=True, rename={"origin": "from", "target": "to"}):
    """A legal move that may bring any of these fallen men back, onto any of these squares (R13.2)."""

    origin: str
    target: str
    men: list[str]
    squares: list[str]


class Left(Struct, frozen=True):
    """Men left by rank, as this seat knows it; keys are ranks."""

    red: Counts
    blue: Counts


class Pair(Struct, frozen=True):
    """A number for each seat."""

    red: int
    blue: int


class Both(Struct, frozen=True):
    """Yes or no for each seat."""

    red: bool
    blue: bool


class Absence(Struct, frozen=True):
    """A seat that is empty while the other one waits; that one may claim the game in `claim_ms`, at 0 now."""

    seat: SeatWord
    claim_ms: int


class Opened(Struct, frozen=True):
    """Both deployments as letters, once the game is over."""

    red: str
    blue: str


class Sealed(Struct, frozen=True):
    """The salted digests of both armies, told before the first ply; the salts come out with the finished record."""

    red: str
    blue: str


class Watching(Struct, frozen=True):
    """Who may look on at this game.

    code: what the link for them says. delay: how many plies late they see both armies where both seats agree, null for
    never. agreed: which seats do. showing: what they see now. watchers: how many look on.
    """

    code: str
    delay: int | None
    agreed: Both
    showing: ShowingWord
    watchers: int


class State(Struct, frozen=True, tag="state"):
    """Everything one seat may know now, and nothing else.

    n: grows by every event. plies: those from number `plies_from` on. setup_ms: what is left for the set-up. level: the
    house's name, empty against a person. invite: the code that gives the other seat, for who may still give it. open:
    whether the hall lists it for anybody. taken, ready, here: whether somebody has a seat, whether its army stands,
    whether a page of it is open. sealed: once both stand. watch: null where nobody may look on. ask: who asks for a ply
    back. may_ask: whether this seat may. backs: how often plies were taken back.
    """

    game: str
    n: int
    seat: SeatWord
    phase: Phase
    variant: VariantCard
    level: str
    against: Against
    invite: str | None
    open: bool
    taken: Both
    ready: Both
    here: Both
    names: Names
    ratings: Ratings
    first: SeatWord
    rated: bool
    may_abort: bool
    turn: SeatWord | None
    ply: int
    thinking: bool
    men: list[Man]
    legal: dict[str, list[str]]
    barred: list[Barred]
    rescues: list[MayRescue]
    plies_from: int
    plies: list[Ply]
    left: Left
    hidden_fallen: Pair
    offer: SeatWord | None
    may_offer: bool
    ask: SeatWord | None
    may_ask: bool
    backs: int
    absence: Absence | None
    clock: ClockState | None
    setup_ms: int | None
    result: ResultWord | None
    reason: ReasonWord | None
    truth: Opened | None
    rematch: str | None
    sealed: Sealed | None
    watch: Watching | None


class Done(Struct, frozen=True, tag="done"):
    """What the frame `id` asked has happened."""

    id: str


class Refused(Struct, frozen=True, tag="refused"):
    """What the frame `id` asked was refused, and nothing changed; `code` is stable, `detail` is for people."""

    id: str | None
    code: str
    detail: str
    params: Params


class LawFrame(Struct, frozen=True, tag="law"):
    """How far the compiled law is, `done` from 0 to 1."""

    state: LawWord
    done: float


class Pong(Struct, frozen=True, tag="pong"):
    """Say that the server is there."""


class Tabs(Struct, frozen=True, tag="tabs"):
    """How many sockets of this seat are open."""

    count: int


class Crowd(Struct, frozen=True, tag="crowd"):
    """How many look on."""

    count: int


class TalkLine(Struct, frozen=True):
    """One thing that was said: a phrase, or words of somebody's own; `n` grows by one."""

    n: int
    seat: SeatWord
    phrase: PhraseWord | None
    text: str | None


class Talk(Struct, frozen=True, tag="talk"):
    """What was said lately as this seat hears it, who wants words of one's own, and whether it hears the other seat."""

    lines: list[TalkLine]
    open: Both
    hears: Hearing


ServerFrame = State | Done | Refused | LawFrame | Pong | Tabs | Crowd | Talk


# --- the border -----------------------------------------------------------------------------------------------------

FRAME_BYTES = 1_024


class _FrameId(Struct, frozen=True):
    """The one field that is worth saving from a frame that cannot be read."""

    id: ClientId | UnsetType = UNSET


_frames = msgspec.json.Decoder(ClientFrame)
_frame_ids = msgspec.json.Decoder(_FrameId)
_encoder = msgspec.json.Encoder()
_PLACE = re.compile(r"at `(\$[\w.\[\]`…-]{0,60})`$")


def misread(error: Exception) -> BadMessage:
    """Tell the sender about a message that could not be read: where it failed, not what it said."""
    found = _PLACE.search(str(error)) if isinstance(error, msgspec.ValidationError) else None
    return BadMessage("the message does not follow the protocol", at=found[1] if found else "$")


def params_of(error: FlagfallError) -> Params:
    """Return what fills the sentence of an error, as a message carries it."""
    return {name: list(value) if isinstance(value, list) else value for name, value in error.params.items()}


def read_frame(data: bytes | str) -> ClientFrame:
    """Read one frame of the page. Raises BadMessage for anything that is none, whatever it is."""
    if len(data) > FRAME_BYTES:
        raise BadMessage("the message is too long", code="too_long", limit=FRAME_BYTES)
    try:
        return _frames.decode(data)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise misread(error) from None


def frame_id(data: bytes | str) -> str | None:
    """Return the `id` of a frame that cannot be read otherwise, for its refusal to name; None where it has none."""
    try:
        found = _frame_ids.decode(data).id
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None
    return found if isinstance(found, str) else None


def write(message: Struct) -> bytes:
    """Write a message as JSON, fields in the order of their declaration, so that equal messages are equal bytes."""
    return _encoder.encode(message)
