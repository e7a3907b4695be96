"""Variants and laws as data: round trips, digests, refusals, presets."""

import copy
import hashlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flagfall.errors import BadVariant, FlagfallError, NotFound
from flagfall.rules.board import Seat
from flagfall.rules.catalog import CLASSIC, MICRO, PRESETS, VARIANTS, preset, variant
from flagfall.rules.events import Outcome
from flagfall.rules.pieces import Rank
from flagfall.rules.variant import Law, Variant, law_from
from tests.rules.adapter import variant_of
from tests.strategies import laws

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.parametrize("game", VARIANTS.values(), ids=VARIANTS)
def test_json_round_trip(game: Variant) -> None:
    form = json.loads(json.dumps(game.to_json()))
    assert Variant.from_json(form) == game
    assert Variant.from_json(form).digest == game.digest
    assert copy.deepcopy(game) == game


@given(laws())
def test_every_law_round_trips(settings: Any) -> None:
    game = variant_of(settings)
    again = Variant.from_json(json.loads(json.dumps(game.to_json())))
    assert again == game
    assert again.digest == game.digest
    assert law_from(game.law.departures(Law())) == game.law


def test_the_digest_names_the_game_not_its_title() -> None:
    form = CLASSIC.to_json() | {"name": "another-2"}
    assert Variant.from_json(form).digest == CLASSIC.digest
    digests = {CLASSIC.digest, MICRO.digest, CLASSIC.with_law(bomb_once=True).digest}
    assert len(digests) == 3


def test_classic_is_the_game_of_the_rules() -> None:
    """R1, R2, R3.2."""
    assert [CLASSIC.army[rank] for rank in sorted(CLASSIC.army)] == [1, 8, 5, 4, 4, 4, 3, 2, 1, 1, 6, 1]
    assert CLASSIC.drawing()[3:7] == ["bbbbbbbbbb", "..~~..~~..", "..~~..~~..", "rrrrrrrrrr"]
    assert len(CLASSIC.usable) == 92
    assert CLASSIC.home[Seat.BLUE][0] == 99
    assert CLASSIC.home[Seat.RED] == tuple(range(40))


def test_battles() -> None:
    """R6, line by line, and the switches that change it."""
    expected = {
        (Rank.SPY, Rank.FLAG): Outcome.FLAG,
        (Rank.MINER, Rank.BOMB): Outcome.ATTACKER,
        (Rank.MARSHAL, Rank.BOMB): Outcome.DEFENDER,
        (Rank.SPY, Rank.MARSHAL): Outcome.ATTACKER,
        (Rank.MARSHAL, Rank.SPY): Outcome.ATTACKER,
        (Rank.SPY, Rank.GENERAL): Outcome.DEFENDER,
        (Rank.SCOUT, Rank.SPY): Outcome.ATTACKER,
        (Rank.SPY, Rank.SPY): Outcome.BOTH,
    }
    assert {pair: CLASSIC.battle(*pair) for pair in expected} == expected
    assert CLASSIC.with_law(bomb_once=True).battle(Rank.SCOUT, Rank.BOMB) is Outcome.BOTH
    assert CLASSIC.with_law(bomb_once=True).battle(Rank.MINER, Rank.BOMB) is Outcome.ATTACKER
    assert CLASSIC.with_law(tie="attacker").battle(Rank.MAJOR, Rank.MAJOR) is Outcome.ATTACKER
    assert CLASSIC.with_law(tie="defender").battle(Rank.SPY, Rank.SPY) is Outcome.DEFENDER


def test_presets() -> None:
    """The rows of R11.4."""
    assert set(PRESETS) == {
        *("isf", "isf2006", "online", "online-replay", "gravon-web", "box-modern"),
        *("box-us-old", "box-us", "family", "ucc2012", "jb-env"),
    }
    assert preset("isf") == Law()
    online = preset("online")
    assert (online.max_quiet_plies, online.max_plies, online.limit_test) == (200, 2000, "more-than")
    assert not online.flag_beats_limit
    assert preset("box-us-old").two_square_limit == 2
    assert not preset("box-us-old").scout_move_and_strike
    assert preset("ucc2012").max_plies == 10000
    assert preset("jb-env").two_square_scope == "exact-squares"
    with pytest.raises(NotFound):
        preset("house")


