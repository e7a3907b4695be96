"""Those who look on: what both seats know, or both armies so many plies late, and nothing that is newer."""

from __future__ import annotations

import json
import random
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flagfall.play.record import Act, Deed, Record, Sitter, Sort, Terms
from flagfall.rules.board import Seat
from flagfall.rules.catalog import CLASSIC
from flagfall.rules.events import Reason, Result
from flagfall.server import gallery
from flagfall.server.journal import Agreed, Entry, WatchTerms, acted, opened
from flagfall.server.watching import showing
from tests.server.hall import RED, Caller, Hall, Line, Scripted, hall
from tests.server.test_friend import BLUE, back, invite, join, place, play_on

PEOPLE = (Sitter("guest", Sort.PERSON), Sitter("guest", Sort.PERSON))


# --- how far the show has come, from the log alone ------------------------------------------------------------------


def record(house: Seat | None = None) -> Record:
    sitters = tuple(Sitter("random", Sort.HOUSE) if seat is house else PEOPLE[0] for seat in Seat)
    return Record(
        terms=Terms(variant=CLASSIC, sitters=(sitters[0], sitters[1])),
        secret=bytes(32),
        elapsed_ms=0,
        deployments=(None, None),
        acts=(),
        result=Result.GOING,
        reason=Reason.NONE,
    )


def log(delay: int | None, steps: Sequence[str | int], house: Seat | None = None) -> tuple[list[Entry], int]:
    """A log of plies and agreements (`+red`, `-blue`) and takebacks (`~blue` allows); the number of plies.

    A number is so many plies.
    """
    entries: list[Entry] = [opened(record(house), None, WatchTerms(delay))]
    ply = 0
    for step in steps:
        if isinstance(step, str) and step[0] == "~":
            giver = Seat.of(step[1:])
            entries.append(acted(Act(ply, Deed.ALLOW, giver), None, None, None, (Result.GOING, Reason.NONE)))
            ply -= 2 if ply % 2 != giver else 1
            continue
        if isinstance(step, str):
            entries.append(Agreed(step[1:], step[0] == "+"))
            continue
        for _ in range(step):
            ply += 1
            entries.append(
                acted(Act(ply, Deed.MOVE, Seat(ply % 2)), None, None, (ply, ply), (Result.GOING, Reason.NONE))
            )
    return entries, ply


@pytest.mark.parametrize(
    ("delay", "steps", "how", "ply"),
    [
        (None, [7], "public", 7),
        (5, [7], "public", 7),
        (5, [7, "+red"], "public", 7),
        (5, [7, "+red", "+blue"], "waiting", 7),
        (5, ["+red", 7, "+blue", 4], "waiting", 7),
        (5, ["+red", 7, "+blue", 5], "truth", 7),
        (5, ["+red", 7, "+blue", 9], "truth", 11),
        (5, ["+red", 7, "+blue", 4, "-red"], "public", 11),
        (5, ["+red", 7, "+blue", 4, "-red", 3, "+red", 4], "waiting", 14),
        (5, ["+red", 7, "+blue", 5, "-blue"], "late", 7),
        (5, ["+red", 7, "+blue", 5, "-blue", 10], "late", 17),
        (5, ["+red", 7, "+blue", 5, "-blue", 10, "+blue"], "truth", 17),
        (5, ["+red", "+blue"], "waiting", 0),
        (5, ["+red", 7, "+blue", 9, "~blue"], "truth", 11),
        (5, ["+red", 7, "+blue", 9, "~blue", 2], "truth", 11),
        (5, ["+red", 7, "+blue", 9, "~blue", 3], "truth", 12),
        (5, ["+red", 7, "+blue", 4, "~blue", 1], "waiting", 7),
        (5, ["+red", 8, "~red", "+blue", 4], "waiting", 7),
        (1, ["+red", 7, "+blue", 9, "~blue"], "truth", 14),
        (5, ["+red", "+blue", 5], "truth", 0),
        (1, ["+red", "+blue", 1], "truth", 0),
    ],
)
def test_how_far_the_show_has_come(delay: int | None, steps: list[str | int], how: str, ply: int) -> None:
    entries, played = log(delay, steps)
    shown = showing(entries, record(), played, over=False)
    assert (shown.how, shown.ply) == (how, ply)
    assert showing(entries, record(), played, over=True).how == "open"


