"""Where the material outside the project lies, if it is there: recorded games and deployments to measure on."""

import os
from pathlib import Path

_place = Path(os.environ.get("FLAGFALL_SHARED", Path(__file__).parents[2] / "shared"))
SHARED: Path | None = _place if (_place / "conformance").is_dir() else None
