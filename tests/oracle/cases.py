"""Reader of worked cases and recorded games (one JSON object a line), driving the slow referee."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.oracle.board import name, place
from tests.oracle.referee import Oracle, Rescue
from tests.oracle.settings import Rank, Settings, Side, Square

Row = dict[str, Any]  # one line of a file, as JSON gives it

MOVE = re.compile(r"([a-z]\d+)([-x])([a-z]\d+)(?:/([a-z]\d+)@([a-z]\d+))?")
SIDES: dict[str, Side] = {"R": "red", "B": "blue", "Red": "red", "Blue": "blue"}
COLOUR: dict[str, str] = {"red": "Red", "blue": "Blue"}
BATTLE_WORDS = {"attacker": "attacker wins", "defender": "defender wins", "both": "both removed"}

# cfg key of the case files -> switch of the law
SWITCHES = {
    "two_sq": "two_square_limit",
    "two_sq_attack": "two_square_counts_attacks",
    "two_sq_scope": "two_square_scope",
    "chase": "more_squares",
    "chase_memory": "chase_memory",
    "scout_strike": "scout_move_and_strike",
    "bomb_once": "bomb_once",
    "tie": "tie",
    "stuck": "stuck_check",
    "noattack": "max_quiet_plies",
    "cap": "max_plies",
    "cap_offset": "limit_test",
    "flag_before_caps": "flag_beats_limit",
    "reveal": "reveal",
    "rescues": "rescues",
    "captains_two": "captains_move_two",
}


def rows(path: Path) -> Iterator[Row]:
    """Read the objects of a file, one a line."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip():
            yield json.loads(line)


def settings_of(cfg: Row) -> Settings:
    """Make the law of a case from what differs from the default. KeyError for an unknown key."""
    chosen = {SWITCHES[key]: value for key, value in cfg.items()}
    if chosen.get("more_squares", "") is None:
        chosen["more_squares"] = "off"
    if "limit_test" in chosen:
        chosen["limit_test"] = ("at", "more-than")[chosen["limit_test"]]
    return Settings(**chosen)


def army_of(text: str) -> dict[Square, Rank]:
    """Read `10@e4 F@a1` as a mapping from square to rank."""
    return {square: rank for rank, square in (man.split("@") for man in text.split())}


def game_of(case: Row) -> Oracle:
    """Play the game of a case to the end of its `pre`. ValueError where a mark does not fit or a ply is illegal."""
    red, blue = case["pos"]
    game = Oracle(settings_of(case["cfg"]), army_of(red), army_of(blue), SIDES[case["turn"]])
    for text in case["pre"].split():
        game.push(*read_move(game, text))
    return game


def read_move(game: Oracle, text: str) -> tuple[Square, Square, Rescue | None]:
    """Read start and target of `e2-e4` (quiet) or `e5xe6` (attack), and a rescue such as `/b1@b2` after it.

    ValueError if a legal move bears the wrong mark.
    """
    match = MOVE.fullmatch(text)
    if match is None:
        raise ValueError(f"{text} is not a move")
    start, mark, target, who, put = match.groups()
    if game.why(start, target) is None and (mark == "x") != (target in game.men):
        raise ValueError(f"{text}: the mark does not fit")
    return start, target, (who, put) if who else None


def answer(case: Row) -> str:
    """Answer the query, in the words of `expect`."""
    game = game_of(case)
    query: str = case["query"]
    if query == "result":
        return result_words(game)
    if query.startswith("known "):
        moved, known = game.known(query.removeprefix("known "))
        return f"{'moved' if moved else 'unmoved'}, rank {'known' if known else 'hidden'}"
    if query.startswith("side "):
        side = SIDES[query.split()[1]]
        return "yes" if game.has_geometric_move(side) else "no"
    start, target, rescue = read_move(game, query)
    reason = game.why(start, target, rescue)
    if reason is not None:
        return f"illegal: {reason}"
    if case["expect"] == "legal":
        return "legal"
    mover = game.turn
    outcome = game.push(start, target, rescue)
    if outcome is None:
        return "legal"
    return f"flag captured; {COLOUR[mover]} wins" if outcome == "flag" else BATTLE_WORDS[outcome]


def result_words(game: Oracle) -> str:
    """Say `game goes on`, or who wins and why."""
    if game.result is None or game.reason is None:
        return "game goes on"
    why = game.reason.replace("_", " ")
    return f"draw ({why})" if game.result == "draw" else f"{COLOUR[game.result]} wins ({why})"


