"""A rescue (R13.2) as everybody sees it: orders and their text, events, Views, Worlds, counts, refusals."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from flagfall.check import perft
from flagfall.check.cases import men_of
from flagfall.check.twins import Script, leaks, random_script, twins
from flagfall.errors import BadMessage, IllegalMove, Unreadable
from flagfall.rules import calls, playout
from flagfall.rules.board import Seat, parse_square, plain, put_square, rescued
from flagfall.rules.catalog import CLASSIC, variant
from flagfall.rules.events import Outcome, Refusal
from flagfall.rules.notation import move_text, parse_move, ply_text
from flagfall.rules.pieces import Rank
from flagfall.rules.truth import Truth
from flagfall.rules.variant import Reveal, Variant
from flagfall.rules.world import World
from tests.oracle import cases
from tests.oracle.referee import Oracle
from tests.rules.adapter import truth_of
from tests.rules.test_view import all_of, opened
from tests.strategies import ODD, Plan, plans

SEEDS = st.integers(0, 2**32 - 1)
REVEALS: list[Reveal] = ["both", "silent", "none"]
AUDIENCES = [Seat.RED, Seat.BLUE, None]
MEN = ("10@e9 6@b4 2@i9 F@a1", "9@b5 5@j7 F@j10")


def lost_captain(**switches: object) -> Truth:
    """Red's captain from b4 has fallen, his marshal stands before the back row, and it is his turn."""
    game = Truth.of_men(CLASSIC.with_law(**({"rescues": 2} | switches)), men_of(MEN[0]), men_of(MEN[1]))
    for text in ("b4xb5", "j7-j6"):
        game.play(text)
    return game


def raid(seed: int, plies: int = 300, **switches: object) -> Script:
    """A random game on a small board in which men come back."""
    small = Variant.from_json(
        {
            "format": "flagfall-variant-1",
            "name": "raid",
            "board": ["bbbbb", "bb.bb", "..~..", "rr.rr", "rrrrr"],
            "army": {"scout": 2, "miner": 1, "captain": 2, "major": 1, "marshal": 1, "bomb": 1, "flag": 1},
            "reach": {"scout": 9, "miner": 1, "captain": 1, "major": 1, "marshal": 1},
            "law": {"rescues": 3, "captains_move_two": True},
        }
    )
    return random_script(small.with_law(**switches), Random(seed), plies)


def test_the_order_and_its_text() -> None:
    """R14.8 with a rescue: a third and a fourth square, and the plain move beneath it."""
    order = parse_move("e9-e10/b4@a5")
    assert (rescued(order), put_square(order)) == (parse_square("b4"), parse_square("a5"))
    assert plain(order) == parse_move("e9e10")
    assert (rescued(plain(order)), put_square(plain(order))) == (None, None)
    assert move_text(order) == "e9-e10/b4@a5"
    assert parse_move(move_text(parse_move("j10xj9/j10@j10"))) == parse_move("j10j9/j10@j10")
    for text in ("e9-e10/b4", "e9-e10/b4@", "e9-e10/@b4", "e9-e10 b4@a5", "e9-e10/b4@k5", "e9-e10/b4@a5/b4@a5"):
        with pytest.raises(Unreadable):
            parse_move(text)


def test_a_rescue_is_told_to_everybody() -> None:
    """The event names who came back and where he stands; his rank is public because it was."""
    game = lost_captain()
    views = [game.look(seat) for seat in AUDIENCES]
    played = game.play("e9-e10/b4@b1")
    assert (played.rescued, played.put) == (parse_square("b4"), parse_square("b1"))
    assert ply_text(played) == "e9-e10/b4@b1"
    for view in views:
        view.fold(played)
        assert view.played(3) == played
        man = view.man_at(parse_square("b1"))
        assert man is not None
        assert (man.id, man.rank, man.known, man.moved, man.fell) == (
            parse_square("b4"),
            Rank.CAPTAIN,
            True,
            True,
            None,
        )


def test_a_hidden_man_comes_back_hidden() -> None:
    """Where no battle told his rank (R7), the other side sees a man come back, and not which."""
    game = lost_captain(reveal="none")
    game.play("e9-e10/b4@b1")
    at = parse_square("b1")
    ranks = [man.rank for seat in AUDIENCES if (man := game.look(seat).man_at(at))]
    assert ranks == [Rank.CAPTAIN, Rank.UNKNOWN, Rank.UNKNOWN]


