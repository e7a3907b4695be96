"""The operator's numbers: they add up, and two worlds that a seat cannot tell apart have the same ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from prometheus_client import generate_latest
from prometheus_client.registry import CollectorRegistry

from flagfall.server.counts import Counts, Times
from flagfall.server.metrics import Gathered
from flagfall.server.security import Border, Guard
from tests.server.hall import RED, Scripted, hall, still

SPANS = ("_seconds_bucket", "_seconds_sum")


def told(counts: Counts, rooms: int) -> list[str]:
    """What the operator reads, measured spans left out."""
    registry = CollectorRegistry()
    registry.register(Gathered(counts, lambda: rooms, lambda: True))
    lines = generate_latest(registry).decode().splitlines()
    return [line for line in lines if not any(part in line for part in SPANS)]


def test_spans_are_counted_by_length() -> None:
    times = Times()
    for span_s in (0.0005, 0.001, 0.03, 7.0):
        times.add(span_s)
    counts = Counts(deed=times)
    registry = CollectorRegistry()
    registry.register(Gathered(counts, lambda: 0, lambda: False))
    lines = generate_latest(registry).decode().splitlines()
    assert 'flagfall_deed_seconds_bucket{le="0.001"} 2.0' in lines
    assert 'flagfall_deed_seconds_bucket{le="0.05"} 3.0' in lines
    assert 'flagfall_deed_seconds_bucket{le="+Inf"} 4.0' in lines
    assert "flagfall_deed_seconds_count 4.0" in lines
    assert "flagfall_ready 0.0" in lines


async def numbers_of(place: Path, army: str) -> list[str]:
    """The numbers after one move against a house whose army is `army`."""
    async with hall(place, thinker=Scripted(army, moves=("a7-a6",)), nature=still()) as server:
        caller = await server.caller()
        game = (await caller.new_game())["game"]
        async with caller.table(game) as line:
            await line.my_turn()
            assert (await line.move("a4-a5", 1))["type"] == "done"
            assert (await line.move("a4-a5", 9))["type"] == "refused"
            await line.state(lambda state: state["ply"] == 2)
        return told(server.lobby.counts, len(server.lobby.rooms))


async def test_numbers_tell_no_world_from_another(tmp_path: Path) -> None:
    """Paired worlds: the house's hidden men permuted, and nothing that the operator reads is different."""
    swapped = RED[:-2] + RED[-1] + RED[-2]
    assert swapped != RED
    ours, theirs = [
        await numbers_of(tmp_path / name / "g.sqlite3", army) for name, army in (("a", RED), ("b", swapped))
    ]
    assert ours == theirs
    assert 'flagfall_deeds_total{deed="Move"} 2.0' in ours
    assert any(line.startswith("flagfall_refusals_total{code=") for line in ours)
    assert not any("stillgame" in line for line in ours)


class Asked:
    """An application that only counts who came through."""

    came = 0

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.came += 1
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})


async def test_a_household_is_one_asker() -> None:
    """A network of the newer kind belongs to one household: its addresses share an allowance."""
    app = Asked()
    border = Border.local(80)
    guard = Guard(app, border, still())

    async def ask(address: str) -> None:
        async def send(_: Any) -> None:
            return None

        headers = [(b"host", b"localhost:80")]
        scope = {"type": "http", "method": "GET", "path": "/api/hello", "headers": headers, "client": (address, 1)}
        await guard(scope, send, send)  # type: ignore[arg-type]

    for number in range(300):
        await ask(f"2001:db8:0:1::{number:x}")
    assert app.came == int(border.asks.burst)
    for address in ("2001:db8:0:2::1", "::ffff:192.0.2.1", "192.0.2.1", "no address"):
        await ask(address)
    assert app.came == int(border.asks.burst) + 4
