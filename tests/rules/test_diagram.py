"""A position from a seat as text: it goes on exactly as the game did; whatever else is read, or refused."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from flagfall.check.twins import Script, leaks, random_script, shuffled, twins
from flagfall.errors import BadArmy, BadMessage, NotAllowed, Unreadable
from flagfall.rules.board import Move, Seat, parse_square, square, target
from flagfall.rules.catalog import CLASSIC, MICRO
from flagfall.rules.diagram import Diagram
from flagfall.rules.diagram_text import diagram_text, parse_diagram
from flagfall.rules.events import Reason, Result
from flagfall.rules.notation import parse_move
from flagfall.rules.pieces import Numbering, Rank
from flagfall.rules.position import Man
from flagfall.rules.truth import Truth
from flagfall.rules.variant import Law, Variant, home_order
from flagfall.rules.view import View

SEEDS = st.integers(0, 2**32 - 1)
AUDIENCES = st.sampled_from([Seat.RED, Seat.BLUE, None])
HOME = [home_order({square(at, row) for at in range(5)}, seat, 5, 5) for row, seat in ((0, Seat.RED), (4, Seat.BLUE))]
POCKET = Variant(
    name="pocket", width=5, height=5, lakes=frozenset({parse_square("c3")}), home=(HOME[0], HOME[1]),
    army={Rank.FLAG: 1, Rank.BOMB: 1, Rank.SCOUT: 1, Rank.CAPTAIN: 1, Rank.MINER: 1}, reach=CLASSIC.reach,
)  # fmt: skip
"""Small enough that random games chase, shuttle and rescue."""

LAWS = st.builds(
    Law,
    two_square_limit=st.sampled_from((3, 2, 5, None)),
    two_square_counts_attacks=st.booleans(),
    two_square_scope=st.sampled_from(("border", "exact-squares")),
    more_squares=st.sampled_from(("identity", "off")),
    chase_memory=st.sampled_from(("chase", "since-capture", "game")),
    stuck_check=st.sampled_from(("immediate", "on_turn")),
    reveal=st.sampled_from(("both", "silent", "none")),
    rescues=st.sampled_from((0, 2)),
    captains_move_two=st.booleans(),
)


def restless(variant: Variant, draw: Random, plies: int) -> Script:
    """A game whose players often go back where they were, strike seldom, and rescue when they can."""
    red, blue = shuffled(variant, Seat.RED, draw), shuffled(variant, Seat.BLUE, draw)
    game = Truth(variant, red, blue)
    moves: list[Move] = []
    while len(moves) < plies and (legal := game.legal()):
        taken = {man.square for man in game.men()}
        quiet = [move for move in legal if target(move) not in taken]
        back = [move for move in quiet if len(moves) > 1 and move == (moves[-2] & 255) << 8 | moves[-2] >> 8 & 255]
        move = draw.choice(back if back and draw.random() < 0.5 else quiet if quiet and draw.random() < 0.8 else legal)
        saving = game.rescues(move)
        moves.append(draw.choice(saving) if saving else move)
        game.push(moves[-1])
    return Script(variant, red, blue, tuple(moves))


def lasting(men: list[Man]) -> list[Man]:
    """The men without the plies at which they fell: no diagram holds those of before."""
    return [man._replace(fell=None) for man in men]


def alike(one: View, two: View) -> None:
    """Two Views answer alike in everything that the rest of a game can depend on."""
    assert lasting(one.men()) == lasting(two.men())
    assert (one.turn, one.ply, one.quiet, one.result, one.reason) == (
        two.turn, two.ply, two.quiet, two.result, two.reason)  # fmt: skip
    assert set(one.legal()) == set(two.legal())
    assert set(one.barred()) == set(two.barred())
    for move in one.legal():
        assert set(one.rescues(move)) == set(two.rescues(move))
    assert two.faults() == []


@examples(max_examples=40)
@given(LAWS, SEEDS, st.integers(0, 80), AUDIENCES, st.sampled_from(list(Numbering)))
def test_a_game_goes_on_from_its_diagram(
    law: Law, seed: int, plies: int, seat: Seat | None, numbering: Numbering
) -> None:
    """At any ply, through text and back; then the rest of the game is folded into both, and they never part."""
    script = restless(replace(POCKET, law=law), Random(seed), 90)
    truth = script.truth(min(plies, len(script.moves)))
    view = truth.look(seat)
    diagram = Diagram.of(view)
    text = diagram_text(diagram, numbering)
    again = parse_diagram(text)
    assert again == diagram
    assert diagram_text(again, numbering) == text
    twin = again.view()
    alike(view, twin)
    assert Diagram.of(twin) == diagram
    for move in script.moves[truth.ply :]:
        event = truth.play(move)
        view.fold(event)
        twin.fold(event)
        if view.turn is seat:
            alike(view, twin)
    alike(view, twin)


CHASES = [
    ("10@e2 F@j1", "5@e4 F@j10", "e2e3 e4f4 e3f3 f4g4 f3g3 g4f4 g3f3 f4e4", "f3e3"),
    ("10@c3 9@c1 F@j1", "5@d2 F@j10", "c3d3 d2e2 d3e3 e2d2 c1c2 d2d1 c2c1 d1d2", "e3d3"),
    ("10@a3 F@j1", "5@a1 6@c1 F@j10", "a3a2 a1b1 a2b2 b1a1 b2c2 c1b1 c2b2 b1c1", "b2a2"),
    (
        "10@a4 F@j1", "5@b5 F@j10",
        "a4b4 b5b6 b4b5 b6b7 b5b6 b7c7 b6b7 c7d7 b7c7 d7e7 c7d7 e7e6 d7e7 e6e5 e7e6 e5e4 e6e5 e4d4 e5e4 d4c4 e4d4 c4b4"
        " d4c4 b4b5", "c4b4",
    ),
    ("10@f3 F@j1", "5@e4 F@j10", "f3e3 e4f4 e3f3 f4e4 f3e3 e4f4", "e3f3"),
    ("2@e2 F@j1", "5@a9 F@j10", "e2e5 a9a8 e5e3 a8a7 e3e5 a7a8", "e5e4"),
]  # fmt: skip


@pytest.mark.parametrize(("red", "blue", "plies", "barred"), CHASES)
def test_what_the_repetition_rules_remember(red: str, blue: str, plies: str, barred: str) -> None:
    """The examples of R9.4 and R8.3, written down and taken up again after every single ply."""
    hidden = " ".join(f"?@{man.split('@')[1]}" for man in blue.split())
    view = parse_diagram(f"flagfall-position-1\nvariant: classic\nred: {red}\nblue: {hidden}\n").view()
    for number, ply in enumerate(plies.split(), 1):
        assert parse_move(barred) not in [move for move, _ in view.barred()]
        text = diagram_text(Diagram.of(view)).partition("\n;")[0]
        view = parse_diagram(f"{text}\n{number}. {ply}\n").view()
    assert parse_move(barred) in [move for move, _ in view.barred()]
    assert parse_move(barred) in [move for move, _ in Diagram.of(view).view().barred()]


@examples(max_examples=8)
@given(SEEDS, st.integers(0, 500), AUDIENCES)
def test_classic_goes_through_text(seed: int, plies: int, seat: Seat | None) -> None:
    truth = random_script(CLASSIC, Random(seed), plies).truth()
    diagram = Diagram.of(truth.look(seat))
    assert parse_diagram(diagram_text(diagram)) == diagram
    alike(truth.look(seat), diagram.view())


@examples(max_examples=3)
@given(SEEDS)
def test_paired_worlds_of_a_diagram(seed: int) -> None:
    """The text of a seat's position tells nothing that the seat may not know."""
    draw = Random(seed)
    script = random_script(CLASSIC, draw, draw.randrange(250))
    for seat in Seat:
        others = twins(script, seat, 12, draw)

        def outlet(game: Script, seat: Seat = seat) -> bytes:
            return diagram_text(Diagram.of(game.truth().look(seat))).encode()

        def leak(game: Script, seat: Seat = seat) -> bytes:
            return diagram_text(Diagram.of(game.truth().look(seat.other))).encode()

        assert leaks(script, outlet, others) == []
        assert bool(leaks(script, leak, others)) is bool(others)


