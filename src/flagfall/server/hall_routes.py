"""The hall's addresses: who waits, and who looks for an opponent."""

from __future__ import annotations

from typing import Any

from litestar import Router, get, post
from litestar.params import JSONBody

from flagfall.server.callers import caller_of
from flagfall.server.routes import REFUSALS, Asked, Asking, guest_of
from flagfall.wire import bodies, people


@get("/hall", responses=REFUSALS)
async def open_tables(request: Asked, desk: Asking) -> list[people.OpenTable]:
    """List the tables at which somebody waits for anybody."""
    return await desk.hall.tables(guest_of(request), caller_of(request).selves)


@post("/hall/seek", responses=REFUSALS)
async def seek(request: Asked, desk: Asking, data: JSONBody[people.Seek]) -> bodies.Created:
    """Be paired with whoever wants the same game under the same clock, or wait for him at a table."""
    return await desk.hall.seek(guest_of(request), data, caller_of(request).selves)


def handlers() -> list[Any]:
    """Every address of the hall."""
    return [Router("/api", route_handlers=[open_tables, seek])]
