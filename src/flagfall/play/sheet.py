"""A game's sheet: its record as text that people read and write (R14.8), nothing of the record lost.

Of a record's fields only those are left out that follow from the rest: commitments, checksum and format.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta

from flagfall.errors import FlagfallError, NotAllowed
from flagfall.play.clock import Control, SetupEnd
from flagfall.play.record import Act, Deed, Record, Sitter
from flagfall.play.referee import Referee
from flagfall.rules.board import Seat, plain
from flagfall.rules.deployment import Deployment
from flagfall.rules.events import Played, Result
from flagfall.rules.heading import variant_lines
from flagfall.rules.notation import move_text, ply_text
from flagfall.rules.pieces import Numbering

FORMAT = "flagfall-game-1"
NO_SECRET = bytes(32)
"""The secret of a game of which none was written down: nobody committed to anything."""

PLIES_A_LINE = 10
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MOMENTS_END_MS = (datetime(9999, 12, 31, tzinfo=UTC) - EPOCH) // timedelta(milliseconds=1)
_PLAIN = {
    Deed.RESIGN: Referee.resign,
    Deed.OFFER: Referee.offer_draw,
    Deed.ASK: Referee.ask_back,
    Deed.ABORT: Referee.abort,
}
BOTH = "both"
"""Whose time is up where neither has set up, and whose game the house calls off."""


def sheet_text(record: Record, numbering: Numbering = Numbering.MODERN) -> str:
    """The sheet of a game that is over, or of one that broke off and has no more to hide.

    Raises Unreadable where the game cannot have been played as the record says.
    """
    lines = [FORMAT, *(f"{name}: {value}" for name, value in _heading(record, numbering)), ""]
    words: list[str] = []
    plies = 0
    for text, ply, standing in _deeds(record, numbering):
        if ply and plies % PLIES_A_LINE == 0:
            lines += [" ".join(words)] if words else []
            words = [f"{plies + 1}."]
        plies = plies + 1 if ply else standing
        words.append(text)
    return "\n".join([*lines, *([" ".join(words)] if words else [])]) + "\n"


def enact(referee: Referee, act: Act, army: Deployment | None) -> Played | None:
    """Do a recorded act at a table whose time began at 0; the ply, if it was one.

    Raises what the deed raises, and NotAllowed `time_not_up` for a time that was not up then, `record_illegal` for an
    act that comes to something else.
    """
    played = None
    if act.deed is Deed.ANNUL:
        referee.annul(act.at_ms)
    elif act.deed in (Deed.TIME, Deed.FILL) or act.seat is None:
        referee.tick(act.at_ms)
    elif act.deed is Deed.MOVE and act.move is not None:
        played = referee.move(act.seat, act.move, act.at_ms)
    elif act.deed is Deed.DEPLOY and army is not None:
        referee.deploy(act.seat, army, act.at_ms)
    elif act.deed is Deed.FORFEIT:
        referee.forfeit(act.seat, FlagfallError("", code=act.fault), act.at_ms)
    elif act.deed in (Deed.ACCEPT, Deed.DECLINE):
        referee.answer_draw(act.seat, act.deed is Deed.ACCEPT, act.at_ms)
    elif act.deed in (Deed.ALLOW, Deed.DENY):
        referee.answer_back(act.seat, act.deed is Deed.ALLOW, act.at_ms)
    elif act.deed in (Deed.LEFT, Deed.AWAY):
        referee.claim(act.seat.other, act.deed is Deed.LEFT, act.at_ms)
    elif act.deed in _PLAIN:
        _PLAIN[act.deed](referee, act.seat, act.at_ms)
    done = referee.last_act
    if done == act:
        return played
    if act.deed in (Deed.TIME, Deed.FILL):
        raise NotAllowed("no time was up then", code="time_not_up")
    raise NotAllowed("this act comes to something else", code="record_illegal")


def seconds_text(ms: int) -> str:
    """Milliseconds as seconds, exactly: `1.25`, `3`."""
    return f"{ms // 1000}.{ms % 1000:03}".rstrip("0").rstrip(".")


def moment_text(ms: int) -> str:
    """Milliseconds since 1970 as a moment in UTC; as a number where no calendar reaches."""
    if ms >= MOMENTS_END_MS:
        return str(ms)
    return (EPOCH + timedelta(milliseconds=ms)).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def sitter_text(sitter: Sitter) -> str:
    """`"level-5" house, 500 nodes, 200 ms`."""
    budget = [f"{count} {unit}" for count, unit in ((sitter.budget.nodes, "nodes"), (sitter.budget.time_ms, "ms"))
              if count is not None]  # fmt: skip
    return ", ".join([f"{json.dumps(sitter.name, ensure_ascii=False)} {sitter.sort.value}", *budget])


def clock_text(control: Control) -> str:
    """`fischer, main 180 s, add 2 s`, and `random-fill` where the lot sets up for whoever is late."""
    times = {"main": control.main_ms or None, "add": control.add_ms or None}
    times |= {"cap": control.cap_ms, "setup": control.setup_ms}
    lapse = [] if control.setup_timeout is SetupEnd.FORFEIT else [control.setup_timeout.value]
    spans = (f"{name} {seconds_text(ms)} s" for name, ms in times.items() if ms is not None)
    return ", ".join([control.kind.value, *spans, *lapse])


def army_text(army: Deployment, numbering: Numbering) -> str:
    """A deployment on one line, a word a row, back row first, left to right from its owner's seat."""
    rows: dict[int, str] = {}
    for at, sign in zip(army.variant.home[army.seat], army.text(numbering), strict=True):
        rows[at // 10] = rows.get(at // 10, "") + sign
    return " ".join(rows.values())


def implied_deploys(
    armies: tuple[Deployment | None, Deployment | None], filled: Iterable[Seat | None]
) -> tuple[Act, ...]:
    """The acts of setting up that a sheet need not name: at the very beginning, Red's first.

    filled: the seats whose army is the lot's (R12).
    """
    lot = set(filled)
    return tuple(Act(0, Deed.DEPLOY, seat) for seat in Seat if armies[seat] is not None and seat not in lot)


def _heading(record: Record, numbering: Numbering) -> Iterator[tuple[str, str]]:
    terms = record.terms
    yield from variant_lines(terms.variant)
    if numbering is not Numbering.MODERN:
        yield "numbering", numbering.value
    yield "game", terms.game
    if terms.begun_ms:
        yield "begun", moment_text(terms.begun_ms)
    if terms.rated:
        yield "rated", "yes"
    for seat in Seat:
        yield seat.word, sitter_text(terms.sitters[seat])
    if terms.control is not None:
        yield "clock", clock_text(terms.control)
    yield "first", terms.first.word
    for seat in Seat:
        army = record.deployments[seat]
        if army is not None:
            yield f"{seat.word} army", army_text(army, numbering)
    yield "result", "none" if record.result is Result.GOING else f"{record.result.word} by {record.reason.word}"
    if record.elapsed_ms != (record.acts[-1].at_ms if record.acts else 0):
        yield "elapsed", f"{seconds_text(record.elapsed_ms)} s"
    if record.secret != NO_SECRET:
        yield "secret", record.secret.hex()


def _deeds(record: Record, numbering: Numbering) -> Iterator[tuple[str, bool, int]]:
    """Every act in words, with whether it is a ply and how many stand then; what a reader supplies is left out."""
    referee = Referee(record.terms, secret=record.secret, now_ms=0, live=False)
    filled = (act.seat for act in record.acts if act.deed is Deed.FILL)
    implied = implied_deploys(record.deployments, filled)
    unsaid = len(implied) if record.acts[: len(implied)] == implied else 0
    before = 0
    for number, act in enumerate(record.acts):
        played = enact(referee, act, record.deployments[act.seat] if act.seat is not None else None)
        if number < unsaid:
            continue
        spent, before = act.at_ms - before, act.at_ms
        time = f"({seconds_text(spent)})" if spent else ""
        if played is None or act.move is None:
            yield f"{_act_text(act)}{time}", False, referee.ply
        else:
            # The order to rescue somebody stays on record where the attack that it went with failed (R13.2).
            lost = move_text(act.move)[len(move_text(plain(act.move))) :] if played.rescued is None else ""
            yield f"{ply_text(played, numbering)}{lost}{time}", True, referee.ply


def _act_text(act: Act) -> str:
    who = BOTH if act.seat is None else act.seat.word
    return f"{who}:{act.deed.value}" + (f"[{act.fault}]" if act.fault is not None else "")
