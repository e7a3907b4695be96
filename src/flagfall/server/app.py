"""The wiring: routes, errors and who asks; no decision is taken here."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any, cast

import structlog
from litestar import Litestar, Request, Response
from litestar.di import Provide
from litestar.exceptions import HTTPException, ValidationException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin

from flagfall.errors import BadMessage, FlagfallError, NotFound
from flagfall.server import account_routes, bot_routes, hall_routes, person_routes
from flagfall.server.callers import Callers
from flagfall.server.logs import where
from flagfall.server.minding import health, ready
from flagfall.server.problems import MEDIA_TYPE, internal, problem_of
from flagfall.server.routes import Desk, handlers
from flagfall.server.security import App
from flagfall.server.socket import table
from flagfall.server.watch_socket import gallery
from flagfall.version import VERSION
from flagfall.wire.bodies import Problem

log = structlog.get_logger()
Asked = Request[Any, Any, Any]


def make_app(desk: Desk) -> App:
    """The whole application as one ASGI callable; its border goes round it."""
    inner = Litestar(
        route_handlers=[
            *account_routes.handlers(),
            *hall_routes.handlers(),
            *bot_routes.handlers(),
            *person_routes.handlers(),
            *handlers(),
            health,
            ready,
            table,
            gallery,
        ],
        dependencies={"desk": Provide(lambda: desk, sync_to_thread=False)},
        exception_handlers={FlagfallError: _told, HTTPException: _unread, Exception: _broken},
        openapi_config=OpenAPIConfig(
            title="Flagfall",
            version=VERSION,
            path="/api/schema",
            render_plugins=[JsonRenderPlugin(path="/openapi.json")],
        ),
        logging_config=None,
        debug=False,
    )
    return Callers(cast(App, inner), desk.accounts)


def _told(_: Asked, error: FlagfallError) -> Response[Problem]:
    problem = problem_of(error)
    headers = {"retry-after": "2"} if problem.status == HTTPStatus.SERVICE_UNAVAILABLE else None
    return Response(problem, status_code=problem.status, media_type=MEDIA_TYPE, headers=headers)


def _unread(request: Asked, error: HTTPException) -> Response[Problem]:
    """Errors of the framework in our words: none of its own sentences goes out."""
    if error.status_code == HTTPStatus.NOT_FOUND:
        return _told(request, NotFound("the interface has no such address", code="no_address"))
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        return _told(request, BadMessage("this address is not asked that way", code="wrong_method"))
    if isinstance(error, ValidationException) or error.status_code < HTTPStatus.INTERNAL_SERVER_ERROR:
        return _told(request, BadMessage("the message does not follow the protocol", at=_place(error)))
    return _broken(request, error)


def _place(error: HTTPException) -> str:
    """The field that could not be read; never what stood in it."""
    extra = error.extra
    first = extra[0] if isinstance(extra, list) and extra else None
    key = first.get("key") if isinstance(first, dict) else None
    return f"$.{key}"[:60] if isinstance(key, str) and key.replace(".", "").replace("_", "").isalnum() else "$"


def _broken(request: Asked, error: Exception) -> Response[Problem]:
    """A fault of ours: its kind and the lines it passed go to the log, its words and its values nowhere."""
    log.error("request_failed", path=request.scope["path"], kind=type(error).__name__, where=where(error))
    return _told(request, internal())
