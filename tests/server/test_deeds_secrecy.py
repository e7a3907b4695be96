"""Paired worlds at a table of two people: what they ask of each other tells a seat nothing of the other's men."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
import structlog

from flagfall.check.twins import Script, twins
from flagfall.errors import NotAllowed
from flagfall.play import sitting
from flagfall.rules.board import Seat
from flagfall.rules.catalog import CLASSIC
from flagfall.rules.notation import move_text
from flagfall.server.store import Store
from tests.server.hall import Line, hall, sealed_alike, still
from tests.server.test_secrecy import unfinished

PLIES = 14


@pytest.fixture(autouse=True)
def _seals() -> Iterator[None]:
    with sealed_alike():
        yield


class Friends:
    """Two people play a script; what one seat receives is kept, log lines included."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.number = folder, 0

    async def received(self, script: Script, seat: Seat) -> bytes:
        self.number += 1
        place = self.folder / str(self.number) / "games.sqlite3"
        if self.number == 1:
            await (await Store.open(self.folder / "empty" / "games.sqlite3")).close()
        place.parent.mkdir(mode=0o700)
        shutil.copy(self.folder / "empty" / "games.sqlite3", place)
        with structlog.testing.capture_logs() as logs:
            async with hall(place, nature=still()) as server:
                callers = [await server.caller() for _ in Seat]
                # A still nature gives every guest one token; the second one needs another.
                callers[1].http.cookies = httpx.Cookies({"flagfall_guest": "u" * 43})
                game = {"variant": script.variant.name, "against": "friend", "level": None, "seat": "red"}
                clock = {"kind": "sudden-death", "main_ms": 60_000}
                await callers[0].new_game(**game, clock=clock, army=script.army(Seat.RED).text())
                code = (await callers[0].http.get("/api/games/stillgame")).json()["invite"]
                await callers[1].http.post(f"/api/invitations/{code}/join")
                army = {"army": script.army(Seat.BLUE).text()}
                assert (await callers[1].http.post("/api/games/stillgame/army", json=army)).status_code == 200
                async with callers[0].table("stillgame") as red, callers[1].table("stillgame") as blue:
                    lines = {Seat.RED: red, Seat.BLUE: blue}
                    for line in lines.values():
                        await line.state(lambda told: all(told["here"].values()))
                    lines[seat].heard.clear()
                    await self.play(script, lines)
                    await lines[seat.other].socket.close()
                    await lines[seat].state(lambda told: told["absence"] is not None)
                    said = list(lines[seat].heard)
                answer = await callers[seat].http.get("/api/games/stillgame")
                said.append(answer.text)
        return "\n".join([*said, *(json.dumps(line, default=str) for line in logs)]).encode()

    async def play(self, script: Script, lines: dict[Seat, Line]) -> None:
        """Every ply; after each the mover asks it back, is refused, denied or given it, and plays it anew."""
        for number, move in enumerate(script.moves, 1):
            mover = Seat.RED if number % 2 else Seat.BLUE
            text = move_text(move).replace("x", "-")
            await self.step(lines, mover, text, number, "a")
            if number % 5 == 0:
                await lines[mover].ask(type="say", id=f"say{number}", phrase="oops")
            asked = await lines[mover].ask(type="ask_back", id=f"ask{number}", ply=number)
            if asked["type"] == "refused":
                continue
            await lines[mover.other].state(lambda told: told["ask"] is not None)
            give = number % 3 > 0
            await lines[mover.other].ask(type="answer_back", id=f"give{number}", ply=number, accept=give)
            for line in lines.values():
                await line.state(lambda told: told["ask"] is None)
            if give:
                await self.step(lines, mover, text, number, "b")

    @staticmethod
    async def step(lines: dict[Seat, Line], mover: Seat, text: str, number: int, name: str) -> None:
        answer = await lines[mover].move(text, number, f"m{number}{name}")
        assert answer["type"] == "done", answer
        for line in lines.values():
            await line.state(lambda told: told["ply"] == number)


async def differences(worlds: Friends, script: Script, seat: Seat, others: Iterable[Script]) -> list[str]:
    said = await worlds.received(script, seat)
    assert said.count(b'"ask":"') >= 2
    assert b'"claim_ms"' in said
    found = []
    for other in others:
        heard = await worlds.received(other, seat)
        if heard != said:
            at = next((at for at, pair in enumerate(zip(said, heard, strict=False)) if len(set(pair)) > 1), 0)
            found.append(f"{said[max(0, at - 60) : at + 60]!r} and {heard[max(0, at - 60) : at + 60]!r}")
    return found


@pytest.mark.parametrize(("seat", "seed"), [(Seat.RED, 7), (Seat.BLUE, 8)])
async def test_asking_back_sends_twins_the_same_bytes(seat: Seat, seed: int, tmp_path: Path) -> None:
    script = unfinished(CLASSIC, seed, PLIES)
    others = twins(script, seat, 6, Random(seed))
    assert len(others) >= 6
    assert await differences(Friends(tmp_path), script, seat, others) == []


async def test_a_takeback_that_looked_at_ranks_would_be_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The planted leak: whether a ply may be asked back depends on the other army."""
    honest: Any = sitting.Sitting.why_not_back

    def leaky(self: Any, seat: Seat) -> Any:
        army = self.own_army(seat.other)
        odd = sum(at * int(rank) for at, rank in army.ranks.items()) % 2
        refused = honest(self, seat)
        return refused if refused is not None or odd else NotAllowed("no", code="revealed")

    script = unfinished(CLASSIC, 7, PLIES)
    others = twins(script, Seat.RED, 6, Random(7))
    monkeypatch.setattr(sitting.Sitting, "why_not_back", leaky)
    with pytest.raises(AssertionError):
        assert await differences(Friends(tmp_path), script, Seat.RED, others) == []
