"""The one array layout beneath Truth, View and World: a game, its plies, and a variant's tables.

Letters: a batch has N games. `GAME[N]` holds what stands where, `PLY[N, C]` what each ply changed (two empty entries
first, so that the two latest moves can always be read), `TABLES[1]` the variant. Cells are those of the padded 12x12
mailbox of `board`; man ids are 0..39 for Red and 40..79 for Blue, in the order of their start squares from the
owner's seat, never of rank. A man is one byte: rank 1..12 or 13 for unknown, a bit for each seat, MOVED, KNOWN.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from flagfall.rules.board import STRIDE, cell_of
from flagfall.rules.events import Outcome
from flagfall.rules.pieces import RANKS, Rank
from flagfall.rules.variant import FAR, RESCUES_CAP, Variant

CELLS = STRIDE * STRIDE
MEN = 40
RED_BIT = 0x10
WALL = 0x30
MOVED = 0x40
KNOWN = 0x80
NOBODY = 255
MOVES_CAP = 768
"""More moves than any position has: 40 men with at most 18 targets each."""
SENTINELS = 2
"""Empty entries before the first ply of a log."""
OFF = 2**32 - 1
"""A limit that never comes."""

GAME = np.dtype(
    [
        ("h", "u8"),
        ("ply", "u4"),
        ("battle", "u4"),
        ("chase", "u4", (2,)),
        ("turn", "u1"),
        ("result", "u1"),
        ("reason", "u1"),
        ("seen_by", "u1"),
        ("mc", "u1", (2,)),
        ("run", "u1", (2,)),
        ("code", "u1", (CELLS,)),
        ("bid", "u1", (CELLS,)),
        ("sq", "u1", (2 * MEN,)),
        ("ml", "u1", (2 * MEN,)),
        ("ms", "u1", (2 * MEN,)),
        ("fallen", "u1", (2 * MEN,)),
        ("start", "u1", (2 * MEN,)),
        ("spent", "u1", (2,)),
        ("saviour", "u1", (2 * RESCUES_CAP,)),
        ("kept_place", "u1", (2 * RESCUES_CAP,)),
        ("kept_tail", "u1", (2 * RESCUES_CAP,)),
        ("spare", "u1", (6,)),  # zeros: bytes that belong to no field are not copied with the rest
    ],
    align=True,
)
"""One game. h: hash of the position. ply: plies played. battle: the ply after which the last battle was over.
chase: length of the chase that each seat conducts (R9.2). run: plies of the latest uninterrupted moves of one man
(R8.2), saturated. seen_by: 0 or 1 for a seat's View, 2 for a watcher's, 3 for Truth and World. code, bid: man and id
by cell. sq: cell by id, 0 once fallen. ml, mc, ms: the ids that can move, their number, their place in the list (255:
not listed). fallen: the man by id as he left the board. start: the cell where each man began. spent: the rescues that
each seat has made (R13.2), saviour: the ids of the men that made them, RESCUES_CAP a seat; kept_place, kept_tail: what
a rescue overwrote in ms and ml, so that it can be taken back."""

PLY = np.dtype(
    [
        ("h", "u8"),
        ("chase", "u4", (2,)),
        ("battle", "u4"),
        ("frm", "u1"),
        ("to", "u1"),
        ("code", "u1"),
        ("tc", "u1"),
        ("pid", "u1"),
        ("tid", "u1"),
        ("run", "u1", (2,)),
        ("outcome", "u1"),
        ("told", "u1"),
        ("back", "u1"),
        ("put", "u1"),
    ],
    align=True,
)
"""What a ply needs to be taken back and to be told: the values before it, the man that moved (code, pid) and the man
that it met (tc, tid; 0 and 255 for none), the outcome, and the ranks told: attacker's + 16 · defender's. back, put: the
man that a rescue brought back and the cell where he was put (R13.2), 0 and 0 for no rescue."""

MOVE = np.dtype([("m", "u4")])
"""A move in a buffer: origin cell · 256 + target cell. A move of a player may have a rescue in its upper half (R13.2):
the cell where a man is put · 2^16 + the cell where that man began · 2^24; lists of moves never do, for a list of every
rescue has no useful bound. `law.rescue_open` says which moves may have one."""

TABLES = np.dtype(
    [
        ("man_word", "u8", (2 * MEN,)),
        ("cell_word", "u8", (CELLS,)),
        ("quiet_limit", "u4"),
        ("ply_limit", "u4"),
        ("two_square", "u1"),
        ("exact", "u1"),
        ("attacks_count", "u1"),
        ("more_squares", "u1"),
        ("memory", "u1"),
        ("stuck", "u1"),
        ("beyond", "u1"),
        ("flag_first", "u1"),
        ("home_n", "u1"),
        ("rows", "u1"),
        ("rescues", "u1"),
        ("board", "u1", (CELLS,)),
        ("battle", "u1", (256,)),
        ("told", "u1", (256,)),
        ("reach", "u1", (16,)),
        ("strike", "u1", (16,)),
        ("bends", "u1", (16,)),
        ("tells", "u1", (16,)),
        ("army", "u1", (100,)),
        ("home", "u1", (2 * 100,)),
    ],
    align=True,
)
"""A variant. man_word, cell_word: the factors of a hash word, by man id (or seat and rank, R9.6) and by cell.
two_square: the limit, 0 off. more_squares: 0
off, 1 identity, 2 type. memory: 0 chase, 1 since-capture, 2 game. stuck: 0 immediate, 1 on_turn, 2 piece-count.
beyond: 1 where a limit must be exceeded. battle: Outcome by attacker·16+defender, 0 where a rank is unknown. told:
1 attacker's and 2 defender's rank told, by the same index. reach, strike: fields by rank, of a quiet move and of an
attack. bends: 1 for a rank that goes round one corner. tells: the one rank that can move so far, by distance, else 0;
at 1 and 11 the one that goes round a corner. rows: of the board. rescues: the most a seat, 0 off. army: the ranks of an
army, zeros after them. home: cells of Red's home area in his order, then from 100 those of Blue's; home_n each."""

_MODES = {"off": 0, "identity": 1, "type": 2}
_MEMORIES = {"chase": 0, "since-capture": 1, "game": 2}
_STUCK = {"immediate": 0, "on_turn": 1, "piece-count": 2}
_TOLD_BY_POLICY = {"both": 3, "silent": 1, "none": 0}


def _odd_words(count: int, first: int) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """Random odd words, shape (count,), the same on every machine (splitmix64, Steele et al. 2014)."""
    step = np.arange(first, first + count, dtype=np.uint64)
    with np.errstate(over="ignore"):
        word = step * np.uint64(0x9E3779B97F4A7C15) + np.uint64(0x464C4147)
        word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return (word ^ (word >> np.uint64(31))) | np.uint64(1)


def hash_word(man: int, cell: int) -> int:
    """What a man on a cell adds to a position's hash, as the law computes it (`law._word`).

    A product of two random odd words stands for a table of 80 times 144, which would not fit the fastest cache; its
    high half is folded into the weak low one.
    """
    word = int(_odd_words(1, 1 + man)[0]) * int(_odd_words(1, 1001 + cell)[0]) & 2**64 - 1
    return word ^ word >> 32


@lru_cache(maxsize=64)
def tables(variant: Variant) -> Any:
    """The variant's record, shape (1,), dtype TABLES; the same array for equal variants, not to be written to."""
    made = np.zeros(1, TABLES)
    table, law = made.view(np.recarray)[0], variant.law
    table.man_word[:] = _odd_words(2 * MEN, 1)
    table.cell_word[:] = _odd_words(CELLS, 1001)
    table.quiet_limit = OFF if law.max_quiet_plies is None else law.max_quiet_plies
    table.ply_limit = OFF if law.max_plies is None else law.max_plies
    table.two_square = law.two_square_limit or 0
    table.exact = law.two_square_scope == "exact-squares"
    table.attacks_count = law.two_square_counts_attacks
    table.more_squares = _MODES[law.more_squares]
    table.memory = _MEMORIES[law.chase_memory]
    table.stuck = _STUCK[law.stuck_check]
    table.beyond = law.limit_test == "more-than"
    table.flag_first = law.flag_beats_limit
    table.board[:] = WALL
    for at in variant.usable:
        table.board[cell_of(at)] = 0
    _fill_ranks(table, variant)
    ranks = [rank for rank in RANKS for _ in range(variant.army.get(rank, 0))]
    table.army[: len(ranks)] = ranks
    table.rows = variant.height
    table.rescues = law.rescues
    table.home_n = min(len(area) for area in variant.home)
    for seat, area in enumerate(variant.home):
        table.home[100 * seat : 100 * seat + len(area)] = [cell_of(at) for at in area]
    # Memory of a bytes object can never be made writable again: a guest of this process may hold it, not change it.
    return np.frombuffer(made.tobytes(), TABLES)


