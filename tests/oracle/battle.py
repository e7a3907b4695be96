"""Who wins a battle and whose rank it tells: RULES.md sections 6 and 7."""

from tests.oracle.board import Man
from tests.oracle.settings import Outcome, Settings


def fight(settings: Settings, attacker: Man, defender: Man) -> Outcome:
    """Apply the first matching line of R6."""
    if defender.rank == "F":  # line 1
        return "flag"
    if defender.rank == "B":
        if attacker.rank == "3":  # line 2
            return "attacker"
        return "both" if settings.bomb_once else "defender"  # line 3
    if attacker.rank == "1" and defender.rank == "10":  # line 4
        return "attacker"
    if int(attacker.rank) > int(defender.rank):  # line 5
        return "attacker"
    if int(attacker.rank) < int(defender.rank):  # line 6
        return "defender"
    return settings.tie  # line 7


def told(settings: Settings, attacker: Man, defender: Man) -> set[Man]:
    """Name the men whose rank a battle makes public, whoever wins (R7)."""
    if settings.reveal == "both":
        return {attacker, defender}
    if settings.reveal == "silent":
        # R7 and R13.2: only the attacker's rank, but both when a scout attacks.
        return {attacker, defender} if attacker.is_scout else {attacker}
    return set()  # electronic: a tune tells who won, nothing else
