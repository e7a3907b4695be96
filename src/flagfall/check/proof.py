"""What a finished game's record proves, said plainly: checked step by step, and held against digests heard in time."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TextIO

from flagfall.errors import FlagfallError, NotFound, Unreadable
from flagfall.play.reading import LONGEST_TEXT, read_record
from flagfall.play.record import Record
from flagfall.play.referee import Referee
from flagfall.rules.board import Seat


def verify(path: Path, heard: dict[Seat, str], out: TextIO | None = None) -> int:
    """Print what holds of a record and what that proves; 1 where something does not hold, else 0.

    heard: the digests that somebody heard during the game. Raises NotFound `no_file`.
    """
    out = out or sys.stdout
    try:
        with path.open("rb") as file:
            text = file.read(LONGEST_TEXT + 1)
    except OSError:
        raise NotFound("this file cannot be opened", code="no_file") from None
    try:
        record = read_record(text)
        if not record.over:
            raise Unreadable("this game is not over", code="not_over")
        Referee.resume(record, now_ms=0)
    except FlagfallError as fault:
        print(f"FAILS  {fault} ({fault.stable_code})", file=out)
        return 1
    print(f"holds  The record of game {record.terms.game} is whole: its checksum fits all that stands in it.", file=out)
    print("holds  Each army is the one of which the digest in this record was made.", file=out)
    print(f"holds  All {record.plies} plies are legal, and the game ends as the record says.", file=out)
    if not heard:
        return _unheard(record, out)
    return max(_heard(record, seat, digest, out) for seat, digest in heard.items())


def _heard(record: Record, seat: Seat, digest: str, out: TextIO) -> int:
    """Whether a digest that was heard is the one of the record's army."""
    fits = digest.strip().lower() == record.commitments()[seat]
    word, says = ("holds", "is") if fits else ("FAILS", "is not")
    print(
        f"{word}  The digest that you heard of {seat.word}'s army {says} the one of the army in this record.", file=out
    )
    return 0 if fits else 1


def _unheard(record: Record, out: TextIO) -> int:
    """Say what the record alone cannot show."""
    print(
        "This shows that the record agrees with itself. That nobody swapped men it shows to whoever heard these\n"
        "digests before the first ply, from a page at the table or looking on; give them with --red and --blue:",
        file=out,
    )
    for seat, digest in zip(Seat, record.commitments(), strict=True):
        print(f"  {seat.word:<5}{digest or 'no army was placed'}", file=out)
    return 0
