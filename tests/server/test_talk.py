"""Talk at a table: phrases by their keys, words by consent, a pace, turning away; and nothing of it is kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import structlog
import websockets

from flagfall.errors import BadMessage
from flagfall.server.blocks import hears_not
from flagfall.server.talk import KEPT, PACE, cleaned
from tests.server.hall import Line, hall
from tests.server.test_deeds import Hand, Pair, pair, refused
from tests.server.test_friend import invite, join, place

SECRET = "a word that is nobody else's"
Frame = dict[str, Any]


async def heard(line: Line, *words: str) -> Frame:
    """The talk as a seat hears it, once its last words are these."""

    def said(frame: Frame) -> bool:
        return frame["type"] == "talk" and [one["phrase"] or one["text"] for one in frame["lines"]] == list(words)

    # It may have come before the answer to what the test asked last.
    last = next((frame for text in reversed(line.heard) if (frame := json.loads(text))["type"] == "talk"), None)
    return last if last is not None and said(last) else await line.until(said)


async def freely(table: Pair) -> None:
    for line in table.lines:
        assert (await line.ask(type="wish", id="free", open=True))["type"] == "done"


async def test_phrases_travel_by_their_keys_and_reach_every_page_of_both_seats(tmp_path: Path) -> None:
    async with hall(place(tmp_path)) as server, pair(server) as table, table.ben.table(table.game) as tab:
        assert (await table.red.ask(type="say", id="one", phrase="hello"))["type"] == "done"
        assert (await table.red.ask(type="say", id="one", phrase="hello"))["type"] == "done", "the same frame again"
        for line in (table.red, table.blue, tab):
            frame = (await heard(line, "hello")) if line is not table.red else None
            if frame is not None:
                assert frame["lines"] == [{"n": 1, "seat": "red", "phrase": "hello", "text": None}]
        async with table.anna.table(table.game) as late:
            await heard(late, "hello")
        assert (await refused(table.red, type="say", id="two", phrase="a word of mine")) == "bad_message"


async def test_words_of_ones_own_need_both(tmp_path: Path) -> None:
    time = Hand()
    async with hall(place(tmp_path), nature=time.nature) as server, pair(server) as table:
        assert await refused(table.red, type="write", id="no", text="hi") == "not_open"
        await table.red.ask(type="wish", id="free", open=True)
        assert await refused(table.red, type="write", id="no", text="hi") == "not_open"
        await table.blue.ask(type="wish", id="free", open=True)
        await table.red.ask(type="write", id="yes", text="  hi,\u202e \u200bBen\n ")
        assert (await heard(table.blue, "hi, Ben"))["open"] == {"red": True, "blue": True}
        assert await refused(table.red, type="write", id="long", text="x" * 161) == "bad_message"
        assert await refused(table.red, type="write", id="none", text="\u200b \n") == "no_words"
        time.on(60_000)
        await table.blue.ask(type="wish", id="shut", open=False)
        assert await refused(table.red, type="write", id="shut", text="hi") == "not_open"


async def test_nobody_speaks_faster_than_the_pace(tmp_path: Path) -> None:
    time = Hand()
    async with hall(place(tmp_path), nature=time.nature) as server, pair(server) as table:
        for number in range(int(PACE.burst)):
            assert (await table.red.ask(type="say", id=f"n{number}", phrase="oops"))["type"] == "done"
        assert await refused(table.red, type="say", id="more", phrase="oops") == "too_much_talk"
        assert (await table.blue.ask(type="say", id="other", phrase="oops"))["type"] == "done", "each has his own"
        assert (await table.red.ask(type="hear", id="off", how="mute"))["type"] == "done", "turning away is free"
        time.on(5_000)
        assert (await table.red.ask(type="say", id="more", phrase="oops"))["type"] == "done"
        for number in range(KEPT + 4):
            time.on(5_000)
            await table.red.ask(type="say", id=f"k{number}", phrase="thanks")
        async with table.ben.table(table.game) as late:
            assert len((await heard(late, *["thanks"] * KEPT))["lines"]) == KEPT


async def test_a_muted_seat_is_not_heard_and_not_told(tmp_path: Path) -> None:
    async with hall(place(tmp_path)) as server, pair(server) as table:
        await table.red.ask(type="hear", id="off", how="mute")
        assert (await table.blue.ask(type="say", id="one", phrase="hello"))["type"] == "done"
        frame = await heard(table.blue, "hello")
        assert frame["hears"] == "all"
        await table.red.ask(type="hear", id="on", how="all")
        await table.blue.ask(type="say", id="two", phrase="thanks")
        assert (await heard(table.red, "thanks"))["hears"] == "all", "what was said meanwhile stays unheard"


async def test_a_block_holds_at_every_table_until_it_is_taken_back(tmp_path: Path) -> None:
    async with hall(place(tmp_path)) as server, pair(server) as table:
        assert (await table.red.ask(type="hear", id="off", how="block"))["type"] == "done"
        game, code = await invite(table.ben, seat="red")
        await join(table.anna, code)
        async with table.ben.table(game) as red, table.anna.table(game) as blue:
            await red.ask(type="say", id="one", phrase="hello")
            await heard(red, "hello")
            async with table.anna.table(game) as again:
                frame = await heard(again)
                assert frame["hears"] == "block"
            await blue.ask(type="hear", id="on", how="all")
            await red.ask(type="say", id="two", phrase="thanks")
            await heard(blue, "thanks")
        owners = await server.store.owners(table.game)
        assert not await hears_not(server.store, owners["red"], owners["blue"])


async def test_nothing_of_it_is_kept_logged_or_told_to_others(tmp_path: Path) -> None:
    with structlog.testing.capture_logs() as logs:
        async with hall(place(tmp_path)) as server, pair(server, watch={}) as table:
            code = (await table.red.state())["watch"]["code"]
            stranger = await server.caller()
            headers = {"cookie": f"flagfall_guest={stranger.http.cookies['flagfall_guest']}"}
            headers["origin"] = f"http://{server.address}"
            path = f"ws://{server.address}/api/watch/{code}/socket?since=0"
            async with websockets.connect(path, additional_headers=headers) as socket:
                watcher = Line(socket)
                await freely(table)
                await table.red.ask(type="write", id="word", text=SECRET)
                await heard(table.blue, SECRET)
                await watcher.say(type="say", id="me", phrase="hello")
                await watcher.until(lambda frame: frame["type"] == "refused")
                await table.play("a4-a5")
                await watcher.until(lambda frame: frame["type"] == "watched" and frame["ply"] == 1)
                assert not [text for text in watcher.heard if '"talk"' in text or SECRET in text]
            await table.red.ask(type="resign", id="end")
            answer = await stranger.http.get(f"/api/games/{table.game}/record")
            state = await table.ben.http.get(f"/api/games/{table.game}")
            assert SECRET not in answer.text + state.text
    assert SECRET not in str(logs)
    for file in place(tmp_path).parent.iterdir():
        assert SECRET.encode() not in file.read_bytes()


async def test_nobody_talks_to_the_house_or_to_an_empty_seat(tmp_path: Path) -> None:
    async with hall(place(tmp_path)) as server:
        anna = await server.caller()
        house, (friend, _) = (await anna.new_game())["game"], await invite(anna)
        for game in (house, friend):
            async with anna.table(game) as line:
                assert await refused(line, type="say", id="one", phrase="hello") == "no_talk"


def test_what_cannot_be_seen_is_taken_out() -> None:
    assert cleaned("a\tb\r\nc\u00a0d") == "a b c d"
    assert cleaned("e\u0301") == "\u00e9"
    assert cleaned("\u2066x\u2069\ufeff\x00") == "x"
    for nothing in ("", " ", "\u200d", "\ud800"):
        with pytest.raises(BadMessage):
            cleaned(nothing)
