"""Gravon's older game files, "Stratego-Notation v1" and "v2": read only, one game a file (R14.2)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from flagfall.archive import gravon, letters
from flagfall.archive.border import GAME_CAP, PLIES_CAP, lines, shown, text
from flagfall.archive.found import Army, Claim, Deviation, Format, Found, Kind, Place, Refused
from flagfall.rules.board import Move

HEAD = "#X38FA11 Stratego-Notation v"
_KINDS = tuple(gravon.TYPES.values())
_MOVE = re.compile(r"([A-Ka-k](?:10|[1-9:0Xx]))-([A-Ka-k](?:10|[1-9:0Xx]))", re.ASCII)
_RESULT = re.compile(r"(.{0,200}) vs (.{0,200}) result (\d{1,2}) winner (\d)", re.ASCII)
_END = "END"


class _Game:
    """A game taken out of its lines, in whatever order they stand after the first END."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.notes: list[Deviation] = []
        self.moves: list[Move] = []
        self.claim: Claim | None = None
        self.players = ("red", "blue")
        self.ends = 0

    def line(self, line: str, here: Place) -> None:
        """Take in one line after the field. Raises Unreadable `bad_line`, `bad_square`, `bad_result`."""
        if line == _END:
            self.ends += 1
            if self.ends == 2:
                self._note("end_twice", "END stands twice", here)
        elif said := _RESULT.fullmatch(line):
            claim = gravon.read_claim(int(said[3]), int(said[4]), here, self.notes)
            if self.claim is None:
                self.claim = claim
                self.players = shown(said[1], 200), shown(said[2], 200)
            elif claim != self.claim:
                self._note("two_results", "a second result differs; the first is kept", here)
        elif line[2:3] == ":" and "-" not in line:
            self._note("rescue", "a rescue is no move: this game cannot be replayed from here on", here, "R13.2")
        elif move := _MOVE.fullmatch(line):
            if self.ends:
                self._note("lines_after_end", "moves stand after END; they are taken in their order", here)
            if len(self.moves) == PLIES_CAP:
                raise here.error(f"a game has at most {PLIES_CAP} plies", "too_many_plies")
            self.moves.append(gravon.read_move(move[1], move[2], here, self.notes))
        else:
            raise here.error("this line is no move, no END and no result", "bad_line")

    def _note(self, code: str, sentence: str, here: Place, clause: str = "R14.2") -> None:
        if not any(note.code == code for note in self.notes):
            ply = len(self.moves) + 1 if code == "rescue" else None
            self.notes.append(Deviation(code, clause, sentence, here, ply))


def read(data: bytes, place: Place) -> Iterator[Found | Refused]:
    """The one game of a file.

    Raises Unreadable: `too_large`, `wrong_encoding`, `not_text`, `bad_head`, `unknown_type`, `bad_line`, `bad_square`,
    `bad_result`, `too_many_plies`, `unfinished` where END or the result is missing, and what `letters.field` raises.
    """
    if len(data) > GAME_CAP:
        raise place.error(f"a file of one game has at most {GAME_CAP} bytes", "too_large")
    found = [line.rstrip() for line in lines(text(data, place))]
    if not found or found[0] not in (HEAD + "1", HEAD + "2"):
        raise place.at(1, 1).error("the first line names Stratego-Notation v1 or v2", "bad_head")
    kind = found[1].removeprefix("type").strip() if len(found) > 1 and found[1].startswith("type") else ""
    if kind not in tuple("01234"):
        raise place.at(2, 1).error("the second line is `type` and a number 0 to 4", "unknown_type")
    game = _Game(place)
    armies: tuple[Army | None, Army | None] = (None, None)
    first = 2
    # A field is the one line that is neither a move nor an end.
    if len(found) > 2 and len(found[2]) > 12 and not _RESULT.fullmatch(found[2]):
        armies = letters.field(found[2], place.at(3, 1)).armies
        first = 3
    else:
        game.notes.append(Deviation("no_field", "R14.2", "without its field this game cannot be replayed", place.at(3)))
    for number, line in enumerate(found[first:], first + 1):
        if line:
            game.line(line, place.at(number, 1))
    if not game.ends or game.claim is None:
        raise place.at(len(found)).error("the file breaks off before END and the result", "unfinished")
    date = gravon.date_of(place.file, game.notes)
    yield Found(
        kind=Kind.GAME,
        format=GSN.name,
        place=place,
        variant=_KINDS[int(kind)],
        law=gravon.LAW,
        armies=armies,
        moves=tuple(game.moves),
        players=game.players,
        claim=game.claim,
        date=date,
        deviations=tuple(game.notes),
    )


def _sniff(name: str, head: bytes) -> bool:
    return head.removeprefix(b"\xef\xbb\xbf").startswith(HEAD[:10].encode()) or name.lower().endswith(".gsn")


GSN = Format(
    name="gsn",
    title="Gravon's older game files",
    suffixes=(".gsn",),
    sniff=_sniff,
    read=read,
    single=True,
)
