"""From a kernel to an object file that holds it whole: its code from the compiler, and a way in for Python."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module

from flagfall.rules.compiled import native_code
from flagfall.rules.kernels import Kernel, llvm, machine

_WRAPPER = """
declare i32 @"{native}"(ptr, ptr{types})
declare i64 @PyLong_AsUnsignedLongLongMask(ptr)
declare ptr @PyLong_FromLongLong(i64)
declare ptr @PyErr_Occurred()
declare ptr @PyErr_NoMemory()
declare ptr @PyEval_SaveThread()
declare void @PyEval_RestoreThread(ptr)
declare i32 @PyErr_BadArgument()
define ptr @"{symbol}"(ptr %me, ptr %given, i64 %count) {{
  %out = alloca i64
  %cause = alloca ptr
  %fits = icmp eq i64 %count, {arguments}
  br i1 %fits, label %take0, label %misfit
misfit:
  %odd = call i32 @PyErr_BadArgument()
  ret ptr null
refuse:
  ret ptr null
{taking}
take{arguments}:
  {leave}
  %status = call i32 @"{native}"(ptr %out, ptr %cause{values})
  {come_back}
  %failed = icmp ne i32 %status, 0
  br i1 %failed, label %fail, label %give
fail:
  %none = call ptr @PyErr_NoMemory()
  ret ptr null
give:
  %answer = load i64, ptr %out
  {answer}
}}
"""
# A kernel has no way to fail but for want of memory: it raises nothing and divides by the rules of floats.

_TAKING = """
take{k}:
  %place{k} = getelementptr ptr, ptr %given, i64 {k}
  %object{k} = load ptr, ptr %place{k}
  %a{k} = call i64 @PyLong_AsUnsignedLongLongMask(ptr %object{k})
  %odd{k} = icmp eq i64 %a{k}, -1
  br i1 %odd{k}, label %look{k}, label %take{next}
look{k}:
  %trouble{k} = call ptr @PyErr_Occurred()
  %wrong{k} = icmp ne ptr %trouble{k}, null
  br i1 %wrong{k}, label %refuse, label %take{next}
"""

_OBJECT = "%object = inttoptr i64 %answer to ptr\n  ret ptr %object"
_NUMBER = "%object = call ptr @PyLong_FromLongLong(i64 %answer)\n  ret ptr %object"

# Functions alone: the compiler, where it is loaded too, gives Python's exceptions another meaning as data.
_FOREIGN = ("Py", "_Py", "llvm.", "mem", "clock_gettime", "exp", "log", "sqrt", "pow", "floor", "ceil", "tanh")
"""What the code of a kernel may ask of others: Python itself and the library of C."""


@contextmanager
def _uncollected() -> Iterator[None]:
    """Compile without looking for garbage meanwhile, which takes a tenth of the time and finds little."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def object_code(kernel: Kernel) -> bytes:
    """An object file that needs nothing of the compiler to run. Raises TypeError where the kernel asks for more.

    `kernel.symbol` in it is a function by METH_FASTCALL.
    """
    with _uncollected():
        function = getattr(import_module(kernel.module), kernel.name)
        text, native = native_code(function, kernel.arguments, gives_object=kernel.gives_object)
    wrapper = _WRAPPER.format(
        native=native,
        types=", i64" * kernel.arguments,
        values="".join(f", i64 %a{k}" for k in range(kernel.arguments)),
        symbol=kernel.symbol,
        arguments=kernel.arguments,
        taking="".join(_TAKING.format(k=k, next=k + 1) for k in range(kernel.arguments)),
        leave="%thread = call ptr @PyEval_SaveThread()" if kernel.lets_go else "",
        come_back="call void @PyEval_RestoreThread(ptr %thread)" if kernel.lets_go else "",
        answer=_OBJECT if kernel.gives_object else _NUMBER,
    )
    module = llvm.parse_assembly(text)
    module.link_in(llvm.parse_assembly(wrapper))
    module.verify()
    for part in module.functions:
        if part.is_declaration and not part.name.startswith(_FOREIGN):
            raise TypeError(f"{kernel.symbol} cannot stand alone: it needs {part.name}")
        if not part.is_declaration and part.name != kernel.symbol:
            part.linkage = "internal"
    code: bytes = machine().emit_object(module)
    return code
