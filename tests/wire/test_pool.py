"""The pool answers as a fresh player would, survives its workers, and leaves nobody behind."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from flagfall.errors import NotAllowed, PlayerFault
from flagfall.play import roster
from flagfall.play.player import Kind
from flagfall.rules.board import Seat
from flagfall.wire import pool as pooled
from flagfall.wire.pool import Pool
from tests.guests.players import HIDDEN_WORDS
from tests.wire.asking import referee_after, to_deploy, to_move


@pytest.fixture
async def pool() -> AsyncIterator[Pool]:
    one = Pool(1)
    yield one
    await one.close()


async def fault_of(pool: Pool, player: str, timeout_s: float | None = None) -> str:
    with pytest.raises(PlayerFault) as caught:
        await pool.ask(to_move(2, player), timeout_s)
    assert HIDDEN_WORDS not in str(caught.value)
    return caught.value.stable_code


def gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    # A process that has ended but was not waited for yet is gone for our purpose.
    return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"


async def test_a_worker_answers_as_a_fresh_player_does(pool: Pool) -> None:
    for request in (to_deploy(), to_move(0), to_move(77), to_deploy(seat=Seat.BLUE)):
        assert await pool.ask(request) == roster.answer(request)


async def test_one_that_served_the_other_seat_answers_as_a_cold_one() -> None:
    """DESIGN 4.7, for house players too; the hoarder shows that the test can fail."""
    for name, alike in (("level-5", True), ("hoarder", False)):
        referee = referee_after(40, name)
        asked = {seat: referee.request(Kind.MOVE, seat) for seat in Seat}
        turn = referee.turn
        assert turn is not None
        earlier = referee_after(39, name)
        assert earlier.turn is turn.other
        async with Pool(1, players=[name]) as cold:
            fresh = await cold.ask(asked[turn])
        async with Pool(1, players=[name]) as used:
            for _ in range(2):
                await used.ask(earlier.request(Kind.MOVE, turn.other))
            assert (await used.ask(asked[turn]) == fresh) is alike


async def test_a_crash_is_tried_again(pool: Pool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mark = tmp_path / "mark"
    monkeypatch.setenv("FLAGFALL_TEST_MARK", str(mark))
    request = to_move(2, "fragile")
    reply = await pool.ask(request)
    assert mark.exists()
    assert reply == roster.answer(request)


async def test_a_crash_too_many_is_a_fault_and_the_pool_lives_on(pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pooled, "RESTARTS", 1)
    assert await fault_of(pool, "fatal") == "crashed"
    assert await pool.ask(to_move()) == roster.answer(to_move())


async def test_a_death_late_in_the_time_for_an_answer_is_the_last(
    pool: Pool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FLAGFALL_TEST_MARK", str(tmp_path / "mark"))
    await pool.start()
    ticks = iter((0.0, 31.0))
    monkeypatch.setattr(pooled, "perf_counter", lambda: next(ticks))
    assert await fault_of(pool, "fragile") == "crashed"


def kill_unheard(pid: int) -> None:
    """End a process while the event loop, which hears of it only later, stands still."""
    os.kill(pid, signal.SIGKILL)
    # Python itself may have waited for it first, in a thread.
    with contextlib.suppress(ChildProcessError):
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)


async def test_workers_killed_while_they_wait_lose_no_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not one death counts before a request was taken up, however often."""
    monkeypatch.setattr(pooled, "RESTARTS", 0)
    async with Pool(2) as pool:
        for _ in range(2):
            for pid in pool.pids:
                kill_unheard(pid)
            request = to_move(3)
            for reply in await asyncio.gather(pool.ask(request), pool.ask(request)):
                assert reply == roster.answer(request)
            assert len(pool.pids) == 2


