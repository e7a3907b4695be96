"""Paired worlds over the whole server: games that a seat cannot tell apart send it the very same bytes."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import httpx
import msgspec
import pytest
import structlog

from flagfall.check.twins import Script, every_twin, random_script, twins
from flagfall.play.player import Request
from flagfall.rules.board import Seat, square_name
from flagfall.rules.catalog import CLASSIC, MICRO
from flagfall.rules.notation import move_text
from flagfall.rules.variant import Variant
from flagfall.server import deeds, ledger, problems, state
from flagfall.server.store import Store
from tests.server.hall import Caller, Hall, Line, Scripted, hall, sealed_alike, still

PRY_AT = 12
Plant = Callable[[pytest.MonkeyPatch], None]


@pytest.fixture(autouse=True)
def _seals() -> Iterator[None]:
    with sealed_alike():
        yield


class Worlds:
    """Runs a game on a server of its own and keeps everything that one seat's page receives, log lines included."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.number = folder, 0

    async def received(self, script: Script, seat: Seat) -> bytes:
        """Every header, body, frame and log line, in order."""
        self.number += 1
        place = self.folder / str(self.number) / "games.sqlite3"
        if self.number == 1:
            await (await Store.open(self.folder / "empty" / "games.sqlite3")).close()
        place.parent.mkdir(mode=0o700)
        shutil.copy(self.folder / "empty" / "games.sqlite3", place)
        said: list[str] = []
        may_answer = asyncio.Event()

        async def wait(_: Request) -> None:
            await may_answer.wait()
            may_answer.clear()

        moves = [move_text(move).replace("x", "-") for move in script.moves]
        house = Scripted(
            script.army(seat.other).text(), moves[1 - seat :: 2] if seat is Seat.RED else moves[::2], wait=wait
        )
        with structlog.testing.capture_logs() as logs:
            async with hall(place, thinker=house, nature=still()) as server:
                page = Page(await server.caller(), said)
                await page.play(server, script, seat, moves, may_answer)
        return "\n".join([*said, *(json.dumps(line, default=str) for line in logs)]).encode()


class Page:
    """A page that asks for everything it can think of, on every turn."""

    def __init__(self, caller: Caller, said: list[str]) -> None:
        self.caller, self.said = caller, said

    def keep(self, answer: httpx.Response) -> None:
        here = self.caller.address
        headers = [(name, value) for name, value in answer.headers.multi_items()]
        self.said.append(f"{answer.status_code} {headers} {answer.text}".replace(here, "here"))

    async def play(self, server: Hall, script: Script, seat: Seat, moves: list[str], may_answer: asyncio.Event) -> None:
        order = {
            "variant": script.variant.name,
            "level": "random",
            "seat": seat.word,
            "first": "red",
            "army": script.army(seat).text(),
        }
        may_answer.set()
        self.keep(await self.caller.http.post("/api/games", json=order))
        # How many states a page hears while the armies come in is a matter of luck; it sits down when both stand.
        while (await self.caller.http.get("/api/games/stillgame")).json()["phase"] == "deploying":
            pass
        async with self.caller.table("stillgame") as line:
            await line.state()
            for number, move in enumerate(moves):
                if number % 2 == seat:
                    if number in (seat, PRY_AT):
                        await self.pry(line, script.variant, seat, number)
                    await line.move(move, number + 1)
                else:
                    may_answer.set()
                await line.state(lambda told, ply=number + 1: told["ply"] >= ply)  # type: ignore[misc]
            await self.pry(line, script.variant, seat, len(moves))
            self.said += line.heard
        may_answer.set()

    async def pry(self, line: Line, variant: Variant, seat: Seat, number: int) -> None:
        """Ask over HTTP and socket for what is not to be had."""
        get, post = self.caller.http.get, self.caller.http.post
        game = "/api/games/stillgame"
        for path in (game, f"{game}/record", "/api/games", f"{game}/nothing", "/api/games/other"):
            self.keep(await get(path))
        army = "F" * len(variant.home[seat])
        self.keep(await post(f"{game}/army", json={"army": army}))
        self.keep(await post(f"{game}/rematch", json={}))
        draw = Random(number)
        squares = [square_name(at) for at in variant.usable]
        for attempt in range(30):
            frm, to = draw.choice(squares), draw.choice(squares)
            # One ply too far, so that even a legal one is refused and the game stays as it is.
            ply = number + 1 if attempt % 2 else number + 2
            name = f"try{number}-{attempt}"
            if attempt % 2 and self.legal(line, frm, to):
                continue
            await line.say(type="move", id=name, ply=ply, **{"from": frm, "to": to})
            await line.until(lambda heard, name=name: heard.get("id") == name)  # type: ignore[misc]
        await line.ask(type="answer_draw", id=f"answer{number}", accept=True)
        for kind in ("ask_back", "answer_back"):
            accept = {"accept": True} if kind == "answer_back" else {}
            await line.ask(type=kind, id=f"{kind}{number}", ply=number, **accept)
        await line.ask(type="claim", id=f"claim{number}", win=True)
        if number > 1:
            await line.ask(type="abort", id=f"abort{number}")
        await line.say(type="nonsense")
        await line.until(lambda heard: heard["type"] == "refused")

    @staticmethod
    def legal(line: Line, frm: str, to: str) -> bool:
        return line.latest is not None and to in line.latest["legal"].get(frm, [])


