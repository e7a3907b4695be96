"""Accounts: coming in and going out, ended sessions, taken-over games, one's data, and what refusals tell of names."""

from __future__ import annotations

import json
import random
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import httpx
import pytest
import structlog
import websockets

from flagfall.server import accounts
from flagfall.server.accounts import Accounts
from flagfall.server.journal import record_of
from flagfall.server.passwords import Passwords
from flagfall.server.rates import Rate
from tests.server.hall import RED, Caller, Hall, hall
from tests.server.test_friend import BLUE, invite, join, place, play_on

ANNA = {"name": "Anna", "password": "correct horse battery"}
BEN = {"name": "ben_2", "password": "zwölf Boxkämpfer jagen"}
Mark = tuple[int, str]


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """All callers have one address here; what is limited by it has a test of its own."""
    monkeypatch.setattr(accounts, "ENROLS", Rate(1_000, 1_000))


async def register(caller: Caller, asked: dict[str, str] = ANNA) -> dict[str, Any]:
    answer = await caller.http.post("/api/account", json=asked)
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


async def sign_in(caller: Caller, asked: dict[str, str] = ANNA) -> httpx.Response:
    return await caller.http.post("/api/account/session", json=asked)


async def me(caller: Caller) -> dict[str, Any]:
    return dict((await caller.http.get("/api/account")).json())


def kept_password(store: Path) -> str:
    with sqlite3.connect(store) as rows:
        return str(rows.execute("select password from accounts").fetchone()[0])


def marks(answer: httpx.Response) -> Mark:
    return answer.status_code, answer.json()["code"]


async def test_somebody_comes_in_goes_out_and_comes_back(tmp_path: Path) -> None:
    async with hall(place(tmp_path)) as server:
        anna = await server.caller()
        assert await me(anna) == {"name": None, "claimable": 0, "sessions": []}
        made = await register(anna)
        assert (made["name"], len(made["sessions"]), made["sessions"][0]["here"]) == ("Anna", 1, True)
        token = anna.http.cookies["flagfall_session"]
        assert len(token) == 43
        assert (await anna.http.delete("/api/account/session")).status_code == 204
        assert "flagfall_session" not in anna.http.cookies
        assert (await me(anna))["name"] is None
        # The cookie that was kept somewhere is worth nothing any more.
        anna.http.cookies.set("flagfall_session", token)
        assert (await me(anna))["name"] is None
        anna.http.cookies.delete("flagfall_session")
        answer = await sign_in(anna, ANNA | {"name": "aNNA"})
        cookie = answer.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=strict" in cookie
        assert (await me(anna))["name"] == "Anna"
        tokens = (token, answer.cookies["flagfall_session"])
    kept = b"".join(path.read_bytes() for path in (tmp_path / "home").iterdir())
    assert not any(secret.encode() in kept for secret in (*tokens, ANNA["password"]))
    with sqlite3.connect(place(tmp_path)) as rows:
        assert rows.execute("select substr(password, 1, 10) from accounts").fetchall() == [("$argon2id$",)]


async def test_nobody_learns_from_a_refusal_whether_a_name_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    verified: list[str] = []
    honest: Any = vars(Passwords)["_matches"]

    def counted(self: Any, kept: str, password: bytes) -> bool:
        verified.append(kept)
        return bool(honest(self, kept, password))

    monkeypatch.setattr(Passwords, "_matches", counted)
    async with hall(place(tmp_path)) as server:
        anna, ben = await server.caller(), await server.caller()
        await register(anna)
        heard = []
        with structlog.testing.capture_logs() as logs:
            for name in ("Anna", "nobody-here"):
                verified.clear()
                answer = await sign_in(ben, {"name": name, "password": "not the password"})
                assert (marks(answer), len(verified)) == ((403, "wrong_login"), 1)
                heard.append((answer.text, list(answer.headers.multi_items())))
        assert heard[0] == heard[1]
        assert logs == []
        # What is verified for nobody costs as much as what is verified for somebody.
        assert verified[0].split("$")[:4] == kept_password(place(tmp_path)).split("$")[:4]
        # Not even whoever knows what is verified for nobody comes in.
        wrong = {"name": "nobody-here", "password": "nobody has this name, so nobody has this password"}
        assert marks(await sign_in(ben, wrong)) == (403, "wrong_login")


