"""Invitations: one code a game gives its free seat to the first who comes with it."""

from __future__ import annotations

import base64
import re

from flagfall.errors import NotAllowed, NotFound
from flagfall.play.player import derived
from flagfall.play.record import Record

CODE_BYTES = 18
"""144 random bits: nobody guesses a seat."""
_CODE = re.compile(r"[A-Za-z0-9_-]{24}")


def code_of(record: Record) -> str:
    """The code of a game's invitation: it follows from the game's secret, one way, so that it need not be kept."""
    return base64.urlsafe_b64encode(derived(record.secret, "invitation", 0)[:CODE_BYTES]).decode()


def is_code(text: str) -> bool:
    """Whether a text has the form of a code."""
    return _CODE.fullmatch(text) is not None


def no_invitation() -> NotFound:
    """What is said of a code that invites to nothing."""
    return NotFound("this invitation leads nowhere", code="no_invitation")


def seat_taken() -> NotAllowed:
    """What is said to whoever comes late."""
    return NotAllowed("somebody else has taken this seat", code="seat_taken")
