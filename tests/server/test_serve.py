"""`flagfall serve` as its operator meets it: a real process, behind a proxy, watched, asked to leave in mid-game."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
import websockets

from tests.server.hall import RED, Caller
from tests.server.test_restart import PATIENCE_S, free_port

ORIGIN = "https://games.example.org"


class Served:
    """A server for other people in a process of its own."""

    def __init__(self, folder: Path, *words: str, port: int | None = None) -> None:
        self.port, self.out, self.err = port or free_port(), folder / "out.txt", folder / "err.txt"
        env = {**os.environ, "FLAGFALL_HOME": str(folder / "home"), "PYTHONWARNINGS": "error"}
        command = [sys.executable, "-m", "flagfall", "serve", "--port", str(self.port), *words]
        with self.out.open("ab") as out, self.err.open("ab") as err:
            self.process = subprocess.Popen(command, env=env, stdout=out, stderr=err, start_new_session=True)

    async def up(self) -> str:
        """The address, once games can be played there."""
        address = f"127.0.0.1:{self.port}"
        async with asyncio.timeout(PATIENCE_S), httpx.AsyncClient() as http:
            while True:
                assert self.process.poll() is None, self.err.read_text()
                try:
                    if (await http.get(f"http://{address}/ready")).status_code == 200:
                        return address
                except httpx.TransportError:
                    pass
                await asyncio.sleep(0.05)

    async def ended(self) -> int:
        return await asyncio.to_thread(self.process.wait, PATIENCE_S)

    def log(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.err.read_text().splitlines()]


@asynccontextmanager
async def served(folder: Path, *words: str, port: int | None = None) -> AsyncIterator[Served]:
    server = Served(folder, *words, port=port)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            os.killpg(server.process.pid, signal.SIGKILL)
            await server.ended()


async def friends(address: str, **order: Any) -> tuple[Caller, Caller, str]:
    """Two people at one table, both armies on it."""
    red, blue = Caller(address), Caller(address)
    for caller in (red, blue):
        await caller.hello()
    game = (await red.new_game(against="friend", level=None, **order))["game"]
    code = (await red.http.get(f"/api/games/{game}")).json()["invite"]
    assert (await blue.http.post(f"/api/invitations/{code}/join")).status_code == 201
    assert (await blue.http.post(f"/api/games/{game}/army", json={"army": RED})).status_code == 200
    return red, blue, game


@pytest.mark.timeout(300)
async def test_asked_to_leave_in_mid_game_it_loses_nothing(tmp_path: Path) -> None:
    """Sockets are told, the clock stands still while no server runs, and every answered move is there again."""
    clock = {"kind": "sudden-death", "main_ms": 600_000}
    async with served(tmp_path) as first:
        address = await first.up()
        red, blue, game = await friends(address, clock=clock)
        async with red.table(game) as one, blue.table(game) as other:
            for ply, (line, move) in enumerate(((one, "a4-a5"), (other, "a7-a6"), (one, "b4-b5")), 1):
                await line.state(lambda told, ply=ply: told["ply"] >= ply - 1)  # type: ignore[misc]
                assert (await line.move(move, ply))["type"] == "done"
            told = (await blue.http.get(f"/api/games/{game}")).json()
            first.process.send_signal(signal.SIGTERM)
            with pytest.raises(websockets.ConnectionClosed) as closed:
                await other.until(lambda _: False)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1012
        assert await first.ended() == 0
        assert [line["event"] for line in first.log()][-1] == "stopped"
    await asyncio.sleep(1.5)
    async with served(tmp_path, port=first.port) as second:
        await second.up()
        again = (await blue.http.get(f"/api/games/{game}")).json()
        assert again["plies"] == told["plies"]
        assert len(again["plies"]) == 3
        assert again["clock"]["blue_ms"] > told["clock"]["blue_ms"] - 1_000, "the pause was nobody's time"
        async with red.table(game) as one:
            assert (await one.move("b4-b5", 3, "again"))["type"] == "done"
        assert len((await blue.http.get(f"/api/games/{game}")).json()["plies"]) == 3
    for caller in (red, blue):
        await caller.http.aclose()


@pytest.mark.timeout(300)
async def test_behind_a_proxy_and_watched(tmp_path: Path) -> None:
    """One start for all that only looks on: the public origin, the proxy's word, health, numbers, logs, draining."""
    words = ("--origin", ORIGIN, "--proxy", "127.0.0.1", "--metrics-port", str(free_port()), "--drain", "2")
    async with served(tmp_path, *words) as server:
        address = await server.up()
        async with httpx.AsyncClient(base_url=f"http://{address}") as http:
            ours = {"host": "games.example.org", "origin": ORIGIN, "x-forwarded-for": "203.0.113.7"}
            hello = await http.get("/api/hello", headers=ours)
            assert hello.status_code == 200
            assert "; Secure" in hello.headers["set-cookie"]
            for foreign in ("http://games.example.org", "https://example.org", "null", f"{ORIGIN}:8443"):
                assert (await http.get("/api/hello", headers=ours | {"origin": foreign})).status_code == 403, foreign
            assert (await http.get("/api/hello", headers=ours | {"host": "evil.example.org"})).status_code == 421
            asked = {(await http.post("/api/armies/check", headers=ours, json={})).status_code for _ in range(200)}
            assert asked == {400, 429}
            other = ours | {"x-forwarded-for": "203.0.113.7, 203.0.113.8"}
            assert (await http.get("/api/hello", headers=other)).status_code == 200, "each asker has his own allowance"
            assert (await http.get("/health")).json() == {"alive": True}
            assert (await http.get("/metrics")).status_code != 200 or "flagfall" not in (
                await http.get("/metrics")
            ).text
            found = re.search(r"http://127.0.0.1:[0-9]+/metrics", server.out.read_text())
            assert found
            numbers = (await http.get(found[0])).text
            assert "flagfall_ready 1.0" in numbers
            assert "process_resident_memory_bytes" in numbers
            assert f"listens at http://{address}/, for {ORIGIN}/" in server.out.read_text()
            server.process.send_signal(signal.SIGTERM)
            async with asyncio.timeout(PATIENCE_S):
                while (ready := await http.get("/ready")).status_code == 200:
                    pass
            assert ready.json() == {"ready": False, "law": True, "store": True, "leaving": True}
            assert (await http.get("/health")).status_code == 200, "it goes on while it drains"
        assert await server.ended() == 0
        assert "draining" in [line["event"] for line in server.log()]


def refused(folder: Path, *words: str) -> str:
    said = subprocess.run(
        [sys.executable, "-m", "flagfall", "serve", "--port", str(free_port()), *words],
        env={**os.environ, "FLAGFALL_HOME": str(folder / "home")},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert said.returncode != 0
    return said.stderr


@pytest.mark.parametrize("origin", ["games.example.org", "ftp://x", "https://x/path", "https://a@b", "https://[::1"])
def test_an_origin_is_a_scheme_and_a_host(tmp_path: Path, origin: str) -> None:
    assert "bad_origin" in refused(tmp_path, "--origin", origin)


def test_a_proxy_is_an_address(tmp_path: Path) -> None:
    assert "bad_proxy" in refused(tmp_path, "--proxy", "proxy.example.org")
