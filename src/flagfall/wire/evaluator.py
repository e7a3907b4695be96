"""The evaluator protocol: the lines that a contest's manager and its programs say to each other, both ways."""

from __future__ import annotations

import re
from collections.abc import Sequence

from flagfall.errors import IllegalMove, NotAllowed, PlayerFault
from flagfall.rules.board import Move, Seat, Square, make_move, origin, target
from flagfall.rules.catalog import CLASSIC
from flagfall.rules.deployment import Deployment
from flagfall.rules.events import Outcome, Played, Reason, Result
from flagfall.rules.pieces import RANKS, Numbering, Rank, rank_text
from flagfall.rules.variant import Variant

SIDE = 10
"""Squares along each edge of the board."""

LETTERS = {rank: "s" if rank is Rank.SPY else rank_text(rank, Numbering.ORIGINAL) for rank in RANKS}
"""Ranks as the protocol writes them: `1` marshal to `9` scout, `s`, `B`, `F`."""

EMPTY, LAKE, ENEMY = ".", "+", "#"
ROW = re.compile(r"[1-9sBF.+#]{10}", re.ASCII)
"""One row of the board as a program is shown it."""

START, QUIT, SURRENDER = "START", "QUIT", "SURRENDER"
OVER = ("VICTORY_FLAG", "VICTORY_ATTRITION")
"""Outcomes that some managers write where the game ends; `QUIT` follows."""

_UNSAID = (
    "two_square_limit", "two_square_counts_attacks", "two_square_scope", "more_squares", "chase_memory", "stuck_check",
    "max_quiet_plies", "max_plies", "limit_test", "flag_beats_limit",
)  # fmt: skip
"""Switches of the law that no line depends on."""

_RANKS = {letter: rank for rank, letter in LETTERS.items()}
_STEPS = {"UP": (0, -1), "DOWN": (0, 1), "LEFT": (-1, 0), "RIGHT": (1, 0)}
_ORDER = re.compile(r"([0-9]) +([0-9]) +(UP|DOWN|LEFT|RIGHT)(?: +([0-9]))?", re.ASCII)
_TOLD = re.compile(_ORDER.pattern + r" +([A-Z_]+)(?: +([1-9sBF]) +([1-9sBF]))?", re.ASCII)
_BATTLES = {"KILLS": Outcome.ATTACKER, "DIES": Outcome.DEFENDER, "BOTHDIE": Outcome.BOTH}
_WORDS = {Outcome.FLAG: "KILLS"} | {outcome: word for word, outcome in _BATTLES.items()}


def checked(variant: Variant) -> Variant:
    """This variant, if the protocol can say everything of it: Classic where both ranks of a battle are shown for good.

    How repetition is barred and when a game ends without a flag may be as it likes. Raises NotAllowed `not_spoken`.
    """
    if variant.digest != CLASSIC.with_law(**{name: getattr(variant.law, name) for name in _UNSAID}).digest:
        raise NotAllowed("the evaluator protocol speaks of Classic with open battles only", code="not_spoken")
    return variant


def square_at(x: int, y: int) -> Square:
    """The square of a column from the left and a row from the top; Red sits on top (R14.5)."""
    return Square(10 * y + SIDE - 1 - x)


def place_of(at: int) -> tuple[int, int]:
    """Column and row of a square.

    >>> place_of(square_at(3, 6))
    (3, 6)
    """
    return SIDE - 1 - at % 10, at // 10


def army_lines(army: Deployment) -> list[str]:
    """A deployment as four lines, the topmost first."""
    top = 0 if army.seat is Seat.RED else 6
    return ["".join(LETTERS[army.ranks[square_at(x, y)]] for x in range(SIDE)) for y in range(top, top + 4)]


def army_of(lines: Sequence[str], variant: Variant, seat: Seat) -> Deployment:
    """The deployment of four lines; whether it is a legal army is not said. Raises PlayerFault `bad_setup`."""
    top = 0 if seat is Seat.RED else 6
    ranks = {}
    for y, line in enumerate(lines, top):
        signs = line.strip()
        if len(signs) != SIDE or any(sign not in _RANKS and sign != EMPTY for sign in signs):
            raise PlayerFault("a program set up what cannot be read", code="bad_setup")
        ranks.update({square_at(x, y): _RANKS[sign] for x, sign in enumerate(signs) if sign != EMPTY})
    return Deployment(variant, seat, ranks)


def order_text(at: int, to: int) -> str:
    """A move as a program orders it; the number of squares is left out where it is one.

    >>> order_text(square_at(9, 6), square_at(9, 3)), order_text(square_at(0, 3), square_at(1, 3))
    ('9 6 UP 3', '0 3 RIGHT')
    """
    (x, y), (across, down) = place_of(at), place_of(to)
    word = ("UP" if down < y else "DOWN") if across == x else ("LEFT" if across < x else "RIGHT")
    far = abs(across - x) + abs(down - y)
    return f"{x} {y} {word} {far}" if far > 1 else f"{x} {y} {word}"


def move_of(text: str) -> Move:
    """The move of an order. Raises PlayerFault `bad_answer`; IllegalMove `geometry` for one that leaves the board."""
    found = _ORDER.fullmatch(text.strip())
    if found is None:
        raise PlayerFault("a program answered what is no move", code="bad_answer")
    squares = _squares(found)
    if squares is None:
        raise IllegalMove("this move leaves the board", "geometry")
    return make_move(*squares)


def told_text(played: Played) -> str:
    """A ply with its outcome, as both programs are told it."""
    order = order_text(played.origin, played.target)
    if played.outcome is Outcome.QUIET or played.attacker is None or played.defender is None:
        return f"{order} OK"
    return f"{order} {_WORDS[played.outcome]} {LETTERS[played.attacker]} {LETTERS[played.defender]}"


def played_of(text: str, number: int, seat: Seat) -> Played | None:
    """The ply of a told line, as number `number` of the game, played by `seat`; None for a line that tells of none.

    A line whose outcome ends the game, or says that the move was not made, tells of none.
    """
    found = _TOLD.fullmatch(text.strip())
    squares = None if found is None else _squares(found)
    if found is None or squares is None:
        return None
    word, letters = found[5], (found[6], found[7])
    attacker: Rank | None
    defender: Rank | None
    if word == "OK":
        far = abs(squares[0] - squares[1]) not in (1, 10)
        outcome, attacker, defender = Outcome.QUIET, Rank.SCOUT if far else None, None
    elif word in _BATTLES and letters[0] is not None:
        outcome, attacker, defender = _BATTLES[word], _RANKS[letters[0]], _RANKS[letters[1]]
        if defender is Rank.FLAG:
            outcome = Outcome.FLAG
    else:
        return None
    return Played(number, seat, *squares, outcome, attacker, defender, Result.GOING, Reason.NONE)


def is_told(text: str) -> bool:
    """Whether a line tells of a move, made or not."""
    return _TOLD.fullmatch(text.strip()) is not None


def played_move(played: Played) -> Move:
    """The move of a ply."""
    return make_move(played.origin, played.target)


def order_of(move: Move) -> str:
    """A move as a program orders it."""
    return order_text(origin(move), target(move))


def _squares(found: re.Match[str]) -> tuple[Square, Square] | None:
    """Both squares of an order; None where the second lies off the board or is the first."""
    x, y, far = int(found[1]), int(found[2]), int(found[4] or 1)
    across, down = _STEPS[found[3]]
    to_x, to_y = x + far * across, y + far * down
    if far == 0 or not (0 <= to_x < SIDE and 0 <= to_y < SIDE):
        return None
    return square_at(x, y), square_at(to_x, to_y)
