"""The front door: words to calls.

To add a command, write a function here whose docstring is its help, import what does the work inside it, and return
an exit status or nothing. Nothing heavy is imported above, so `flagfall --help` is quick and needs no other room.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import App, CycloptsError, Parameter, validators
from cyclopts.types import ExistingFile, ExistingPath, NonNegativeFloat, NonNegativeInt, PositiveInt

from flagfall.admin_commands import admin
from flagfall.errors import FlagfallError
from flagfall.library_commands import bring, library
from flagfall.record_commands import replay, verify
from flagfall.version import VERSION

Level = Literal[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
Port = Annotated[
    int,
    Parameter(help="Port on this machine; 0 takes a free one.", validator=validators.Number(gte=0, lte=65_535)),
]
Variant = Annotated[
    str, Parameter(help="Name of the game played, as `flagfall variants` lists them, or a JSON file of your own.")
]
Json = Annotated[bool, Parameter(name="--json", negative="", help="Print JSON for a program to read.")]
Milliseconds = Annotated[PositiveInt | None, Parameter(help="Thinking time for a move, in milliseconds.")]
Nodes = Annotated[PositiveInt | None, Parameter(help="Positions searched for a move, instead of a time.")]
Seed = Annotated[NonNegativeInt, Parameter(help="Seed of everything drawn by lot; the same seed gives the same games.")]

USAGE = 2

app = App(
    name="flagfall",
    help="Play the board game Stratego against the machine, and look into how it plays.",
    version=VERSION,
    help_format="plaintext",
    exit_on_error=False,
    print_error=True,
    result_action="return_int_as_exit_code_else_zero",
)
variants = App(name="variants", help="List the games that Flagfall plays, or draw one.")
arena = App(name="arena", help="Let machines play against each other.")
bench = App(name="bench", help="Measure how fast this house works on this machine.")
for group in (variants, arena, bench, library, admin):
    app.command(group)
app.command(replay)
app.command(verify)
app.command(bring, name="import")


@app.command
def play(
    *, port: Port = 8765, browser: bool = True, level: Level | None = None, variant: Variant | None = None
) -> int | None:
    """Open a game against the machine in the browser.

    Parameters
    ----------
    browser
        Open the browser by itself.
    level
        Strength of the machine that is offered first, from 1 (a beginner) to 10.
    """
    from flagfall.server import run

    return run.play(port=port, browser=browser, level=level, variant=variant)


@app.command
def serve(
    *,
    host: str = "127.0.0.1",
    port: Port = 8765,
    store: Annotated[str | None, Parameter(env_var="FLAGFALL_STORE")] = None,
    origin: str | None = None,
    proxy: Annotated[tuple[str, ...], Parameter(negative="")] = (),
    metrics_port: Port | None = None,
    drain: NonNegativeFloat = 0.0,
    processes: PositiveInt = 1,
) -> int | None:
    """Run the server for other people (docs/hosting.md).

    Parameters
    ----------
    host
        Address to listen at.
    store
        Where games are kept, as postgresql://…; left out, a file of SQLite's in your data folder.
    origin
        Where people find it if that is a proxy, as in https://games.example.org.
    proxy
        Address or network of a proxy whose X-Forwarded-For is believed; may be given again.
    metrics_port
        Port of the loopback address for numbers in Prometheus' form.
    drain
        Seconds to go on after the wish to stop, while /ready answers no.
    processes
        How many server processes share the address and the store; more than one need PostgreSQL.
    """
    from flagfall.server import run
    from flagfall.server.place import Place

    return run.serve(Place(host, port, origin, proxy, metrics_port, drain, processes), store=store)


@app.command
def check(files: Annotated[list[ExistingFile], Parameter(negative="")], /) -> int:
    """Replay recorded games and single cases of the law; a line for each failure, then a closing line.

    Parameters
    ----------
    files
        Files of JSON lines, a case or a game each, or records that the page wrote.
    """
    from flagfall.check import lines

    return lines.run_files(files)


@app.command
def perft(
    variant: str, depth: NonNegativeInt, /, *, position: ExistingFile | None = None, json: Json = False
) -> int | None:
    """Count the sequences of so many plies, all ranks known, from a fixed army on both sides or a given position.

    Parameters
    ----------
    variant
        Name of the game, or a JSON file of your own.
    depth
        Number of plies.
    position
        A file with one JSON object to start from instead of the game's own start.
    """
    from flagfall.check import perft as counting

    return counting.main(variant, depth, position, as_json=json)


@variants.default
def list_variants(*, json: Json = False) -> None:
    """List the games that Flagfall plays, or draw one."""
    from json import dumps

    from flagfall.play import variants as telling
    from flagfall.rules.catalog import ENTRIES

    if json:
        print(dumps([{**entry.to_json(), "digest": entry.variant.digest} for entry in ENTRIES.values()]))
        return
    print(telling.listed(ENTRIES.values()))


@variants.command
def show(name: str, /, *, json: Json = False) -> None:
    """Draw the board of a game, and tell its men, law, usual clock and source.

    Parameters
    ----------
    name
        Name of the game, or a JSON file of your own.
    """
    from json import dumps

    from flagfall.play import variants as telling

    entry = telling.opened(name)
    print(dumps({**entry.to_json(), "digest": entry.variant.digest}) if json else telling.drawn(entry))


@app.command
def bot(
    name: str,
    /,
    *,
    protocol: Literal["flagfall", "evaluator"] = "flagfall",
    time_ms: Milliseconds = None,
    nodes: Nodes = None,
    seed: Seed = 0,
) -> int | None:
    """Run a house player over standard input and output.

    Parameters
    ----------
    name
        A player: level-1 to level-10, beginner or random.
    protocol
        Language spoken on the pipe: flagfall, or evaluator for one game of Classic under a contest's manager.
    """
    from flagfall.wire import bot as pipe

    return pipe.main(name, protocol=protocol, time_ms=time_ms, nodes=nodes, seed=seed)


@arena.command
def match(
    a: str,
    b: str,
    /,
    *,
    games: PositiveInt = 20,
    variant: Variant = "classic",
    time_ms: Milliseconds = None,
    nodes: Nodes = None,
    seed: Seed = 0,
    jobs: PositiveInt = 1,
    out: Path | None = None,
    law: str | None = None,
) -> int | None:
    """Play a match between two machines in pairs of games, with colours swapped.

    House players swap deployments too. Where a foreign program takes part each sets up anew, and no seed is used.

    Parameters
    ----------
    a
        First player: level-1 to level-10, beginner (looks one ply ahead), random, or a
        foreign program by the protocol it speaks: flagfall:COMMAND or evaluator:COMMAND.
    b
        Second player.
    games
        Number of games.
    jobs
        Number of processes.
    out
        File for the result and every record, as JSON.
    law
        Law by the name of a preset, such as isf or ucc2012 (no rule of repetition), instead of the game's own.
    """
    from flagfall.arena import match as matches

    return matches.run(
        a, b, games=games, variant=variant, time_ms=time_ms, nodes=nodes, seed=seed, jobs=jobs, out=out, law=law
    )


@bench.command
def belief(
    files: Annotated[list[ExistingFile] | None, Parameter(negative="")] = None,
    /,
    *,
    games: PositiveInt = 20,
    seed: Seed = 0,
    json: Json = False,
) -> int | None:
    """Measure how well hidden ranks are guessed, by counting alone, by squares, and as the players do.

    Parameters
    ----------
    files
        Files of matches or records, or lines of recorded games; left out, house players play some games for it.
    games
        How many games are played where no file is given.
    """
    from flagfall.check import beliefs

    return beliefs.run(files or [], games=games, seed=seed, as_json=json)


@bench.command
def law(*, json: Json = False) -> int | None:
    """Measure the compiled law: whole random games, and trees of moves made and unmade."""
    from flagfall.check import bench as measure

    return measure.law(as_json=json)


@bench.command
def mind(*, json: Json = False) -> int | None:
    """Measure the machine player: its signature, nodes a second, and every level's time, depth and nodes a move."""
    from flagfall.check import thinking as measure

    return measure.report(as_json=json)


