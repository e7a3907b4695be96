"""What the server says to those who look on at a game: one frame of its own, in which no field belongs to a seat."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from flagfall.wire.messages import (
    Against,
    Both,
    ClockState,
    Crowd,
    LawFrame,
    Left,
    Man,
    Opened,
    Pair,
    Phase,
    Ply,
    Pong,
    ReasonWord,
    Refused,
    ResultWord,
    Sealed,
    SeatWord,
    ShowingWord,
    VariantCard,
)
from flagfall.wire.sitters import Names, Ratings

WatchedWord = Literal[ShowingWord, "open"]


class Watched(Struct, frozen=True, tag="watched"):
    """Everything that somebody who looks on may know now, and nothing else.

    showing: how this relates to the game at the table. `public`: as it stands, with the ranks that both seats know.
    `waiting`: both seats have agreed to show the armies, and the board rests until what it shows is `delay` plies old.
    `truth`: both armies, `delay` plies late. `late`: a seat has withdrawn; public ranks alone, and still as late, since
    who has seen the armies could follow the men. `open`: the game is over. Of a board that is late, `ply`, `turn`,
    `men`, `plies` and `clock` are of the moment that is shown, and nothing here is of a later one.
    plies: those from number `plies_from` on. agreed: which seats let the armies be shown. complete: nobody is missing
    at the table. ready: by seat, whether its army stands.
    """

    game: str
    showing: WatchedWord
    delay: int | None
    agreed: Both
    phase: Phase
    variant: VariantCard
    level: str
    against: Against
    complete: bool
    ready: Both
    names: Names
    ratings: Ratings
    first: SeatWord
    turn: SeatWord | None
    ply: int
    men: list[Man]
    plies_from: int
    plies: list[Ply]
    left: Left
    hidden_fallen: Pair
    offer: SeatWord | None
    clock: ClockState | None
    sealed: Sealed | None
    result: ResultWord | None
    reason: ReasonWord | None
    truth: Opened | None


WatcherFrame = Watched | Refused | LawFrame | Pong | Crowd
