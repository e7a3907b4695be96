"""A server inside the test's own loop, with time, chance and the house's answers held in the test's hand."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import httpx
import websockets
from argon2 import PasswordHasher

from flagfall.play import roster
from flagfall.play.player import Kind, Reply, Request
from flagfall.play.record import salt
from flagfall.rules.board import Move, make_move, parse_square
from flagfall.rules.deployment import Deployment
from flagfall.rules.pieces import Numbering
from flagfall.server import warming
from flagfall.server.accounts import Accounts
from flagfall.server.app import make_app
from flagfall.server.fellows import Fellows
from flagfall.server.hall import Hall as Waiting
from flagfall.server.host import House, Thinker
from flagfall.server.law import LawKeeper
from flagfall.server.listener import Listener
from flagfall.server.lobby import Lobby
from flagfall.server.nature import Nature
from flagfall.server.orders import Orders
from flagfall.server.pacing import Pacing
from flagfall.server.pages import Pages
from flagfall.server.passwords import Passwords
from flagfall.server.persons import Persons
from flagfall.server.rates import Rate
from flagfall.server.routes import Desk
from flagfall.server.run import bind
from flagfall.server.security import Border, Guard
from flagfall.server.store import Store
from flagfall.server.streams import Streams

RED = "FB3243B322B53B74S5324B62895B742567M26862"
AT_ONCE = Pacing(floor_ms=0, spread_ms=0, step_ms=1)
GENEROUS = Rate(100_000, 100_000)


class Inline:
    """The house's players, thinking in a thread of this process."""

    async def ask(self, request: Request) -> Reply:
        return await asyncio.to_thread(roster.answer, request)


