"""What the page says over the socket: typed, tagged frames with their limits; `messages` reads them and answers."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

SquareName = Annotated[str, Meta(min_length=2, max_length=3, pattern=r"^[a-j](10|[1-9])(?!\n)$")]
ClientId = Annotated[str, Meta(min_length=1, max_length=40, pattern=r"^[A-Za-z0-9_-]+(?!\n)$")]
PhraseWord = Literal[
    "hello", "good_luck", "well_played", "thanks", "oops", "sorry", "moment", "back", "hurry", "good_game"
]
Hearing = Literal["all", "mute", "block"]
PlyNumber = Annotated[int, Meta(ge=0, le=1_000_000)]


class Rescue(Struct, frozen=True, forbid_unknown_fields=True):
    """Bring the fallen man who began on square `man` back onto square `put` (R13.2)."""

    man: SquareName
    put: SquareName


class Move(Struct, frozen=True, forbid_unknown_fields=True, tag="move", rename={"origin": "from", "target": "to"}):
    """Play `origin`-`target` as ply number `ply`; the same `id` again is the same move, not a second one."""

    id: ClientId
    ply: PlyNumber
    origin: SquareName
    target: SquareName
    rescue: Rescue | None = None


class Resign(Struct, frozen=True, forbid_unknown_fields=True, tag="resign"):
    """Give the game up."""

    id: ClientId


class OfferDraw(Struct, frozen=True, forbid_unknown_fields=True, tag="offer_draw"):
    """Offer a draw; it lapses with the next ply."""

    id: ClientId


class AnswerDraw(Struct, frozen=True, forbid_unknown_fields=True, tag="answer_draw"):
    """Take the other seat's draw offer or decline it."""

    id: ClientId
    accept: bool


class ShowTruth(Struct, frozen=True, forbid_unknown_fields=True, tag="show_truth"):
    """Let those who look on see both armies, late, as far as this seat is asked; or withdraw that."""

    id: ClientId
    give: bool


class AskBack(Struct, frozen=True, forbid_unknown_fields=True, tag="ask_back"):
    """Ask for one's last ply back on a board of `ply` plies; it lapses with the next ply."""

    id: ClientId
    ply: PlyNumber


class AnswerBack(Struct, frozen=True, forbid_unknown_fields=True, tag="answer_back"):
    """Give the plies back that the other seat asks for on a board of `ply` plies, or keep to them."""

    id: ClientId
    ply: PlyNumber
    accept: bool


class Abort(Struct, frozen=True, forbid_unknown_fields=True, tag="abort"):
    """Call the game off, before its second move; it counts for nothing and its armies stay closed."""

    id: ClientId


class Claim(Struct, frozen=True, forbid_unknown_fields=True, tag="claim"):
    """Claim the win, or a draw, because the other seat has been empty for long."""

    id: ClientId
    win: bool


class Say(Struct, frozen=True, forbid_unknown_fields=True, tag="say"):
    """Say one of the phrases that every page has in its own language."""

    id: ClientId
    phrase: PhraseWord


class Write(Struct, frozen=True, forbid_unknown_fields=True, tag="write"):
    """Say something in words of one's own, where both seats want that."""

    id: ClientId
    text: Annotated[str, Meta(min_length=1, max_length=160)]


class Wish(Struct, frozen=True, forbid_unknown_fields=True, tag="wish"):
    """Want words of one's own, from both seats; or no longer."""

    id: ClientId
    open: bool


class Hear(Struct, frozen=True, forbid_unknown_fields=True, tag="hear"):
    """Hear the other seat, or not at this table, or nowhere any more; it is not told."""

    id: ClientId
    how: Hearing


class Ping(Struct, frozen=True, forbid_unknown_fields=True, tag="ping"):
    """Ask whether the server is there."""


Spoken = Say | Write | Wish | Hear
Deed = Resign | OfferDraw | AnswerDraw | AskBack | AnswerBack | Abort | Claim | ShowTruth
Said = Move | Deed | Spoken
ClientFrame = Said | Ping
