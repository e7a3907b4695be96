"""Kernels without their compiler: linked from the cache, made anew when damaged, strict about what they take."""

import os
import shutil
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path

import pytest

from flagfall.errors import IllegalMove
from flagfall.rules import calls, kernels
from flagfall.rules.board import Seat
from flagfall.rules.cache import cache_folder, digest_of
from flagfall.rules.catalog import MICRO
from flagfall.rules.deployment import Deployment
from flagfall.rules.truth import Truth
from flagfall.server import warming

compiled_only = pytest.mark.skipif(kernels.COMPILER_OFF, reason="the compiler is switched off")

REPLY = """
import sys
from flagfall.play import roster
from flagfall.play.player import Budget
from flagfall.rules.board import Seat
from flagfall.rules.catalog import CLASSIC
from flagfall.rules.view import View
house = roster.seat("level-1", bytes(32))
army = house.deploy(CLASSIC, Seat.RED)
view = View.start(CLASSIC, army, tuple(army.for_seat(Seat.BLUE).squares))
house.move(view, Budget())
print(sorted(name for name in ("numba", "scipy") if name in sys.modules))
"""


def micro() -> Truth:
    red = Deployment.parse("F2SM", MICRO, Seat.RED)
    return Truth(MICRO, red, red.for_seat(Seat.BLUE))


def run(program: str, **env: str) -> str:
    made = subprocess.run([sys.executable, "-c", program], env=os.environ | env, capture_output=True, check=True)
    return made.stdout.decode().strip()


@compiled_only
def test_a_reply_loads_no_compiler_once_the_kernels_are_there() -> None:
    run(REPLY)
    assert run(REPLY) == "[]"


@compiled_only
def test_a_damaged_object_file_is_made_anew(tmp_path: Path) -> None:
    kernel = calls.listed
    program = "from flagfall.rules import calls; calls.listed.direct; import sys; print('numba' in sys.modules)"
    env = {"FLAGFALL_CACHE": str(tmp_path)}
    assert run(program, **env) == "True"
    assert run(program, **env) == "False"
    (kept,) = tmp_path.rglob(f"{kernel.symbol}-*.o")
    assert kept.stat().st_mode & 0o777 == 0o600
    for damage in (kept.read_bytes()[:-1], b"", kept.read_bytes()[:40] + b"\0" * 100):
        kept.write_bytes(damage)
        assert run(program, **env) == "True"
        assert run(program, **env) == "False"


SHARED = """
from flagfall.rules import cache, calls, kernels
print(cache.cache_folder(), flush=True)
kernels.make_all([calls.listed, calls.may_rescue])
print("numba" in __import__("sys").modules)
"""


@compiled_only
def test_what_another_process_makes_is_left_to_it_until_nothing_else_is_to_be_done(tmp_path: Path) -> None:
    fcntl = pytest.importorskip("fcntl")
    env = os.environ | {"FLAGFALL_CACHE": str(tmp_path)}
    where = "from flagfall.rules import cache; print(cache.cache_folder())"
    folder = Path(run(where, FLAGFALL_CACHE=str(tmp_path)))
    with (folder / f"{calls.listed.symbol}.lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with subprocess.Popen([sys.executable, "-c", SHARED], env=env, stdout=subprocess.PIPE, text=True) as other:
            while not list(folder.glob(f"{calls.may_rescue.symbol}-*.o")):
                assert other.poll() is None
                time.sleep(0.05)
            assert not list(folder.glob(f"{calls.listed.symbol}-*.o"))
            fcntl.flock(held, fcntl.LOCK_UN)
            assert other.communicate()[0].split() == [str(folder), "True"]
    assert list(folder.glob(f"{calls.listed.symbol}-*.o"))
    assert run(SHARED, FLAGFALL_CACHE=str(tmp_path)).split() == [str(folder), "False"]


@compiled_only
def test_what_is_no_whole_number_is_refused_and_changes_nothing() -> None:
    import_module("flagfall.rules.compiled")  # beside the compiler too, which shares the linker's table of names
    game = micro()
    before = game.tobytes()
    for odd in ("b1-b2", 1.5, None, object()):
        with pytest.raises(TypeError):
            game.push(odd)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="takes 2 whole numbers"):
        calls.listed(1)
    with pytest.raises(TypeError):
        calls.listed.direct(1)
    assert game.tobytes() == before
    assert game.legal()


def test_numbers_beyond_every_move_are_illegal_moves() -> None:
    game = micro()
    for far in (-1, 0, 2**32 + game.legal()[0], 2**64 - 1, 2**80):
        with pytest.raises(IllegalMove):
            game.push(far)  # type: ignore[arg-type]


@compiled_only
def test_every_kernel_of_the_law_is_ready_after_warming() -> None:
    warming.load()
    folder = cache_folder()
    for kernel in calls.KERNELS:
        assert list(folder.glob(f"{kernel.symbol}-*.o")), kernel.symbol
    assert warming.warmed()
    assert len(warming.SHARES) == len(list(warming.steps()))


def test_what_constants_are_taken_from_is_part_of_the_key(tmp_path: Path) -> None:
    """An edit of the slate's numbers alone makes new kernels; one of a source that is not compiled in does not."""
    package = Path(calls.__file__).parents[1]
    for room in ("rules", "mind"):
        shutil.copytree(package / room, tmp_path / room, ignore=shutil.ignore_patterns("__pycache__"))
    before = digest_of(tmp_path)
    for name, counts in (("mind/bots.py", False), ("mind/slate.py", True), ("rules/layout.py", True)):
        with (tmp_path / name).open("a") as source:
            source.write("\nONE_MORE = 1\n")
        assert (digest_of(tmp_path) != before) is counts, name
        before = digest_of(tmp_path)
