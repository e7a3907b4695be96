"""Two addresses for whoever minds the server: whether it lives, and whether it may be sent people."""

from __future__ import annotations

from http import HTTPStatus

from litestar import Response, get

from flagfall.server.health import Readiness
from flagfall.server.routes import Asking


@get("/health", include_in_schema=False, sync_to_thread=False)
def health() -> dict[str, bool]:
    """Say that the process answers."""
    return {"alive": True}


@get("/ready", include_in_schema=False)
async def ready(desk: Asking) -> Response[Readiness]:
    """Say whether people may be sent here: 200, else 503."""
    found = await desk.lobby.health.look()
    status = HTTPStatus.OK if found.ready else HTTPStatus.SERVICE_UNAVAILABLE
    return Response(found, status_code=int(status), media_type="application/json")
