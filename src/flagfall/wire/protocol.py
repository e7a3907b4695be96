"""The flagfall protocol: a request and its reply, each as one line of JSON, for players at the far end of a pipe."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Literal, get_args

import msgspec
from msgspec import Meta, Struct

from flagfall.errors import BadMessage, FlagfallError, PlayerFault, Unreadable
from flagfall.play.player import Budget, Kind, Reply, Request
from flagfall.rules.board import SQUARE_NAMES, Seat, parse_square
from flagfall.rules.deployment import Deployment
from flagfall.rules.events import Outcome, Played, Reason, Result
from flagfall.rules.notation import move_text, parse_move
from flagfall.rules.pieces import RANKS, Numbering
from flagfall.rules.variant import Variant

VERSION = 1
LONGEST_LINE = 16_000_000  # bytes of a request of more than 100,000 plies
LONGEST_REPLY = 4_000

SeatWord = Literal["red", "blue"]
OutcomeWord = Literal["quiet", "attacker", "defender", "both", "flag"]
RankNumber = Annotated[int, Meta(ge=1, le=12)]
Count = Annotated[int, Meta(ge=0, le=2**53 - 1)]
ShortText = Annotated[str, Meta(max_length=100)]


class Ply(Struct, frozen=True, forbid_unknown_fields=True, array_like=True):
    """One ply as the seat was told it, as an array: seat, from, to, outcome, and the ranks told, null for untold.

    rescue: the square where the man began that came back with it, and the square where he was put (R13.2).
    """

    seat: SeatWord
    origin: ShortText
    target: ShortText
    outcome: OutcomeWord
    attacker: RankNumber | None = None
    defender: RankNumber | None = None
    rescue: tuple[ShortText, ShortText] | None = None


class Hello(Struct, frozen=True, forbid_unknown_fields=True, tag="hello", tag_field="type"):
    """The first line each way: the version of this protocol, and from a player its name."""

    version: int
    name: ShortText = ""


class Ask(Struct, frozen=True, forbid_unknown_fields=True, tag="ask", tag_field="type"):
    """One request. `id` returns with the reply; `seed` is hexadecimal; `army` and `enemy` are absent when deploying."""

    id: Count
    kind: Literal["deploy", "move", "draw"]
    player: ShortText
    variant: msgspec.Raw
    seat: SeatWord
    first: SeatWord
    seed: ShortText
    nodes: Count | None = None
    time_ms: Count | None = None
    army: ShortText | None = None
    enemy: Annotated[tuple[ShortText, ...], Meta(max_length=40)] = ()
    plies: tuple[Ply, ...] = ()


class Answer(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag="answer", tag_field="type"):
    """One reply: `army` to deploy, `move` (and perhaps `offer`) to move, `accept` to a draw offer; else `error`."""

    id: Count
    army: ShortText | None = None
    move: ShortText | None = None
    offer: bool = False
    accept: bool | None = None
    error: ShortText | None = None


_UNREADABLE = (msgspec.MsgspecError, RecursionError, UnicodeDecodeError)
_ENCODER = msgspec.json.Encoder()
_TO_PLAYER = msgspec.json.Decoder(Hello | Ask)
_FROM_PLAYER = msgspec.json.Decoder(Hello | Answer)
_OUTCOMES = {outcome.word: outcome for outcome in Outcome}
# Tables, for a request late in a game holds a thousand plies.
_OUTCOME_WORDS: tuple[OutcomeWord, ...] = get_args(OutcomeWord)
_SEAT_WORDS: tuple[SeatWord, ...] = get_args(SeatWord)
_SEATS = {"red": Seat.RED, "blue": Seat.BLUE}
_RANKS = (None, *RANKS)


def line(message: Hello | Ask | Answer) -> bytes:
    """A message as one line, its end included."""
    return _ENCODER.encode(message) + b"\n"


def read_ask(text: bytes) -> Hello | Ask:
    """What a player is told. Raises BadMessage."""
    if len(text) > LONGEST_LINE:
        raise BadMessage("this line is too long", code="too_long")
    try:
        return _TO_PLAYER.decode(text)
    except _UNREADABLE:
        raise BadMessage("this line is no hello and no ask of the flagfall protocol") from None


def read_answer(text: bytes) -> Hello | Answer:
    """What a player says. Raises PlayerFault `bad_answer`; nothing of what it said is repeated."""
    try:
        if len(text) <= LONGEST_REPLY:
            return _FROM_PLAYER.decode(text)
    except _UNREADABLE:
        pass
    raise PlayerFault("a player answered outside the protocol", code="bad_answer")


def ask_of(request: Request, number: int) -> Ask:
    """The message of a request."""
    army = request.deployment
    return Ask(
        id=number,
        kind=request.kind.value,
        player=request.player,
        variant=msgspec.Raw(_ENCODER.encode(request.variant.to_json())),
        seat=_SEAT_WORDS[request.seat],
        first=_SEAT_WORDS[request.first],
        seed=request.seed.hex(),
        nodes=request.budget.nodes,
        time_ms=request.budget.time_ms,
        army=None if army is None else army.text(),
        enemy=tuple(SQUARE_NAMES[at] for at in request.enemy),
        plies=tuple(_ply_of(event) for event in request.events),
    )


def request_of(ask: Ask) -> Request:
    """The request of a message. Raises BadMessage, or another error of the tree for a variant or army that is none."""
    variant, seat, first = _variant(bytes(ask.variant)), Seat.of(ask.seat), Seat.of(ask.first)
    try:
        seed = bytes.fromhex(ask.seed)
    except ValueError:
        raise BadMessage("a seed is written in hexadecimal", code="bad_seed") from None
    return Request(
        kind=Kind(ask.kind),
        player=ask.player,
        variant=variant,
        seat=seat,
        seed=seed,
        first=first,
        deployment=None if ask.army is None else Deployment.parse(ask.army, variant, seat, Numbering.MODERN).checked(),
        enemy=tuple(parse_square(name) for name in ask.enemy),
        events=tuple(_played_of(ply, number) for number, ply in enumerate(ask.plies, 1)),
        budget=Budget(ask.nodes, ask.time_ms),
    )


def answer_of(reply: Reply, number: int) -> Answer:
    """The message of a reply."""
    return Answer(
        id=number,
        army=None if reply.deployment is None else reply.deployment.text(),
        move=None if reply.move is None else move_text(reply.move),
        offer=reply.offers_draw,
        accept=reply.accepts_draw if reply.kind is Kind.DRAW else None,
    )


def reply_of(answer: Answer, request: Request) -> Reply:
    """The reply of a message. Raises PlayerFault: the player's own `error`, or `bad_answer` where it does not fit."""
    if answer.error is not None:
        raise PlayerFault("a player could not answer", code=_code(answer.error))
    given = {Kind.DEPLOY: answer.army, Kind.MOVE: answer.move, Kind.DRAW: answer.accept}
    if [kind for kind, value in given.items() if value is not None] != [request.kind]:
        raise PlayerFault("a player answered something else than it was asked", code="bad_answer")
    try:
        army = (
            None
            if answer.army is None
            else Deployment.parse(answer.army, request.variant, request.seat, Numbering.MODERN)
        )
        move = None if answer.move is None else parse_move(answer.move)
    except Unreadable:
        raise PlayerFault("a player answered what cannot be read", code="bad_answer") from None
    return Reply(
        kind=request.kind, deployment=army, move=move, offers_draw=answer.offer, accepts_draw=bool(answer.accept)
    )


