"""A program with parallel loops, compiled in a folder.

In: a folder and flags of the compiler.  Out: a module of tvm-ffi with the functions of `SOURCE`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import tvm_ffi

from uir import script, transform
from uir.ir import IRModule
from uir.target import Target, emit_c

from .compiled_c import load_c

__all__ = ["SOURCE", "load_parallel", "parallel_text"]

SOURCE = """
@uir.script.ir_module
class Module:
    @tir.prim_func
    def scale(A: tir.Buffer((n,), "float32"), B: tir.Buffer((n,), "float32"), k: tir.float32):
        n = tir.SizeVar("n", "int64")
        for i in tir.parallel(n):
            B[i] = A[i] * k

    @tir.prim_func
    def check(A: tir.Buffer((n,), "float32"), B: tir.Buffer((n,), "float32")):
        n = tir.SizeVar("n", "int64")
        for i in tir.parallel(n):
            assert A[i] != tir.float32(1.0), ("ValueError", ["found one"])
            assert A[i] != tir.float32(2.0), ("IndexError", ["found two"])
            B[i] = A[i]

    @tir.prim_func
    def rows(A: tir.Buffer((n, 9000), "float32"), B: tir.Buffer((n, 9000), "float32")):
        n = tir.SizeVar("n", "int64")
        for i in tir.parallel(3, n + tir.int64(3)):
            row = tir.alloc_buffer((9000,), "float32")
            for j in tir.parallel(9000):
                row[j] = A[i - tir.int64(3), j] + tir.float32(1.0)
            Module.reverse(row.data, B.data, i - tir.int64(3))

    @tir.prim_func(private=True)
    def reverse(A: tir.Buffer((9000,), "float32"), B: tir.Buffer((tir.int64(9000),), "float32"),
                row: tir.int64):
        for j in tir.parallel(9000):
            B[row * tir.int64(9000) + tir.Cast("int64", j)] = A[8999 - j]
"""


def parallel_text() -> str:
    """Return the program in C; no loop is too small for threads."""
    passes = transform.Sequential([transform.FlattenBuffer(), transform.LowerParallel()])
    module = script.parse(SOURCE)
    assert isinstance(module, IRModule)
    with transform.PassContext(config={"LowerParallel.min_work": 0}):
        return emit_c(passes(module), Target())


def load_parallel(folder: Path, name: str = "kernels", flags: Sequence[str] = ()) -> tvm_ffi.Module:
    """Compile the program as a library of a name, and load it."""
    return load_c(parallel_text(), folder, name, flags)