def test_the_house_agrees_by_itself() -> None:
    entries, played = log(3, ["+red", 4], house=Seat.BLUE)
    assert showing(entries, record(Seat.BLUE), played, over=False).how == "truth"
    entries, played = log(3, [4], house=Seat.BLUE)
    assert showing(entries, record(Seat.BLUE), played, over=False).how == "public"


@given(st.integers(1, 6), st.lists(st.sampled_from(["+red", "-red", "+blue", "-blue", 1, 1, 1]), max_size=60))
def test_who_has_seen_an_army_never_sees_a_newer_board(delay: int, steps: list[str | int]) -> None:
    """Whatever is agreed and withdrawn: from the first truth on, all that was ever shown is as old as was agreed."""
    newest, knows = 0, False
    for number in range(len(steps) + 1):
        entries, played = log(delay, steps[:number])
        shown = showing(entries, record(), played, over=False)
        newest = max(newest, shown.ply)
        knows = knows or shown.how == "truth"
        assert shown.ply <= played
        if shown.how == "truth":
            assert all(shown.agreed)
        if knows:
            assert newest <= played - delay
            assert shown.how != "public"


# --- over the wire --------------------------------------------------------------------------------------------------


@dataclass
class Shown:
    """A game of two people with a link for those who look on."""

    server: Hall
    anna: Caller
    ben: Caller
    game: str
    code: str
    lines: dict[str, Line]

    async def on(self, plies: int, seed: int = 1) -> dict[str, Any]:
        return await play_on(self.lines, random.Random(seed * 1_000 + plies), plies)

    async def agree(self, seat: str, give: bool = True) -> dict[str, Any]:
        return await self.lines[seat].ask(type="show_truth", id=f"t{seat}{random.random()}".replace(".", ""), give=give)


async def laid(server: Hall, delay: int | None, **order: Any) -> tuple[Caller, Caller, str, str]:
    """A game that two have joined, and the code of its link."""
    anna, ben = await server.caller(), await server.caller()
    game, code = await invite(anna, watch={"delay": delay}, **order)
    await join(ben, code)
    await ben.http.post(f"/api/games/{game}/army", json={"army": BLUE})
    link = (await anna.http.get(f"/api/games/{game}")).json()["watch"]["code"]
    assert (await ben.http.get(f"/api/games/{game}")).json()["watch"]["code"] == link
    return anna, ben, game, link


@asynccontextmanager
async def shown(tmp_path: Path, delay: int | None = None, **order: Any) -> AsyncIterator[Shown]:
    async with hall(place(tmp_path)) as server:
        anna, ben, game, code = await laid(server, delay, **order)
        async with anna.table(game) as red, ben.table(game) as blue:
            yield Shown(server, anna, ben, game, code, {"red": red, "blue": blue})


def at_ply(ply: int) -> Any:
    return lambda frame: frame["ply"] == ply and frame["phase"] == "playing"


async def log_of(server: Hall, game: str) -> list[str]:
    return [repr(entry) for entry, _ in await server.store.log(game)]


async def test_a_stranger_sees_what_both_seats_know(tmp_path: Path) -> None:
    async with shown(tmp_path) as play:
        carl = await play.server.caller()
        link = (await carl.http.get(f"/api/watch/{play.code}")).json()
        assert link == {"game": play.game, "seat": None}
        async with carl.look_on(play.code) as line:
            for ply in range(1, 60):
                red = await play.on(ply)
                blue = await play.lines["blue"].state(at_ply(ply))
                told = await line.state(at_ply(ply))
                assert (told["showing"], told["truth"], told["delay"]) == ("public", None, None)
                known = {man["id"]: man["rank"] for state in (red, blue) for man in state["men"] if man["known"]}
                assert {man["id"]: man["rank"] for man in told["men"] if man["rank"] is not None} == known
                assert [man["square"] for man in told["men"]] == [man["square"] for man in red["men"]]
                assert told["plies"] == red["plies"][-1:] or ply == 1
                assert (told["turn"], told["offer"], told["sealed"]) == (red["turn"], None, red["sealed"])
            assert not {"legal", "barred", "rescues", "invite", "seat", "watch", "may_offer"} & set(told)
            await play.lines["red"].ask(type="offer_draw", id="o")
            assert (await line.state(lambda frame: frame["offer"] is not None))["offer"] == "red"
            await play.lines["blue"].ask(type="answer_draw", id="a", accept=True)
            end = await line.state(lambda frame: frame["phase"] == "over")
            assert (end["showing"], end["result"], end["reason"]) == ("open", "draw", "agreed")
            assert end["truth"] == {"red": RED, "blue": BLUE}
            assert all(man["rank"] is not None for man in end["men"])
        for line_of in play.lines.values():
            assert any('"crowd","count":1' in text for text in line_of.heard)


