"""What is installed is pinned by hash, and no lock file names the machine it came from."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
LOCKS = sorted((ROOT / "requirements").glob("*.txt"))
PIN = re.compile(r"^([A-Za-z0-9][A-Za-z0-9._-]*)(?:\[[^]]*\])?==\S+", re.MULTILINE)
EXACT = re.compile(r"\d+\.\d+\.\d+")


def normal(name: str) -> str:
    """A distribution's name as package indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def pinned(path: Path) -> set[str]:
    return {normal(name) for name in PIN.findall(path.read_text(encoding="utf-8"))}


def test_there_are_locks() -> None:
    assert {path.stem for path in LOCKS} == {"uv", "build", "node", "run", "test"}


@pytest.mark.parametrize("path", LOCKS, ids=lambda path: path.name)
def test_a_lock_has_a_hash_for_everything_and_no_address(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert "://" not in text
    assert not re.search(r"^--", text, re.MULTILINE), "options of one machine"
    entries = re.split(r"^(?=[A-Za-z0-9])", text, flags=re.MULTILINE)[1:]
    assert entries
    assert [entry.split()[0] for entry in entries if "--hash=sha256:" not in entry] == []


@pytest.mark.parametrize(("lock", "source"), [("uv.txt", "uv.in"), ("build.txt", "build.in"), ("node.txt", "node.in")])
def test_a_lock_covers_its_source(lock: str, source: str) -> None:
    names = re.findall(r"^[A-Za-z0-9._-]+", (ROOT / "requirements" / source).read_text(), re.MULTILINE)
    assert {normal(name.rstrip(".")) for name in names} <= pinned(ROOT / "requirements" / lock)


def test_the_locks_cover_what_the_project_names() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    run = {normal(re.split(r"[^A-Za-z0-9._-]", text)[0]) for text in project["project"]["dependencies"]}
    dev = {normal(re.split(r"[^A-Za-z0-9._-]", text)[0]) for text in project["dependency-groups"]["dev"]}
    assert run <= pinned(ROOT / "requirements" / "run.txt"), "run: make lock"
    assert run | dev <= pinned(ROOT / "requirements" / "test.txt"), "run: make lock"


def test_build_backends_are_locked() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    names = {normal(re.split(r"[^A-Za-z0-9._-]", text)[0]) for text in project["build-system"]["requires"]}
    assert names <= pinned(ROOT / "requirements" / "build.txt")


def test_the_page_is_pinned_exactly() -> None:
    manifest = json.loads((ROOT / "frontend" / "package.json").read_text(encoding="utf-8"))
    wanted = {**manifest.get("dependencies", {}), **manifest.get("devDependencies", {})}
    assert wanted
    assert {name: version for name, version in wanted.items() if not EXACT.fullmatch(version)} == {}
    lock = json.loads((ROOT / "frontend" / "package-lock.json").read_text(encoding="utf-8"))
    locked = {name: lock["packages"][f"node_modules/{name}"]["version"] for name in wanted}
    assert locked == wanted, "run: make lock"


def test_the_page_lock_has_a_hash_for_everything_and_no_address() -> None:
    lock = json.loads((ROOT / "frontend" / "package-lock.json").read_text(encoding="utf-8"))
    packages = {name: entry for name, entry in lock["packages"].items() if name}
    for name, entry in packages.items():
        assert entry.get("integrity", "").startswith("sha512-"), name
        assert "resolved" not in entry, name
        # Its maker's page for gifts is a fact of the package, not of the machine that locked it.
        assert "://" not in json.dumps({key: value for key, value in entry.items() if key != "funding"}), name
