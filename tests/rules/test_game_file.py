"""A game out of a file: errors that point at the field, sense and nonsense, the published schema, and fuzzing."""

import copy
import json
from pathlib import Path
from random import Random
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import event, given
from hypothesis import settings as examples
from hypothesis import strategies as st

from flagfall.check.twins import shuffled
from flagfall.errors import BadVariant, FlagfallError
from flagfall.rules.board import Seat
from flagfall.rules.catalog import CLASSIC, ENTRIES, VARIANTS
from flagfall.rules.entry import Entry
from flagfall.rules.layout import MOVES_CAP
from flagfall.rules.pieces import RANKS, Rank
from flagfall.rules.schema import file_schema
from flagfall.rules.truth import Truth
from flagfall.rules.variant import Variant
from flagfall.rules.view import View

SCHEMA = Path(__file__).parents[2] / "docs" / "variant.schema.json"
VALIDATOR = jsonschema_rs.Draft202012Validator(file_schema())
SMALL = {
    "format": "flagfall-variant-1",
    "name": "small",
    "board": ["bbb", "...", ".~.", "rrr"],
    "army": {"flag": 1, "scout": 1, "captain": 1},
}
SENSE = {"bad_board", "bad_counts", "no_mover", "cut_off", "bombs_for_ever", "bad_battle", "battle_twice"}
"""Reasons that no schema can know: they lie between the fields."""


def test_the_published_schema_is_that_of_the_law() -> None:
    """After a change of the law, write it anew: json.dumps(file_schema(), indent=2)."""
    jsonschema_rs.meta.validate(file_schema())
    assert json.loads(SCHEMA.read_text(encoding="utf-8")) == file_schema()


@pytest.mark.parametrize("name", ENTRIES)
def test_every_entry_follows_the_schema(name: str) -> None:
    VALIDATOR.validate(ENTRIES[name].to_json())
    VALIDATOR.validate(VARIANTS[name].to_json())


def test_a_short_file_is_enough() -> None:
    """What is left out is as usual, rank by rank (R5, R6, R0); an editor's `$schema` does no harm."""
    VALIDATOR.validate(SMALL | {"$schema": "variant.schema.json"})
    game = Entry.parse(json.dumps(SMALL | {"$schema": "variant.schema.json", "reach": {"captain": 3}})).variant
    assert [game.reach_of(rank) for rank in (Rank.FLAG, Rank.SCOUT, Rank.CAPTAIN)] == [0, 9, 3]
    assert game.law == CLASSIC.law
    assert Variant.from_json(game.to_json()) == game


