"""A diagram as text that people write: men as `10@e4`, hidden ones as `?@e7`, and the plies played from there on.

Behind a man stand, where they say something: `<d2` the square where he began, `*` he has moved, `!` his rank is public.
"""

from __future__ import annotations

import re
from dataclasses import replace

from flagfall.errors import Unreadable
from flagfall.rules.board import (
    STRIDE,
    Seat,
    Square,
    cell_of,
    origin,
    parse_square,
    put_square,
    rescued,
    square_name,
    target,
)
from flagfall.rules.diagram import LONGEST_PLY, Diagram, ended, follow, men_in_order
from flagfall.rules.events import Outcome, Played, Reason, Result
from flagfall.rules.heading import (
    Heading,
    Word,
    read_heading,
    read_numbering,
    read_variant,
    variant_lines,
    words_of,
)
from flagfall.rules.layout import tables
from flagfall.rules.notation import ply_text
from flagfall.rules.noted import Noted, parse_ply
from flagfall.rules.pieces import Numbering, Rank, parse_rank, rank_text
from flagfall.rules.position import Man
from flagfall.rules.variant import Variant
from flagfall.rules.view import View

FORMAT = "flagfall-position-1"
WATCHER = "watcher"
NOBODY = "-"
_LINES = ("variant", "law", "digest", "numbering", "seat", "turn", "ply", "quiet", "red", "blue", "red fallen",
          "blue fallen", "red rescues", "blue rescues", "result")  # fmt: skip
FIELDS = frozenset(_LINES)
_SQUARE = r"([a-j](?:10|[1-9]))"
_STANDS = re.compile(rf"([0-9A-Za-z]{{1,2}}|\?)@{_SQUARE}(?:<{_SQUARE})?(\*?)(!?)", re.ASCII)
_FELL = re.compile(rf"([0-9A-Za-z]{{1,2}}|\?)(?:<{_SQUARE})?(\*?)(!?)", re.ASCII)
_NUMBER = re.compile(r"(\d{1,6})\.", re.ASCII)


def diagram_text(diagram: Diagram, numbering: Numbering = Numbering.MODERN) -> str:
    """The text of a diagram; the board after its last ply stands behind it as a remark. Raises as `Diagram.view`."""
    lines = variant_lines(diagram.variant)
    if numbering is not Numbering.MODERN:
        lines.append(("numbering", numbering.value))
    lines += [
        ("seat", WATCHER if diagram.seat is None else diagram.seat.word),
        ("turn", diagram.turn.word),
        ("ply", str(diagram.ply)),
        ("quiet", str(diagram.quiet)),
    ]
    for seat in Seat:
        stand = [man for man in diagram.men if man.seat is seat and man.square is not None]
        lines.append((seat.word, " ".join(_man_text(man, numbering) for man in stand) or NOBODY))
    for seat in Seat:
        fell = [man for man in diagram.men if man.seat is seat and man.square is None]
        lines += [(f"{seat.word} fallen", " ".join(_man_text(man, numbering) for man in fell))] if fell else []
        saved = " ".join(square_name(start) for start in diagram.rescuers[seat])
        lines += [(f"{seat.word} rescues", saved)] if saved else []
    if diagram.result is not Result.GOING:
        lines.append(("result", f"{diagram.result.word} by {diagram.reason.word}"))
    plies = [ply_text(played, numbering) for played in diagram.plies]
    rows = [f"{diagram.ply + at + 1}. " + " ".join(plies[at : at + 10]) for at in range(0, len(plies), 10)]
    board = [f"; {row}".rstrip() for row in diagram.view().board(numbering).split("\n")]
    return "\n".join([FORMAT, *(f"{name}: {value}" for name, value in lines), "", *rows, *board]) + "\n"


