"""Write HOUSE.md's list of files anew from the captions of the files themselves."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BEGIN, END = "<!-- files: written by `make house` -->", "<!-- end of files -->"
PAGE_CAPTION = re.compile(r"(?://|/\*\*?|<!--)\s*(.+?)\s*(?:\*/|-->)?$")


def python_caption(path: Path) -> str:
    """The first line of a module's docstring. Raises ValueError for a module without one."""
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    if not docstring:
        raise ValueError(f"{path}: no caption: the module needs a docstring")
    return docstring.splitlines()[0]


def page_caption(path: Path) -> str:
    """The comment in the first line of a file of the page. Raises ValueError for a file without one."""
    lines = path.read_text(encoding="utf-8").splitlines()
    match = PAGE_CAPTION.match(lines[0]) if lines else None
    if match is None:
        raise ValueError(f"{path}: no caption: its first line must be a comment")
    return match[1]


def rooms(root: Path) -> Iterator[tuple[str, list[Path]]]:
    """Every folder of the package and the page that holds files with captions, in order."""
    page = [path for end in ("ts", "svelte") for path in (root / "frontend" / "src").rglob(f"*.{end}")]
    found = [*(root / "src" / "flagfall").rglob("*.py"), *(root / "tools").glob("*.py"), *page]
    kept = [path for path in found if not path.name.endswith((".test.ts", ".d.ts"))]
    for folder in sorted({path.parent for path in kept}, key=lambda folder: folder.relative_to(root).as_posix()):
        yield folder.relative_to(root).as_posix(), sorted(path for path in kept if path.parent == folder)


def listing(root: Path = ROOT) -> str:
    """The list of files as Markdown, a heading for each folder and a line for each file."""
    lines: list[str] = []
    for name, files in rooms(root):
        lines += ["", f"### {name}/", ""]
        for path in files:
            caption = python_caption(path) if path.suffix == ".py" else page_caption(path)
            lines.append(f"- `{path.name}`: {caption}")
    return "\n".join([*lines, ""])


def renewed(text: str, files: str) -> str:
    """The text of HOUSE.md with the part between its markers replaced. Raises ValueError if a marker is missing."""
    head, begin, rest = text.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not begin or not end:
        raise ValueError("HOUSE.md has lost its markers")
    return f"{head}{BEGIN}\n{files}\n{END}{tail}"


def main() -> int:
    """Write HOUSE.md where it differs."""
    path = ROOT / "HOUSE.md"
    text = path.read_text(encoding="utf-8")
    new = renewed(text, listing())
    if new != text:
        path.write_text(new, encoding="utf-8")
        print("HOUSE.md written anew")
    return 0


if __name__ == "__main__":
    sys.exit(main())
