"""The HTTP interface: each handler reads, asks the lobby or a room, and answers; it decides nothing."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from litestar import Request, Response, Router, get, post
from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie
from litestar.di import NamedDependency
from litestar.openapi import ResponseSpec
from litestar.params import FromPath, FromQuery, JSONBody

from flagfall.errors import NotAllowed, NotFound
from flagfall.rules.board import Seat
from flagfall.server import armies, games
from flagfall.server.accounts import Accounts
from flagfall.server.bans import banned
from flagfall.server.callers import GUEST_COOKIE, caller_of
from flagfall.server.hall import Hall
from flagfall.server.lobby import Lobby, is_token, word_of
from flagfall.server.nature import Nature
from flagfall.server.pages import NOT_BUILT, Pages
from flagfall.server.persons import Persons
from flagfall.server.problems import MEDIA_TYPE
from flagfall.server.rates import Rate
from flagfall.server.streams import Streams
from flagfall.wire import bodies, messages
from flagfall.wire.people import Report
from flagfall.wire.watching import Watched

COOKIE_SECONDS = 400 * 24 * 3600
"""As long as browsers keep any cookie."""
FRAMES = Rate(per_second=10, burst=40)
REFUSALS = {
    int(status): ResponseSpec(bodies.Problem, generate_examples=False, description=status.phrase, media_type=MEDIA_TYPE)
    for status in (
        HTTPStatus.BAD_REQUEST,
        HTTPStatus.UNAUTHORIZED,
        HTTPStatus.FORBIDDEN,
        HTTPStatus.NOT_FOUND,
        HTTPStatus.REQUEST_TIMEOUT,
        HTTPStatus.CONFLICT,
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
        HTTPStatus.MISDIRECTED_REQUEST,
        HTTPStatus.UNPROCESSABLE_ENTITY,
        HTTPStatus.TOO_MANY_REQUESTS,
        HTTPStatus.SERVICE_UNAVAILABLE,
    )
}
"""What any address may answer instead of what was asked for, for the interface's description."""
Asked = Request[Any, Any, Any]


@dataclass(frozen=True, slots=True)
class Desk:
    """What the handlers hand their questions to, and what a socket may do.

    frames: how many a socket may send. patience: frames refused for their number or form before its line is cut.
    """

    lobby: Lobby
    hall: Hall
    accounts: Accounts
    persons: Persons
    nature: Nature
    pages: Pages
    streams: Streams
    secure_cookie: bool = False
    frames: Rate = FRAMES
    patience: int = 20


Asking = NamedDependency[Desk]


def guest_of(request: ASGIConnection[Any, Any, Any, Any]) -> str:
    """Under what name somebody holds seats: a guest's token or an account.

    Raises NotAllowed `no_guest`, `banned`, `bad_token`.
    """
    caller = caller_of(request)
    if caller.refused is not None:
        raise caller.refused
    if caller.who is None:
        raise NotAllowed("say hello first: this server gives you a seat token then", code="no_guest")
    if caller.banned:
        raise banned()
    return caller.who


@get("/hello", responses=REFUSALS, sync_to_thread=False)
def hello(request: Asked, desk: Asking) -> Response[bodies.Hello]:
    """Say what a page needs first, and give a new guest a token."""
    answer = Response(desk.lobby.hello())
    if not is_token(request.cookies.get(GUEST_COOKIE, "")):
        answer.set_cookie(
            Cookie(
                GUEST_COOKIE,
                value=desk.nature.token(),
                max_age=COOKIE_SECONDS,
                httponly=True,
                samesite="strict",
                secure=desk.secure_cookie,
            )
        )
    return answer


@post("/armies/random", responses=REFUSALS, status_code=200)
async def fill_army(desk: Asking, data: JSONBody[bodies.AskArmy]) -> bodies.Army:
    """Make a sensible army, round the men that stand already."""
    return await armies.fill_in(data, desk.nature)


@post("/armies/ready", responses=REFUSALS, status_code=200)
async def ready_armies(data: JSONBody[bodies.AskReady]) -> list[bodies.ReadyArmy]:
    """List ready armies of a game."""
    return await armies.ready(data)


@post("/variants/read", responses=REFUSALS, status_code=200)
async def read_variant(data: JSONBody[bodies.ReadVariant]) -> bodies.OwnVariant:
    """Say what the file of a user's own game means, or where it is wrong."""
    return await asyncio.to_thread(games.read, data)


@post("/variants/card", responses=REFUSALS, status_code=200, sync_to_thread=False)
def variant_card(data: JSONBody[bodies.AskCard]) -> messages.VariantCard:
    """Say how a game is drawn under house rules."""
    return games.card(data)


@post("/armies/check", responses=REFUSALS, status_code=200, sync_to_thread=False)
def check_army(data: JSONBody[bodies.CheckArmy]) -> bodies.Check:
    """Say what is wrong with an army, and what is unwise."""
    return armies.check(data)


@post("/games", responses=REFUSALS)
async def new_game(request: Asked, desk: Asking, data: JSONBody[bodies.NewGame]) -> bodies.Created:
    """Lay a table against the house."""
    return await desk.lobby.create(guest_of(request), data)


@get("/games", responses=REFUSALS)
async def my_games(request: Asked, desk: Asking) -> list[bodies.GameLine]:
    """List one's games, the latest first."""
    return await desk.lobby.games(guest_of(request))


