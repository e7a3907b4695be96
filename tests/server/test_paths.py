"""What an address may look like: one spelling, so that the border and the router mean the same by it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest
import websockets

from flagfall.server.rates import Rate
from flagfall.server.security import is_straight
from tests.server.hall import hall

CROOKED = (
    "//api/hello",
    "/api//hello",
    "///api/hello",
    "/%2Fapi/hello",
    "/api/%2e%2e/api/hello",
    "/./api/hello",
    "/x/../api/hello",
    "/%5Capi/hello",
    "/\\api/hello",
    "/api/hello//",
    "api/hello",
)


@pytest.mark.parametrize("path", ["/", "/api/hello", "/api/hello/", "/assets/a-1.js", "/games/x..y", "/.well-known/x"])
def test_a_straight_path(path: str) -> None:
    assert is_straight(path)


async def raw(address: str, *lines: str) -> bytes:
    """The answer to a question that is sent just as it is written."""
    host, port = address.split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write("\r\n".join([*lines, f"host: {address}", "connection: close", "", ""]).encode())
    answer = await asyncio.wait_for(reader.read(), 10)
    writer.close()
    return answer


async def test_no_spelling_leads_past_the_border(tmp_path: Path) -> None:
    """The router would straighten such paths after the checks; none of them reaches a route, wherever it comes from."""
    async with hall(tmp_path / "home" / "games.sqlite3") as server:
        straight = await raw(server.address, "GET /api/hello HTTP/1.1", "sec-fetch-site: none")
        assert straight.startswith(b"HTTP/1.1 200"), "the question itself is a good one"
        for path in CROOKED:
            for site in ("cross-site", "same-origin"):
                answer = await raw(server.address, f"GET {path} HTTP/1.1", f"sec-fetch-site: {site}")
                assert answer.startswith((b"HTTP/1.1 404", b"HTTP/1.1 400")), path
                assert b"set-cookie" not in answer
        cross = await raw(server.address, "GET /api/hello HTTP/1.1", "sec-fetch-site: cross-site")
        assert cross.startswith(b"HTTP/1.1 403")


async def test_every_spelling_that_is_answered_is_counted(tmp_path: Path) -> None:
    async with (
        hall(tmp_path / "home" / "games.sqlite3", asks=Rate(per_second=0.001, burst=4)) as server,
        httpx.AsyncClient(base_url=f"http://{server.address}") as plain,
    ):
        for path in ("/api/hello", "/api/hello/", "/api/%68ello", "/%61pi/hello"):
            assert (await plain.get(path)).status_code == 200
        assert (await plain.get("/api/hello")).status_code == 429
        assert (await raw(server.address, "GET //api/hello HTTP/1.1")).startswith(b"HTTP/1.1 404")


async def test_sockets_go_by_the_same_rule(tmp_path: Path) -> None:
    async with hall(tmp_path / "home" / "games.sqlite3") as server:
        for path in ("//api/games/x/socket", f"/{quote('/', safe='')}api/games/x/socket"):
            with pytest.raises(websockets.InvalidStatus) as refused:
                async with websockets.connect(f"ws://{server.address}{path}"):
                    pass
            assert refused.value.response.status_code == 403


async def test_a_socket_with_too_long_a_query_is_told_so(tmp_path: Path) -> None:
    async with hall(tmp_path / "home" / "games.sqlite3") as server:
        caller = await server.caller()
        game = (await caller.new_game())["game"]
        async with caller.table(game, since="0&a=1&b=2&c=3&d=4") as line:
            assert (await line.hear())["code"] == "bad_message"
            with pytest.raises(websockets.ConnectionClosed) as closed:
                await line.hear()
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 4404


async def test_the_type_of_a_file_is_said_once(tmp_path: Path) -> None:
    static = tmp_path / "static"
    static.mkdir()
    (static / "index.html").write_text("<!doctype html><title>page</title>")
    (static / "a.js").write_text("1;" * 2_000)
    (static / "en.ftl").write_text("hello = Hello")
    async with hall(tmp_path / "home" / "games.sqlite3", static=static) as server:
        caller = await server.caller()
        for path, kind in (("/", "text/html"), ("/a.js", "text/javascript"), ("/en.ftl", "text/plain")):
            answer = await caller.http.get(path)
            assert answer.headers.get_list("content-type") == [f"{kind}; charset=utf-8"]
