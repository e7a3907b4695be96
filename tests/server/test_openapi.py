"""The interface's description, and a property tester that takes it at its word."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.server.hall import RED, hall

LIGHT = settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.generate],
    database=None,
)
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server in a thread of its own."""
    place = tmp_path_factory.mktemp("openapi") / "home" / "games.sqlite3"
    up, told = threading.Event(), list[Any]()

    async def serve() -> None:
        end = asyncio.Event()
        async with hall(place) as server:
            told.extend([server.address, asyncio.get_running_loop(), end])
            up.set()
            await end.wait()

    thread = threading.Thread(target=lambda: asyncio.run(serve()), daemon=True)
    thread.start()
    assert up.wait(100)
    yield f"http://{told[0]}"
    told[1].call_soon_threadsafe(told[2].set)
    thread.join(30)
    assert not thread.is_alive()


@pytest.fixture(scope="module")
def guest(address: str) -> Iterator[tuple[dict[str, str], str]]:
    """Cookies of a guest, and a game of his."""
    with httpx.Client(base_url=address, timeout=60) as http:
        http.get("/api/hello")
        order = {"variant": "classic", "level": "random", "army": RED}
        game = http.post("/api/games", json=order).json()["game"]
        yield dict(http.cookies), game


def test_the_description_names_every_address(address: str) -> None:
    form = httpx.get(f"{address}/api/schema/openapi.json").json()
    assert set(form["paths"]) == {
        "/api/hello",
        "/api/armies/random",
        "/api/armies/ready",
        "/api/armies/check",
        "/api/variants/read",
        "/api/variants/card",
        "/api/games",
        "/api/games/{game}",
        "/api/games/{game}/army",
        "/api/games/{game}/record",
        "/api/games/{game}/finished",
        "/api/games/{game}/rematch",
        "/api/games/{game}/report",
        "/api/games/{game}/withdraw",
        "/api/invitations/{code}",
        "/api/invitations/{code}/join",
        "/api/hall",
        "/api/hall/seek",
        "/api/watch/{code}",
        "/api/account",
        "/api/account/session",
        "/api/account/sessions",
        "/api/account/sessions/{session}",
        "/api/account/password",
        "/api/account/claim",
        "/api/account/export",
        "/api/account/delete",
        "/api/account/tokens",
        "/api/account/tokens/{token}",
        "/api/bot/stream",
        "/api/people/{name}",
        "/api/games/{game}/opening",
        "/api/games/{game}/ratings",
        "/api/bot/games/{game}/stream",
        "/api/bot/games/{game}/deed",
        "/api/bot/challenges",
        "/api/bot/challenges/{game}/accept",
        "/api/bot/challenges/{game}/decline",
    }
    assert "cdn" not in httpx.get(f"{address}/api/schema").text


@pytest.mark.timeout(300)
def test_a_property_tester_finds_no_fault(address: str, guest: tuple[dict[str, str], str]) -> None:
    cookies, game = guest
    schema = schemathesis.openapi.from_url(f"{address}/api/schema/openapi.json")
    operations = [found.ok() for found in schema.get_all_operations() if isinstance(found, Ok)]
    assert len(operations) == 43
    # A stream goes on for as long as it is read; test_bots tries both.
    for operation in [one for one in operations if not one.path.endswith("/stream")]:

        @LIGHT
        @given(case=operation.as_strategy(), mine=st.booleans())
        def ask(case: Any, mine: bool) -> None:
            if mine and case.path_parameters:
                case.path_parameters = dict.fromkeys(case.path_parameters, game)
            case.call_and_validate(cookies=cookies, checks=CHECKS)

        ask()