SMALL = """flagfall-position-1
variant: micro
red: F@a1 2@b1 1@c1 10@d1
blue: ?@a4 ?@b4 2@d3<c4 ?@d4
"""


def test_by_hand() -> None:
    """Partly known men, of whom the view knows what was written."""
    view = parse_diagram(SMALL).view()
    assert view.seat is Seat.RED
    assert len(view.legal()) == 5
    man = view.man_at(parse_square("d3"))
    assert man == Man(parse_square("c4"), Seat.BLUE, parse_square("d3"), Rank.SCOUT, True, True, None)
    more = parse_diagram(SMALL.replace("d3<c4", "d3") + "ply: 8\nquiet: 3\nred fallen: -\n\n9. b1{2}xb4{1}+ d3d2 ; so")
    assert (more.view().ply, more.view().quiet, more.view().turn) == (10, 1, Seat.RED)
    assert more.view().man_at(parse_square("b4")) is not None
    fell = parse_diagram(SMALL.replace(" 1@c1", "") + "red fallen: 1")
    assert [man.id for man in fell.men if man.square is None] == [parse_square("c1")]


def test_a_house_player_thinks_from_a_diagram() -> None:
    """Whatever takes a View takes this one."""
    from flagfall.play import roster
    from flagfall.play.player import Budget

    script = random_script(CLASSIC, Random(5), 120)
    truth = script.truth()
    view = parse_diagram(diagram_text(Diagram.of(truth.look(truth.turn)))).view()
    for name in ("random", "beginner", "level-5"):
        move = roster.factory(name)(bytes(32)).move(view, Budget(nodes=2000))
        assert move in truth.legal(), name