async def test_names_and_passwords_have_their_limits(tmp_path: Path) -> None:
    async with hall(place(tmp_path)) as server:
        anna, ben = await server.caller(), await server.caller()
        await register(anna)
        for name, password, expected in (
            ("ANNA", "some other words", (409, "name_taken")),
            ("Admin", "some other words", (409, "name_taken")),
            ("carl", "carl is my name", (422, "weak_password")),
            ("carl", "aaaaaaaaaaaaaa", (422, "weak_password")),
            ("carl", "short", (400, "bad_message")),
            ("c", "some other words", (400, "bad_message")),
            ("c" * 25, "some other words", (400, "bad_message")),
            ("\u0430nna", "some other words", (400, "bad_message")),
            ("a b", "some other words", (400, "bad_message")),
            ("carl\n", "some other words", (400, "bad_message")),
            ("carl", "x" * 201, (400, "bad_message")),
        ):
            answer = await ben.http.post("/api/account", json={"name": name, "password": password})
            assert marks(answer) == expected, (name, password)
            assert password not in answer.text
        assert (await me(ben))["name"] is None


async def test_a_password_is_the_same_however_its_letters_are_composed(tmp_path: Path) -> None:
    async with hall(place(tmp_path)) as server:
        ben = await server.caller()
        await register(ben, BEN)
        assert (await sign_in(ben, BEN | {"password": "zwo\u0308lf Boxka\u0308mpfer jagen"})).status_code == 201
        assert marks(await sign_in(ben, BEN | {"password": "zwolf Boxkampfer jagen"})) == (403, "wrong_login")
        lone = b'{"name": "ben_2", "password": "\\ud800 lone half of a letter"}'
        answer = await ben.http.post("/api/account/session", content=lone, headers={"content-type": "application/json"})
        assert answer.status_code in (400, 403)


async def test_passwords_cannot_be_tried_without_end(tmp_path: Path) -> None:
    async with hall(place(tmp_path)) as server:
        anna, ben = await server.caller(), await server.caller()
        await register(anna)
        for name in ("Anna", "nobody"):
            codes = [marks(await sign_in(ben, {"name": name, "password": f"guess number {at}"})) for at in range(12)]
            assert codes[-1] == (429, "too_fast")
        assert marks(await sign_in(ben)) == (429, "too_fast")


async def test_accounts_cannot_be_made_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accounts, "ENROLS", Rate(0.001, 3))
    async with hall(place(tmp_path)) as server:
        anna = await server.caller()
        asked = [{"name": f"anna{at}", "password": "correct horse battery"} for at in range(4)]
        answers = [await anna.http.post("/api/account", json=one) for one in asked]
        assert [answer.status_code for answer in answers] == [201, 201, 201, 429]


async def test_another_sites_page_cannot_sign_anybody_in_or_out(tmp_path: Path) -> None:
    async with hall(place(tmp_path)) as server:
        anna = await server.caller()
        await register(anna)
        foreign = {"origin": "http://elsewhere.example"}
        for method, path in (("POST", "session"), ("DELETE", "session"), ("DELETE", "sessions"), ("POST", "delete")):
            answer = await anna.http.request(method, f"/api/account/{path}", headers=foreign)
            assert marks(answer) == (403, "foreign_origin")
        assert (await me(anna))["name"] == "Anna"


async def test_a_session_is_ended_from_another_and_its_sockets_close(tmp_path: Path) -> None:
    async with hall(place(tmp_path)) as server:
        anna, phone, ben = [await server.caller() for _ in range(3)]
        await register(anna)
        await register(ben, BEN)
        await sign_in(phone)
        game = (await phone.new_game())["game"]
        lines = (await me(anna))["sessions"]
        (there,) = [line["id"] for line in lines if not line["here"]]
        assert marks(await ben.http.delete(f"/api/account/sessions/{there}")) == (404, "no_session")
        async with anna.table(game) as stays, phone.table(game) as goes:
            await goes.state()
            await stays.state()
            assert (await anna.http.delete(f"/api/account/sessions/{there}")).status_code == 204
            with pytest.raises(websockets.ConnectionClosed) as ended:
                await goes.until(lambda _: False)
            assert ended.value.rcvd is not None
            assert ended.value.rcvd.code == 4401
            assert (await stays.ask(type="resign", id="r"))["type"] == "done"
        assert (await phone.http.get(f"/api/games/{game}")).status_code == 404
        assert len((await me(anna))["sessions"]) == 1
        await sign_in(phone)
        assert (await anna.http.delete("/api/account/sessions")).status_code == 204
        assert ((await me(phone))["name"], (await me(anna))["name"]) == (None, "Anna")


