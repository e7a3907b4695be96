"""The built page: its files held in memory, each with its type, its ETag and how long it may be kept."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from dataclasses import dataclass
from pathlib import Path

STATIC = Path(__file__).parent / "static"
INDEX = "index.html"
FOREVER = "public, max-age=31536000, immutable"
ASK_FIRST = "no-cache"
LEAST_PACKED = 1_024
_TEXT = ("text/", "application/json", "application/javascript", "image/svg+xml", "application/manifest+json")
_TYPES = {
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".ftl": "text/plain",
    ".webmanifest": "application/manifest+json",
}
NOT_BUILT = b"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Flagfall</title></head><body>
<h1>The page is not built</h1>
<p>The server runs, but its page is missing. Run <code>make play</code> in the project's folder, which builds it,
or <code>make page</code> and start again.</p>
</body></html>
"""


@dataclass(frozen=True, slots=True)
class File:
    """One file of the page as it is sent."""

    body: bytes
    packed: bytes | None
    kind: str
    etag: str
    keep: str


class Pages:
    """Every file below a folder by its path; nothing a request says ever becomes a path on disk."""

    def __init__(self, folder: Path = STATIC) -> None:
        self._files: dict[str, File] = {}
        if folder.is_dir():
            for path in sorted(folder.rglob("*")):
                name = path.relative_to(folder).as_posix()
                if path.is_file() and not any(part.startswith(".") for part in name.split("/")):
                    self._files["/" + name] = _file(name, path.read_bytes())

    @property
    def built(self) -> bool:
        """Whether there is a page at all."""
        return f"/{INDEX}" in self._files

    def find(self, path: str) -> File | None:
        """The file at a path; the page itself for every path that a page may have; None for what is not there.

        A path whose last part has a dot means a file and nothing else.
        """
        found = self._files.get(path)
        if found is None and "." not in path.rsplit("/", 1)[-1]:
            found = self._files.get(f"/{INDEX}")
        return found


def _file(name: str, body: bytes) -> File:
    suffix = Path(name).suffix
    kind = _TYPES.get(suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    is_text = kind.startswith(_TEXT)
    packed = gzip.compress(body, mtime=0) if is_text and len(body) >= LEAST_PACKED else None
    # The builder writes a digest of the content into the names of what lies in assets/.
    keep = FOREVER if name.startswith("assets/") else ASK_FIRST
    return File(
        body=body,
        packed=packed if packed is not None and len(packed) < len(body) else None,
        kind=kind,
        etag=f'"{hashlib.sha256(body).hexdigest()[:32]}"',
        keep=keep,
    )