def test_what_makes_no_view() -> None:
    with pytest.raises(NotAllowed):
        replace(parse_diagram(SMALL), variant=MICRO.with_law(more_squares="type")).view()
    with pytest.raises(BadArmy):
        replace(parse_diagram(SMALL), quiet=3).view()
    diagram = parse_diagram(SMALL + "\nb1-b3")
    with pytest.raises(BadMessage):
        replace(diagram, plies=diagram.plies * 2).view()


def test_a_game_that_is_over() -> None:
    for text in (SMALL + "result: red by stuck\n", SMALL + "result: red by flag\n\nb1{2}xb4{F}#"):
        diagram = parse_diagram(text)
        assert diagram.result is Result.RED
        assert diagram.view().result is Result.RED
        assert diagram.view().legal() == []
        assert parse_diagram(diagram_text(diagram)) == diagram
    assert diagram.reason is Reason.FLAG


@pytest.mark.parametrize(
    ("text", "code", "line", "column"),
    [
        ("flagfall-game-1", "wrong_format", 1, 1),
        (SMALL.replace("F@a1", "F@"), "bad_man", 3, 6),
        (SMALL.replace("2@b1", "77@b1"), "bad_rank", 3, 11),
        (SMALL.replace("2@b1", "3@b1"), "too_many", 3, 6),
        (SMALL.replace("2@b1", "10@b1"), "too_many", 3, 6),
        (SMALL.replace("2@b1", "?@b1"), "no_rank", 3, 6),
        (SMALL.replace("F@a1", "F@a1*"), "immobile", 3, 6),
        (SMALL.replace("?@a4", "?@a4!"), "no_rank", 4, 7),
        (SMALL.replace("?@a4", "?@a5"), "outside_board", 4, 7),
        (SMALL.replace("?@a4", "?@d4"), "two_on_one", 4, 7),
        (SMALL.replace("?@a4", "?@d1"), "two_on_one", 4, 7),
        (SMALL.replace("2@d3<c4", "2@d3<j9"), "outside_board", 4, 7),
        (SMALL.replace("red: F@a1 2@b1 1@c1 10@d1", "red: -"), "no_men", 3, 6),
        (SMALL + "seat: green", "bad_choice", 5, 7),
        (SMALL + "turn: green", "bad_choice", 5, 7),
        (SMALL + "ply: -1", "bad_count", 5, 6),
        (SMALL + "ply: 9999999", "bad_count", 5, 6),
        (SMALL + "quiet: 1", "bad_count", 5, 1),
        (SMALL + "red rescues: a1", "too_many_rescues", 5, 14),
        (SMALL + "red rescues: a9", "no_rescuer", 5, 14),
        (SMALL + "red fallen: 2", "bad_man", 5, 13),
        (SMALL + "red fallen: 2<b2", "too_many", 3, 6),
        (SMALL + "red fallen: 2<b2 Q<c2", "bad_rank", 5, 18),
        (SMALL + "result: red", "bad_result", 5, 9),
        (SMALL + "\n1. e4-e5", "bad_ply", 6, 4),
        (SMALL + "\n2. b1-b3", "ply_number", 6, 1),
        (SMALL + "\na1-a2", "immobile", 6, 1),
        (SMALL + "\nb1xb4", "ply_end", 6, 1),
        (SMALL + "\nb1xb4+", "ply_told", 6, 1),
        (SMALL + "\nb1xb4{10}+", "bad_battle", 6, 1),
        (SMALL + "\nb1xd3+", "geometry", 6, 1),
        (SMALL + "\nb1{10}-b2", "claim", 6, 1),
        (SMALL + "\nb1-b3 b4-b2", "geometry", 6, 7),
        (SMALL + "\nb1-b3 d3{10}-d2", "claim", 6, 7),
    ],
)
def test_every_complaint_has_its_place(text: str, code: str, line: int, column: int) -> None:
    with pytest.raises(Unreadable) as caught:
        parse_diagram(text)
    told = caught.value
    assert (told.stable_code, told.params["line"], told.params["column"]) == (code, line, column), str(told)


def refused_or_read(text: str) -> None:
    """Nothing but an error with a place leaves the reader, and what is read can be written and read again."""
    placed = True
    try:
        diagram = parse_diagram(text)
    except Unreadable as error:
        placed = {"line", "column"} <= error.params.keys()
    else:
        assert parse_diagram(diagram_text(diagram)) == diagram
    assert placed


@examples(max_examples=100)
@given(st.data(), SEEDS)
def test_a_spoilt_text_is_read_or_refused(data: st.DataObject, seed: int) -> None:
    """A piece cut out, doubled, or put in from nowhere, anywhere in a good text."""
    truth = restless(POCKET, Random(seed % 5), 40).truth()
    text = diagram_text(Diagram.of(truth.look(Seat.RED)))
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 30)))
    put = data.draw(st.sampled_from(["", text[start:end] * 2, "\n", "*", "!", "<a1", "?@a1 "]) | st.text(max_size=9))
    refused_or_read(text[:start] + put + text[end:])


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    for whole in (text, "flagfall-position-1\n" + text, SMALL + text):
        refused_or_read(whole)