@app.command
def train(
    folder: Path, /, *, games: PositiveInt = 400, nodes: PositiveInt = 2_000, seed: Seed = 0, jobs: PositiveInt = 1
) -> int:
    """Let the strongest level play itself, and fit what men are worth to how those games ended.

    The games stay in the folder, so a run that was broken off goes on where it broke, and one with more games adds to
    them. Written are `weights.json`, which takes the place of the one in `flagfall/mind` if a match says so, and the
    loss on games held out by the number of games used.

    Parameters
    ----------
    folder
        Where games and weights are kept; made where there is none.
    games
        How many games to learn from.
    jobs
        How many processes play.
    """
    from flagfall.training import teach

    return teach(folder, games=games, nodes=nodes, seed=seed, jobs=jobs)


@app.command
def warm() -> None:
    """Compile the law and the players now and keep the result, so that the first game starts at once."""
    from rich.console import Console
    from rich.progress import track

    from flagfall.play import roster
    from flagfall.server import warming
    from flagfall.wire import bot as pipe

    told = Console(stderr=True)
    for _ in track(warming.steps(), "Compiling the law", total=len(warming.SHARES), console=told):
        pass
    for name in track(roster.names(), "Waking the players", console=told):
        pipe.warm(name)


@app.command
def export(
    sources: Annotated[list[ExistingPath], Parameter(negative="")],
    /,
    *,
    form: Annotated[str | None, Parameter(name="--format")] = None,
    to: Path | None = None,
    overwrite: Annotated[bool, Parameter(negative="")] = False,
) -> int:
    """Write games, deployments and positions in another program's format, or in Flagfall's own.

    Without a format it lists those that can be written. What a file holds is found out by itself. Of a library it
    takes the games, or the deployments for a format that holds no games.

    Parameters
    ----------
    sources
        Records, foreign files, zip and gzip bundles of them, or a library.
    form
        Name of the format to write.
    to
        File to write; a folder for a format that holds one game a file.
    overwrite
        Write over files that exist.
    """
    from flagfall.archive import exporting, formats

    if form is None or to is None:
        print(exporting.listed())
        return USAGE
    told = exporting.export(sources, formats.named(form), to, overwrite=overwrite)
    for sentence in told.told:
        print(sentence, file=sys.stderr)
    left = ", ".join(f"{count} {code}" for code, count in told.left_out.most_common()) or "nothing"
    print(f"{told.written} written to {to} in {told.files} files, left out: {left}")
    return 1 if told.left_out else 0


def main(words: Sequence[str] | None = None) -> int:
    """Run one command; its status, 1 after an error of Flagfall's own tree, 2 for bad usage."""
    try:
        return int(app(words))
    except CycloptsError:
        return USAGE
    except FlagfallError as error:
        print(f"flagfall: {error.stable_code}: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        # The reader went away (`| head`); what is still buffered has nowhere to go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
