"""Paired worlds for those who look on: armies that both seats hide from them, and plies that a late board hides.

Everything that reaches a watcher is compared: headers, bodies, frames and their number, log lines, and the rows of the
store that hold nothing secret.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
import structlog

from flagfall.check.twins import Script, random_script, twins
from flagfall.rules.board import Seat
from flagfall.rules.catalog import CLASSIC, MICRO
from flagfall.rules.notation import move_text
from flagfall.rules.variant import Variant
from flagfall.server import gallery, ledger, sight, watched
from flagfall.server.nature import Nature
from flagfall.server.store import Store, events, tables
from tests.server.hall import Caller, Hall, Line, hall, sealed_alike, still
from tests.server.test_secrecy import unfinished

Plant = Callable[[pytest.MonkeyPatch], None]
GAME = "stillgame"
PUBLIC = ("games", "seats", "invitations", "watch_links")


@pytest.fixture(autouse=True)
def _seals() -> Iterator[None]:
    with sealed_alike():
        yield


def counted() -> Nature:
    """A nature in which every guest has a token of his own, and nothing else is left to chance."""
    numbers = count(1)
    return replace(still(), token=lambda: f"{next(numbers):043d}")


class Worlds:
    """Runs a game of two people on a server of its own and keeps all that a watcher receives, and what the log says.

    delay: both agree at once to show the armies so many plies late. shown: after how many plies a watcher is asked for
    what he has received: those after it are played, but are not to be heard.
    """

    def __init__(self, folder: Path, delay: int | None = None, deeds: bool = False) -> None:
        self.folder, self.delay, self.deeds, self.number = folder, delay, deeds, 0

    async def received(self, script: Script) -> bytes:
        self.number += 1
        place = self.folder / str(self.number) / "games.sqlite3"
        if self.number == 1:
            await (await Store.open(self.folder / "empty" / "games.sqlite3")).close()
        place.parent.mkdir(mode=0o700)
        shutil.copy(self.folder / "empty" / "games.sqlite3", place)
        said: list[str] = []
        with structlog.testing.capture_logs() as logs:
            async with hall(place, nature=counted()) as server:
                await self.play(server, script, said)
                if self.delay is None:
                    said.append(await rows(place))
        return "\n".join([*said, *(json.dumps(line, default=str) for line in logs)]).encode()

    async def play(self, server: Hall, script: Script, said: list[str]) -> None:
        anna, ben, carl = [await server.caller() for _ in range(3)]
        order = {"variant": script.variant.name, "against": "friend", "seat": "red", "watch": {"delay": self.delay}}
        await anna.http.post("/api/games", json=order | {"army": script.red.text()})
        state = (await anna.http.get(f"/api/games/{GAME}")).json()
        code = state["watch"]["code"]
        await ben.http.post(f"/api/invitations/{state['invite']}/join")
        await ben.http.post(f"/api/games/{GAME}/army", json={"army": script.blue.text()})
        async with anna.table(GAME) as red, ben.table(GAME) as blue:
            lines = {"red": red, "blue": blue}
            for seat, line in lines.items():
                await line.state(lambda one: one["phase"] == "playing")
                if self.delay is not None:
                    await line.ask(type="show_truth", id=f"s{seat}", give=True)
            async with carl.look_on(code) as looking:
                watcher = Watcher(carl, looking, code, said)
                await watcher.line.state()
                for ply, move in enumerate(script.moves, start=1):
                    mover = lines["red" if ply % 2 else "blue"]
                    await mover.state(lambda one, ply=ply: one["ply"] == ply - 1)  # type: ignore[misc]
                    if self.deeds and ply > len(script.moves) - 3:
                        await mover.ask(type="offer_draw", id=f"o{ply}")
                    answer = await mover.move(move_text(move).replace("x", "-"), ply)
                    assert answer["type"] == "done", answer
                    shown = ply - (self.delay or 0)
                    if shown > 0:
                        await watcher.line.state(lambda one, shown=shown: one["ply"] == shown)  # type: ignore[misc]
                    if self.delay is None and ply in (1, 9):
                        await watcher.pry(script.variant, ply)
                await watcher.pry(script.variant, len(script.moves))
                said += looking.heard


async def rows(place: Path) -> str:
    """Every row of the store but the log itself, which holds the armies and is for the referee alone."""
    engine = sa.create_engine(f"sqlite:///{place}")
    with engine.connect() as connection:
        found = {
            name: [list(map(str, row)) for row in connection.execute(sa.select(tables.tables[name]))] for name in PUBLIC
        }
        kept = connection.execute(sa.select(events.c.n, events.c.ply, events.c.at_ms)).all()
    engine.dispose()
    return json.dumps(found) + str(kept)


class Watcher:
    """Somebody with the link who asks for everything he can think of."""

    def __init__(self, caller: Caller, line: Line, code: str, said: list[str]) -> None:
        self.caller, self.line, self.code, self.said = caller, line, code, said

    def keep(self, answer: httpx.Response) -> None:
        headers = [(name, value) for name, value in answer.headers.multi_items()]
        self.said.append(f"{answer.status_code} {headers} {answer.text}".replace(self.caller.address, "here"))

    async def pry(self, variant: Variant, number: int) -> None:
        get, post = self.caller.http.get, self.caller.http.post
        game = f"/api/games/{GAME}"
        for path in (game, f"{game}/record", f"{game}/finished", "/api/games", f"/api/watch/{self.code}", "/api/hello"):
            self.keep(await get(path))
        self.keep(await post(f"{game}/army", json={"army": "F" * len(variant.home[Seat.RED])}))
        self.keep(await post(f"{game}/rematch", json={}))
        for since in (0, 3, number, number + 5, 999_999):
            async with self.caller.look_on(self.code, since=since) as late:
                await late.state()
            self.said += [text for text in late.heard if '"watched"' in text]
            await self.line.until(lambda frame: frame == {"type": "crowd", "count": 1})
        for deed in (
            {"type": "move", "id": f"m{number}", "ply": number + 1, "from": "e4", "to": "e5"},
            {"type": "resign", "id": f"r{number}"},
            {"type": "show_truth", "id": f"s{number}", "give": True},
        ):
            await self.line.ask(**deed)
        await self.line.say(type="nonsense")
        await self.line.until(lambda heard: heard["type"] == "refused")
        # Two onlookers in and out are told of as it happens to come; how many there are is told by the seats' test.
        self.line.heard = [text for text in self.line.heard if '"crowd"' not in text]


def watchers_twins(script: Script, many: int, draw: Random) -> list[Script]:
    """Games that somebody who knows neither army cannot tell from this one: both armies exchanged where they hide."""
    found = []
    for one in twins(script, Seat.RED, many, draw):
        found += twins(one, Seat.BLUE, 1, draw)
    return found


async def differences(worlds: Worlds, script: Script, others: list[Script]) -> list[str]:
    """Where another world's bytes part from the game's."""
    said = await worlds.received(script)
    found = []
    for other in others:
        heard = await worlds.received(other)
        if heard != said:
            at = next((at for at, pair in enumerate(zip(said, heard, strict=False)) if len(set(pair)) > 1), 0)
            found.append(f"{said[max(0, at - 80) : at + 60]!r} and {heard[max(0, at - 80) : at + 60]!r}")
    return found


@pytest.mark.timeout(600)
async def test_armies_that_nobody_has_shown_send_a_watcher_the_same_bytes(tmp_path: Path) -> None:
    script = unfinished(CLASSIC, 4, 24)
    others = watchers_twins(script, 10, Random(4))
    assert len(others) >= 8
    assert await differences(Worlds(tmp_path), script, others) == []


async def test_small_armies_too(tmp_path: Path) -> None:
    script = unfinished(MICRO, 5, 2)
    others = watchers_twins(script, 6, Random(5))
    assert len(others) >= 3
    assert await differences(Worlds(tmp_path), script, others) == []


def other_futures(script: Script, shared: int, many: int) -> list[Script]:
    """Games of the same armies that are alike up to a ply, and go other ways from there, to the same length."""
    found: list[Script] = []
    for seed in range(many * 20):
        game = script.until(shared).truth()
        draw, moves = Random(seed), list(script.moves[:shared])
        while len(moves) < len(script.moves) and (legal := game.legal()):
            moves.append(draw.choice(legal))
            game.push(moves[-1])
        new = replace(script, moves=tuple(moves))
        if len(moves) == len(script.moves) and not game.result and new.moves not in [one.moves for one in found]:
            found.append(new)
        if len(found) == many:
            break
    return found


@pytest.mark.timeout(600)
@pytest.mark.parametrize("deeds", [False, True])
async def test_plies_behind_a_late_board_send_a_watcher_the_same_bytes(deeds: bool, tmp_path: Path) -> None:
    """The truth is shown six plies late: whatever those six are, and what is offered meanwhile, he hears the same."""
    delay, plies = 6, 20
    script = unfinished(CLASSIC, 7, plies)
    others = other_futures(script, plies - delay, 6)
    assert len(others) == 6
    assert len({one.moves[plies - delay] for one in others}) > 3
    assert await differences(Worlds(tmp_path, delay, deeds), script, others) == []


async def test_what_both_do_behind_a_late_board_is_not_heard(tmp_path: Path) -> None:
    """With offers or without: the same bytes."""
    script = unfinished(CLASSIC, 7, 12)
    quiet = await Worlds(tmp_path / "a", 6).received(script)
    loud = await Worlds(tmp_path / "b", 6, deeds=True).received(script)
    assert quiet == loud


# --- planted leaks --------------------------------------------------------------------------------------------------


def _in_an_order(patch: pytest.MonkeyPatch) -> None:
    honest = watched.told

    def leaky(book: Any, *rest: Any) -> Any:
        told = honest(book, *rest)
        hidden = book.placed(Seat.BLUE)
        told.men.sort(key=lambda man: (man.seat == "blue") * hidden.ranks.get(_at(man.id), 0))
        return told

    patch.setattr(watched, "told", leaky)


def _in_a_rank(patch: pytest.MonkeyPatch) -> None:
    honest = sight.man_of

    def leaky(man: Any) -> Any:
        return honest(man._replace(moved=man.moved or (bool(LAST) and LAST[0].ranks.get(man.id, 0) % 2 == 1)))

    LAST: list[Any] = []
    opened = ledger.Ledger.deploy

    async def remember(self: Any, seat: Seat, army: Any) -> None:
        LAST[:] = [army]
        await opened(self, seat, army)

    patch.setattr(ledger.Ledger, "deploy", remember)
    patch.setattr(watched, "man_of", leaky)


def _in_a_row(patch: pytest.MonkeyPatch) -> None:
    honest: Any = vars(ledger.Ledger)["_summed"]

    def leaky(self: Any, referee: Any) -> Any:
        summary = honest(self, referee)
        army = referee.own_army(Seat.RED)
        return replace_struct(summary, level=str(sum(at * rank for at, rank in army.ranks.items())))

    patch.setattr(ledger.Ledger, "_summed", leaky)


def _in_a_log_line(patch: pytest.MonkeyPatch) -> None:
    honest = gallery.Gallery.look

    def leaky(self: Any, *rest: Any) -> Any:
        army = vars(self)["_ledger"].placed(Seat.BLUE)
        structlog.get_logger().info("looked", front=None if army is None else army.text()[-4:])
        return honest(self, *rest)

    patch.setattr(gallery.Gallery, "look", leaky)


def replace_struct(struct: Any, **changes: Any) -> Any:
    import msgspec

    return msgspec.structs.replace(struct, **changes)


def _at(name: str) -> int:
    return 10 * (int(name[1:]) - 1) + "abcdefghij".index(name[0])


@pytest.mark.parametrize("plant", [_in_an_order, _in_a_rank, _in_a_row, _in_a_log_line])
async def test_a_planted_leak_is_found(plant: Plant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = unfinished(CLASSIC, 3, 4)
    others = watchers_twins(script, 4, Random(3))
    plant(monkeypatch)
    assert await differences(Worlds(tmp_path), script, others) != []


def _live_turn(patch: pytest.MonkeyPatch) -> None:
    """The board's own turn is late; the table's square of the last ply slips into the clock."""
    honest = watched.told

    def leaky(book: Any, shown: Any, *rest: Any) -> Any:
        told = honest(book, shown, *rest)
        acts = [entry for entry in book.entries if getattr(entry, "move", None)]
        return replace_struct(told, level=acts[-1].move if acts else "")

    patch.setattr(watched, "told", leaky)


def _live_offer(patch: pytest.MonkeyPatch) -> None:
    honest = watched.told

    def leaky(book: Any, *rest: Any) -> Any:
        told = honest(book, *rest)
        return replace_struct(told, offer=None if book.need().offer is None else book.need().offer.word)

    patch.setattr(watched, "told", leaky)


@pytest.mark.parametrize("plant", [_live_turn, _live_offer])
async def test_a_planted_leak_of_the_present_is_found(
    plant: Plant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = unfinished(CLASSIC, 7, 12)
    plant(monkeypatch)
    if plant is _live_offer:
        quiet = await Worlds(tmp_path / "a", 6).received(script)
        assert quiet != await Worlds(tmp_path / "b", 6, deeds=True).received(script)
    else:
        assert await differences(Worlds(tmp_path, 6), script, other_futures(script, 6, 4)) != []


def test_the_futures_are_games() -> None:
    script = random_script(CLASSIC, Random(1), 20)
    for other in other_futures(script, 10, 5):
        assert other.events() is not None
        assert other.moves[:10] == script.moves[:10]
