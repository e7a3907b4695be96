"""Players by name, found through entry points, so that no room imports the mind to seat one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Any

from flagfall.errors import NotFound
from flagfall.play.player import Factory, Player, Reply, Request, think
from flagfall.rules.board import Seat, Square
from flagfall.rules.pieces import Rank
from flagfall.rules.variant import Variant

if TYPE_CHECKING:
    from flagfall.rules.deployment import Deployment

PLAYERS = "flagfall.players"
OPENINGS = "flagfall.openings"
HOUSE_OPENING = "house"
READY_OPENINGS = "ready"


@cache
def _points(group: str) -> dict[str, EntryPoint]:
    """The entry points of a group by name; what is installed does not change under a running process."""
    return {point.name: point for point in entry_points(group=group)}


@cache
def _loaded(group: str, name: str) -> Any:
    point = _points(group).get(name)
    if point is None:
        what = "no player has this name" if group == PLAYERS else "no opening of this name is installed"
        raise NotFound(what, code="unknown_player", name=name[:60])
    return point.load()


def forget() -> None:
    """Look at what is installed anew, after something was."""
    _points.cache_clear()
    _loaded.cache_clear()


def names() -> list[str]:
    """Every player that can be seated, in alphabetical order; nothing of theirs is imported."""
    return sorted(_points(PLAYERS))


def known(name: str) -> bool:
    """Whether a player of this name can be seated; nothing of it is imported."""
    return name in _points(PLAYERS)


def factory(name: str) -> Factory:
    """What makes the named player. Raises NotFound `unknown_player`."""
    found: Factory = _loaded(PLAYERS, name)
    return found


def seat(name: str, seed: bytes) -> Player:
    """The named player with the seed of its seat. Raises NotFound `unknown_player`."""
    return factory(name)(seed)


def answer(request: Request) -> Reply:
    """Seat the player that a request names and let it think. Raises NotFound, or what the player raises."""
    return think(seat(request.player, request.seed), request)


def fill(variant: Variant, seat: Seat, seed: bytes, keep: Mapping[Square, Rank] | None = None) -> Deployment:
    """A sensible army round the men that already stand. Raises BadArmy where those are no part of an army, NotFound."""
    found: Callable[[Variant, Seat, bytes, Mapping[Square, Rank]], Deployment] = _loaded(OPENINGS, HOUSE_OPENING)
    return found(variant, seat, seed, keep or {})


def ready(variant: Variant) -> list[tuple[str, str]]:
    """The house's own armies of a variant, as (name, text of `Deployment.text`). Raises NotFound."""
    found: Callable[[Variant], list[tuple[str, str]]] = _loaded(OPENINGS, READY_OPENINGS)
    return found(variant)
