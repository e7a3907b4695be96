"""The records on which a belief is reckoned: what is known beforehand, what one game shows, and what is dealt from it.

Letters: P home squares in the owner's order (at most PLACES), 13 symbols (0 empty, 1..12 ranks), S styles of setting up
(people's and the learned one; one alone where no more is known). Man ids are the law's, 0..79.
"""

from __future__ import annotations

import numpy as np

from flagfall.mind.slate import IDS, RANK_SLOTS
from flagfall.rules.layout import CELLS, MEN

PLACES = 40
STYLES = 2
RANKS_HERE = 12
SYMBOLS_HERE = 13
SOURCES, TARGETS = PLACES * SYMBOLS_HERE, PLACES * RANKS_HERE
NO_PLACE = 255

SLOTS = 16
KINDS = 4
CAME, LEFT, STAYED, OWN = 0, 1, 2, 3
"""Kinds of signs: came to stand beside; left the side of; stood beside and did something else; his own moves."""
SIGNS = KINDS * SLOTS
MASKS_CAP = 64

HABITS = np.dtype(
    [
        ("odds", "f8", (STYLES + 1,)),
        ("places", "u8"),
        ("place", "u1", (2 * CELLS,)),
        ("share", "f4", (STYLES * TARGETS,)),
        ("unary", "f4", (STYLES * TARGETS,)),
        ("toward", "f4", (STYLES * SOURCES * TARGETS,)),
        ("sign", "f4", (SIGNS * RANKS_HERE,)),
    ],
    align=True,
)
"""Known beforehand. odds: of each style, 0 for one that is not there, and last of an army set up by lot. place: home
square by seat and cell, NO_PLACE for none. share [S, P, 12]: chance of a rank on a home square. unary [S, P, 12] and
toward [S, P, 13, P, 12]: log-weights as `fitted` has them, source square and symbol first. sign [SIGNS, 12]: what one
sign adds to the log-weight of a rank."""

EVIDENCE = np.dtype(
    [
        ("me", "u1"),
        ("start", "u1", (IDS,)),
        ("allowed", "u8", (IDS,)),
        ("row", "f4", (IDS * RANK_SLOTS,)),
        ("left", "f4", (RANK_SLOTS,)),
        ("column", "f4", (RANK_SLOTS,)),
        ("on", "u1", (CELLS,)),
        ("cell", "u1", (IDS,)),
        ("shown", "u1", (IDS,)),
        ("moves", "u2", (IDS,)),
        ("rows", "i2", (IDS,)),
        ("first", "u2", (IDS,)),
        ("count", "u2", (IDS * SIGNS,)),
        ("style", "f8", (STYLES + 1,)),
        ("pull", "f8", (STYLES,)),
        ("theta", "f4", (IDS * RANK_SLOTS,)),
        ("known", "f4", (TARGETS,)),
        ("field", "f4", (TARGETS,)),
        ("held", "u1", (PLACES,)),
        ("out", "f8", (2 * CELLS * SYMBOLS_HERE,)),
        ("random", "u8"),
        ("hidden", "u8"),
        ("masks", "u8"),
        ("mask", "u8", (MASKS_CAP,)),
        ("queue", "u1", (PLACES,)),
        ("spot", "u1", (PLACES,)),
        ("pile", "u1", (RANK_SLOTS,)),
        ("able", "u1", (RANK_SLOTS,)),
        ("weigh", "f8", (RANK_SLOTS,)),
        ("bet", "f8", (RANK_SLOTS,)),
    ],
    align=True,
)
"""What one game shows seat `me`, with room to reckon. start .. column: as in the slate (`rows`).

`signs`: on, man by cell, 255 for none; cell, by man, 0 once fallen; shown, public rank, 0 while hidden; moves, rows,
first, plies moved, most rows gained, ply of the first move; count, signs by man, kind and slot.

`surmise`: style and pull, chance and force of a style; theta, log-weights of signs by man and rank; known and field,
log-weights by home square and rank; held, man by home square; out, chances by seat, start cell and rank.

`dealing`: random, state of the lot; hidden, the number of men to deal to; mask, sets of men of whom one must move;
queue and spot, men to deal to and their home squares; pile, men left by rank; able, weigh, bet: men who may still be a
rank, their chances together, and the lot's stakes."""

DEAL = np.dtype([("weight", "f8"), ("dead", "u1"), ("rank", "u1", (MEN,))], align=True)
"""rank: of each man of the army by id within it, 0 for no man; known men have theirs. weight: logarithm of how much too
seldom the lot makes such a deal. dead: 1 for a deal that led nowhere."""
