"""Errors as people over HTTP see them: problem+json with a stable code, and nothing that the receiver may not know."""

from __future__ import annotations

from http import HTTPStatus

from flagfall.errors import (
    BadArmy,
    BadMessage,
    BadVariant,
    FlagfallError,
    IllegalMove,
    NotAllowed,
    NotFound,
    PlayerFault,
    Unreadable,
)
from flagfall.server.store import StoreFault
from flagfall.wire.bodies import Problem
from flagfall.wire.messages import params_of

MEDIA_TYPE = "application/problem+json"
_BY_CODE = {
    "no_guest": HTTPStatus.UNAUTHORIZED,
    "not_signed_in": HTTPStatus.UNAUTHORIZED,
    "wrong_login": HTTPStatus.FORBIDDEN,
    "weak_password": HTTPStatus.UNPROCESSABLE_ENTITY,
    "banned": HTTPStatus.FORBIDDEN,
    "bad_token": HTTPStatus.UNAUTHORIZED,
    "not_with_token": HTTPStatus.FORBIDDEN,
    "too_many_streams": HTTPStatus.TOO_MANY_REQUESTS,
    "foreign_host": HTTPStatus.MISDIRECTED_REQUEST,
    "foreign_origin": HTTPStatus.FORBIDDEN,
    "too_fast": HTTPStatus.TOO_MANY_REQUESTS,
    "too_long": HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    "too_slow": HTTPStatus.REQUEST_TIMEOUT,
    "not_json": HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
    "wrong_method": HTTPStatus.METHOD_NOT_ALLOWED,
    "closed": HTTPStatus.SERVICE_UNAVAILABLE,
    "elsewhere": HTTPStatus.SERVICE_UNAVAILABLE,
    "law_not_ready": HTTPStatus.SERVICE_UNAVAILABLE,
    "too_many_games": HTTPStatus.TOO_MANY_REQUESTS,
}
_BY_CLASS: tuple[tuple[type[FlagfallError], HTTPStatus], ...] = (
    (NotFound, HTTPStatus.NOT_FOUND),
    (NotAllowed, HTTPStatus.CONFLICT),
    (IllegalMove, HTTPStatus.CONFLICT),
    (BadArmy, HTTPStatus.UNPROCESSABLE_ENTITY),
    (BadVariant, HTTPStatus.UNPROCESSABLE_ENTITY),
    (Unreadable, HTTPStatus.UNPROCESSABLE_ENTITY),
    (BadMessage, HTTPStatus.BAD_REQUEST),
    (PlayerFault, HTTPStatus.SERVICE_UNAVAILABLE),
    (StoreFault, HTTPStatus.SERVICE_UNAVAILABLE),
)


def status_of(error: FlagfallError) -> HTTPStatus:
    """The HTTP status of an error: by its code where that says more than its class."""
    found = _BY_CODE.get(error.stable_code)
    if found is not None:
        return found
    return next((status for kind, status in _BY_CLASS if isinstance(error, kind)), HTTPStatus.INTERNAL_SERVER_ERROR)


def problem_of(error: FlagfallError) -> Problem:
    """An error as a problem (RFC 9457)."""
    status = status_of(error)
    return Problem("about:blank", status.phrase, int(status), error.stable_code, error.sentence, params_of(error))


def internal() -> FlagfallError:
    """What the world hears of a fault of ours: that there was one."""
    return FlagfallError("something went wrong on the server; nothing was changed", code="internal")