def _fill_ranks(table: Any, variant: Variant) -> None:
    """The tables by rank: battles, what they tell, reaches."""
    law = variant.law
    movers = [rank for rank in RANKS if variant.reach_of(rank)]
    for mine in RANKS:
        for theirs in RANKS:
            # An exception of a variant may let an immobile rank stand in the table: it never attacks.
            outcome = variant.battle(mine, theirs) if mine in movers else Outcome.QUIET
            table.battle[16 * mine + theirs] = outcome
            scouts = law.reveal == "silent" and mine is Rank.SCOUT
            table.told[16 * mine + theirs] = 3 if scouts else _TOLD_BY_POLICY[law.reveal]
    for rank in movers:
        table.reach[rank] = variant.reach_of(rank)
        far_strike = rank is not Rank.SCOUT or law.scout_move_and_strike
        table.strike[rank] = variant.reach_of(rank) if far_strike else 1
        table.bends[rank] = law.captains_move_two and rank is Rank.CAPTAIN
    for distance in range(2, FAR + 1):
        able = [rank for rank in movers if variant.reach_of(rank) >= distance and variant.army.get(rank)]
        table.tells[distance] = able[0] if len(able) == 1 else 0
    # Cells across a corner lie 11 or 13 apart, and the law reads 13 as one row: no straight move looks there.
    if law.captains_move_two and Rank.CAPTAIN in movers:
        table.tells[1] = table.tells[11] = Rank.CAPTAIN


