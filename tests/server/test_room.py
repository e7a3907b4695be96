"""One game, one mailbox: deeds done once, draws, clocks, and answers released at moments that tell nothing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from flagfall.play.player import Kind, Reply, Request
from flagfall.play.record import Record, Sitter, Sort, Terms
from flagfall.rules.board import Seat
from flagfall.rules.catalog import CLASSIC
from flagfall.rules.events import Reason, Result
from flagfall.server import warming
from flagfall.server.cards import control_of
from flagfall.server.host import House
from flagfall.server.journal import Acted, Entry, Placed, opened, record_of, write_entry
from flagfall.server.law import LawKeeper
from flagfall.server.ledger import Ledger
from flagfall.server.nature import Nature
from flagfall.server.pacing import Pacing
from flagfall.server.room import Room
from flagfall.server.store import Store, StoreFault, Summary
from flagfall.wire.bodies import Clock
from tests.server.hall import AT_ONCE, RED, Scripted, hall, still

SHUTTLE = ["a7-a6", "b7-b6", "a6-a7", "b6-b7", "a7-a6"]


class Sundial:
    """Time that passes when the test says so; whoever sleeps wakes in the order of his hour."""

    def __init__(self) -> None:
        self.now_ms = 0
        self._sleepers: list[tuple[int, asyncio.Future[None]]] = []

    def nature(self) -> Nature:
        return replace(
            still(), now_ms=lambda: 1_800_000_000_000 + self.now_ms, ticks_ms=lambda: self.now_ms, sleep_ms=self.sleep
        )

    async def sleep(self, span_ms: int) -> None:
        if span_ms > 0:
            waking: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._sleepers.append((self.now_ms + span_ms, waking))
            await waking

    async def settle(self) -> None:
        """Let everything happen that happens without time passing."""
        for _ in range(100):
            await asyncio.sleep(0.001)

    async def pass_to(self, moment_ms: int) -> None:
        await self.settle()
        while True:
            due = sorted((at, number) for number, (at, waking) in enumerate(self._sleepers) if not waking.done())
            if not due or due[0][0] > moment_ms:
                break
            at, number = due[0]
            self.now_ms = max(self.now_ms, at)
            self._sleepers[number][1].set_result(None)
            await self.settle()
        self.now_ms = max(self.now_ms, moment_ms)
        await self.settle()


@asynccontextmanager
async def room_of(
    place: Path,
    thinker: Any,
    dial: Sundial,
    pacing: Pacing = AT_ONCE,
    clock: Clock | None = None,
    first: Seat = Seat.RED,
    army: str | None = RED,
) -> AsyncIterator[tuple[Room, Ledger, Store]]:
    """A room at whose red side a person sits, with the house's army ready to be placed and this one placed by him."""
    nature = dial.nature()
    store = await Store.open(place)
    law = LawKeeper(warming.load, warming=())
    law.start()
    await law.ready()
    sitters = (Sitter("guest", Sort.PERSON), Sitter("random", Sort.HOUSE))
    terms = Terms(variant=CLASSIC, first=first, sitters=sitters, control=control_of(clock), game="g")
    record = Record(
        terms=terms,
        secret=bytes(32),
        elapsed_ms=0,
        deployments=(None, None),
        acts=(),
        result=Result.GOING,
        reason=Reason.NONE,
    )
    summary = Summary("g", "classic", "random", "deploying", 0, None, None, None, 0, 0)
    entries: list[Entry] = [opened(record), *([] if army is None else [Placed("red", army)])]
    await store.create(summary, {"red": bytes(32)}, entries, 0)
    room = Room(Ledger(summary, entries, store, nature), House(nature, thinker, law, pacing, AT_ONCE))
    room.start()
    try:
        await dial.settle()
        yield room, room.ledger, store
    finally:
        await room.stop()
        await law.stop()
        await store.close()


