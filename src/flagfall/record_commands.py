"""The wing of the front door for records: `flagfall replay` and `flagfall verify`."""

from __future__ import annotations

from typing import Literal

from cyclopts.types import ExistingFile, PositiveInt


def replay(
    record: ExistingFile, /, *, game: PositiveInt = 1, numbering: Literal["modern", "original"] = "modern"
) -> int | None:
    """Play a recorded game again through the referee and print it.

    Parameters
    ----------
    record
        A record that the page wrote, or the file of a match.
    game
        Which game of a match.
    numbering
        modern prints 10 for the marshal, original 1.
    """
    from flagfall.play import replay as again
    from flagfall.rules.pieces import Numbering

    return again.show(record, game, Numbering(numbering))


def verify(file: ExistingFile, /, *, red: str | None = None, blue: str | None = None) -> int:
    """Say what a finished game's record proves, and hold it against digests that were heard during the game.

    Parameters
    ----------
    file
        The record, as the page saves it.
    red, blue
        The digest of that side's army as somebody heard it before the first ply.
    """
    from flagfall.check import proof
    from flagfall.rules.board import Seat

    heard = {seat: digest for seat, digest in zip(Seat, (red, blue), strict=True) if digest is not None}
    return proof.verify(file, heard)