async def test_workers_killed_over_a_request_lose_no_game(
    pool: Pool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mark = tmp_path / "mark"
    monkeypatch.setenv("FLAGFALL_TEST_MARK", str(mark))
    request = to_move(2, "waiter")
    thinking = asyncio.create_task(pool.ask(request))
    killed: set[int] = set()
    while len(killed) < 2 and not thinking.done():
        await asyncio.sleep(0.02)
        for pid in pool.pids:
            os.kill(pid, signal.SIGKILL)
            killed.add(pid)
    mark.touch()
    assert await thinking == roster.answer(request)


async def test_an_error_crosses_as_a_code(pool: Pool) -> None:
    await pool.start()
    before = pool.pids
    assert await fault_of(pool, "raiser") == "raised"
    assert await fault_of(pool, "nobody") == "unknown_player"
    assert pool.pids == before


async def test_a_thought_without_end_is_ended(pool: Pool) -> None:
    await pool.start()
    before = pool.pids
    assert await fault_of(pool, "sleeper", timeout_s=0.3) == "timeout"
    assert await pool.ask(to_move()) == roster.answer(to_move())
    assert pool.pids != before
    assert all(gone(pid) for pid in before)


async def test_what_players_print_goes_nowhere(pool: Pool, capfd: pytest.CaptureFixture[str]) -> None:
    assert (await pool.ask(to_move(2, "noisy"))).move is not None
    assert await fault_of(pool, "raiser") == "raised"
    said = capfd.readouterr()
    assert (said.out, said.err) == ("", "")


async def test_many_wait_and_all_are_served() -> None:
    async with Pool(2) as pool:
        requests = [to_move(plies) for plies in range(12)]
        replies = await asyncio.gather(*(pool.ask(request) for request in requests))
        assert replies == [roster.answer(request) for request in requests]
        assert len(pool.pids) == 2


async def test_the_queue_is_bounded() -> None:
    pool = Pool(1, waiting=1)
    await pool.start()
    busy = [asyncio.create_task(pool.ask(to_move(2, "sleeper"))) for _ in range(2)]
    await asyncio.sleep(0.05)
    with pytest.raises(NotAllowed) as caught:
        await pool.ask(to_move())
    assert caught.value.stable_code == "busy"
    await pool.close()
    outcomes = await asyncio.gather(*busy, return_exceptions=True)
    assert all(isinstance(outcome, BaseException) for outcome in outcomes)


async def test_who_stops_waiting_spoils_nothing(pool: Pool) -> None:
    await pool.start()
    before = pool.pids
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.001):
            await pool.ask(to_move(120))
    assert await pool.ask(to_move(3)) == roster.answer(to_move(3))
    assert pool.pids == before


async def test_a_closed_pool_has_no_process_and_no_answer() -> None:
    pool = Pool(2)
    await pool.start()
    pids = pool.pids
    thinking = asyncio.create_task(pool.ask(to_move(2, "sleeper")))
    await asyncio.sleep(0.1)
    begun = time.monotonic()
    await pool.close()
    await pool.close()
    assert time.monotonic() - begun < 5
    assert len(pids) == 2
    assert all(gone(pid) for pid in pids)
    with pytest.raises(asyncio.CancelledError):
        await thinking
    with pytest.raises(NotAllowed):
        await pool.ask(to_move())


ORPHANS = """
import asyncio, sys
from flagfall.wire.pool import Pool
from tests.wire.asking import to_move

async def main():
    pool = Pool(2)
    await pool.start()
    asyncio.create_task(pool.ask(to_move(2, "sleeper")))
    await asyncio.sleep(0.3)
    print(*pool.pids, flush=True)
    await asyncio.sleep(60)

asyncio.run(main())
"""


def test_no_worker_outlives_a_server_that_was_killed() -> None:
    with subprocess.Popen([sys.executable, "-c", ORPHANS], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        pids = [int(word) for word in server.stdout.readline().split()]
        assert len(pids) == 2
        assert not any(gone(pid) for pid in pids)
        server.send_signal(signal.SIGKILL)
        server.wait()
    for _ in range(100):
        if all(gone(pid) for pid in pids):
            return
        time.sleep(0.05)
    pytest.fail("a worker is still there")
