"""Compiled functions of mathematics, and their errors against float64.

In: names of intrinsics of `tir`. Out: functions that apply one to whole arrays, and the greatest
distance of results to the exact ones.
"""

from __future__ import annotations

import ctypes
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import tvm_ffi

from uir import tir
from uir.ir import GlobalVar, IRModule, with_attr
from uir.target import Target, emit_c
from uir.tir import PrimFunc, Ramp, Var, call_intrin, const, decl_buffer

from .compiled_c import load_c

__all__ = ["BINARY", "COUNT", "Errors", "compiled_math"]

COUNT = 1 << 18
"""The elements of the arrays that the functions take."""

BINARY = frozenset({"atan2", "fmod", "hypot", "pow"})

Array = np.ndarray[Any, Any]


def kernel(name: str, lanes: int, dtype: str) -> PrimFunc:
    """Return a function of arrays `x`, `y` and `z`, which stores values of an intrinsic in `z`."""
    buffers = [decl_buffer([const(COUNT)], dtype, letter) for letter in "xyz"]
    i = Var("i", "int32")
    place = Ramp(i * lanes, const(1), lanes) if lanes > 1 else i
    operands = buffers[: 2 if name in BINARY else 1]
    args = [tir.BufferLoad(buffer, [place]) for buffer in operands]
    value = call_intrin(args[0].dtype, f"tir.{name}", args)
    store = tir.BufferStore(buffers[-1], value, [place])
    loop = tir.For(i, const(0), const(COUNT // lanes), tir.ForKind.SERIAL, store)
    handles = [Var(f"{buffer.name}_handle", "handle") for buffer in buffers]
    return PrimFunc(handles, loop, buffer_map=dict(zip(handles, buffers, strict=True)))


def compiled_math(
    names: Sequence[str],
    lanes: Sequence[int],
    folder: Path,
    flags: Sequence[str],
    dtype: str = "float32",
) -> tvm_ffi.Module:
    """Return a library with a function `<name>_<lanes>` for each intrinsic and number of lanes."""
    functions = {}
    for name in names:
        for number in lanes:
            symbol = f"{name}_{number}"
            made = with_attr(kernel(name, number, dtype), "global_symbol", symbol)
            functions[GlobalVar(symbol)] = made
    folder.mkdir(exist_ok=True)
    return load_c(emit_c(IRModule(functions), Target()), folder, flags=["-O2", *flags])


class Errors:
    """The greatest errors of results of intrinsics, in ulp."""

    def __init__(self, folder: Path) -> None:
        source, library = Path(__file__).parent / "ulp_errors.c", folder / "ulp_errors.so"
        command = ["cc", "-O2", "-shared", "-fPIC", str(source), "-o", str(library), "-lm"]
        subprocess.run(command, check=True)
        self._function = ctypes.CDLL(str(library)).greatest_error
        self._function.restype = ctypes.c_double

    def __call__(self, name: str, x: Array, y: Array, found: Array) -> tuple[float, int]:
        """Return the greatest error in ulp, and the index of an element that has it."""
        place = ctypes.c_size_t()
        arrays = [ctypes.c_void_p(array.ctypes.data) for array in (x, y, found)]
        count, address = ctypes.c_size_t(len(x)), ctypes.byref(place)
        error = float(self._function(name.encode(), *arrays, count, address))
        if error < 0:
            raise ValueError(f"ulp_errors.c knows no function `{name}`")
        return error, place.value
