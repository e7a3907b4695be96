"""A house player over standard input and output, for whoever speaks the flagfall protocol; the door to the other."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import BinaryIO

from flagfall.errors import BadMessage, NotFound
from flagfall.play import roster
from flagfall.play.player import SEED_BYTES, Budget, Reply, Request, derived
from flagfall.rules.board import Seat
from flagfall.rules.catalog import CLASSIC
from flagfall.wire.protocol import (
    LONGEST_LINE,
    VERSION,
    Hello,
    answer_of,
    error_answer,
    line,
    read_ask,
    request_of,
)

Responder = Callable[[Request], Reply]
"""Answers a request, or raises."""


def main(
    name: str, *, protocol: str = "flagfall", time_ms: int | None = None, nodes: int | None = None, seed: int = 0
) -> int:
    """Answer requests until the input ends, as the player `name`, whoever the requests name. It says hello when ready.

    time_ms, nodes: stand in for the budgets of the requests. seed: 0 keeps the seeds of the requests, another number is
    mixed into them. protocol: `evaluator` for one game under a contest's manager. Raises NotFound `unknown_player`,
    BadMessage `unknown_protocol`.
    """
    if protocol not in ("flagfall", "evaluator"):
        raise BadMessage("house players speak the flagfall and the evaluator protocol", code="unknown_protocol")
    if not roster.known(name):
        raise NotFound("no player has this name", code="unknown_player", name=name[:60])
    if protocol == "evaluator":
        from flagfall.wire import entrant

        return entrant.main(name, time_ms=time_ms, nodes=nodes, seed=seed)

    respond = responder(name, time_ms=time_ms, nodes=nodes, seed=seed)
    with private_output() as out:
        # A player that cannot is not given up: whoever asks it hears of the fault then.
        with suppress(Exception):
            warm(name)
        converse(sys.stdin.buffer, out, respond, name)
    return 0


def warm(name: str) -> None:
    """Let a player set up and make one move, so that what it compiles or loads is there before the first request."""
    # Imported here because it loads the compiled law.
    from flagfall.rules.kernels import make_all
    from flagfall.rules.view import View

    player = roster.seat(name, bytes(SEED_BYTES))
    make_all(getattr(player, "kernels", ()))
    red, blue = (player.deploy(CLASSIC, seat) for seat in Seat)
    player.move(View.start(CLASSIC, red, tuple(sorted(blue.squares))), Budget(nodes=1))


def responder(name: str, *, time_ms: int | None, nodes: int | None, seed: int) -> Responder:
    """What answers every request as one player, under the budget and seed of a command line."""

    def respond(request: Request) -> Reply:
        budget = request.budget if time_ms is None and nodes is None else Budget(nodes, time_ms)
        own = request.seed if seed == 0 else derived(request.seed, "bot", seed)
        return roster.answer(replace(request, player=name, budget=budget, seed=own))

    return respond


def converse(lines: BinaryIO, out: BinaryIO, respond: Responder, name: str) -> None:
    """A hello for a hello and an answer for an ask, line by line, until the input ends.

    A line that is neither gets an answer numbered 0 with an error; of an error of `respond` only the code is told.
    """
    while text := lines.readline(LONGEST_LINE + 1):
        out.write(_said(text, respond, name))
        out.flush()


def _said(text: bytes, respond: Responder, name: str) -> bytes:
    number = 0
    try:
        message = read_ask(text)
        if isinstance(message, Hello):
            return line(Hello(VERSION, name))
        number = message.id
        return line(answer_of(respond(request_of(message)), number))
    except Exception as error:
        return line(error_answer(number, error))


@contextmanager
def private_output() -> Iterator[BinaryIO]:
    """Standard output for the protocol alone: whatever else a player prints goes to standard error."""
    sys.stdout.flush()
    with os.fdopen(os.dup(1), "wb") as out:
        os.dup2(2, 1)
        try:
            yield out
        finally:
            sys.stdout.flush()
            os.dup2(out.fileno(), 1)
