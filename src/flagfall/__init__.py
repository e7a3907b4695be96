"""Flagfall: the board game Stratego, its law, its table, its machine player and its page.

What a shell wants at hand is offered here and loaded on first use, so that importing the package stays light.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from flagfall.version import VERSION

if TYPE_CHECKING:
    from flagfall.rules.board import Seat
    from flagfall.rules.catalog import CLASSIC, MICRO, variant
    from flagfall.rules.deployment import Deployment
    from flagfall.rules.truth import Truth as Game
    from flagfall.rules.view import View

__version__ = VERSION

_HOMES = {
    "CLASSIC": ("catalog", "CLASSIC"),
    "MICRO": ("catalog", "MICRO"),
    "Deployment": ("deployment", "Deployment"),
    "Game": ("truth", "Truth"),
    "Seat": ("board", "Seat"),
    "View": ("view", "View"),
    "variant": ("catalog", "variant"),
}

__all__ = ["CLASSIC", "MICRO", "Deployment", "Game", "Seat", "View", "__version__", "variant"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'flagfall' has no attribute {name!r}")
    module, attribute = _HOMES[name]
    return getattr(import_module(f"flagfall.rules.{module}"), attribute)


def __dir__() -> list[str]:
    return __all__
