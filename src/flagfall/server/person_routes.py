"""The addresses of players' pages, of the openings that they show there, and of what a game did to ratings."""

from __future__ import annotations

from typing import Any

from litestar import Router, get, post
from litestar.params import FromPath, JSONBody

from flagfall.server.callers import caller_of, signed_in
from flagfall.server.routes import REFUSALS, Asked, Asking
from flagfall.wire.people import Person, RatingChange, ShowOpening


@get("/people/{name:str}", responses=REFUSALS)
async def person(request: Asked, desk: Asking, name: FromPath[str]) -> Person:
    """Show a player's page: what is public of him, and to himself the ids of his games."""
    return await desk.persons.page(name, caller_of(request).who)


@get("/games/{game:str}/ratings", responses=REFUSALS)
async def changes(desk: Asking, game: FromPath[str]) -> list[RatingChange]:
    """Tell how a rated game moved both ratings; nothing before its end."""
    return await desk.persons.changes(game)


@post("/games/{game:str}/opening", responses=REFUSALS, status_code=204)
async def show_opening(request: Asked, desk: Asking, game: FromPath[str], data: JSONBody[ShowOpening]) -> None:
    """Show one's own army of a finished game on one's page, or hide it again."""
    await desk.persons.show(signed_in(request).account.who, game, data.public)


def handlers() -> list[Any]:
    """Every address of players' pages."""
    return [Router("/api", route_handlers=[person, changes, show_opening])]
