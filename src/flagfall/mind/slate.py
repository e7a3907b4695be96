"""The record that a search thinks on: beliefs, values, fields, and what must be taken back.

A slate is filled from a View once a move and travels through the compiled search beside the law's own records. Ids are
the law's man ids (0..39 Red, 40..79 Blue); tables are flat, so that one multiplication finds an entry.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from flagfall.rules.kernels import COMPILER_OFF
from flagfall.rules.layout import CELLS, MEN, MOVES_CAP

RANK_SLOTS = 16
IDS = 2 * MEN
TREE_CAP = 40
"""The deepest tree, in plies, captures at its end included."""
MOVES_ROOM = 24 * MOVES_CAP
TABLE_BITS = 19
KNOB_SLOTS = 40
PLANES = 2 * RANK_SLOTS * 2
"""One for each seat and rank, of a man that is hidden and of one that is public."""

TABLES = ("base", "veil", "drive", "rash", "stirred", "resting")
"""By rank: what a man is worth, what it is worth that nobody knows him, how ready he is to advance, and by how much a
hidden man's attack on a hidden one looks better than it turns out; stirred, resting: what is added to the surmised
log-chance of this rank of a man who has moved, and of one who has not."""
KNOBS = (
    "flag_prize",
    "pull",
    "pull_decay",
    "pull_through",
    "fear",
    "fear_decay",
    "bomb_fear",
    "explore",
    "ahead",
    "caution",
    "flag_found",
    "flag_edge",
    "repeat",
    "flag_loss",
    "flag_loss_shared",
    "dare_floor",
    "dare_share",
    "fear_hidden",
    "fear_unmoved",
    "guard",
    "guard_decay",
    "stalker",
    "null",
    "rash_shown",
    "rash_pull",
    "safe",
    "flag_fall",
    "race",
    "race_fade",
    "race_least",
    "race_walk",
    "lurk",
    "firm",
)
"""Single numbers; what each does is told where `value`, `plies` and `search` use it."""
(
    FLAG_PRIZE, PULL, PULL_DECAY, PULL_THROUGH, FEAR, FEAR_DECAY, BOMB_FEAR, EXPLORE, AHEAD, CAUTION, FLAG_FOUND,
    FLAG_EDGE, REPEAT, FLAG_LOSS, FLAG_LOSS_SHARED, DARE_FLOOR, DARE_SHARE, FEAR_HIDDEN, FEAR_UNMOVED, GUARD,
    GUARD_DECAY, STALKER, NULL, RASH_SHOWN, RASH_PULL, SAFE, FLAG_FALL, RACE, RACE_FADE,
    RACE_LEAST, RACE_WALK, LURK, FIRM,
) = (np.uint64(k) for k in range(len(KNOBS)))  # fmt: skip

SLATE = np.dtype(
    [
        ("score", "f8"),
        ("extra", "u8"),
        ("nodes", "u8"),
        ("budget", "u8"),
        ("deadline", "i8"),
        ("clock_at", "u8"),
        ("clock", "i8", (2,)),
        ("salt", "u8"),
        ("urge", "f8"),
        ("flag_loss", "f8"),
        ("trust", "f8"),
        ("base", "f8", (RANK_SLOTS,)),
        ("veil", "f8", (RANK_SLOTS,)),
        ("drive", "f8", (RANK_SLOTS,)),
        ("rash", "f8", (RANK_SLOTS,)),
        ("stirred", "f8", (RANK_SLOTS,)),
        ("resting", "f8", (RANK_SLOTS,)),
        ("surmised", "u1"),
        ("knob", "f8", (KNOB_SLOTS,)),
        ("prior", "f8"),
        ("me", "u1"),
        ("flag_at", "u1"),
        ("stopped", "u1"),
        ("row", "f4", (IDS * RANK_SLOTS,)),
        ("dare", "f4", (IDS * RANK_SLOTS,)),
        ("field", "f4", (IDS * CELLS,)),
        ("worth", "f4", (2 * RANK_SLOTS,)),
        ("secret", "f4", (2 * RANK_SLOTS,)),
        ("zeal", "f4", (2 * RANK_SLOTS,)),
        ("plane", "f4", (PLANES * CELLS,)),
        ("pull", "f4", (CELLS,)),
        ("fear", "f4", (CELLS,)),
        ("alarm", "f4", (CELLS,)),
        ("alive", "f4", (2 * RANK_SLOTS,)),
        ("start", "u1", (IDS,)),
        ("allowed", "u8", (IDS,)),
        ("column", "f4", (RANK_SLOTS,)),
        ("left", "f4", (RANK_SLOTS,)),
        ("kept_score", "f8", (TREE_CAP + 2,)),
        ("kept_extra", "u8", (TREE_CAP + 2,)),
        ("kept_id", "u1", (TREE_CAP + 2,)),
        ("kept_row", "f4", ((TREE_CAP + 2) * RANK_SLOTS,)),
        ("odds", "f8", (8 * (TREE_CAP + 2),)),
        ("plain", "f8", (8 * (TREE_CAP + 2),)),
        ("killer", "u2", (2 * (TREE_CAP + 2),)),
        ("history", "f4", (IDS * CELLS,)),
        ("sapper", "u8"),
        ("toll", "f8", (16,)),
        ("near", "u1", (2 * CELLS,)),
        ("runners", "u8"),
        ("keepers", "u8"),
        ("runner", "u1", (MEN,)),
        ("keeper", "u1", (MEN,)),
        ("way", "u1", (4 * 3 * CELLS,)),
    ],
    align=True,
)
"""score: material and fields as the thinking seat `me` sees them, in hundredths of a captain or so. row: chances by
rank of a hidden enemy man, and of an own man as the enemy can know him. dare: for an own man and a rank, the chance
that an enemy of that rank attacks him. field: what a man is worth where he stands, to his owner. worth, secret, zeal
by seat and rank: value, value of being unknown, readiness to advance; base, veil, drive, rash, stirred, resting,
knob: the weights they come from. surmised: whether the prior is one of this game, not of squares alone. deadline: a
moment of the monotonic clock in nanoseconds, 0 for none; clock: seconds and nanoseconds as the C library writes
them, clock_at: where that is in memory. salt: what this thought's keys in the table are marked by. flag_at: the cell
of the own flag. urge: grows while nothing is attacked. flag_loss: what the loss of the own flag counts. prior: how
far the prior of deployments counts. extra: hash of beliefs changed in the tree. kept_*: what each ply of the tree
takes back. odds, plain: chance and static value of the ends of a gamble, by ply. sapper, toll, near, runner, keeper,
way: who is first at the own flag (`race`). The rest is scratch of `rows` and `value`."""

ENTRY = np.dtype([("key", "u8"), ("value", "f4"), ("move", "u2"), ("depth", "i1"), ("kind", "u1")], align=True)
"""One remembered position: kind 1 exact, 2 at least, 3 at most."""

RATE = np.dtype([("o", "f4")])
"""The order of a move, in a buffer beside that of the moves."""


def readable(array: Any) -> Any:
    """The array as the compiler, or the bare interpreter, can read its records."""
    return array.view(np.recarray) if COMPILER_OFF else array


def new_slate() -> Any:
    """An empty slate, shape (1,), dtype SLATE."""
    slate = np.zeros(1, SLATE)
    slate["clock_at"] = slate.ctypes.data + dict(SLATE.fields or {})["clock"][1]
    return readable(slate)


SHARE = np.dtype([("f", "f8")])
"""One entry of a prior."""

ROOT = np.dtype([("value", "f8"), ("bias", "f8"), ("fresh", "f8"), ("move", "u2")], align=True)
"""A move at the root: its value with its bias, the bias, and the value of the round under way."""