async def test_a_new_password_ends_every_other_session(tmp_path: Path) -> None:
    async with hall(place(tmp_path)) as server:
        anna, phone = await server.caller(), await server.caller()
        await register(anna)
        await sign_in(phone)
        wrong = {"old": "not the password", "new": "another long one"}
        assert marks(await anna.http.post("/api/account/password", json=wrong)) == (403, "wrong_login")
        assert (await me(phone))["name"] == "Anna"
        right = {"old": ANNA["password"], "new": "another long one"}
        assert (await anna.http.post("/api/account/password", json=right)).status_code == 204
        assert ((await me(phone))["name"], (await me(anna))["name"]) == (None, "Anna")
        assert marks(await sign_in(phone)) == (403, "wrong_login")
        assert (await sign_in(phone, ANNA | {"password": "another long one"})).status_code == 201


async def test_a_session_that_nobody_uses_dies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with hall(place(tmp_path)) as server:
        anna = await server.caller()
        await register(anna)
        monkeypatch.setattr(accounts, "SESSION_MS", -1)
        assert (await me(anna))["name"] is None


async def test_games_of_the_browsers_guest_are_taken_over(tmp_path: Path) -> None:
    async with hall(place(tmp_path)) as server:
        anna, other = await server.caller(), await server.caller()
        game = (await anna.new_game())["game"]
        await register(anna)
        assert (await anna.http.get(f"/api/games/{game}")).status_code == 404
        assert (await me(anna))["claimable"] == 1
        claimed = await anna.http.post("/api/account/claim", json={})
        assert (claimed.status_code, claimed.json()["claimable"]) == (200, 0)
        assert (await anna.http.get(f"/api/games/{game}")).json()["seat"] == "red"
        await sign_in(other)
        async with other.table(game) as line:
            assert (await line.state())["game"] == game
        await anna.http.delete("/api/account/session")
        assert (await anna.http.get(f"/api/games/{game}")).status_code == 404
        assert marks(await anna.http.post("/api/account/claim", json={})) == (401, "not_signed_in")


async def test_nobody_plays_himself_by_signing_in_or_out(tmp_path: Path) -> None:
    async with hall(place(tmp_path)) as server:
        anna = await server.caller()
        game, code = await invite(anna)
        guest = dict(anna.http.cookies)
        await register(anna)
        assert marks(await join(anna, code)) == (409, "own_table")
        # By another browser he may come, but never holds both seats: what would make him do so is not taken over.
        phone = await server.caller()
        await sign_in(phone)
        assert (await join(phone, code)).json() == {"game": game, "seat": "blue"}
        assert (await me(anna))["claimable"] == 0
        await anna.http.post("/api/account/claim", json={})
        assert (await anna.http.get(f"/api/games/{game}")).json()["seat"] == "blue"
        assert (await anna.http.get(f"/api/games/{game}?seat=red")).status_code == 404
        assert guest["flagfall_guest"] == anna.http.cookies["flagfall_guest"]


async def test_who_sits_there_looks_on_neither_signed_in_nor_out(tmp_path: Path) -> None:
    async with hall(place(tmp_path)) as server:
        anna = await server.caller()
        game, code = await invite(anna, watch={"delay": 1})
        link = (await anna.http.get(f"/api/games/{game}")).json()["watch"]["code"]
        await register(anna)
        assert marks(await anna.http.get(f"/api/watch/{link}")) == (409, "own_game")
        async with anna.look_on(link) as line:
            assert (await line.hear())["code"] == "own_game"
        # Whoever looks on as a guest and sits down as an account looks on no longer.
        ben = await server.caller()
        async with ben.look_on(link) as line:
            await line.state()
            await register(ben, BEN)
            assert (await join(ben, code)).status_code == 201
            assert (await line.until(lambda frame: frame["type"] == "refused"))["code"] == "own_game"


async def test_names_are_told_at_the_table_and_in_lists_and_go_with_the_account(tmp_path: Path) -> None:
    async with hall(place(tmp_path)) as server:
        anna, ben, carl = [await server.caller() for _ in range(3)]
        game, code = await invite(anna, open=True)
        async with anna.table(game) as red:
            assert (await red.state())["names"] == {"red": None, "blue": None}
            await register(anna)
            await anna.http.post("/api/account/claim", json={})
            # The table is in memory, and hears of a name that is given to a seat.
            await red.state(lambda one: one["names"]["red"] == "Anna")
            (entry,) = (await ben.http.get("/api/hall")).json()
            assert (entry["host"], entry["mine"]) == ("Anna", False)
            await register(ben, BEN)
            await join(ben, code)
            await red.state(lambda one: one["names"] == {"red": "Anna", "blue": "ben_2"})
        (line,) = (await ben.http.get("/api/games")).json()
        assert line["opponent"] == "Anna"
        async with ben.table(game) as blue:
            assert (await blue.state())["names"]["red"] == "Anna"
            await anna.http.post("/api/account/delete", json={"password": ANNA["password"]})
            await blue.state(lambda one: one["names"] == {"red": None, "blue": "ben_2"})
        (line,) = (await ben.http.get("/api/games")).json()
        assert line["opponent"] is None
        assert "Anna" not in (await carl.http.get("/api/hall")).text