def case_failure(case: Row) -> str | None:
    """Say in one line what went wrong with a case, or None."""
    try:
        got = answer(case)
    except ValueError as fault:
        got = f"fault: {fault}"
    return None if got == case["expect"] else f"{case['id']}: {case['query']}: {got}, not {case['expect']}"


# -- recorded games ----------------------------------------------------------------------------

LETTERS = {"M": "10", "S": "1"}
GAME_REASONS = {
    "flag_captured": {"flag"},
    "no_legal_move": {"stuck", "both_stuck"},
    "no_movable_piece": {"stuck", "both_stuck"},
    "no_attack_limit": {"limit"},
    "max_moves": {"limit"},
}


def recorded_game(game: Row) -> Oracle:
    """Set up the start of a recorded game under the preset `online-replay` (R11.4) and its own limits."""
    rules = game["rules"]
    settings = Settings(
        two_square_limit=3 if rules["two_square"] else None,
        more_squares="type" if rules["continuous_chase"] else "off",
        max_quiet_plies=rules["no_attack_limit"],
        max_plies=rules["max_moves"],
        limit_test="more-than",
        flag_beats_limit=False,
    )
    red = {name(k % 10, k // 10 + 1): LETTERS.get(c, c) for k, c in enumerate(game["red_setup"]) if c != "."}
    blue = {name(9 - k % 10, 10 - k // 10): LETTERS.get(c, c) for k, c in enumerate(game["blue_setup"]) if c != "."}
    return Oracle(settings, red, blue)


def game_failures(row: Row) -> list[str]:
    """List every expectation of a recorded game that does not hold; ValueError if a ply is illegal."""
    game = recorded_game(row)
    for start, target in row["moves"]:
        game.push(start, target)
    expect, derived = row["expect"], row["derived"]
    wanted_reason = {"two_square": "two_square", "continuous_chase": "more_squares"}.get(
        expect.get("illegal_reason", "")
    )
    wrong = []
    for start, target in expect.get("illegal_next", []):
        if game.why(start, target) != wanted_reason:
            wrong.append(f"{start}-{target} is {game.why(start, target)}, not {wanted_reason}")
    for start, target in expect.get("legal_next", []):
        if game.why(start, target) is not None:
            wrong.append(f"{start}-{target} is {game.why(start, target)}")
    for start, target in expect.get("legal_next_without_chase_rule", []):
        if game.why(start, target) not in (None, "more_squares"):
            wrong.append(f"{start}-{target} is {game.why(start, target)} even without the chase rule")
    if "terminal" in expect:
        if (game.result is not None) != expect["terminal"] or game.result != expect["result"]:
            wrong.append(f"result {game.result}, not {expect['result']}")
        if game.reason not in GAME_REASONS[expect["reason"]]:
            wrong.append(f"reason {game.reason}, not {expect['reason']}")
    found = {
        "plies": game.ply,
        "quiet": game.quiet,
        "to_move": game.turn,
        "legal_next_count": len(game.legal()),
        "final_red": standing(game, "red"),
        "final_blue": standing(game, "blue"),
    }
    wrong += [f"{key}: {value}, not {derived[key]}" for key, value in found.items() if value != derived[key]]
    return [f"{row['id']}: {text}" for text in wrong]


def standing(game: Oracle, side: Side) -> str:
    """List the men of a side as square then rank letter, by row and file."""
    back = {rank: letter for letter, rank in LETTERS.items()}
    men = [(square, man) for square, man in game.men.items() if man.side == side]
    men.sort(key=lambda pair: place(pair[0])[::-1])
    return " ".join(f"{square}{back.get(man.rank, man.rank)}" for square, man in men)


# -- move trees --------------------------------------------------------------------------------


def perft(start: Oracle, depth: int) -> list[int]:
    """Count the legal move sequences of exactly 1, 2 .. `depth` plies (R16)."""
    counts = [0] * depth
    line: list[tuple[Square, Square, Rescue | None]] = []

    def replay() -> Oracle:
        men = start.men.items()
        red = {square: man.rank for square, man in men if man.side == "red"}
        blue = {square: man.rank for square, man in men if man.side == "blue"}
        game = Oracle(start.settings, red, blue, start.turn)
        for move in line:
            game.push(*move)
        return game

    def visit() -> None:
        game = replay()
        plain = sorted(game.legal())
        moves: list[tuple[Square, Square, Rescue | None]] = [(*move, None) for move in plain]
        moves += [(*move, rescue) for move in plain for rescue in sorted(game.rescues(*move))]
        counts[len(line)] += len(moves)
        if len(line) + 1 == depth:
            return
        for move in moves:
            line.append(move)
            visit()
            line.pop()

    visit()
    return counts
