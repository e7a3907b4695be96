"""No side door of the table leads to what a seat may not know (DESIGN: the secrecy wall)."""

from __future__ import annotations

import copy
import pickle
import traceback

import pytest

from flagfall.errors import FlagfallError
from flagfall.play.events import Started
from flagfall.play.player import Kind
from flagfall.play.record import Terms
from flagfall.play.referee import Referee
from flagfall.rules.board import Move, Seat, make_move, parse_square
from flagfall.rules.catalog import MICRO
from flagfall.rules.deployment import Deployment
from flagfall.rules.pieces import Numbering

TINY = MICRO.with_law(max_plies=40)
SECRET = bytes(range(32))
TEXTS = {Seat.RED: "F2SM", Seat.BLUE: "MSF2"}


def table(texts: dict[Seat, str] | None = None) -> Referee:
    referee = Referee(Terms(variant=TINY), secret=SECRET, now_ms=0)
    for seat, text in (texts or TEXTS).items():
        referee.deploy(seat, Deployment.parse(text, TINY, seat, Numbering.MODERN), 0)
    return referee


def move_of(words: str) -> Move:
    start, end = words.split("-")
    return make_move(parse_square(start), parse_square(end))


def test_a_referee_is_neither_pickled_nor_copied() -> None:
    referee = table()
    for copied in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="neither copied nor pickled"):
            copied(referee)


def test_words_for_logs_say_nothing() -> None:
    referee = table()
    said = [repr(referee), str(referee), repr(referee.journal(0)), repr(referee.request(Kind.MOVE, Seat.RED))]
    said += [repr(event) for event in referee.events(None)]
    said += [repr(event.fact) for event in referee.events(Seat.BLUE)]
    for word in said:
        for hidden in (*TEXTS.values(), SECRET.hex(), "FLAG", "MARSHAL", "SPY"):
            assert hidden not in word


def test_a_traceback_with_all_its_variables_says_nothing() -> None:
    """Some loggers print every local variable of every frame."""
    referee = table()
    try:
        referee.move(Seat.RED, move_of("a1-a2"), 0)
    except FlagfallError as error:
        trace = traceback.TracebackException.from_exception(error, capture_locals=True)
        inside = [frame for frame in trace.stack if frame.filename.endswith("referee.py")]
        assert inside
        text = "".join(trace.format())
        for hidden in (*TEXTS.values(), SECRET.hex(), repr(SECRET), "MARSHAL", "SPY"):
            assert hidden not in text
    else:
        pytest.fail("flags do not move")


@pytest.mark.parametrize("seat", Seat)
def test_twins_are_told_the_same(seat: Seat) -> None:
    """Two worlds that a seat cannot tell apart: all that it is told is equal, refusals too; commitments are salted."""
    other = seat.other
    worlds = [{seat: TEXTS[seat], other: text} for text in ("MSF2", "SMF2")]
    twins = [table(world) for world in worlds]

    def told(referee: Referee) -> list[object]:
        facts = [event for event in referee.events(seat) if not isinstance(event.fact, Started)]
        started = [event.fact.squares for event in referee.events(seat) if isinstance(event.fact, Started)]
        refused = []
        never = {Seat.RED: ("a1-a2", "b1-c2", "a4-a3", "e5-e6"), Seat.BLUE: ("b4-b3", "d4-c3", "c1-c2", "e5-e6")}
        for words in never[seat]:
            with pytest.raises(FlagfallError) as caught:
                referee.move(seat, move_of(words), 0)
            refused.append((caught.value.stable_code, str(caught.value), caught.value.params))
        return [facts, started, refused, referee.view(seat).tobytes(), referee.request(Kind.MOVE, seat), repr(referee)]

    assert told(twins[0]) == told(twins[1])
    ways = {Seat.RED: ["d1-d2", "a4-a3"], Seat.BLUE: ["a1-a2", "a4-a3"]}
    for words in ways[seat]:
        for twin in twins:
            assert twin.turn is not None
            twin.move(twin.turn, move_of(words), 3)
        assert told(twins[0]) == told(twins[1])


def test_a_planted_leak_is_seen() -> None:
    """The comparison above is worth something: what the other seat is told does differ."""
    twins = [table({Seat.RED: TEXTS[Seat.RED], Seat.BLUE: text}) for text in ("MSF2", "SMF2")]
    assert twins[0].events(Seat.BLUE) != twins[1].events(Seat.BLUE)
    assert twins[0].view(Seat.BLUE).tobytes() != twins[1].view(Seat.BLUE).tobytes()