def parse_diagram(text: str) -> Diagram:
    """The diagram that a text means; every ply of it was followed, and its men make a position.

    A line that is left out has its usual value: the seat is that of the side to move, Red; ply, quiet 0; nobody fell.
    A man without `<` began where he stands, a fallen one on a free square of his home area. Raises Unreadable with
    `line` and `column`: the codes of `rules.heading`, of a position's faults and of a ply that cannot be, or `bad_man`,
    `bad_result`, `ply_number`, `ply_end` for an attack of which the end is not told.
    """
    heading, words = read_heading(text, FORMAT, FIELDS)
    variant, numbering = read_variant(heading), read_numbering(heading)
    turn = Seat.of(heading.choice("turn", ("red", "blue"), "red"))
    word = heading.choice("seat", ("red", "blue", WATCHER), turn.word)
    seat = None if word == WATCHER else Seat.of(word)
    men: list[Man] = []
    for side in Seat:
        stand = [_standing(item, variant, side, seat, numbering) for item in _items(heading, side.word)]
        men += [*stand, *_fallen(heading, variant, side, seat, numbering, {man.id for man in stand})]
    diagram = Diagram(
        variant=variant,
        seat=seat,
        turn=turn,
        ply=heading.count("ply", 0, LONGEST_PLY),
        quiet=heading.count("quiet", 0, LONGEST_PLY),
        men=men_in_order(variant, men),
        rescuers=(_rescuers(heading, Seat.RED), _rescuers(heading, Seat.BLUE)),
    )
    _blame(diagram, heading)
    with heading.end.blamed():
        view = diagram.opening()
    plies = _plies(view, words, numbering)
    return _ended(replace(diagram, plies=plies), heading)


def _man_text(man: Man, numbering: Numbering) -> str:
    rank = rank_text(man.rank, numbering)
    began = f"<{square_name(man.id)}"
    marks = ("*" if man.moved else "") + ("!" if man.known else "")
    if man.square is None:
        return f"{rank}{began}{marks}"
    return f"{rank}@{square_name(man.square)}{began if man.square != man.id else ''}{marks}"


def _items(heading: Heading, name: str) -> list[Word]:
    value = heading.get(name)
    return [] if value.text == NOBODY else words_of(value)


def _rank(word: Word, sign: str, numbering: Numbering) -> Rank:
    if sign == "?":
        return Rank.UNKNOWN
    with word.spot.blamed():
        return parse_rank(sign, numbering)


def _standing(word: Word, variant: Variant, side: Seat, seat: Seat | None, numbering: Numbering) -> Man:
    found = _STANDS.fullmatch(word.text)
    if found is None:
        raise word.error("a man is 10@e4 or ?@e4, perhaps with <d2, * and ! behind it", "bad_man")
    sign, name, began, moved, known = found.groups()
    at = parse_square(name)
    start = at if began is None else parse_square(began)
    rank = _rank(word, sign, numbering)
    # Only a rescue brings a man elsewhere without a move (R13.2).
    gone = bool(moved) or (start != at and not variant.law.rescues)
    return Man(start, side, at, rank, gone, _public(rank, side, seat, known), None)


def _fallen(
    heading: Heading, variant: Variant, side: Seat, seat: Seat | None, numbering: Numbering, taken: set[Square]
) -> list[Man]:
    """The fallen men of a side; one of whom it is not said where he began gets a home square that nobody has."""
    found = []
    for word in _items(heading, f"{side.word} fallen"):
        told = _FELL.fullmatch(word.text)
        if told is None:
            raise word.error("a fallen man is 10 or ?, perhaps with <d2, * and ! behind it", "bad_man")
        found.append((word, told))
    taken = taken | {parse_square(told[2]) for _, told in found if told[2]}
    free = (at for at in variant.home[side] if at not in taken)
    men = []
    for word, told in found:
        sign, began, moved, known = told.groups()
        start = parse_square(began) if began else next(free, None)
        if start is None:
            raise word.error("there is no home square left where this man can have begun", "bad_man")
        rank = _rank(word, sign, numbering)
        men.append(Man(start, side, None, rank, bool(moved), _public(rank, side, seat, known), None))
    return men


def _public(rank: Rank, side: Seat, seat: Seat | None, mark: str) -> bool:
    """Whether a man's rank is public: what a seat knows of the other side's men always is."""
    return bool(mark) or (rank is not Rank.UNKNOWN and side is not seat)


