"""Hostile clients, one a line of a table: the stable code that each is told, and that the board stands as it stood."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
import websockets

from flagfall.server import gallery
from flagfall.server.journal import write_entry
from flagfall.server.rates import Rate
from flagfall.server.socket import MOST_TABS
from tests.server.hall import GENEROUS, RED, Caller, Hall, Line, hall
from tests.server.test_friend import BLUE, invite, join, place


@dataclass
class World:
    """A game of anna (red, on turn) and ben (blue) after two plies, one that is over, and eve, who is neither."""

    server: Hall
    anna: Caller
    ben: Caller
    eve: Caller
    game: str
    code: str
    link: str
    over: str
    red: Line
    blue: Line

    async def log(self) -> list[str]:
        return [write_entry(entry) for entry, _ in await self.server.store.log(self.game)]

    async def board(self) -> list[Any]:
        """What both seats are told of the board."""
        told = [(await caller.http.get(f"/api/games/{self.game}")).json() for caller in (self.anna, self.ben)]
        return [{name: one[name] for name in ("men", "plies", "turn", "result", "offer", "legal")} for one in told]


@asynccontextmanager
async def world(tmp_path: Path, frames: Rate = GENEROUS, lines: int = 10_000) -> AsyncIterator[World]:
    async with hall(place(tmp_path), frames=frames, patience=20, lines=lines) as server:
        anna, ben, eve = [await server.caller() for _ in range(3)]
        over, over_code = await invite(anna)
        await join(ben, over_code)
        await ben.http.post(f"/api/games/{over}/army", json={"army": BLUE})
        async with ben.table(over) as line:
            await line.state(lambda one: one["phase"] == "playing")
            assert (await line.ask(type="resign", id="enough"))["type"] == "done"
        game, code = await invite(anna, watch={"delay": 3})
        link = (await anna.http.get(f"/api/games/{game}")).json()["watch"]["code"]
        await join(ben, code)
        await ben.http.post(f"/api/games/{game}/army", json={"army": BLUE})
        async with anna.table(game) as red, ben.table(game) as blue:
            await red.state(lambda one: one["turn"] == "red")
            await red.move("e4-e5", 1, name="first")
            await blue.state(lambda one: one["turn"] == "blue")
            origin, targets = next(iter(sorted(blue.latest["legal"].items())))  # type: ignore[index]
            await blue.move(f"{origin}-{targets[0]}", 2)
            await red.state(lambda one: one["ply"] == 2)
            yield World(server, anna, ben, eve, game, code, link, over, red, blue)


def code_of(answer: httpx.Response) -> str:
    assert 400 <= answer.status_code < 500
    assert answer.headers["content-type"] == "application/problem+json"
    return str(answer.json()["code"])


async def refused(line: Line, **frame: Any) -> str:
    answer = await line.ask(**frame)
    return str(answer.get("code", answer["type"]))


async def raw(line: Line, data: bytes | str, text: bool | None = None) -> str:
    """What is answered to a frame as it is; where the line is cut, how."""
    await line.socket.send(data, text=text)
    try:
        answer = await line.until(lambda heard: heard["type"] in ("refused", "done"))
    except websockets.ConnectionClosed:
        return f"closed {line.socket.close_code}"
    assert len(json.dumps(answer)) < 300, "nothing of what was sent comes back"
    return str(answer.get("code", answer["type"]))


async def first(caller: Caller, game: str, **more: Any) -> str:
    async with caller.table(game, **more) as line:
        found = await line.until(lambda heard: heard["type"] in ("refused", "state"))
        return str(found.get("code", found["type"]))


async def shut(caller: Caller, game: str, **headers: str) -> str:
    try:
        async with caller.table(game, **headers):
            return "open"
    except websockets.InvalidStatus as error:
        return f"shut {error.response.status_code}"


MOVE = {"type": "move", "id": "evil", "ply": 3, "from": "e5", "to": "e6"}


async def a_stranger_asks_for_the_state(w: World) -> str:
    return code_of(await w.eve.http.get(f"/api/games/{w.game}"))


async def a_stranger_asks_for_the_record_of_a_running_game(w: World) -> str:
    return code_of(await w.eve.http.get(f"/api/games/{w.game}/record"))


async def a_stranger_asks_for_the_board_of_a_running_game(w: World) -> str:
    return code_of(await w.eve.http.get(f"/api/games/{w.game}/finished"))


async def a_stranger_opens_the_socket(w: World) -> str:
    return await first(w.eve, w.game)


async def a_stranger_places_an_army(w: World) -> str:
    return code_of(await w.eve.http.post(f"/api/games/{w.game}/army", json={"army": RED}))


async def a_stranger_asks_for_a_rematch(w: World) -> str:
    return code_of(await w.eve.http.post(f"/api/games/{w.over}/rematch", json={}))


async def a_stranger_withdraws_the_game(w: World) -> str:
    return code_of(await w.eve.http.post(f"/api/games/{w.game}/withdraw"))


async def nobody_asks_without_a_token(w: World) -> str:
    return code_of(await w.eve.http.get(f"/api/games/{w.game}", headers={"cookie": ""}))


async def somebody_makes_a_token_up(w: World) -> str:
    return code_of(await w.eve.http.get(f"/api/games/{w.game}", headers={"cookie": "flagfall_guest=" + "a" * 43}))


async def a_crooked_token(w: World) -> str:
    return code_of(await w.eve.http.get(f"/api/games/{w.game}", headers={b"cookie": b"flagfall_guest=\xff'; --"}))


async def the_guest_of_another_game_comes_with_his_own_token(w: World) -> str:
    await invite(w.eve)
    return await first(w.eve, w.game)


async def a_player_names_the_other_seat(w: World) -> str:
    return await first(w.anna, w.game, seat="blue")


async def a_player_names_a_seat_that_is_none(w: World) -> str:
    return code_of(await w.anna.http.get(f"/api/games/{w.game}?seat=green"))


async def a_player_moves_the_other_sides_man(w: World) -> str:
    man = next(man["id"] for man in w.red.latest["men"] if man["seat"] == "blue" and not man["moved"])  # type: ignore[index]
    return await refused(w.red, **MOVE | {"from": man, "to": "e6"})


async def a_player_moves_out_of_turn(w: World) -> str:
    return await refused(w.blue, **MOVE | {"from": "a7", "to": "a6"})


async def a_player_forges_the_number_of_a_ply(w: World) -> str:
    return await refused(w.red, **MOVE | {"ply": 99})


async def a_player_plays_the_past_again(w: World) -> str:
    return await refused(w.red, **MOVE | {"ply": 1, "from": "d4", "to": "d5"})


async def an_old_frame_is_sent_again(w: World) -> str:
    return await refused(w.red, type="move", id="first", ply=1, **{"from": "e4", "to": "e5"})


async def an_old_move_is_sent_again_under_another_name(w: World) -> str:
    return await refused(w.red, type="move", id="second", ply=1, **{"from": "e4", "to": "e5"})


async def a_player_accepts_a_draw_that_nobody_offered(w: World) -> str:
    return await refused(w.blue, type="answer_draw", id="evil", accept=True)


async def a_player_changes_his_army(w: World) -> str:
    return code_of(await w.ben.http.post(f"/api/games/{w.game}/army", json={"army": RED}))


async def a_player_opens_the_record_too_early(w: World) -> str:
    return code_of(await w.anna.http.get(f"/api/games/{w.game}/record"))


async def a_player_asks_for_a_rematch_too_early(w: World) -> str:
    return code_of(await w.anna.http.post(f"/api/games/{w.game}/rematch", json={}))


async def a_player_withdraws_a_game_that_began(w: World) -> str:
    return code_of(await w.anna.http.post(f"/api/games/{w.game}/withdraw"))


async def a_player_goes_on_in_a_finished_game(w: World) -> str:
    async with w.anna.table(w.over) as line:
        return await refused(line, **MOVE | {"ply": 1, "from": "e4", "to": "e5"})


async def a_player_shows_armies_in_a_finished_game(w: World) -> str:
    async with w.anna.table(w.over) as line:
        return await refused(line, type="show_truth", id="evil", give=True)


async def a_player_looks_on_at_his_own_game(w: World) -> str:
    async with w.ben.look_on(w.link) as line:
        return str((await line.hear())["code"])


async def a_watcher_moves(w: World) -> str:
    async with w.eve.look_on(w.link) as line:
        return await refused(line, **MOVE)


async def a_watcher_resigns_for_a_seat(w: World) -> str:
    async with w.eve.look_on(w.link) as line:
        return await refused(line, type="resign", id="evil")


async def a_watcher_agrees_for_a_seat(w: World) -> str:
    async with w.eve.look_on(w.link) as line:
        return await refused(line, type="show_truth", id="evil", give=True)


async def a_watcher_forges_what_he_has_heard(w: World) -> str:
    async with w.eve.look_on(w.link, since=999_999) as line:
        told = await line.state()
        assert (told["plies"], told["plies_from"], told["ply"]) == ([], 3, 2)
    async with w.eve.look_on(w.link, since="-1") as line:
        return str((await line.hear())["code"])


async def a_watcher_comes_by_the_games_id(w: World) -> str:
    async with w.eve.look_on(w.game) as line:
        return str((await line.hear())["code"])


async def a_watcher_comes_by_the_invitation(w: World) -> str:
    async with w.eve.look_on(w.code) as line:
        return str((await line.hear())["code"])


async def somebody_joins_by_the_watchers_link(w: World) -> str:
    return code_of(await join(w.eve, w.link))


async def somebody_joins_a_game_that_is_full(w: World) -> str:
    return code_of(await join(w.eve, w.code))


async def somebody_joins_by_an_invitation_that_expired(w: World) -> str:
    game, code = await invite(w.anna)
    assert (await w.anna.http.post(f"/api/games/{game}/withdraw")).status_code == 204
    return code_of(await join(w.eve, code))


async def another_sites_page_asks(w: World) -> str:
    return code_of(await w.anna.http.get(f"/api/games/{w.game}", headers={"origin": "https://evil.example"}))


async def another_sites_page_opens_the_socket(w: World) -> str:
    return await shut(w.anna, w.game, origin="https://evil.example")


async def another_host_is_named(w: World) -> str:
    return code_of(await w.anna.http.get(f"/api/games/{w.game}", headers={"host": "evil.example"}))


async def another_host_is_named_at_the_socket(w: World) -> str:
    """The client names the right host as well, and two names are one too many."""
    return await shut(w.anna, w.game, host="evil.example")


async def a_crooked_path(w: World) -> str:
    return code_of(await w.eve.http.get(f"/api/games/{w.game}%2f..%2f{w.game}/record"))


async def garbage(w: World) -> str:
    return await raw(w.red, "garbage")


async def a_huge_frame(w: World) -> str:
    return await raw(w.red, "x" * 1_000_000)


async def a_frame_that_is_a_little_too_long(w: World) -> str:
    return await raw(w.red, json.dumps(MOVE | {"id": "x" * 1_100}))


async def a_huge_body(w: World) -> str:
    return code_of(await w.anna.http.post(f"/api/games/{w.game}/army", json={"army": "F" * 30_000}))


async def a_frame_of_another_type(w: World) -> str:
    return await raw(w.red, json.dumps(MOVE | {"type": "state"}))


async def a_field_of_another_type(w: World) -> str:
    return await raw(w.red, json.dumps(MOVE | {"ply": [3]}))


async def a_field_too_many(w: World) -> str:
    return await raw(w.red, json.dumps(MOVE | {"seat": "blue"}))


async def a_lone_surrogate(w: World) -> str:
    return await raw(w.red, '{"type":"resign","id":"\\ud800"}')


async def a_frame_that_nests_deep(w: World) -> str:
    return await raw(w.red, '{"type":"move","id":' + "[" * 900)


async def a_body_that_nests_deep(w: World) -> str:
    body = '{"army":' + "[" * 500 + "]" * 500 + "}"
    headers = {"content-type": "application/json"}
    return code_of(await w.anna.http.post(f"/api/games/{w.game}/army", content=body, headers=headers))


async def bytes_that_are_no_text(w: World) -> str:
    return await raw(w.red, b"\xff\xfe\x00\x80", text=False)


async def a_text_that_is_no_text(w: World) -> str:
    return await raw(w.red, b"\xff\xfe\x00\x80", text=True)


async def a_number_beyond_all_numbers(w: World) -> str:
    return await raw(w.red, '{"type":"move","id":"a","ply":1e999,"from":"e5","to":"e6"}')


async def a_seat_in_too_many_places(w: World) -> str:
    async with asyncio.TaskGroup() as group:
        opened = [group.create_task(first(w.anna, w.game)) for _ in range(MOST_TABS)]
    assert {task.result() for task in opened} <= {"state", "too_many_tabs"}
    held = []
    try:
        for _ in range(MOST_TABS - 1):
            table = w.anna.table(w.game)
            held.append(table)
            await table.__aenter__()
        return await first(w.anna, w.game)
    finally:
        for table in held:
            await table.__aexit__(None, None, None)


async def a_watcher_in_too_many_places(w: World) -> str:
    held = [w.eve.look_on(w.link) for _ in range(gallery.MOST_LINES)]
    lines = [await one.__aenter__() for one in held]
    try:
        for line in lines:
            await line.state()
        async with w.eve.look_on(w.link) as line:
            return str((await line.hear())["code"])
    finally:
        for one in held:
            await one.__aexit__(None, None, None)


Kind = Callable[[World], Awaitable[str]]
TABLE: list[tuple[Kind, str]] = [
    (a_stranger_asks_for_the_state, "no_game"),
    (a_stranger_asks_for_the_record_of_a_running_game, "no_game"),
    (a_stranger_asks_for_the_board_of_a_running_game, "no_game"),
    (a_stranger_opens_the_socket, "no_game"),
    (a_stranger_places_an_army, "no_game"),
    (a_stranger_asks_for_a_rematch, "no_game"),
    (a_stranger_withdraws_the_game, "no_game"),
    (nobody_asks_without_a_token, "no_guest"),
    (somebody_makes_a_token_up, "no_game"),
    (a_crooked_token, "no_guest"),
    (the_guest_of_another_game_comes_with_his_own_token, "no_game"),
    (a_player_names_the_other_seat, "no_game"),
    (a_player_names_a_seat_that_is_none, "bad_message"),
    (a_player_moves_the_other_sides_man, "not_yours"),
    (a_player_moves_out_of_turn, "out_of_turn"),
    (a_player_forges_the_number_of_a_ply, "stale"),
    (a_player_plays_the_past_again, "stale"),
    (an_old_frame_is_sent_again, "done"),
    (an_old_move_is_sent_again_under_another_name, "done"),
    (a_player_accepts_a_draw_that_nobody_offered, "no_offer"),
    (a_player_changes_his_army, "already_deployed"),
    (a_player_opens_the_record_too_early, "not_over"),
    (a_player_asks_for_a_rematch_too_early, "not_over"),
    (a_player_withdraws_a_game_that_began, "joined_already"),
    (a_player_goes_on_in_a_finished_game, "game_over"),
    (a_player_shows_armies_in_a_finished_game, "not_watched"),
    (a_player_looks_on_at_his_own_game, "own_game"),
    (a_watcher_moves, "only_watching"),
    (a_watcher_resigns_for_a_seat, "only_watching"),
    (a_watcher_agrees_for_a_seat, "only_watching"),
    (a_watcher_forges_what_he_has_heard, "bad_message"),
    (a_watcher_comes_by_the_games_id, "no_watch_link"),
    (a_watcher_comes_by_the_invitation, "no_watch_link"),
    (somebody_joins_by_the_watchers_link, "no_invitation"),
    (somebody_joins_a_game_that_is_full, "seat_taken"),
    (somebody_joins_by_an_invitation_that_expired, "no_invitation"),
    (another_sites_page_asks, "foreign_origin"),
    (another_sites_page_opens_the_socket, "shut 403"),
    (another_host_is_named, "foreign_host"),
    (another_host_is_named_at_the_socket, "shut 400"),
    (a_crooked_path, "no_address"),
    (garbage, "bad_message"),
    (a_huge_frame, "closed 1009"),
    (a_frame_that_is_a_little_too_long, "too_long"),
    (a_huge_body, "too_long"),
    (a_frame_of_another_type, "bad_message"),
    (a_field_of_another_type, "bad_message"),
    (a_field_too_many, "bad_message"),
    (a_lone_surrogate, "bad_message"),
    (a_frame_that_nests_deep, "bad_message"),
    (a_body_that_nests_deep, "too_deep"),
    (bytes_that_are_no_text, "bad_message"),
    (a_text_that_is_no_text, "closed 1007"),
    (a_number_beyond_all_numbers, "bad_message"),
    (a_seat_in_too_many_places, "too_many_tabs"),
    (a_watcher_in_too_many_places, "too_many_tabs"),
]


async def goes_on(w: World) -> None:
    """Red plays on as if nothing had been."""
    async with w.anna.table(w.game) as line:
        await line.state(lambda one: one["ply"] == 2)
        assert (await line.move("e5-e6", 3))["type"] == "done"


@pytest.mark.timeout(300)
@pytest.mark.parametrize("part", range(4))
async def test_every_hostile_client_gets_its_code_and_changes_nothing(part: int, tmp_path: Path) -> None:
    async with world(tmp_path) as w, AsyncExitStack() as stack:
        before, board = await w.log(), await w.board()
        for kind, code in TABLE[part::4]:
            assert await kind(w) == code, kind.__name__
            assert (await w.log(), await w.board()) == (before, board), kind.__name__
            if w.red.socket.state is not websockets.State.OPEN:
                w.red = await stack.enter_async_context(w.anna.table(w.game))
                await w.red.state(lambda one: one["ply"] == 2)
        await goes_on(w)


def test_the_table_has_no_kind_twice() -> None:
    names = [kind.__name__ for kind, _ in TABLE]
    assert len(set(names)) == len(names) >= 50


async def test_two_sockets_of_a_seat_play_a_ply_once(tmp_path: Path) -> None:
    async with world(tmp_path) as w, w.anna.table(w.game) as other, w.anna.table(w.game) as third:
        await other.state()
        before = await w.log()
        answers = await asyncio.gather(
            w.red.move("e5-e6", 3, name="here"),
            other.move("e5-e6", 3, name="there"),
            third.move("f4-f5", 3, name="too"),
        )
        assert [answer["type"] for answer in answers[:2]] == ["done", "done"]
        assert answers[2]["code"] in ("stale", "out_of_turn")
        assert len(await w.log()) == len(before) + 1


async def test_a_reader_who_never_reads_holds_nobody_up(tmp_path: Path) -> None:
    """A seat's second page and a watcher stop reading for good; the game goes on between those who read."""
    async with world(tmp_path) as w:
        cookie = "; ".join(f"{name}={value}" for name, value in w.anna.http.cookies.items())
        eve = "; ".join(f"{name}={value}" for name, value in w.eve.http.cookies.items())
        host, port = w.server.address.split(":")
        writers = []
        for path, held in ((f"/api/games/{w.game}/socket", cookie), (f"/api/watch/{w.link}/socket", eve)):
            _, writer = await asyncio.open_connection(host, int(port), limit=1)
            head = f"GET {path}?since=0 HTTP/1.1\r\nhost: {w.server.address}\r\norigin: http://{w.server.address}\r\n"
            keys = "upgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-version: 13\r\n"
            writer.write(f"{head}{keys}sec-websocket-key: {'A' * 22}==\r\ncookie: {held}\r\n\r\n".encode())
            await writer.drain()
            writers.append(writer)
        async with asyncio.timeout(60):
            for ply in range(3, 40):
                mover = w.red if ply % 2 else w.blue
                seen = await mover.state(lambda one, ply=ply: one["ply"] == ply - 1)  # type: ignore[misc]
                origin, targets = next(iter(sorted(seen["legal"].items())))
                assert (await mover.move(f"{origin}-{targets[0]}", ply))["type"] == "done"
        for writer in writers:
            writer.close()