@dataclass
class Scripted:
    """A house that has its army and its moves written down; draws are answered as told, and `asked` keeps count."""

    army: str
    moves: Sequence[str] = ()
    accepts: bool = False
    offers_at: frozenset[int] = frozenset()
    asked: list[str] = field(default_factory=list)
    wait: Callable[[Request], Any] | None = None

    async def ask(self, request: Request) -> Reply:
        self.asked.append(request.kind.value)
        if self.wait is not None:
            await self.wait(request)
        if request.kind is Kind.DEPLOY:
            army = Deployment.parse(self.army, request.variant, request.seat, Numbering.MODERN)
            return Reply(kind=Kind.DEPLOY, deployment=army)
        if request.kind is Kind.DRAW:
            return Reply(kind=Kind.DRAW, accepts_draw=self.accepts)
        number = len(request.events)
        text = self.moves[number // 2]
        return Reply(kind=Kind.MOVE, move=move_of(text), offers_draw=number in self.offers_at)


def still(game: str = "stillgame", now_ms: int = 1_800_000_000_000) -> Nature:
    """A nature in which no time passes and nothing is left to chance; only the first game can be made in it."""

    async def sleep_ms(_: int) -> None:
        await asyncio.sleep(0)

    return Nature(
        now_ms=lambda: now_ms,
        ticks_ms=lambda: 0,
        sleep_ms=sleep_ms,
        game_id=lambda: game,
        token=lambda: "t" * 43,
        secret=lambda: bytes(range(32)),
        lot=lambda: 0,
    )


@contextmanager
def sealed_alike() -> Iterator[None]:
    """Armies are committed to by a word that does not depend on them.

    Without the salt a commitment is a random word to everybody, but to a comparison of bytes it is another one.
    """

    def word(secret: bytes, army: Deployment) -> str:
        return hashlib.blake2b(salt(secret, army.seat), digest_size=32).hexdigest()

    with patch("flagfall.play.referee.commitment", word):
        yield


def move_of(text: str) -> Move:
    """The move that `e4-e5` or `e4xe5` means."""
    origin, target = text.replace("x", "-").split("-")
    return make_move(parse_square(origin), parse_square(target))


class Caller:
    """One guest: his cookie, his questions, his sockets."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.http = httpx.AsyncClient(
            base_url=f"http://{address}",
            timeout=60,
            verify=False,  # noqa: S501 - nothing here is encrypted, and reading the certificates of the world takes long
            headers={"origin": f"http://{address}"},
        )

    async def __aenter__(self) -> Caller:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.http.aclose()

    async def hello(self) -> dict[str, Any]:
        answer = await self.http.get("/api/hello")
        assert answer.status_code == 200
        return dict(answer.json())

    async def sign_up(self, name: str) -> None:
        asked = {"name": name, "password": "correct horse battery"}
        answer = await self.http.post("/api/account", json=asked)
        assert answer.status_code == 201, answer.text

    async def new_game(self, **order: Any) -> dict[str, Any]:
        order = {"variant": "classic", "level": "random", "seat": "red", "first": "red", "army": RED} | order
        answer = await self.http.post("/api/games", json=order)
        assert answer.status_code == 201, answer.text
        return dict(answer.json())

    @asynccontextmanager
    async def table(
        self, game: str, since: int | str = 0, seat: str | None = None, **headers: str
    ) -> AsyncIterator[Line]:
        cookie = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        path = f"ws://{self.address}/api/games/{game}/socket?since={since}"
        path += "" if seat is None else f"&seat={seat}"
        sent = {"cookie": cookie, "origin": f"http://{self.address}"} | headers
        async with websockets.connect(path, additional_headers=sent) as socket:
            yield Line(socket)

    @asynccontextmanager
    async def look_on(self, code: str, since: int | str = 0) -> AsyncIterator[Line]:
        cookie = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        path = f"ws://{self.address}/api/watch/{code}/socket?since={since}"
        sent = {"cookie": cookie, "origin": f"http://{self.address}"}
        async with websockets.connect(path, additional_headers=sent) as socket:
            yield Line(socket)


class Line:
    """One socket of the page, with everything it heard in order."""

    def __init__(self, socket: websockets.ClientConnection) -> None:
        self.socket = socket
        self.heard: list[str] = []
        self.latest: dict[str, Any] | None = None

    async def hear(self, patience_s: float = 100) -> dict[str, Any]:
        async with asyncio.timeout(patience_s):
            text = await self.socket.recv()
        assert isinstance(text, str)
        self.heard.append(text)
        frame: dict[str, Any] = json.loads(text)
        if frame["type"] in ("state", "watched"):
            self.latest = frame
        return frame

    async def until(self, found: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The first frame that is looked for; what came before it is kept in `heard`."""
        while not found(frame := await self.hear()):
            pass
        return frame

    async def state(self, found: Callable[[dict[str, Any]], bool] = lambda state: True) -> dict[str, Any]:
        """The latest state, once it is one that is looked for; it may have come already."""
        while self.latest is None or not found(self.latest):
            await self.hear()
        return self.latest

    async def my_turn(self) -> dict[str, Any]:
        return await self.state(lambda state: state["turn"] == state["seat"] or state["phase"] == "over")

    async def say(self, **frame: Any) -> None:
        await self.socket.send(json.dumps(frame))

    async def ask(self, **frame: Any) -> dict[str, Any]:
        """Send a frame and wait for its own answer."""
        await self.say(**frame)
        return await self.until(lambda heard: heard["type"] in ("done", "refused"))

    async def move(self, text: str, ply: int, name: str | None = None) -> dict[str, Any]:
        origin, target = text.replace("x", "-").split("-")
        name = name or f"m{ply}"
        await self.say(type="move", id=name, ply=ply, **{"from": origin, "to": target})
        return await self.until(lambda heard: heard["type"] in ("done", "refused") and heard["id"] == name)


@dataclass
class Hall:
    """A running server and what it was made of."""

    address: str
    store: Store
    lobby: Lobby
    law: LawKeeper
    orders: Orders
    fellows: Fellows | None = None
    callers: list[Caller] = field(default_factory=list)

    async def caller(self) -> Caller:
        caller = Caller(self.address)
        self.callers.append(caller)
        await caller.hello()
        return caller


@asynccontextmanager
async def hall(
    place: Path | str,
    *,
    thinker: Thinker | None = None,
    nature: Nature | None = None,
    pacing: Pacing = AT_ONCE,
    static: Path | None = None,
    law: LawKeeper | None = None,
    asks: Rate = GENEROUS,
    opens: Rate = GENEROUS,
    lines: int = 10_000,
    frames: Rate = GENEROUS,
    patience: int = 100_000,
    ready: bool = True,
) -> AsyncIterator[Hall]:
    """Serve on a free port until the block ends; at a database as one of several processes, all of them in this one."""
    nature = nature or Nature()
    store = await Store.open(place)
    law = law or LawKeeper(warming.load, warming=())
    fellows = await Fellows.join(store) if store.several else None
    lobby = Lobby(store, House(nature, thinker or Inline(), law, pacing, pacing), fellows)
    listening = bind("127.0.0.1", 0)
    port = listening.getsockname()[1]
    accounts = Accounts(store, lobby, nature, Passwords(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)))
    desk = Desk(
        lobby,
        Waiting(lobby, store, nature),
        accounts,
        Persons(store, nature),
        nature,
        Pages(static or Path("no page")),
        Streams(store, lobby, accounts, nature, frames),
        frames=frames,
        patience=patience,
    )
    up = asyncio.Event()
    border = replace(Border.local(port), asks=asks, opens=opens, lines=lines)
    app = make_app(desk) if fellows is None else fellows.behind(make_app(desk), lobby)
    server = Listener(Guard(app, border, nature), up.set, signals=False)
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    orders = Orders(store, lobby, accounts.bans, nature)
    running = Hall(f"127.0.0.1:{port}", store, lobby, law, orders, fellows)
    try:
        law.start()
        if ready:
            await law.ready(60)
        await up.wait()
        yield running
    finally:
        for caller in running.callers:
            await caller.http.aclose()
        server.should_exit = True
        await serving
        if fellows is not None:
            await fellows.turn_away()
        await lobby.rooms.close()
        await law.stop()
        if fellows is not None:
            await fellows.close()
        await store.close()
