"""Compiled functions as Python calls them: machine code taken from the cache without loading the compiler.

A kernel takes whole numbers, addresses of records among them, and gives one back. Loading the compiler takes longer
than a whole first reply, so a process that finds a kernel's object file only links it (LLVM's own linker); one that
does not lets `compiled` make the file, once.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import llvmlite.binding

from flagfall.rules.cache import cache_folder

COMPILER_OFF = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
"""Whether the same code runs uncompiled, a thousand times slower, for debugging and coverage."""

FASTCALL = 0x80
"""METH_FASTCALL of Python's C interface: the arguments come as an array."""

STAMP_BYTES = 32

llvm: Any = llvmlite.binding


class _Method(ctypes.Structure):
    """PyMethodDef: how a function of machine code is described to Python."""

    _fields_ = [
        ("name", ctypes.c_char_p),
        ("address", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("text", ctypes.c_char_p),
    ]


_methods: list[_Method] = []
_lock = threading.RLock()


@cache
def processor() -> tuple[str, str]:
    """Name and features of this processor, for which code is made."""
    return llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()


@cache
def machine() -> Any:
    """LLVM's description of this machine, for code that is linked while the program runs."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    name, features = processor()
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=name, features=features, opt=3, reloc="static", codemodel="jitdefault", jit=True
    )


@cache
def _linker() -> Any:
    """The one linker of this process. It stays, and so does what it linked."""
    empty = llvm.parse_assembly(f'target triple = "{llvm.get_process_triple()}"')
    return llvm.create_mcjit_compiler(empty, machine())


@dataclass(frozen=True, slots=True)
class Kernel:
    """A compiled function by the name of its module, so that the module, and the compiler, load only where they must.

    arguments: how many whole numbers it takes; they arrive modulo 2^64. lets_go: whether it lets other threads run
    meanwhile, for long ones. gives_object: whether it gives a Python object that it made, else an int64.
    Called with something else than so many whole numbers it raises TypeError.
    """

    module: str
    name: str
    arguments: int
    lets_go: bool = False
    gives_object: bool = False

    def __call__(self, *numbers: int) -> Any:
        """Call it; the first call links it."""
        if len(numbers) != self.arguments:
            raise TypeError(f"{self.name} takes {self.arguments} whole numbers")
        return _ready(self)(*numbers)

    @property
    def direct(self) -> Callable[..., Any]:
        """The function itself, to be bound by whoever calls it every ply."""
        return _ready(self)

    @property
    def symbol(self) -> str:
        """Its name among linked code."""
        return f"{self.module}.{self.name}"


@cache
def _ready(kernel: Kernel) -> Callable[..., Any]:
    if COMPILER_OFF:
        plain: Callable[..., Any] = getattr(import_module(kernel.module), kernel.name)
        return plain
    with _lock:
        code = _kept(_place(kernel))
        if not code:
            with _alone(kernel):
                code = _object_code(kernel)
        return _linked(kernel, code)


def _linked(kernel: Kernel, code: bytes) -> Callable[..., Any]:
    """The kernel as a Python function, after its machine code was linked."""
    linker = _linker()
    linker.add_object_file(llvm.ObjectFileRef.from_data(code))
    linker.finalize_object()
    method = _Method(kernel.name.encode(), linker.get_function_address(kernel.symbol), FASTCALL, None)
    _methods.append(method)
    bind = ctypes.pythonapi.PyCFunction_NewEx
    bind.restype = ctypes.py_object
    bind.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]
    made: Callable[..., Any] = bind(ctypes.addressof(method), None, None)
    return made


def make_all(kernels: Iterable[Kernel]) -> None:
    """See to it that all are in the cache, sharing the work with every process that is at it too.

    What another process is making is left to it until nothing else is to be done.
    """
    if COMPILER_OFF:
        return
    left = list(kernels)
    for kernel in tuple(left):
        with _alone(kernel, wait=False) as mine:
            if mine:
                _object_code(kernel)
                left.remove(kernel)
    for kernel in left:
        with _alone(kernel):
            _object_code(kernel)


@contextmanager
def _alone(kernel: Kernel, *, wait: bool = True) -> Iterator[bool]:
    """Hold the right to make a kernel, if need be after waiting, and say whether it was had.

    Where files cannot be locked everybody has it, and work may be done twice.
    """
    with ExitStack() as held:
        try:
            import fcntl

            file = held.enter_context((cache_folder() / f"{kernel.symbol}.lock").open("w"))
            fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            mine = False
        except (ImportError, OSError):
            mine = True
        else:
            mine = True
        yield mine


def _place(kernel: Kernel) -> Path:
    traits = f"{processor()} {kernel.arguments} {kernel.lets_go} {kernel.gives_object}"
    return cache_folder() / f"{kernel.symbol}-{hashlib.sha256(traits.encode()).hexdigest()[:16]}.o"


def _kept(path: Path) -> bytes:
    """The object file in the cache, or nothing where there is none or it is damaged."""
    kept = b""
    with suppress(OSError):
        kept = path.read_bytes()
    stamp, code = kept[:STAMP_BYTES], kept[STAMP_BYTES:]
    return code if hashlib.sha256(code).digest() == stamp else b""


def _object_code(kernel: Kernel) -> bytes:
    """The kernel's object file out of the cache, or made anew; whoever calls holds the right to make it."""
    path = _place(kernel)
    if code := _kept(path):
        return code
    made: bytes = import_module("flagfall.rules.objects").object_code(kernel)
    _keep(path, hashlib.sha256(made).digest() + made)
    return made


def _keep(path: Path, content: bytes) -> None:
    """Write a file that is there whole or not at all, mode 0600; a full disk costs the next start, not this game."""
    try:
        descriptor, name = tempfile.mkstemp(dir=path.parent)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        Path(name).replace(path)
    except OSError:
        return
