"""The wing of the front door that leads to the library: `flagfall import` and `flagfall library`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import App, Parameter, validators
from cyclopts.types import ExistingPath, PositiveInt

Folder = Annotated[Path, Parameter(help="The folder of a library.")]
Json = Annotated[bool, Parameter(name="--json", negative="", help="Print JSON for a program to read.")]
Limit = Annotated[PositiveInt, Parameter(help="The most lines that are shown.")]
Name = Annotated[str | None, Parameter(name="--variant", help="Only this game, by its name in `flagfall variants`.")]
Squares = Annotated[
    float, Parameter(help="How many squares from it a deployment may be.", validator=validators.Number(gte=0, lte=40))
]

library = App(name="library", help="Ask a library of games and deployments.")


def bring(
    sources: Annotated[list[ExistingPath], Parameter(negative="")],
    /,
    *,
    to: Annotated[Path, Parameter(help="The folder of the library; a new one is made where there is none.")],
    json: Json = False,
) -> int:
    """Read games and deployments, in any format that is known, into a library.

    Every game is played through again; whatever is refused is named with its reason. A file that was read before is
    skipped, so an import that was broken off goes on where it broke.

    Parameters
    ----------
    sources
        Files, bundles and folders of files.
    """
    from flagfall.archive import show

    return show.bring(sources, to, as_json=json)


@library.command
def games(
    folder: Folder,
    /,
    *,
    variant: Name = None,
    player: str | None = None,
    result: Literal["red", "blue", "draw", "going"] | None = None,
    reason: str | None = None,
    opening: str | None = None,
    within: Squares = 0,
    min_plies: PositiveInt | None = None,
    max_plies: PositiveInt | None = None,
    limit: Limit = 20,
    json: Json = False,
) -> None:
    """List the games of which all of this is true.

    Parameters
    ----------
    player
        Who sat at either side.
    result
        Who won.
    reason
        Why it ended: flag, stuck, resigned, time and so on.
    opening
        What either side set up, as it stands or mirrored: the signs of the home area, back row first.
    min_plies
        Not shorter than this.
    max_plies
        Not longer than this.
    """
    from flagfall.archive import show

    question = show.question_of(
        opening=opening, variant_name=variant, within=within, player=player, result=result, reason=reason,
        least_plies=min_plies, most_plies=max_plies,
    )  # fmt: skip
    show.show_games(folder, question, limit=limit, as_json=json)


@library.command
def deployments(
    folder: Folder, /, *, variant: Name = None, like: str | None = None, limit: Limit = 20, json: Json = False
) -> None:
    """List deployments: the most used ones, or those nearest to one.

    A square counts 1 where the men differ, less where both have an officer: the difference of their ranks, from
    sergeant to marshal, in sixths. Of a deployment and its mirror image the nearer counts.

    Parameters
    ----------
    like
        A deployment of Classic, or of the named variant: the signs of its home area, back row first.
    """
    from flagfall.archive import show

    army = None if like is None else show.army_of(like, variant)
    show.show_deployments(folder, army, variant, limit=limit, as_json=json)


@library.command
def show(
    folder: Folder, game: int, /, *, numbering: Literal["modern", "original"] = "modern", json: Json = False
) -> None:
    """Print the sheet of a game, or with --json its record.

    Parameters
    ----------
    game
        Its number, as `flagfall library games` shows it.
    numbering
        Which numbers the men bear: 10 is the marshal, or 1.
    """
    from flagfall.archive import show as shelf
    from flagfall.rules.pieces import Numbering

    shelf.show_game(folder, game, Numbering(numbering), as_json=json)


@library.command
def refused(folder: Folder, /, *, limit: Limit = 100, json: Json = False) -> None:
    """List what could not be read into the library, and why."""
    from flagfall.archive import show

    show.show_refused(folder, limit=limit, as_json=json)
