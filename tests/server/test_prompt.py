"""A line on which nothing comes, or half a question, is closed; one that is used is not."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from flagfall.server import prompt
from tests.server.hall import Scripted, hall

HEAD_S = 0.3
HALF = b"GET /api/hello HTTP/1.1\r\nhost: x\r\n"


@pytest.mark.parametrize(("said", "after"), [(b"", False), (HALF, False), (HALF, True)])
async def test_a_silent_line_is_closed(
    said: bytes, after: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half a head, or none, even with a byte more every now and then; first on its line or after a whole question."""
    monkeypatch.setattr(prompt, "HEAD_SECONDS", HEAD_S)
    async with hall(tmp_path / "home" / "games.sqlite3") as server:
        host, port = server.address.split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        if after:
            writer.write(f"GET /api/hello HTTP/1.1\r\nhost: {server.address}\r\n\r\n".encode())
            head = await reader.readuntil(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 200")
            await reader.readexactly(_length(head))
        writer.write(said)
        loop = asyncio.get_running_loop()
        begun = loop.time()
        closed = asyncio.create_task(reader.read())
        while not closed.done() and loop.time() - begun < 5:
            if said:
                writer.write(b"x: y\r\n")
            await asyncio.sleep(0.1)
        assert closed.done()
        assert loop.time() - begun >= HEAD_S - 0.1
        writer.close()


async def test_a_line_in_use_stays_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a socket nor a line with questions now and then runs into the deadline."""
    monkeypatch.setattr(prompt, "HEAD_SECONDS", HEAD_S)
    async with hall(tmp_path / "home" / "games.sqlite3", thinker=Scripted("F" * 40)) as server:
        caller = await server.caller()
        game = (await caller.new_game())["game"]
        async with caller.table(game) as line:
            for _ in range(3):
                await asyncio.sleep(HEAD_S)
                assert (await caller.http.get("/api/games")).status_code == 200
            await line.say(type="ping")
            assert await line.until(lambda heard: heard["type"] == "pong")


def _length(head: bytes) -> int:
    lines = head.lower().split(b"\r\n")
    return next(int(line.partition(b":")[2]) for line in lines if line.startswith(b"content-length:"))
