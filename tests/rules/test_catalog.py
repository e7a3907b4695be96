"""The catalogue: every entry as its file has it, held against R13.1; and games of one's own."""

import json
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from flagfall.errors import FlagfallError, NotAllowed, NotFound
from flagfall.play.clock import Control
from flagfall.play.variants import drawn
from flagfall.rules.board import Seat, turned
from flagfall.rules.catalog import CLASSIC, ENTRIES, MICRO, ORDER, VARIANTS, adopt, entry_or_file, variant
from flagfall.rules.entry import FILE_CAP, Entry
from flagfall.rules.pieces import RANKS, Rank
from flagfall.rules.variant import Law, Variant

# Men by rank from the spy to the flag, width, height, squares of a home area (R13.1; * the army or ground is ours).
ARMIES = {
    "classic": ([1, 8, 5, 4, 4, 4, 3, 2, 1, 1, 6, 1], 10, 10, 40),
    "original": ([1, 8, 5, 4, 4, 4, 3, 2, 1, 1, 6, 1], 10, 10, 40),  # * ground
    "fortress": ([1, 5, 4, 2, 2, 3, 3, 2, 1, 1, 5, 1], 10, 10, 34),  # * ground, the army of the Compact box
    "barrage": ([1, 2, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1], 10, 10, 40),
    "duel": ([1, 2, 2, 0, 0, 0, 0, 0, 1, 1, 2, 1], 10, 10, 40),
    "duel-us": ([1, 2, 2, 0, 0, 0, 0, 0, 1, 1, 2, 1], 10, 10, 30),
    "quick-battle": ([1, 2, 2, 0, 0, 0, 0, 0, 1, 1, 2, 1], 8, 8, 16),
    "octa-barrage": ([1, 2, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1], 8, 8, 24),
    "ultimate-lightning": ([1, 4, 2, 2, 2, 2, 1, 1, 1, 1, 2, 1], 10, 10, 40),
    "electronic": ([1, 4, 4, 2, 2, 2, 2, 1, 1, 1, 3, 1], 8, 10, 24),  # * army
    "free": ([1, 8, 5, 4, 4, 4, 3, 2, 1, 1, 6, 1], 10, 10, 40),
    "micro": ([1, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1], 4, 4, 4),
}
LAWS: dict[str, dict[str, Any]] = {
    "ultimate-lightning": {"rescues": 2, "captains_move_two": True, "tie": "attacker", "bomb_once": True},
    "electronic": {"reveal": "none"},
    "free": {"smaller_army": True},
    "micro": {"max_plies": 5},
}


def test_the_catalogue_lists_every_file() -> None:
    files = {Path(file.name).stem for file in resources.files("flagfall.rules").joinpath("games").iterdir()}
    assert files == set(ORDER) == set(ARMIES)
    assert list(ENTRIES) == list(VARIANTS) == list(ORDER)


@pytest.mark.parametrize("name", ORDER)
def test_an_entry_is_the_game_of_the_rules(name: str) -> None:
    """R13.1."""
    entry = ENTRIES[name]
    game = entry.variant
    counts, width, height, squares = ARMIES[name]
    assert game.name == name
    assert [game.army.get(rank, 0) for rank in RANKS] == counts
    assert (game.width, game.height, *map(len, game.home)) == (width, height, squares, squares)
    assert game.law.departures(Law()) == LAWS.get(name, {})
    assert [game.reach[rank] for rank in RANKS if rank in game.reach] == [
        9 if rank is Rank.SCOUT else 0 if rank in (Rank.BOMB, Rank.FLAG) else 1 for rank in RANKS if rank in game.reach
    ]
    assert entry.source
    assert entry.about.endswith(".")


@pytest.mark.parametrize("name", ORDER)
def test_no_side_has_the_better_ground(name: str) -> None:
    """Turned by 180 degrees every board is itself, square for square in the owners' order."""
    game = VARIANTS[name]
    assert {turned(at, game.width, game.height) for at in game.lakes} == game.lakes
    seen = [turned(at, game.width, game.height) for at in game.home[Seat.BLUE]]
    assert tuple(seen) == game.home[Seat.RED]


