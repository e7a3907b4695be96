"""A position as one seat sees it: the men as far as they are known, and the plies that the repetition rules remember.

A View holds a whole game; a diagram holds what the rest of the game can depend on, so that a position can be given to
any tool without its game. It shows the board as it was before those plies. What it does not hold: earlier plies, when
men fell, and what a hidden rank cannot be by a battle whose ranks were not told (R13.2).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from flagfall.errors import BadArmy, BadMessage, JsonValue, NotAllowed
from flagfall.rules.board import (
    MAX_FILES,
    MAX_ROWS,
    Move,
    Seat,
    Square,
    cell_of,
    make_move,
    square_name,
    square_of,
    with_rescue,
)
from flagfall.rules.events import Outcome, Played, Reason, Result
from flagfall.rules.layout import GAME, KNOWN, MEN, MOVED, NOBODY, PLY, RED_BIT, SENTINELS, hash_word, tables
from flagfall.rules.pieces import RANKS, Rank
from flagfall.rules.position import Man, ids_in_order
from flagfall.rules.variant import RESCUES_CAP, Variant
from flagfall.rules.view import View, forbid_type_comparison

LONGEST_PLY = 100_000
"""The highest number of a ply that a diagram may begin at: a log has an entry for each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagram:
    """What one seat, or a watcher (None), knows of a position.

    men: as `View.men` has them, but `fell`, before `plies`; in the order of `men_in_order`. turn, ply, quiet: who is to
    move then, plies played, and plies since the last battle. plies: what was played from there on. rescuers: the start
    squares of Red's and Blue's men that have made a rescue before (R13.2). result, reason: after the last ply.
    """

    variant: Variant
    seat: Seat | None
    turn: Seat
    ply: int
    quiet: int
    men: tuple[Man, ...]
    plies: tuple[Played, ...] = ()
    rescuers: tuple[tuple[Square, ...], tuple[Square, ...]] = ((), ())
    result: Result = Result.GOING
    reason: Reason = Reason.NONE

    @staticmethod
    def of(view: View) -> Diagram:
        """The diagram of a View; `view()` of it goes on as this View does."""
        game, log, _ = view.records
        kept = _remembered(view)
        men = {pid: (int(game["sq"][0, pid]), 0) for pid in view.starts}
        for pid, (cell, _) in men.items():
            men[pid] = cell, int(game["code"][0, cell] if cell else game["fallen"][0, pid])
        rescuers = [
            [int(pid) for pid in game["saviour"][0, RESCUES_CAP * seat :][: int(game["spent"][0, seat])]]
            for seat in Seat
        ]
        quiet = view.quiet
        for number in range(view.ply, view.ply - kept, -1):
            step = log[0, number - 1 + SENTINELS]
            quiet = number - 1 - int(step["battle"])
            if step["put"]:
                men[int(step["back"])] = 0, men[int(step["back"])][1]
                rescuers[Seat(int(step["pid"]) // MEN)].pop()
            men[int(step["pid"])] = int(step["frm"]), int(step["code"])
            if step["tc"]:
                men[int(step["tid"])] = int(step["to"]), int(step["tc"])
        starts = view.starts
        first = view.ply - kept
        return Diagram(
            variant=view.variant,
            seat=view.seat,
            turn=view.turn if kept % 2 == 0 else view.turn.other,
            ply=first,
            quiet=quiet,
            men=men_in_order(view.variant, [_man(starts[pid], pid, *men[pid]) for pid in sorted(men)]),
            plies=tuple(view.played(number) for number in range(first + 1, view.ply + 1)),
            rescuers=(tuple(starts[pid] for pid in rescuers[0]), tuple(starts[pid] for pid in rescuers[1])),
            result=view.result,
            reason=view.reason,
        )

    def faults(self) -> list[BadArmy]:
        """What keeps this from being a position of its variant, in words for whoever wrote it."""
        return list(_faults(self))

    def view(self) -> View:
        """A View of this position, for anything that takes one: moves, bots, the page's drawing.

        Raises BadArmy where the men make no position, NotAllowed under comparison by type (R9.6), BadMessage for a ply
        that cannot be. Entries of the log before the first ply say that nothing moved.
        """
        view = self.opening()
        for played in self.plies:
            follow(view, played)
        if not self.plies and self.result is not Result.GOING:
            view.ends_at_start(int(self.result), int(self.reason))
        return view

    def opening(self) -> View:
        """The View before the plies of this diagram. Raises as `view`."""
        forbid_type_comparison(self.variant)
        for fault in _faults(self):
            raise fault
        game, log = np.zeros(1, GAME)[0], np.zeros(self.ply + SENTINELS, PLY)
        starts = _set_up(game, self)
        game["ply"], game["turn"], game["battle"] = self.ply, int(self.turn), self.ply - self.quiet
        for seat in Seat:
            ids = {start: pid for pid, start in starts.items() if pid // MEN == seat}
            game["spent"][seat] = len(self.rescuers[seat])
            for place, start in enumerate(self.rescuers[seat]):
                game["saviour"][RESCUES_CAP * seat + place] = ids[start]
        log["pid"] = log["tid"] = NOBODY
        # A step on the spot, by the side that was to move: whoever reads the log back finds nothing there.
        for seat in Seat:
            mover = min((pid for pid in starts if pid // MEN == seat), default=min(starts))
            back = 1 if seat is not self.turn else 2
            steps = log[SENTINELS:][::-1][back - 1 :: 2]
            steps["pid"] = mover
            steps["frm"] = steps["to"] = cell_of(starts[mover])
        return View.of_record(self.variant, game, log, starts, self.seat)


def men_in_order(variant: Variant, men: list[Man]) -> tuple[Man, ...]:
    """Men in the order of ids: Red's first, each army in its owner's order of start squares."""
    places = {
        (seat, at): pid
        for seat in Seat
        for at, pid in ids_in_order(variant, seat, [man.id for man in men if man.seat is seat]).items()
    }
    return tuple(sorted(men, key=lambda man: places[man.seat, man.id]))


def follow(view: View, played: Played) -> None:
    """Fold a ply that somebody claims was played.

    Raises, with nothing changed, BadMessage for one that cannot be, IllegalMove where it is one of the seat's own.
    """
    man = view.man_at(played.origin)
    met = view.man_at(played.target)
    if man is None or man.seat is not view.turn or (met is not None) is (played.outcome is Outcome.QUIET):
        raise BadMessage("no such ply can be played here", code="bad_ply")
    if view.seat is man.seat and view.why(_move_of(played)) is not None:
        raise view.refused(_move_of(played))
    mine = played.attacker or (man.rank if man.rank is not Rank.UNKNOWN else None)
    if not _may_go(view, man, mine, played):
        raise BadMessage("this man cannot have gone there", code="geometry")
    theirs = played.defender or (met.rank if met is not None and met.rank is not Rank.UNKNOWN else None)
    for told, known in ((played.attacker, man), (played.defender, met)):
        if told is not None and known is not None and known.rank not in (Rank.UNKNOWN, told):
            raise BadMessage("this man is known to have another rank", code="other_rank")
    if met and mine and theirs and view.variant.battle(mine, theirs) is not played.outcome:
        raise BadMessage("a battle of these ranks ends otherwise", code="bad_battle")
    view.fold(played)


def _may_go(view: View, man: Man, rank: Rank | None, played: Played) -> bool:
    """Whether a man, of any rank where it is hidden, goes from origin to target by R5."""
    variant = view.variant
    reach = max(variant.reach_of(one) for one in ([rank] if rank is not None else RANKS))
    across = abs(played.origin % 10 - played.target % 10)
    up = abs(played.origin // 10 - played.target // 10)
    if across and up:
        return across == up == 1 and variant.law.captains_move_two and rank in (None, Rank.CAPTAIN)
    taken = {other.square for other in view.men() if other.square is not None} | set(variant.lakes)
    step = (played.target - played.origin) // max(across + up, 1)
    between = range(played.origin + step, played.target, step) if step else ()
    return 0 < across + up <= reach and taken.isdisjoint(between)


def _move_of(played: Played) -> Move:
    move = make_move(played.origin, played.target)
    return move if played.rescued is None or played.put is None else with_rescue(move, played.rescued, played.put)


def _man(start: Square, pid: int, cell: int, code: int) -> Man:
    at = square_of(cell) if cell else None
    return Man(start, Seat(pid // MEN), at, Rank(code & 15), bool(code & MOVED), bool(code & KNOWN), None)


def _remembered(view: View) -> int:
    """How many of the latest plies the rest of the game can depend on (R8.2, R9.2)."""
    game, log, _ = view.records
    law, have = view.variant.law, _real_plies(log[0], view.ply)
    need = 0
    for seat in Seat:
        run = min(int(game["run"][0, seat]), law.two_square_limit or 0)
        need = max(need, 2 * run - (1 if seat is not view.turn else 0) if run else 0)
        need = max(need, int(game["chase"][0, seat]) if law.more_squares != "off" else 0)
    if law.more_squares != "off" and law.chase_memory != "chase":
        need = max(need, view.quiet + 1 if law.chase_memory == "since-capture" else view.ply)
    return min(need, have)


def _real_plies(log: Any, ply: int) -> int:
    """How many plies lie in a log since the last that is a step on the spot: those of a diagram are."""
    steps = log[SENTINELS : SENTINELS + ply]
    still = np.nonzero(steps["frm"] == steps["to"])[0]
    return ply if not len(still) else ply - 1 - int(still[-1])


def _set_up(game: Any, diagram: Diagram) -> dict[int, Square]:
    """Put the men of a diagram into an empty record; start squares by man id."""
    variant, board = diagram.variant, tables(diagram.variant)[0]["board"]
    game["code"], game["bid"], game["ms"] = board, NOBODY, NOBODY
    starts: dict[int, Square] = {}
    word = 0
    for seat in Seat:
        own = {man.id: man for man in diagram.men if man.seat is seat}
        count = 0
        for start, pid in ids_in_order(variant, seat, own).items():
            man = own[start]
            starts[pid] = start
            game["start"][pid] = cell_of(start)
            code = int(man.rank) | RED_BIT << seat | (MOVED if man.moved else 0) | (KNOWN if man.known else 0)
            if man.square is None:
                game["fallen"][pid] = code
                continue
            cell = cell_of(man.square)
            game["code"][cell], game["bid"][cell], game["sq"][pid] = code, pid, cell
            word ^= hash_word(pid, cell)
            if seat is diagram.seat and variant.reach_of(man.rank):
                game["ml"][MEN * seat + count], game["ms"][pid] = pid, count
                count += 1
        game["mc"][seat] = count
    game["h"] = word
    return starts


def _faults(diagram: Diagram) -> Iterator[BadArmy]:
    """Every fault, the first of a kind first."""
    variant, usable = diagram.variant, set(diagram.variant.usable)
    if not 0 <= diagram.quiet <= diagram.ply <= LONGEST_PLY:
        yield BadArmy(f"plies count 0 to {LONGEST_PLY}, and no more are quiet than were played", code="bad_count")
    taken: set[Square] = set()
    for man in diagram.men:
        if man.square is None:
            continue
        where: dict[str, JsonValue] = {"side": man.seat.word, "square": square_name(man.square)}
        if man.square not in usable:
            yield BadArmy(f"nobody can stand on {where['square']}", code="outside_board", **where)
        if man.square in taken:
            yield BadArmy(f"two men stand on {where['square']}", code="two_on_one", **where)
        taken.add(man.square)
    for seat in Seat:
        men = [man for man in diagram.men if man.seat is seat]
        if len({man.id for man in men}) < len(men):
            yield BadArmy("two men of a side began on one square", code="two_on_one", side=seat.word)
        if not men:
            yield BadArmy(f"{seat.word} has no man", code="no_men", side=seat.word)
        for fault in _faults_of_army(variant, seat, men, of_seat=diagram.seat):
            yield BadArmy(str(fault), code=fault.stable_code, side=seat.word, **fault.params)
        if not {*diagram.rescuers[seat]} <= {man.id for man in men}:
            yield BadArmy("nobody that made a rescue began there", code="no_rescuer", side=f"{seat.word} rescues")
        if len(diagram.rescuers[seat]) > variant.law.rescues:
            yield BadArmy("no side may make so many rescues", code="too_many_rescues", side=f"{seat.word} rescues")


def _faults_of_army(variant: Variant, seat: Seat, men: list[Man], of_seat: Seat | None) -> Iterator[BadArmy]:
    have = Counter(man.rank for man in men)
    counts: Mapping[Rank, int] = variant.army
    for rank, count in have.items():
        if rank is not Rank.UNKNOWN and count > counts.get(rank, 0):
            yield BadArmy(f"{count} of {counts.get(rank, 0)}: {seat.word} {rank.word}", code="too_many",
                          rank=int(rank), have=count, need=counts.get(rank, 0))  # fmt: skip
    if len(men) > variant.men:
        yield BadArmy(f"{seat.word} has more than {variant.men} men", code="too_many_men")
    for man in men:
        hidden = man.rank is Rank.UNKNOWN
        if hidden and (seat is of_seat or man.known):
            yield BadArmy(f"the rank of a man of {seat.word} is missing", code="no_rank", square=square_name(man.id))
        if not hidden and seat is not of_seat and not man.known:
            yield BadArmy("a seat knows no rank that is not public", code="not_public", square=square_name(man.id))
        if man.moved and not hidden and not variant.reach_of(man.rank):
            yield BadArmy(f"no {man.rank.word} moves", code="immobile", square=square_name(man.id))
        on_board = man.id % 10 < min(variant.width, MAX_FILES) and man.id // 10 < min(variant.height, MAX_ROWS)
        if not on_board or man.id in variant.lakes:
            yield BadArmy("nobody can begin there", code="outside_board", square=square_name(man.id))


def ended(diagram: Diagram, result: Result, reason: Reason) -> Diagram:
    """The same position, the game over after its last ply."""
    if (result is Result.GOING) is not (reason is Reason.NONE):
        raise NotAllowed("a game is over for a reason", code="bad_result")
    plies = diagram.plies
    if plies:
        plies = (*plies[:-1], replace(plies[-1], result=result, reason=reason))
    return replace(diagram, plies=plies, result=result, reason=reason)
