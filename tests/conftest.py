"""What all tests share: Debian's Chromium, its place at the end of the run, and the files handed beside the project."""

from __future__ import annotations

import os
import shutil
from collections.abc import Generator
from pathlib import Path
from typing import Any

import hypothesis
import pytest

ROOT = Path(__file__).resolve().parents[1]
IN_CI = bool(os.environ.get("CI"))
CHROMIUM = os.environ.get("FLAGFALL_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
CHROMIUM_FLAGS = [
    "--headless",
    "--no-sandbox",  # the sandbox refuses to run for root
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
BROWSER_FIXTURES = {"page", "context", "browser", "new_context"}

# A run in CI repeats itself; at home every run tries other examples. `HYPOTHESIS_PROFILE=soak` looks long.
hypothesis.settings.register_profile("home", deadline=None)
hypothesis.settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
hypothesis.settings.register_profile("soak", deadline=None, max_examples=2000, print_blob=True)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if IN_CI else "home"))


@pytest.hookimpl(tryfirst=True)  # before tests are chosen by their marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what drives a browser and let it run last: its event loop stays in the main thread and bars all others."""
    for item in items:
        if BROWSER_FIXTURES & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.browser)
    items.sort(key=lambda item: item.get_closest_marker("browser") is not None)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """With CI set a browser test that would skip fails, so that a missing browser is never taken for a pass."""
    report = yield
    if IN_CI and report.skipped and not hasattr(report, "wasxfail") and item.get_closest_marker("browser"):
        report.outcome = "failed"
        report.longrepr = f"skipped, which CI does not allow for a browser test: {report.longrepr}"
    return report


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """Launch the installed Chromium; Playwright's own download is not used."""
    if CHROMIUM is None:
        pytest.skip("no chromium on PATH")
    return {**browser_type_launch_args, "executable_path": CHROMIUM, "args": CHROMIUM_FLAGS}


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of rules and conformance files handed beside the project; tests that need it skip without it."""
    folder = Path(os.environ.get("FLAGFALL_SHARED", ROOT.parent / "shared"))
    if not (folder / "conformance").is_dir():
        pytest.skip("no folder of conformance files (set FLAGFALL_SHARED)")
    return folder
