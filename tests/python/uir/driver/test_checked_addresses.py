"""`checks="bounds"` of what takes addresses: atomic additions, and ranges given to other code."""

from __future__ import annotations

import numpy as np
import pytest

import uir
from uir import ir
from uir.runtime import Module

FILL = """
#include <stdint.h>
int64_t fill(float *y, int64_t count) {
  for (int64_t k = 0; k < count; ++k) y[k] = 7;
  return count;
}
"""
PROGRAM = """
@uir.script.ir_module
class Module:
    @tir.prim_func
    def count(i: tir.Buffer((n,), "int32"), y: tir.Buffer((m,), "int32")):
        n = tir.SizeVar("n", "int32")
        m = tir.SizeVar("m", "int32")
        for k in range(n):
            tir.atomic_add(tir.address_of(y[i[k]]), 1)

    @tir.prim_func
    def cells(i: tir.Buffer((n,), "int32"), y: tir.Buffer((4, 4), "int32")):
        n = tir.SizeVar("n", "int32")
        for k in tir.parallel(n):
            tir.atomic_add(tir.address_of(y[1, i[k]]), 1)

    @tir.prim_func
    def part(y: tir.Buffer((m,), "float32"), first: tir.int32, size: tir.int32):
        m = tir.SizeVar("m", "int32")
        tir.call_extern(
            "int64", "fill", y.access_ptr("w", offset=first, extent=size), tir.int64(size)
        )
"""


@pytest.fixture(scope="module")
def built() -> Module:
    module = uir.script.parse(PROGRAM)
    fill = ir.extern_func("fill", FILL)
    module = ir.with_function(module, ir.GlobalVar("fill"), fill)
    return uir.build(module, checks="bounds")


def test_atomic_additions(built: Module) -> None:
    whole = np.zeros(8, "int32")
    built.count(np.array([0, 3, 3], "int32"), whole[2:6])
    assert whole.tolist() == [0, 0, 1, 0, 0, 2, 0, 0]
    for wrong in (4, -1, 2**31 - 1, -(2**31)):
        message = f"^count.*index {wrong} of (dimension 0 of )?buffer `y` is out of bounds"
        with pytest.raises(IndexError, match=message):
            built.count(np.array([wrong], "int32"), whole[2:6])
    assert whole.tolist() == [0, 0, 1, 0, 0, 2, 0, 0]


def test_atomic_additions_stay_in_their_row(built: Module) -> None:
    y = np.zeros((4, 4), "int32")
    built.cells(np.full(100, 2, "int32"), y)
    assert y[1].tolist() == [0, 0, 100, 0]
    assert y.sum() == 100
    for wrong in (4, -1):
        message = f"^cells.*index {wrong} of dimension 1 of buffer `y`"
        with pytest.raises(IndexError, match=message):
            built.cells(np.array([wrong], "int32"), y)
    assert y.sum() == 100


def test_ranges_for_other_code(built: Module) -> None:
    whole = np.zeros(8, "float32")
    built.part(whole[2:6], 1, 3)
    built.part(whole[2:6], 4, 0)  # No element is touched.
    assert whole.tolist() == [0, 0, 0, 7, 7, 7, 0, 0]
    for first, size, wrong in ((2, 3, 4), (-1, 2, -1), (5, 1, 5), (0, 2**31 - 1, 2**31 - 2)):
        message = f"^part.*index {wrong} of (dimension 0 of )?buffer `y` is out of bounds"
        with pytest.raises(IndexError, match=message):
            built.part(whole[2:6], first, size)
    assert whole.tolist() == [0, 0, 0, 7, 7, 7, 0, 0]
