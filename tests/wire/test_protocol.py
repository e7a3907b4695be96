"""A request and a reply survive the pipe; what is none of them is refused without a word of what it said."""

from __future__ import annotations

import contextlib
import json
import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flagfall.check.twins import random_script
from flagfall.errors import BadArmy, BadMessage, FlagfallError, PlayerFault
from flagfall.play import roster
from flagfall.play.player import Budget, Kind, Reply, Request
from flagfall.rules.board import Seat, make_move
from flagfall.rules.catalog import CLASSIC, variant
from flagfall.rules.notation import parse_move
from flagfall.wire.protocol import (
    LONGEST_LINE,
    LONGEST_REPLY,
    VERSION,
    Answer,
    Ask,
    Hello,
    answer_of,
    ask_of,
    error_answer,
    line,
    read_answer,
    read_ask,
    reply_of,
    request_of,
)
from tests.guests.players import HIDDEN_WORDS
from tests.wire.asking import referee_after, to_deploy, to_move


@cache
def good() -> Request:
    """One request, made once."""
    return to_move(4)


HOUSE_RULES = CLASSIC.with_law(reveal="silent", two_square_limit=5, stuck_check="on_turn")


def across(request: Request) -> Request:
    """The request after a journey over the pipe."""
    asked = read_ask(line(ask_of(request, 7)))
    assert isinstance(asked, Ask)
    assert asked.id == 7
    return request_of(asked)


@pytest.mark.parametrize("rules", [CLASSIC, HOUSE_RULES])
@pytest.mark.parametrize("plies", [0, 1, 120])
def test_a_request_survives_the_pipe(plies: int, rules: object) -> None:
    request = to_move(plies, variant=HOUSE_RULES if rules is HOUSE_RULES else CLASSIC)
    assert across(request) == request
    assert across(request).view().tobytes() == request.view().tobytes()


def test_other_kinds_survive_it_too() -> None:
    for kind in Kind:
        request = replace(to_move(9), kind=kind, first=Seat.RED, budget=Budget(None, 30))
        assert across(request) == request
    assert across(to_deploy(seat=Seat.BLUE)) == to_deploy(seat=Seat.BLUE)


def test_a_rescue_survives_it() -> None:
    """R13.2: who came back and where is told to a worker, and what it orders comes back."""
    game = variant("ultimate-lightning")
    scripts = (random_script(game, Random(seed), 400) for seed in range(400))
    script = next(one for one in scripts if any(event.rescued is not None for event in one.events() or ()))
    events = script.truth().events
    told = next(number for number, event in enumerate(events, 1) if event.rescued is not None)
    request = Request(
        kind=Kind.MOVE,
        player="wanderer",
        variant=game,
        seat=Seat.BLUE,
        seed=bytes(32),
        deployment=script.blue,
        enemy=script.red.squares,
        events=events[:told],
    )
    assert across(request) == request
    assert across(request).view().tobytes() == script.truth(told).look(Seat.BLUE).tobytes()
    reply = Reply(kind=Kind.MOVE, move=parse_move("e9-e10/c2@a1"))
    said = read_answer(line(answer_of(reply, 5)))
    assert isinstance(said, Answer)
    assert reply_of(said, request) == reply


def test_replies_survive_it() -> None:
    for request in (to_move(3), to_deploy(), replace(to_move(3), kind=Kind.DRAW)):
        reply = roster.answer(request)
        said = read_answer(line(answer_of(reply, 5)))
        assert isinstance(said, Answer)
        assert said.id == 5
        assert reply_of(said, request) == reply
    offer = Reply(kind=Kind.MOVE, move=make_move(0, 10), offers_draw=True)
    assert reply_of(answer_of(offer, 0), to_move()) == offer


