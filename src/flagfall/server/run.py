"""Running the server: bind, say where it listens, open the browser, get the law ready behind it, stop cleanly."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import os
import signal
import socket
import sys
import webbrowser
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlencode

import structlog
import uvicorn

from flagfall.errors import FlagfallError, NotAllowed, NotFound
from flagfall.play import roster
from flagfall.play.variants import opened
from flagfall.rules.catalog import adopt
from flagfall.server import warming
from flagfall.server.accounts import Accounts
from flagfall.server.app import make_app
from flagfall.server.hall import Hall
from flagfall.server.home import STORE, Lock, default_home, private_folder
from flagfall.server.host import House
from flagfall.server.law import WARMING, LawKeeper
from flagfall.server.lobby import Lobby
from flagfall.server.logs import set_up_logs
from flagfall.server.nature import Nature
from flagfall.server.pages import Pages
from flagfall.server.prompt import Prompt
from flagfall.server.routes import Desk
from flagfall.server.security import App, Border
from flagfall.server.store import Store
from flagfall.wire.pool import Pool

log = structlog.get_logger()

LOOPBACK = "127.0.0.1"
WORKERS = 2
LONGEST_FRAME = 4_096
MOST_CONNECTIONS = 4_000
KEEP_SECONDS = 10
"""How long a line may lie idle between two questions."""
USUAL = "level-5"
"""The player that is got ready first where none is asked for."""
FREE_PORTS = 20
"""How many ports after the wanted one are tried before any free one is taken."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a server is started with.

    store: a path or a database address. player: who the workers get ready first. up: called once the page is up.
    """

    listening: socket.socket
    border: Border
    store: Path | str
    player: str
    up: Callable[[], None]


def play(
    port: int = 8765,
    browser: bool = True,
    level: int | str | None = None,
    variant: str | None = None,
    home: Path | None = None,
) -> int:
    """Serve games against the house on this machine until Ctrl-C. Raises NotFound, NotAllowed `foreign_owner`.

    level, variant: what the page offers first; None leaves it to what its reader chose last. A variant from a file is
    listed beside those of the catalogue. Raises Unreadable and BadVariant for such a file.
    """
    player = USUAL if level is None else level if isinstance(level, str) else f"level-{level}"
    if not roster.known(player):
        raise NotFound("no player of the house has this name", code="unknown_player")
    if variant is not None:
        entry = opened(variant)
        adopt(entry)
        variant = entry.variant.name
    asked = {name: word for name, word in (("level", level and player), ("variant", variant)) if word}
    set_up_logs(logging.WARNING)
    lock = Lock(private_folder(home or default_home()))
    if not lock.taken:
        _say(f"Flagfall is running already: {lock.told}")
        _open_browser(browser, lock.told)
        return 0
    listening = bind(LOOPBACK, port)
    found = listening.getsockname()[1]
    address = f"http://{LOOPBACK}:{found}/"
    if port not in (0, found):
        _say(f"Port {port} is taken; Flagfall uses {found} instead.")
    lock.tell(address)

    def up() -> None:
        _say(f"Flagfall is at {address}  (Ctrl-C ends it)")
        _open_browser(browser, f"{address}?{urlencode(asked)}" if asked else address)

    with lock, listening:
        return _run(Plan(listening, Border.local(found), lock.folder / STORE, player, up))


def serve(host: str = LOOPBACK, port: int = 8765, store: str | None = None, home: Path | None = None) -> int:
    """Serve for other people at an address, until told to stop. Raises NotAllowed `foreign_owner`."""
    set_up_logs(logging.INFO, as_json=True)
    listening = bind(host, port, only=True)
    found = listening.getsockname()[1]
    border = replace(Border.local(found, host, socket.gethostname()), addresses=found)
    with listening, Lock(private_folder(home or default_home())) as lock:
        place: Path | str = store if store is not None else lock.folder / STORE
        if store is None and not lock.taken:
            _say(f"Another server uses these games: {lock.told}")
            return 1
        return _run(Plan(listening, border, place, USUAL, lambda: _say(f"Flagfall listens at http://{host}:{found}/")))


def bind(host: str, port: int, only: bool = False) -> socket.socket:
    """A listening socket at the wanted port, else at one of the next, else at any; `only` the wanted one.

    Raises NotAllowed `port_taken`, and `cannot_listen` where the address is none of this machine's or is not ours to
    use.
    """
    wanted = [port] if only else [*range(port, min(port + FREE_PORTS, 65_536)), 0] if port else [0]
    for candidate in wanted:
        made = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            made.bind((host, candidate))
            made.listen(128)
        except (OSError, UnicodeError) as error:
            made.close()
            if candidate == wanted[-1]:
                raise _deaf(error) from None
        else:
            return made
    raise NotAllowed("no port can be had", code="port_taken")


def _deaf(error: Exception) -> NotAllowed:
    """Why a server cannot listen."""
    if isinstance(error, OSError) and error.errno == errno.EADDRINUSE:
        return NotAllowed("another program listens at this port", code="port_taken")
    return NotAllowed("this machine does not let us listen at this address", code="cannot_listen")


class Listener(uvicorn.Server):
    """Uvicorn set up our way: it says when it is up, and signals (if it is to hear them) only ask it to stop.

    What was started besides can so be ended in order, and no log line holds a request's words.
    """

    def __init__(self, app: App, up: Callable[[], None], signals: bool = True) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                lifespan="off",
                ws="websockets-sansio",
                ws_max_size=LONGEST_FRAME,
                ws_per_message_deflate=False,
                http=Prompt,
                timeout_keep_alive=KEEP_SECONDS,
                log_config=None,
                access_log=False,
                server_header=False,
                date_header=False,
                proxy_headers=False,
                limit_concurrency=MOST_CONNECTIONS,
                timeout_graceful_shutdown=2,
            )
        )
        self._up, self._signals = up, signals

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen, and say so."""
        await super().startup(sockets)
        self._up()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Take the first signal as a wish and the second as an order; none is raised again at the end."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM) if self._signals else ():
            loop.add_signal_handler(number, self._asked_to_stop)
        yield

    def _asked_to_stop(self) -> None:
        self.force_exit = self.should_exit
        self.should_exit = True