def test_a_rescue_ordered_with_a_lost_attack_leaves_no_trace() -> None:
    """Nobody comes back, no rescue is spent, and nobody is told that one was ordered."""
    men = ("9@e9 6@b4 F@a1", "9@b5 10@e10 5@j7 F@j10")
    games = []
    for text in ("e9xe10/b4@b1", "e9xe10"):
        game = Truth.of_men(CLASSIC.with_law(rescues=2), men_of(men[0]), men_of(men[1]))
        for move in ("b4xb5", "j7-j6", text):
            game.play(move)
        games.append(game)
    assert games[0].tobytes() == games[1].tobytes()
    assert games[0].played(3).rescued is None


def test_what_may_go_with_a_move() -> None:
    """One captured man and every empty square of the own half, the square that the mover leaves among them."""
    game = lost_captain()
    move = parse_move("e9-e10")
    offered = game.rescues(move)
    dry_and_empty = 50 - 4 - 2  # the own half without its lakes, the flag and the general on b5
    assert len(offered) == dry_and_empty
    assert {rescued(order) for order in offered} == {parse_square("b4")}
    assert all(plain(order) == move for order in offered)
    assert game.look(Seat.RED).rescues(move) == offered
    assert game.look(Seat.BLUE).rescues(move) == []
    assert game.rescues(parse_move("e9-f9")) == []
    assert game.rescues(parse_move("i9-i10")) == []
    assert game.rescues(offered[0]) == []
    assert lost_captain(rescues=0).rescues(move) == []


def test_orders_that_are_none_change_nothing() -> None:
    """Every number is answered: with a refusal, and with nothing changed."""
    game = lost_captain()
    before, draw = game.tobytes(), Random(1)
    move = parse_move("e9-e10")
    good = set(game.rescues(move))
    orders = [move | cell << 16 | man << 24 for cell in range(256) for man in (0, 14, 50, 70, 255)]
    orders += [move | draw.getrandbits(40) << 16 for _ in range(500)]
    for order in orders:
        if order in good or order == move:
            continue
        with pytest.raises(IllegalMove) as caught:
            game.push(type(move)(order))
        assert caught.value.reason == Refusal.RESCUE.word == "rescue"
        assert game.tobytes() == before
    for order in good:
        assert game.why(order) is None


@pytest.mark.parametrize("reveal", REVEALS)
@examples(max_examples=8)
@given(seed=SEEDS)
def test_two_roads_lead_to_the_same_bytes(reveal: Reveal, seed: int) -> None:
    """Masking and folding agree in games with rescues, and the seat to move finds its moves and rescues in its View."""
    script = raid(seed, reveal=reveal)
    truth = script.truth(0)
    views = {seat: opened(script, seat) for seat in AUDIENCES}
    for move in script.moves:
        mover = views[truth.turn]
        assert mover.legal() == truth.legal()
        for free in truth.legal():
            assert mover.rescues(free) == truth.rescues(free)
        event = truth.play(move)
        for seat, view in views.items():
            view.fold(event)
            assert view.tobytes() == truth.look(seat).tobytes()
            assert view.events == truth.events
    assert truth.faults() == []


def test_such_games_meet_rescues_of_every_kind() -> None:
    """The games above are worth playing: men come back, with a quiet move and with a capture."""
    events = [event for seed in range(150) for event in raid(seed, reveal="none").truth().events]
    back = [event for event in events if event.rescued is not None]
    assert len(back) > 30
    assert {event.outcome for event in back} == {Outcome.QUIET, Outcome.ATTACKER}


@pytest.mark.parametrize("reveal", REVEALS)
@pytest.mark.parametrize("name", ["raid", "ultimate-lightning"])
@examples(max_examples=4)
@given(seed=SEEDS)
def test_paired_worlds(name: str, reveal: Reveal, seed: int) -> None:
    """What is hidden leaves every byte and every answer of a View as it was, rescues or not."""
    draw = Random(seed)
    game = variant("ultimate-lightning", reveal=reveal)
    script = raid(seed, draw.randrange(150), reveal=reveal) if name == "raid" else random_script(game, draw, 250)
    for seat in Seat:
        others = twins(script, seat, 20, draw)
        assert leaks(script, lambda one, seat=seat: _said(one, seat), others) == []  # type: ignore[misc]


def _said(script: Script, seat: Seat) -> bytes:
    view = script.truth().look(seat)
    return all_of(script, seat) + repr([view.rescues(move) for move in view.legal()]).encode()


