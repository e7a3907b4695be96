"""What whoever runs a server does beside it: games called off, people banned and reported, what is told of it."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
import websockets

from flagfall.cli import main
from flagfall.errors import FlagfallError
from flagfall.server import audit, reports
from flagfall.server.nature import Nature
from flagfall.server.operator import Operator
from flagfall.server.rates import Rate
from tests.server.hall import RED, Caller, Hall, Line, hall
from tests.server.postgres import postgres
from tests.server.test_accounts import ANNA, BEN, register, sign_in
from tests.server.test_friend import BLUE, invite, join, place, play_on
from tests.server.test_serve import friends, served

PASSWORDS = [ANNA["password"], BEN["password"]]


async def table_of_two(server: Hall) -> tuple[Caller, Caller, str]:
    """Two guests and the game at which they sit, both armies placed."""
    anna, ben = await server.caller(), await server.caller()
    game, code = await invite(anna, army=RED)
    await join(ben, code)
    answer = await ben.http.post(f"/api/games/{game}/army", json={"army": BLUE})
    assert answer.status_code < 300, answer.text
    return anna, ben, game


def operator(server: Hall) -> Operator:
    return Operator(server.store, Nature())


async def code_of(question: Any) -> str:
    with pytest.raises(FlagfallError) as caught:
        await question
    return caught.value.stable_code


async def test_a_game_is_called_off_in_the_middle_and_stays_closed(tmp_path: Path) -> None:
    async with hall(place(tmp_path)) as server:
        anna, ben = await server.caller(), await server.caller()
        await register(anna)
        game, code = await invite(anna, army=RED)
        await join(ben, code)
        await ben.http.post(f"/api/games/{game}/army", json={"army": BLUE})
        async with anna.table(game) as red, ben.table(game) as blue:
            await play_on({"red": red, "blue": blue}, Random(1), 12)
            assert await operator(server).call_off(game, 0) is None
            await server.orders.obey()
            for line in (red, blue):
                end = await line.state(lambda one: one["phase"] == "over")
                assert (end["result"], end["reason"], end["truth"]) == ("void", "aborted", None)
            refused = await red.move("a4-a5", 13)
            assert (refused["type"], refused["code"]) == ("refused", "game_over")
        # Nor does it open in what an account takes along.
        export = await anna.http.get("/api/account/export")
        (share,) = export.json()["games"]
        assert (share["army"], share["record"], BLUE in export.text) == (RED, None, False)
        assert await code_of(operator(server).call_off(game, 0)) == "game_over"
        assert await code_of(operator(server).record(game)) == "aborted"
        assert await code_of(operator(server).call_off("nothing", 0)) == "no_game"
    async with hall(place(tmp_path)) as server:
        await server.orders.obey()
        again = Caller(server.address)
        again.http.cookies = anna.http.cookies
        server.callers.append(again)
        async with again.table(game) as red:
            end = await red.state(lambda one: one["phase"] == "over")
            assert (end["reason"], end["ply"]) == ("aborted", 12)


async def test_an_order_waits_for_the_law_and_is_carried_out_once(tmp_path: Path) -> None:
    async with hall(place(tmp_path)) as server:
        _, _, game = await table_of_two(server)
    async with hall(place(tmp_path)) as server:
        await operator(server).call_off(game, 0)
        await operator(server).call_off(game, 0)
        await server.orders.obey()
        await server.orders.obey()
        log = await server.store.log(game)
        assert sum(getattr(entry, "deed", None) == "annul" for entry, _ in log) == 1


async def until_refused(line: Line) -> str:
    """The code with which a socket is closed from the other side."""
    frame = await line.until(lambda heard: heard["type"] == "refused")
    with pytest.raises(websockets.ConnectionClosed):
        await line.until(lambda heard: False)
    return str(frame["code"])


async def test_a_banned_account_is_shown_out_with_its_browser_and_comes_back(tmp_path: Path) -> None:
    async with hall(place(tmp_path)) as server:
        anna, ben = await server.caller(), await server.caller()
        await register(anna)
        game, code = await invite(anna, army=RED)
        await join(ben, code)
        async with anna.table(game) as red:
            await red.state(lambda one: True)
            await operator(server).ban("ANNA", "insults")
            await server.orders.obey()
            assert await until_refused(red) == "banned"
        for ask in (anna.http.get("/api/games"), anna.http.get("/api/hall"), anna.http.get(f"/api/games/{game}")):
            answer = await ask
            assert (answer.status_code, answer.json()["code"]) == (403, "banned")
        async with anna.table(game) as red:
            assert await until_refused(red) == "banned"
        # His own data are his all the same, and a look at the page.
        assert (await anna.http.get("/api/account")).json()["name"] == "Anna"
        assert (await anna.http.get("/api/hello")).status_code == 200
        # Neither a second tab nor the same browser signed out is another person.
        await anna.http.delete("/api/account/session")
        assert (await anna.http.get("/api/games")).json()["code"] == "banned"
        assert (await ben.http.get("/api/games")).status_code == 200
        assert {line["who"] for line in await operator(server).list_bans()} == {"Anna"}
        assert await code_of(operator(server).ban("anna", "twice")) == "banned_already"
        await operator(server).unban("anna")
        await server.orders.obey()
        assert (await anna.http.get("/api/games")).status_code == 200
        assert await operator(server).list_bans() == []
        assert await code_of(operator(server).unban("anna")) == "not_banned"


async def test_a_banned_account_that_deletes_itself_leaves_its_browser_banned_and_its_name_free(tmp_path: Path) -> None:
    async with hall(place(tmp_path)) as server:
        anna, other = await server.caller(), await server.caller()
        await register(anna)
        await operator(server).ban("anna", "insults")
        await server.orders.obey()
        assert (await anna.http.get("/api/games")).json()["code"] == "banned"
        deletion = await anna.http.post("/api/account/delete", json={"password": ANNA["password"]})
        assert deletion.status_code < 300, deletion.text
        assert (await anna.http.get("/api/games")).json()["code"] == "banned"
        await register(other)
        assert (await other.http.get("/api/games")).status_code == 200
        assert await code_of(operator(server).unban("anna")) == "not_banned"
        tags = {line["who"] for line in await operator(server).list_bans()}
        assert [tag[:6] for tag in tags] == ["guest-"] * 2
        for tag in tags:
            await operator(server).unban(tag)
        await server.orders.obey()
        assert (await anna.http.get("/api/games")).status_code == 200


async def test_a_guest_is_banned_by_his_seat_and_looks_on_no_longer(tmp_path: Path) -> None:
    async with hall(place(tmp_path)) as server:
        anna, ben, game = await table_of_two(server)
        other, _ = await invite(anna, army=RED, watch={"delay": None})
        link = (await anna.http.get(f"/api/games/{other}")).json()["watch"]["code"]
        async with ben.look_on(link) as line:
            await line.until(lambda heard: heard["type"] == "watched")
            await operator(server).ban(f"{game}/blue", "a program")
            await server.orders.obey()
            assert await until_refused(line) == "banned"
        async with ben.look_on(link) as line:
            assert await until_refused(line) == "banned"
        assert (await anna.http.get("/api/games")).status_code == 200
        assert await code_of(operator(server).ban(f"{game}/green", "x")) == "no_person"
        assert await code_of(operator(server).ban("nobody", "x")) == "no_person"


async def test_a_ban_that_breaks_off_is_none_and_can_be_given_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def dies(*_: object) -> Any:
        raise KeyboardInterrupt

    async with hall(place(tmp_path)) as server:
        anna = await server.caller()
        await register(anna)
        with monkeypatch.context() as broken:
            broken.setattr(audit, "line", dies)
            with pytest.raises(KeyboardInterrupt):
                await operator(server).ban("anna", "insults")
        assert await operator(server).list_bans() == []
        await operator(server).ban("anna", "an insult")
        await server.orders.obey()
        assert (await anna.http.get("/api/games")).json()["code"] == "banned"
        (line,) = [one for one in await operator(server).audited(1, 9) if one["deed"] == "banned"]
        assert line["about"] == "anna", "the reason stands in the list of bans alone"


async def test_one_report_a_seat_reaches_the_operator(tmp_path: Path) -> None:
    async with hall(place(tmp_path)) as server:
        anna, ben, game = await table_of_two(server)
        stranger = await server.caller()
        path, report = f"/api/games/{game}/report", {"reason": "insults", "words": "he  said\nit \u202e"}
        assert (await stranger.http.post(path, json=report)).json()["code"] == "no_game"
        for wrong in ({"reason": "boring"}, {"reason": "insults", "words": "x" * 501}, {}, {**report, "on": "me"}):
            assert (await anna.http.post(path, json=wrong)).status_code == 400
        assert (await anna.http.post(path, json={"reason": "other"})).json()["code"] == "no_words"
        assert await operator(server).list_reports(closed=True) == []
        for _ in range(2):
            assert (await anna.http.post(path, json=report)).status_code == 204
        assert (await ben.http.post(path, json={"reason": "stalling"})).status_code == 204
        first, second = await operator(server).list_reports(closed=False)
        assert (first["reason"], first["words"], first["seat"], first["game"]) == ("insults", "he said it", "red", game)
        assert (first["by"], first["on"]) == (second["on"], second["by"])
        await operator(server).close_report(first["id"])
        assert await code_of(operator(server).close_report(first["id"])) == "no_report"
        assert [one["id"] for one in await operator(server).list_reports(closed=False)] == [second["id"]]
        alone = (await anna.new_game(level="random"))["game"]
        answer = await anna.http.post(f"/api/games/{alone}/report", json=report)
        assert answer.json()["code"] == "nobody_to_report"


async def test_reports_are_paced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reports, "PACE", Rate(1e-9, 1))
    async with hall(place(tmp_path)) as server:
        anna, _, game = await table_of_two(server)
        answers = [await anna.http.post(f"/api/games/{game}/report", json={"reason": "stalling"}) for _ in range(2)]
        assert [answer.status_code for answer in answers] == [204, 429]


async def test_nothing_that_is_told_or_kept_for_the_operator_opens_a_running_game(tmp_path: Path) -> None:
    async with hall(place(tmp_path)) as server:
        anna, ben = await server.caller(), await server.caller()
        await register(anna)
        await register(ben, BEN)
        await sign_in(ben, {**BEN, "password": "something else"})
        game, code = await invite(anna, army=RED)
        await join(ben, code)
        await ben.http.post(f"/api/games/{game}/army", json={"army": BLUE})
        await anna.http.post(f"/api/games/{game}/report", json={"reason": "stalling"})
        asked = operator(server)
        assert await code_of(asked.record(game)) == "not_over"
        told = [
            await asked.list_games(None, over=None, most=10),
            await asked.list_games("Anna", over=False, most=10),
            await asked.list_reports(closed=True),
            await asked.audited(1, 100),
        ]
        text = json.dumps(told)
        tokens = [value for caller in (anna, ben) for value in caller.http.cookies.values()]
        for secret in (RED, BLUE, RED[::-1], BLUE[::-1], code, *tokens, *PASSWORDS):
            assert secret not in text
        deeds = [(line["deed"], line["who"]) for line in told[3]]
        assert deeds[:3] == [("account_made", "Anna"), ("account_made", "ben_2"), ("sign_in_refused", "ben_2")]
        assert "reported" in [deed for deed, _ in deeds]
        (line,) = told[1]
        assert (line["id"], line["red"], line["blue"], line["phase"]) == (game, "Anna", "ben_2", "playing")


def test_the_command_tells_and_refuses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FLAGFALL_HOME", str(tmp_path / "none"))
    assert main(["admin", "games"]) == 1
    assert "no_store" in capsys.readouterr().err
    assert main(["admin", "games", "--store", "nonsense"]) == 1
    assert "store_address" in capsys.readouterr().err
    assert main(["admin", "ban", "somebody"]) == 2


def test_the_command_works_on_the_file_in_the_data_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FLAGFALL_HOME", str(tmp_path / "home"))

    async def fill() -> None:
        async with hall(place(tmp_path)) as server:
            await table_of_two(server)

    asyncio.run(fill())
    assert main(["admin", "games", "--running", "--json"]) == 0
    (line,) = capsys.readouterr().out.splitlines()[-1:]
    assert json.loads(line)["phase"] == "playing"
    assert main(["admin", "games"]) == 0
    assert "guest-" in capsys.readouterr().out
    assert main(["admin", "export", json.loads(line)["id"]]) == 1
    assert "not_over" in capsys.readouterr().err
    assert main(["admin", "rebuild-ratings"]) == 0
    assert capsys.readouterr().out == "0 rated games\n"
    assert main(["admin", "audit", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["deed"] == "ratings_rebuilt"


@pytest.mark.timeout(300)
async def test_a_running_server_obeys_the_command_at_a_database(tmp_path: Path) -> None:
    with postgres() as address:
        async with served(tmp_path, "--store", address) as server:
            at = await server.up()
            anna, ben, game = await friends(at)
            async with anna, ben, anna.table(game) as red:
                await red.state(lambda one: True)
                assert await _admin("abort", game, "--store", address) == (0, "done\n")
                end = await red.state(lambda one: one["phase"] == "over")
                assert end["reason"] == "aborted"
                code, text = await _admin("ban", f"{game}/red", "--reason", "x", "--store", address)
                assert (code, text.split(";")[0]) == (0, "banned")
                assert await until_refused(red) == "banned"
                code, text = await _admin("audit", "--json", "--store", address)
                assert [json.loads(line)["deed"] for line in text.splitlines()] == ["game_called_off", "banned"]
                code, text = await _admin("export", game, "--store", address)
                assert (code, text) == (1, "")


async def _admin(*words: str) -> tuple[int | None, str]:
    """Status and output of `flagfall admin` in a process of its own."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "flagfall", "admin", *words, stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    out, _ = await process.communicate()
    return process.returncode, out.decode()
