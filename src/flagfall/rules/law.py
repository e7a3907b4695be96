"""The law, compiled: legal moves, judging and applying a ply, both repetition rules, endings, taking back.

Everything here works on the records of `layout`, because an array argument costs counted references in the hot loop:
g a game, v a variant's tables, log the first entry of the game's ply log, moves the first entry of a buffer of moves
(origin cell · 256 + target cell; `layout.MOVE`), written from index `at` on; `entry` steps from a first entry to the
k-th. Indices are unsigned, so that no access pays for the meaning of a negative one. Ply number k, counted from 0, is
entry k+2 of the log; the last ply is entry ply+1, the one before, by the side to move, entry ply.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from flagfall.rules.compiled import compiled, entry, inlined

U = np.uint64
N0, N1, N2, N3, N4, N8 = U(0), U(1), U(2), U(3), U(4), U(8)
N11, N12, N13, N15, N16, N24, N32, N40 = U(11), U(12), U(13), U(15), U(16), U(24), U(32), U(40)
N144, N240, N255 = U(144), U(240), U(255)
RED_BIT, WALL, MOVED, KNOWN = U(0x10), U(0x30), U(0x40), U(0x80)
NOBODY = U(255)
QUIET, ATTACKER, DEFENDER, BOTH, FLAG = U(0), U(1), U(2), U(3), U(4)
SCOUT, HIDDEN, RESCUE = U(2), U(13), U(9)
PLAIN = U(0xFFFF)
"""The part of a move that says nothing of a rescue."""
EVERYTHING = U(3)
"""`seen_by` of a Truth or World."""


@inlined
def origin_cell(move: Any) -> Any:
    """The cell that a move leaves."""
    return move >> N8 & N255


@inlined
def target_cell(move: Any) -> Any:
    """The cell that a move goes to."""
    return move & N255


@inlined
def put_cell(move: Any) -> Any:
    """The cell where a rescue that goes with a move puts a man, 0 for no rescue (R13.2)."""
    return move >> N16 & N255


@inlined
def start_cell(move: Any) -> Any:
    """The cell where the man began that a rescue brings back."""
    return move >> N24 & N255


@inlined
def beside(g: Any, cell: Any, bit: Any) -> Any:
    """Whether a man of the side with this bit stands next to a cell."""
    return (
        ((U(g.code[cell - N12]) & WALL) == bit)
        | ((U(g.code[cell + N12]) & WALL) == bit)
        | ((U(g.code[cell - N1]) & WALL) == bit)
        | ((U(g.code[cell + N1]) & WALL) == bit)
    )


@inlined
def _word(v: Any, code: Any, pid: Any, cell: Any) -> Any:
    """The hash word of a man on a cell: by identity, or by seat and rank (R9.6); see `layout.hash_word`."""
    row = pid
    if v.more_squares == 2:
        row = (code & N15) + (N40 if code & U(0x20) else N0)
    word = U(v.man_word[row]) * U(v.cell_word[cell])
    return word ^ word >> N32


@inlined
def _ray(g: Any, moves: Any, n: Any, s: Any, step: Any, reach: Any, strike: Any, own: Any) -> Any:
    """Moves of a runner along one line (R5): over free cells, onto the first enemy met."""
    t = s + step
    gone = N1
    while gone <= reach and g.code[t] == 0:
        entry(moves, n).m = s << N8 | t
        n += N1
        t += step
        gone += N1
    if gone <= strike and gone <= reach and (U(g.code[t]) & own) == N0:
        entry(moves, n).m = s << N8 | t
        n += N1
    return n


@compiled
def _round_corners(g: Any, v: Any, moves: Any, at: Any, s: Any, own: Any) -> Any:
    """Moves of a man that goes one step and one to the side (R13.2): over a free cell, onto a free one or an enemy."""
    n = at
    for across in (N1, N0 - N1):
        for up in (N12, N0 - N12):
            t = s + across + up
            if (g.code[s + across] == 0 or g.code[s + up] == 0) and (U(g.code[t]) & own) == N0:
                entry(moves, n).m = s << N8 | t
                n += N1
    return n


@inlined
def geometric(g: Any, v: Any, moves: Any, at: Any, p: Any) -> Any:
    """Write the moves of seat p by R5 alone; return the index after the last."""
    own = RED_BIT << p
    n = at
    first = p * N40
    for k in range(first, first + U(g.mc[p])):
        s = U(g.sq[U(g.ml[k])])
        rank = U(g.code[s]) & N15
        reach = U(v.reach[rank])
        if reach == N1:
            base = s << N8
            t = s - N12
            entry(moves, n).m = base | t
            n += N1 if (U(g.code[t]) & own) == N0 else N0
            t = s - N1
            entry(moves, n).m = base | t
            n += N1 if (U(g.code[t]) & own) == N0 else N0
            t = s + N1
            entry(moves, n).m = base | t
            n += N1 if (U(g.code[t]) & own) == N0 else N0
            t = s + N12
            entry(moves, n).m = base | t
            n += N1 if (U(g.code[t]) & own) == N0 else N0
        else:
            strike = U(v.strike[rank])
            n = _ray(g, moves, n, s, N0 - N12, reach, strike, own)
            n = _ray(g, moves, n, s, N0 - N1, reach, strike, own)
            n = _ray(g, moves, n, s, N1, reach, strike, own)
            n = _ray(g, moves, n, s, N12, reach, strike, own)
            if v.bends[rank] != 0:
                n = _round_corners(g, v, moves, n, s, own)
    return n


@compiled
def has_geometric(g: Any, v: Any, p: Any) -> Any:
    """Whether seat p has a move by R5 alone: the first free or hostile neighbour decides."""
    own = RED_BIT << p
    first = p * N40
    for k in range(first, first + U(g.mc[p])):
        s = U(g.sq[U(g.ml[k])])
        if (
            ((U(g.code[s - N12]) & own) == N0)
            | ((U(g.code[s + N12]) & own) == N0)
            | ((U(g.code[s - N1]) & own) == N0)
            | ((U(g.code[s + N1]) & own) == N0)
        ):
            return True
    return False


@inlined
def way_of(gap: Any) -> Any:
    """How two cells so far apart lie to each other on a move: 0 in one row, 1 in one file, 2 across a corner."""
    if gap == N11 or gap == N13:
        return N2
    return N1 if gap >= N12 else N0


@compiled
def two_square_span(g: Any, v: Any, log: Any) -> Any:
    """What the two-square rule bars the side to move from (R8.2): 0, or low cell | high cell << 8 | way << 16.

    The latest moves of one man share a line as long as they share a way (0 level, 1 upright, 2 round a corner), so the
    borders that all of them crossed are those between the highest of their low ends and the lowest of their high ends.
    Round a corner no border is crossed but the corner itself, which only a move between the same two cells has.
    """
    limit = U(v.two_square)
    if limit == N0 or U(g.run[g.turn]) < limit:
        return N0
    e = U(g.ply)
    last = entry(log, e)
    low = min(U(last.frm), U(last.to))
    high = max(U(last.frm), U(last.to))
    way = way_of(high - low)
    for _ in range(N1, limit):
        e -= N2
        step = entry(log, e)
        a = min(U(step.frm), U(step.to))
        b = max(U(step.frm), U(step.to))
        if v.exact or way == N2:
            if a != low or b != high:
                return N0
        else:
            if way_of(b - a) != way:
                return N0
            low = max(low, a)
            high = min(high, b)
    if low >= high:
        return N0
    return low | high << N8 | way << N16


@inlined
def two_square_bars(v: Any, span: Any, s: Any, t: Any, occupied: Any) -> Any:
    """Whether a move of the man of the span is barred: a border of the span would be crossed again (R8.2)."""
    if occupied and not v.attacks_count:
        return False
    low = span & N255
    high = span >> N8 & N255
    a = min(s, t)
    b = max(s, t)
    way = span >> N16
    if v.exact or way == N2:
        return a == low and b == high
    if way_of(b - a) != way:
        return False
    return max(low, a) < min(high, b)


@compiled
def chase_bars(g: Any, v: Any, log: Any, s: Any, t: Any) -> Any:
    """Whether the more-squares rule bars a move of the side to move (R9.2); its condition 1 is taken as met."""
    if g.code[t] != 0:
        return False
    p = U(g.turn)
    if not beside(g, t, RED_BIT << (N1 - p)):
        return False
    ply = U(g.ply)
    last = entry(log, ply)
    if U(last.to) == s and U(last.frm) == t:
        return False
    code = U(g.code[s])
    pid = U(g.bid[s])
    h = U(g.h) ^ _word(v, code, pid, s) ^ _word(v, code, pid, t)
    first = ply - U(g.chase[p]) + N1
    if v.memory == 1:
        first = U(g.battle)
    elif v.memory == 2:
        first = N0
    for k in range(first, ply):
        if U(entry(log, k + N2).h) == h:
            return True
    return False


@compiled
def _drop_two_square(g: Any, v: Any, log: Any, moves: Any, at: Any, n: Any, span: Any) -> Any:
    """Take the moves that the two-square rule bars out of moves at..n; return the new end."""
    mover = U(entry(log, U(g.ply)).to)
    kept = at
    for k in range(at, n):
        move = U(entry(moves, k).m)
        s = origin_cell(move)
        t = target_cell(move)
        if s != mover or not two_square_bars(v, span, s, t, g.code[t] != 0):
            entry(moves, kept).m = move
            kept += N1
    return kept


@compiled
def _drop_chase(g: Any, v: Any, log: Any, moves: Any, at: Any, n: Any) -> Any:
    """Take the moves that the more-squares rule bars out of moves at..n; return the new end."""
    kept = at
    for k in range(at, n):
        move = U(entry(moves, k).m)
        if not chase_bars(g, v, log, origin_cell(move), target_cell(move)):
            entry(moves, kept).m = move
            kept += N1
    return kept


@inlined
def legal(g: Any, v: Any, log: Any, moves: Any, at: Any) -> Any:
    """Write the legal moves of the side to move; return the index after the last.

    Both repetition rules sleep unless a man has moved so often, or a chase is on.
    """
    p = U(g.turn)
    n = geometric(g, v, moves, at, p)
    if v.two_square != 0 and g.run[p] >= v.two_square:
        span = two_square_span(g, v, log)
        if span != N0:
            n = _drop_two_square(g, v, log, moves, at, n, span)
    if v.more_squares != 0 and g.chase[p] >= 2:
        n = _drop_chase(g, v, log, moves, at, n)
    return n


@inlined
def _fall(g: Any, p: Any, pid: Any, code: Any) -> None:
    """A man leaves the board, and the list of those that can move."""
    g.sq[pid] = 0
    g.fallen[pid] = code
    place = U(g.ms[pid])
    if place != NOBODY:
        n = U(g.mc[p]) - N1
        g.mc[p] = n
        base = p * N40
        last = U(g.ml[base + n])
        g.ml[base + place] = last
        g.ms[last] = place


@inlined
def _rise(g: Any, p: Any, pid: Any) -> None:
    """The opposite of `_fall`, for taking back in reverse order."""
    g.fallen[pid] = 0
    place = U(g.ms[pid])
    if place != NOBODY:
        n = U(g.mc[p])
        g.mc[p] = n + N1
        base = p * N40
        last = U(g.ml[base + place])
        g.ml[base + n] = last
        g.ms[last] = n
        g.ml[base + place] = pid
        g.ms[pid] = place


@inlined
def judge(g: Any, v: Any, s: Any, t: Any) -> Any:
    """What a move of known men brings: outcome | attacker's rank told << 8 | defender's rank told << 12 (R6, R7)."""
    mine = U(g.code[s]) & N15
    tc = U(g.code[t])
    if tc == N0:
        gap = t - s if t > s else s - t
        if gap == N1 or gap == N12:
            return N0
        return U(v.tells[gap // N12 if gap >= N12 else gap]) << N8
    pair = mine << N4 | (tc & N15)
    told = U(v.told[pair])
    gap = t - s if t > s else s - t
    seen = mine if told & N1 else N0
    if seen == N0 and gap != N1 and gap != N12:
        seen = U(v.tells[gap // N12 if gap >= N12 else gap])
    return U(v.battle[pair]) | seen << N8 | ((tc & N15) if told & N2 else N0) << N12


@inlined
def apply(g: Any, v: Any, log: Any, s: Any, t: Any, verdict: Any) -> None:
    """Play a ply of which the verdict of `judge` is known, and nothing else: the same for Truth, World and View."""
    p = U(g.turn)
    o = N1 - p
    code = U(g.code[s])
    tc = U(g.code[t])
    pid = U(g.bid[s])
    tid = U(g.bid[t])
    ply = U(g.ply)
    outcome = verdict & N15
    step = entry(log, ply + N2)
    before = entry(log, ply)
    across = entry(log, ply + N1)
    step.h = g.h
    step.chase[0] = g.chase[0]
    step.chase[1] = g.chase[1]
    step.battle = g.battle
    step.frm = s
    step.to = t
    step.code = code
    step.tc = tc
    step.pid = pid
    step.tid = tid
    step.run[0] = g.run[0]
    step.run[1] = g.run[1]
    step.outcome = outcome
    step.told = verdict >> N8
    step.back = 0
    step.put = 0

    h = U(g.h) ^ _word(v, code, pid, s)
    seen = verdict >> N8 & N15
    if seen != N0:
        code = (code & N240) | seen | KNOWN
    code |= MOVED
    run = U(g.run[p]) + N1 if U(before.pid) == pid else N1
    threat = U(g.chase[o])
    g.code[s] = 0
    g.bid[s] = 255
    g.ply = ply + N1
    g.turn = o
    chase = U(g.chase[p])
    if outcome == QUIET:
        g.code[t] = code
        g.bid[t] = pid
        g.sq[pid] = t
        h ^= _word(v, code, pid, t)
        if threat != N0:
            gap = s - U(across.to)
            near = (gap == N1) | (gap == N12) | (gap == N0 - N1) | (gap == N0 - N12)
            g.chase[o] = threat + N1 if near else N0
        chase = chase + N1 if beside(g, t, RED_BIT << o) else N0
    else:
        g.battle = ply + N1
        g.chase[o] = 0
        chase = N0
        theirs = verdict >> N12 & N15
        if theirs != N0:
            tc = (tc & N240) | theirs | KNOWN
        if outcome != DEFENDER:
            h ^= _word(v, tc, tid, t)
            _fall(g, o, tid, tc)
            if U(across.pid) == tid:
                g.run[o] = 0
        if outcome == ATTACKER or outcome == FLAG:
            g.code[t] = code
            g.bid[t] = pid
            g.sq[pid] = t
            h ^= _word(v, code, pid, t)
            chase = N1 if beside(g, t, RED_BIT << o) else N0
            if not v.attacks_count:
                run = N0
        else:
            _fall(g, p, pid, code)
            run = N0
            if outcome == BOTH:
                g.code[t] = 0
                g.bid[t] = 255
            else:
                g.code[t] = tc
    g.h = h
    g.chase[p] = chase
    g.run[p] = min(run, U(250))


@compiled
def man_of(g: Any, p: Any, cell: Any) -> Any:
    """The id of the man of seat p who began on a cell, 255 for none."""
    for pid in range(p * N40, p * N40 + N40):
        if U(g.start[pid]) == cell:
            return pid
    return NOBODY


@compiled
def rescue_open(g: Any, v: Any, s: Any, t: Any) -> Any:
    """Whether a rescue may go with a legal move from s to t of the side to move (R13.2), if there is one to make.

    The man arrives on the other side's back row, is no scout and has rescued nobody, and his side has a rescue left.
    """
    p = U(g.turn)
    spent = U(g.spent[p])
    row = U(v.rows) if p == N0 else N1
    if spent >= U(v.rescues) or t // N12 != row or s // N12 == row or (U(g.code[s]) & N15) == SCOUT:
        return False
    for k in range(p * N8, p * N8 + spent):
        if g.saviour[k] == g.bid[s]:
            return False
    return True


@compiled
def rescue_refusal(g: Any, v: Any, move: Any) -> Any:
    """RESCUE where the rescue may not go with a legal move, else 0; every test is of what the seat to move knows.

    The cell is in the own half (the middle row of an odd number is nobody's) and empty once the man has moved. In a
    World a man whose rank nobody has guessed cannot come back.
    """
    p = U(g.turn)
    s = origin_cell(move)
    put = put_cell(move)
    pid = man_of(g, p, start_cell(move))
    if move >> N32 != N0 or put >= N144 or pid == NOBODY or not rescue_open(g, v, s, target_cell(move)):
        return RESCUE
    row = put // N12 if p == N0 else U(v.rows) + N1 - put // N12
    if row + row > U(v.rows) or (g.code[put] != 0 and put != s):
        return RESCUE
    unknown = U(g.seen_by) == EVERYTHING and (U(g.fallen[pid]) & N15) == HIDDEN
    return RESCUE if g.fallen[pid] == 0 or unknown else N0


@compiled
def bring_back(g: Any, v: Any, log: Any, move: Any) -> None:
    """Carry out the rescue of the move just applied, if its man stands on the back row and the game goes on (R13.2).

    The man comes back as he fell, with all that was known of him. A rescue ends every chase, as an attack does: the
    move itself may be the first threat of a new one.
    """
    step = entry(log, U(g.ply) + N1)
    if step.outcome != QUIET and step.outcome != ATTACKER:
        return
    o = U(g.turn)
    p = N1 - o
    put = put_cell(move)
    pid = man_of(g, p, start_cell(move))
    code = U(g.fallen[pid])
    k = U(g.spent[p])
    step.back = pid
    step.put = put
    g.spent[p] = k + N1
    g.saviour[p * N8 + k] = step.pid
    g.fallen[pid] = 0
    g.code[put] = code
    g.bid[put] = pid
    g.sq[pid] = put
    g.h = U(g.h) ^ _word(v, code, pid, put)
    g.chase[o] = 0
    g.chase[p] = min(U(g.chase[p]), N1)
    # A View lists its own men alone.
    if v.reach[code & N15] != 0 and (U(g.seen_by) == EVERYTHING or U(g.seen_by) == p):
        n = U(g.mc[p])
        g.kept_place[p * N8 + k] = g.ms[pid]
        g.kept_tail[p * N8 + k] = g.ml[p * N40 + n]
        g.ml[p * N40 + n] = pid
        g.ms[pid] = n
        g.mc[p] = n + N1


@compiled
def _take_rescue_back(g: Any, p: Any, pid: Any, put: Any) -> None:
    """The opposite of `bring_back`, but for what `undo` restores anyway."""
    k = U(g.spent[p]) - N1
    g.spent[p] = k
    g.saviour[p * N8 + k] = 0
    g.fallen[pid] = g.code[put]
    g.code[put] = 0
    g.bid[put] = 255
    g.sq[pid] = 0
    n = U(g.mc[p]) - N1
    if U(g.ms[pid]) == n:
        g.mc[p] = n
        g.ml[p * N40 + n] = g.kept_tail[p * N8 + k]
        g.ms[pid] = g.kept_place[p * N8 + k]
        g.kept_tail[p * N8 + k] = 0
        g.kept_place[p * N8 + k] = 0


@inlined
def undo(g: Any, log: Any) -> None:
    """Take the last ply back; every field is as it was, the order of the lists included."""
    ply = U(g.ply) - N1
    step = entry(log, ply + N2)
    o = U(g.turn)
    p = N1 - o
    s = U(step.frm)
    t = U(step.to)
    pid = U(step.pid)
    tid = U(step.tid)
    outcome = U(step.outcome)
    if step.put != 0:
        _take_rescue_back(g, p, U(step.back), U(step.put))
    if outcome != QUIET:
        if outcome == DEFENDER or outcome == BOTH:
            _rise(g, p, pid)
        if outcome != DEFENDER:
            _rise(g, o, tid)
            g.sq[tid] = t
    g.code[s] = step.code
    g.bid[s] = pid
    g.sq[pid] = s
    g.code[t] = step.tc
    g.bid[t] = tid
    g.h = step.h
    g.chase[0] = step.chase[0]
    g.chase[1] = step.chase[1]
    g.battle = step.battle
    g.run[0] = step.run[0]
    g.run[1] = step.run[1]
    g.turn = p
    g.ply = ply
    g.result = 0
    g.reason = 0


@inlined
def _limit_reached(g: Any, v: Any) -> Any:
    """Whether a limit of plies is reached, or passed where it must be (R11.3)."""
    beyond = U(v.beyond)
    ply = U(g.ply)
    return ply >= U(v.ply_limit) + beyond or ply - U(g.battle) >= U(v.quiet_limit) + beyond


@inlined
def settle(g: Any, v: Any, log: Any, n: Any) -> None:
    """Set result and reason after a ply or at the start; n counts the legal moves of the side to move (R11.1)."""
    turn = U(g.turn)
    last = entry(log, U(g.ply) + N1)
    outcome = U(last.outcome)
    if not v.flag_first and _limit_reached(g, v):
        g.result = 3
        g.reason = 4
        return
    if outcome == FLAG:
        g.result = N2 - turn
        g.reason = 1
        return
    can = n != N0
    if v.stuck == 2:
        can = g.mc[turn] != 0
    other = True
    if v.stuck == 2:
        other = g.mc[N1 - turn] != 0
    elif (v.stuck == 0 or not can) and ((outcome >= DEFENDER) | (last.put != 0) | (g.ply == 0)):
        # A mover that lives can always step back to where it came from, unless a rescue filled the place, so only that
        # and its death leave the question open.
        other = has_geometric(g, v, N1 - turn)
    if not can:
        g.result = (N2 - turn) if other else N3
        g.reason = U(2) if other else N3
        return
    if not other:
        g.result = turn + N1
        g.reason = 2
        return
    if _limit_reached(g, v):
        g.result = 3
        g.reason = 4


@inlined
def advance(g: Any, v: Any, log: Any, moves: Any, at: Any) -> Any:
    """Write the legal moves and settle the game by them; return the index after the last, `at` once it is over."""
    n = legal(g, v, log, moves, at)
    settle(g, v, log, n - at)
    return at if g.result != 0 else n


@compiled
def clear(g: Any, v: Any, log: Any) -> None:
    """An empty board of the variant, nothing played."""
    g.h = 0
    g.ply = 0
    g.battle = 0
    g.turn = 0
    g.result = 0
    g.reason = 0
    for p in range(N2):
        g.chase[p] = 0
        g.mc[p] = 0
        g.run[p] = 0
        g.spent[p] = 0
    for cell in range(N144):
        g.code[cell] = v.board[cell]
        g.bid[cell] = 255
    for pid in range(N40 + N40):
        g.sq[pid] = 0
        g.ml[pid] = 0
        g.ms[pid] = 255
        g.fallen[pid] = 0
        g.start[pid] = 0
    for k in range(N16):
        g.saviour[k] = 0
        g.kept_place[k] = 0
        g.kept_tail[k] = 0
    for k in range(N2):
        step = entry(log, k)
        step.pid = 255
        step.tid = 255
        step.frm = 0
        step.to = 0
        step.outcome = 0
        step.told = 0
        step.back = 0
        step.put = 0


@compiled
def place(g: Any, v: Any, p: Any, pid: Any, cell: Any, rank: Any) -> None:
    """Put a man on an empty cell at the start; he can move if his rank can."""
    code = rank | RED_BIT << p
    g.code[cell] = code
    g.bid[cell] = pid
    g.sq[pid] = cell
    g.start[pid] = cell
    g.h = U(g.h) ^ _word(v, code, pid, cell)
    if v.reach[rank] != 0:
        n = U(g.mc[p])
        g.ml[p * N40 + n] = pid
        g.ms[pid] = n
        g.mc[p] = n + N1


@compiled
def refusal(g: Any, v: Any, log: Any, s: Any, t: Any) -> Any:
    """Why the side to move may not play from s to t, in the order of R0; 0 where it may. Result and turn apart."""
    code = U(g.code[s])
    p = U(g.turn)
    if code == N0 or code == WALL:
        return N2
    if (code & WALL) != RED_BIT << p:
        return N3
    reach = U(v.reach[code & N15])
    if reach == N0:
        return N4
    if not _reaches(g, v, s, t, reach):
        return U(5)
    span = two_square_span(g, v, log)
    if span != N0 and s == U(entry(log, U(g.ply)).to) and two_square_bars(v, span, s, t, g.code[t] != 0):
        return U(6)
    if v.more_squares != 0 and g.chase[p] >= 2 and chase_bars(g, v, log, s, t):
        return U(7)
    return N0


@compiled
def _reaches(g: Any, v: Any, s: Any, t: Any, reach: Any) -> Any:
    """Whether the man on s can go to t by R5."""
    code = U(g.code[s])
    if s == t or (U(g.code[t]) & (code & WALL)) != N0:
        return False
    low = min(s, t)
    gap = max(s, t) - low
    if gap % N12 == N0:
        step = N12
    elif s // N12 == t // N12:
        step = N1
    elif v.bends[code & N15] != 0 and (gap == N11 or gap == N13):
        # Its two corners are the cells beside s in the row of s and in the file of s.
        across = N1 if (gap == N13) == (s < t) else N0 - N1
        return g.code[s + across] == 0 or g.code[t - across] == 0
    else:
        return False
    fields = gap // step
    if fields > reach or (g.code[t] != 0 and fields > U(v.strike[code & N15])):
        return False
    for k in range(N1, fields):
        if g.code[low + k * step] != 0:
            return False
    return True
