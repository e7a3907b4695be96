"""The stack, proved small: thin HTTP and socket handlers over a service that knows no framework."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from threading import Thread
from typing import Annotated, Any

import httpx
import msgspec
import pytest
import uvicorn
from litestar import Litestar, Request, WebSocket, get, post, websocket
from litestar.connection import ASGIConnection
from litestar.datastructures import State
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath, JSONBody
from litestar.testing import TestClient
from websockets.sync.client import connect


class Say(msgspec.Struct, tag="say", forbid_unknown_fields=True, frozen=True):
    """A word said in the room."""

    word: Annotated[str, msgspec.Meta(min_length=1, max_length=20)]


class Heard(msgspec.Struct, tag="heard", frozen=True):
    """A word heard, with its number."""

    n: int
    word: str


class Refused(msgspec.Struct, tag="refused", frozen=True):
    """What could not be read."""

    code: str


@dataclass
class Room:
    """The service: a list of words that everybody hears, in one order. It imports nothing of the web."""

    words: list[str] = field(default_factory=list)
    changed: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def say(self, word: str) -> Heard:
        async with self.changed:
            self.words.append(word)
            self.changed.notify_all()
            return Heard(len(self.words), word)

    async def after(self, n: int) -> list[Heard]:
        async with self.changed:
            await self.changed.wait_for(lambda: len(self.words) > n)
            return [Heard(i + 1, word) for i, word in enumerate(self.words[n:], start=n)]


READ = msgspec.json.Decoder(Say)
WRITE = msgspec.json.Encoder()


def room_of(connection: ASGIConnection[Any, Any, Any, State]) -> Room:
    room: Room = connection.app.state.room
    return room


@get("/words/{n:int}")
async def words(n: FromPath[int], request: Request[object, object, State]) -> list[Heard]:
    return await room_of(request).after(n)


@post("/words")
async def say(data: JSONBody[Say], request: Request[object, object, State]) -> Heard:
    return await room_of(request).say(data.word)


@websocket("/socket")
async def listen(socket: WebSocket[object, object, State]) -> None:
    """One task sends what is heard, this one reads what is said."""
    room = room_of(socket)
    await socket.accept()

    async def tell() -> None:
        n = 0
        while True:
            for heard in await room.after(n):
                await socket.send_text(WRITE.encode(heard))
                n = heard.n

    teller = asyncio.create_task(tell())
    try:
        while True:
            try:
                await room.say(READ.decode(await socket.receive_text()).word)
            except msgspec.ValidationError:
                await socket.send_text(WRITE.encode(Refused("bad_message")))
    except WebSocketDisconnect:
        pass
    finally:
        teller.cancel()


def make_app() -> Litestar:
    @asynccontextmanager
    async def open_room(app: Litestar) -> AsyncIterator[None]:
        app.state.room = Room()
        yield

    return Litestar([words, say, listen], lifespan=[open_room])


@contextmanager
def running() -> Iterator[str]:
    """The application under uvicorn with the socket implementation that the product uses."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        config = uvicorn.Config(make_app(), ws="websockets-sansio", log_config=None, lifespan="on")
        server = uvicorn.Server(config)
        thread = Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield f"127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(10)
            assert not thread.is_alive()


def test_the_service_stands_without_a_framework() -> None:
    async def use() -> list[Heard]:
        room = Room()
        late = asyncio.create_task(room.after(0))
        await room.say("flag")
        return await late

    assert asyncio.run(use()) == [Heard(1, "flag")]


def test_http_reads_typed_bodies_and_refuses_others() -> None:
    with TestClient(make_app()) as client:
        assert client.post("/words", json={"type": "say", "word": "flag"}).json() == {
            "type": "heard", "n": 1, "word": "flag",
        }  # fmt: skip
        assert [heard["word"] for heard in client.get("/words/0").json()] == ["flag"]
        for body in (
            {"type": "say"},
            {"type": "say", "word": ""},
            {"type": "say", "word": "x", "rank": 1},
            {"type": "x"},
        ):
            assert client.post("/words", json=body).status_code == 400
        assert client.post("/words", content=b"\xff\x00").status_code == 400
        assert client.get("/words/many").status_code == 404


def test_a_socket_hears_what_http_says() -> None:
    with TestClient(make_app()) as client, client.websocket_connect("/socket") as open_socket:
        client.post("/words", json={"type": "say", "word": "flag"})
        assert open_socket.receive_json() == {"type": "heard", "n": 1, "word": "flag"}
        open_socket.send_text('{"type":"say","word":"bomb"}')
        assert open_socket.receive_json() == {"type": "heard", "n": 2, "word": "bomb"}


@pytest.mark.timeout(30)
def test_the_same_over_a_real_server() -> None:
    with running() as address:
        with connect(f"ws://{address}/socket") as first, connect(f"ws://{address}/socket") as second:
            first.send('{"type":"say","word":"flag"}')
            heard = '{"type":"heard","n":1,"word":"flag"}'
            assert (first.recv(5), second.recv(5)) == (heard, heard)
            for rubbish in ("{}", '{"type":"say"}', '{"type":"say","word":"x","rank":1}'):
                first.send(rubbish)
                assert first.recv(5) == '{"type":"refused","code":"bad_message"}'
        with connect(f"ws://{address}/socket") as late:
            assert late.recv(5) == heard
        assert httpx.get(f"http://{address}/words/0").json() == [{"type": "heard", "n": 1, "word": "flag"}]
