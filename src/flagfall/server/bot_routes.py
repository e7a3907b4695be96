"""The addresses of bots: streams, deeds at the board over HTTP, and challenges; the rest is as for people."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from litestar import Router, get, post
from litestar.params import FromPath, FromQuery, JSONBody
from litestar.response import Stream

from flagfall.errors import NotAllowed, NotFound
from flagfall.server.callers import caller_of
from flagfall.server.routes import REFUSALS, Asked, Asking, guest_of
from flagfall.wire import bodies, messages
from flagfall.wire.bots import Challenge, NewChallenge

LINES = "application/x-ndjson"
Told = messages.Move | messages.Deed | messages.Spoken


@get("/bot/stream", responses=REFUSALS, media_type=LINES)
async def account_stream(request: Asked, desk: Asking) -> Stream:
    """Stream challenges and one's games as they start and end, a line of JSON each; empty lines keep it alive."""
    who = guest_of(request)
    desk.streams.check(who)
    return Stream(desk.streams.account(who, _key(request)), media_type=LINES)


@get("/bot/games/{game:str}/stream", responses=REFUSALS, media_type=LINES)
async def game_stream(
    request: Asked, desk: Asking, game: FromPath[str], seat: FromQuery[messages.SeatWord | None] = None
) -> Stream:
    """Stream one's game: its state first and after every change, what was said, until it is over."""
    who = guest_of(request)
    room, at = await desk.lobby.room(who, game, seat)
    desk.streams.check(who)
    return Stream(desk.streams.game(room, at, who, _key(request)), media_type=LINES)


@post("/bot/games/{game:str}/deed", responses=REFUSALS, status_code=204)
async def do(
    request: Asked,
    desk: Asking,
    game: FromPath[str],
    data: JSONBody[Told],
    seat: FromQuery[messages.SeatWord | None] = None,
) -> None:
    """Move, resign, offer or answer a draw, ask a ply back, call off, claim, speak: a frame as a page sends it."""
    who = guest_of(request)
    room, at = await desk.lobby.room(who, game, seat)
    if not desk.streams.pace.take(f"{who} {game}"):
        raise NotAllowed("too many messages; wait a moment", code="too_fast")
    await room.opened()
    await room.answer(at, data)


@get("/bot/challenges", responses=REFUSALS)
async def my_challenges(request: Asked, desk: Asking) -> list[Challenge]:
    """List the challenges that wait for one's answer."""
    found = []
    for game in await desk.streams.challenges.waiting(guest_of(request)):
        with suppress(NotFound):  # taken back meanwhile
            found.append(await desk.streams.challenges.told(game))
    return found


@post("/bot/challenges", responses=REFUSALS)
async def challenge(request: Asked, desk: Asking, data: JSONBody[NewChallenge]) -> bodies.Created:
    """Challenge an account by its name; the table is laid at once, and taken away if it declines."""
    return await desk.streams.challenges.make(guest_of(request), data)


@post("/bot/challenges/{game:str}/accept", responses=REFUSALS)
async def accept(request: Asked, desk: Asking, game: FromPath[str]) -> bodies.Created:
    """Sit down at the table of a challenge."""
    return await desk.streams.challenges.accept(guest_of(request), game, caller_of(request).selves)


@post("/bot/challenges/{game:str}/decline", responses=REFUSALS, status_code=204)
async def decline(request: Asked, desk: Asking, game: FromPath[str]) -> None:
    """Do not sit down."""
    await desk.streams.challenges.decline(guest_of(request), game)


def _key(request: Asked) -> bytes | None:
    session = caller_of(request).session
    return None if session is None else session.key


def handlers() -> list[Any]:
    """Every address of bots."""
    asked = [account_stream, game_stream, do, my_challenges, challenge, accept, decline]
    return [Router("/api", route_handlers=asked)]
