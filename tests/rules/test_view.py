"""A View says what its seat may know: by masking and by folding, in every paired world, and nothing more."""

import copy
import pickle
from random import Random

import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from flagfall.check.twins import Script, every_twin, leaks, random_script, shuffled, twins
from flagfall.errors import BadArmy, BadMessage, FlagfallError, NotAllowed
from flagfall.rules.board import Seat, parse_square
from flagfall.rules.catalog import CLASSIC, MICRO, variant
from flagfall.rules.deployment import Deployment
from flagfall.rules.events import Refusal, Result
from flagfall.rules.layout import GAME, PLY
from flagfall.rules.notation import parse_move
from flagfall.rules.pieces import Rank
from flagfall.rules.truth import Truth
from flagfall.rules.variant import Reveal, Variant
from flagfall.rules.view import View
from flagfall.rules.world import World

SEEDS = st.integers(0, 2**32 - 1)
REVEALS: list[Reveal] = ["both", "silent", "none"]
AUDIENCES = [Seat.RED, Seat.BLUE, None]


def opened(script: Script, seat: Seat | None) -> View:
    """The View before the first ply, from what its audience is given."""
    if seat is None:
        return View.watch(script.variant, script.red.squares, script.blue.squares, script.first)
    return View.start(script.variant, script.army(seat), script.army(seat.other).squares, script.first)


@pytest.mark.parametrize("reveal", REVEALS)
@examples(max_examples=6)
@given(seed=SEEDS)
def test_two_roads_lead_to_the_same_bytes(reveal: Reveal, seed: int) -> None:
    """Masking the Truth and folding the events agree, ply by ply, for every audience (DESIGN: secrecy wall 3)."""
    script = random_script(variant("classic", reveal=reveal), Random(seed), 200)
    truth = script.truth(0)
    views = {seat: opened(script, seat) for seat in AUDIENCES}
    for move in script.moves:
        event = truth.play(move)
        for seat, view in views.items():
            view.fold(event)
            assert view.tobytes() == truth.look(seat).tobytes()
    for view in views.values():
        assert view.faults() == []
        assert view.events == truth.events


@examples(max_examples=8)
@given(seed=SEEDS)
def test_legality_is_public_to_its_own_seat(seed: int) -> None:
    """The seat to move finds in its View the moves of the Truth, in one order; nobody gets the other side's (R7)."""
    script = random_script(CLASSIC, Random(seed), 200)
    truth = script.truth(0)
    for move in script.moves:
        mover = truth.look(truth.turn)
        assert mover.legal() == truth.legal()
        assert mover.barred() == truth.barred()
        for seat in (truth.turn.other, None):
            waiting = truth.look(seat)
            assert waiting.legal() == []
            assert waiting.barred() == []
            assert waiting.why(move) is Refusal.OUT_OF_TURN
        truth.push(move)


@pytest.mark.parametrize("reveal", REVEALS)
@examples(max_examples=4)
@given(seed=SEEDS)
def test_paired_worlds_of_classic(reveal: Reveal, seed: int) -> None:
    """Fifty permutations of what is hidden leave every byte and every answer of a View as it was."""
    draw = Random(seed)
    script = random_script(variant("classic", reveal=reveal), draw, draw.randrange(300))
    for seat in Seat:
        others = twins(script, seat, 50, draw)
        assert leaks(script, lambda game, seat=seat: all_of(game, seat), others) == []  # type: ignore[misc]


@pytest.mark.parametrize("reveal", REVEALS)
def test_paired_worlds_of_micro_exhaustively(reveal: Reveal) -> None:
    """On the micro game every arrangement that fits the events is tried, after every ply of many games."""
    draw, tried = Random(1), 0
    for _ in range(15):
        whole = random_script(MICRO.with_law(reveal=reveal), draw, 6)
        for plies in range(len(whole.moves) + 1):
            script = whole.until(plies)
            for seat in Seat:
                others = list(every_twin(script, seat))
                tried += len(others)
                assert leaks(script, lambda game, seat=seat: all_of(game, seat), others) == []  # type: ignore[misc]
    assert tried > 200


def all_of(script: Script, seat: Seat) -> bytes:
    """Everything a View says, in words and in bytes."""
    view = script.truth().look(seat)
    errors = []
    for text in ("a1-a2", "a10-a9", "c5-c6", "e5-e6", "j7-j6"):
        try:
            errors.append(str(view.refused(parse_move(text))))
        except FlagfallError as fault:
            errors.append(fault.stable_code)
    said = [repr(view), str(view), view.men(), view.legal(), view.barred(), view.events, view.result, errors]
    return view.tobytes() + repr(said).encode()