async def test_a_player_is_never_given_more_than_his_seat(tmp_path: Path) -> None:
    async with shown(tmp_path, delay=2) as play:
        for caller, seat in ((play.anna, "red"), (play.ben, "blue")):
            assert (await caller.http.get(f"/api/watch/{play.code}")).json() == {"game": play.game, "seat": seat}
            async with caller.look_on(play.code) as line:
                refusal = await line.hear()
                assert (refusal["code"], refusal["params"]) == ("own_game", {"game": play.game, "seat": seat})
                await line.socket.wait_closed()
                assert line.socket.close_code == 4404


async def test_who_takes_a_seat_looks_on_no_longer(tmp_path: Path) -> None:
    async with hall(place(tmp_path)) as server:
        anna, ben = await server.caller(), await server.caller()
        game, code = await invite(anna, watch={"delay": 1})
        link = (await anna.http.get(f"/api/games/{game}")).json()["watch"]["code"]
        assert link != code
        async with ben.look_on(link) as line:
            told = await line.state()
            assert (told["phase"], told["complete"], told["men"]) == ("deploying", False, [])
            assert (await join(ben, code)).status_code == 201
            assert (await line.until(lambda frame: frame["type"] == "refused"))["code"] == "own_game"
            await line.socket.wait_closed()
        async with ben.look_on(link) as line:
            assert (await line.hear())["code"] == "own_game"
        assert (await anna.http.get(f"/api/games/{game}")).json()["watch"]["watchers"] == 0


@pytest.mark.parametrize("code", ["x", "a" * 24, "..%2F..", "%00" * 8])
async def test_a_wrong_link_leads_nowhere(tmp_path: Path, code: str) -> None:
    async with shown(tmp_path) as play:
        carl = await play.server.caller()
        answer = await carl.http.get(f"/api/watch/{code}")
        assert answer.status_code == 404
        for wrong in (play.game, (await invite(play.anna))[1]):
            assert (await carl.http.get(f"/api/watch/{wrong}")).json()["code"] == "no_watch_link"
            async with carl.look_on(wrong) as line:
                assert (await line.hear())["code"] == "no_watch_link"


async def test_nobody_looks_on_where_it_was_not_allowed(tmp_path: Path) -> None:
    async with hall(place(tmp_path)) as server:
        anna, ben = await server.caller(), await server.caller()
        game, code = await invite(anna)
        await join(ben, code)
        state = (await anna.http.get(f"/api/games/{game}")).json()
        assert state["watch"] is None
        async with anna.table(game) as line:
            assert (await line.ask(type="show_truth", id="a", give=True))["code"] == "not_watched"
        game, code = await invite(anna, watch={"delay": None})
        async with anna.table(game) as line:
            assert (await line.ask(type="show_truth", id="a", give=True))["code"] == "never_shown"


async def test_the_truth_comes_so_many_plies_late_and_nothing_newer_with_it(tmp_path: Path) -> None:
    """Frame for frame: of a late board all is of the ply that is shown, and what happens behind it is unheard."""
    delay = 4
    clock = {"kind": "fischer", "main_ms": 600_000, "add_ms": 5_000}
    async with shown(tmp_path, delay, clock=clock) as play:
        carl = await play.server.caller()
        async with carl.look_on(play.code) as line:
            await play.on(6)
            await line.state(at_ply(6))
            await play.agree("red")
            assert (await line.state(lambda frame: frame["agreed"]["red"]))["showing"] == "public"
            await play.agree("blue")
            waiting = await line.state(lambda frame: frame["showing"] == "waiting")
            assert (waiting["ply"], waiting["clock"]["running"]) == (6, None)
            heard = len(line.heard)
            await play.on(6 + delay - 1)
            # Neither a ply, nor an offer, nor its answer is heard behind the board that rests.
            await play.lines["red"].ask(type="offer_draw", id="o1")
            await play.lines["blue"].ask(type="answer_draw", id="o2", accept=False)
            await line.say(type="ping")
            await line.until(lambda frame: frame["type"] == "pong")
            assert [json.loads(text)["type"] for text in line.heard[heard:]] == ["pong"]
            live = await play.on(6 + delay)
            truth = await line.state(lambda frame: frame["showing"] == "truth")
            assert truth["ply"] == 6
            for ply in range(6 + delay + 1, 60):
                live = await play.on(ply)
                if live["phase"] != "playing":
                    break
                live = (await play.anna.http.get(f"/api/games/{play.game}")).json()
                told = await line.state(at_ply(ply - delay))
                assert (told["showing"], told["offer"], told["result"]) == ("truth", None, None)
                assert told["plies"] == [one for one in live["plies"] if one["ply"] == ply - delay]
                assert told["clock"]["running"] is None
                assert truth_of(told) == live_truth(play, live["plies"][: ply - delay])
                # Whoever comes only now is told the same, and cannot ask for more.
                if ply % 9 == 0:
                    for since in (0, ply - delay, ply, 999_999):
                        dora = await play.server.caller()
                        async with dora.look_on(play.code, since=since) as late:
                            first = await late.state()
                        assert first["plies"] == live["plies"][since : ply - delay]
                        assert first["plies_from"] == min(since, ply - delay) + 1
                        assert replaced(first) == replaced(told)


