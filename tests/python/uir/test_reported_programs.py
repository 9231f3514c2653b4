"""Small programs that other compilers computed wrongly or did not finish, and their values."""

from __future__ import annotations

import resource

import numpy as np
import pytest

import uir
from uir.runtime import Module

PROGRAM = """
@uir.script.ir_module
class Module:
    @tir.prim_func
    def wide(A: tir.Buffer((4099,), "float32"), B: tir.Buffer((4099,), "float32")):
        for i in tir.vectorized(4099):
            B[i] = A[i] * A[i] + tir.float32(1)

    @tir.prim_func
    def lanes(A: tir.Buffer((n, 8), "int64"), B: tir.Buffer((n, 8), "int64")):
        n = tir.SizeVar("n", "int32")
        for i in tir.parallel(n):
            for j in tir.vectorized(tir.int64(8)):
                B[i, j] = A[i, j] * tir.int64(3) + (tir.Cast("int64", i) << tir.int64(32)) + j
"""


@pytest.fixture(scope="module")
def library() -> Module:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    module = uir.build(uir.script.parse(PROGRAM))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    # It takes 0.5 s; compilers of vectors of thousands of lanes took minutes, or all memory.
    assert after.ru_utime - before.ru_utime < 20
    return module


def test_a_vector_of_thousands_of_lanes(library: Module) -> None:
    x, y = np.arange(4099, dtype=np.float32), np.zeros(4099, np.float32)
    library["wide"](x, y)
    np.testing.assert_array_equal(y, x * x + 1)


@pytest.mark.parametrize("rows", [0, 1, 7, 1000])
def test_lanes_of_64_bits_in_a_parallel_loop_of_32(library: Module, rows: int) -> None:
    x, y = np.arange(rows * 8).reshape(rows, 8), np.zeros((rows, 8), np.int64)
    library["lanes"](x, y)
    np.testing.assert_array_equal(y, x * 3 + (np.arange(rows)[:, None] << 32) + np.arange(8))
