"""The law behind the page: its progress is told, its failure is no end, and no process stays."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from pathlib import Path

import pytest

from flagfall.errors import NotAllowed
from flagfall.server.law import LawKeeper
from tests.server.hall import RED, Scripted, hall

TELLS = "import sys\nfor share in (0.2, 0.5):\n    sys.stdout.write('{\"done\":%s}\\nnoise\\n' % share)\n"


async def test_progress_is_told_and_never_falls() -> None:
    heard: list[tuple[str, float]] = []
    keeper = LawKeeper(lambda: None, (sys.executable, "-c", TELLS))
    keeper.watch(lambda: heard.append((keeper.frame.state, keeper.frame.done)))
    assert (keeper.frame.state, keeper.usable) == ("cold", False)
    keeper.start()
    keeper.start()
    await keeper.ready(60)
    assert heard == [("warming", 0.0), ("warming", 0.18), ("warming", 0.45), ("ready", 1.0)]
    await keeper.stop()


async def test_a_compiler_that_fails_leaves_the_loading(capsys: pytest.CaptureFixture[str]) -> None:
    keeper = LawKeeper(lambda: None, (sys.executable, "-c", "raise SystemExit(3)"))
    keeper.start()
    await keeper.ready(60)
    assert keeper.usable
    assert "law_warming_failed" in capsys.readouterr().out


async def test_a_law_that_cannot_be_loaded(capsys: pytest.CaptureFixture[str]) -> None:
    def load() -> None:
        raise RuntimeError("words that stay inside")

    keeper = LawKeeper(load, ())
    keeper.start()
    with pytest.raises(NotAllowed) as refused:
        await keeper.ready(0.3)
    assert refused.value.stable_code == "law_not_ready"
    assert keeper.frame.state == "cold"
    assert "stay inside" not in capsys.readouterr().out
    await keeper.stop()


async def test_stopping_ends_the_compiler(tmp_path: Path) -> None:
    mark = tmp_path / "pid"
    sleeps = f"import os, time, pathlib; pathlib.Path({str(mark)!r}).write_text(str(os.getpid())); time.sleep(600)"
    keeper = LawKeeper(lambda: None, (sys.executable, "-c", sleeps))
    keeper.start()
    async with asyncio.timeout(60):
        while not mark.is_file() or not mark.read_text():  # noqa: ASYNC110 - the other process has nothing to wait on
            await asyncio.sleep(0.01)
    await keeper.stop()
    with pytest.raises(ProcessLookupError):
        os.kill(int(mark.read_text()), 0)


async def test_the_page_works_before_the_law(tmp_path: Path) -> None:
    """An army is placed and kept while the law is compiled; the game begins by itself when it is there."""
    go = threading.Event()

    def load() -> None:
        go.wait(60)
        from flagfall.server import warming

        warming.load()

    law = LawKeeper(load, ())
    place = tmp_path / "home" / "games.sqlite3"
    async with hall(place, thinker=Scripted(RED, ["a7-a6"]), law=law, ready=False) as server:
        caller = await server.caller()
        assert (await caller.hello())["law"]["state"] == "warming"
        made = await caller.new_game(army=None)
        async with caller.table(made["game"]) as line:
            assert (await line.until(lambda heard: heard["type"] == "law"))["state"] == "warming"
            answer = await caller.http.post(f"/api/games/{made['game']}/army", json={"army": RED})
            assert (answer.json()["phase"], len(answer.json()["men"])) == ("deploying", 40)
            refused = await line.move("e4-e5", 1)
            assert refused["code"] == "law_not_ready"
            go.set()
            assert (await line.my_turn())["phase"] == "playing"
            assert (await line.move("e4-e5", 1, "now"))["type"] == "done"
