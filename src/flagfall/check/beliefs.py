"""How good beliefs are: mean log-loss of hidden ranks, and whether chances come true, by ply and by player.

Three beliefs are held against what the men really were: counting alone, the prior by square, and the surmise that the
players use. Games come from files (matches, records, games of the conformance format) or are played for the purpose.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from random import Random

import numpy as np

from flagfall.check.recorded import law_of
from flagfall.errors import FlagfallError, NotFound
from flagfall.mind import bots
from flagfall.mind.belief import Floats
from flagfall.mind.thought import believe
from flagfall.play import replay
from flagfall.play.player import Budget, Factory
from flagfall.play.table import ending
from flagfall.rules.board import Move, Seat, Square, make_move, parse_square
from flagfall.rules.catalog import CLASSIC
from flagfall.rules.deployment import Deployment
from flagfall.rules.pieces import Numbering
from flagfall.rules.truth import Truth
from flagfall.rules.view import View

PLAYERS: dict[str, Factory] = {
    "level-1": bots.level_1,
    "level-3": bots.level_3,
    "level-5": bots.level_5,
    "level-7": bots.level_7,
    "level-9": bots.level_9,
    "beginner": bots.beginner,
}
WAYS = ("counting", "square", "surmise")
EVERY = 30
BANDS = (0, 100, 200, 400)
BINS = (0.0, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1.0)
LEAST = 1e-6
NODES = 1500

Army = dict[Square, int]
Sight = tuple[View, Army, str]
"""A seat's view in the middle of a game, the true ranks of its enemy by start square, and the enemy's name."""


def _of_truth(
    truth: Truth, moves: Iterable[Move], armies: tuple[Army, Army], names: tuple[str, str]
) -> Iterator[Sight]:
    for move in moves:
        if truth.result:
            return
        truth.push(move)
        if truth.ply % EVERY == 0 and not truth.result:
            for seat in Seat:
                yield truth.look(seat), armies[seat.other], names[seat.other]


def of_conformance(path: Path) -> Iterator[Sight]:
    """Sights of the whole Classic games of a file in the conformance format; replayed without the chase rule (R9.6)."""
    for line in path.read_text(encoding="utf-8").splitlines():
        form = json.loads(line)
        if form.get("variant") != "classic" or "red_setup" not in form:
            continue
        law = law_of({"two_square": False, "continuous_chase": False, "no_attack_limit": None, "max_moves": None})
        game = replace(CLASSIC, law=law)
        armies = [Deployment.parse(form[f"{seat.word}_setup"], game, seat, Numbering.MODERN) for seat in Seat]
        moves = [make_move(parse_square(frm), parse_square(to)) for frm, to in form["moves"]]
        red, blue = ({at: int(rank) for at, rank in army.ranks.items()} for army in armies)
        try:
            truth = Truth(game, armies[0], armies[1])
        except FlagfallError:
            continue
        yield from _of_truth(truth, moves, (red, blue), ("imported", "imported"))


def of_match(path: Path) -> Iterator[Sight]:
    """Sights of the records in the file of a match, or of one record."""
    for number in count(1):
        try:
            record = replay.load(path, number)
        except NotFound:
            return
        armies = [{at: int(rank) for at, rank in army.ranks.items()} for army in record.deployments if army]
        names = [sitter.name for sitter in record.terms.sitters]
        for played, *views in replay.walk(record):
            if played and played.ply % EVERY == 0 and not views[0].result:
                for seat, view in zip(Seat, views, strict=True):
                    yield view, armies[seat.other], names[seat.other]


def of_play(games: int, seed: int) -> Iterator[Sight]:
    """Sights of games between house players drawn by lot."""
    game = ending(CLASSIC)
    for number in range(games):
        draw = Random(f"{seed} {number}")
        names = draw.choices(list(PLAYERS), k=2)
        players = [PLAYERS[name](f"{seed} {number} {seat}".encode()) for seat, name in enumerate(names)]
        deployments = [player.deploy(game, seat) for seat, player in zip(Seat, players, strict=True)]
        armies = [{at: int(rank) for at, rank in army.ranks.items()} for army in deployments]
        truth = Truth(game, deployments[0], deployments[1])
        while not truth.result:
            truth.push(players[truth.turn].move(truth.look(truth.turn), Budget(nodes=NODES)))
            if truth.ply % EVERY == 0 and not truth.result:
                for seat in Seat:
                    yield truth.look(seat), armies[seat.other], names[seat.other]


@dataclass
class Tally:
    """Sums over hidden men: log-loss in nats by way of believing, and how often chances of each bin came true."""

    men: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    loss: dict[tuple[str, str], float] = field(default_factory=lambda: defaultdict(float))
    bins: dict[str, Floats] = field(default_factory=lambda: defaultdict(lambda: np.zeros((len(BINS) - 1, 3))))

    def add(self, sight: Sight) -> None:
        """Take one sight in: every hidden man of the enemy, standing or fallen."""
        view, army, name = sight
        band = f"ply {max(low for low in BANDS if low <= view.ply)}+"
        groups = ("all", band, name)
        ways = dict(zip(WAYS, _beliefs(view), strict=True))
        for group in groups:
            self.men[group] += len(ways["surmise"])
        for way, table in ways.items():
            for at, chances in table.items():
                loss = -float(np.log(max(LEAST, chances[army[at]])))
                for group in groups:
                    self.loss[group, way] += loss
        for at, chances in ways["surmise"].items():
            place = np.clip(np.searchsorted(BINS, chances[1:], side="right") - 1, 0, len(BINS) - 2)
            came = np.arange(1, 13) == army[at]
            for group in ("all", band):
                for sums, amount in enumerate((np.ones(12), chances[1:], came)):
                    np.add.at(self.bins[group][:, sums], place, amount)

    def form(self) -> dict[str, object]:
        """The figures as plain data."""
        losses = {
            group: {"men": men} | {way: self.loss[group, way] / men for way in WAYS}
            for group, men in sorted(self.men.items())
            if men
        }
        calibration = {
            group: [
                {"chances": int(n), "said": said / n, "came": came / n} if n else {"chances": 0}
                for n, said, came in sums.tolist()
            ]
            for group, sums in sorted(self.bins.items())
        }
        return {"nats_per_hidden_man": losses, "calibration": calibration}


def _beliefs(view: View) -> Iterator[dict[Square, Floats]]:
    """The enemy's hidden men by counting, by the prior of squares, and by the surmise."""
    yield believe(view, weight=0.0)[0].table
    yield believe(view, squares_alone=True)[0].table
    yield believe(view)[0].table


def run(files: list[Path], *, games: int, seed: int, as_json: bool) -> int:
    """Measure and print. Raises what reading a file raises."""
    tally = Tally()
    sources: list[Iterator[Sight]] = [
        of_conformance(file) if file.suffix == ".jsonl" else of_match(file) for file in files
    ]
    for source in sources or [of_play(games, seed)]:
        for sight in source:
            tally.add(sight)
    form = tally.form()
    if as_json:
        print(json.dumps(form))
        return 0
    print(f"{'nats a hidden man':<18}" + "".join(f"{way:>10}" for way in WAYS) + f"{'men':>10}")
    for group, men in sorted(tally.men.items()):
        if men:
            print(f"{group:<18}" + "".join(f"{tally.loss[group, way] / men:>10.3f}" for way in WAYS) + f"{men:>10}")
    print("\nthe surmise: what it said and what came true")
    for (n, said, came), low, high in zip(tally.bins["all"].tolist(), BINS[:-1], BINS[1:], strict=True):
        if n:
            print(f"{low:.2f} to {high:.2f}   {said / n:.3f} {came / n:.3f}   {int(n)} chances")
    return 0
