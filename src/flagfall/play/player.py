"""What it takes to sit down: a view and a budget in, a move out; and the same as a request that carries everything."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from random import Random
from typing import TYPE_CHECKING, Protocol

from flagfall.errors import PlayerFault
from flagfall.rules.board import Move, Seat, Square
from flagfall.rules.deployment import Deployment
from flagfall.rules.events import Played
from flagfall.rules.variant import Variant

if TYPE_CHECKING:
    from flagfall.rules.view import View

SEED_BYTES = 32


@dataclass(frozen=True, slots=True)
class Budget:
    """How much a player may think about one answer: nodes, milliseconds, both, or neither for its own habit."""

    nodes: int | None = None
    time_ms: int | None = None


class Player(Protocol):
    """Whoever sits at a table, given what its seat may know and nothing else.

    Its chance is a function of its seed and the ply alone, and it keeps nothing between answers that changes one: a
    player made afresh with the same seed answers alike.
    """

    def deploy(self, variant: Variant, seat: Seat) -> Deployment:
        """A whole legal army for `seat` (R3)."""
        ...

    def move(self, view: View, budget: Budget) -> Move:
        """One of `view.legal()`, which is not empty. Raises Resigns to give up."""
        ...

    def accepts_draw(self, view: View) -> bool:
        """Whether it takes the draw that the other seat offers."""
        ...

    def offers_draw(self, view: View) -> bool:
        """Whether it offers a draw with the move that it has just answered; `view` is that of the question."""
        ...


Factory = Callable[[bytes], Player]
"""Makes a player from the seed of its seat."""


class Resigns(Exception):
    """What a player raises that gives the game up instead of moving (R11.2)."""


class Kind(StrEnum):
    """What is asked of a player."""

    DEPLOY = "deploy"
    MOVE = "move"
    DRAW = "draw"


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """All that an answer may depend on, so that a player may crash and come back knowing nothing.

    player: its name on the roster. enemy: the squares on which the other army started, ascending. events: every ply so
    far, as this seat was told. seed: of this seat alone. To deploy there is no deployment, enemy or event yet.
    """

    kind: Kind
    player: str
    variant: Variant
    seat: Seat
    seed: bytes
    first: Seat = Seat.RED
    deployment: Deployment | None = None
    enemy: tuple[Square, ...] = ()
    events: tuple[Played, ...] = ()
    budget: Budget = Budget()

    def view(self) -> View:
        """The seat's view, folded from its events. Raises PlayerFault for a request without a deployment."""
        # Views stand on the compiled law, which a process that only passes requests on never loads.
        from flagfall.rules.view import View

        if self.deployment is None:
            raise PlayerFault("a request to play needs the seat's own deployment", code="no_deployment")
        view = View.start(self.variant, self.deployment, self.enemy, first=self.first)
        for event in self.events:
            view.fold(event)
        return view

    def __repr__(self) -> str:
        """Nothing of the army or the seed: a request may end up in a log."""
        return f"Request({self.kind.value}, {self.player}, {self.seat.word}, after ply {len(self.events)})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What was answered: a deployment, or a move with or without a draw offer, or whether a draw is taken."""

    kind: Kind
    deployment: Deployment | None = None
    move: Move | None = None
    offers_draw: bool = False
    accepts_draw: bool = False

    def __repr__(self) -> str:
        return f"Reply({self.kind.value})"


def think(player: Player, request: Request) -> Reply:
    """Let a player answer a request. Raises what the player raises."""
    if request.kind is Kind.DEPLOY:
        return Reply(kind=Kind.DEPLOY, deployment=player.deploy(request.variant, request.seat))
    view = request.view()
    if request.kind is Kind.DRAW:
        return Reply(kind=Kind.DRAW, accepts_draw=player.accepts_draw(view))
    move = player.move(view, request.budget)
    return Reply(kind=Kind.MOVE, move=move, offers_draw=player.offers_draw(view))


def derived(secret: bytes, *words: str | int, size: int = SEED_BYTES) -> bytes:
    """Bytes that follow from a secret and the words, and from which the secret does not follow (keyed BLAKE2b).

    >>> derived(b"secret", "seat", 0) == derived(b"secret", "seat", 1)
    False
    """
    said = "\x1f".join(str(word) for word in words).encode()
    return hashlib.blake2b(said, key=hashlib.blake2b(secret).digest(), digest_size=size).digest()


def seat_seed(secret: bytes, seat: Seat) -> bytes:
    """The seed of one seat; neither the secret nor the other seat's seed follows from it."""
    return derived(secret, "seat", int(seat))


def chance(seed: bytes, ply: int, purpose: str = "move") -> Random:
    """The chance of a player at one ply: the same for the same seed, ply and purpose, whatever was asked before."""
    return Random(int.from_bytes(derived(seed, purpose, ply, size=16), "big"))
