"""The border: hosts, origins, sizes and rates; the headers of every answer; faults of ours that say nothing."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
import structlog
import websockets

from flagfall.server import armies
from flagfall.server.lobby import Lobby
from flagfall.server.logs import Plain, set_up_logs
from flagfall.server.rates import Bucket, Rate
from flagfall.server.security import HEADERS, Border
from tests.server.hall import Scripted, hall

ARMY = {"variant": "classic", "seat": "red", "army": "." * 40}


async def test_every_answer_carries_the_strict_headers(tmp_path: Path) -> None:
    static = tmp_path / "static"
    (static / "assets").mkdir(parents=True)
    (static / "index.html").write_text("<!doctype html><title>page</title>")
    (static / "assets" / "a-1234.js").write_text("1;" * 2_000)
    async with hall(tmp_path / "home" / "games.sqlite3", static=static) as server:
        caller = await server.caller()
        etag = (await caller.http.get("/")).headers["etag"]
        answers = [
            await caller.http.get("/"),
            await caller.http.get("/", headers={"if-none-match": etag}),
            await caller.http.get("/assets/a-1234.js"),
            await caller.http.get("/assets/none.js"),
            await caller.http.get("/api/hello"),
            await caller.http.get("/api/nothing"),
            await caller.http.post("/api/hello", json={}),
            await caller.http.post("/api/games", json={}),
            await caller.http.get("/api/games/x", headers={"origin": "https://evil.example"}),
        ]
        statuses = [answer.status_code for answer in answers]
        assert statuses == [200, 304, 200, 404, 200, 404, 405, 400, 403]
        for answer in answers:
            for name, value in HEADERS.items():
                assert answer.headers[name] == value, answer.url
            assert "server" not in answer.headers
            policy = answer.headers["content-security-policy"]
            assert "default-src 'self'" in policy
            assert "frame-ancestors 'none'" in policy
            assert "unsafe" not in policy
            if str(answer.url.path).startswith("/api/"):
                assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example:{port}", ""])
async def test_another_host_is_refused(host: str, tmp_path: Path) -> None:
    """A name that was bent to point here (DNS rebinding) gets nothing."""
    async with hall(tmp_path / "home" / "games.sqlite3") as server:
        caller = await server.caller()
        host = host.format(port=server.address.split(":")[1])
        for path in ("/", "/api/hello"):
            answer = await caller.http.get(path, headers={"host": host})
            assert answer.status_code in (400, 421)
        with pytest.raises(websockets.InvalidStatus):
            async with caller.table("game", host=host):
                pass


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", "http://127.0.0.1", "https://{address}", "http://localhost"]
)
async def test_another_sites_page_is_refused(origin: str, tmp_path: Path) -> None:
    async with hall(tmp_path / "home" / "games.sqlite3", thinker=Scripted("F" * 40)) as server:
        caller = await server.caller()
        origin = origin.format(address=server.address)
        for ask in (
            caller.http.get("/api/games", headers={"origin": origin}),
            caller.http.post("/api/armies/check", json=ARMY, headers={"origin": origin}),
        ):
            answer = await ask
            assert (answer.status_code, answer.json()["code"]) == (403, "foreign_origin")
        with pytest.raises(websockets.InvalidStatus) as refused:
            async with caller.table("game", origin=origin):
                pass
        assert refused.value.response.status_code == 403
        games = (await caller.http.get("/api/games")).json()
        assert games == []


async def test_where_a_fetch_comes_from(tmp_path: Path) -> None:
    """A browser leaves Origin out of a plain GET, but says whether another site asked."""
    async with hall(tmp_path / "home" / "games.sqlite3") as server, httpx.AsyncClient() as plain:
        address = f"http://{server.address}"
        for site, status in (("cross-site", 403), ("same-site", 403), ("same-origin", 200), ("none", 200)):
            answer = await plain.get(f"{address}/api/hello", headers={"sec-fetch-site": site})
            assert answer.status_code == status
        # A link from another site may open the page itself.
        page = await plain.get(f"{address}/", headers={"sec-fetch-site": "cross-site"})
        assert page.status_code == 503


async def test_the_token_is_for_the_browser_alone(tmp_path: Path) -> None:
    async with hall(tmp_path / "home" / "games.sqlite3") as server, httpx.AsyncClient() as plain:
        first = await plain.get(f"http://{server.address}/api/hello")
        cookie = first.headers["set-cookie"]
        name, _, rest = cookie.partition("=")
        assert name == "flagfall_guest"
        assert len(rest.split(";")[0]) == 43, "256 random bits"
        for word in ("HttpOnly", "SameSite=strict", "Path=/"):
            assert word in cookie
        again = await plain.get(f"http://{server.address}/api/hello")
        assert "set-cookie" not in again.headers
        plain.cookies.clear()
        other = await plain.get(f"http://{server.address}/api/hello", headers={"cookie": f"{name}=short"})
        assert other.headers["set-cookie"] != cookie


async def test_too_many_requests_and_sockets(tmp_path: Path) -> None:
    place = tmp_path / "home" / "games.sqlite3"
    async with hall(place, asks=Rate(0.001, 5), opens=Rate(0.001, 2)) as server:
        caller = await server.caller()
        answers = [await caller.http.get("/api/games") for _ in range(6)]
        assert [answer.status_code for answer in answers] == [200] * 4 + [429] * 2
        assert answers[-1].json()["code"] == "too_fast"
        assert (await caller.http.get("/")).status_code == 503, "the page is not counted"
        for _ in range(2):
            async with caller.table("nosuchgame") as line:
                assert (await line.hear())["code"] == "no_game"
        with pytest.raises(websockets.InvalidStatus):
            async with caller.table("nosuchgame"):
                pass


async def test_a_slow_or_cut_body_holds_nobody_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("flagfall.server.security.BODY_SECONDS", 0.2)
    async with hall(tmp_path / "home" / "games.sqlite3") as server:
        host, port = server.address.split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        head = f"POST /api/games HTTP/1.1\r\nhost: {server.address}\r\ncontent-type: application/json\r\n"
        writer.write(f"{head}content-length: 100\r\n\r\n{{".encode())
        answer = await reader.read(4_000)
        assert b"408" in answer.split(b"\r\n")[0]
        assert b"too_slow" in answer
        writer.close()
        await writer.wait_closed()


async def test_a_fault_of_ours_says_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    secret = "marshal on a1"

    def fail(*_: Any) -> None:
        hidden = secret
        raise ValueError(hidden)

    monkeypatch.setattr(armies, "check", fail)
    monkeypatch.setattr(Lobby, "games", fail)
    set_up_logs(logging.INFO)
    async with hall(tmp_path / "home" / "games.sqlite3") as server:
        caller = await server.caller()
        for answer in (
            await caller.http.post("/api/armies/check", json=ARMY),
            await caller.http.get("/api/games"),
        ):
            assert (answer.status_code, answer.json()["code"]) == (500, "internal")
            assert secret not in answer.text
            assert "Traceback" not in answer.text
    said = capsys.readouterr()
    assert "request_failed" in said.err
    assert "test_border.py" in said.err
    assert secret not in said.out + said.err


@pytest.fixture(autouse=True)
def _logs_as_they_were() -> Iterator[None]:
    root = logging.getLogger()
    before = (root.level, list(root.handlers))
    yield
    structlog.reset_defaults()
    root.setLevel(before[0])
    root.handlers[:] = before[1]


def test_libraries_log_no_values() -> None:
    """Libraries hand the log a whole error; its kind and its lines are kept, its words are not."""
    try:
        raise ValueError("marshal on a1")
    except ValueError as error:
        held = (ValueError, error, error.__traceback__)
        record = logging.LogRecord("asyncio", logging.ERROR, "", 0, "Task failed\nwith more", (), held)
    told = Plain().format(record)
    assert told.startswith("error asyncio: Task failed [ValueError at test_border.py:")
    assert "marshal" not in told
    assert "\n" not in told


def test_a_bucket_fills_with_time() -> None:
    bucket = Bucket(Rate(per_second=2, burst=3), 0)
    assert [bucket.take(1, 0) for _ in range(4)] == [True, True, True, False]
    assert not bucket.take(1, 499)
    assert bucket.take(1, 500)
    assert not bucket.take(1, 400), "a clock set back gives nothing"
    assert [bucket.take(1, 10_000) for _ in range(4)] == [True, True, True, False]


def test_which_hosts_are_known() -> None:
    local, served = Border.local(80), replace(Border.local(80, "nas"), addresses=80)
    assert all(local.knows(host) for host in ("127.0.0.1:80", "localhost:80", "[::1]:80"))
    assert not any(local.knows(host) for host in ("10.0.0.5:80", "nas:80", "localhost:81", "localhost", ""))
    assert all(served.knows(host) for host in ("10.0.0.5:80", "[fe80::1]:80", "nas:80", "localhost:80"))
    assert not any(served.knows(host) for host in ("10.0.0.5:81", "evil.example:80", "10.0.0.5", "1.2.3:80", ":80"))
