"""Who sits where, as both seats may know it: the names of accounts, and their ratings."""

from __future__ import annotations

from msgspec import Struct


class Names(Struct, frozen=True):
    """The account's name for each seat, null for a guest's, the house's, and one that was deleted."""

    red: str | None
    blue: str | None


class Rating(Struct, frozen=True):
    """A rating in one class, with its deviation; provisional while that is large."""

    rating: int
    deviation: int
    provisional: bool


class Ratings(Struct, frozen=True):
    """The rating of each seat's account in the class of the game, null where it has none."""

    red: Rating | None
    blue: Rating | None


Sitters = tuple[Names, Ratings]
NOBODY: Sitters = Names(None, None), Ratings(None, None)
