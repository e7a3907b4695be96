"""Reading a record from text that nobody vouches for: every field checked, every complaint with a stable code."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from flagfall.errors import FlagfallError, Unreadable
from flagfall.play.clock import Control
from flagfall.play.player import SEED_BYTES, Budget
from flagfall.play.record import FORMAT, Act, Deed, Record, Sitter, Sort, Terms, checksum
from flagfall.rules.board import Seat
from flagfall.rules.deployment import Deployment
from flagfall.rules.events import Reason, Result
from flagfall.rules.notation import parse_move
from flagfall.rules.pieces import Numbering
from flagfall.rules.variant import Variant

LONGEST_TEXT = 16_000_000  # bytes: a game of 100,000 plies takes about 5 million
LONGEST_MS = 2**53 - 1
HEAD = {"format", "game", "variant", "digest", "first", "players", "clock", "secret", "begun_ms"}
FIELDS = HEAD | {"elapsed_ms", "deployments", "commitments", "acts", "result", "reason", "checksum"}
_GAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_CODE = re.compile(r"[a-z0-9_]{1,40}")
_SECRET = re.compile(rf"[0-9a-f]{{{2 * SEED_BYTES}}}")


def read_record(text: str | bytes) -> Record:
    """The record that a text holds.

    Raises Unreadable, with the code of the first complaint: `too_long`, `not_json`, `bad_record` (`field` says where),
    `wrong_format`, `wrong_checksum`, `wrong_digest`, `wrong_commitment`. That the game can be played as it says is for
    the referee to find out.
    """
    form = _parsed(text)
    if form.get("format") != FORMAT:
        raise Unreadable(f"a record is a JSON object of format {FORMAT}", code="wrong_format")
    odd = (set(form) - {"rated"}) ^ FIELDS
    if odd:
        raise _bad(min(odd))
    if checksum(form) != _text(form, "checksum", 100):
        raise Unreadable("the checksum of this record is not that of its contents", code="wrong_checksum")
    try:
        record = _record(form)
    except Unreadable:
        raise
    except FlagfallError as error:
        raise Unreadable(f"this record cannot be read: {error}", code=error.stable_code) from None
    if record.terms.variant.digest != form["digest"]:
        raise Unreadable("the digest of this record is not that of its variant", code="wrong_digest")
    said = form["commitments"]
    if not isinstance(said, dict) or said != dict(zip(("red", "blue"), record.commitments(), strict=True)):
        raise Unreadable("an army of this record is not the one committed to", code="wrong_commitment")
    return record


def _parsed(text: str | bytes) -> dict[str, Any]:
    """A JSON object without repeated keys and without numbers that JSON does not know."""
    if len(text) > LONGEST_TEXT:
        raise Unreadable("this is too long for a record", code="too_long")
    try:
        form = json.loads(text, object_pairs_hook=_once_each, parse_constant=_no_constant, parse_float=_no_constant)
        # A lone surrogate is valid in JSON's escapes but in no text, so it may not reach a name or a file.
        json.dumps(form, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        raise Unreadable("this is not the JSON of a record", code="not_json") from None
    if not isinstance(form, dict):
        raise Unreadable("this is not the JSON of a record", code="not_json")
    return form


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    form = dict(pairs)
    if len(form) != len(pairs):
        raise ValueError("a key stands twice")
    return form


def _no_constant(word: str) -> None:
    raise ValueError("a record holds whole numbers only")


def _record(form: Mapping[str, Any]) -> Record:
    variant = Variant.from_json(form["variant"])
    secret = _text(form, "secret", 2 * SEED_BYTES)
    if not _SECRET.fullmatch(secret):
        raise _bad("secret")
    game = _text(form, "game", 64)
    if not _GAME.fullmatch(game):
        raise _bad("game")
    result, reason = _ending(form)
    terms = Terms(
        variant=variant,
        first=_seat(form, "first"),
        sitters=_sitters(form["players"]),
        control=None if form["clock"] is None else Control.from_json(form["clock"]),
        game=game,
        begun_ms=_count(form, "begun_ms"),
        rated=_rated(form),
    )
    return Record(
        terms=terms,
        secret=bytes.fromhex(secret),
        elapsed_ms=_count(form, "elapsed_ms"),
        deployments=_deployments(form["deployments"], variant),
        acts=_acts(form["acts"]),
        result=result,
        reason=reason,
    )


def _rated(form: Mapping[str, Any]) -> bool:
    """Whether a game counts; a casual one does not say so."""
    if form.get("rated", True) is not True:
        raise _bad("rated")
    return "rated" in form


def _ending(form: Mapping[str, Any]) -> tuple[Result, Reason]:
    if form["result"] is None and form["reason"] is None:
        return Result.GOING, Reason.NONE
    results = {result.word: result for result in Result if result is not Result.GOING}
    reasons = {reason.word: reason for reason in Reason if reason is not Reason.NONE}
    for field, known in (("result", results), ("reason", reasons)):
        if _text(form, field, 40) not in known:
            raise _bad(field)
    return results[form["result"]], reasons[form["reason"]]


def _sitters(form: object) -> tuple[Sitter, Sitter]:
    if not isinstance(form, dict) or set(form) != {"red", "blue"}:
        raise _bad("players")
    return _sitter(form["red"]), _sitter(form["blue"])


def _sitter(form: object) -> Sitter:
    if not isinstance(form, dict) or set(form) != {"name", "sort", "nodes", "time_ms"}:
        raise _bad("players")
    if _text(form, "sort", 20) not in list(Sort):
        raise _bad("sort")
    nodes, time_ms = (None if form[field] is None else _count(form, field) for field in ("nodes", "time_ms"))
    name = _text(form, "name", 200)
    if not name.isprintable():
        raise _bad("name")
    return Sitter(name, Sort(form["sort"]), Budget(nodes, time_ms))


def _deployments(form: object, variant: Variant) -> tuple[Deployment | None, Deployment | None]:
    if not isinstance(form, dict) or set(form) != {"red", "blue"}:
        raise _bad("deployments")
    armies = []
    for seat in Seat:
        text = form[seat.word]
        if text is not None and not isinstance(text, str):
            raise _bad("deployments")
        army = None if text is None else Deployment.parse(text, variant, seat, Numbering.MODERN)
        if army is not None and army.text() != text:
            raise _bad("deployments")
        armies.append(army)
    return armies[0], armies[1]


def _acts(form: object) -> tuple[Act, ...]:
    if not isinstance(form, list):
        raise _bad("acts")
    return tuple(_act(act) for act in form)


def _act(form: object) -> Act:
    if not isinstance(form, dict):
        raise _bad("acts")
    at_ms = _count(form, "at")
    seat = None if form.get("seat", "") is None else _seat(form, "seat")
    if set(form) == {"at", "seat", "move"}:
        if seat is None:
            raise _bad("seat")
        return Act(at_ms, Deed.MOVE, seat, move=parse_move(_text(form, "move", 20)))
    if not set(form) <= {"at", "seat", "act", "fault"} or _text(form, "act", 20) not in list(Deed):
        raise _bad("acts")
    deed = Deed(form["act"])
    fault = _text(form, "fault", 40) if "fault" in form else None
    if deed is Deed.MOVE or (fault is None) == (deed is Deed.FORFEIT) or (fault and not _CODE.fullmatch(fault)):
        raise _bad("acts")
    if (seat is None and deed not in (Deed.TIME, Deed.ANNUL)) or (seat is not None and deed is Deed.ANNUL):
        raise _bad("seat")
    return Act(at_ms, deed, seat, fault=fault)


def _seat(form: Mapping[str, Any], field: str) -> Seat:
    word = form.get(field)
    if word not in ("red", "blue"):
        raise _bad(field)
    return Seat.of(word)


def _text(form: Mapping[str, Any], field: str, longest: int) -> str:
    value = form.get(field)
    if not isinstance(value, str) or len(value) > longest:
        raise _bad(field)
    return value


def _count(form: Mapping[str, Any], field: str) -> int:
    value = form.get(field)
    if type(value) is not int or not 0 <= value <= LONGEST_MS:
        raise _bad(field)
    return value


def _bad(field: str) -> Unreadable:
    return Unreadable(
        f"the field {field[:40]} of this record is missing, not known or of the wrong kind",
        code="bad_record",
        field=field[:40],
    )
