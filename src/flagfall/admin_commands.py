"""The wing of the front door for whoever runs a server: `flagfall admin`."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from cyclopts import App, Parameter
from cyclopts.types import NonNegativeFloat, PositiveFloat, PositiveInt

if TYPE_CHECKING:
    from flagfall.server.operator import Operator

admin = App(name="admin", help="Mind a server's games and people (docs/admin.md).")
Where = Annotated[
    str | None,
    Parameter(
        env_var="FLAGFALL_STORE",
        help="The server's store, as postgresql://…; left out, the file in your data folder.",
    ),
]
Json = Annotated[bool, Parameter(name="--json", negative="", help="Print JSON for a program to read.")]
Wait = Annotated[NonNegativeFloat, Parameter(help="Seconds to wait for a running server to obey.")]
Answer = TypeVar("Answer")
PATIENCE_S = 10.0


@admin.command(name="games")
def list_games(
    *,
    of: str | None = None,
    running: Annotated[bool, Parameter(negative="")] = False,
    finished: Annotated[bool, Parameter(negative="")] = False,
    most: PositiveInt = 50,
    store: Where = None,
    as_json: Json = False,
) -> None:
    """List the latest games: who sits where, how far they are, how they ended; never a rank.

    Parameters
    ----------
    of
        An account's name, or GAME/red or GAME/blue for whoever sits there.
    running, finished
        Only such games.
    """
    over = None if running == finished else finished
    rows = _asked(store, lambda operator: operator.list_games(of, over=over, most=most))
    _show(rows if as_json else [_short(row) for row in rows], as_json)


@admin.command(name="abort")
def call_off(game: str, /, *, wait: Wait = PATIENCE_S, store: Where = None) -> int:
    """Call a running game off: it counts for nothing, and its armies stay closed."""
    return _told(_asked(store, lambda operator: operator.call_off(game, wait)))


@admin.command
def ban(who: str, /, *, reason: str, store: Where = None) -> None:
    """Ban an account, or the guest at a seat: no game, no hall, no looking on.

    Parameters
    ----------
    who
        An account's name, or GAME/red or GAME/blue for whoever sits there.
    reason
        Why, for the list of bans; the banned person is not told.
    """
    _asked(store, lambda operator: operator.ban(who, reason))
    print("banned; running servers hear of it within two seconds")


@admin.command
def unban(who: str, /, *, store: Where = None) -> None:
    """Lift a ban.

    Parameters
    ----------
    who
        As for `ban`, or guest-… as `bans` lists it.
    """
    _asked(store, lambda operator: operator.unban(who))
    print("unbanned; running servers hear of it within two seconds")


@admin.command(name="bans")
def list_bans(*, store: Where = None, as_json: Json = False) -> None:
    """List who is banned, since when and why."""
    _show(_asked(store, lambda operator: operator.list_bans()), as_json)


@admin.command(name="export")
def hand_out(game: str, /, *, to: Path | None = None, store: Where = None) -> None:
    """Write the record of a finished game, as the page saves it.

    Parameters
    ----------
    to
        A file that does not exist yet; left out, it is printed.
    """
    text = json.dumps(_asked(store, lambda operator: operator.record(game)), ensure_ascii=False)
    if to is None:
        print(text)
        return
    with to.open("x", encoding="utf-8") as file:
        file.write(text + "\n")


@admin.command(name="reports")
def list_reports(
    *, closed: Annotated[bool, Parameter(negative="")] = False, store: Where = None, as_json: Json = False
) -> None:
    """List what players hold against each other.

    Parameters
    ----------
    closed
        Those that were put away too.
    """
    _show(_asked(store, lambda operator: operator.list_reports(closed=closed)), as_json)


@admin.command(name="close-report")
def close_report(number: PositiveInt, /, *, store: Where = None) -> None:
    """Put a report away."""
    _asked(store, lambda operator: operator.close_report(number))


@admin.command(name="rebuild-ratings")
def rebuild_ratings(*, store: Where = None) -> None:
    """Work every rating out anew from the results of rated games; stop the servers of this store first."""
    print(_asked(store, lambda operator: operator.rebuild_ratings()), "rated games")


@admin.command(name="audit")
def list_audit(*, days: PositiveFloat = 7, most: PositiveInt = 500, store: Where = None, as_json: Json = False) -> None:
    """Show who did what to accounts and games.

    Parameters
    ----------
    days
        How far to look back.
    """
    _show(_asked(store, lambda operator: operator.audited(days, most)), as_json)


def _asked(place: str | None, question: Callable[[Operator], Awaitable[Answer]]) -> Answer:
    """Ask the operator's part of a store that is there. Raises NotFound `no_store`, StoreFault and what is asked."""
    import asyncio

    from flagfall.errors import NotFound
    from flagfall.server.home import STORE, default_home
    from flagfall.server.nature import Nature
    from flagfall.server.operator import Operator
    from flagfall.server.store import Store

    where: Path | str = place or default_home() / STORE
    if isinstance(where, Path) and not where.exists():
        raise NotFound("there is no store in your data folder; name one by --store", code="no_store")

    async def ask() -> Answer:
        store = await Store.open(where)
        try:
            return await question(Operator(store, Nature()))
        finally:
            await store.close()

    return asyncio.run(ask())


def _short(game: dict[str, Any]) -> dict[str, Any]:
    """A game in as few columns as a terminal has room for."""
    house = game["level"] or game["against"]
    how = f"{game['result']}, {game['reason']}" if game["phase"] == "over" else game["phase"]
    return {
        "id": game["id"],
        "game": game["variant"],
        "red": game["red"] or house,
        "blue": game["blue"] or house,
        "stands": f"{how}, ply {game['ply']}",
        "updated_ms": game["updated_ms"],
    }


def _show(rows: Sequence[dict[str, Any]], as_json: bool) -> None:
    """Print rows as a table, or each as a line of JSON; what people wrote cannot steer the terminal."""
    if as_json:
        for row in rows:
            print(json.dumps(row))
        return
    from datetime import UTC, datetime

    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console()
    if not rows:
        console.print("none")
        return
    table = Table(box=None, pad_edge=False)
    for name in rows[0]:
        table.add_column(name.removesuffix("_ms"), overflow="fold", no_wrap=name in ("id", "who", "red", "blue"))
    for row in rows:
        cells = []
        for name, value in row.items():
            text = "" if value is None else str(value)
            if name.endswith("_ms") and value is not None:
                text = datetime.fromtimestamp(value / 1000, UTC).strftime("%Y-%m-%d %H:%M")
            cells.append(Text("".join(sign if sign.isprintable() else "?" for sign in text)))
        table.add_row(*cells)
    console.print(table)


def _told(outcome: str | None) -> int:
    """Say what came of an order; 1 where something was in the way."""
    if outcome is None:
        print("ordered; no server has obeyed yet, the next one that uses this store will")
        return 0
    print(outcome)
    return 0 if outcome == "done" else 1
