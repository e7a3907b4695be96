"""Bots: a token's reach, streams, deeds over HTTP, challenges, and the bot of the documents playing a game."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest

from flagfall.check.twins import Script, random_script, twins
from flagfall.rules.board import Seat, origin, square_name, target
from flagfall.rules.catalog import CLASSIC
from flagfall.server import challenges, streams, tokens
from tests.server.hall import RED, Caller, Hall, hall, sealed_alike, still
from tests.server.test_accounts import ANNA, BEN, register
from tests.server.test_friend import BLUE, hidden_of, invite, place, stands_at

BOT = Path(__file__).parents[2] / "examples" / "bot.py"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streams that look and breathe often."""
    monkeypatch.setattr(streams, "LOOK_EVERY_S", 0.05)
    monkeypatch.setattr(streams, "ALIVE_EVERY_S", 0.2)


async def bot(server: Hall, asked: dict[str, str] = ANNA) -> tuple[Caller, Caller, str]:
    """An account's browser, a bot that has a token of it, and the token."""
    person = await server.caller()
    await register(person, asked)
    made = (await person.http.post("/api/account/tokens", json={"title": "my  bot"})).json()
    machine = Caller(server.address)
    machine.http.headers["authorization"] = f"Bearer {made['token']}"
    del machine.http.headers["origin"]
    server.callers.append(machine)
    return person, machine, made["token"]


class Stream:
    """A stream's lines as they come."""

    def __init__(self, lines: AsyncIterator[str]) -> None:
        self._lines = lines
        self.heard: list[str] = []

    async def next(self) -> dict[str, Any] | None:
        """The next line that says something; None at the end."""
        async with asyncio.timeout(60):
            async for line in self._lines:
                if line:
                    self.heard.append(line)
                    return dict(json.loads(line))
            return None

    async def breathe(self) -> None:
        """Wait for an empty line; a state that was news meanwhile may come before it."""
        async with asyncio.timeout(60):
            while await anext(self._lines):
                pass

    async def until(self, kind: str, **wanted: Any) -> dict[str, Any]:
        while True:
            found = await self.next()
            assert found is not None
            if found["type"] == kind and all(found[name] == value for name, value in wanted.items()):
                return found


@asynccontextmanager
async def opened(caller: Caller, path: str) -> AsyncIterator[Stream]:
    async with caller.http.stream("GET", path, timeout=60) as answer:
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("application/x-ndjson")
        yield Stream(answer.aiter_lines())


async def test_a_token_plays_and_does_nothing_else_to_its_account(tmp_path: Path) -> None:
    async with hall(place(tmp_path)) as server:
        person, machine, token = await bot(server)
        (line,) = (await person.http.get("/api/account/tokens")).json()
        assert (line["title"], line["used_ms"]) == ("my bot", None)
        assert token not in (await person.http.get("/api/account/tokens")).text
        assert (await machine.http.get("/api/account")).json() == {"name": "Anna", "claimable": 0, "sessions": []}
        assert (await machine.http.get("/api/games")).json() == []
        refused = [
            await machine.http.get("/api/account/export"),
            await machine.http.get("/api/account/tokens"),
            await machine.http.post("/api/account/tokens", json={"title": "more"}),
            await machine.http.post("/api/account/password", json={"old": ANNA["password"], "new": "x" * 12}),
            await machine.http.post("/api/account/delete", json={"password": ANNA["password"]}),
            await machine.http.delete("/api/account/sessions"),
            await machine.http.delete(f"/api/account/tokens/{line['id']}"),
        ]
        assert {(answer.status_code, answer.json()["code"]) for answer in refused} == {(403, "not_with_token")}
        for wrong in (token[:-1], token + "x", "flagfall_" + "a" * 43, token.upper()):
            answer = await machine.http.get("/api/games", headers={"authorization": f"Bearer {wrong}"})
            assert (answer.status_code, answer.json()["code"]) == (401, "bad_token")
        # A cookie beside a token that opens nothing does not open it either; a proxy's own password is none of ours.
        answer = await person.http.get("/api/games", headers={"authorization": "Bearer nonsense"})
        assert answer.json()["code"] == "bad_token"
        assert (await person.http.get("/api/games", headers={"authorization": "Basic YTpi"})).status_code == 200


