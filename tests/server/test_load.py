"""The load generator at a small load: it plays, it finds nothing lost, and it would say so if something were."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

LOAD = Path(__file__).parents[2] / "bench" / "load.py"


@pytest.mark.timeout(300)
def test_a_small_load_loses_nothing() -> None:
    counts = ["--games", "5", "--house", "1", "--every", "1", "--warm", "1", "--seconds", "4", "--settle", "4"]
    words = ["--start", "--clock", "--level", "random", *counts]
    said = subprocess.run([sys.executable, LOAD, *words], capture_output=True, text=True, timeout=280, check=False)
    assert said.returncode == 0, said.stderr + said.stdout
    form = json.loads(said.stdout)
    assert form["lost"] == 0
    assert form["refused"] == form["closed"] == {}
    assert form["moves"] > 5
    assert form["seen_ms"]["p50"] > 0
    assert form["server"]["rss_mb"] > 0
