"""The one door to the compiler: decorators that compile a function on its first call and keep the result on disk."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any, TypeVar

import numba
import numpy as np
from numba import config as numba_config
from numba.core import cgutils, types
from numba.extending import intrinsic

from flagfall.rules.cache import cache_folder
from flagfall.rules.kernels import COMPILER_OFF

Function = TypeVar("Function", bound=Callable[..., Any])

config: Any = numba_config
config.CACHE_DIR = str(cache_folder())


def _decorated(function: Function, **options: Any) -> Function:
    """The compiler's own decorator, typed as leaving the function as it is."""
    njit: Any = numba.njit
    made: Function = njit(cache=True, nogil=True, error_model="numpy", no_cfunc_wrapper=True, **options)(function)
    return made


def compiled(function: Function) -> Function:
    """Compile a function on its first call, without the interpreter's lock, and keep the result on disk."""
    return _decorated(function)


def inlined(function: Function) -> Function:
    """The same for a small step that its callers should swallow whole; only compiled code can call it."""
    return _decorated(function, forceinline=True, no_cpython_wrapper=True)


pointer_add: Any = cgutils.pointer_add
unlikely: Any = cgutils.if_unlikely
tuple_of: Any = types.StarArgTuple
unpacked: Any = cgutils.unpack_tuple


@intrinsic
def _compiled_entry(typing_context: Any, record: Any, k: Any) -> Any:
    """The record k places after `record` in their array: a bare address, so nothing is counted or checked."""
    if not (isinstance(record, types.Record) and isinstance(k, types.Integer)):
        return None

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        start, places = arguments
        size = context.get_constant(types.uint64, record.size)
        wide = context.cast(builder, places, k, types.uint64)
        return pointer_add(builder, start, builder.mul(wide, size), start.type)

    return record(record, k), build


def _plain_entry(record: Any, k: int) -> Any:
    """The same with the compiler off, for a record of a record array."""
    address = record.__array_interface__["data"][0] + int(k) * record.dtype.itemsize
    memory = (ctypes.c_uint8 * record.dtype.itemsize).from_address(address)
    return np.frombuffer(memory, record.dtype).view(np.recarray)[0]


entry: Any = _plain_entry if COMPILER_OFF else _compiled_entry


def _words(context: Any) -> Any:
    pointer: Any = types.CPointer
    return context.get_value_type(pointer(types.uint64))


@intrinsic
def _compiled_word(typing_context: Any, address: Any, k: Any) -> Any:
    if not (isinstance(address, types.Integer) and isinstance(k, types.Integer)):
        return None

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        words = builder.inttoptr(arguments[0], _words(context))
        return builder.load(builder.gep(words, [arguments[1]]))

    return types.uint64(types.uint64, types.uint64), build


def _plain_word(address: int, k: int) -> int:
    return ctypes.c_uint64.from_address(int(address) + 8 * int(k)).value


word_at: Any = _plain_word if COMPILER_OFF else _compiled_word
"""The uint64 k places after an address."""


def record_at(dtype: Any) -> Any:
    """A compiled function from the address of a record of this dtype to the record."""
    record = numba.from_dtype(dtype)

    @intrinsic
    def found(typing_context: Any, address: Any) -> Any:
        if not isinstance(address, types.Integer):
            return None

        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.inttoptr(arguments[0], context.get_value_type(record))

        return record(types.uint64), build

    def plain(address: int) -> Any:
        memory = (ctypes.c_uint8 * dtype.itemsize).from_address(int(address))
        return np.frombuffer(memory, dtype).view(np.recarray)[0]

    return plain if COMPILER_OFF else found


def itself(plain: Callable[..., Any]) -> Any:
    """The compiled function that calls this, giving a float64; `plain` names it where the compiler is off.

    A function that calls itself by name has its types inferred anew at each such call: seconds for a long one.
    """

    @intrinsic
    def called(typing_context: Any, *arguments: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            values = unpacked(builder, given[0])
            status, value = context.call_conv.call_function(builder, builder.function, types.float64, arguments, values)
            with unlikely(builder, status.is_error):
                context.call_conv.return_status_propagate(builder, status)
            return value

        return types.float64(tuple_of(arguments)), build

    return plain if COMPILER_OFF else called


def python_function(name: str, arguments: int) -> Any:
    """A function of Python's C interface for compiled code, from addresses and whole numbers to one.

    Only a kernel that keeps the interpreter's lock may call it.
    """
    return types.ExternalFunction(name, types.uint64(*(types.uint64,) * arguments))


def native_code(function: Callable[..., Any], arguments: int, *, gives_object: bool) -> tuple[str, str]:
    """(LLVM assembly of a function of so many uint64 with all that it calls, its name there).

    It follows the compiler's own convention: i32 status, from the place of the result, the place of an exception, and
    the arguments. The result is int64, or with `gives_object` the address of an object.
    """
    taken = (types.uint64,) * arguments
    result = types.uint64 if gives_object else types.int64
    njit: Any = numba.njit
    made = njit(result(*taken), error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True)(function)
    name: str = made.overloads[taken].fndesc.llvm_func_name
    return made.inspect_llvm(taken), name
