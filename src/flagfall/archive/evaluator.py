"""Logs of the StrategoEvaluator manager, any number of games one after the other: read (R14.5)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from flagfall.archive.armies import variant_of
from flagfall.archive.border import PLIES_CAP, lines, shown, text
from flagfall.archive.evaluator_words import FIRST_ROW, LAW, LOSING, OUTCOMES, RANK_OF, STEPS, square_at, write
from flagfall.archive.found import Claim, Deviation, Format, Found, Kind, Place, Refused
from flagfall.errors import Unreadable
from flagfall.rules.board import MAX_FILES, Move, Seat, Square, make_move
from flagfall.rules.events import Outcome, Result
from flagfall.rules.pieces import Rank

_HEAD = re.compile(r"(\S.{0,400}) (RED|BLUE) SETUP")
_TURN = re.compile(r"(\d{1,6}) (RED|BLU): ?(.{0,400})", re.ASCII)
_MOVE = re.compile(
    r"(\d) (\d) (UP|DOWN|LEFT|RIGHT)(?: (\d))? (OK|KILLS|DIES|BOTHDIE|VICTORY_FLAG|VICTORY_ATTRITION|ILLEGAL)"
    r"(?: ([1-9sBF]) ([1-9sBF]))?",
    re.ASCII,
)
_REASON = re.compile(r"Game ends (?:in the SETUP phase|on (RED|BLUE|ERROR)'s turn) - REASON: (.{0,400})")
_RESULT = re.compile(r"\S.{0,400} (RED|BLUE|NONE|BOTH) ([A-Z_]{1,20}) \d{1,7} -?\d{1,6} -?\d{1,6}", re.ASCII)
_CHATTER = re.compile(r"SIGPIPE|\s|(?:RED|BLUE) is |(?:RED|BLUE) also |Controller for|Check that|BOTH players|INVALID!")
_COLOURS = {"RED": Seat.RED, "BLU": Seat.BLUE, "BLUE": Seat.BLUE}
_LOST = frozenset({"SURRENDER", "ILLEGAL", "DEFEAT", "DEFAULT", "BAD_SETUP"})
_DRAWN = frozenset({"DRAW", "DRAW_DEFAULT"})


class _Game:
    """One game of a log, line by line."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.notes: list[Deviation] = []
        self.names = ["red", "blue"]
        self.armies: tuple[dict[Square, Rank], dict[Square, Rank]] = {}, {}
        self.seat = Seat.RED
        self.rows = 0
        self.moves: list[Move] = []
        self.battles: dict[int, tuple[Outcome, Rank, Rank]] = {}
        self.claim: Claim | None = None
        self.last: Place | None = None
        self.closed = False

    def line(self, line: str, here: Place) -> None:
        """Take in one line. Raises Unreadable `bad_line`, `bad_row`, `bad_letter`, `bad_square`, `too_many_plies`."""
        if head := _HEAD.fullmatch(line):
            self.seat, self.rows = _COLOURS[head[2]], 4
            self.names[self.seat] = shown(head[1], 200)
        elif self.rows:
            self._row(line, here)
        elif turn := _TURN.fullmatch(line):
            self._turn(_COLOURS[turn[2]], turn[3], here)
        elif reason := _REASON.fullmatch(line):
            self._close(_reason(reason[1], reason[2]), here)
        elif result := _RESULT.fullmatch(line):
            self._close(_result(result[1], result[2]), here)
        elif line and not _CHATTER.match(line):
            raise here.error("this line belongs to no log of a game", "bad_line")

    def _row(self, line: str, here: Place) -> None:
        if line == "INVALID!":
            self.rows = 0
            self._note("no_setup", "an army was refused: there is no game to replay", here)
            return
        if len(line) != MAX_FILES:
            raise here.error(f"a row of an army has {MAX_FILES} signs", "bad_row")
        y = FIRST_ROW[self.seat] + 4 - self.rows
        self.rows -= 1
        for x, sign in enumerate(line):
            if sign != ".":
                if sign not in RANK_OF:
                    raise here.at(here.line, x + 1).error("this sign is no rank", "bad_letter")
                self.armies[self.seat][square_at(x, y)] = RANK_OF[sign]

    def _turn(self, seat: Seat, said: str, here: Place) -> None:
        if self.closed or self.last is not None:
            raise (self.last or here).error("after this a log has no more moves", "bad_line")
        move = _MOVE.fullmatch(said)
        if move is None:
            # What a program answered stands here as it is; then the game must be over.
            self.last = here
        elif move[5] == "ILLEGAL":
            self._note("illegal_ignored", "an illegal move was passed over", here)
        else:
            if seat != len(self.moves) % 2:
                self._note("passed", "a side moved out of turn: this game cannot be replayed", here)
            if len(self.moves) == PLIES_CAP:
                raise here.error(f"a game has at most {PLIES_CAP} plies", "too_many_plies")
            self.moves.append(_move(move, here))
            if move[5] in OUTCOMES and move[6]:
                self.battles[len(self.moves)] = (OUTCOMES[move[5]], RANK_OF[move[6]], RANK_OF[move[7]])

    def _close(self, claim: Claim, here: Place) -> None:
        """Keep the first end that is told; another that differs is a deviation."""
        self.closed = True
        if self.claim is None or self.claim.result is Result.GOING:
            self.claim = claim
        elif claim.result not in (Result.GOING, self.claim.result):
            self._note("two_results", "a second result differs; the first is kept", here)

    def _note(self, code: str, sentence: str, here: Place) -> None:
        if not any(note.code == code for note in self.notes):
            self.notes.append(Deviation(code, "R14.5", sentence, here, len(self.moves) + 1))

    def found(self) -> Found:
        """The game, once its lines are all read. Raises Unreadable `unfinished`."""
        if not self.closed or self.rows:
            raise _cut_off(self.place)
        return Found(
            kind=Kind.GAME,
            format=EVALUATOR.name,
            place=self.place,
            variant=variant_of((Seat.RED, self.armies[0]), (Seat.BLUE, self.armies[1])),
            law=LAW,
            armies=(self.armies[0] or None, self.armies[1] or None),
            moves=tuple(self.moves),
            battles=self.battles,
            players=(self.names[0], self.names[1]),
            claim=self.claim or Claim(),
            deviations=tuple(self.notes),
        )


