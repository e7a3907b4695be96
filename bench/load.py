"""Load on a server: so many live games between people, two sockets each, and how soon a move is seen by the other seat.

    .venv/bin/python bench/load.py --games 200 --seconds 60 --start

One process, one event loop, bounded: every guest has an address of his own (the generator is the proxy that the server
trusts), plays random legal moves, each a mean of `--every` seconds after his last one, and checks that the plies he is
told have no gap and no double. Of each move the time is taken from its sending by one seat to the arrival of the first
state that holds it at the other. `lost` counts answered moves that the other seat, or the store at the end, has not.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import resource
import secrets
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
from websockets.client import ClientProtocol
from websockets.datastructures import Headers
from websockets.frames import Opcode
from websockets.uri import parse_uri

ARMY = "FB3243B322B53B74S5324B62895B742567M26862"
TICKS = os.sysconf("SC_CLK_TCK")


class Told(msgspec.Struct):
    """What the generator reads of a ply."""

    ply: int


class Heard(msgspec.Struct):
    """What the generator reads of any frame."""

    type: str
    id: str | None = None
    code: str | None = None
    seat: str = ""
    turn: str | None = None
    phase: str = ""
    ply: int = 0
    legal: dict[str, list[str]] = {}
    plies: list[Told] = []


READER = msgspec.json.Decoder(Heard)


@dataclass
class Tally:
    """What was seen by all seats together; spans in seconds."""

    seen: list[float] = field(default_factory=list)
    answered: list[float] = field(default_factory=list)
    sent: int = 0
    gaps: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    closed: Counter[str] = field(default_factory=Counter)
    frames: int = 0
    size: int = 0
    over: int = 0
    late: list[float] = field(default_factory=list)
    asking: bool = True
    measuring: bool = False


class Seat(asyncio.Protocol):
    """One person at one board: a socket, random legal moves, and the plies that were told."""

    def __init__(self, game: str, cookie: str, address: str, who: str, tally: Tally, every_s: float) -> None:
        uri = parse_uri(f"ws://{address}/api/games/{game}/socket?since=0")
        self._wire = ClientProtocol(uri, origin=f"http://{address}", max_size=2**20)  # type: ignore[arg-type]
        self._headers = {"Cookie": cookie, "X-Forwarded-For": who}
        self._tally, self._every_s = tally, every_s
        self._transport: asyncio.Transport | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._turned = 0
        self.other: Seat | None = None
        self.ply = 0
        self.acknowledged = 0
        self.sent: tuple[int, float] = (0, 0.0)
        self.played: float = time.perf_counter() - random.random() * every_s
        self.house = False

    def connection_made(self, transport: Any) -> None:
        """Ask for the socket."""
        self._transport = transport
        request = self._wire.connect()
        request.headers = Headers(request.headers)
        for name, value in self._headers.items():
            request.headers[name] = value
        self._wire.send_request(request)
        self._flush()

    def connection_lost(self, exc: Exception | None) -> None:
        """Count a line that the server closed."""
        if self._tally.asking:
            self._tally.closed[str(self._wire.close_code)] += 1
        if self._timer is not None:
            self._timer.cancel()

    def data_received(self, data: bytes) -> None:
        """Hear whole frames."""
        now = time.perf_counter()
        self._wire.receive_data(data)
        for event in self._wire.events_received():
            if getattr(event, "opcode", None) is Opcode.TEXT:
                self._hear(event.data, now)  # type: ignore[union-attr]
        self._flush()

    def leave(self) -> None:
        """Close the socket."""
        if self._transport is not None:
            self._transport.abort()

    def _flush(self) -> None:
        for data in self._wire.data_to_send():
            if data and self._transport is not None:
                self._transport.write(data)

    def _hear(self, data: Any, now: float) -> None:
        frame, tally = READER.decode(data), self._tally
        tally.frames += 1
        tally.size += len(data)
        if frame.type == "done":
            self.acknowledged = self.sent[0]
            if tally.measuring:
                tally.answered.append(now - self.sent[1])
        elif frame.type == "refused":
            tally.refused[frame.code or "?"] += 1
        elif frame.type == "state":
            self._see(frame, now)

    def _see(self, frame: Heard, now: float) -> None:
        tally = self._tally
        for told in frame.plies:
            if told.ply == self.ply + 1:
                self.ply = told.ply
                other = self.other
                if tally.measuring and other is not None and other.sent[0] == told.ply:
                    tally.seen.append(now - other.sent[1])
            elif told.ply > self.ply:
                tally.gaps += 1
                self.ply = told.ply
        if frame.phase == "over":
            tally.over += 1
        if frame.turn == frame.seat and frame.ply == self.ply and self._turned != frame.ply + 1:
            self._turned = frame.ply + 1
            origin = random.choice(list(frame.legal))
            order = (frame.ply + 1, origin, random.choice(frame.legal[origin]))
            # A little earlier or later than `every_s` after his last one, and never before the board was looked at.
            due = self.played + self._every_s * random.uniform(0.75, 1.25)
            self._timer = asyncio.get_running_loop().call_later(max(0.2, due - now), self._move, order)

    def _move(self, order: tuple[int, str, str]) -> None:
        ply, origin, target = order
        if not self._tally.asking:
            return
        form = {"type": "move", "id": f"m{ply}", "ply": ply, "from": origin, "to": target}
        self._wire.send_text(json.dumps(form).encode())
        self.played = time.perf_counter()
        self.sent = (ply, self.played)
        self._tally.sent += 1
        self._flush()


class Http:
    """Requests over a few kept lines; a guest is a cookie and an address."""

    def __init__(self, address: str, lines: int = 6) -> None:
        self._host, port = address.split(":")
        self._port, self._address = int(port), address
        self._free: asyncio.Queue[tuple[asyncio.StreamReader, asyncio.StreamWriter] | None] = asyncio.Queue()
        for _ in range(lines):
            self._free.put_nowait(None)

    async def ask(self, method: str, path: str, guest: tuple[str, str] = ("", "198.51.100.1"), form: Any = None) -> Any:
        """The answer as data; RuntimeError for any refusal."""
        line = await self._free.get()
        try:
            line = line or await asyncio.open_connection(self._host, self._port)
            reader, writer = line
            body = b"" if form is None else json.dumps(form).encode()
            head = f"{method} {path} HTTP/1.1\r\nhost: {self._address}\r\norigin: http://{self._address}\r\n"
            head += f"cookie: {guest[0]}\r\nx-forwarded-for: {guest[1]}\r\ncontent-type: application/json\r\n"
            writer.write(f"{head}content-length: {len(body)}\r\n\r\n".encode() + body)
            answer = await reader.readuntil(b"\r\n\r\n")
            fields = dict(text.lower().split(b": ", 1) for text in answer.split(b"\r\n")[1:] if b": " in text)
            told = await reader.readexactly(int(fields.get(b"content-length", b"0")))
        except (OSError, EOFError):
            line = None
            raise
        finally:
            self._free.put_nowait(line)
        if answer.split(b" ", 2)[1][:1] != b"2":
            raise RuntimeError(f"{method} {path[:14]}: {answer.split(b' ', 2)[1].decode()} {told[:200]!r}")
        return json.loads(told) if told else None


def guest(number: int) -> tuple[str, str]:
    """A cookie and an address that nobody else has."""
    return f"flagfall_guest={secrets.token_urlsafe(32)}", f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"


async def lay(http: Http, number: int, address: str, tally: Tally, args: argparse.Namespace) -> tuple[str, list[Seat]]:
    """One table with both armies on it and its sockets open."""
    house = number >= args.games
    first, second = guest(2 * number), guest(2 * number + 1)
    order: dict[str, Any] = {"variant": "classic", "seat": "red", "first": "lot", "army": ARMY}
    order |= {"clock": {"kind": "fischer", "main_ms": 3_600_000, "add_ms": 10_000}} if args.clock else {}
    order |= {"against": "house", "level": args.level} if house else {"against": "friend"}
    game = (await http.ask("POST", "/api/games", first, order))["game"]
    sitting = [first]
    if not house:
        code = (await http.ask("GET", f"/api/games/{game}", first))["invite"]
        await http.ask("POST", f"/api/invitations/{code}/join", second)
        await http.ask("POST", f"/api/games/{game}/army", second, {"army": ARMY})
        sitting.append(second)
    seats = [Seat(game, cookie, address, who, tally, args.every) for cookie, who in sitting]
    host, port = address.split(":")
    for seat in seats:
        await asyncio.get_running_loop().create_connection(lambda seat=seat: seat, host, int(port))  # type: ignore[misc]
        seat.house = house
    if not house:
        seats[0].other, seats[1].other = seats[1], seats[0]
    return game, seats


@dataclass
class Usage:
    """What a process and its children have used: seconds of CPU, and MB of memory of the process alone."""

    own_s: float
    all_s: float
    rss_mb: float
    peak_mb: float


def usage(pid: int) -> Usage:
    """Read it from the system."""
    parents, spent = {}, {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError, IndexError):
                parts = (entry / "stat").read_text().rsplit(")", 1)[1].split()
                parents[int(entry.name)], spent[int(entry.name)] = (
                    int(parts[1]),
                    (int(parts[11]) + int(parts[12])) / TICKS,
                )
    inside = {pid}
    while more := {child for child, parent in parents.items() if parent in inside} - inside:
        inside |= more
    status = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines() if ":" in line)
    memory = [int(status[name].split()[0]) / 1024 for name in ("VmRSS", "VmHWM")]
    return Usage(spent[pid], sum(spent[one] for one in inside), *memory)


def share(spans: list[float], part: float) -> float | None:
    """A quantile in milliseconds."""
    ordered = sorted(spans)
    return round(1000 * ordered[min(len(ordered) - 1, int(part * len(ordered)))], 1) if ordered else None


async def feel(tally: Tally) -> None:
    """How late this very process wakes: what the generator itself adds to the spans."""
    while True:
        due = time.perf_counter() + 0.05
        await asyncio.sleep(0.05)
        if tally.measuring:
            tally.late.append(max(0.0, time.perf_counter() - due))


async def play(address: str, pid: int | None, args: argparse.Namespace) -> dict[str, Any]:
    """Lay the tables, warm up, measure, and look whether anything was lost."""
    tally, http = Tally(), Http(address)
    feeling = asyncio.create_task(feel(tally))
    begun = time.perf_counter()
    gate, tables = asyncio.Semaphore(args.laying), []

    async def one(number: int) -> None:
        async with gate:
            tables.append(await lay(http, number, address, tally, args))
            if len(tables) % 100 == 0:
                print(f"{len(tables)} tables after {time.perf_counter() - begun:.0f} s", file=sys.stderr)

    await asyncio.gather(*(one(number) for number in range(args.games + args.house)))
    laid = time.perf_counter() - begun
    await asyncio.sleep(args.warm)
    before, own, loads = usage(pid) if pid else None, time.process_time(), [os.getloadavg()[0]]
    tally.measuring, since = True, time.perf_counter()
    sent = tally.sent
    await asyncio.sleep(args.seconds)
    tally.measuring, span = False, time.perf_counter() - since
    after, own = usage(pid) if pid else None, time.process_time() - own
    loads.append(os.getloadavg()[0])
    moved = tally.sent - sent
    tally.asking = False
    await asyncio.sleep(args.settle)
    unseen = sum(seat.other.ply < seat.acknowledged for _, seats in tables for seat in seats if seat.other is not None)
    unanswered = sum(seat.sent[0] > seat.acknowledged for _, seats in tables for seat in seats) - sum(
        tally.refused.values()
    )
    feeling.cancel()
    for _, seats in tables:
        for seat in seats:
            seat.leave()
    form: dict[str, Any] = {
        "games": args.games,
        "house_games": args.house,
        "level": args.level if args.house else None,
        "every_s": args.every,
        "seconds": round(span, 1),
        "moves": moved,
        "moves_per_s": round(moved / span, 1),
        "seen_ms": {"p50": share(tally.seen, 0.5), "p99": share(tally.seen, 0.99), "max": share(tally.seen, 1)},
        "answered_ms": {"p50": share(tally.answered, 0.5), "p99": share(tally.answered, 0.99)},
        "lost": unseen + max(0, unanswered) + tally.gaps,
        "refused": dict(tally.refused),
        "closed": dict(tally.closed),
        "games_over": tally.over // 2,
        "bytes_a_frame": round(tally.size / max(1, tally.frames)),
        "laying_s": round(laid, 1),
        "generator": {"cpu": round(own / span, 2), "late_p99_ms": share(tally.late, 0.99)},
        "load_average": [round(load, 1) for load in loads],
    }
    if before and after:
        form["server"] = {
            "cpu": round((after.own_s - before.own_s) / span, 2),
            "cpu_with_workers": round((after.all_s - before.all_s) / span, 2),
            "rss_mb": round(after.rss_mb),
            "peak_mb": round(after.peak_mb),
        }
    return form


@contextlib.contextmanager
def started(store: str | None, processes: int) -> Iterator[tuple[str, int]]:
    """A server of one's own on a free port, its games in a folder that is thrown away: its address and process."""
    with tempfile.TemporaryDirectory() as folder:
        words = [sys.executable, "-m", "flagfall", "serve", "--port", "0", "--proxy", "127.0.0.1"]
        words += ["--store", store, "--processes", str(processes)] if store else []
        env = {**os.environ, "FLAGFALL_HOME": f"{folder}/home"}
        with Path(folder, "log").open("wb") as log:
            server = subprocess.Popen(words, env=env, stdout=subprocess.PIPE, stderr=log, text=True)
            try:
                said = server.stdout.readline() if server.stdout else ""
                if "http://" not in said:
                    raise SystemExit(Path(folder, "log").read_text() or "the server did not start")
                yield said.split("http://")[1].split("/")[0], server.pid
            finally:
                server.terminate()
                server.wait(30)