def error_answer(number: int, error: Exception) -> Answer:
    """The answer of a player that failed: the code of its error and no word of the sentence, which may name ranks."""
    return Answer(id=number, error=error.stable_code if isinstance(error, FlagfallError) else "raised")


def _ply_of(event: Played) -> Ply:
    return Ply(
        _SEAT_WORDS[event.seat],
        SQUARE_NAMES[event.origin],
        SQUARE_NAMES[event.target],
        _OUTCOME_WORDS[event.outcome],
        event.attacker and int(event.attacker),
        event.defender and int(event.defender),
        None if event.rescued is None or event.put is None else (SQUARE_NAMES[event.rescued], SQUARE_NAMES[event.put]),
    )


def _played_of(ply: Ply, number: int) -> Played:
    """The event of a ply after which the game went on: nobody is asked for anything after the last one."""
    return Played(
        number,
        _SEATS[ply.seat],
        parse_square(ply.origin),
        parse_square(ply.target),
        _OUTCOMES[ply.outcome],
        _RANKS[ply.attacker or 0],
        _RANKS[ply.defender or 0],
        Result.GOING,
        Reason.NONE,
        *(map(parse_square, ply.rescue) if ply.rescue else ()),
    )


def _code(text: str) -> str:
    """A player's own error code, if it is one."""
    good = text.replace("_", "").isalnum() and text.isascii() and text == text.lower() and len(text) <= 40
    return text if good else "bad_answer"


@lru_cache(maxsize=64)
def _variant(text: bytes) -> Variant:
    """The variant of a JSON text, remembered: a game asks with the same one again and again.

    Raises BadVariant, BadMessage.
    """
    try:
        form = msgspec.json.decode(text)
    except _UNREADABLE:
        raise BadMessage("the variant of this ask cannot be read") from None
    return Variant.from_json(form)
