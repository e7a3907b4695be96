"""How the mind works: positions looked at on a fixed set of games (its signature), and how fast.

The signature, a node count at fixed depth, changes when play changes and never otherwise: a change of play states the
old one and the new one. The positions come from the ready armies and seeded random moves, so the mind has no part in
them.
"""

from __future__ import annotations

import json
import time
from dataclasses import asdict, dataclass
from random import Random
from typing import Any

from flagfall.mind.bots import LEVELS
from flagfall.mind.opening import ready
from flagfall.mind.thought import Manner, consider
from flagfall.rules.board import Seat
from flagfall.rules.catalog import CLASSIC
from flagfall.rules.deployment import Deployment
from flagfall.rules.truth import Truth
from flagfall.rules.view import View

PLIES = (0, 20, 60, 110, 170, 240)
DEPTH = 4


@dataclass(frozen=True)
class LevelSpeed:
    """One level on the positions of the signature: mean milliseconds of CPU time a move, plies of depth, nodes."""

    name: str
    ms: float
    depth: float
    nodes: float


def positions() -> list[View]:
    """Views of the side to move in random games between ready armies, two for each count of plies."""
    armies = [text for _, text in ready(CLASSIC)]
    found = []
    for number, plies in enumerate(PLIES * 2):
        draw = Random(number)
        texts = armies[number % len(armies)], armies[(3 * number + 1) % len(armies)]
        red, blue = (Deployment.parse(text, CLASSIC, seat) for text, seat in zip(texts, Seat, strict=True))
        game = Truth(CLASSIC, red, blue)
        while game.ply < plies and game.legal():
            game.push(draw.choice(game.legal()))
        if game.legal():
            found.append(game.look(game.turn))
    return found


def signature(views: list[View] | None = None) -> int:
    """Positions looked at, all told, four plies deep and without noise."""
    manner = Manner(DEPTH, 10**7, 0.0)
    return sum(consider(view, manner, Random(0)).nodes for view in views or positions())


def levels(views: list[View], rounds: int = 3) -> list[LevelSpeed]:
    """Every level on these positions, its own nodes and depth."""
    found = []
    for name, manner in LEVELS.items():
        consider(views[0], manner, Random(0))
        began = time.process_time()
        thoughts = [consider(view, manner, Random(0)) for _ in range(rounds) for view in views]
        spent = time.process_time() - began
        count = len(thoughts)
        found.append(
            LevelSpeed(
                name,
                round(1000 * spent / count, 3),
                sum(thought.depth for thought in thoughts) / count,
                sum(thought.nodes for thought in thoughts) / count,
            )
        )
    return found


def report(*, as_json: bool = False) -> int:
    """Print what `measure` found; 0."""
    found = measure()
    if as_json:
        print(json.dumps(found))
        return 0
    print(f"signature {found['signature']}: nodes of {found['positions']} positions, {found['depth']} plies deep")
    print(f"{found['nodes_per_cpu_s']:,} nodes a second of CPU time")
    for level in found["levels"]:
        print(f"{level['name']}: {level['ms']} ms a move, depth {level['depth']:.1f}, {level['nodes']:.0f} nodes")
    return 0


def measure() -> dict[str, Any]:
    """Signature, nodes per second of CPU time, and every level, as plain data."""
    views = positions()
    signature(views[:1])
    began = time.process_time()
    nodes = signature(views)
    rate = nodes / (time.process_time() - began)
    return {
        "positions": len(views),
        "depth": DEPTH,
        "signature": nodes,
        "nodes_per_cpu_s": round(rate),
        "levels": [asdict(level) for level in levels(views)],
    }
