"""The JSON Schema of a game's file, made from the law itself, so that an editor can help whoever writes one."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, get_args, get_type_hints

from flagfall.rules.board import MAX_FILES, MAX_ROWS
from flagfall.rules.entry import TEXT_CAP
from flagfall.rules.events import Outcome
from flagfall.rules.form import BATTLES_CAP, NEEDED, SIGNS, USUAL_REACH
from flagfall.rules.pieces import RANKS, Rank
from flagfall.rules.variant import FAR, FORMAT, MEN_CAP, NAME, NAME_CAP, RESCUES_CAP, Law

LIMIT_CAP = 10**9
_WORDS = [rank.word for rank in RANKS]
_TOLD = {
    "two_square_limit": "Crossings of a border in a row before the next is barred; null for off.",
    "two_square_counts_attacks": "Whether an attack counts, and can be the barred move.",
    "two_square_scope": "Whether borders are counted, or pairs of end squares.",
    "more_squares": "Whether a chase may bring a position back, and how positions are compared.",
    "chase_memory": "Which positions a chase may not bring back.",
    "scout_move_and_strike": "Whether a scout may run and attack in one turn.",
    "bomb_once": "Whether a bomb goes with its first victim.",
    "tie": "Who is left when equal ranks meet.",
    "stuck_check": "When it is asked whether a side can still move.",
    "max_quiet_plies": "Plies without a battle before the game is drawn; null for off.",
    "max_plies": "Plies before the game is drawn; null for off.",
    "limit_test": "Whether a limit is reached, or must be passed.",
    "flag_beats_limit": "Whether a captured flag counts on the very ply of a limit.",
    "reveal": "Which ranks a battle tells: both, the attacker's alone, or none.",
    "rescues": "How many captured men a player may bring back in a game; 0 for none.",
    "captains_move_two": "Whether captains go two squares, straight on or round one corner.",
    "spy_taken_only_by_attack": "The ordinary rule in other words; changes nothing.",
    "first_player": "Who begins.",
    "smaller_army": "Whether men may stay in the box.",
}
"""What each switch of the law is, in a line."""


def file_schema() -> dict[str, Any]:
    """The schema, draft 2020-12. Whether a game hangs together and can be won, only the law itself can say."""
    counts = {word: _number(0, MEN_CAP) for word in _WORDS} | {"flag": {"const": 1}}
    reaches = {
        rank.word: {"const": 0} if rank is Rank.FLAG else _number(0, FAR) | {"default": USUAL_REACH[rank]}
        for rank in RANKS
    }
    ends = [end.word for end in (Outcome.ATTACKER, Outcome.DEFENDER, Outcome.BOTH)]
    battle = [{"enum": _WORDS[:-1]}, {"enum": _WORDS[:-1]}, {"enum": ends}]
    signs = "".join(SIGNS)
    row = {"type": "string", "pattern": f"^[{signs}]{{1,{MAX_FILES}}}$"}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A game of the Stratego family, as Flagfall reads it",
        "type": "object",
        "additionalProperties": False,
        "required": list(NEEDED),
        "properties": {
            "$schema": {"type": "string"},
            "format": {"const": FORMAT},
            "name": {"type": "string", "maxLength": NAME_CAP, "pattern": f"^{NAME.pattern}$"},
            "source": {"type": "string", "maxLength": TEXT_CAP, "description": "Where the game comes from."},
            "about": {"type": "string", "maxLength": TEXT_CAP, "description": "What a player should know of it."},
            "board": {
                "type": "array",
                "minItems": 1,
                "maxItems": MAX_ROWS,
                "items": row,
                "description": "Rows of equal length, Blue's back row first: "
                + ", ".join(f"{sign} {what}" for sign, what in SIGNS.items())
                + ".",
            },
            "army": _table(counts, "Men of each rank, at most 40 in all.") | {"required": ["flag"]},
            "reach": _table(reaches, "How far each rank moves: 0 never, 9 any distance."),
            "battles": {
                "type": "array",
                "maxItems": BATTLES_CAP,
                "items": {"type": "array", "prefixItems": battle, "items": False, "minItems": 3},
                "description": "Battles that end otherwise than usual: attacker, defender, who is left.",
            },
            "law": _table(_switches(), "Switches that differ from the tournament law."),
            "clock": {"type": ["object", "null"], "description": "The usual clock."},
        },
    }


def _number(least: int, most: int) -> dict[str, Any]:
    return {"type": "integer", "minimum": least, "maximum": most}


def _table(properties: dict[str, Any], told: str) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": False, "properties": properties, "description": told}


def _switches() -> dict[str, Any]:
    """A schema for each switch of the law."""
    hints, found = get_type_hints(Law), {}
    for item in fields(Law):
        hint = hints[item.name]
        kind: dict[str, Any] = {"type": "boolean"} if hint is bool else {"enum": list(get_args(hint))}
        if hint == int | None:
            kind = {"anyOf": [_number(1, LIMIT_CAP), {"type": "null"}]}
        if item.name == "rescues":
            kind = _number(0, RESCUES_CAP)
        if item.name == "two_square_limit":
            kind = {"enum": [2, 3, 4, 5, None]}
        found[item.name] = kind | {"default": item.default, "description": _TOLD[item.name]}
    return found