@pytest.mark.parametrize(
    ("switches", "switch"),
    [
        ({"bomb_once": 1}, "bomb_once"),
        ({"tie": "nobody"}, "tie"),
        ({"tie": ["both"]}, "tie"),
        ({"two_square_limit": 1}, "two_square_limit"),
        ({"two_square_limit": True}, "two_square_limit"),
        ({"max_plies": -1}, "max_plies"),
        ({"max_plies": 10**10}, "max_plies"),
        ({"max_plies": 1.5}, "max_plies"),
        ({"peek": True}, "peek"),
    ],
)
def test_a_bad_switch_is_named(switches: dict[str, Any], switch: str) -> None:
    with pytest.raises(BadVariant) as caught:
        variant("classic", **switches)
    assert caught.value.params["switch"] == switch


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"format": "other"}, "bad_format"),
        ({"board": []}, "bad_board"),
        ({"board": ["r" * 11, "b" * 11]}, "bad_board"),
        ({"board": ["rr", "b"]}, "bad_board"),
        ({"board": ["xx", "rr"]}, "bad_board"),
        ({"board": ["bbbbbbbbbb", "rrrrrrrrrr"]}, "bad_counts"),
        ({"army": {"flag": 1, "scout": "many"}}, "bad_field"),
        ({"army": {"flag": 0, "scout": 1}}, "bad_counts"),
        ({"army": {"flag": 2, "scout": 1}}, "bad_counts"),
        ({"army": {"wizard": 1}}, "bad_rank"),
        ({"army": {"unknown": 1}}, "bad_rank"),
        ({"reach": {"scout": 10}}, "bad_reach"),
        ({"reach": {"flag": 1}}, "bad_reach"),
        ({"battles": [["spy", "flag", "attacker"]]}, "bad_battle"),
        ({"battles": [["spy", "marshal", "flag"]]}, "bad_battle"),
        ({"battles": 3}, "bad_battle"),
        ({"battles": [["spy", "spy", []]]}, "bad_battle"),
        ({"battles": [[[], "spy", "both"]]}, "bad_battle"),
        ({"army": {"FLAG": 1}}, "bad_rank"),
        ({"army": {"\ufb02ag": 1}}, "bad_rank"),
        ({"name": ""}, "bad_name"),
        ({"name": "\x1b[2J"}, "bad_name"),
        ({"name": "a" * 61}, "bad_name"),
        ({"law": []}, "bad_field"),
        ({"law": {"no": 1}}, "unknown_switch"),
        ({"extra": 1}, "unknown_field"),
    ],
)
def test_bad_data_is_refused_with_a_reason(change: dict[str, Any], code: str) -> None:
    with pytest.raises(FlagfallError) as caught:
        Variant.from_json(copy.deepcopy(CLASSIC.to_json()) | change)
    assert caught.value.stable_code == code


@given(JSON, st.sampled_from(["board", "army", "reach", "battles", "law", "name", "format"]))
def test_hostile_json_is_refused_or_read(junk: Any, field: str) -> None:
    for form in (junk, CLASSIC.to_json() | {field: junk}):
        try:
            game = Variant.from_json(form)
        except FlagfallError:
            continue
        assert Variant.from_json(game.to_json()) == game


def test_no_such_variant() -> None:
    with pytest.raises(NotFound) as caught:
        variant("chess")
    assert caught.value.stable_code == "unknown_variant"


def test_a_switch_that_comes_later_leaves_digests_as_they_were() -> None:
    """What is at rest is not in the digest: records of games that were played before it came stay readable."""
    form = CLASSIC.to_json()
    del form["name"]
    form["law"] = {}
    said = json.dumps(form, sort_keys=True, separators=(",", ":")).encode()
    assert CLASSIC.digest == hashlib.sha256(said).hexdigest()
    assert CLASSIC.with_law(bomb_once=True).digest != CLASSIC.digest
