"""A house player over standard input and output."""

from __future__ import annotations

import io
import subprocess
import sys
from dataclasses import replace

import pytest

from flagfall.errors import BadMessage, NotFound
from flagfall.play import roster
from flagfall.play.player import Budget, Reply, Request, think
from flagfall.wire import bot
from flagfall.wire.protocol import VERSION, Answer, Hello, ask_of, line, read_answer, reply_of
from tests.guests.players import HIDDEN_WORDS
from tests.wire.asking import to_deploy, to_move

RUN = "import sys; from flagfall.wire import bot; sys.exit(bot.main({arguments}))"


def run(arguments: str, lines: bytes) -> list[bytes]:
    """What a bot in a process of its own answers to these lines, which then end."""
    command = [sys.executable, "-c", RUN.format(arguments=arguments)]
    ended = subprocess.run(command, input=lines, capture_output=True, check=False, timeout=60)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout.splitlines(keepends=True)


def replied(text: bytes, request: Request, number: int) -> Reply:
    answer = read_answer(text)
    assert isinstance(answer, Answer)
    assert answer.id == number
    return reply_of(answer, request)


def test_a_whole_conversation() -> None:
    requests = [to_deploy("anybody"), to_move(0, "anybody"), to_move(30, "anybody")]
    asked = [line(ask_of(request, number)) for number, request in enumerate(requests, 1)]
    hello, *answers = run("'wanderer'", b"".join([line(Hello(VERSION)), *asked]))
    assert read_answer(hello) == Hello(VERSION, "wanderer")
    assert len(answers) == 3
    for number, (text, request) in enumerate(zip(answers, requests, strict=True), 1):
        assert replied(text, request, number) == roster.answer(replace(request, player="wanderer"))


def test_what_a_player_prints_does_not_cross() -> None:
    (text,) = run("'noisy'", line(ask_of(to_move(2), 1)))
    assert HIDDEN_WORDS.encode() not in text
    assert replied(text, to_move(2), 1).move is not None


def test_budget_and_seed_of_the_command_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """They stand in for the request's; seed 0 changes nothing."""
    heard: list[Request] = []

    def answer(request: Request) -> Reply:
        heard.append(request)
        return think(roster.seat("wanderer", request.seed), request)

    monkeypatch.setattr(roster, "answer", answer)
    request = to_move(2)
    for nodes, time_ms, seed in ((None, None, 0), (7, None, 0), (None, 90, 5), (7, 90, 6)):
        out = io.BytesIO()
        asked = io.BytesIO(line(ask_of(request, 1)))
        bot.converse(asked, out, bot.responder("wanderer", time_ms=time_ms, nodes=nodes, seed=seed), "wanderer")
    assert [each.budget for each in heard] == [request.budget, Budget(7, None), Budget(None, 90), Budget(7, 90)]
    assert [each.seed == request.seed for each in heard] == [True, True, False, False]
    assert heard[2].seed != heard[3].seed


def test_garbage_is_answered_and_survived() -> None:
    good = line(ask_of(to_move(2), 4))
    garbage = [b"\n", b"hello\n", b"[" * 5_000 + b"\n", b"\xff\xfe\n", good.replace(b'"classic"', b"17")]
    *errors, last = run("'wanderer'", b"".join([*garbage, good]))
    assert len(errors) == len(garbage)
    for text in errors:
        answer = read_answer(text)
        assert isinstance(answer, Answer)
        assert answer.error
    assert replied(last, to_move(2), 4).move is not None


def test_a_fault_crosses_without_its_sentence() -> None:
    (text,) = run("'raiser'", line(ask_of(to_move(2), 1)))
    assert text == b'{"type":"answer","id":1,"error":"raised"}\n'


def test_what_cannot_be_run_is_refused() -> None:
    with pytest.raises(BadMessage) as caught:
        bot.main("wanderer", protocol="chess")
    assert caught.value.stable_code == "unknown_protocol"
    with pytest.raises(NotFound):
        bot.main("nobody")
