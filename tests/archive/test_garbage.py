"""Whatever stands in a file, a reader answers with what it found and with clear errors, and never otherwise."""

from __future__ import annotations

import json
from operator import attrgetter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flagfall.archive import formats
from flagfall.archive.found import Format, Found, Kind, Place, Refused
from flagfall.archive.replaying import deployment_of, record_of, replayed
from flagfall.errors import Unreadable
from flagfall.rules.board import Seat, origin, square_name, target
from flagfall.rules.catalog import CLASSIC
from flagfall.rules.deployment import Deployment
from flagfall.rules.diagram import Diagram
from flagfall.rules.diagram_text import diagram_text
from flagfall.rules.view import View
from tests.archive.games import deployment, game, position

GSN_FIELD = formats.write([position(1)], formats.named("gravon-letters")).decode().strip()
GSN = (
    f"#X38FA11 Stratego-Notation v2\ntype 0\n{GSN_FIELD}\nA4-A5\nK7-K6\nA5-A4\nEND\na vs b result 3 winner 0\n".encode()
)


def diagrams() -> bytes:
    """Two positions as Red's seat sees them."""
    pieces = []
    for seed in (1, 2):
        world = replayed(game(seed, plies=12)).world
        red, blue = (Deployment(world.variant, seat, game(seed, plies=12).armies[seat] or {}) for seat in Seat)
        view = View.start(world.variant, red, blue.squares)
        for event in world.events:
            view.fold(event)
        pieces.append(diagram_text(Diagram.of(view)))
    return "\n".join(pieces).encode()


CONFORMANCE = (
    b'{"id": "1", "rules": {"two_square": true, "continuous_chase": true, "no_attack_limit": 200, "max_moves": null}, '
    b'"red_setup": "B2........F3........9S........M2........", '
    b'"blue_setup": "B2........F3........9S........M2........", '
    b'"moves": [["a4", "a5"], ["j7", "j6"]], "expect": {}}\n'
)


def conformance() -> bytes:
    """Two games in the neutral form."""
    rows = []
    for number in (1, 2):
        one = game(number, plies=12)
        setups = {f"{seat.word}_setup": Deployment(CLASSIC, seat, one.armies[seat] or {}).text() for seat in Seat}
        pairs = [[square_name(at) for at in (origin(move), target(move))] for move in one.moves]
        rules = {"two_square": True, "continuous_chase": True, "no_attack_limit": 200, "max_moves": 4000}
        rows.append(json.dumps({"id": number, "rules": rules, "moves": pairs, "expect": {}, **setups}) + "\n")
    return "".join(rows).encode()


READ_ONLY = {"gsn": GSN, "position": diagrams(), "conformance": conformance()}


def sample(form: Format) -> bytes:
    """A good file of a format, short enough to be cut at every byte."""
    if form.name in READ_ONLY:
        return READ_ONLY[form.name]
    things = {
        Kind.GAME: [game(1, plies=12), game(2, plies=12)],
        Kind.DEPLOYMENT: [deployment(1), deployment(2, count=3)],
        Kind.POSITION: [position(1), position(2)],
    }
    found = things[min(form.writes, key=list(Kind).index)]
    return formats.write(found[:1] if form.single or form.name == "evaluator" else found, form)


SAMPLES = {form.name: sample(form) for form in formats.FORMATS}
NAME = attrgetter("name")
FORMS = pytest.mark.parametrize("form", formats.FORMATS, ids=NAME)
ANY = st.sampled_from(formats.FORMATS)


def held(data: bytes, form: Format | None, name: str = "some file") -> list[Found | Refused]:
    """Read, and hold every answer to what is promised."""
    found = list(formats.read(data, name, form))
    for one in found:
        if isinstance(one, Refused):
            error = one.error
            assert type(error) is Unreadable
            assert one.code.replace("_", "").isalpha()
            assert one.code.islower()
            assert error.params["file"] == one.place.file == name
            assert type(error.params["line"]) is int
            assert type(error.params["column"]) is int
            assert (one.place.line, one.place.column) == (error.params["line"], error.params["column"])
            assert str(error).startswith(name)
            assert str(error).isprintable()
            assert len(str(error)) < 500
        else:
            told(one)
    return found


def told(found: Found) -> None:
    """A found thing either becomes one of ours or is refused at its place."""
    assert all(name.isprintable() for name in found.players)
    assert all(note.clause.startswith("R") for note in found.deviations)
    refused = None
    try:
        if found.kind is Kind.GAME:
            record_of(found)
        elif found.kind is Kind.DEPLOYMENT:
            deployment_of(found)
    except Unreadable as error:
        refused = error
    if refused is not None:
        assert refused.params["file"] == found.place.file
        assert str(refused).startswith(found.place.file)
        assert str(refused).count(found.place.file) == 1