def replaced(frame: dict[str, Any]) -> dict[str, Any]:
    return frame | {"plies": [], "plies_from": 0}


def truth_of(frame: dict[str, Any]) -> dict[str, tuple[str, int]]:
    return {man["square"]: (man["seat"], man["rank"]) for man in frame["men"] if man["square"] is not None}


def live_truth(play: Shown, plies: list[dict[str, Any]]) -> dict[str, tuple[str, int]]:
    """Where every man stood after these plies: from the armies as they were placed, by hand."""
    from flagfall.rules.board import square_name
    from flagfall.rules.deployment import Deployment
    from flagfall.rules.pieces import Numbering

    at: dict[str, tuple[str, int]] = {}
    for seat, text in ((Seat.RED, RED), (Seat.BLUE, BLUE)):
        army = Deployment.parse(text, CLASSIC, seat, Numbering.MODERN)
        at |= {square_name(square): (seat.word, int(rank)) for square, rank in army.ranks.items()}
    for ply in plies:
        man = at.pop(ply["from"])
        if ply["outcome"] in ("quiet", "attacker", "flag"):
            at[ply["to"]] = man
        elif ply["outcome"] == "both":
            del at[ply["to"]]
    return at


async def test_what_was_shown_late_stays_late_when_a_seat_withdraws(tmp_path: Path) -> None:
    async with shown(tmp_path, 2) as play:
        carl = await play.server.caller()
        async with carl.look_on(play.code) as line:
            await play.agree("red")
            await play.agree("blue")
            await play.on(6)
            told = await line.state(at_ply(4))
            assert told["showing"] == "truth"
            assert all(man["rank"] is not None for man in told["men"])
            await play.agree("blue", give=False)
            told = await line.state(lambda frame: frame["showing"] == "late")
            assert (told["ply"], told["agreed"]) == (4, {"red": True, "blue": False})
            assert all(man["rank"] is None or man["known"] for man in told["men"])
            await play.on(9)
            told = await line.state(at_ply(7))
            assert told["showing"] == "late"
            state = await play.lines["red"].state(lambda one: one["watch"]["showing"] == "late")
            assert state["watch"]["agreed"] == {"red": True, "blue": False}
            await play.lines["red"].ask(type="resign", id="r")
            end = await line.state(lambda frame: frame["phase"] == "over")
            assert (end["showing"], end["ply"], [one["ply"] for one in end["plies"]]) == ("open", 9, [8, 9])
            assert (await play.agree("red"))["code"] == "game_over"


async def test_agreements_survive_a_restart_and_are_no_second_deed(tmp_path: Path) -> None:
    async with shown(tmp_path, 2) as play:
        await play.agree("red")
        await play.agree("blue")
        await play.on(5)
        before = await log_of(play.server, play.game)
        assert (await play.agree("red"))["type"] == "done"
        assert await log_of(play.server, play.game) == before
        cookies = dict(play.anna.http.cookies)
    async with hall(place(tmp_path)) as server:
        anna, carl = await back(server, cookies), await server.caller()
        async with carl.look_on(play.code) as line:
            told = await line.state(lambda frame: frame["phase"] == "playing")
            assert (told["showing"], told["ply"], len(told["plies"])) == ("truth", 3, 3)
        assert play.code.encode() not in place(tmp_path).read_bytes()
        assert (await anna.http.get(f"/api/games/{play.game}")).json()["watch"]["code"] == play.code