def test_events_that_cannot_be_change_nothing() -> None:
    """A View believes no rescue that does not follow from what it knows."""
    game = lost_captain()
    script_view = game.look(Seat.BLUE)
    event = game.play("e9-e10/b4@b1")
    for wrong in (
        {"put": parse_square("b6")},
        {"put": parse_square("a1")},
        {"put": parse_square("c5")},
        {"rescued": parse_square("i9")},
        {"rescued": parse_square("d4")},
        {"outcome": Outcome.DEFENDER},
    ):
        fields = {name: getattr(event, name) for name in event.__dataclass_fields__} | wrong
        before = script_view.tobytes()
        with pytest.raises(BadMessage):
            script_view.fold(type(event)(**fields))
        assert script_view.tobytes() == before
    script_view.fold(event)
    assert script_view.tobytes() == game.look(Seat.BLUE).tobytes()


@examples(max_examples=40)
@given(plans(ODD, plies=60, raids=True))
def test_a_tree_with_rescues_leaves_no_trace(plan: Plan) -> None:
    """Making and taking back restores the record to the byte, also after rescues that were made before."""
    truth, draw = truth_of(plan), Random(plan.seed)
    for _ in range(plan.plies):
        if not (legal := truth.legal()):
            return
        move = draw.choice(legal)
        truth.push(draw.choice(truth.rescues(move) or [move]))
    if truth.result:
        return
    game, log, tables = truth.records
    before = game.tobytes()
    roomy = calls.new_log(truth.ply + 8)
    roomy[:, : log.shape[1]] = log[:, : roomy.shape[1]]
    assert int(playout.count_tree(game, 0, tables, roomy, calls.new_moves(8), 2)) >= 0
    assert game.tobytes() == before


def test_trees_count_rescues() -> None:
    """Law and slow referee count the same orders, ply by ply, and the plain ones are fewer."""
    men = ("10@e9 6@b4 F@a1", "9@b5 5@j7 F@j10")
    pre = ("b4xb5", "j7-j6")
    settings = cases.settings_of({"rescues": 2})
    oracle = Oracle(settings, cases.army_of(men[0]), cases.army_of(men[1]))
    for text in pre:
        oracle.push(*cases.read_move(oracle, text))
    plain_moves = len(oracle.legal())
    rescues = sum(len(oracle.rescues(*move)) for move in oracle.legal())
    truth = Truth.of_men(CLASSIC.with_law(rescues=2), men_of(men[0]), men_of(men[1]))
    for text in pre:
        truth.play(text)
    assert perft.counts(truth, 1) == [plain_moves + rescues]
    second = 0
    for move in oracle.legal():
        for rescue in (None, *oracle.rescues(*move)):
            after = Oracle(settings, cases.army_of(men[0]), cases.army_of(men[1]))
            for text in pre:
                after.push(*cases.read_move(after, text))
            after.push(*move, rescue)
            second += sum(1 + len(after.rescues(*reply)) for reply in after.legal())
    assert perft.counts(truth, 2) == [plain_moves + rescues, second]


@pytest.mark.parametrize(("reveal", "known"), [("both", True), ("none", False)])
def test_a_world_brings_back_whom_it_knows(reveal: Reveal, known: bool) -> None:
    """A fallen man whose rank nobody has guessed stays away from a World: no battle of his could be judged."""
    men = men_of("6@a4 F@a1"), men_of("5@a5 10@e2 F@j10")
    game = Truth.of_men(CLASSIC.with_law(rescues=2, reveal=reveal), *men, first=Seat.BLUE)
    for text in ("a5xa4", "a4-a5"):
        game.play(text)
    standing = {pid: man.rank for pid, man in zip(_ids(game), game.men(), strict=True) if man.square is not None}
    world = World.imagine(game.look(Seat.RED), standing)
    move = parse_move("e2-e1")
    assert (world.rescues(move) != []) is known
    assert game.rescues(move) != []
    order = parse_move("e2-e1/a5@j9")
    if known:
        world.push(order)
        assert world.faults() == []
        world.push(parse_move("a5-a6"))
        assert parse_move("j9-j8") in world.legal()
    else:
        with pytest.raises(IllegalMove):
            world.push(order)


def _ids(truth: Truth) -> list[int]:
    """Man ids in the order of `men()`."""
    game = truth.records[0][0]
    return [pid for pid in range(80) if game["sq"][pid] or game["fallen"][pid]]


def test_a_view_keeps_its_own_orders_to_itself() -> None:
    """Start squares are public; what a rescue overwrote in a seat's own list of movers is not."""
    game = lost_captain()
    game.play("e9-e10/b4@b1")
    for seat in (Seat.BLUE, None):
        record = game.look(seat).records[0][0]
        assert not record["kept_place"].any()
        assert not record["kept_tail"].any()
