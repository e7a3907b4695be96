"""The built page is that of the present sources, the same bytes every time, and free of inline code."""

from __future__ import annotations

import re
import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
HOOK = runpy.run_path(str(ROOT / "hatch_build.py"))
STATIC: Path = HOOK["STATIC"]


def content(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_page_is_fresh() -> None:
    assert HOOK["fresh"](), "the built page is older than frontend/: run make setup"
    assert (STATIC / "index.html").is_file()


@pytest.mark.timeout(300)
def test_the_build_repeats_byte_for_byte(tmp_path: Path) -> None:
    build: Callable[[Path], None] = HOOK["build"]
    build(tmp_path / "static")
    assert content(tmp_path / "static") == content(STATIC)


def test_the_document_has_no_inline_code_and_asks_no_one_else() -> None:
    html = (STATIC / "index.html").read_text(encoding="utf-8")
    assert not re.search(r"<script(?![^>]*\bsrc=)", html)
    assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:", html)
    assert not re.search(r"""(?:src|href)=["'](?:https?:)?//""", html)


def test_git_ignores_the_built_page() -> None:
    assert "src/flagfall/server/static/" in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()


def test_a_checkout_without_a_page_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hook: dict[str, Any] = HOOK["fresh"].__globals__
    monkeypatch.setitem(hook, "PAGE", tmp_path / "frontend")
    monkeypatch.setitem(hook, "STATIC", tmp_path / "static")
    assert HOOK["sources"]() == []
    assert HOOK["fresh"]()
    assert HOOK["main"](["page"]) == 0
    assert not (tmp_path / "static").exists()


def test_a_changed_source_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hook: dict[str, Any] = HOOK["fresh"].__globals__
    page, static = tmp_path / "frontend", tmp_path / "static"
    (page / "node_modules").mkdir(parents=True)
    (page / "package.json").write_text("{}")
    static.mkdir()
    monkeypatch.setitem(hook, "PAGE", page)
    monkeypatch.setitem(hook, "STATIC", static)
    (static / HOOK["STAMP"]).write_text(HOOK["digest"]())
    assert HOOK["fresh"]()
    (page / "node_modules" / "any.js").write_text("x")
    assert HOOK["fresh"]()
    (page / "new.ts").write_text("x")
    assert not HOOK["fresh"]()


def pretend_node(folder: Path, version: str) -> Path:
    folder.mkdir()
    for name in ("node", "npm"):
        (folder / name).write_text(f"#!/bin/sh\necho v{version}\n")
        (folder / name).chmod(0o755)
    return folder


@pytest.mark.parametrize(
    ("version", "good"),
    [
        ("18.19.0", False),
        ("20.18.1", False),
        ("20.19.0", True),
        ("21.7.0", False),
        ("22.11.0", False),
        ("22.12.0", True),
    ],
)
def test_an_old_node_is_not_taken(version: str, good: bool, tmp_path: Path) -> None:
    assert HOOK["suitable"](pretend_node(tmp_path / "bin", version)) == good


def test_the_first_suitable_node_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old, new, newer = (pretend_node(tmp_path / name, name) for name in ("18.0.0", "24.1.0", "26.0.0"))
    empty = tmp_path / "empty"
    monkeypatch.setenv("PATH", f"{empty}:{old}:{new}:{newer}")
    assert HOOK["node_folder"]() == new
    monkeypatch.setenv("PATH", f"{empty}:{old}")
    monkeypatch.setattr("sysconfig.get_path", lambda _: str(newer))
    assert HOOK["node_folder"]() == newer
    monkeypatch.setattr("sysconfig.get_path", lambda _: str(empty))
    assert HOOK["node_folder"]() is None
