"""What bots and the server say to each other: tokens, challenges by name, and the lines of the stream of an account."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from flagfall.wire.bodies import Clock, NewGame, Switches
from flagfall.wire.messages import ReasonWord, ResultWord, SeatWord
from flagfall.wire.people import AccountName


class NewToken(Struct, frozen=True, forbid_unknown_fields=True):
    """Make a token, called by a title of one's own."""

    title: Annotated[str, Meta(min_length=1, max_length=60)]


class MadeToken(Struct, frozen=True):
    """A new token; it is told this once and kept nowhere."""

    id: str
    title: str
    token: str

    def __repr__(self) -> str:
        return "MadeToken(…)"


class TokenLine(Struct, frozen=True):
    """A token of one's own; used_ms: when it was last used, to the hour."""

    id: str
    title: str
    created_ms: int
    used_ms: int | None


class NewChallenge(Struct, frozen=True, forbid_unknown_fields=True):
    """Challenge an account by its name to a game, whose `against` is `friend`."""

    name: AccountName
    order: NewGame


class Challenge(Struct, frozen=True, tag="challenge"):
    """Somebody wants to play. by: his name, null for a guest. seat: the one that is offered. law: its house rules."""

    game: str
    by: str | None
    variant: str
    law: Switches
    seat: SeatWord
    first: SeatWord
    clock: Clock | None
    rated: bool


class GameStart(Struct, frozen=True, tag="game_start"):
    """A game of one's own goes on: it waits for an army, or for moves. level: the house's player opposite, or empty."""

    game: str
    seat: SeatWord
    variant: str
    level: str
    opponent: str | None


class GameFinish(Struct, frozen=True, tag="game_finish"):
    """A game of one's own is over."""

    game: str
    seat: SeatWord
    result: ResultWord | None
    reason: ReasonWord | None


AccountEvent = Challenge | GameStart | GameFinish