async def test_a_double_click_is_one_move(tmp_path: Path) -> None:
    """The same frame twice, another name for the same move, and both at once: one ply, and `done` for each."""
    async with hall(tmp_path / "home" / "games.sqlite3", thinker=Scripted(RED, SHUTTLE)) as server:
        caller = await server.caller()
        made = await caller.new_game()
        async with caller.table(made["game"]) as line, caller.table(made["game"]) as other:
            await line.my_turn()
            await other.my_turn()
            answers = list(await asyncio.gather(line.move("e4-e5", 1, "click"), other.move("e4-e5", 1, "click")))
            answers += [await line.move("e4-e5", 1, "click"), await line.move("e4-e5", 1, "again")]
            assert [answer["type"] for answer in answers] == ["done"] * 4
            assert (await other.move("e4-f4", 1, "else"))["code"] in ("stale", "out_of_turn")
            state = await line.state(lambda told: told["ply"] == 2)
            assert [ply["from"] for ply in state["plies"]][-1:] == ["a7"]
        log = [entry for entry, _ in await server.store.log(made["game"])]
        assert [entry.ply for entry in log if isinstance(entry, Acted) and entry.ply] == [1, 2]


async def test_both_tabs_are_told_how_many_they_are(tmp_path: Path) -> None:
    async with hall(tmp_path / "home" / "games.sqlite3", thinker=Scripted(RED, SHUTTLE)) as server:
        caller = await server.caller()
        made = await caller.new_game()
        async with caller.table(made["game"]) as line:
            assert (await line.until(lambda heard: heard["type"] == "tabs"))["count"] == 1
            async with caller.table(made["game"]) as other:
                assert (await other.until(lambda heard: heard["type"] == "tabs"))["count"] == 2
                assert (await line.until(lambda heard: heard["type"] == "tabs"))["count"] == 2
            assert (await line.until(lambda heard: heard["type"] == "tabs"))["count"] == 1


async def test_a_late_page_gets_the_plies_it_lacks(tmp_path: Path) -> None:
    async with hall(tmp_path / "home" / "games.sqlite3", thinker=Scripted(RED, SHUTTLE)) as server:
        caller = await server.caller()
        game = (await caller.new_game())["game"]
        async with caller.table(game) as line:
            for ply, move in ((1, "e4-e5"), (3, "e5-e4")):
                await line.my_turn()
                await line.move(move, ply)
                await line.state(lambda told, ply=ply: told["ply"] == ply + 1)  # type: ignore[misc]
        async with caller.table(game, since=2) as late:
            state = await late.my_turn()
            assert state["plies_from"] == 3
            assert [ply["ply"] for ply in state["plies"]] == [3, 4]
            await late.move("e4-e5", 5)
            more = await late.state(lambda told: told["ply"] >= 5)
            assert more["plies"][0]["ply"] == 5


@pytest.mark.parametrize("accepts", [True, False])
async def test_the_house_answers_a_draw_offer(accepts: bool, tmp_path: Path) -> None:
    async with hall(tmp_path / "home" / "games.sqlite3", thinker=Scripted(RED, SHUTTLE, accepts=accepts)) as server:
        caller = await server.caller()
        game = (await caller.new_game())["game"]
        async with caller.table(game) as line:
            assert (await line.my_turn())["may_offer"]
            assert (await line.ask(type="offer_draw", id="offer"))["type"] == "done"
            if accepts:
                over = await line.state(lambda told: told["phase"] == "over")
                assert (over["result"], over["reason"]) == ("draw", "agreed")
            else:
                declined = await line.state(lambda told: told["offer"] is None and not told["may_offer"])
                assert declined["phase"] == "playing"
                assert (await line.ask(type="offer_draw", id="nag"))["code"] == "offered_already"


async def test_the_house_offers_and_the_person_answers(tmp_path: Path) -> None:
    house = Scripted(RED, SHUTTLE, offers_at=frozenset({1, 5}))
    async with hall(tmp_path / "home" / "games.sqlite3", thinker=house) as server:
        caller = await server.caller()
        game = (await caller.new_game())["game"]
        async with caller.table(game) as line:
            await line.my_turn()
            await line.move("e4-e5", 1)
            await line.state(lambda told: told["offer"] == "blue")
            assert (await line.ask(type="answer_draw", id="no", accept=False))["type"] == "done"
            await line.state(lambda told: told["offer"] is None)
            await line.move("f4-f5", 3)
            await line.state(lambda told: told["ply"] == 4)
            await line.move("e5-e4", 5)
            await line.state(lambda told: told["offer"] == "blue")
            assert (await line.ask(type="answer_draw", id="yes", accept=True))["type"] == "done"
            assert (await line.state(lambda told: told["phase"] == "over"))["reason"] == "agreed"


