"""Recorded games in the neutral form of a conformance set: a JSON object a line, set-ups and moves by square."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from flagfall.archive.armies import variant_of
from flagfall.archive.border import PLIES_CAP, lines, text
from flagfall.archive.found import Claim, Format, Found, Kind, Place, Refused
from flagfall.archive.setups import OWN
from flagfall.errors import FlagfallError, JsonValue, Unreadable
from flagfall.rules.board import Move, Seat, Square, make_move, parse_square
from flagfall.rules.catalog import CLASSIC, preset
from flagfall.rules.events import Result
from flagfall.rules.pieces import Rank

_KEYS = {"id", "rules", "red_setup", "blue_setup", "moves", "expect"}
_REASONS = {
    "flag_captured": "flag", "no_legal_move": "stuck", "no_movable_piece": "stuck", "no_attack_limit": "limit",
    "max_moves": "limit",
}  # fmt: skip


def read(data: bytes, place: Place) -> Iterator[Found | Refused]:
    """Every game of a file; a line that is none is stepped over. Raises Unreadable for what is no text."""
    for number, line in enumerate(lines(text(data, place)), 1):
        if line.strip():
            here = place.at(number, 1)
            try:
                yield _game(line, here)
            except Unreadable as error:
                yield Refused.of(error, here)


def _game(line: str, place: Place) -> Found:
    """Raises Unreadable `not_json`, `bad_field`, `too_long`."""
    try:
        form = json.loads(line)
    except json.JSONDecodeError as error:
        raise place.at(place.line, error.colno).error("this line is not JSON", "not_json") from None
    except (ValueError, RecursionError):
        raise place.error("this line is not JSON", "not_json") from None
    if not isinstance(form, dict) or not form.keys() >= _KEYS:
        raise place.error(f"a game has the fields {', '.join(sorted(_KEYS))}", "bad_field")
    red, blue = (_army(form[f"{seat.word}_setup"], seat, place) for seat in Seat)
    return Found(
        kind=Kind.GAME,
        format=CONFORMANCE.name,
        place=place,
        variant=variant_of((Seat.RED, red), (Seat.BLUE, blue)),
        law=_law(form["rules"], place),
        armies=(red, blue),
        moves=_moves(form["moves"], place),
        claim=_claim(form["expect"], place),
    )


def _army(signs: object, seat: Seat, place: Place) -> dict[Square, Rank]:
    area = CLASSIC.home[seat]
    if not isinstance(signs, str) or len(signs) != len(area) or not set(signs) <= {*OWN, "."}:
        raise place.error(f"{seat.word}_setup is {len(area)} signs", "bad_field", field=f"{seat.word}_setup")
    return {at: OWN[sign] for at, sign in zip(area, signs, strict=True) if sign != "."}


def _law(rules: object, place: Place) -> Mapping[str, JsonValue]:
    """The switches of a game's rules, over Classic's; positions of a chase are compared by identity, as at tables."""
    if not isinstance(rules, dict):
        raise place.error("rules is an object", "bad_field", field="rules")
    try:
        law = preset(
            "online",
            two_square_limit=3 if rules.get("two_square") else None,
            more_squares="identity" if rules.get("continuous_chase") else "off",
            max_quiet_plies=rules.get("no_attack_limit"),
            max_plies=rules.get("max_moves"),
        )
    except FlagfallError as error:
        raise place.error(f"these rules are no law: {error}", "bad_field", field="rules") from None
    return law.departures(CLASSIC.law)


def _moves(rows: object, place: Place) -> tuple[Move, ...]:
    if not isinstance(rows, list) or len(rows) > PLIES_CAP:
        raise place.error(f"moves is a list of at most {PLIES_CAP}", "bad_field", field="moves")
    found = []
    for ply, row in enumerate(rows, 1):
        good = isinstance(row, list) and len(row) == 2 and all(isinstance(name, str) for name in row)
        try:
            found.append(make_move(*map(parse_square, row)) if good else None)
        except FlagfallError:
            found.append(None)
        if found[-1] is None:
            raise place.error(f"ply {ply} is not two squares", "bad_field", field="moves", ply=ply)
    return tuple(move for move in found if move is not None)


def _claim(expect: Any, place: Place) -> Claim:
    """How a game is said to have ended, if it is."""
    if not isinstance(expect, dict):
        raise place.error("expect is an object", "bad_field", field="expect")
    results = {result.word: result for result in Result}
    result, reason = expect.get("result"), expect.get("reason")
    if not expect.get("terminal") or not isinstance(result, str) or not isinstance(reason, str):
        return Claim()
    if result not in results or reason not in _REASONS:
        raise place.error("no game ends so", "bad_field", field="expect")
    return Claim(results[result], _REASONS[reason])


CONFORMANCE = Format(
    name="conformance",
    title="recorded games of a conformance set, one a line",
    suffixes=(".jsonl",),
    sniff=lambda _, head: head.lstrip()[:1] == b"{" and b'"rules"' in head and b'"red_setup"' in head,
    read=read,
)