def test_a_line_is_a_line() -> None:
    assert line(Hello(VERSION)).count(b"\n") == 1
    assert read_ask(line(Hello(VERSION, "x"))) == Hello(VERSION, "x")
    assert line(ask_of(to_move(50), 1)).count(b"\n") == 1


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"\n",
        b"{}",
        b"[]",
        b"null",
        b"\xff",
        b"[" * 100_000,
        b'{"type":"ask"}',
        b'{"type":"answer","id":1}',
        b'{"type":"hello"}',
    ],
)
def test_what_is_no_ask_is_refused(text: bytes) -> None:
    with pytest.raises(BadMessage):
        read_ask(text)


def test_lines_have_an_end() -> None:
    with pytest.raises(BadMessage):
        read_ask(b" " * (LONGEST_LINE + 1))
    with pytest.raises(PlayerFault):
        read_answer(b" " * (LONGEST_REPLY + 1))


@settings(max_examples=300)
@given(st.data())
def test_a_damaged_ask_is_refused_with_an_error_of_the_tree(data: st.DataObject) -> None:
    said = bytearray(line(ask_of(good(), 1)))
    for _ in range(data.draw(st.integers(1, 3))):
        said[data.draw(st.integers(0, len(said) - 1))] = data.draw(st.integers(0, 255))
    with contextlib.suppress(FlagfallError):
        message = read_ask(bytes(said))
        if isinstance(message, Ask):
            request_of(message)


def test_an_army_that_is_none_is_refused() -> None:
    asked = ask_of(to_move(), 1)
    with pytest.raises(BadArmy):
        request_of(Ask(**{field: getattr(asked, field) for field in asked.__struct_fields__} | {"army": "F" * 40}))


@pytest.mark.parametrize(
    "answer",
    [
        Answer(1),
        Answer(1, army="F"),
        Answer(1, accept=True),
        Answer(1, move="e4"),
        Answer(1, move="e4-e5", accept=False),
        Answer(1, error="Their flag: a1"),
    ],
)
def test_an_answer_that_does_not_fit_is_a_fault(answer: Answer) -> None:
    with pytest.raises(PlayerFault) as caught:
        reply_of(answer, good())
    assert caught.value.stable_code == "bad_answer"


def test_an_error_crosses_as_its_code_alone() -> None:
    assert HIDDEN_WORDS.encode() not in line(error_answer(3, ValueError(HIDDEN_WORDS)))
    with pytest.raises(PlayerFault) as caught:
        reply_of(error_answer(3, BadArmy(HIDDEN_WORDS, code="too_few")), good())
    assert caught.value.stable_code == "too_few"
    assert HIDDEN_WORDS not in str(caught.value)


@pytest.mark.parametrize("text", [b"", b"{}", b"no json", b'{"type":"ask"}', b'{"type":"answer","id":"1"}', b"\xff\n"])
def test_garbage_of_a_player_is_a_fault(text: bytes) -> None:
    with pytest.raises(PlayerFault):
        read_answer(text)


def test_a_long_game_fits() -> None:
    """2,000 plies and more go through with room to spare."""
    request = good()
    longer = replace(request, events=request.events * 3_000)
    assert len(line(ask_of(longer, 1))) < LONGEST_LINE
    assert referee_after(2, "wanderer").ply == 2


def test_the_examples_of_the_document_are_read() -> None:
    text = (Path(__file__).resolve().parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```json\n(.*?)```", text, re.DOTALL)
    lines = [json.dumps(json.loads(block)).encode() for block in blocks]
    assert [type(read_ask(each)) for each in lines[:3]] == [Hello, Hello, Ask]
    asked = read_ask(lines[2])
    assert isinstance(asked, Ask)
    view = request_of(asked).view()
    assert [man.rank.name for man in view.men() if man.fell] == ["SCOUT"]
    answers = [read_answer(each) for each in lines[3:]]
    assert all(isinstance(answer, Answer) for answer in answers)
    first = answers[0]
    assert isinstance(first, Answer)
    assert reply_of(first, request_of(asked)).move in view.legal()
