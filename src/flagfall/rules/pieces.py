"""The ranks of the game and their two numberings (R2)."""

from __future__ import annotations

from enum import IntEnum, StrEnum

from flagfall.errors import Unreadable


class Rank(IntEnum):
    """One canonical order, the modern one; numberings are for display and input only (R2)."""

    SPY = 1
    SCOUT = 2
    MINER = 3
    SERGEANT = 4
    LIEUTENANT = 5
    CAPTAIN = 6
    MAJOR = 7
    COLONEL = 8
    GENERAL = 9
    MARSHAL = 10
    BOMB = 11
    FLAG = 12
    UNKNOWN = 13

    @property
    def word(self) -> str:
        """The rank's English word in small letters, as JSON forms write it."""
        return self.name.lower()

    @staticmethod
    def of(word: object) -> Rank:
        """The rank named by an English word in small letters. Raises Unreadable."""
        found = _WORDS.get(word) if isinstance(word, str) else None
        if found is None:
            raise Unreadable("no such rank", code="bad_rank")
        return found


RANKS: tuple[Rank, ...] = tuple(rank for rank in Rank if rank is not Rank.UNKNOWN)

_WORDS = {rank.word: rank for rank in RANKS}


class Numbering(StrEnum):
    """How ranks are numbered on a set: modern 10 = marshal, original 1 = marshal (R2)."""

    MODERN = "modern"
    ORIGINAL = "original"


def rank_text(rank: int, numbering: Numbering = Numbering.MODERN) -> str:
    """The sign of a rank: `10`…`1`, `B`, `F` modern; `1`…`9`, `S`, `B`, `F` original; `?` unknown.

    >>> rank_text(Rank.MARSHAL), rank_text(Rank.MARSHAL, Numbering.ORIGINAL), rank_text(Rank.SPY, Numbering.ORIGINAL)
    ('10', '1', 'S')
    """
    if rank == Rank.BOMB:
        return "B"
    if rank == Rank.FLAG:
        return "F"
    if rank == Rank.UNKNOWN:
        return "?"
    if numbering is Numbering.MODERN:
        return str(int(rank))
    return "S" if rank == Rank.SPY else str(11 - int(rank))


def parse_rank(text: str, numbering: Numbering = Numbering.MODERN) -> Rank:
    """The rank that `text` means in a numbering; names are taken in both. Raises Unreadable.

    >>> parse_rank("8").name, parse_rank("8", Numbering.ORIGINAL).name, parse_rank("marshal").name
    ('COLONEL', 'MINER', 'MARSHAL')
    """
    for rank in RANKS if text.isascii() else ():
        if text.upper() == rank_text(rank, numbering) or text.lower() == rank.word:
            return rank
    raise Unreadable("no such rank", code="bad_rank")
