"""Recorded games of other programs, held against the law: every ply legal, every claim true."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from flagfall.check.cases import refused_with
from flagfall.errors import FlagfallError
from flagfall.rules.board import Seat, make_move, parse_square, square_name
from flagfall.rules.catalog import CLASSIC, preset
from flagfall.rules.deployment import Deployment
from flagfall.rules.events import Reason, Result
from flagfall.rules.pieces import Numbering
from flagfall.rules.truth import Truth
from flagfall.rules.variant import Law

_REASONS = {
    "flag_captured": Reason.FLAG,
    "no_legal_move": Reason.STUCK,
    "no_movable_piece": Reason.STUCK,
    "no_attack_limit": Reason.LIMIT,
    "max_moves": Reason.LIMIT,
}
_REFUSALS = {"two_square": "two_square", "continuous_chase": "more_squares"}
_LETTERS = {**{str(rank): rank for rank in range(2, 10)}, "F": 12, "B": 11, "S": 1, "M": 10}


def law_of(rules: Mapping[str, Any], chase: bool = True) -> Law:
    """The law of a record: `online-replay` with the record's own limits; `chase` off leaves out more-squares."""
    return preset(
        "online-replay",
        two_square_limit=3 if rules["two_square"] else None,
        more_squares="type" if rules["continuous_chase"] and chase else "off",
        max_quiet_plies=rules["no_attack_limit"],
        max_plies=rules["max_moves"],
    )


def replay(game: Mapping[str, Any], law: Law) -> Truth:
    """A record's game after its last ply. Raises IllegalMove at the first ply that the law refuses."""
    board = replace(CLASSIC, law=law)
    red, blue = (Deployment.parse(game[f"{seat.word}_setup"], board, seat, Numbering.MODERN).ranks for seat in Seat)
    truth = Truth.of_men(board, red, blue)
    for frm, to in game["moves"]:
        truth.push(make_move(parse_square(frm), parse_square(to)))
    return truth


def run_game(game: Mapping[str, Any]) -> str | None:
    """What is wrong with the law by this game, or None."""
    try:
        truth = replay(game, law_of(game["rules"]))
        wrong = next(_differences(game, truth), None)
    except FlagfallError as fault:
        wrong = f"could not be played: {fault.stable_code}: {fault}"
    return wrong and f"game {game['id']}: {wrong}"


def _differences(game: Mapping[str, Any], truth: Truth) -> Iterator[str]:
    """Every claim of a record that does not hold."""
    expect = game["expect"]
    for frm, to in expect.get("illegal_next", []):
        refusal = refused_with(truth, frm, to)
        wanted = _REFUSALS[expect["illegal_reason"]]
        if refusal is None or refusal.word != wanted:
            yield f"{frm}-{to} should be refused as {wanted}, not {refusal and refusal.word}"
    for frm, to in expect.get("legal_next", []):
        if refused_with(truth, frm, to) is not None:
            yield f"{frm}-{to} should be legal"
    if "legal_next_without_chase_rule" in expect:
        free = replay(game, law_of(game["rules"], chase=False))
        for frm, to in expect["legal_next_without_chase_rule"]:
            if refused_with(free, frm, to) is not None:
                yield f"{frm}-{to} should be legal without the more-squares rule"
    if "terminal" in expect and expect["terminal"] != (truth.result is not Result.GOING):
        yield "the game should " + ("be over" if expect["terminal"] else "go on")
    yield from _wrong_end(expect, truth)
    yield from _wrong_position(game["derived"], truth)


def _wrong_end(claim: Mapping[str, Any], truth: Truth) -> Iterator[str]:
    """Result and reason, where a claim names them."""
    if claim.get("result") and truth.result.word != claim["result"]:
        yield f"the result should be {claim['result']}, not {truth.result.word}"
    if claim.get("reason"):
        wanted = _REASONS[claim["reason"]]
        if claim.get("result") == "draw" and wanted is Reason.STUCK:
            wanted = Reason.BOTH_STUCK
        if truth.reason is not wanted:
            yield f"the reason should be {wanted.word}, not {truth.reason.word}"


def _wrong_position(derived: Mapping[str, Any], truth: Truth) -> Iterator[str]:
    """Counters and standing men, as an independent engine found them."""
    yield from _wrong_end(derived, truth)
    found: dict[str, Any] = {
        "plies": truth.ply,
        "quiet": truth.quiet,
        "to_move": truth.turn.word,
        "legal_next_count": len(truth.legal()),
        "final_red": standing(truth, Seat.RED),
        "final_blue": standing(truth, Seat.BLUE),
    }
    for name, value in found.items():
        wanted = derived[name]
        if name.startswith("final"):
            wanted = sorted(wanted.split())
        if wanted is not None and value != wanted:
            yield f"{name} should be {wanted}, not {value}"


def standing(truth: Truth, seat: Seat) -> list[str]:
    """The standing men of a seat as square and rank letter, sorted."""
    letters = {rank: letter for letter, rank in _LETTERS.items()}
    men = [man for man in truth.men() if man.seat is seat and man.square is not None]
    return sorted(f"{square_name(man.square)}{letters[man.rank]}" for man in men if man.square is not None)