async def test_a_revoked_token_closes_its_streams(tmp_path: Path) -> None:
    async with hall(place(tmp_path)) as server:
        person, machine, _ = await bot(server)
        game = (await machine.new_game(level="random"))["game"]
        (line,) = (await person.http.get("/api/account/tokens")).json()
        async with opened(machine, f"/api/bot/games/{game}/stream") as at, opened(machine, "/api/bot/stream") as mine:
            await at.until("state")
            await mine.until("game_start", game=game)
            assert (await person.http.delete(f"/api/account/tokens/{line['id']}")).status_code == 204
            while await at.next():
                pass
            while await mine.next():
                pass
        assert (await machine.http.get("/api/games")).json()["code"] == "bad_token"
        assert (await person.http.delete(f"/api/account/tokens/{line['id']}")).json()["code"] == "no_token"


async def test_tokens_are_few_and_go_with_their_account(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens, "MOST", 1)
    async with hall(place(tmp_path)) as server:
        person, machine, _ = await bot(server)
        answer = await person.http.post("/api/account/tokens", json={"title": "second"})
        assert (answer.status_code, answer.json()["code"]) == (409, "too_many_tokens")
        for wrong in ({"title": ""}, {"title": "x" * 61}, {}, {"title": "x", "scope": "all"}):
            assert (await person.http.post("/api/account/tokens", json=wrong)).status_code == 400
        await person.http.post("/api/account/delete", json={"password": ANNA["password"]})
        assert (await machine.http.get("/api/games")).json()["code"] == "bad_token"


async def test_a_bot_plays_a_person_who_sees_that_it_is_one(tmp_path: Path) -> None:
    async with hall(place(tmp_path)) as server:
        _, machine, _ = await bot(server)
        ben = await server.caller()
        game, code = await invite(ben, army=BLUE, seat="blue", law={"max_plies": 40})
        assert (await machine.http.post(f"/api/invitations/{code}/join")).json()["seat"] == "red"
        chance = Random(4)
        async with (
            opened(machine, "/api/bot/stream") as mine,
            opened(machine, f"/api/bot/games/{game}/stream") as at,
            ben.table(game) as line,
        ):
            started = await mine.until("game_start")
            assert (started["game"], started["opponent"], started["level"]) == (game, None, "")
            await at.until("state", phase="deploying")
            assert (await machine.http.post(f"/api/games/{game}/army", json={"army": RED})).status_code == 200
            state = await at.until("state", phase="playing")
            assert (await line.state(lambda one: one["phase"] == "playing"))["names"] == {
                "red": "Anna (bot)",
                "blue": None,
            }
            while state["phase"] == "playing":
                if state["turn"] == "red":
                    move, ply = picked(state, chance), state["ply"] + 1
                    deed = {"type": "move", "id": f"m{ply}", "ply": ply, **move}
                    for _ in range(2):  # an answer that was lost is asked for again
                        answer = await machine.http.post(f"/api/bot/games/{game}/deed", json=deed)
                        assert answer.status_code == 204, answer.text
                else:
                    seen = await line.state(stands_at(state["ply"]))
                    move = picked(seen, chance)
                    await line.move(f"{move['from']}-{move['to']}", seen["ply"] + 1)
                state = await at.until("state")
            assert (await mine.until("game_finish"))["game"] == game
            assert await at.next() is None
            assert hidden_of(at.heard, "red")
        plies = [ply["ply"] for text in at.heard for ply in json.loads(text)["plies"]]
        assert plies == list(range(1, state["ply"] + 1))


def picked(state: dict[str, Any], chance: Random) -> dict[str, str]:
    origin = chance.choice(sorted(state["legal"]))
    return {"from": origin, "to": chance.choice(state["legal"][origin])}


