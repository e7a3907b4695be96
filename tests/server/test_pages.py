"""The built page: types, caching, and one page for every address that is no file."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from flagfall.server.pages import Pages
from tests.server.hall import hall

SCRIPT = "console.log('flagfall');" * 200


@pytest.fixture
def static(tmp_path: Path) -> Path:
    folder = tmp_path / "static"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html><title>Flagfall</title>")
    (folder / "assets" / "main-abc123.js").write_text(SCRIPT)
    (folder / "men.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    (folder / ".digest").write_text("secret")
    (tmp_path / "outside.txt").write_text("outside")
    return folder


async def test_files_and_the_page(static: Path, tmp_path: Path) -> None:
    async with hall(tmp_path / "home" / "games.sqlite3", static=static) as server:
        get = (await server.caller()).http.get
        page = await get("/")
        assert page.headers["content-type"] == "text/html; charset=utf-8"
        assert page.headers["cache-control"] == "no-cache"
        for address in ("/play", "/game/abc", "/rules", "/a/b/c"):
            assert (await get(address)).content == page.content
        script = await get("/assets/main-abc123.js")
        assert script.text == SCRIPT
        assert script.headers["content-type"] == "text/javascript; charset=utf-8"
        assert "immutable" in script.headers["cache-control"]
        assert script.headers["content-encoding"] == "gzip"
        plain = await get("/assets/main-abc123.js", headers={"accept-encoding": "identity"})
        assert "content-encoding" not in plain.headers
        assert plain.content == SCRIPT.encode()
        kept = await get("/", headers={"if-none-match": page.headers["etag"]})
        assert (kept.status_code, kept.content) == (304, b"")
        assert (await get("/men.svg")).headers["content-type"].startswith("image/svg+xml")


@pytest.mark.parametrize(
    "path",
    ["/outside.txt", "/../outside.txt", "/%2e%2e/outside.txt", "/assets/..%2f..%2foutside.txt", "/.digest", "/none.js"],
)
async def test_nothing_else_is_had(path: str, static: Path, tmp_path: Path) -> None:
    async with hall(tmp_path / "home" / "games.sqlite3", static=static) as server:
        answer = await (await server.caller()).http.get(path)
        assert answer.status_code == 404
        assert answer.json()["code"] in ("no_file", "no_address")


async def test_a_page_that_is_not_built_says_so(tmp_path: Path) -> None:
    async with hall(tmp_path / "home" / "games.sqlite3") as server:
        answer = await (await server.caller()).http.get("/")
        assert answer.status_code == 503
        assert "make play" in answer.text
        assert answer.headers["content-type"].startswith("text/html")


def test_packed_files_are_the_same_every_time(static: Path) -> None:
    one, two = (Pages(static).find("/assets/main-abc123.js") for _ in range(2))
    assert one is not None
    assert one == two
    assert one.packed is not None
    assert gzip.decompress(one.packed) == one.body
