"""What page and server say of people: the open tables of the hall, who looks for an opponent, and accounts."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from flagfall.wire.bodies import Clock, Switches
from flagfall.wire.messages import Name, SeatWord
from flagfall.wire.sitters import Rating

AccountName = Annotated[str, Meta(min_length=2, max_length=24, pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]{1,23}(?!\n)$")]
"""Plain letters, so that no name looks like another; `$` alone would let a line break through."""
Password = Annotated[str, Meta(min_length=10, max_length=200)]


PaceWord = Literal["days", "long", "rapid", "blitz", "untimed"]
"""The class of a clock, by the time that a whole game of a hundred moves would leave a seat."""
Score = Literal["won", "lost", "drawn"]


class OpenTable(Struct, frozen=True):
    """A table at which somebody waits for anybody.

    code: its invitation. law: the house rules by which it departs from the catalogue. seat: the one that is free. mine:
    whether it is one's own, at which nobody sits down himself. host: the name of whoever waits under an account.
    rated: whether the game counts. rating: the host's in its class, null for a guest and before the first rated game.
    waited_ms: for how long it has been there.
    """

    code: str
    variant: str
    law: Switches
    seat: SeatWord
    first: SeatWord
    clock: Clock | None
    mine: bool
    host: str | None
    rated: bool
    rating: Rating | None
    waited_ms: int


class Seek(Struct, frozen=True, forbid_unknown_fields=True):
    """Look for an opponent at a game of the catalogue, by its own rules, under a clock; rated needs an account."""

    variant: Name
    clock: Clock | None = None
    rated: bool = False


class Credentials(Struct, frozen=True, forbid_unknown_fields=True):
    """A name and a password."""

    name: AccountName
    password: Password

    def __repr__(self) -> str:
        return "Credentials(…)"


class NewPassword(Struct, frozen=True, forbid_unknown_fields=True):
    """One's password, and what it is to be from now on."""

    old: Password
    new: Password

    def __repr__(self) -> str:
        return "NewPassword(…)"


class Proof(Struct, frozen=True, forbid_unknown_fields=True):
    """One's password, where it is asked for once more."""

    password: Password

    def __repr__(self) -> str:
        return "Proof(…)"


class SessionLine(Struct, frozen=True):
    """One place where one is signed in; `here` is the one that asks."""

    id: str
    created_ms: int
    used_ms: int
    here: bool


class Me(Struct, frozen=True):
    """Who asks: null for a guest. claimable: how many games of this browser's guest the account can take over."""

    name: str | None
    claimable: int
    sessions: list[SessionLine]


class Portrait(Struct, frozen=True):
    """The head of what an account takes with it; its games follow, as a list under `games`."""

    format: str
    name: str
    created_ms: int
    sessions: list[SessionLine]


class Share(Struct, frozen=True):
    """One game as its seat takes it along: of one that is not over, only its own army and how far it is."""

    game: str
    seat: SeatWord
    variant: str
    begun_ms: int
    army: str | None
    plies: int
    record: dict[str, Any] | None


ReportWord = Literal["insults", "cheating", "stalling", "other"]


class Report(Struct, frozen=True, forbid_unknown_fields=True):
    """What one player holds against the other, with words of his own where he likes."""

    reason: ReportWord
    words: Annotated[str, Meta(max_length=500)] = ""

    def __repr__(self) -> str:
        return "Report(…)"


class RatingLine(Struct, frozen=True):
    """Somebody's rating in one class, and how many games made it."""

    variant: str
    pace: PaceWord
    rating: Rating
    games: int


class RatingChange(Struct, frozen=True):
    """From where to where a game moved the rating of a seat's account."""

    seat: SeatWord
    before: Rating
    after: Rating


class Played(Struct, frozen=True):
    """One game between people that is over, as a player's page shows it; no way leads from it to the armies.

    opponent: null for a guest, and for whoever has left. game: its id, for the player himself alone.
    """

    game: str | None
    seat: SeatWord
    variant: str
    pace: PaceWord
    rated: bool
    score: Score
    opponent: str | None
    over_ms: int


class Tally(Struct, frozen=True):
    """Results against one opponent; null are all guests and all who have left."""

    opponent: str | None
    won: int
    drawn: int
    lost: int


class Opening(Struct, frozen=True):
    """An army from a game that is over, as its owner chose to show it; he alone is told the game."""

    game: str | None
    variant: str
    seat: SeatWord
    army: str


class Person(Struct, frozen=True):
    """A player's page. mine: whether it is one's own."""

    name: str
    since_ms: int
    mine: bool
    ratings: list[RatingLine]
    against: list[Tally]
    games: list[Played]
    openings: list[Opening]


class ShowOpening(Struct, frozen=True, forbid_unknown_fields=True):
    """Show one's army of a finished game on one's page, or no longer."""

    public: bool
