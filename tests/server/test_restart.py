"""A real server, killed in mid-game and started again: nothing lost, nothing doubled, nobody left behind."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.server.hall import Caller

PATIENCE_S = 100
"""As long as compiling the law on a busy machine may take."""


def free_port() -> int:
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Server:
    """`flagfall play --no-browser` in a process of its own."""

    def __init__(self, home: Path, port: int) -> None:
        self.port, self.said = port, home.parent / f"said-{time.monotonic_ns()}.txt"
        env = {**os.environ, "FLAGFALL_HOME": str(home), "PYTHONWARNINGS": "error"}
        command = [sys.executable, "-m", "flagfall", "play", "--no-browser", "--level", "1", "--port", str(port)]
        with self.said.open("ab") as out:
            self.process = subprocess.Popen(command, env=env, stdout=out, stderr=out, start_new_session=True)

    async def up(self) -> str:
        """The address, once it says it."""
        async with asyncio.timeout(PATIENCE_S):
            while not (found := re.search(r"is at http://([0-9.:]+)/", self.words())):
                assert self.process.poll() is None, self.words()
                await asyncio.sleep(0.02)
        return found[1]

    def words(self) -> str:
        return self.said.read_text()

    async def end(self, number: signal.Signals) -> int:
        self.process.send_signal(number)
        return await self.ended()

    async def ended(self) -> int:
        return await asyncio.to_thread(self.process.wait, PATIENCE_S)

    def left_behind(self) -> list[str]:
        """Command lines of processes of this server's session that still run."""
        found = []
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                try:
                    session = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[3])
                    words = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                except (OSError, IndexError, ValueError):
                    continue
                if session == self.process.pid and words:
                    found.append(words)
        return found

    async def gone(self) -> None:
        for _ in range(20 * PATIENCE_S):
            if not self.left_behind():
                return
            await asyncio.sleep(0.05)
        raise AssertionError(self.left_behind())


@asynccontextmanager
async def server(home: Path, port: int) -> AsyncIterator[Server]:
    running = Server(home, port)
    try:
        yield running
    finally:
        if running.process.poll() is None:
            await running.end(signal.SIGKILL)
        await running.gone()


async def step(caller: Caller, game: str, plies: int) -> dict[str, Any]:
    """Play some plies against the house, always the first legal move."""
    async with caller.table(game) as line:
        state = await line.my_turn()
        for _ in range(plies):
            origin = next(iter(state["legal"]))
            number = state["ply"] + 1
            answer = await line.move(f"{origin}-{state['legal'][origin][0]}", number)
            assert answer["type"] == "done"
            state = await line.state(lambda told, number=number: told["ply"] > number)  # type: ignore[misc]
        return state


@pytest.mark.timeout(300)
async def test_a_killed_server_loses_nothing(tmp_path: Path) -> None:
    """Killed after an answered move, in the middle of the house's thought: the same game goes on from there."""
    home, port = tmp_path / "home", free_port()
    async with Caller(f"127.0.0.1:{port}") as caller:
        async with server(home, port) as first:
            assert await first.up() == caller.address
            await caller.hello()
            game = (await caller.new_game(level="level-1"))["game"]
            await step(caller, game, 2)
            before = (await caller.http.get(f"/api/games/{game}")).json()
            async with caller.table(game) as line:
                state = await line.my_turn()
                origin = next(iter(state["legal"]))
                move = f"{origin}-{state['legal'][origin][0]}"
                assert (await line.move(move, 5, "last"))["type"] == "done"
                assert await first.end(signal.SIGKILL) == -signal.SIGKILL
            await first.gone()
        async with server(home, port) as second:
            assert await second.up() == caller.address
            async with caller.table(game) as line:
                await line.state(lambda told: told["ply"] >= 6)
                state = (await caller.http.get(f"/api/games/{game}")).json()
                assert [ply["ply"] for ply in state["plies"]] == list(range(1, 7))
                assert state["plies"][:4] == before["plies"]
                again = await line.move(move, 5, "last")
                assert again["type"] == "done", "sent again after a lost connection, it is still one move"
                assert state["plies"][4]["from"] == move.split("-", maxsplit=1)[0]
            assert (await step(caller, game, 1))["ply"] == 8
            assert [line["ply"] for line in (await caller.http.get("/api/games")).json()] == [8]
            assert await second.end(signal.SIGINT) == 0
            await second.gone()
            assert "Traceback" not in second.words()


@pytest.mark.timeout(300)
async def test_one_server_a_folder_and_another_port(tmp_path: Path) -> None:
    """A second start says where the first one is; a taken port is stepped over and that is said."""
    home, port = tmp_path / "home", free_port()
    with closing(socket.socket()) as taken:
        taken.bind(("127.0.0.1", port))
        taken.listen()
        async with server(home, port) as first:
            address = await first.up()
            assert address != f"127.0.0.1:{port}"
            assert f"Port {port} is taken" in first.words()
            async with server(home, port + 1) as second:
                assert await second.ended() == 0
                assert f"running already: http://{address}/" in second.words()
            async with httpx.AsyncClient() as http:
                assert (await http.get(f"http://{address}/api/hello")).status_code == 200
            assert await first.end(signal.SIGTERM) == 0
        await first.gone()


def test_the_page_needs_no_compiler() -> None:
    """Neither the compiler nor an array is loaded before the page is up."""
    words = "import sys, flagfall.server.run; print([name for name in ('numba', 'numpy') if name in sys.modules])"
    said = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "[]"