class Thoughtful:
    """A house that thinks as long as it is told, in the dial's time."""

    def __init__(self, dial: Sundial, took_ms: list[int]) -> None:
        self.dial, self.took_ms = dial, took_ms
        self.script = Scripted(RED, SHUTTLE)

    async def ask(self, request: Request) -> Reply:
        reply = await self.script.ask(request)
        if request.kind is Kind.MOVE:
            await self.dial.sleep(self.took_ms.pop(0))
        return reply


@pytest.mark.parametrize("took_ms", [[0, 0], [1, 399], [300, 7], [449, 2]])
async def test_an_answer_comes_when_it_comes_whatever_it_took(took_ms: list[int], tmp_path: Path) -> None:
    """R7: a forced move waits, a hard one is not slower: the moments are those of game and ply alone."""
    dial = Sundial()
    pacing = Pacing(floor_ms=450, spread_ms=400)
    expected = [pacing.release_ms("g", 2, 0), pacing.release_ms("g", 6, 0)]
    assert all(450 <= moment <= 850 for moment in expected)
    async with room_of(tmp_path / "home" / "games.sqlite3", Thoughtful(dial, took_ms), dial, pacing) as (
        room,
        ledger,
        _,
    ):
        for number, (move, due) in enumerate(zip(("e4-e5", "e5-e4"), expected, strict=True)):
            begun, ply = dial.now_ms, 2 * number + 1
            await room.deed(Seat.RED, _move(move, ply))
            await dial.pass_to(begun + due - 1)
            assert ledger.summary.ply == ply, "not a millisecond earlier"
            assert (await room.state(Seat.RED, 0)).thinking
            await dial.pass_to(begun + due)
            assert ledger.summary.ply == ply + 1


async def test_a_late_answer_comes_at_a_whole_step(tmp_path: Path) -> None:
    dial = Sundial()
    pacing = Pacing(floor_ms=450, spread_ms=0, step_ms=500)
    async with room_of(tmp_path / "home" / "games.sqlite3", Thoughtful(dial, [451]), dial, pacing) as (room, ledger, _):
        await room.deed(Seat.RED, _move("e4-e5", 1))
        await dial.pass_to(949)
        assert ledger.summary.ply == 1
        await dial.pass_to(950)
        assert ledger.summary.ply == 2


async def test_an_offer_during_the_houses_turn_is_answered_before_its_ply(tmp_path: Path) -> None:
    """R11.2: the ply would let the offer lapse unanswered."""
    dial = Sundial()
    pacing = Pacing(floor_ms=100, spread_ms=0)
    async with room_of(tmp_path / "home" / "games.sqlite3", Thoughtful(dial, [0]), dial, pacing) as (room, ledger, _):
        await room.deed(Seat.RED, _move("e4-e5", 1))
        await room.deed(Seat.RED, _offer("offer"))
        await dial.pass_to(dial.now_ms + 1_000)
        deeds = [entry.deed for entry in ledger.entries if isinstance(entry, Acted)]
        assert deeds == ["deploy", "deploy", "move", "offer", "decline", "move"]


async def test_a_flag_falls_by_itself(tmp_path: Path) -> None:
    """R11.2: own thinking time used up is a loss; nobody has to claim it."""
    dial = Sundial()
    clock = Clock("sudden-death", main_ms=60_000)
    async with room_of(tmp_path / "home" / "games.sqlite3", Thoughtful(dial, [0]), dial, clock=clock) as (
        room,
        ledger,
        _,
    ):
        await dial.pass_to(20_000)
        state = await room.state(Seat.RED, 0)
        assert state.clock is not None
        assert (state.clock.red_ms, state.clock.blue_ms, state.clock.running) == (40_000, 60_000, "red")
        await dial.pass_to(59_999)
        assert ledger.summary.phase == "playing"
        await dial.pass_to(60_000)
        assert (ledger.summary.result, ledger.summary.reason) == ("blue", "time")
        last = ledger.entries[-1]
        assert isinstance(last, Acted)
        assert (last.deed, last.at_ms) == ("time", 60_000)