@pytest.mark.parametrize("name", ORDER)
def test_an_entry_round_trips_and_can_be_told(name: str) -> None:
    entry = ENTRIES[name]
    again = Entry.parse(json.dumps(entry.to_json()))
    assert again.variant == entry.variant
    assert again.to_json() == entry.to_json()
    if entry.clock is not None:
        assert Control.from_json(entry.clock).setup_ms
    told = drawn(entry)
    assert f"{entry.variant.men} men on " in told
    assert all(len(line) <= 80 for line in told.splitlines())


def test_files_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    file.write_text(json.dumps(MICRO.to_json() | {"name": "mine"}))
    assert entry_or_file(str(file)).variant.digest == MICRO.digest
    assert entry_or_file("classic").variant is CLASSIC
    with pytest.raises(NotFound, match=r"none\.json"):
        entry_or_file(str(tmp_path / "none.json"))
    with pytest.raises(NotFound):
        entry_or_file(str(tmp_path))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "bad_json"),
        ("[1", "bad_json"),
        ("[" * 40_000, "bad_json"),
        ("[" + "9" * 5000 + "]", "bad_json"),
        ('{"a": NaN}', "bad_field"),
        ('{"a": 1, "a": 2}', "field_twice"),
        ('{"\\ud800": 1, "\\ud800": 2}', "field_twice"),
        ("7", "bad_format"),
        ("{}", "bad_format"),
        ('{"about": 3}', "bad_field"),
        ('{"source": "\\u001b[2J"}', "bad_field"),
        ('{"clock": []}', "bad_field"),
        (" " * (FILE_CAP + 1), "too_long"),
        ("\udcff", "bad_encoding"),
    ],
)
def test_a_bad_file_is_refused_with_its_name(text: str, code: str, tmp_path: Path) -> None:
    file = tmp_path / "bad.json"
    file.write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(FlagfallError) as caught:
        Entry.read(file)
    assert caught.value.stable_code == code
    assert "bad.json" in str(caught.value)
    assert str(caught.value).isprintable()


def test_bytes_of_no_text_are_found_by_line_and_column(tmp_path: Path) -> None:
    file = tmp_path / "bad.json"
    file.write_bytes(b'\xef\xbb\xbf{\n "name": "\xe4"}')
    with pytest.raises(FlagfallError, match="line 2, column 11") as caught:
        Entry.read(file)
    assert (caught.value.params["line"], caught.value.params["column"]) == (2, 11)


def test_a_game_of_ones_own_is_adopted_under_a_free_name() -> None:
    with pytest.raises(NotAllowed):
        adopt(Entry(Variant.from_json(MICRO.to_json() | {"name": "classic"})))
    adopt(Entry(CLASSIC))
    assert variant("classic") is CLASSIC


def test_a_smaller_army_needs_its_flag() -> None:
    """R13.1, Free set-up: any men out of the box, but the flag."""
    from flagfall.rules.deployment import Deployment

    for text, codes in (
        ("F" + "." * 38 + "M", []),
        ("." * 39 + "M", ["too_few"]),
        ("FSS" + "." * 36 + "M", ["too_many"]),
    ):
        army = Deployment.parse(text, VARIANTS["free"], Seat.RED)
        assert [fault.stable_code for fault in army.faults()] == codes


def test_the_page_of_documentation_is_true() -> None:
    """Its table names every entry, and its example is a game whose clock can be set."""
    page = (Path(__file__).resolve().parents[2] / "docs" / "variants.md").read_text(encoding="utf-8")
    table = page.partition("## What there is")[2].partition("Where a rule")[0]
    assert [line.split("`")[1] for line in table.splitlines() if line.startswith("| `")] == list(ORDER)
    example = Entry.parse(page.partition("```json\n")[2].partition("```")[0])
    assert example.clock is not None
    assert Control.from_json(example.clock).setup_timeout == "random-fill"
    assert example.variant.reach_of(Rank.CAPTAIN) == 2
