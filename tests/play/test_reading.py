"""A record from a stranger: whatever it is, it is read, or refused with a stable code."""

from __future__ import annotations

import contextlib
import copy
import json
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flagfall.errors import Unreadable
from flagfall.play import reading
from flagfall.play.reading import LONGEST_TEXT, read_record
from flagfall.play.record import CHECKSUM, canonical, checksum
from flagfall.play.referee import Phase, Referee
from tests.play.games import session

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@cache
def good() -> dict[str, Any]:
    """A finished game with a clock, talk and a forfeit or another end."""
    played = session(3)
    while played.referee.phase is not Phase.OVER:
        played.turn()
    return played.referee.record().to_json()


def sealed(form: dict[str, Any]) -> str:
    """The form with the checksum that belongs to it, so that what is wrong with it comes to light."""
    return canonical(form | {"checksum": checksum(form)})


def code_of(text: str | bytes) -> str:
    with pytest.raises(Unreadable) as caught:
        read_record(text)
    return caught.value.stable_code


def changed(change: Callable[[dict[str, Any]], object]) -> str:
    form = copy.deepcopy(good())
    change(form)
    return sealed(form)


def test_a_record_is_read_as_it_was_written() -> None:
    text = canonical(good())
    assert read_record(text).text() == text
    assert read_record(text.encode()).text() == text
    assert read_record(json.dumps(good(), indent=3)).text() == text


def test_a_checksum_in_another_script_is_a_wrong_one() -> None:
    assert code_of(json.dumps(good() | {"checksum": "sha256:\u0663"})) == "wrong_checksum"


def test_the_checksum_is_over_everything() -> None:
    assert good()["checksum"].startswith(CHECKSUM)
    for field in good():
        form = {**good(), field: "x"}
        assert code_of(json.dumps(form)) in ("wrong_checksum", "wrong_format"), field


@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "[]",
        "3",
        '"record"',
        "{",
        "\x00",
        b"\xff\xfe\x00",
        "[" * 100_000,
        '{"a":' * 100_000,
        '{"a": NaN}',
        '{"a": 1e999}',
        '{"a": ' + "9" * 10_000 + "}",
        '{"format": "x", "format": "y"}',
        '{"a": "\\ud800"}',
    ],
)
def test_what_is_no_json_of_a_record(text: str | bytes) -> None:
    assert code_of(text) == "not_json"


def test_what_is_too_long_is_not_looked_at() -> None:
    assert code_of(" " * (LONGEST_TEXT + 1)) == "too_long"


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda form: form.update(format="flagfall-record-2"), "wrong_format"),
        (lambda form: form.update(extra=1), "bad_record"),
        (lambda form: form.pop("acts"), "bad_record"),
        (lambda form: form.update(game="../../etc/passwd"), "bad_record"),
        (lambda form: form.update(game=""), "bad_record"),
        (lambda form: form.update(digest="0" * 64), "wrong_digest"),
        (lambda form: form.update(digest=None), "wrong_digest"),
        (lambda form: form.update(first="green"), "bad_record"),
        (lambda form: form.update(first=["red"]), "bad_record"),
        (lambda form: form.update(secret="00"), "bad_record"),
        (lambda form: form.update(secret="0" * 64), "wrong_commitment"),
        (lambda form: form.update(secret="G" * 64), "bad_record"),
        (lambda form: form.update(begun_ms=-1), "bad_record"),
        (lambda form: form.update(begun_ms=True), "bad_record"),
        (lambda form: form.update(elapsed_ms=2**60), "bad_record"),
        (lambda form: form.update(clock={"kind": "hourglass"}), "bad_clock"),
        (lambda form: form.update(clock=5), "bad_clock"),
        (lambda form: form.update(variant=None), "bad_format"),
        (lambda form: form["variant"].update(board=[]), "bad_board"),
        (lambda form: form["variant"]["army"].update(flag=2), "bad_counts"),
        (lambda form: form["variant"]["law"].update(tie="never"), "bad_switch"),
        (lambda form: form.update(players={}), "bad_record"),
        (lambda form: form["players"]["red"].update(sort="robot"), "bad_record"),
        (lambda form: form["players"]["red"].update(name="a\nb"), "bad_record"),
        (lambda form: form["players"]["red"].update(nodes="x"), "bad_record"),
        (lambda form: form["players"]["red"].update(nodes=1.5), "not_json"),
        (lambda form: form.update(deployments=[]), "bad_record"),
        (lambda form: form["deployments"].update(red=7), "bad_record"),
        (lambda form: form["deployments"].update(red="F"), "deployment_length"),
        (lambda form: form["deployments"].update(red=form["deployments"]["red"].lower()), "bad_record"),
        (lambda form: form.update(commitments=None), "wrong_commitment"),
        (lambda form: form["commitments"].update(blue="0" * 64), "wrong_commitment"),
        (lambda form: form.update(acts={}), "bad_record"),
        (lambda form: form.update(acts=[[]]), "bad_record"),
        (lambda form: form["acts"].append({"at": 1, "seat": "red", "act": "move"}), "bad_record"),
        (lambda form: form["acts"].append({"at": 1, "seat": "red", "act": "cheat"}), "bad_record"),
        (lambda form: form["acts"].append({"at": 1, "seat": "red", "act": "forfeit"}), "bad_record"),
        (lambda form: form["acts"].append({"at": 1, "seat": "red", "act": "forfeit", "fault": "A b"}), "bad_record"),
        (lambda form: form["acts"].append({"at": 1, "seat": "red", "act": "resign", "fault": "late"}), "bad_record"),
        (lambda form: form["acts"].append({"at": 1, "seat": None, "act": "resign"}), "bad_record"),
        (lambda form: form["acts"].append({"at": 1, "act": "resign"}), "bad_record"),
        (lambda form: form["acts"].append({"at": 1, "seat": "red", "move": "e4"}), "bad_move"),
        (lambda form: form["acts"].append({"at": 1, "seat": None, "move": "e4-e5"}), "bad_record"),
        (lambda form: form["acts"].append({"at": 1, "seat": "red", "move": "e4-e5", "act": "move"}), "bad_record"),
        (lambda form: form.update(result="red", reason=None), "bad_record"),
        (lambda form: form.update(result="going"), "bad_record"),
        (lambda form: form.update(reason="none"), "bad_record"),
    ],
)
def test_every_field_is_checked(change: Callable[[dict[str, Any]], object], code: str) -> None:
    assert code_of(changed(change)) == code


def paths(form: Any, way: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """The way to every place in a form."""
    inner = form.items() if isinstance(form, dict) else enumerate(form) if isinstance(form, list) else ()
    return [way, *(place for key, value in inner for place in paths(value, (*way, key)))]


@settings(max_examples=300)
@given(st.deferred(lambda: st.sampled_from(paths(good())[1:])), JSON)
def test_any_value_anywhere_is_read_or_refused(way: tuple[str | int, ...], value: object) -> None:
    form = copy.deepcopy(good())
    place: Any = form
    for key in way[:-1]:
        place = place[key]
    place[way[-1]] = value
    try:
        text = sealed(form)
    except ValueError:  # not a number: no canonical JSON either
        text = json.dumps(form)
    with contextlib.suppress(Unreadable):
        Referee.resume(read_record(text), 0)


def test_nothing_but_errors_of_the_tree_leaves_the_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    """The property above would hold for a reader that refuses everything: this one accepts."""
    monkeypatch.setattr(reading, "LONGEST_TEXT", len(canonical(good())))
    assert read_record(canonical(good())).over
