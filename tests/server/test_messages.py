"""Messages at the border: what comes in is one of ours or a BadMessage; the page's types are the server's."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flagfall.errors import BadMessage
from flagfall.wire import bodies, messages, people

ROOT = Path(__file__).resolve().parents[2]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)
FRAMES = [
    messages.Move(id="a", ply=1, origin="e4", target="e5"),
    messages.Resign(id="a-B_9"),
    messages.OfferDraw(id="a"),
    messages.AnswerDraw(id="a", accept=False),
    messages.Ping(),
]


@pytest.mark.parametrize("frame", FRAMES)
def test_a_frame_goes_there_and_back(frame: messages.ClientFrame) -> None:
    assert messages.read_frame(messages.write(frame)) == frame


@given(st.binary(max_size=200) | JSON.map(lambda value: json.dumps(value).encode()))
def test_whatever_is_no_frame_is_a_bad_message(data: bytes) -> None:
    with pytest.raises(BadMessage):
        messages.read_frame(data)
    assert messages.frame_id(data) is None or b'"id"' in data


@given(st.sampled_from(FRAMES), st.sampled_from(["type", "id", "ply", "from", "to", "accept", "more"]), JSON)
def test_a_frame_with_a_wrong_field(frame: messages.ClientFrame, field: str, value: object) -> None:
    """Changed fields are read as they are or refused, and the refusal repeats nothing of them."""
    form = json.loads(messages.write(frame)) | {field: value}
    refusal: BadMessage | None = None
    try:
        read = messages.read_frame(json.dumps(form))
    except BadMessage as error:
        refusal = error
    if refusal is None:
        assert json.loads(messages.write(read)) == form
    else:
        assert len(str(refusal)) < 80
        assert set(refusal.params) <= {"at", "limit"}
        assert len(str(refusal.params.get("at"))) < 70


@given(JSON, st.sampled_from([bodies.NewGame, bodies.AskArmy, bodies.CheckArmy, bodies.GiveArmy]))
def test_whatever_is_no_body_is_a_bad_message(value: object, kind: type[bodies.NewGame]) -> None:
    with pytest.raises(BadMessage):
        bodies.read_body(json.dumps(value).encode(), kind)


def test_the_pages_types_are_fresh() -> None:
    spec = importlib.util.spec_from_file_location("wire_types", ROOT / "tools" / "wire_types.py")
    assert spec is not None
    assert spec.loader is not None
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    assert tool.TARGET.read_text(encoding="utf-8") == tool.text(), "run tools/wire_types.py"


@pytest.mark.parametrize(
    ("kind", "good"),
    [
        (bodies.Switch, "two_square.limit"),
        (messages.SquareName, "a1"),
        (messages.ClientId, "c1"),
        (messages.Name, "level-1"),
        (messages.ArmyText, "FBS"),
        (people.AccountName, "Ada"),
    ],
)
def test_no_name_ends_in_a_line_break(kind: object, good: str) -> None:
    assert msgspec.convert(good, kind) == good
    for end in ("\n", "\r\n", "\u2028"):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(good + end, kind)
