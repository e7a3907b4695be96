"""Ataraxos's GameSaver: many games in MessagePack, each a board string and its action numbers (R14.4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from msgspec import Meta, MsgspecError, Raw
from msgspec.msgpack import Decoder, Encoder

from flagfall.archive import ataraxos
from flagfall.archive.border import PLIES_CAP
from flagfall.archive.found import Format, Found, Kind, Place, Refused
from flagfall.errors import NotAllowed, Unreadable

FILE_CAP = 16 * 2**20
GAMES_CAP = 100_000

_GAMES = Decoder(Annotated[list[Raw], Meta(max_length=GAMES_CAP)])
_Board = Annotated[str, Meta(max_length=ataraxos.CELLS)]
_Actions = Annotated[list[Annotated[int, Meta(ge=0, lt=1800)]], Meta(max_length=PLIES_CAP)]
_GAME: Decoder[tuple[str, list[int]]] = Decoder(tuple[_Board, _Actions])


def read(data: bytes, place: Place) -> Iterator[Found | Refused]:
    """Every game of a file; its place is the number of the game as a line.

    Raises Unreadable `too_large`, `bad_messagepack` for the file as a whole; a game that is none is stepped over as
    `bad_game`, or with what `ataraxos.game_of` raises.
    """
    if len(data) > FILE_CAP:
        raise place.error(f"a file of this format has at most {FILE_CAP} bytes", "too_large")
    try:
        games = _GAMES.decode(data)
    except (MsgspecError, ValueError, RecursionError) as error:
        raise place.at(1, 1).error(f"this is no MessagePack list of games: {error}"[:300], "bad_messagepack") from None
    for number, raw in enumerate(games, 1):
        here = place.at(number)
        try:
            yield _game(raw, here)
        except Unreadable as error:
            yield Refused.of(error, here)


def _game(raw: Raw, place: Place) -> Found:
    try:
        board, numbers = _GAME.decode(raw)
    except (MsgspecError, ValueError, RecursionError) as error:
        raise place.error(f"a game is a board string and a list of actions: {error}"[:300], "bad_game") from None
    return ataraxos.game_of(board, numbers, place, SAVER.name)


def write(games: Sequence[Found]) -> bytes:
    """The file of any number of games, boards of two hundred signs. Raises NotAllowed `not_in_this_format`."""
    if any(found.kind is not Kind.GAME for found in games):
        raise NotAllowed("GameSaver keeps games", code="not_in_this_format")
    return Encoder().encode([(ataraxos.board_text(found), ataraxos.plain(found)[1]) for found in games])


def _sniff(name: str, head: bytes) -> bool:
    short = b"\x8f" < head[:1] < b"\xa0" and head[1:2] == b"\x92"
    return short or head[:1] in (b"\xdc", b"\xdd") or name.lower().endswith((".msgpack", ".mpk"))


SAVER = Format(
    name="gamesaver",
    title="Ataraxos's GameSaver, many games in MessagePack",
    suffixes=(".msgpack", ".mpk"),
    sniff=_sniff,
    read=read,
    write=write,
    writes=frozenset({Kind.GAME}),
)
