"""The record of one game: everything that happened, in order, enough to take the game up again at any ply."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from flagfall.play.clock import Control
from flagfall.play.player import Budget, derived
from flagfall.play.takeback import undone
from flagfall.rules.board import Move, Seat
from flagfall.rules.deployment import Deployment
from flagfall.rules.events import Reason, Result
from flagfall.rules.notation import move_text
from flagfall.rules.variant import Variant

FORMAT = "flagfall-record-1"
CHECKSUM = "sha256:"


class Sort(StrEnum):
    """Who sat there."""

    PERSON = "person"
    HOUSE = "house"
    PROGRAM = "program"


@dataclass(frozen=True, slots=True)
class Sitter:
    """Name and sort of whoever sits at one side, and what a machine may think about a move."""

    name: str
    sort: Sort = Sort.HOUSE
    budget: Budget = field(default_factory=Budget)


class Deed(StrEnum):
    """What a seat, its clock or the lot can do at a table; `fill`: the lot sets up for whoever was late (R12).

    `ask`, `allow`, `deny`: a ply back. `abort`, `annul`: the game is called off, by a seat or by the house.
    `left`, `away`: whose seat was empty for so long that the other one claimed the win, or a draw.
    """

    DEPLOY = "deploy"
    FILL = "fill"
    MOVE = "move"
    OFFER = "offer"
    DECLINE = "decline"
    ACCEPT = "accept"
    RESIGN = "resign"
    TIME = "time"
    FORFEIT = "forfeit"
    ASK = "ask"
    ALLOW = "allow"
    DENY = "deny"
    ABORT = "abort"
    ANNUL = "annul"
    LEFT = "left"
    AWAY = "away"


@dataclass(frozen=True, slots=True)
class Act:
    """One deed at a time of the game, in milliseconds from its beginning.

    seat: who did it; None where the time to set up ran out for both. fault: the code of the fault for which a program
    forfeits.
    """

    at_ms: int
    deed: Deed
    seat: Seat | None
    move: Move | None = None
    fault: str | None = None

    def to_json(self) -> dict[str, Any]:
        """`{"at", "seat", "move": "e4-e5"}` for a move, else `{"at", "seat", "act"}` and perhaps its `fault`."""
        form: dict[str, Any] = {"at": self.at_ms, "seat": None if self.seat is None else self.seat.word}
        if self.move is not None:
            return form | {"move": move_text(self.move)}
        form["act"] = self.deed.value
        return form if self.fault is None else form | {"fault": self.fault}


PEOPLE = (Sitter("red", Sort.PERSON), Sitter("blue", Sort.PERSON))


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What is agreed before the first man stands.

    first: who moves first, chosen or drawn by now. control: the clock, None without one. game: its id, letters, digits,
    `_` and `-`, at most 64. begun_ms: when it was agreed, in milliseconds since 1970. rated: whether it counts for the
    seats' ratings; no ply of such a game is taken back.
    """

    variant: Variant
    first: Seat = Seat.RED
    sitters: tuple[Sitter, Sitter] = PEOPLE
    control: Control | None = None
    game: str = "game"
    begun_ms: int = 0
    rated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One game, over or interrupted.

    secret: of this game alone; seeds and salts follow from it, and it leaves the referee with a finished record only.
    elapsed_ms: the time of the game at which this was written. A record of an unfinished game holds all that is secret:
    it is for the referee's own store.
    """

    terms: Terms
    secret: bytes
    elapsed_ms: int
    deployments: tuple[Deployment | None, Deployment | None]
    acts: tuple[Act, ...]
    result: Result
    reason: Reason

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.result is not Result.GOING

    @property
    def plies(self) -> int:
        """How many plies were played and stand."""
        return len(self.moves)

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves that stand, in order: those taken back are left out."""
        moves: list[Move] = []
        for act in self.acts:
            if act.move is not None:
                moves.append(act.move)
            elif act.deed is Deed.ALLOW and act.seat is not None:
                turn = self.terms.first if len(moves) % 2 == 0 else self.terms.first.other
                del moves[-undone(turn, act.seat.other) :]
        return tuple(moves)

    def commitments(self) -> tuple[str | None, str | None]:
        """What was made known of red's and blue's army before the first ply; None for a seat that never set up."""
        red, blue = (None if army is None else commitment(self.secret, army) for army in self.deployments)
        return red, blue

    def to_json(self) -> dict[str, Any]:
        """The record as plain data; `checksum` is over all the rest."""
        terms = self.terms
        form = {
            "format": FORMAT,
            "game": terms.game,
            "variant": terms.variant.to_json(),
            "digest": terms.variant.digest,
            "first": terms.first.word,
            "players": _by_seat([_sitter_form(sitter) for sitter in terms.sitters]),
            "clock": None if terms.control is None else terms.control.to_json(),
            "secret": self.secret.hex(),
            "begun_ms": terms.begun_ms,
            "elapsed_ms": self.elapsed_ms,
            "deployments": _by_seat([None if army is None else army.text() for army in self.deployments]),
            "commitments": _by_seat(list(self.commitments())),
            "acts": [act.to_json() for act in self.acts],
            "result": None if not self.over else self.result.word,
            "reason": None if not self.over else self.reason.word,
        }
        if terms.rated:
            form["rated"] = True
        return form | {"checksum": checksum(form)}

    def text(self) -> str:
        """The record as one line of canonical JSON."""
        return canonical(self.to_json())

    def __repr__(self) -> str:
        """Nothing of what is secret: a record may end up in a log."""
        return f"Record({self.terms.game}, {self.terms.variant.name}, {self.plies} plies, {self.result.word})"


def commitment(secret: bytes, army: Deployment) -> str:
    """The salted digest of an army: it binds the referee and tells nothing until the salt is known."""
    return hashlib.blake2b(salt(secret, army.seat) + army.text().encode(), digest_size=32).hexdigest()


def salt(secret: bytes, seat: Seat) -> bytes:
    """The salt of a seat's commitment, from the secret of the game."""
    return derived(secret, "salt", int(seat))


def canonical(form: Any) -> str:
    """JSON of which equal data has one spelling: keys in order, no spaces, ASCII only."""
    return json.dumps(form, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def checksum(form: dict[str, Any]) -> str:
    """SHA-256 over the canonical JSON of everything but the checksum itself."""
    rest = {key: value for key, value in form.items() if key != "checksum"}
    return CHECKSUM + hashlib.sha256(canonical(rest).encode("ascii")).hexdigest()


def _by_seat(pair: list[Any]) -> dict[str, Any]:
    return {seat.word: pair[seat] for seat in Seat}


def _sitter_form(sitter: Sitter) -> dict[str, Any]:
    return {
        "name": sitter.name,
        "sort": sitter.sort.value,
        "nodes": sitter.budget.nodes,
        "time_ms": sitter.budget.time_ms,
    }
