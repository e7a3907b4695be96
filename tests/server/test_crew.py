"""`flagfall serve --processes`: one address, one process replaced when it is killed, all of them leaving together."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.server.postgres import postgres
from tests.server.test_restart import PATIENCE_S
from tests.server.test_serve import friends, refused, served


@pytest.fixture(scope="module")
def store() -> Iterator[str]:
    """The address of a database."""
    with postgres() as address:
        yield address


def serving(parent: int) -> set[int]:
    """The processes that serve, of the one that minds them."""
    found = set()
    for entry in Path("/proc").iterdir():
        try:
            mine = entry.name.isdigit() and int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1]) == parent
            if mine and b"spawn_main" in (entry / "cmdline").read_bytes():
                found.add(int(entry.name))
        except (OSError, ValueError):
            continue
    return found


def alive(numbers: set[int]) -> list[int]:
    """Those of some processes that still run."""
    return [number for number in numbers if Path(f"/proc/{number}").exists()]


async def until(found: Callable[[], bool]) -> None:
    """Wait for what nobody tells."""
    async with asyncio.timeout(PATIENCE_S):
        while not found():  # noqa: ASYNC110
            await asyncio.sleep(0.05)


@pytest.mark.timeout(300)
async def test_one_dies_is_replaced_and_nothing_is_lost(tmp_path: Path, store: str) -> None:
    async with served(tmp_path, "--store", store, "--processes", "2") as crew:
        red, blue, game = await friends(await crew.up(), clock={"kind": "sudden-death", "main_ms": 600_000})
        async with red, blue:
            moves = ("a4-a5", "a7-a6", "b4-b5", "b7-b6")
            dead: set[int] = set()
            for ply, move in enumerate(moves, 1):
                async with (red if ply % 2 else blue).table(game) as line:
                    await line.state(lambda told, ply=ply: told["ply"] >= ply - 1)  # type: ignore[misc]
                    assert (await line.move(move, ply))["type"] == "done"
                if ply in (1, 2):
                    # Whichever of the two keeps the game: both die in turn.
                    await until(lambda: len(serving(crew.process.pid) - dead) == 2)
                    dead.add(first := min(serving(crew.process.pid) - dead))
                    os.kill(first, signal.SIGKILL)
            told = (await blue.http.get(f"/api/games/{game}")).json()
            assert [one["ply"] for one in told["plies"]] == [1, 2, 3, 4]
        await until(lambda: len(serving(crew.process.pid)) == 2)
        left = serving(crew.process.pid)
        crew.process.send_signal(signal.SIGTERM)
        assert await crew.ended() == 0
        assert not alive(left)
        assert "Traceback" not in crew.err.read_text()


@pytest.mark.timeout(300)
async def test_nobody_is_left_behind(tmp_path: Path, store: str) -> None:
    """Where the process that minds them is killed, the others leave by themselves."""
    async with served(tmp_path, "--store", store, "--processes", "2") as crew:
        await crew.up()
        left = serving(crew.process.pid)
        crew.process.kill()
        await crew.ended()
        await until(lambda: not alive(left))


def test_several_need_a_database(tmp_path: Path) -> None:
    assert "one_process" in refused(tmp_path, "--processes", "2")


def test_a_crew_that_cannot_start_ends(tmp_path: Path) -> None:
    said = refused(tmp_path, "--processes", "2", "--store", f"postgresql://nobody@/nothing?host={tmp_path}")
    assert "store_unusable" in said
    assert "Traceback" not in said
