"""Reading the sheet of a game: played again as it is read, every claim tried, every complaint with its place."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import UTC, datetime

from flagfall.play.clock import Control, Kind, SetupEnd
from flagfall.play.player import SEED_BYTES, Budget
from flagfall.play.record import Act, Deed, Record, Sitter, Sort, Terms
from flagfall.play.referee import Phase, Referee
from flagfall.play.sheet import BOTH, EPOCH, FORMAT, NO_SECRET, enact, implied_deploys
from flagfall.play.takeback import undone
from flagfall.rules.board import Seat
from flagfall.rules.deployment import Deployment
from flagfall.rules.heading import Heading, Spot, Word, read_heading, read_numbering, read_variant
from flagfall.rules.noted import Noted, parse_ply
from flagfall.rules.pieces import Numbering
from flagfall.rules.variant import Variant

LONGEST_MS = 2**53 - 1
_LINES = ("variant", "law", "digest", "numbering", "game", "begun", "rated", "red", "blue", "clock", "first",
          "red army", "blue army", "result", "elapsed", "secret")  # fmt: skip
FIELDS = frozenset(_LINES)
_DEED = re.compile(r"(red|blue|both):([a-z]+)(?:\[([a-z0-9_]{1,40})\])?", re.ASCII)
_TIMED = re.compile(r"([^()]+)(?:\(([0-9.]{1,20})\))?")
_SECONDS = re.compile(r"(\d{1,13})(?:\.(\d{1,3}))?", re.ASCII)
_NUMBER = re.compile(r"(\d{1,9})\.", re.ASCII)
_GAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_SECRET = re.compile(rf"[0-9a-f]{{{2 * SEED_BYTES}}}")
OF_BOTH = (Deed.TIME, Deed.ANNUL)
_TALKS = {deed.value: deed for deed in Deed if deed is not Deed.MOVE}


def read_sheet(text: str) -> Record:
    """The record that a sheet means; it was played through the referee, so `Referee.resume` will not refuse it.

    A line that is left out has its usual value: an unnamed game, persons called red and blue, no clock, Red first, no
    secret, the result that the plies lead to. Raises Unreadable with `line` and `column`: the codes of
    `rules.heading`, those of whatever stands there (`bad_ply`, `bad_army`, a refusal of R0, …), or `bad_game`,
    `bad_moment`, `bad_sitter`, `bad_clock`, `bad_seconds`, `bad_secret`, `bad_deed`, `ply_number`, `claim`,
    `record_differs`.
    """
    heading, words = read_heading(text, FORMAT, FIELDS)
    game = read_variant(heading)
    terms = Terms(
        variant=game,
        first=Seat.of(heading.choice("first", ("red", "blue"), "red")),
        sitters=(_sitter(heading, Seat.RED), _sitter(heading, Seat.BLUE)),
        control=_control(heading),
        game=_game(heading),
        begun_ms=_moment(heading),
        rated=heading.choice("rated", ("yes", "no"), "no") == "yes",
    )
    numbering = read_numbering(heading)
    armies = (_army(heading, game, Seat.RED, numbering), _army(heading, game, Seat.BLUE, numbering))
    referee = Referee(terms, secret=_secret(heading), now_ms=0, live=False)
    _play(referee, armies, _deeds(words, numbering, terms.first), heading.end)
    return _checked(referee, heading, armies)


@dataclass(slots=True)
class _Deed:
    """What a word says: a ply or another deed, and how long it took."""

    spot: Spot
    spent_ms: int
    ply: Noted | None = None
    seat: Seat | None = None
    deed: Deed = Deed.MOVE
    fault: str | None = None


def _deeds(words: list[Word], numbering: Numbering, first: Seat) -> list[_Deed]:
    """What the words say, the numbers of plies checked and left out."""
    deeds: list[_Deed] = []
    plies = 0
    for word in words:
        number = _NUMBER.fullmatch(word.text)
        if number is not None:
            if int(number[1]) != plies + 1:
                raise word.error(f"the next ply is number {plies + 1}", "ply_number", ply=plies + 1)
            continue
        body, spent_ms = _timed(word)
        talk = _DEED.fullmatch(body)
        if talk is not None:
            deeds.append(_talk(word, talk, spent_ms))
            giver = deeds[-1].seat
            if deeds[-1].deed is Deed.ALLOW and giver is not None:
                plies -= undone(first if plies % 2 == 0 else first.other, giver.other)
            continue
        with word.spot.blamed():
            deeds.append(_Deed(word.spot, spent_ms, parse_ply(body, numbering)))
        plies += 1
    return deeds


def _timed(word: Word) -> tuple[str, int]:
    """A word without the time behind it, and that time."""
    found = _TIMED.fullmatch(word.text)
    if found is None:
        raise word.error("a time stands in brackets behind its deed, in seconds", "bad_seconds")
    return found[1], 0 if found[2] is None else _milliseconds(found[2], word)


def _milliseconds(text: str, word: Word) -> int:
    found = _SECONDS.fullmatch(text)
    ms = -1 if found is None else int(found[1]) * 1000 + int((found[2] or "0").ljust(3, "0"))
    if not 0 <= ms <= LONGEST_MS:
        raise word.error("a time is seconds with at most three decimals", "bad_seconds")
    return ms


def _talk(word: Word, found: re.Match[str], spent_ms: int) -> _Deed:
    who, name, fault = found.groups()
    deed = _TALKS.get(name)
    if deed is None or (fault is None) == (deed is Deed.FORFEIT) or (who == BOTH and deed not in OF_BOTH):
        raise word.error("a deed is red: or blue: and deploy, offer, decline, accept, ask, allow, deny, resign, abort, "
                         "annul, left, away, time, fill or forfeit[why]", "bad_deed")  # fmt: skip
    return _Deed(word.spot, spent_ms, None, None if who == BOTH else Seat.of(who), deed, fault)


def _play(
    referee: Referee, armies: tuple[Deployment | None, Deployment | None], deeds: list[_Deed], start: Spot
) -> None:
    """Do every deed, in order; what goes wrong is blamed on its word."""
    if not any(deed.deed is Deed.DEPLOY for deed in deeds):
        for act in implied_deploys(armies, (deed.seat for deed in deeds if deed.deed is Deed.FILL)):
            with start.blamed():
                enact(referee, act, None if act.seat is None else armies[act.seat])
    at_ms = 0
    for deed in deeds:
        at_ms += deed.spent_ms
        with deed.spot.blamed():
            if deed.ply is None:
                enact(referee, Act(at_ms, deed.deed, deed.seat, fault=deed.fault),
                      None if deed.seat is None else armies[deed.seat])  # fmt: skip
                continue
            turn = referee.terms.first if referee.turn is None else referee.turn
            played = enact(referee, Act(at_ms, Deed.MOVE, turn, move=deed.ply.move), None)
            wrong = None if played is None else deed.ply.contradicts(played)
            if wrong is not None:
                raise deed.spot.error(wrong, "claim")


def _checked(referee: Referee, heading: Heading, armies: tuple[Deployment | None, Deployment | None]) -> Record:
    """The record of what was played, if the heading says the same of its end."""
    last = referee.last_act
    over = referee.phase is Phase.OVER
    at_ms = 0 if last is None else last.at_ms
    elapsed_ms = at_ms
    if "elapsed" in heading.fields:
        word = heading.fields["elapsed"]
        elapsed_ms = _milliseconds(word.text.removesuffix(" s"), word)
        if elapsed_ms < at_ms:
            raise word.error("a game has lasted until its last deed, at least", "record_differs")
    found = referee.journal(elapsed_ms)
    for seat, army in zip(Seat, found.deployments, strict=True):
        if army != armies[seat]:
            raise heading.get(f"{seat.word} army").error("this army is not the one that was set up", "record_differs")
    result = "none" if not over else f"{found.result.word} by {found.reason.word}"
    said = heading.get("result", result)
    if said.text != result:
        raise said.error(f"these plies lead to another result: {result}", "record_differs")
    return Record(
        terms=found.terms, secret=found.secret, elapsed_ms=elapsed_ms, deployments=found.deployments,
        acts=found.acts, result=found.result, reason=found.reason,
    )  # fmt: skip


def _game(heading: Heading) -> str:
    word = heading.get("game", "game")
    if not _GAME.fullmatch(word.text):
        raise word.error("a game is named with letters, digits, _ and -, at most 64", "bad_game")
    return word.text


def _moment(heading: Heading) -> int:
    word = heading.get("begun", "0")
    if word.text.isascii() and word.text.isdigit():
        return heading.count("begun", 0, LONGEST_MS)
    try:
        told = datetime.fromisoformat(word.text)
    except ValueError:
        raise word.error("a moment is written 2026-11-30T12:00:00Z", "bad_moment") from None
    told = told if told.tzinfo is not None else told.replace(tzinfo=UTC)
    since = told - EPOCH
    ms = since.days * 86_400_000 + since.seconds * 1000 + since.microseconds // 1000
    if ms < 0:
        raise word.error("no game here began before 1970", "bad_moment")
    return ms


def _sitter(heading: Heading, seat: Seat) -> Sitter:
    """The sitter of `"level-5" house, 500 nodes, 200 ms`; a name without quotes is a person's."""
    word = heading.get(seat.word, json.dumps(seat.word) + " person")
    wrong = word.error('a sitter is "name" person, house or program, and perhaps , 500 nodes, 200 ms', "bad_sitter")
    if not word.text.startswith('"'):
        name, rest = word.text, "person"
    else:
        try:
            name, end = json.JSONDecoder().raw_decode(word.text)
        except (ValueError, RecursionError):
            raise wrong from None
        rest = word.text[end:].strip()
    sort, *budget = [part.strip() for part in rest.split(",")]
    if not name.isprintable() or len(name) > 200 or sort not in list(Sort):
        raise wrong
    counts: dict[str, int] = {}
    for part in budget:
        number, _, unit = part.partition(" ")
        good = number.isascii() and number.isdigit() and len(number) <= 16 and unit in ("nodes", "ms")
        if not good or unit in counts or int(number) > LONGEST_MS:
            raise wrong
        counts[unit] = int(number)
    return Sitter(name, Sort(sort), Budget(counts.get("nodes"), counts.get("ms")))


