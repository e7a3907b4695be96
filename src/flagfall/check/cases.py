"""Worked cases of the law: a position, plies, a question and its right answer, one JSON object a line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from flagfall.errors import FlagfallError, Unreadable
from flagfall.rules.board import Move, Seat, Square, make_move, parse_square, target
from flagfall.rules.catalog import CLASSIC
from flagfall.rules.events import Outcome, Reason, Refusal, Result
from flagfall.rules.notation import parse_move
from flagfall.rules.pieces import Rank, parse_rank
from flagfall.rules.truth import Truth
from flagfall.rules.variant import Variant

_SWITCHES = {
    "two_sq": "two_square_limit",
    "two_sq_attack": "two_square_counts_attacks",
    "two_sq_scope": "two_square_scope",
    "chase": "more_squares",
    "chase_memory": "chase_memory",
    "scout_strike": "scout_move_and_strike",
    "bomb_once": "bomb_once",
    "tie": "tie",
    "stuck": "stuck_check",
    "cap": "max_plies",
    "noattack": "max_quiet_plies",
    "cap_offset": "limit_test",
    "flag_before_caps": "flag_beats_limit",
    "reveal": "reveal",
    "rescues": "rescues",
    "captains_two": "captains_move_two",
}
_TRANSLATED: dict[str, Callable[[Any], Any]] = {
    "chase": lambda value: value or "off",
    "cap_offset": lambda value: "more-than" if value else "at",
}
_OUTCOMES = {Outcome.ATTACKER: "attacker wins", Outcome.DEFENDER: "defender wins", Outcome.BOTH: "both removed"}
_REASONS = {Reason.FLAG: "flag", Reason.STUCK: "stuck", Reason.BOTH_STUCK: "both stuck", Reason.LIMIT: "limit"}


def law_switches(cfg: Mapping[str, Any]) -> dict[str, Any]:
    """The switches of `Law` that a case's `cfg` sets. Raises Unreadable for a key that is not known."""
    found: dict[str, Any] = {}
    for key, value in cfg.items():
        if key not in _SWITCHES:
            raise Unreadable(f"cfg has an unknown key {key!r}", code="bad_case")
        found[_SWITCHES[key]] = _TRANSLATED[key](value) if key in _TRANSLATED else value
    return found


def men_of(text: str) -> dict[Square, Rank]:
    """Ranks by square of `10@e4 B@b1`, in modern numbers. Raises Unreadable."""
    found: dict[Square, Rank] = {}
    for word in text.split():
        sign, _, name = word.partition("@")
        at = parse_square(name)
        if at in found:
            raise Unreadable(f"two men stand on {name}", code="bad_case")
        found[at] = parse_rank(sign)
    return found


def position_of(case: Mapping[str, Any], variant: Variant = CLASSIC) -> Truth:
    """The game of a case's `pos`, `turn`, `pre` and `cfg`. Raises Unreadable, IllegalMove."""
    red, blue = case["pos"]
    first = Seat.BLUE if case.get("turn", "R") == "B" else Seat.RED
    game = Truth.of_men(variant.with_law(**law_switches(case.get("cfg", {}))), men_of(red), men_of(blue), first)
    for word in case.get("pre", "").split():
        _mark_fits(game, word)
        game.play(word)
    return game


def _mark_fits(game: Truth, word: str) -> Move:
    """The move of a word whose mark, - or x, agrees with the target square. Raises Unreadable."""
    move = parse_move(word)
    if ("x" in word) != (game.man_at(target(move)) is not None):
        raise Unreadable(f"the mark of {word} does not fit the position", code="bad_case")
    return move


def run_case(case: Mapping[str, Any]) -> str | None:
    """What is wrong with the law by this case, or None."""
    try:
        game = position_of(case)
        found = answer(game, case["query"], case["expect"])
    except FlagfallError as fault:
        found = f"could not be played: {fault.stable_code}: {fault}"
    if found == case["expect"]:
        return None
    return f"case {case['id']} {case['query']}: expected {case['expect']!r}, found {found!r}"


def answer(game: Truth, query: str, expect: str) -> str:
    """The law's answer to a question, in the words of the cases."""
    words = query.split()
    if query == "result":
        return result_words(game)
    if words[0] == "known":
        man = game.man_at(parse_square(words[1]))
        if man is None:
            return "nobody there"
        return f"{'moved' if man.moved else 'unmoved'}, rank {'known' if man.known else 'hidden'}"
    if words[0] == "side":
        return "yes" if game.can_move(Seat.of(words[1].lower())) else "no"
    return _move_words(game, query, expect)


def _move_words(game: Truth, query: str, expect: str) -> str:
    """Whether a move is legal, or what its battle brings."""
    move = parse_move(query)
    refusal = game.why(move)
    if refusal is not None:
        return f"illegal: {refusal.word}"
    _mark_fits(game, query)
    if expect == "legal" or expect.startswith("illegal"):
        return "legal"
    played = game.play(move)
    if played.outcome is Outcome.FLAG:
        return f"flag captured; {result_words(game).split(' (')[0]}"
    return _OUTCOMES.get(played.outcome, "legal")


def result_words(game: Truth) -> str:
    """How a game stands, in the words of the cases."""
    if game.result is Result.GOING:
        return "game goes on"
    reason = _REASONS[game.reason]
    if game.result is Result.DRAW:
        return f"draw ({reason})"
    return f"{'Red' if game.result is Result.RED else 'Blue'} wins ({reason})"


def refused_with(game: Truth, frm: str, to: str) -> Refusal | None:
    """The refusal of a move given by its squares."""
    return game.why(make_move(parse_square(frm), parse_square(to)))