def read_move(line: str, place: Place) -> tuple[Move, str, tuple[Rank, Rank] | None]:
    """A move line with its outcome: the move, the outcome's word, and attacker and defender of a battle.

    Raises Unreadable `bad_line`, `bad_square`.

    >>> from flagfall.rules.notation import move_text
    >>> move, outcome, ranks = read_move("0 3 DOWN 3 BOTHDIE 9 9", Place("x"))
    >>> move_text(move), outcome, ranks[0].name
    ('j4-j7', 'BOTHDIE', 'SCOUT')
    """
    found = _MOVE.fullmatch(line)
    if found is None:
        raise place.error("a move is x, y, a direction, perhaps a number, and an outcome", "bad_line")
    return _move(found, place), found[5], (RANK_OF[found[6]], RANK_OF[found[7]]) if found[6] else None


def _move(found: re.Match[str], place: Place) -> Move:
    source, step, count = square_at(int(found[1]), int(found[2])), STEPS[found[3]], int(found[4] or 1)
    goal = source + count * step
    if not count or not 0 <= goal < 100 or (abs(step) == 1 and goal // 10 != source // 10):
        raise place.error("this move leads off the board", "bad_square")
    return make_move(source, Square(goal))


def _reason(colour: str | None, reason: str) -> Claim:
    """What a reason says of the side whose turn it was."""
    if reason.startswith("Game declared a draw"):
        return Claim(Result.DRAW, "both_stuck" if "neither" in reason else "limit")
    if colour not in _COLOURS:
        return Claim()
    seat = _COLOURS[colour]
    if reason.startswith(("Captured the flag", "Destroyed all mobile")):
        return Claim(Result.win(seat), "flag" if reason.startswith("Captured") else "stuck")
    losing = next((ending for start, ending in LOSING.items() if reason.startswith(start)), None)
    return Claim() if losing is None else Claim(Result.win(seat.other), losing)


def _result(colour: str, outcome: str) -> Claim:
    """What the result line says."""
    if outcome in _DRAWN:
        return Claim(Result.DRAW, "both_stuck" if outcome == "DRAW" else "limit")
    if colour not in _COLOURS:
        return Claim()
    seat = _COLOURS[colour]
    if outcome == "VICTORY":
        return Claim(Result.win(seat), "none")
    if outcome in _LOST:
        return Claim(Result.win(seat.other), "resigned" if outcome == "SURRENDER" else "forfeit")
    return Claim()


def read(data: bytes, place: Place) -> Iterator[Found | Refused]:
    """Every game of a log, from one `RED SETUP` to the next; a game that cannot be read is stepped over.

    So is one whose last line has no end: the manager ends every line. Raises Unreadable `wrong_encoding`, `not_text`,
    `bad_head` where the text begins otherwise.
    """
    game: _Game | None = None
    broken: Unreadable | None = None
    said = text(data, place)
    for number, line in enumerate([*lines(said), " RED SETUP"], 1):
        here = place.at(number, 1)
        if line.endswith(" RED SETUP"):
            if game is not None:
                cut = line == " RED SETUP" and not said.endswith("\n")
                yield _read(game, broken or (_cut_off(game.place) if cut else None))
            game, broken = _Game(here), None
        if game is None:
            if line.strip():
                raise here.error("a log begins with a name and RED SETUP", "bad_head")
        elif broken is None:
            try:
                game.line(line, here)
            except Unreadable as error:
                broken = error


def _cut_off(place: Place) -> Unreadable:
    return place.error("this log breaks off before the end of its game", "unfinished")


def _read(game: _Game, broken: Unreadable | None) -> Found | Refused:
    try:
        if broken is not None:
            raise broken
        return game.found()
    except Unreadable as error:
        return Refused.of(error, game.place)


EVALUATOR = Format(
    name="evaluator",
    title="logs of the StrategoEvaluator manager",
    suffixes=(".log", ".out", ".txt"),
    sniff=lambda _, head: re.match(rb"[^\n]{1,400} RED SETUP\r?\n", head) is not None,
    read=read,
    write=write,
    writes=frozenset({Kind.GAME}),
)