def test_a_planted_leak_is_found() -> None:
    """The harness fails where an outlet tells the Truth."""
    script = random_script(CLASSIC, Random(7), 60)
    others = twins(script, Seat.RED, 50, Random(8))
    assert len(others) == 50
    assert len(leaks(script, lambda game: game.truth().tobytes(), others)) == 50
    assert leaks(script, lambda game: bytes(game.truth().records[0]["ml"]), others)


def test_no_side_door() -> None:
    """No repr, no pickle and no copy of a position carries what it should not."""
    script = random_script(CLASSIC, Random(3), 40)
    truth = script.truth()
    assert repr(truth) == "<Truth classic, ply 40, going>"
    for position in (truth, truth.look(Seat.RED)):
        with pytest.raises(TypeError):
            pickle.dumps(position)
    view = truth.look(Seat.RED)
    assert copy.copy(view).tobytes() == view.tobytes()
    assert not hasattr(view, "__dict__")


def test_comparison_by_type_gives_no_view() -> None:
    """Under `type` the list of legal moves would tell ranks, so no View is made (R9.6)."""
    law = variant("classic", more_squares="type")
    script = random_script(law, Random(1), 3)
    with pytest.raises(NotAllowed, match="rank"):
        script.truth().look(Seat.RED)
    with pytest.raises(NotAllowed):
        opened(script, Seat.RED)


def test_events_out_of_order_change_nothing() -> None:
    script = random_script(CLASSIC, Random(5), 30)
    truth = script.truth(0)
    events = [truth.play(move) for move in script.moves]
    view = opened(script, Seat.BLUE)
    view.fold(events[0])
    before = view.tobytes()
    for event in (events[0], events[2], events[29]):
        with pytest.raises(BadMessage):
            view.fold(event)
        assert view.tobytes() == before


def test_a_copy_goes_its_own_way() -> None:
    script = random_script(CLASSIC, Random(9), 20)
    view = opened(script, Seat.RED)
    twin = view.copy()
    truth = script.truth(0)
    twin.fold(truth.play(script.moves[0]))
    assert (view.ply, twin.ply) == (0, 1)
    assert view.legal() == opened(script, Seat.RED).legal()


def test_a_world_plays_like_the_truth_it_guesses() -> None:
    """A View whose gaps are filled with the right ranks follows the Truth to its end."""
    draw = Random(11)
    script = random_script(CLASSIC, draw, 400)
    truth = script.truth(100)
    view = truth.look(Seat.BLUE)
    ranks = {pid: man.rank for pid, man in zip(_ids(truth), truth.men(), strict=True)}
    world = World.imagine(view, ranks)
    for move in script.moves[100:]:
        assert sorted(world.legal()) == sorted(truth.legal())
        world.push(move)
        truth.push(move)
        assert world.result is truth.result
    assert world.faults() == []
    some = next(pid for pid, rank in ranks.items() if rank is Rank.MARSHAL)
    with pytest.raises(BadArmy):
        World.imagine(view, {pid: rank for pid, rank in ranks.items() if pid >= 40})
    with pytest.raises(BadArmy):
        World.imagine(view, ranks | {some + 40 if some < 40 else some: Rank.SPY})


def _ids(truth: Truth) -> list[int]:
    """Man ids in the order of `men()`."""
    game = truth.records[0][0]
    return [pid for pid in range(80) if game["sq"][pid] or game["fallen"][pid]]


def test_a_game_that_ends_before_it_begins() -> None:
    """A View cannot see that the enemy is walled in; it is told (R3.5, R11.1)."""
    walled = _walled_in(CLASSIC, Seat.BLUE)
    free = shuffled(CLASSIC, Seat.RED, Random(1))
    truth = Truth(CLASSIC, free, walled)
    assert truth.result is Result.RED
    view = View.start(CLASSIC, free, walled.squares)
    assert view.result is Result.GOING
    view.ends_at_start(truth.result, truth.reason)
    assert view.legal() == []
    assert view.tobytes() == truth.look(Seat.RED).tobytes()


def _walled_in(game: Variant, seat: Seat) -> Deployment:
    """An army with bombs on all six squares that lead out (R3.5)."""
    army = shuffled(game, seat, Random(2))
    ranks = dict(army.ranks)
    gates = [parse_square(name) for name in ("a7", "b7", "e7", "f7", "i7", "j7")]
    bombs = [at for at, rank in ranks.items() if rank is Rank.BOMB and at not in gates]
    for gate in gates:
        if ranks[gate] is not Rank.BOMB:
            other = bombs.pop()
            ranks[gate], ranks[other] = ranks[other], ranks[gate]
    made = type(army)(game, seat, ranks)
    assert made.walled_in()
    return made


def test_every_byte_of_a_game_belongs_to_a_field() -> None:
    """Bytes between fields would come out of a copy as they happened to lie in memory."""
    for kind in (GAME, PLY):
        assert kind.itemsize == sum(kind[name].itemsize for name in kind.names or ())