def _rescuers(heading: Heading, side: Seat) -> tuple[Square, ...]:
    found = []
    for word in _items(heading, f"{side.word} rescues"):
        with word.spot.blamed():
            found.append(parse_square(word.text))
    return tuple(found)


def _blame(diagram: Diagram, heading: Heading) -> None:
    """Raise the first fault of the men, at the line of their side."""
    for fault in diagram.faults():
        at = heading.get(str(fault.params.get("side", ""))).spot
        raise at.error(str(fault), fault.stable_code, **fault.params)


def _plies(view: View, words: list[Word], numbering: Numbering) -> tuple[Played, ...]:
    """The plies that the words name, each followed on the view."""
    plies: list[Played] = []
    for word in words:
        number = _NUMBER.fullmatch(word.text)
        if number is not None:
            if int(number[1]) != view.ply + 1:
                raise word.error(f"the next ply is number {view.ply + 1}", "ply_number", ply=view.ply + 1)
            continue
        with word.spot.blamed():
            played = told(view, parse_ply(word.text, numbering))
            follow(view, played)
        plies.append(played)
    return tuple(plies)


def told(view: View, noted: Noted) -> Played:
    """The next ply as everybody is told it (R7), what is not written supplied from what the view knows.

    Raises Unreadable `ply_end`, `ply_told` where more must be written, `claim` where more is written than is told.
    """
    start, end = origin(noted.move), target(noted.move)
    man, met = view.man_at(start), view.man_at(end)
    mine, theirs = _known(man, noted.attacker), _known(met, noted.defender)
    outcome = noted.outcome
    if outcome is None:
        attack = met is not None if noted.attack is None else noted.attack
        outcome = Outcome.QUIET if not attack else None
    if outcome is None:
        if mine is None or theirs is None:
            raise Unreadable("write how this battle ended: + - = or #", code="ply_end")
        outcome = view.variant.battle(mine, theirs)
    policy = view.variant.law.reveal
    battle = outcome is not Outcome.QUIET
    tells = (battle and policy != "none", battle and (policy == "both" or (policy == "silent" and mine is Rank.SCOUT)))
    runner = _runner(view.variant, start, end)
    if battle and tells[0]:
        runner = None
    elif runner is not None:
        mine, tells = runner, (True, tells[1])
    ranks: list[Rank | None] = []
    for open_to_all, rank, written in zip(tells, (mine, theirs), (noted.attacker, noted.defender), strict=True):
        if open_to_all and rank is None:
            raise Unreadable("a rank is public here: write it, as in e5{9}xe6{10}-", code="ply_told")
        if written is not None and (not open_to_all or written is not rank):
            raise Unreadable("this ply does not tell that rank", code="claim")
        ranks.append(rank if open_to_all else None)
    return Played(
        view.ply + 1, view.turn, start, end, outcome, ranks[0], ranks[1], Result.GOING, Reason.NONE,
        rescued(noted.move), put_square(noted.move),
    )  # fmt: skip


def _known(man: Man | None, written: Rank | None) -> Rank | None:
    if man is None or man.rank is Rank.UNKNOWN:
        return written
    return man.rank


def _runner(variant: Variant, start: Square, end: Square) -> Rank | None:
    """The one rank that can make such a move, if there is but one: it is told (R7)."""
    gap = abs(cell_of(start) - cell_of(end))
    if gap in (1, STRIDE):
        return None
    tells = tables(variant)[0]["tells"]
    rank = int(tells[min(gap // STRIDE if gap >= STRIDE else gap, len(tells) - 1)])
    return Rank(rank) if rank else None


def _ended(diagram: Diagram, heading: Heading) -> Diagram:
    """The diagram with the result that the heading names."""
    word = heading.get("result", "none")
    if word.text == "none":
        return diagram
    who, _, why = word.text.partition(" by ")
    results = {result.word: result for result in Result if result is not Result.GOING}
    reasons = {reason.word: reason for reason in Reason if reason is not Reason.NONE}
    if who not in results or why not in reasons:
        raise word.error("a result is red, blue or draw, by and why: red by flag", "bad_result")
    return ended(diagram, results[who], reasons[why])
