"""A whole bot, which moves at random: one game with the house, or without a level whatever it is challenged to.

FLAGFALL_TOKEN=flagfall_… python3 examples/bot.py http://127.0.0.1:8765 level-1
"""

import json
import os
import random
import sys
import urllib.request
from collections.abc import Iterator
from typing import Any

SERVER = sys.argv[1]
HEADERS = {"authorization": f"Bearer {os.environ['FLAGFALL_TOKEN']}", "content-type": "application/json"}
ARMY = "FB3243B322B53B74S5324B62895B742567M26862"


def ask(path: str, body: dict[str, Any] | None = None) -> Any:
    """Ask once; a body is posted."""
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(SERVER + path, data, HEADERS), timeout=60) as answer:
        text = answer.read()
    return json.loads(text) if text else None


def lines(path: str) -> Iterator[dict[str, Any]]:
    """What a stream tells, for as long as it lasts; empty lines only say that the server is there."""
    with urllib.request.urlopen(urllib.request.Request(SERVER + path, headers=HEADERS), timeout=60) as answer:
        for line in answer:
            if line.strip():
                yield json.loads(line)


def play(game: str) -> str:
    """Play one game to its end; its result."""
    asked = -1
    for told in lines(f"/api/bot/games/{game}/stream"):
        if told["type"] != "state":
            continue
        if told["phase"] == "over":
            return f"{told['result']} ({told['reason']}) after {told['ply']} plies"
        if told["turn"] == told["seat"] and told["legal"] and told["ply"] > asked:
            asked = told["ply"]
            origin = random.choice(list(told["legal"]))
            move = {"from": origin, "to": random.choice(told["legal"][origin])}
            ask(f"/api/bot/games/{game}/deed", {"type": "move", "id": f"m{asked}", "ply": asked + 1, **move})
    return "the server went away"


def serve() -> None:
    """Take up challenges to Classic as it is, and play, one game after the other."""
    for told in lines("/api/bot/stream"):
        if told["type"] == "challenge":
            plain = told["variant"] == "classic" and not told["law"]
            ask(f"/api/bot/challenges/{told['game']}/{'accept' if plain else 'decline'}", {})
        elif told["type"] == "game_start" and told["variant"] == "classic":
            ask(f"/api/games/{told['game']}/army", {"army": ARMY})  # the same army again changes nothing
            print(play(told["game"]), flush=True)


if __name__ == "__main__" and len(sys.argv) < 3:
    serve()
elif __name__ == "__main__":
    order = {"variant": "classic", "level": sys.argv[2], "seat": "lot", "army": ARMY, "law": {"max_plies": 400}}
    print(play(ask("/api/games", order)["game"]))