@pytest.mark.parametrize(
    ("change", "code", "field"),
    [
        ({"format": 1}, "bad_format", "format"),
        ({"peek": 1}, "unknown_field", "peek"),
        ({"\x1b[2J": 1}, "unknown_field", "\\x1b[2J"),
        ({"name": 3}, "bad_field", "name"),
        ({"name": "Small Game"}, "bad_name", "name"),
        ({"board": "bbb"}, "bad_board", "board"),
        ({"board": ["bbb"] * 11}, "bad_board", "board"),
        ({"board": ["bbb", 3, "rrr"]}, "bad_board", "board[1]"),
        ({"board": ["bbb", "..", "rrr"]}, "bad_board", "board[1]"),
        ({"board": ["bbb", ".x.", "rrr"]}, "bad_board", "board[1][1]"),
        ({"army": []}, "bad_field", "army"),
        ({"army": {"flag": 1, "wizard": 1}}, "bad_rank", "army.wizard"),
        ({"army": {"flag": 1, "scout": 1.5}}, "bad_field", "army.scout"),
        ({"army": {"flag": 1, "scout": True}}, "bad_field", "army.scout"),
        ({"army": {"flag": 1, "scout": 41}}, "bad_counts", "army.scout"),
        ({"army": {"flag": 1, "scout": -1}}, "bad_counts", "army.scout"),
        ({"army": {"scout": 1}}, "bad_counts", "army.flag"),
        ({"army": {"flag": 2, "scout": 1}}, "bad_counts", "army.flag"),
        ({"army": {"flag": 1, "scout": 3}}, "bad_counts", "army"),
        ({"reach": {"scout": 10}}, "bad_reach", "reach.scout"),
        ({"reach": {"flag": 1}}, "bad_reach", "reach.flag"),
        ({"reach": {"scout": None}}, "bad_field", "reach.scout"),
        ({"battles": {}}, "bad_battle", "battles"),
        ({"battles": [["spy", "spy", "both"]] * 145}, "bad_battle", "battles"),
        ({"battles": [["spy", "marshal"]]}, "bad_battle", "battles[0]"),
        ({"battles": [["spy", "marshal", "both"], ["spy", "wizard", "both"]]}, "bad_rank", "battles[1][1]"),
        ({"battles": [["spy", "marshal", "flag"]]}, "bad_battle", "battles[0][2]"),
        ({"battles": [["spy", "flag", "both"]]}, "bad_battle", "battles[0]"),
        ({"battles": [["bomb", "spy", "attacker"]]}, "bad_battle", "battles[0]"),
        ({"battles": [["spy", "spy", "both"], ["spy", "spy", "attacker"]]}, "battle_twice", "battles[1]"),
        ({"law": None}, "bad_field", "law"),
        ({"law": {"tie": "nobody"}}, "bad_switch", "law.tie"),
        ({"law": {"peek": True}}, "unknown_switch", "law.peek"),
        ({"law": {"rescues": 9}}, "bad_switch", "law.rescues"),
        ({"law": {"rescues": True}}, "bad_switch", "law.rescues"),
        ({"law": {"captains_move_two": 1}}, "bad_switch", "law.captains_move_two"),
        ({"law": {"max_plies": 0}}, "bad_switch", "law.max_plies"),
        ({"law": {"max_quiet_plies": 0}}, "bad_switch", "law.max_quiet_plies"),
        ({"law": {"two_square_limit": 6}}, "bad_switch", "law.two_square_limit"),
        ({"source": "two\nlines"}, "bad_field", "source"),
        ({"clock": 3}, "bad_field", "clock"),
        ({"$schema": 3}, "bad_field", "$schema"),
    ],
)
def test_an_error_points_at_its_field(change: dict[str, Any], code: str, field: str) -> None:
    with pytest.raises(BadVariant) as caught:
        Entry.parse(json.dumps(SMALL | change))
    assert (caught.value.stable_code, caught.value.params["field"]) == (code, field)
    assert VALIDATOR.is_valid(SMALL | change) <= (code in SENSE or field == "source")


@pytest.mark.parametrize("name", ["format", "name", "board", "army"])
def test_a_field_that_is_needed(name: str) -> None:
    with pytest.raises(BadVariant) as caught:
        Variant.from_json({key: value for key, value in SMALL.items() if key != name})
    assert caught.value.stable_code == ("bad_format" if name == "format" else "missing_field")
    assert caught.value.params["field"] == name


@pytest.mark.parametrize(
    ("change", "code", "field"),
    [
        ({"army": {"flag": 1}}, "no_mover", "army"),
        ({"army": {"flag": 1, "scout": 1}, "reach": {"scout": 0}}, "no_mover", "army"),
        ({"army": {"flag": 1, "miner": 1, "bomb": 1}, "reach": {"miner": 0}}, "no_mover", "army"),
        ({"board": ["bbb", "~~~", "rrr"]}, "cut_off", "board"),
        ({"board": ["bb~b", ".~~~", "rrrr"]}, "cut_off", "board"),
        ({"board": ["bbb", "...", "..."]}, "bad_counts", "army"),
        ({"army": {"flag": 1, "marshal": 1, "bomb": 1}}, "bombs_for_ever", "army"),
    ],
)
def test_a_game_that_cannot_be_won_is_none(change: dict[str, Any], code: str, field: str) -> None:
    """Nobody moves, nobody meets, or a flag behind bombs is safe: refused with a reason."""
    with pytest.raises(BadVariant) as caught:
        Variant.from_json(SMALL | change)
    assert (caught.value.stable_code, caught.value.params["field"]) == (code, field)


def test_bombs_may_be_taken_by_others() -> None:
    """An exception of a battle, or a bomb that bursts, does for a miner."""
    bombs = {"army": {"flag": 1, "marshal": 1, "bomb": 1}}
    for more in ({"battles": [["marshal", "bomb", "attacker"]]}, {"law": {"bomb_once": True}}):
        assert Variant.from_json(SMALL | bombs | more).men == 3