async def test_the_gallery_is_bounded_and_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gallery, "MOST_WATCHERS", 3)
    monkeypatch.setattr(gallery, "MOST_LINES", 2)
    async with shown(tmp_path) as play:
        carl, dora = await play.server.caller(), await play.server.caller()
        async with carl.look_on(play.code) as one, carl.look_on(play.code) as two:
            await one.state()
            await two.state()
            async with carl.look_on(play.code) as more:
                assert (await more.hear())["code"] == "too_many_tabs"
            async with dora.look_on(play.code) as three:
                await three.state()
                await one.until(lambda frame: frame["type"] == "crowd" and frame["count"] == 3)
                async with dora.look_on(play.code) as more:
                    assert (await more.hear())["code"] == "too_many_watchers"
                red = play.lines["red"]
                await red.until(lambda frame: frame["type"] == "crowd" and frame["count"] == 3)
            await red.until(lambda frame: frame["type"] == "crowd" and frame["count"] == 2)
        await red.until(lambda frame: frame["type"] == "crowd" and frame["count"] == 0)
        assert (await play.anna.http.get(f"/api/games/{play.game}")).json()["watch"]["watchers"] == 0


DEEDS: list[dict[str, Any]] = [
    {"type": "move", "id": "a", "ply": 1, "from": "e4", "to": "e5"},
    {"type": "resign", "id": "a"},
    {"type": "offer_draw", "id": "a"},
    {"type": "answer_draw", "id": "a", "accept": True},
    {"type": "show_truth", "id": "a", "give": True},
]


async def test_who_looks_on_can_do_nothing(tmp_path: Path) -> None:
    async with shown(tmp_path, 2) as play:
        carl = await play.server.caller()
        before = await log_of(play.server, play.game)
        async with carl.look_on(play.code) as line:
            await line.state()
            for deed in DEEDS:
                answer = await line.ask(**deed)
                assert (answer["type"], answer["code"], answer["id"]) == ("refused", "only_watching", "a")
            await line.socket.send("nonsense")
            assert (await line.until(lambda frame: frame["type"] == "refused"))["code"] == "bad_message"
        for path in ("", "/record", "/finished"):
            assert (await carl.http.get(f"/api/games/{play.game}{path}")).json()["code"] == "no_game"
        assert await log_of(play.server, play.game) == before


async def test_a_game_against_the_house_can_be_watched(tmp_path: Path) -> None:
    house = Scripted(BLUE, ["a7-a6", "a6-a5", "b7-b6"])
    async with hall(place(tmp_path), thinker=house) as server:
        anna, carl = await server.caller(), await server.caller()
        game = (await anna.new_game(watch={"delay": 2}))["game"]
        link = (await anna.http.get(f"/api/games/{game}")).json()["watch"]["code"]
        async with anna.table(game) as red, carl.look_on(link) as line:
            await red.my_turn()
            await red.ask(type="show_truth", id="s", give=True)
            for ply, move in ((1, "e4-e5"), (3, "e5-e4")):
                await red.move(move, ply)
                await red.state(lambda one, ply=ply: one["ply"] == ply + 1)  # type: ignore[misc]
            told = await line.state(lambda frame: frame["ply"] == 2)
            assert (told["showing"], told["agreed"]) == ("truth", {"red": True, "blue": True})


async def test_a_rematch_has_a_link_of_its_own_and_no_agreement(tmp_path: Path) -> None:
    async with shown(tmp_path, 3) as play:
        await play.agree("red")
        await play.agree("blue")
        await play.lines["red"].ask(type="resign", id="r")
        again = (await play.anna.http.post(f"/api/games/{play.game}/rematch", json={})).json()["game"]
        watch = (await play.anna.http.get(f"/api/games/{again}")).json()["watch"]
        assert watch["code"] != play.code
        assert (watch["delay"], watch["agreed"]) == (3, {"red": False, "blue": False})


async def test_an_old_log_without_watchers_reads_as_one(tmp_path: Path) -> None:
    from flagfall.server.journal import read_entry, write_entry

    entry = opened(record())
    text = write_entry(entry)
    old = json.loads(text)
    old.pop("watch")
    assert read_entry(json.dumps(old)) == entry
    assert read_entry(write_entry(replace_watch(entry))) == replace_watch(entry)


def replace_watch(entry: Any) -> Any:
    import msgspec

    return msgspec.structs.replace(entry, watch=WatchTerms(5))