@pytest.mark.parametrize("lapse", ["forfeit", "random-fill"])
async def test_who_has_not_set_up_in_time_loses_or_plays_what_the_lot_places(lapse: str, tmp_path: Path) -> None:
    """R12; and after a restart the army of the lot stands where it stood."""
    dial = Sundial()
    clock = Clock("sudden-death", main_ms=60_000, setup_ms=20_000, setup_timeout=lapse)  # type: ignore[arg-type]
    place = tmp_path / "home" / "games.sqlite3"
    async with room_of(place, Thoughtful(dial, [0]), dial, clock=clock, army=None) as (room, ledger, store):
        await dial.pass_to(19_999)
        assert ledger.summary.phase == "deploying"
        await dial.pass_to(20_000)
        if lapse == "forfeit":
            assert (ledger.summary.result, ledger.summary.reason) == ("blue", "time")
            return
        state = await room.state(Seat.RED, 0)
        assert (state.phase, state.turn, len(state.legal) > 0) == ("playing", "red", True)
        assert state.clock is not None
        assert (state.clock.red_ms, state.clock.running) == (60_000, "red")
        army = ledger.need().own_army(Seat.RED)
        log = [entry for entry, _ in await store.log("g")]
        await dial.pass_to(80_000)
        assert (ledger.summary.result, ledger.summary.reason) == ("blue", "time")
    again = record_of(log).deployments[Seat.RED]
    assert army is not None
    assert again is not None
    assert again.text() == army.text()


class Broken:
    """A house whose player fails at its first move."""

    async def ask(self, request: Request) -> Reply:
        if request.kind is Kind.MOVE:
            raise RuntimeError("a secret 12345")
        return await Scripted(RED).ask(request)


async def test_a_house_that_fails_forfeits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dial = Sundial()
    async with room_of(tmp_path / "home" / "games.sqlite3", Broken(), dial) as (room, ledger, _):
        await room.deed(Seat.RED, _move("e4-e5", 1))
        await dial.settle()
        assert (ledger.summary.result, ledger.summary.reason) == ("red", "forfeit")
    said = capsys.readouterr()
    assert "thinker_failed" in said.out + said.err
    assert "12345" not in said.out + said.err


async def test_what_cannot_be_written_has_not_happened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dial = Sundial()
    async with room_of(tmp_path / "home" / "games.sqlite3", Thoughtful(dial, [0]), dial) as (room, ledger, store):
        before = [write_entry(entry) for entry, _ in await store.log("g")]
        honest = store.append

        async def full(*_: Any) -> None:
            raise StoreFault("the store cannot be written")

        monkeypatch.setattr(store, "append", full)
        with pytest.raises(StoreFault):
            await room.deed(Seat.RED, _move("e4-e5", 1))
        state = await room.state(Seat.RED, 0)
        assert (state.ply, state.turn) == (0, "red")
        monkeypatch.setattr(store, "append", honest)
        await room.deed(Seat.RED, _move("f4-f5", 1))
        assert [write_entry(entry) for entry, _ in await store.log("g")][: len(before)] == before
        assert ledger.summary.ply == 1


def _move(text: str, ply: int) -> Any:
    from flagfall.wire.messages import Move

    origin, target = text.split("-")
    return Move(id=f"m{ply}", ply=ply, origin=origin, target=target)


def _offer(name: str) -> Any:
    from flagfall.wire.messages import OfferDraw

    return OfferDraw(id=name)


async def test_a_house_without_a_move_resigns(tmp_path: Path) -> None:
    """With `piece-count` a side that is shut in is still on turn; it has to resign (R11.1) and is asked nothing."""
    rest = "F" + "MS98877766665555444433333" + "22222222"
    shut = rest[:30] + "BB" + rest[30:32] + "BB" + rest[32:34] + "BB"
    house = Scripted(shut)
    async with hall(tmp_path / "home" / "games.sqlite3", thinker=house) as server:
        caller = await server.caller()
        made = await caller.new_game(law={"stuck_check": "piece-count"})
        async with caller.table(made["game"]) as line:
            await line.my_turn()
            assert (await line.move("e4-e5", 1))["type"] == "done"
            state = await line.state(lambda told: told["phase"] == "over")
        assert (state["result"], state["reason"]) == ("red", "resigned")
        assert house.asked == ["deploy"]
