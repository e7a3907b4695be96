"""Every error Flagfall raises, one tree, each with a stable code.

    FlagfallError
    ├── Unreadable      text, file or JSON that cannot be read as what it should be
    ├── IllegalMove     a move that the law refuses, with the reason of R0
    ├── BadArmy         a deployment that is no legal army of its variant
    ├── BadVariant      a variant or a switch of the law that makes no game
    ├── BadMessage      a message that does not follow the protocol
    ├── PlayerFault     a player that crashed, timed out or answered nonsense
    ├── NotAllowed      something that this seat, or anybody, may not do now
    └── NotFound        a name, a game or a file that is not there

`code` is for programs and translators, the sentence for people; neither tells what the receiver may not know.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

JsonValue = str | int | float | bool | None | list[str] | list[int]


class FlagfallError(Exception):
    """Root of the tree; `code` is stable, `params` fill the sentence of a catalogue."""

    code: ClassVar[str] = "error"

    def __init__(self, sentence: str, *, code: str | None = None, **params: JsonValue) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.params: Mapping[str, JsonValue] = params
        self._code = code

    @property
    def stable_code(self) -> str:
        """The code of this very error: its own where it has one, else that of its class."""
        return self._code or type(self).code

    def __str__(self) -> str:
        return self.sentence


class Unreadable(FlagfallError):
    """Text, a file or JSON that cannot be read as what it should be."""

    code = "unreadable"


class IllegalMove(FlagfallError):
    """A move that the law refuses; `reason` is one of the words of R0."""

    code = "illegal_move"

    def __init__(self, sentence: str, reason: str, **params: JsonValue) -> None:
        super().__init__(sentence, code=reason, **params)
        self.reason = reason


class BadArmy(FlagfallError):
    """A deployment that is no legal army of its variant (R3)."""

    code = "bad_army"


class BadVariant(FlagfallError):
    """A variant, or a switch of the law, that makes no game."""

    code = "bad_variant"


class BadMessage(FlagfallError):
    """A message that does not follow the protocol."""

    code = "bad_message"


class PlayerFault(FlagfallError):
    """A player that crashed, ran out of time or answered nonsense."""

    code = "player_fault"


class NotAllowed(FlagfallError):
    """Something that this seat, or anybody, may not do now."""

    code = "not_allowed"


class NotFound(FlagfallError):
    """A name, a game or a file that is not there."""

    code = "not_found"