def _run(plan: Plan) -> int:
    os.umask(0o077)
    try:
        asyncio.run(_serve(plan))
    except FlagfallError:
        raise
    except KeyboardInterrupt:
        pass
    return 0


async def _serve(plan: Plan) -> None:
    nature = Nature()
    store = await Store.open(plan.store)
    pool = Pool(WORKERS, players=(plan.player,))
    warmed = warming.warmed()
    law = LawKeeper(warming.load, () if warmed else WARMING)
    lobby = Lobby(store, House(nature, pool, law))
    desk = Desk(lobby, Hall(lobby, store, nature), Accounts(store, lobby, nature), nature, Pages())

    def up() -> None:
        plan.up()
        law.start()

    getting_ready = asyncio.create_task(_ready(law, pool))
    try:
        await Listener(make_app(desk, plan.border), up).serve(sockets=[plan.listening])
    finally:
        getting_ready.cancel()
        await asyncio.gather(getting_ready, return_exceptions=True)
        await lobby.close()
        await law.stop()
        await pool.close()
        await store.close()


async def _ready(law: LawKeeper, pool: Pool) -> None:
    """Start a worker once the page is up, the others after the law: no more is compiled at once than two cores can."""

    async def start(workers: int | None = None) -> None:
        try:
            await pool.start(workers)
        except FlagfallError as error:
            log.error("workers_failed", code=error.stable_code)

    await law.begun()
    async with asyncio.TaskGroup() as starting:
        starting.create_task(start(1))
        await law.ready()
        starting.create_task(start())


def _open_browser(wanted: bool, address: str) -> None:
    """Open the browser where there is a screen to open it on: a text browser would take the terminal."""
    screen = sys.platform in ("darwin", "win32") or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if wanted and screen:
        with contextlib.suppress(RuntimeError):
            asyncio.get_running_loop().run_in_executor(None, webbrowser.open, address)
            return
        webbrowser.open(address)


def _say(words: str) -> None:
    sys.stdout.write(words + "\n")
    sys.stdout.flush()
