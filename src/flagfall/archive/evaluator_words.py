"""The words of the StrategoEvaluator manager's logs, its frame of the board, and such a log written (R14.5)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from flagfall.archive.armies import plain_moves
from flagfall.archive.border import shown
from flagfall.archive.found import Army, Claim, Found, Kind
from flagfall.archive.replaying import replayed
from flagfall.errors import JsonValue, NotAllowed
from flagfall.rules.board import MAX_FILES, Seat, Square
from flagfall.rules.events import Outcome, Played, Result
from flagfall.rules.pieces import RANKS, Numbering, Rank, rank_text

LAW: Mapping[str, JsonValue] = {
    "two_square_limit": None,
    "more_squares": "off",
    "stuck_check": "piece-count",
    "max_plies": 10_000,
}
"""The manager's law, over the variant's own: the preset `ucc2012` (R11.4)."""

SIGN_OF: Mapping[Rank, str] = {rank: "s" if rank is Rank.SPY else rank_text(rank, Numbering.ORIGINAL) for rank in RANKS}
RANK_OF: Mapping[str, Rank] = {sign: rank for rank, sign in SIGN_OF.items()}
"""`1` marshal … `9` scout, `s` spy, `B`, `F`."""

FIRST_ROW: Mapping[Seat, int] = {Seat.RED: 0, Seat.BLUE: 6}
"""The y of the topmost of a side's four rows: Red stands at the top."""

STEPS: Mapping[str, int] = {"UP": -10, "DOWN": 10, "LEFT": 1, "RIGHT": -1}
"""What a step adds to a square of ours: the board is turned, so left on the screen is on towards the last file."""

_WORD_OF = {step: word for word, step in STEPS.items()}
_OUTCOMES = {Outcome.ATTACKER: "KILLS", Outcome.DEFENDER: "DIES", Outcome.BOTH: "BOTHDIE"}
OUTCOMES: Mapping[str, Outcome] = {word: outcome for outcome, word in _OUTCOMES.items()}

LOSING: Mapping[str, str] = {
    "This player has surrendered!": "resigned",
    "Response timeout": "time",
    "Unintelligable response": "forfeit",
    "Coords outside board": "forfeit",
    "Move does not select a piece": "forfeit",
    "Selected piece": "forfeit",
    "Selected unit": "forfeit",
    "Attempted move into": "forfeit",
}
"""Beginnings of the reasons for which whoever's turn it is loses, and how that ends a game."""


def square_at(x: int, y: int) -> Square:
    """The square at x from the left, y from the top.

    >>> square_at(0, 3)
    39
    """
    return Square(10 * y + MAX_FILES - 1 - x)


def frame(at: int) -> tuple[int, int]:
    """The x and y of a square."""
    return MAX_FILES - 1 - at % 10, at // 10


def write(games: Sequence[Found]) -> bytes:
    """The log of games, one after the other. Raises NotAllowed `not_in_this_format`, Unreadable for no game."""
    return "".join(line + "\n" for found in games for line in _game(found)).encode()


def _game(found: Found) -> list[str]:
    red, blue = found.armies
    if found.kind is not Kind.GAME or red is None or blue is None or found.first is not Seat.RED:
        raise NotAllowed("a log holds games of two armies that Red began", code="not_in_this_format")
    plain_moves(found)
    names = [
        re.sub(r"\s+", "_", shown(name).strip()) or seat.word for name, seat in zip(found.players, Seat, strict=True)
    ]
    rows = [f"{names[0]} RED SETUP", *_rows(red, Seat.RED), f"{names[1]} BLUE SETUP", *_rows(blue, Seat.BLUE)]
    told = replayed(found)
    values = [_value(red), _value(blue)]
    for played in told.plies:
        rows.append(f"{(played.ply + 1) // 2} {'BLU' if played.seat else 'RED'}: {_move(played)}")
        _lose(values, played)
    claim = Claim(told.result, told.reason.word) if told.result is not Result.GOING else found.claim
    turn = told.plies[-1].seat if told.plies and told.result is not Result.GOING else Seat(len(told.plies) % 2)
    return rows + _end(claim, turn, names, 1 + len(told.plies) // 2, values)


def _rows(men: Army, seat: Seat) -> list[str]:
    """Four rows, the top one first. Raises NotAllowed for men elsewhere."""
    own = range(FIRST_ROW[seat], FIRST_ROW[seat] + 4)
    rows = ["".join(SIGN_OF.get(men.get(square_at(x, y), Rank.UNKNOWN), ".") for x in range(MAX_FILES)) for y in own]
    if len(men) != sum(len(row) - row.count(".") for row in rows):
        raise NotAllowed("an army of a log stands in its four rows", code="not_in_this_format")
    return rows


def _move(played: Played) -> str:
    (x, y), (to_x, to_y) = frame(played.origin), frame(played.target)
    steps = max(abs(to_x - x), abs(to_y - y))
    word = _WORD_OF[(played.target - played.origin) // steps]
    run = f" {steps}" if steps > 1 else ""
    end = {Outcome.QUIET: "OK", Outcome.FLAG: "VICTORY_FLAG"}.get(played.outcome)
    if end is None:
        ranks = (SIGN_OF[rank] for rank in (played.attacker, played.defender) if rank is not None)
        end = " ".join([_OUTCOMES[played.outcome], *ranks])
    return f"{x} {y} {word}{run} {end}"


def _worth(rank: Rank) -> int:
    """What a man counts in the result line: bombs and flag nothing."""
    return 0 if rank in (Rank.BOMB, Rank.FLAG) else int(rank)


def _value(men: Army) -> int:
    return sum(_worth(rank) for rank in men.values())


def _lose(values: list[int], played: Played) -> None:
    """Take what fell from the two values."""
    if played.outcome in (Outcome.DEFENDER, Outcome.BOTH) and played.attacker is not None:
        values[played.seat] -= _worth(played.attacker)
    if played.outcome in (Outcome.ATTACKER, Outcome.BOTH) and played.defender is not None:
        values[played.seat.other] -= _worth(played.defender)


def _end(claim: Claim, turn: Seat, names: list[str], number: int, values: list[int]) -> list[str]:
    """The closing lines. Raises NotAllowed for an ending that this manager does not know."""
    if claim.result is Result.DRAW:
        drawn = {
            "both_stuck": ("Game declared a draw because neither player has mobile pieces", "DRAW"),
            "limit": (f"Game declared a draw after {number} turns", "DRAW_DEFAULT"),
        }.get(claim.ending)
        reason, outcome = drawn or ("", "")
    elif claim.result is Result.GOING:
        reason = ""
    elif claim.ending in ("flag", "stuck"):
        turn = Seat.RED if claim.result is Result.RED else Seat.BLUE
        reason = "Captured the flag" if claim.ending == "flag" else "Destroyed all mobile enemy pieces"
        outcome = "VICTORY"
    else:
        turn = Seat.BLUE if claim.result is Result.RED else Seat.RED
        wording = {"resigned": "This player has surrendered!", "time": "Response timeout after 2.000000 seconds."}
        reason = wording.get(claim.ending, "Unintelligable response")
        outcome = "SURRENDER" if claim.ending == "resigned" else "ILLEGAL"
    if not reason:
        raise NotAllowed(f"this manager ends no game so: {claim.ending}", code="not_in_this_format")
    colour = turn.word.upper()
    return [
        f"Game ends on {colour}'s turn - REASON: {reason}",
        f"{names[turn]} {colour} {outcome} {number} {values[0]} {values[1]}",
    ]
