"""A server of its own for the page's tests, and pages that fail a test by any complaint of the browser."""

from __future__ import annotations

import contextlib
import json
import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

ROOT = Path(__file__).resolve().parents[2]
READY_S = 110
ARMY = "FB3243B322B53B74S5324B62895B742567M26862"
expect.set_options(timeout=20_000)


@dataclass
class Serving:
    """A server process: its address, and ways to end it and to start it again over the same games."""

    home: Path
    port: int = 0
    url: str = ""
    process: subprocess.Popen[str] | None = field(default=None, repr=False)

    def start(self) -> None:
        """Start it and wait until its rules are ready."""
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.page.swift", str(self.home), str(self.port)],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self.process.stdout is not None
        for line in self.process.stdout:
            found = re.search(r"http://127\.0\.0\.1:(\d+)", line)
            if found:
                self.port, self.url = int(found[1]), found[0]
                break
        assert self.url, "the server has not said where it is"
        until = time.monotonic() + READY_S
        while time.monotonic() < until:
            with contextlib.suppress(OSError), urllib.request.urlopen(f"{self.url}/api/hello", timeout=5) as answer:  # noqa: S310
                if json.load(answer)["law"]["state"] == "ready":
                    self.warm()
                    return
            time.sleep(0.25)
        raise AssertionError("the rules were not ready in time")

    def warm(self) -> None:
        """Let the house place an army once: its workers load the law when they are first asked."""
        with httpx.Client(base_url=self.url, timeout=10, headers={"origin": self.url}) as guest:
            guest.get("/api/hello")
            made = guest.post("/api/games", json={"variant": "classic", "level": "level-1", "army": ARMY}).json()
            until = time.monotonic() + READY_S
            while guest.get(f"/api/games/{made['game']}").json()["phase"] != "playing":
                assert time.monotonic() < until, "the house has not placed its army"
                time.sleep(0.1)

    def stop(self) -> None:
        """End it in order."""
        if self.process is not None:
            self.process.terminate()
            self.process.communicate(timeout=20)
            self.process = None


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    serving = Serving(tmp_path_factory.mktemp("page-home"))
    serving.start()
    yield serving
    serving.stop()


@pytest.fixture(scope="session")
def url(served: Serving) -> str:
    return served.url


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    return {
        **browser_context_args,
        "viewport": {"width": 1440, "height": 900},
        "locale": "en-GB",
        "reduced_motion": "reduce",
    }


WATCH = """document.addEventListener('securitypolicyviolation',
  (event) => console.error(`forbidden by the policy: ${event.violatedDirective} ${event.blockedURI}`));"""


def listen(page: Page, heard: list[str], allowed: tuple[str, ...] = ()) -> None:
    """Gather what the browser complains of."""

    def note(text: str) -> None:
        if not any(word in text for word in allowed):
            heard.append(text)

    page.on("console", lambda line: note(f"{line.type}: {line.text}") if line.type in {"error", "warning"} else None)
    page.on("pageerror", lambda error: note(f"thrown: {error}"))
    page.on(
        "request",
        lambda asked: None if asked.url.startswith(("http://127.0.0.1", "blob:")) else note(f"asked {asked.url}"),
    )


@pytest.fixture
def page(context: BrowserContext) -> Generator[Page]:
    heard: list[str] = []
    context.add_init_script(WATCH)
    made = context.new_page()
    listen(made, heard)
    yield made
    assert heard == []


Opened = Callable[..., Page]


@pytest.fixture
def opened(browser: Browser, url: str) -> Iterator[Opened]:
    """Pages of other sizes and tastes: `opened(390, 844, dark=True, touch=True, path="/#/rules")`."""
    heard: list[str] = []
    contexts: list[BrowserContext] = []

    def make(
        width: int = 1440,
        height: int = 900,
        *,
        dark: bool = False,
        touch: bool = False,
        path: str = "/",
        state: Any = None,
        locale: str = "en-GB",
        allowed: tuple[str, ...] = (),
        **more: Any,
    ) -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            has_touch=touch,
            locale=locale,
            reduced_motion="reduce",
            storage_state=state,
            **more,
        )
        contexts.append(context)
        context.add_init_script(WATCH)
        found = context.new_page()
        listen(found, heard, allowed)
        found.goto(url + path)
        return found

    yield make
    for context in contexts:
        context.close()
    assert heard == []
