"""Running the server: bind, say where it listens, open the browser, get the law ready behind it, stop cleanly."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import os
import socket
import sys
import webbrowser
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import structlog

from flagfall.errors import BadMessage, FlagfallError, NotAllowed, NotFound
from flagfall.play import roster
from flagfall.play.variants import opened
from flagfall.rules.catalog import adopt
from flagfall.server import warming
from flagfall.server.accounts import Accounts
from flagfall.server.app import make_app
from flagfall.server.counts import Counts
from flagfall.server.crew import Crew
from flagfall.server.hall import Hall
from flagfall.server.home import STORE, Lock, default_home, private_folder
from flagfall.server.host import House
from flagfall.server.law import WARMING, LawKeeper
from flagfall.server.listener import Listener
from flagfall.server.lobby import Lobby
from flagfall.server.logs import set_up_logs
from flagfall.server.nature import Nature
from flagfall.server.orders import Orders
from flagfall.server.pages import Pages
from flagfall.server.persons import Persons
from flagfall.server.place import LOOPBACK, Place, most_files
from flagfall.server.routes import FRAMES, Desk
from flagfall.server.security import Border, Guard
from flagfall.server.store import Store, StoreFault
from flagfall.server.streams import Streams
from flagfall.server.sweeping import sweep
from flagfall.wire.pool import Pool

if TYPE_CHECKING:
    from flagfall.server.fellows import Fellows

log = structlog.get_logger()

WORKERS = 2
NOWHERE = Place()
USUAL = "level-5"
"""The player that is got ready first where none is asked for."""
FREE_PORTS = 20
"""How many ports after the wanted one are tried before any free one is taken."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a server is started with.

    store: a path or a database address. player: who the workers get ready first. up: called once the page is up. at:
    what only a server for other people has.
    """

    listening: socket.socket
    border: Border
    store: Path | str
    player: str
    up: Callable[[], None]
    at: Place = NOWHERE


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


def serve(at: Place, store: str | None = None, home: Path | None = None) -> int:
    """Serve for other people at an address, until told to stop.

    Raises NotAllowed `foreign_owner`, `port_taken`, `cannot_listen`, BadMessage `bad_origin`, `one_process`.
    """
    set_up_logs(logging.INFO, as_json=True)
    listening = bind(at.host, at.port, only=True)
    found = listening.getsockname()[1]
    border = _border(at, found)
    most_files()

    def up() -> None:
        _say(f"Flagfall listens at {at.listens(found)}" + (f", for {border.origin}/" if border.origin else ""))

    if at.processes > 1:
        if not (store or "").startswith("postgres"):
            raise BadMessage("several processes need a PostgreSQL by --store", code="one_process")
        with listening:
            up()
            return Crew(at.processes, partial(_one_of, at, store or ""), listening).run()
    with listening, Lock(private_folder(home or default_home())) as lock:
        place: Path | str = store if store is not None else lock.folder / STORE
        if store is None and not lock.taken:
            _say(f"Another server uses these games: {lock.told}")
            return 1
        return _run(Plan(listening, border, place, USUAL, up, at))


def _border(at: Place, port: int) -> Border:
    border = replace(Border.local(port, at.host, socket.gethostname()), addresses=port)
    return border if at.origin is None else border.behind(at.origin)


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


def _one_of(at: Place, store: str, number: int, listening: socket.socket) -> int:
    """Serve as one of several processes, until told to stop or left behind."""
    set_up_logs(logging.INFO, as_json=True)
    most_files()
    at = replace(at, metrics=at.metrics + number if at.metrics else at.metrics)
    try:
        return _run(Plan(listening, _border(at, listening.getsockname()[1]), store, USUAL, lambda: None, at))
    except FlagfallError as error:
        sys.stderr.write(f"flagfall: {error.stable_code}: {error}\n")
        return 1


def _run(plan: Plan) -> int:
    os.umask(0o077)
    try:
        with asyncio.Runner(loop_factory=_loop()) as runner:
            runner.run(_serve(plan))
    except FlagfallError:
        raise
    except KeyboardInterrupt:
        pass
    return 0


def _loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """The quick event loop where there is one for this system, else Python's own."""
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop


async def _serve(plan: Plan) -> None:
    nature, counts, at = Nature(), Counts(), plan.at
    store = await Store.open(plan.store, counts)
    fellows = await _fellows(store)
    pool = Pool(WORKERS if at.processes == 1 else 1, players=(plan.player,))
    warmed = warming.warmed()
    law = LawKeeper(warming.load, () if warmed else WARMING)
    lobby = Lobby(store, House(nature, pool, law, counts=counts), fellows)
    hall, accounts = Hall(lobby, store, nature), Accounts(store, lobby, nature)
    secure = (plan.border.origin or "").startswith("https:")
    streams = Streams(store, lobby, accounts, nature, FRAMES)
    desk = Desk(lobby, hall, accounts, Persons(store, nature), nature, Pages(), streams, secure_cookie=secure)

    def up() -> None:
        plan.up()
        law.start()

    await accounts.bans.read()
    orders = Orders(store, lobby, accounts.bans, nature)
    beside = [asyncio.create_task(task) for task in (_ready(law, pool), sweep(law), orders.run())]
    inner = make_app(desk)
    app = at.behind(Guard(inner if fellows is None else fellows.behind(inner, lobby), plan.border, nature))
    listener = Listener(app, up, health=lobby.health, drain_s=at.drain_s)
    try:
        with _measured(at.metrics, lobby, law) as measuring, listener.ending_with_parent():
            beside += [] if measuring is None else [asyncio.create_task(measuring)]
            await listener.serve(sockets=[plan.listening])
    finally:
        if fellows is not None:
            await fellows.turn_away()
        for task in beside:
            task.cancel()
        await asyncio.gather(*beside, return_exceptions=True)
        await lobby.rooms.close()
        await law.stop()
        await pool.close()
        if fellows is not None:
            await fellows.close()
        await store.close()
        log.info("stopped")


async def _fellows(store: Store) -> Fellows | None:
    """The place of this process among others, where the store may have several. Raises StoreFault."""
    if not store.several:
        return None
    # Questions to other processes need a client of HTTP, which a server with a file would load for nothing.
    from flagfall.server.fellows import Fellows

    try:
        return await Fellows.join(store)
    except StoreFault:
        await store.close()
        raise


@contextlib.contextmanager
def _measured(port: int | None, lobby: Lobby, law: LawKeeper) -> Iterator[Coroutine[Any, Any, None] | None]:
    """The operator's numbers at their port, if one is wanted, and what has to run beside for them."""
    if port is None:
        yield None
        return
    from flagfall.server import metrics

    gathered = metrics.Gathered(lobby.counts, lambda: len(lobby.rooms), lambda: law.usable)
    with metrics.told(port, gathered) as found:
        _say(f"Numbers for the operator are at http://{LOOPBACK}:{found}/metrics")
        yield metrics.feel_lag(lobby.counts)


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