def _control(heading: Heading) -> Control | None:
    """The clock of `fischer, main 180 s, add 2 s`, at whose end `random-fill` may stand."""
    if "clock" not in heading.fields:
        return None
    word = heading.fields["clock"]
    kind, *parts = [part.strip() for part in word.text.split(",")]
    times: dict[str, int] = {}
    lapse = SetupEnd.RANDOM_FILL if parts[-1:] == [SetupEnd.RANDOM_FILL] else SetupEnd.FORFEIT
    for part in parts if lapse is SetupEnd.FORFEIT else parts[:-1]:
        name, _, seconds = part.partition(" ")
        if name not in ("main", "add", "cap", "setup") or name in times or not seconds.endswith(" s"):
            raise word.error("a clock is its kind, then main, add, cap or setup in seconds", "bad_clock")
        times[name] = _milliseconds(seconds.removesuffix(" s").strip(), word)
    if kind not in list(Kind):
        raise word.error(f"a clock is one of {', '.join(Kind)}", "bad_clock")
    with word.spot.blamed():
        spans = (times.get("main", 0), times.get("add", 0), times.get("cap"), times.get("setup"))
        return Control(Kind(kind), *spans, setup_timeout=lapse)


def _army(heading: Heading, game: Variant, seat: Seat, numbering: Numbering) -> Deployment | None:
    word = heading.fields.get(f"{seat.word} army")
    if word is None:
        return None
    with word.spot.blamed():
        return Deployment.parse(word.text, game, seat, None if ":" in word.text else numbering).checked()


def _secret(heading: Heading) -> bytes:
    word = heading.get("secret", NO_SECRET.hex())
    if not _SECRET.fullmatch(word.text):
        raise word.error(f"a secret is {2 * SEED_BYTES} hexadecimal digits", "bad_secret")
    return bytes.fromhex(word.text)