async def export(caller: Caller) -> dict[str, Any]:
    answer = await caller.http.get("/api/account/export")
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


async def test_one_takes_ones_data_along_and_nothing_that_is_hidden_yet(tmp_path: Path) -> None:
    async with hall(place(tmp_path)) as server:
        anna, ben = await server.caller(), await server.caller()
        await register(anna)
        await register(ben, BEN)
        game, code = await invite(anna)
        await join(ben, code)
        await ben.http.post(f"/api/games/{game}/army", json={"army": BLUE})
        async with anna.table(game) as red, ben.table(game) as blue:
            await play_on({"red": red, "blue": blue}, random.Random(4), 6)
            (mine,) = (await export(anna))["games"]
            (his,) = (await export(ben))["games"]
            assert (mine["army"], mine["record"], mine["plies"]) == (RED, None, 6)
            assert (his["army"], his["record"]) == (BLUE, None)
            assert BLUE not in json.dumps(mine)
            assert RED not in json.dumps(his)
            await blue.ask(type="resign", id="r")
        told = await export(anna)
        assert (told["format"], told["name"], len(told["sessions"])) == ("flagfall-account-1", "Anna", 1)
        record = (await anna.http.get(f"/api/games/{game}/record")).json()
        assert told["games"][0]["record"] == record
        assert "argon2" not in json.dumps(told)
        await export(anna)
        assert marks(await anna.http.get("/api/account/export")) == (429, "too_fast")


async def exported(folder: Path, armies: Sequence[str]) -> list[str]:
    """What red takes along of a game that is not over, by the army that blue has placed."""
    seen = []
    for number, army in enumerate(armies):
        async with hall(folder / str(number) / "games.sqlite3") as server:
            anna, ben = await server.caller(), await server.caller()
            await register(anna)
            game, code = await invite(anna)
            await join(ben, code)
            await ben.http.post(f"/api/games/{game}/army", json={"army": army})
            (share,) = (await export(anna))["games"]
            seen.append(json.dumps({**share, "game": "", "begun_ms": 0}))
    return seen


async def test_twins_take_the_same_along(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    armies = [BLUE, BLUE[1:] + BLUE[0]]
    assert len(set(await exported(tmp_path / "tight", armies))) == 1
    monkeypatch.setattr(Accounts, "_share", _leaky)
    assert len(set(await exported(tmp_path / "leaky", armies))) == 2


HONEST: Any = vars(Accounts)["_share"]


async def _leaky(self: Any, game: str, word: str, _: str) -> Any:
    """The planted leak: an unfinished game's record."""
    share = await HONEST(self, game, word, "over")
    kept = record_of([entry for entry, _ in await self._store.log(game)])
    return type(share)(**{name: getattr(share, name) for name in share.__struct_fields__} | {"record": kept.to_json()})


async def test_an_account_is_forgotten_and_its_games_stay(tmp_path: Path) -> None:
    async with hall(place(tmp_path)) as server:
        anna, phone, ben = [await server.caller() for _ in range(3)]
        await register(anna)
        await sign_in(phone)
        waiting, _ = await invite(anna)
        game, code = await invite(anna)
        await join(ben, code)
        await ben.http.post(f"/api/games/{game}/army", json={"army": BLUE})
        async with anna.table(game) as red, ben.table(game) as blue:
            await play_on({"red": red, "blue": blue}, random.Random(4), 4)
            assert marks(await anna.http.post("/api/account/delete", json={"password": "not the one"}))[0] == 403
            assert (await anna.http.post("/api/account/delete", json={"password": ANNA["password"]})).status_code == 204
            state = await blue.state(lambda one: one["phase"] == "over")
            assert (state["result"], state["reason"]) == ("blue", "resigned")
        assert [(await me(caller))["name"] for caller in (anna, phone)] == [None, None]
        assert (await anna.http.get(f"/api/games/{game}")).status_code == 404
        assert (await ben.http.get(f"/api/games/{game}/record")).status_code == 200
        assert await server.store.summary(waiting) is None
        assert marks(await sign_in(anna)) == (403, "wrong_login")
        # The name is free, and whoever takes it next gets nothing of what was.
        await register(phone)
        assert (await export(phone))["games"] == []
        assert await kept_of(server, game) == ["blue", "red"]


async def kept_of(server: Hall, game: str) -> list[str]:
    return sorted(await server.store.owners(game))