@get("/invitations/{code:str}", responses=REFUSALS)
async def invitation(request: Asked, desk: Asking, code: FromPath[str]) -> bodies.Invitation:
    """Say what an invitation offers."""
    return await desk.lobby.invitation(guest_of(request), code, caller_of(request).selves)


@post("/invitations/{code:str}/join", responses=REFUSALS)
async def join(request: Asked, desk: Asking, code: FromPath[str]) -> bodies.Created:
    """Take the seat that an invitation offers; asked twice it is the same seat."""
    return await desk.lobby.join(guest_of(request), code, caller_of(request).selves)


@post("/games/{game:str}/withdraw", responses=REFUSALS, status_code=204)
async def withdraw(request: Asked, desk: Asking, game: FromPath[str]) -> None:
    """Take a game back that nobody has joined."""
    await desk.lobby.withdraw(guest_of(request), game)


@get("/games/{game:str}", responses=REFUSALS)
async def one_game(
    request: Asked, desk: Asking, game: FromPath[str], seat: FromQuery[messages.SeatWord | None] = None
) -> messages.State:
    """Tell what one's seat may know, with all plies; who plays both says which seat is meant."""
    room, at = await desk.lobby.room(guest_of(request), game, seat)
    await room.opened()
    return await room.state(at, 0)


@post("/games/{game:str}/army", responses=REFUSALS, status_code=200)
async def give_army(
    request: Asked,
    desk: Asking,
    game: FromPath[str],
    data: JSONBody[bodies.GiveArmy],
    seat: FromQuery[messages.SeatWord | None] = None,
) -> messages.State:
    """Place one's army and be ready; the same army again is the same deed."""
    room, at = await desk.lobby.room(guest_of(request), game, seat)
    await room.place(at, data.army)
    return await room.state(at, 0)


@get("/games/{game:str}/record", responses=REFUSALS)
async def record(request: Asked, desk: Asking, game: FromPath[str]) -> dict[str, Any]:
    """Hand out the record of a finished game, to anybody: this address is for good."""
    return await desk.lobby.record(caller_of(request).who or "", game)


@get("/games/{game:str}/finished", responses=REFUSALS)
async def finished(request: Asked, desk: Asking, game: FromPath[str]) -> Watched:
    """Show a finished game, both armies open, to anybody."""
    room = await desk.lobby.finished(caller_of(request).who or "", game)
    await room.opened()
    return await room.watched(0)


@get("/watch/{code:str}", responses=REFUSALS)
async def watch_link(request: Asked, desk: Asking, code: FromPath[str]) -> bodies.WatchLink:
    """Say where a link for watchers leads; who sits at that table goes to his seat."""
    room, seat = await desk.lobby.watch(guest_of(request), code, caller_of(request).selves)
    return bodies.WatchLink(room.ledger.summary.id, None if seat is None else word_of(Seat.of(seat)))


@post("/games/{game:str}/rematch", responses=REFUSALS)
async def rematch(request: Asked, desk: Asking, game: FromPath[str]) -> bodies.Created:
    """Lay the same table again with the sides swapped; asked twice it is the same one."""
    return await desk.lobby.rematch(guest_of(request), game)


@post("/games/{game:str}/report", responses=REFUSALS, status_code=204)
async def report(request: Asked, desk: Asking, game: FromPath[str], data: JSONBody[Report]) -> None:
    """Tell whoever runs the server about the other player of one's game; a second report of a game changes nothing."""
    guest = guest_of(request)
    room, seat = await desk.lobby.room(guest, game)
    await desk.lobby.reports.file(guest, room.ledger.summary.id, seat, data)


@get("/{rest:path}", include_in_schema=False, sync_to_thread=False)
def nothing_here(rest: FromPath[str]) -> None:
    """Say that the interface has no such address, instead of answering with the page."""
    raise NotFound("the interface has no such address", code="no_address")


@get(["/", "/{path:path}"], include_in_schema=False, sync_to_thread=False)
def page(request: Asked, desk: Asking) -> Response[bytes]:
    """Send a file of the page, or the page itself for one of its own addresses."""
    if not desk.pages.built:
        return Response(NOT_BUILT, status_code=503, media_type="text/html")
    found = desk.pages.find(request.scope["path"])
    if found is None:
        raise NotFound("there is no such file", code="no_file")
    headers = {"etag": found.etag, "cache-control": found.keep, "vary": "accept-encoding"}
    if found.etag in {tag.strip().removeprefix("W/") for tag in request.headers.get("if-none-match", "").split(",")}:
        return Response(b"", status_code=304, headers=headers)
    packs = "gzip" in request.headers.get("accept-encoding", "")
    if packs and found.packed is not None:
        return Response(found.packed, media_type=found.kind, headers=headers | {"content-encoding": "gzip"})
    return Response(found.body, media_type=found.kind, headers=headers)


INTERFACE: list[Any] = [
    hello,
    fill_army,
    ready_armies,
    read_variant,
    variant_card,
    check_army,
    new_game,
    my_games,
    invitation,
    join,
    withdraw,
    one_game,
    give_army,
    record,
    finished,
    watch_link,
    rematch,
    report,
    nothing_here,
]


def handlers() -> list[Any]:
    """Every address of the interface and of the page."""
    return [Router("/api", route_handlers=INTERFACE), page]