async def test_who_shouts_is_cut_off_as_seat_and_as_watcher(tmp_path: Path) -> None:
    async with world(tmp_path, frames=Rate(0.001, 30)) as w:
        before = await w.log()
        async with w.eve.look_on(w.link) as line, w.anna.table(w.game) as second:
            for socket in (line, second):
                await socket.state()
                for _ in range(80):
                    await socket.socket.send('{"type":"ping"}')
                with pytest.raises(websockets.ConnectionClosed):
                    await socket.until(lambda _: False)
                assert socket.socket.close_code == 4429
                assert any('"too_fast"' in text for text in socket.heard)
        assert await w.log() == before
        await goes_on(w)


async def test_one_address_holds_so_many_sockets_and_no_more(tmp_path: Path) -> None:
    """A flood of connections ends at a number; what has a line keeps it, and a line that is let go can be had again."""
    async with world(tmp_path, lines=6) as w:
        held = [w.anna.table(w.game) for _ in range(4)]
        for table in held:
            await table.__aenter__()
        before = await w.log()
        assert {await shut(w.eve, w.game) for _ in range(20)} == {"shut 403"}
        with pytest.raises(websockets.InvalidStatus):
            async with w.eve.look_on(w.link):
                pass
        assert await w.log() == before
        assert (await w.red.move("e5-e6", 3))["type"] == "done"
        for table in held:
            await table.__aexit__(None, None, None)
        async with asyncio.timeout(20):
            while await first_or_shut(w.eve, w.game) == "shut":  # noqa: ASYNC110 - nobody is told when a line is free
                await asyncio.sleep(0.02)
        assert await first(w.eve, w.game) == "no_game"


async def first_or_shut(caller: Caller, game: str) -> str:
    try:
        return await first(caller, game)
    except websockets.InvalidStatus:
        return "shut"