async def test_what_is_wrong_changes_nothing(tmp_path: Path) -> None:
    async with hall(place(tmp_path)) as server:
        _, machine, _ = await bot(server)
        ben = await server.caller()
        theirs = (await ben.new_game(level="random"))["game"]
        game = (await machine.new_game(level="random"))["game"]
        path = f"/api/bot/games/{game}/deed"
        for wrong, status in (
            (b"{", 400),
            (b"[]", 400),
            (b'{"type":"dance","id":"x"}', 400),
            (b'{"type":"move","id":"x","ply":1,"from":"a4","to":"a5","army":"F"}', 400),
            (b'{"type":"move","id":"x","ply":1,"from":"z9","to":"a5"}', 400),
            (b'{"type":"ping"}', 400),
            (b"x" * 300_000, 413),
            (b'{"type":"move","id":"x","ply":1,"from":"a1","to":"a9"}', 409),
            (b'{"type":"move","id":"x","ply":9,"from":"a4","to":"a5"}', 409),
        ):
            answer = await machine.http.post(path, content=wrong, headers={"content-type": "application/json"})
            assert answer.status_code == status, (wrong[:40], answer.text)
        foreign = await machine.http.post(f"/api/bot/games/{theirs}/deed", json={"type": "resign", "id": "x"})
        assert (foreign.status_code, foreign.json()["code"]) == (404, "no_game")
        assert (await machine.http.get(f"/api/bot/games/{theirs}/stream")).json()["code"] == "no_game"
        elsewhere = await machine.http.post(
            path, json={"type": "resign", "id": "x"}, headers={"origin": "http://evil.example"}
        )
        assert elsewhere.json()["code"] == "foreign_origin"
        assert (await machine.http.get(f"/api/games/{game}")).json()["ply"] == 0
        assert (await machine.http.post(path, json={"type": "resign", "id": "r"})).status_code == 204
        over = await machine.http.post(path, json={"type": "offer_draw", "id": "o"})
        assert (over.status_code, over.json()["code"]) == (409, "game_over")


async def test_streams_are_counted_and_say_that_they_live(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "MOST_STREAMS", 2)
    async with hall(place(tmp_path)) as server:
        _, machine, _ = await bot(server)
        game = (await machine.new_game(level="random"))["game"]
        async with opened(machine, "/api/bot/stream") as mine, opened(machine, f"/api/bot/games/{game}/stream") as at:
            await mine.until("game_start")
            await at.until("state")
            answer = await machine.http.get("/api/bot/stream")
            assert (answer.status_code, answer.json()["code"]) == (429, "too_many_streams")
            await at.breathe()
        async with asyncio.timeout(10):
            # A stream that was left is no longer counted, once the server has noticed.
            while (await status(machine, "/api/bot/stream")) != 200:
                pass


async def status(caller: Caller, path: str) -> int:
    async with caller.http.stream("GET", path) as answer:
        return answer.status_code


async def test_an_account_is_challenged_by_its_name(tmp_path: Path) -> None:
    async with hall(place(tmp_path)) as server:
        _, machine, _ = await bot(server)
        ben = await server.caller()
        await register(ben, BEN)
        order = {"variant": "barrage", "level": None, "against": "friend", "seat": "blue", "rated": True}
        async with opened(machine, "/api/bot/stream") as mine:
            made = (await ben.http.post("/api/bot/challenges", json={"name": "ANNA", "order": order})).json()
            told = await mine.until("challenge")
            assert (told["game"], told["by"], told["variant"], told["seat"]) == (
                made["game"],
                "ben_2",
                "barrage",
                "red",
            )
            path = f"/api/bot/challenges/{made['game']}"
            for deed in ("accept", "decline"):
                assert (await ben.http.post(f"{path}/{deed}")).json()["code"] == "no_challenge"
            assert (await machine.http.post(f"{path}/accept")).json() == {"game": made["game"], "seat": "red"}
            await mine.until("game_start", game=made["game"], opponent="ben_2")
        assert (await machine.http.get("/api/bot/challenges")).json() == []
        second = (await ben.http.post("/api/bot/challenges", json={"name": "Anna", "order": order})).json()["game"]
        assert [one["game"] for one in (await machine.http.get("/api/bot/challenges")).json()] == [second]
        assert (await machine.http.post(f"/api/bot/challenges/{second}/decline")).status_code == 204
        assert (await ben.http.get(f"/api/games/{second}")).json()["code"] == "no_game"
        alone = {**order, "against": "house", "level": "level-1", "rated": False}
        wrong = [
            ({"name": "nobody", "order": order}, "no_person"),
            ({"name": "ben_2", "order": order}, "own_table"),
            (
                {"name": "Anna", "order": alone},
                "bad_challenge",
            ),
            ({"name": "Anna", "order": {**order, "open": True}}, "bad_challenge"),
        ]
        for body, code in wrong:
            assert (await ben.http.post("/api/bot/challenges", json=body)).json()["code"] == code