async def ready(address: str, processes: int) -> None:
    """Wait until games can be played, whichever process is asked."""
    answered = 0
    while answered < (20 * processes if processes > 1 else 1):
        try:
            await Http(address, 1).ask("GET", "/ready")
        except (RuntimeError, OSError):
            answered = 0
            await asyncio.sleep(0.2)
        else:
            answered += 1


def main() -> int:
    """Run it; 1 where anything was lost."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--games", type=int, default=200, help="live games between people")
    asked.add_argument("--house", type=int, default=0, help="games against the house besides")
    asked.add_argument("--level", default="level-5", help="the house's player in those")
    asked.add_argument("--seconds", type=float, default=60, help="how long is measured")
    asked.add_argument("--every", type=float, default=8, help="seconds between two moves of one person")
    asked.add_argument("--warm", type=float, default=12, help="seconds of play before measuring")
    asked.add_argument("--settle", type=float, default=3, help="seconds after the last move")
    asked.add_argument("--laying", type=int, default=6, help="tables laid at the same time")
    asked.add_argument("--clock", action="store_true", help="play with clocks")
    asked.add_argument("--start", action="store_true", help="start a server for it")
    asked.add_argument("--store", help="with --start: the database")
    asked.add_argument("--processes", type=int, default=1, help="with --store: how many serve")
    asked.add_argument(
        "--address", default="127.0.0.1:8765", help="a server that runs, and trusts 127.0.0.1 as a proxy"
    )
    asked.add_argument("--pid", type=int, help="the process whose use is told")
    args = asked.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 65_536), hard))

    async def run(address: str, pid: int | None) -> dict[str, Any]:
        await ready(address, args.processes)
        return await play(address, pid, args)

    if args.start:
        with started(args.store, args.processes) as (address, pid):
            form = asyncio.run(run(address, pid))
    else:
        form = asyncio.run(run(args.address, args.pid))
    print(json.dumps(form, indent=1))
    return 1 if form["lost"] or form["closed"] else 0


if __name__ == "__main__":
    raise SystemExit(main())
