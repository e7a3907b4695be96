"""The switches of RULES.md section 0 and 13.2 as one frozen record, with the words the slow referee uses."""

from dataclasses import dataclass
from typing import Literal

Square = str  # file letter then row number, "a1" .. "j10" on the Classic board
Rank = str  # "1" spy .. "10" marshal, "B" bomb, "F" flag (R2, modern numbers)
Side = Literal["red", "blue"]
Outcome = Literal["attacker", "defender", "both", "flag"]
Result = Literal["red", "blue", "draw"]
Ending = Literal["flag", "stuck", "both_stuck", "limit"]
Reason = Literal["game_over", "empty", "not_yours", "immobile", "geometry", "two_square", "more_squares", "rescue"]

CLASSIC_LAKES: frozenset[Square] = frozenset({"c5", "d5", "c6", "d6", "g5", "h5", "g6", "h6"})  # R1


@dataclass(frozen=True)
class Settings:
    """A board and a law. The defaults are Classic under the preset `isf` (R0, R11.4)."""

    width: int = 10
    height: int = 10
    lakes: frozenset[Square] = CLASSIC_LAKES
    two_square_limit: int | None = 3
    """R8: crossings in a row that are allowed, 2, 3 or 5; None turns the rule off."""
    two_square_counts_attacks: bool = True
    two_square_scope: Literal["border", "exact-squares"] = "border"
    more_squares: Literal["off", "identity", "type"] = "identity"
    """R9: off, or how two positions are compared (chase_compare)."""
    chase_memory: Literal["chase", "since-capture", "game"] = "chase"
    scout_move_and_strike: bool = True
    bomb_once: bool = False
    tie: Literal["both", "attacker", "defender"] = "both"
    stuck_check: Literal["immediate", "on_turn", "piece-count"] = "immediate"
    max_quiet_plies: int | None = None
    max_plies: int | None = None
    limit_test: Literal["at", "more-than"] = "at"
    flag_beats_limit: bool = True
    reveal: Literal["both", "silent", "none"] = "both"
    """R7: both ranks told in battle; silent defence; electronic, no rank told (R7, last two lines)."""
    rescues: int = 0
    """R13.2: how many rescues a player may make in a game, no man two of them; 0 turns them off."""
    captains_move_two: bool = False
    """R13.2: captains go one or two squares, straight on or round one corner."""


def opponent(side: Side) -> Side:
    """Name the other player."""
    return "blue" if side == "red" else "red"