async def differences(worlds: Worlds, script: Script, seat: Seat, others: Iterable[Script]) -> list[str]:
    """Where a twin's bytes part from the game's."""
    said = await worlds.received(script, seat)
    assert said.count(b'"type":"refused"') > 40
    found = []
    for other in others:
        heard = await worlds.received(other, seat)
        if heard != said:
            at = next((at for at, pair in enumerate(zip(said, heard, strict=False)) if len(set(pair)) > 1), 0)
            found.append(f"{said[max(0, at - 60) : at + 60]!r} and {heard[max(0, at - 60) : at + 60]!r}")
    return found


def unfinished(variant: Variant, seed: int, plies: int) -> Script:
    """A random game that is not over after so many plies."""
    draw = Random(seed)
    while True:
        script = random_script(variant, draw, plies)
        if len(script.moves) == plies and not script.truth().result:
            return script


@pytest.mark.timeout(600)
@pytest.mark.parametrize(("seat", "seed", "plies"), [(Seat.RED, 1, 24), (Seat.BLUE, 2, 25)])
async def test_twins_of_classic_send_the_same_bytes(seat: Seat, seed: int, plies: int, tmp_path: Path) -> None:
    script = unfinished(CLASSIC, seed, plies)
    others = twins(script, seat, 25, Random(seed))
    assert len(others) >= 25
    assert await differences(Worlds(tmp_path), script, seat, others) == []


@pytest.mark.parametrize("seat", Seat)
async def test_every_twin_of_micro_sends_the_same_bytes(seat: Seat, tmp_path: Path) -> None:
    script = unfinished(MICRO, 5, 2)
    others = list(every_twin(script, seat))
    assert len(others) >= 3
    assert await differences(Worlds(tmp_path), script, seat, others) == []


def _in_a_state(patch: pytest.MonkeyPatch) -> None:
    honest = state.seen

    def leaky(referee: Any, seat: Seat, *rest: Any) -> Any:
        told = honest(referee, seat, *rest)
        hidden = referee.own_army(seat.other)
        told.men.sort(key=lambda man: (man.seat != seat.word) * hidden.ranks.get(_at(man.id), 0))
        return told

    patch.setattr(state, "seen", leaky)


def _in_an_error(patch: pytest.MonkeyPatch) -> None:
    honest = deeds.check

    def leaky(kept: ledger.Ledger, seat: Seat, ply: int, move: Any) -> None:
        try:
            honest(kept, seat, ply, move)
        except Exception as error:
            army: Any = kept.need().own_army(seat.other)
            error.sentence += str(sum(rank * at for at, rank in army.ranks.items()))  # type: ignore[attr-defined]
            raise

    patch.setattr(deeds, "check", leaky)


def _in_a_log_line(patch: pytest.MonkeyPatch) -> None:
    honest = ledger.Ledger.do

    async def leaky(self: Any, deed: Any, name: str | None = None) -> None:
        await honest(self, deed, name)
        structlog.get_logger().info("did", entry=self.entries[-1].army)

    patch.setattr(ledger.Ledger, "do", leaky)


def _in_a_size(patch: pytest.MonkeyPatch) -> None:
    honest = problems.problem_of
    held: list[Any] = []
    opened = ledger.Ledger.open

    async def remember(self: Any) -> None:
        await opened(self)
        held.append(self)

    def leaky(error: Any) -> Any:
        told = honest(error)
        armies = [held[-1].referee.own_army(seat) for seat in Seat] if held else []
        size = sum(at * rank for army in armies if army for at, rank in army.ranks.items()) % 11
        return msgspec.structs.replace(told, title=" " * size)

    patch.setattr(ledger.Ledger, "open", remember)
    for module in ("flagfall.server.app.problem_of", "flagfall.server.security.problem_of"):
        patch.setattr(module, leaky)


def _at(name: str) -> int:
    return 10 * (int(name[1:]) - 1) + "abcdefghij".index(name[0])


@pytest.mark.parametrize("plant", [_in_a_state, _in_an_error, _in_a_log_line, _in_a_size])
async def test_a_planted_leak_is_found(plant: Plant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without this nobody would know that the tests above can fail."""
    script = unfinished(CLASSIC, 3, 4)
    others = twins(script, Seat.RED, 4, Random(3))
    plant(monkeypatch)
    assert await differences(Worlds(tmp_path), script, Seat.RED, others) != []
