"""Which game is meant: one of the catalogue by name, or a user's own as its file has it, under house rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flagfall.errors import BadVariant, Unreadable
from flagfall.rules.catalog import VARIANTS, variant
from flagfall.rules.entry import Entry
from flagfall.rules.variant import Variant
from flagfall.server import cards
from flagfall.wire.bodies import AskCard, Chosen, OwnVariant, ReadVariant
from flagfall.wire.messages import SwitchValue, VariantCard


def meant(chosen: Chosen, law: Mapping[str, SwitchValue]) -> Variant:
    """The game that is meant, fit for a live table. Raises NotFound, BadVariant, Unreadable."""
    if isinstance(chosen, str):
        game = variant(chosen, **dict(law))
    else:
        game = _own(chosen).variant
        game = game.with_law(**dict(law)) if law else game
    if game.law.more_squares == "type":
        raise BadVariant("positions compared by type would tell hidden ranks", code="leaking_law", field="law")
    return game


def card(order: AskCard) -> VariantCard:
    """How a game is drawn under house rules. Raises NotFound, BadVariant, Unreadable."""
    return cards.card(meant(order.variant, order.law))


def read(order: ReadVariant) -> OwnVariant:
    """What the text of a variant's file means; an error says where. Raises BadVariant, Unreadable."""
    entry = Entry.parse(order.text)
    _fresh(entry.variant)
    form = entry.to_json()
    return OwnVariant(cards.card(meant(form, {})), form, entry.about, cards.usual_clock(entry))


def _own(form: dict[str, Any]) -> Entry:
    try:
        entry = Entry.from_json(form)
    except RecursionError:
        raise Unreadable("this variant is nested too deeply", code="bad_json") from None
    _fresh(entry.variant)
    return entry


def _fresh(game: Variant) -> None:
    """Refuse another game under a name of the catalogue: it would be taken for that one."""
    usual = VARIANTS.get(game.name)
    if usual is not None and usual != game:
        raise BadVariant("a game of the catalogue has this name", code="name_taken", field="name")