async def test_nobody_is_shut_off_from_challenges_by_one_who_sends_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(challenges, "MOST_WAITING", 4)
    async with hall(place(tmp_path)) as server:
        _, machine, _ = await bot(server)
        ben, carl = [await server.caller() for _ in range(2)]
        order = {"variant": "barrage", "level": None, "against": "friend", "seat": "blue"}

        async def send(caller: Caller) -> dict[str, Any]:
            return dict((await caller.http.post("/api/bot/challenges", json={"name": "Anna", "order": order})).json())

        made = [(await send(ben))["game"] for _ in range(challenges.MOST_FROM_ONE)]
        assert (await send(ben))["code"] == "not_heard"
        last = (await send(carl))["game"]
        assert (await send(carl))["code"] == "not_heard", "so many wait there from everybody"
        # What is answered, or taken back by who sent it, waits no longer.
        assert (await machine.http.post(f"/api/bot/challenges/{last}/accept")).status_code == 201
        for game in made:
            assert (await ben.http.post(f"/api/games/{game}/withdraw")).status_code < 300
        assert (await machine.http.get("/api/bot/challenges")).json() == []
        assert (await machine.http.post(f"/api/bot/challenges/{made[0]}/accept")).json()["code"] == "no_challenge"
        assert "game" in await send(ben)
        assert "game" in await send(carl)


async def test_twins_are_streamed_the_same_lines(tmp_path: Path) -> None:
    """Two games that differ only in what the seat may not know give the same bytes."""
    script = random_script(CLASSIC, Random(5), 60)
    for seat in Seat:
        with sealed_alike():
            told = [
                await streamed(tmp_path / f"{seat.word}{number}", twin, seat)
                for number, twin in enumerate([script, *twins(script, seat, 2, Random(6))])
            ]
        assert len(told) > 1
        assert len(told[0]) > 25
        assert all(one == told[0] for one in told)


async def streamed(folder: Path, script: Script, seat: Seat) -> list[str]:
    """Every line that a bot at one seat is streamed of a game in which both seats follow a script."""
    async with hall(folder / "home" / "games.sqlite3", nature=still()) as server:
        caller = await server.caller()
        game = (await caller.new_game(against="here", level=None, army=script.red.text()))["game"]
        await caller.http.post(f"/api/games/{game}/army?seat=blue", json={"army": script.blue.text()})
        async with opened(caller, f"/api/bot/games/{game}/stream?seat={seat.word}") as at:
            state = await at.until("state", phase="playing")
            for number, move in enumerate(script.moves, 1):
                path = f"/api/bot/games/{game}/deed?seat={state['turn']}"
                squares = {"from": square_name(origin(move)), "to": square_name(target(move))}
                answer = await caller.http.post(
                    path, json={"type": "move", "id": f"m{number}", "ply": number, **squares}
                )
                assert answer.status_code == 204, answer.text
                state = await at.until("state", ply=number)
        return at.heard


async def test_the_bot_of_the_documents_plays_a_whole_game(tmp_path: Path) -> None:
    assert len(BOT.read_text(encoding="utf-8").splitlines()) <= 70
    async with hall(place(tmp_path)) as server:
        _, _, token = await bot(server)
        process = await asyncio.create_subprocess_exec(
            sys.executable, str(BOT), f"http://{server.address}", "random",
            env={**os.environ, "FLAGFALL_TOKEN": token}, stdout=asyncio.subprocess.PIPE,
        )  # fmt: skip
        async with asyncio.timeout(120):
            out, _ = await process.communicate()
        assert process.returncode == 0
        assert out.decode().split(" ")[0] in ("red", "blue", "draw")


@pytest.mark.timeout(180)
async def test_the_bot_of_the_documents_takes_up_challenges(tmp_path: Path) -> None:
    async with hall(place(tmp_path)) as server:
        _, _, token = await bot(server)
        ben = await server.caller()
        await register(ben, BEN)
        process = await asyncio.create_subprocess_exec(
            sys.executable, str(BOT), f"http://{server.address}",
            env={**os.environ, "FLAGFALL_TOKEN": token}, stdout=asyncio.subprocess.PIPE,
        )  # fmt: skip
        try:
            order = {"variant": "classic", "level": None, "against": "friend", "seat": "red", "army": RED}
            for number in range(2):
                made = await ben.http.post("/api/bot/challenges", json={"name": "Anna", "order": order})
                game = made.json()["game"]
                async with ben.table(game) as red:
                    await red.state(lambda state: state["phase"] == "playing")
                    resigned = await red.ask(type="resign", id=f"r{number}")
                    assert resigned["type"] == "done"
                assert process.stdout is not None
                async with asyncio.timeout(60):
                    assert (await process.stdout.readline()).decode() == "blue (resigned) after 0 plies\n"
        finally:
            process.kill()
            await process.wait()
