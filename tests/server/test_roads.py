"""The way of a question: handed on as it came, asked here again when its keeper has gone, cut with its lease."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import pytest

from flagfall.server.leases import ROAD, Peer, Road
from flagfall.server.relay import Relay
from flagfall.server.roads import Roads
from flagfall.server.rota import Rota
from flagfall.server.security import Message, Receive, Scope, Send

PEER = Peer("other", "/nowhere")


class Places:
    """As much of a rota as a road needs: the questions under way, and who was counted out."""

    def __init__(self) -> None:
        self.roads: set[Road] = set()
        self.buried: list[Peer] = []

    async def bury(self, peer: Peer) -> None:
        self.buried.append(peer)


def rota(places: Places) -> Rota:
    return cast(Rota, places)


class Handler:
    """An application that keeps nothing for so many questions, then answers them with what it was told."""

    def __init__(self, elsewhere: int, peer: Peer = PEER) -> None:
        self.elsewhere, self.peer, self.told = elsewhere, peer, list[bytes]()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.told.append((await receive())["body"])
        road = ROAD.get()
        assert road is not None
        if len(self.told) <= self.elsewhere:
            road.peer = self.peer
        await send({"type": "http.response.start", "status": 503 if road.peer else 200, "headers": []})
        await send({"type": "http.response.body", "body": self.told[-1]})


async def asked(roads: Roads, method: str = "POST") -> list[Message]:
    """What a question hears, to its end."""
    heard: list[Message] = []
    told = iter([{"type": "http.request", "body": b"a deed", "more_body": False}])

    async def receive() -> Message:
        message = next(told, None)
        return message or await asyncio.Event().wait()  # type: ignore[return-value]

    async def send(message: Message) -> None:
        heard.append(message)

    scope: Scope = {"type": "http", "method": method, "path": "/api/x", "query_string": b"", "headers": []}
    await asyncio.wait_for(roads(scope, receive, send), 20)
    return heard


async def test_asked_again_here_when_its_keeper_has_gone() -> None:
    """Nobody listens at the keeper's socket: it is counted out, and the handler is told the same words once more."""
    places, handler = Places(), Handler(elsewhere=1)
    relay = Relay(rota(places))
    heard = await asked(Roads(handler, rota(places), relay))
    await relay.close()
    assert handler.told == [b"a deed", b"a deed"]
    assert [message.get("status", message.get("body")) for message in heard] == [200, b"a deed"]
    assert places.buried == [PEER]
    assert not places.roads


async def test_who_was_asked_by_a_fellow_hands_nothing_on() -> None:
    heard = await asked(Roads(Handler(elsewhere=9), rota(Places()), None))
    assert heard[0]["status"] == 503
    assert (b"x-flagfall-elsewhere", b"1") in heard[0]["headers"]


@pytest.mark.parametrize(("method", "told"), [("POST", [503]), ("GET", [200])])
async def test_what_may_have_been_done_is_not_done_twice(tmp_path: Path, method: str, told: Sequence[int]) -> None:
    """The keeper hears a question and dies over it: one that changes nothing is asked here, another one is told so."""
    address = str(tmp_path / "s")

    async def hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.close()

    places, handler = Places(), Handler(elsewhere=1, peer=Peer("other", address))
    relay = Relay(rota(places))
    async with await asyncio.start_unix_server(hang_up, address):
        heard = await asked(Roads(handler, rota(places), relay), method)
    await relay.close()
    assert [message["status"] for message in heard if "status" in message] == told
    assert places.buried == []


async def test_no_way_to_a_fellow_is_not_his_end(tmp_path: Path) -> None:
    """A socket at which nobody accepts is waited for, not counted out."""
    with socket.socket(socket.AF_UNIX) as deaf:
        deaf.bind(str(tmp_path / "s"))
        deaf.listen(1)
        places = Places()
        relay = Relay(rota(places))
        waiting = asyncio.create_task(
            relay.http(Peer("deaf", str(tmp_path / "s")), cast(Any, _Nothing()), _unsent, Road())
        )
        await asyncio.sleep(0.2)
        assert not waiting.done()
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        await relay.close()
        assert places.buried == []


class _Nothing:
    """A question without words."""

    scope = {"method": "GET", "path": "/api/x", "query_string": b""}  # noqa: RUF012
    target = "/api/x"

    async def first(self) -> Message:
        return {"type": "http.request", "body": b""}

    async def receive(self) -> Message:
        await asyncio.Event().wait()
        return {}

    def headers(self) -> list[tuple[str, str]]:
        return []


async def _unsent(_: Message) -> None:
    raise AssertionError("nothing was answered")


async def test_a_stream_ends_with_its_lease_and_an_answer_does_not() -> None:
    places = Places()
    streaming = asyncio.Event()

    async def stream(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        (road,) = places.roads
        assert road.over is None, "what is not yet answered is finished"
        await send({"type": "http.response.body", "body": b"line", "more_body": True})
        streaming.set()
        await asyncio.Event().wait()

    asking = asyncio.create_task(asked(Roads(stream, rota(places), None), "GET"))
    await asyncio.wait_for(streaming.wait(), 20)
    (road,) = places.roads
    assert road.over is not None
    road.over()
    assert [message.get("status", message.get("body")) for message in await asking] == [200, b"line"]
