"""Starting a server that cannot be started: one line with a stable code and status 1, or 2 for bad usage."""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import structlog

from flagfall import cli
from flagfall.errors import NotAllowed
from flagfall.server.run import bind
from flagfall.server.store import Store, StoreFault


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of the test's own for the games; the logs and the mask are set back."""
    root, mask = logging.getLogger(), os.umask(0o022)
    before = (root.level, list(root.handlers))
    os.umask(mask)
    folder = tmp_path / "home"
    folder.mkdir(mode=0o700)
    monkeypatch.setenv("FLAGFALL_HOME", str(folder))
    yield folder
    os.umask(mask)
    structlog.reset_defaults()
    root.setLevel(before[0])
    root.handlers[:] = before[1]


@pytest.mark.parametrize("command", ["play", "serve"])
@pytest.mark.parametrize("port", ["-1", "65536", "99999", "x"])
def test_a_port_that_is_none_is_bad_usage(command: str, port: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([command, "--port", port]) == 2
    assert "Traceback" not in "".join(capsys.readouterr())


def failed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """The code that a command ends with."""
    assert cli.main(words) == 1
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 1
    name, code, _ = said[0].split(": ", 2)
    assert name == "flagfall"
    return code


def test_a_taken_port(capsys: pytest.CaptureFixture[str]) -> None:
    with closing(socket.socket()) as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert failed(capsys, "serve", "--port", str(port)) == "port_taken"


@pytest.mark.parametrize("host", ["256.1.1.1", "203.0.113.9", "a..b"])
def test_an_address_that_is_not_ours(host: str) -> None:
    with pytest.raises(NotAllowed) as refused:
        bind(host, 0, only=True)
    assert refused.value.stable_code == "cannot_listen"


@pytest.mark.parametrize("place", ["nonsense", "nosuch://x", "sqlite:///x.sqlite3"])
def test_a_store_that_is_none(place: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert failed(capsys, "serve", "--port", "0", "--store", place) == "store_address"


async def test_a_store_of_random_bytes(home: Path) -> None:
    place = home / "games.sqlite3"
    place.write_bytes(noise := os.urandom(8_192))
    place.chmod(0o600)
    with pytest.raises(StoreFault) as refused:
        await Store.open(place)
    assert refused.value.stable_code == "store_unusable"
    assert place.read_bytes() == noise, "what is there is left alone"
