"""The addresses of accounts: come in, go out, end sessions, take one's games and data along, be forgotten."""

from __future__ import annotations

from typing import Any

from litestar import Response, Router, delete, get, post
from litestar.datastructures import Cookie
from litestar.params import FromPath, JSONBody
from litestar.response import Stream

from flagfall.errors import NotAllowed
from flagfall.server.accounts import SESSION_MS
from flagfall.server.callers import SESSION_COOKIE, caller_of, signed_in
from flagfall.server.routes import REFUSALS, Asked, Asking, Desk
from flagfall.wire.bots import MadeToken, NewToken, TokenLine
from flagfall.wire.people import Credentials, Me, NewPassword, Proof


@get("/account", responses=REFUSALS)
async def me(request: Asked, desk: Asking) -> Me:
    """Say who asks: a guest has no name."""
    caller = caller_of(request)
    if caller.refused is not None:
        raise caller.refused
    if caller.bot and caller.session is not None:
        return Me(name=caller.session.account.name, claimable=0, sessions=[])
    return await desk.accounts.me(caller.session, caller.guest)


@post("/account", responses=REFUSALS)
async def register(request: Asked, desk: Asking, data: JSONBody[Credentials]) -> Response[Me]:
    """Make an account of a name and a password, and sign in."""
    return await _entered(
        request, desk, await desk.accounts.register(data, _address(request), caller_of(request).guest)
    )


@post("/account/session", responses=REFUSALS)
async def sign_in(request: Asked, desk: Asking, data: JSONBody[Credentials]) -> Response[Me]:
    """Sign in."""
    return await _entered(request, desk, await desk.accounts.enter(data, _address(request), caller_of(request).guest))


@delete("/account/session", responses=REFUSALS)
async def sign_out(request: Asked, desk: Asking) -> Response[None]:
    """End this session; seats of this browser's guest stay its own."""
    await desk.accounts.leave(signed_in(request))
    return _left()


@delete("/account/sessions/{session:str}", responses=REFUSALS)
async def end_session(request: Asked, desk: Asking, session: FromPath[str]) -> None:
    """End one of one's sessions, wherever it is open."""
    await desk.accounts.end(signed_in(request), session)


@delete("/account/sessions", responses=REFUSALS)
async def end_sessions(request: Asked, desk: Asking) -> None:
    """End every session but this one."""
    await desk.accounts.end_others(signed_in(request))


@post("/account/password", responses=REFUSALS, status_code=204)
async def change_password(request: Asked, desk: Asking, data: JSONBody[NewPassword]) -> None:
    """Change one's password; every other session ends."""
    await desk.accounts.change_password(signed_in(request), data.old, data.new, _address(request))


@get("/account/tokens", responses=REFUSALS)
async def list_tokens(request: Asked, desk: Asking) -> list[TokenLine]:
    """List one's tokens for bots; what each of them is, is told nowhere."""
    return await desk.accounts.tokens.of(signed_in(request).account)


@post("/account/tokens", responses=REFUSALS)
async def make_token(request: Asked, desk: Asking, data: JSONBody[NewToken]) -> MadeToken:
    """Make a token for a bot, told this once; the account is shown as a bot's from then on."""
    return await desk.accounts.tokens.make(signed_in(request).account, data.title)


@delete("/account/tokens/{token:str}", responses=REFUSALS)
async def revoke_token(request: Asked, desk: Asking, token: FromPath[str]) -> None:
    """Revoke a token; its streams are closed at once."""
    await desk.accounts.revoke(signed_in(request), token)


@post("/account/claim", responses=REFUSALS, status_code=200)
async def claim(request: Asked, desk: Asking) -> Me:
    """Take over the games of this browser's guest."""
    session, guest = signed_in(request), caller_of(request).guest
    if guest is None:
        raise NotAllowed("this browser has no guest's games", code="no_guest")
    await desk.accounts.claim(session, guest)
    return await desk.accounts.me(session, guest)


@get("/account/export", responses=REFUSALS)
async def export(request: Asked, desk: Asking) -> Stream:
    """Hand out everything that is kept of an account, as JSON."""
    pieces = await desk.accounts.export(signed_in(request))
    named = {"content-disposition": 'attachment; filename="flagfall-account.json"'}
    return Stream(pieces, media_type="application/json", headers=named)


@post("/account/delete", responses=REFUSALS, status_code=204)
async def forget(request: Asked, desk: Asking, data: JSONBody[Proof]) -> Response[None]:
    """Give up what is being played and forget the account; its games stay, under nobody's name."""
    await desk.accounts.delete(signed_in(request), data.password, _address(request))
    return _left()


async def _entered(request: Asked, desk: Desk, token: str) -> Response[Me]:
    session = await desk.accounts.session(token)
    answer = Response(await desk.accounts.me(session, caller_of(request).guest))
    answer.set_cookie(
        Cookie(
            SESSION_COOKIE,
            value=token,
            max_age=SESSION_MS // 1000,
            httponly=True,
            samesite="strict",
            secure=desk.secure_cookie,
        )
    )
    return answer


def _left() -> Response[None]:
    answer: Response[None] = Response(None, status_code=204)
    answer.delete_cookie(SESSION_COOKIE)
    return answer


def _address(request: Asked) -> str:
    return request.client.host if request.client else ""


def handlers() -> list[Any]:
    """Every address of accounts."""
    asked = [me, register, sign_in, sign_out, end_session, end_sessions, change_password, claim, export, forget]
    asked += [list_tokens, make_token, revoke_token]
    return [Router("/api", route_handlers=asked)]