@FORMS
def test_the_sample_is_good(form: Format) -> None:
    assert all(isinstance(one, Found) for one in held(SAMPLES[form.name], form))
    assert formats.detect("x" + form.suffixes[0], SAMPLES[form.name][: formats.HEAD]) is form


HAND_WRITTEN = frozenset({"sheet", "position"})
"""Texts that people write, most of whose lines may be left out: one cut off is another text."""


@pytest.mark.parametrize("form", [form for form in formats.FORMATS if form.name not in HAND_WRITTEN], ids=NAME)
def test_a_file_cut_off_anywhere_is_told(form: Format) -> None:
    """Nothing of a game that breaks off is taken for a game; of a list, no line that breaks off."""
    whole = SAMPLES[form.name]
    good = [one for one in formats.read(whole, "x", form) if isinstance(one, Found)]
    end = len(whole.rstrip())
    for size in range(end):
        got = list(formats.read(whole[:size], "x", form))
        kept = [one for one in got if isinstance(one, Found)]
        if form.name in ("ataraxos-game", "yorktown-game"):
            assert all(
                "no_last_line_end" in [note.code for note in one.deviations] for one in kept if whole[size - 1] != 10
            )
        elif form.name == "evaluator":
            # Its last line says again what the one before it said.
            assert kept == (good if whole[:size].endswith(b"\n") and b"REASON" in whole[:size] else [])
        elif form.name in ("setups", "yorktown"):
            # A number that ends a line may lose digits and still be one.
            assert [one.armies for one in kept] == [one.armies for one in good[: len(kept)]]
        else:
            assert kept == good[: len(kept)], size
            assert len(kept) == len(good) or form.single is False or kept == []
            assert not form.single or not kept


@FORMS
@settings(max_examples=60)
@given(st.data())
def test_a_spoilt_file_never_stops_the_house(form: Format, data: st.DataObject) -> None:
    spoilt = bytearray(SAMPLES[form.name])
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, max(0, len(spoilt) - 1)))
        kind = data.draw(st.sampled_from(["flip", "cut", "double", "put", "swap"]))
        size = data.draw(st.integers(1, 40))
        if kind == "flip" and spoilt:
            spoilt[at] ^= data.draw(st.integers(1, 255))
        elif kind == "cut":
            del spoilt[at : at + size]
        elif kind == "double":
            spoilt[at:at] = spoilt[at : at + size]
        elif kind == "put":
            spoilt[at:at] = data.draw(st.binary(min_size=1, max_size=20))
        else:
            spoilt[at : at + size] = spoilt[at : at + size][::-1]
    held(bytes(spoilt), form)
    held(bytes(spoilt), None)


@settings(max_examples=300)
@given(st.binary(max_size=400), ANY)
def test_garbage_is_refused_whatever_it_is_called(data: bytes, form: Format) -> None:
    held(data, form)
    held(data, None, "some" + form.suffixes[0])


@settings(max_examples=150)
@given(st.text(max_size=300), ANY)
def test_text_of_any_script_is_refused_as_well(text: str, form: Format) -> None:
    held(text.encode("utf-8", "surrogatepass"), form)


@settings(max_examples=150)
@given(st.lists(st.sampled_from(sorted({*b"".join(SAMPLES.values())})), max_size=300), ANY)
def test_the_letters_of_the_formats_in_any_order(signs: list[int], form: Format) -> None:
    held(bytes(signs), form)


@settings(max_examples=100)
@given(ANY, ANY)
def test_a_file_of_one_format_read_as_another(form: Format, other: Format) -> None:
    held(SAMPLES[form.name], other)
    held(SAMPLES[form.name] + SAMPLES[other.name], form)


@FORMS
def test_a_huge_file_of_each_format_is_read_or_refused_in_time(form: Format) -> None:
    """Three hundred thousand bytes of the format's own lines, in one breath."""
    sample_lines = SAMPLES[form.name].splitlines(keepends=True)
    chance = Random(1)
    data = b"".join(
        chance.choice(sample_lines) for _ in range(300_000 // max(1, len(SAMPLES[form.name]) // len(sample_lines)))
    )
    for one in formats.read(data[:300_000], "x", form):
        assert isinstance(one, Found | Refused)


def test_no_reader_knows_a_place_without_a_file() -> None:
    assert str(Place("x.gsn", 3, 7)) == "x.gsn:3:7"
    assert str(Place("x.gsn", 3)) == "x.gsn:3"
    assert str(Place("x.gsn")) == "x.gsn"