def test_counts_as_a_house_rule() -> None:
    """R13.2: more or fewer miners, over any entry, beside switches of the law; the rest of the game stays."""
    fewer = CLASSIC.with_law(**{"counts.miner": 3, "counts.scout": 9, "tie": "attacker"})
    assert (fewer.army[Rank.MINER], fewer.army[Rank.SCOUT], fewer.men, fewer.law.tie) == (3, 9, 39, "attacker")
    assert CLASSIC.with_law(**{"counts.miner": 5}) == CLASSIC
    for name, game in VARIANTS.items():
        miners = game.army.get(Rank.MINER, 0)
        if miners > 1:
            assert game.with_law(**{"counts.miner": miners - 1}).men == game.men - 1, name


@pytest.mark.parametrize("name", VARIANTS)
def test_every_switch_works_over_every_entry(name: str) -> None:
    """R13.2: each value of each switch makes another game of every entry, and one that can be played."""
    draw, base = Random(name), VARIANTS[name]
    values: dict[str, list[Any]] = {"max_plies": [40, None], "max_quiet_plies": [30, None], "rescues": [0, 1, 2, 3]}
    for switch, form in file_schema()["properties"]["law"]["properties"].items():
        for value in values.get(switch, form.get("enum", [True, False])):
            game = base.with_law(**{switch: value})
            assert (game.digest == base.digest) is (getattr(base.law, switch) == value)
            assert Variant.from_json(json.loads(json.dumps(game.to_json()))) == game
            red, blue = (shuffled(game, seat, draw).checked() for seat in Seat)
            truth = Truth(game, red, blue)
            while truth.ply < 25 and (legal := truth.legal()):
                move = draw.choice(legal)
                truth.push(draw.choice(truth.rescues(move) or [move]))
            assert truth.faults() == []


@pytest.mark.parametrize(
    ("switches", "code"),
    [
        ({"counts.miner": 6}, "bad_counts"),
        ({"counts.miner": 0}, "bombs_for_ever"),
        ({"counts.miner": 41}, "bad_switch"),
        ({"counts.miner": True}, "bad_switch"),
        ({"counts.flag": 1}, "unknown_switch"),
        ({"counts.wizard": 1}, "unknown_switch"),
        ({"counts.": 1}, "unknown_switch"),
    ],
)
def test_counts_that_make_no_game(switches: dict[str, Any], code: str) -> None:
    with pytest.raises(BadVariant) as caught:
        CLASSIC.with_law(**switches)
    assert caught.value.stable_code == code


# -- fuzzing -----------------------------------------------------------------------------------

WORDS = [rank.word for rank in RANKS]


