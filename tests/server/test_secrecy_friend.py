"""Paired worlds over a link: games between people that one seat cannot tell apart send it the very same bytes."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
import structlog

from flagfall.check.twins import Script, random_script, twins
from flagfall.rules.board import Seat, origin, put_square, rescued, square_name, target
from flagfall.rules.catalog import VARIANTS
from flagfall.rules.variant import Variant
from tests.server.hall import Line, hall, sealed_alike, still
from tests.server.test_friend import invite, join, stands_at
from tests.server.test_secrecy import _in_a_state

PLIES = 40
GAMES = {
    "classic-silent": VARIANTS["classic"].with_law(reveal="silent"),
    "electronic": VARIANTS["electronic"],
    "free": VARIANTS["free"],
    "lightning": VARIANTS["ultimate-lightning"],
    "lightning-silent": VARIANTS["ultimate-lightning"].with_law(reveal="silent"),
    "lightning-none": VARIANTS["ultimate-lightning"].with_law(reveal="none"),
}
pytestmark = pytest.mark.timeout(300)


@pytest.fixture(autouse=True)
def _sealed_alike() -> Iterator[None]:
    with sealed_alike():
        yield


async def received(place: Path, script: Script, spy: Seat) -> bytes:
    """All that the page of one seat is sent in a game over a link, headers, refusals and log lines included."""
    tokens = (letter * 43 for letter in itertools.cycle("ab"))
    said: list[str] = []
    with structlog.testing.capture_logs() as logs:
        async with hall(place / "games.sqlite3", nature=replace(still(), token=lambda: next(tokens))) as server:
            callers = [await server.caller(), await server.caller()]
            game = script.variant
            law = game.law.departures(VARIANTS[game.name].law)
            name, code = await invite(callers[0], variant=game.name, law=law, army=None)
            await join(callers[1], code)
            for seat in (spy.other, spy):
                body = {"army": script.army(seat).text()}
                answer = await callers[seat].http.post(f"/api/games/{name}/army", json=body)
                assert answer.status_code < 300, answer.text
            async with callers[spy.other].table(name) as theirs, callers[spy].table(name) as mine:
                lines = (mine, theirs) if spy is Seat.RED else (theirs, mine)
                for line in lines:
                    await line.state(stands_at(0))
                for ply, move in enumerate(script.moves, 1):
                    await _play(lines[(ply - 1) % 2], move, ply)
                    for line in lines:
                        await line.state(stands_at(ply))
                await _pry(mine, game, len(script.moves))
                said += mine.heard
            for path in (f"/api/games/{name}", "/api/games", f"/api/games/{name}/record", f"/api/invitations/{code}"):
                said.append(_whole(await callers[spy].http.get(path), callers[spy].address))
    return "\n".join([*said, *(json.dumps(line, default=str) for line in logs)]).encode()


async def _play(line: Line, move: int, ply: int) -> None:
    frame: dict[str, Any] = {"from": square_name(origin(move)), "to": square_name(target(move))}
    man, put = rescued(move), put_square(move)
    if man is not None and put is not None:
        frame["rescue"] = {"man": square_name(man), "put": square_name(put)}
    answer = await line.ask(type="move", id=f"m{ply}", ply=ply, **frame)
    assert answer["type"] == "done", answer


async def _pry(line: Line, game: Variant, plies: int) -> None:
    """Order what is not to be had: moves for the other side, over lakes, with rescues of men that never fell."""
    draw = Random(plies)
    legal = {} if line.latest is None else line.latest["legal"]
    for attempt in range(25):
        frm, to, man, put = (square_name(at) for at in draw.choices(game.usable, k=4))
        rescue = {"rescue": {"man": man, "put": put}} if attempt % 3 == 0 else {}
        ply = plies + (2 if to in legal.get(frm, []) else 1)
        answer = await line.ask(type="move", id=f"try{attempt}", ply=ply, **{"from": frm, "to": to}, **rescue)
        assert answer["type"] == "refused"
    # Rescues beside legal moves, a ply too early: which are refused, and how, must not hang on what the enemy hides.
    for at, goals in legal.items():
        for to in goals:
            rescue = {"man": at, "put": at}
            await line.ask(type="move", id=f"{at}{to}", ply=plies + 2, **{"from": at, "to": to}, rescue=rescue)


def _whole(answer: httpx.Response, address: str) -> str:
    return f"{answer.status_code} {list(answer.headers.multi_items())} {answer.text}".replace(address, "here")


def played(game: Variant, seed: int) -> Script:
    """A random game that goes on after so many plies, in which men have come back where rescues are allowed."""
    for draw in (Random(f"{game.digest} {seed} {attempt}") for attempt in range(300)):
        script = random_script(game, draw, PLIES)
        enough = len(script.moves) == PLIES and not script.truth().result
        if enough and all(len(twins(script, seat, 2, Random(1))) == 2 for seat in Seat):
            return script
    raise AssertionError("no game goes on so long")


async def parted(folder: Path, script: Script, spy: Seat) -> bool:
    """Whether any of a game's twins sends the spy other bytes."""
    heard = []
    for number, world in enumerate((script, *twins(script, spy, 2, Random(1)))):
        place = folder / str(number)
        place.mkdir(mode=0o700)
        heard.append(await received(place, world, spy))
    assert all(b'"type":"refused"' in each for each in heard)
    assert len(heard) == 3
    return len(set(heard)) > 1


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("spy", Seat, ids=["red", "blue"])
async def test_twins_send_a_friend_the_same_bytes(name: str, spy: Seat, tmp_path: Path) -> None:
    assert not await parted(tmp_path, played(GAMES[name], 0), spy)


async def test_a_planted_leak_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Men listed by their ranks: a list's order alone tells."""
    _in_a_state(monkeypatch)
    assert await parted(tmp_path, played(GAMES["electronic"], 0), Seat.BLUE)
