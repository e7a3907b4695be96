"""The command that trains: games are kept and added to, and what it learnt is a file of weights."""

import json
from pathlib import Path

import pytest

from flagfall.mind.weights import fitted
from flagfall.training import GAMES, WEIGHTS, lessons, teach


def test_training_goes_on_where_it_broke_off(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two games, then two more to the same ones; an odd number is bad usage."""
    assert teach(tmp_path, games=3, nodes=50, seed=1, jobs=1) == 2
    assert teach(tmp_path, games=2, nodes=50, seed=1, jobs=1) == 0
    first = json.loads((tmp_path / GAMES).read_text())["records"]
    assert teach(tmp_path, games=4, nodes=50, seed=1, jobs=1) == 0
    records = json.loads((tmp_path / GAMES).read_text())["records"]
    assert records[:2] == first
    assert len(records) == 4
    form = json.loads((tmp_path / WEIGHTS).read_text())
    assert form["weights"].keys() == fitted().keys()
    assert form["made"]["seed"] == 1
    decided = [record for record in records if record["result"] != "draw"]
    found = list(lessons(tmp_path / GAMES, 4))
    assert len(found) == len(decided)
    assert [len(lesson.moves) for lesson in found] == [record["plies"] for record in decided]
    assert "decided games" in capsys.readouterr().out