@st.composite
def game_files(draw: st.DrawFn) -> dict[str, Any]:
    """Draw the data of a file that is nearly a game: any board up to 10 by 10, any army, any tables."""
    width, height = draw(st.integers(1, 10)), draw(st.integers(1, 10))
    deep = draw(st.integers(1, max(1, height // 2)))
    ground = draw(st.lists(st.sampled_from("......~"), min_size=width * height, max_size=width * height))
    homes = draw(st.lists(st.sampled_from("hhhhh.~"), min_size=width * deep, max_size=width * deep))
    rows = ["".join(ground[row * width : (row + 1) * width]) for row in range(height)]
    for row in range(min(deep, height)):
        line = "".join(homes[row * width : (row + 1) * width])
        rows[row], rows[height - 1 - row] = line.replace("h", "b"), line[::-1].replace("h", "r")
    army = draw(st.dictionaries(st.sampled_from(WORDS[:-1]), st.integers(0, 6), max_size=6)) | {"flag": 1}
    ends = st.sampled_from(["attacker", "defender", "both"])
    rank = st.sampled_from(WORDS[:-1])
    return {
        "format": "flagfall-variant-1",
        "name": "drawn",
        "board": rows,
        "army": army,
        "reach": draw(st.dictionaries(st.sampled_from(WORDS[:-1]), st.integers(0, 9), max_size=6)),
        "battles": draw(st.lists(st.tuples(rank, rank, ends).map(list), max_size=6)),
        "law": draw(law_forms()),
    }


def mended(form: dict[str, Any]) -> dict[str, Any]:
    """The same data without its commonest faults: an army that fits and can move, one end for each battle."""
    room = min(sum(row.count(sign) for row in form["board"]) for sign in "rb")
    army, left = {"flag": 1, "scout": 1, "miner": 1}, min(room, 40) - 3
    for word, count in form["army"].items():
        army[word] = army.get(word, 0) + (more := max(0, min(count, left)) if word != "flag" else 0)
        left -= more
    reach = {word: far or word in ("scout", "miner") for word, far in form["reach"].items()}
    movers = {word for word in WORDS[:-2] if reach.get(word, 1)}
    ends = {(mine, theirs): end for mine, theirs, end in form["battles"] if mine in movers and theirs != "bomb"}
    battles = [[*pair, end] for pair, end in ends.items()]
    return form | {"army": army, "reach": {word: int(far) for word, far in reach.items()}, "battles": battles}


def taken(form: object) -> Variant | BadVariant:
    """The game that data means, or why it means none."""
    try:
        return Variant.from_json(form)
    except BadVariant as fault:
        return fault


def law_forms() -> st.SearchStrategy[dict[str, Any]]:
    """Draw switches out of what the schema allows; a default as often as not."""
    switches = file_schema()["properties"]["law"]["properties"]
    values = {
        name: st.sampled_from(form["enum"])
        if "enum" in form
        else st.booleans()
        if form.get("type") == "boolean"
        else st.integers(form["minimum"], form["maximum"])
        if "minimum" in form
        else st.one_of(st.none(), st.integers(1, 10**9), st.integers(1, 60))
        for name, form in switches.items()
    }
    return st.fixed_dictionaries({}, optional=values)


@examples(max_examples=300)
@given(st.one_of(game_files(), game_files().map(mended)))
def test_the_schema_knows_what_the_law_takes(form: dict[str, Any]) -> None:
    """Nothing that the law takes breaks the schema; what only the law refuses lies between the fields."""
    follows = VALIDATOR.is_valid(form)
    game = taken(copy.deepcopy(form))
    if isinstance(game, BadVariant):
        event(game.stable_code)
        assert not follows or game.stable_code in SENSE
    else:
        event("taken")
        assert follows
        assert VALIDATOR.is_valid(game.to_json())


@examples(max_examples=150)
@given(st.one_of(game_files(), game_files().map(mended), game_files().map(mended)), st.integers(0, 2**32 - 1))
def test_what_a_file_says_can_be_played(form: dict[str, Any], seed: int) -> None:
    """Whatever is taken is played: no ply crashes or hangs the law, its record stays sound, every View keeps pace."""
    try:
        game = Entry.parse(json.dumps(form)).variant
    except FlagfallError:
        return
    draw = Random(seed)
    red, blue = (shuffled(game, seat, draw).checked() for seat in Seat)
    truth = Truth(game, red, blue)
    views: dict[Seat | None, View] = {}
    if game.law.more_squares != "type":
        views = {seat: truth.look(seat) for seat in (Seat.RED, Seat.BLUE, None)}
    while truth.ply < 120 and (legal := truth.legal()):
        assert len(legal) == len(set(legal)) < MOVES_CAP // 2
        move = draw.choice(legal)
        told = truth.play(draw.choice(truth.rescues(move) or [move]))
        for view in views.values():
            view.fold(told)
    assert truth.faults() == []
    for seat, view in views.items():
        assert view.tobytes() == truth.look(seat).tobytes()
    event(f"ends {truth.reason.word}")


@examples(max_examples=400)
@given(game_files(), st.data())
def test_a_damaged_file_is_refused_in_words(form: dict[str, Any], data: st.DataObject) -> None:
    """One field of a drawn game replaced by anything: refused with a code and a field, or a game."""
    junk = st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
        max_leaves=8,
    )
    name = data.draw(st.sampled_from(sorted(form)))
    inner = form[name]
    if isinstance(inner, dict) and data.draw(st.booleans()):
        form[name] = inner | data.draw(st.dictionaries(st.sampled_from([*WORDS, "tie", "x"]), junk, max_size=2))
    elif isinstance(inner, list) and inner and data.draw(st.booleans()):
        inner[data.draw(st.integers(0, len(inner) - 1))] = data.draw(junk)
    else:
        form[name] = data.draw(junk)
    game = taken(form)
    if isinstance(game, BadVariant):
        field = str(game.params["field"])
        assert game.stable_code != "bad_variant"
        assert field.isprintable()
        assert len(field) < 120
        return
    assert Variant.from_json(json.loads(json.dumps(game.to_json()))) == game
