"""When the game is over and why: RULES.md section 11.1."""

from collections.abc import Callable

from tests.oracle.settings import Ending, Outcome, Result, Settings, Side, opponent

Verdict = tuple[Result, Ending] | None


def over_limit(settings: Settings, count: int, limit: int | None) -> bool:
    """Test a limit: `at` ends the game after the N-th ply counted, `more-than` after the (N+1)-th (R11.3)."""
    if limit is None:
        return False
    return count >= limit if settings.limit_test == "at" else count > limit


def verdict(
    settings: Settings,
    *,
    outcome: Outcome | None,
    turn: Side,
    ply: int,
    quiet: int,
    has_legal_move: Callable[[], bool],
    has_geometric_move: Callable[[Side], bool],
    has_mover: Callable[[Side], bool],
) -> Verdict:
    """Make the tests of R11.1 after a ply, and once on the initial position.

    `turn` is the side to move next. `has_legal_move` answers for that side, repetition rules included;
    `has_mover` tells whether a side owns a man of rank 1 to 10.
    """
    mover = opponent(turn)
    limit: Verdict = None
    if over_limit(settings, quiet, settings.max_quiet_plies) or over_limit(settings, ply, settings.max_plies):
        limit = ("draw", "limit")
    if not settings.flag_beats_limit and limit:
        return limit  # the limits of step 3 before flag and stuck
    if outcome == "flag":  # step 1
        return mover, "flag"
    return stuck(settings, turn, mover, has_legal_move, has_geometric_move, has_mover) or limit  # steps 2, 3


def stuck(
    settings: Settings,
    turn: Side,
    mover: Side,
    has_legal_move: Callable[[], bool],
    has_geometric_move: Callable[[Side], bool],
    has_mover: Callable[[Side], bool],
) -> Verdict:
    """Make step 2 of R11.1."""
    if settings.stuck_check == "piece-count":
        # A and B mean "owns a piece of rank 1-10". Losing the last such man ends the game at once,
        # as in the contest of 2012; a side that is only blocked plays on and can but resign.
        a, b = has_mover(turn), has_mover(mover)
    else:
        a, b = has_legal_move(), has_geometric_move(mover)
    if not a and not b:
        return "draw", "both_stuck"
    if not a:
        return mover, "stuck"
    if not b and settings.stuck_check != "on_turn":  # with on_turn, B is tested only when not A
        return turn, "stuck"
    return None