def faults(game: Any) -> list[str]:
    """What contradicts itself in a game record: [] for a sound one. For tests and for data of unknown origin."""
    found = []
    for pid in range(2 * MEN):
        cell = int(game["sq"][pid])
        if cell and int(game["bid"][cell]) != pid:
            found.append(f"man {pid} stands on a cell that names another")
        if cell and bool(int(game["code"][cell]) & RED_BIT) != (pid < MEN):
            found.append(f"man {pid} has the other side's bit")
        if cell and game["fallen"][pid]:
            found.append(f"man {pid} both stands and has fallen")
    for cell in range(CELLS):
        man, named = int(game["code"][cell]), int(game["bid"][cell])
        empty = man in (0, WALL)
        if empty != (named == NOBODY):
            found.append(f"cell {cell} and its name disagree")
        elif not empty and int(game["sq"][named]) != cell:
            found.append(f"cell {cell} names a man that stands elsewhere")
    for seat in (0, 1):
        count = int(game["mc"][seat])
        listed = [int(pid) for pid in game["ml"][MEN * seat : MEN * seat + count]]
        if len(set(listed)) != count or any(int(game["ms"][pid]) != place for place, pid in enumerate(listed)):
            found.append(f"the list of seat {seat} does not hold together")
        if any(not game["sq"][pid] for pid in listed):
            found.append(f"the list of seat {seat} names a fallen man")
    return found
