"""`checks="bounds"`: each index is checked against its own dimension, not only the whole buffer."""

from __future__ import annotations

import numpy as np
import pytest

import uir
from uir import ir, transform
from uir.runtime import Module

PROGRAM = """
@uir.script.ir_module
class Module:
    @tir.prim_func
    def beyond(x: tir.Buffer((16,), "float32"), y: tir.Buffer((16,), "float32"), n: tir.int32):
        for i in range(n):
            y[i] = x[i]

    @tir.prim_func
    def element(
        x: tir.Buffer((n, 4), "float32"),
        i: tir.Buffer((2,), "int32"),
        y: tir.Buffer((1,), "float32"),
    ):
        n = tir.SizeVar("n", "int32")
        y[0] = x[i[0], i[1]]

    @tir.prim_func
    def put(y: tir.Buffer((3, 4, 5), "float32"), i: tir.int64, j: tir.int64, k: tir.int64):
        y[i, j, k] = 1.0

    @tir.prim_func
    def guarded(x: tir.Buffer((4, 4), "float32"), y: tir.Buffer((9,), "float32")):
        for j in range(9):
            y[j] = tir.if_then_else(j < 4, x[1, j], -1.0)

    @tir.prim_func
    def chosen(
        x: tir.Buffer((4, 4), "float32"),
        i: tir.Buffer((3,), "int32"),
        y: tir.Buffer((3,), "int32"),
    ):
        for k in range(3):
            y[k] = 0
            if i[k] >= 0 and x[0, i[k]] > 0.0:
                y[k] = 1

    @tir.prim_func
    def lanes(x: tir.Buffer((4, 10), "float32"), y: tir.Buffer((4,), "float32"), j: tir.int32):
        y[tir.ramp(0, 1, 4)] = x[1, tir.ramp(j, 2, 4)]

    @tir.prim_func
    def stored(y: tir.Buffer((4, 10), "float32"), j: tir.int32):
        y[1, tir.ramp(j, 1, 4)] = tir.broadcast(tir.float32(3), 4)

    @tir.prim_func
    def until(x: tir.Buffer((2, 4), "float32"), y: tir.Buffer((1,), "int32")):
        y[0] = 0
        while x[0, y[0]] < 5.0:
            y[0] = y[0] + 1
            if y[0] == 2:
                continue
            y[0] = y[0] + 0

    @tir.prim_func
    def vectorized(i: tir.Buffer((8,), "int32"), y: tir.Buffer((4, 8), "float32")):
        for k in tir.vectorized(8):
            y[2, i[k]] = 2.0

    @tir.prim_func
    def pointer(x: tir.Buffer((4, 5), "float32"), y: tir.Buffer((4,), "float32"), first: tir.int32):
        y[tir.ramp(0, 1, 4)] = tir.vload(x.data, first, dtype="float32x4")
"""


@pytest.fixture(scope="module")
def built() -> Module:
    return uir.build(uir.script.parse(PROGRAM), checks="bounds")


def zeros(*shape: int) -> np.ndarray:
    return np.zeros(shape, "float32")


def places(*values: int) -> np.ndarray:
    return np.array(values, "int32")


def test_a_loop_that_is_longer_than_its_buffer(built: Module) -> None:
    built.beyond(zeros(16), zeros(16), 16)
    with pytest.raises(IndexError, match=r"^beyond .*index 16 of buffer `\w` .* extent is 16$"):
        built.beyond(zeros(16), zeros(16), 20)


def test_an_index_out_of_its_row_that_is_inside_of_the_buffer(built: Module) -> None:
    x, y = np.arange(12, dtype="float32").reshape(3, 4), zeros(1)
    built.element(x, places(1, 2), y)
    assert y[0] == 6
    for row, column, text in (
        (0, 4, "index 4 of dimension 1 of buffer `x` is out of bounds: the extent is 4"),
        (2, -1, "index -1 of dimension 1 of buffer `x` is out of bounds: the extent is 4"),
        (3, -4, "index 3 of dimension 0 of buffer `x` is out of bounds: the extent is 3"),
        (-1, 4, "index -1 of dimension 0 of buffer `x` is out of bounds: the extent is 3"),
    ):
        with pytest.raises(IndexError) as caught:
            built.element(x, places(row, column), y)
        assert str(caught.value) == f"element (<text>:16): {text}"
        assert y[0] == 6


def test_stores_touch_nothing_else(built: Module) -> None:
    y = zeros(3, 4, 5)
    for axis, wrong in ((0, -1), (0, 3), (1, 4), (1, 2**40), (2, 5), (2, -(2**62))):
        at = [1, 1, 1]
        at[axis] = wrong
        with pytest.raises(IndexError, match=rf"index {wrong} of dimension {axis} of buffer `y`"):
            built.put(y, *at)
    assert not y.any()
    built.put(y, 2, 3, 4)
    assert y[2, 3, 4] == 1


def test_conditions_guard_the_checks(built: Module) -> None:
    y = zeros(9)
    built.guarded(np.full((4, 4), 7, "float32"), y)
    assert y.tolist() == [7] * 4 + [-1] * 5
    chosen = places(0, 0, 0)
    built.chosen(np.ones((4, 4), "float32"), places(3, -5, 0), chosen)
    assert chosen.tolist() == [1, 0, 1]
    with pytest.raises(IndexError, match="index 4 of dimension 1 of buffer `x`"):
        built.chosen(np.ones((4, 4), "float32"), places(3, -5, 4), chosen)


def test_the_first_and_the_last_lane(built: Module) -> None:
    x, y = np.arange(40, dtype="float32").reshape(4, 10), zeros(4)
    built.lanes(x, y, 3)
    assert y.tolist() == [13, 15, 17, 19]
    for first, wrong in ((4, 10), (-1, -1)):
        with pytest.raises(IndexError, match=rf"index {wrong} of dimension 1 of buffer `x`"):
            built.lanes(x, y, first)
    built.stored(x, 6)
    assert x[1, 6:].tolist() == [3] * 4
    with pytest.raises(IndexError, match="index 10 of dimension 1 of buffer `x`|buffer `y`"):
        built.stored(x, 7)
    built.vectorized(places(*range(8)), whole := zeros(4, 8))
    assert whole.sum(axis=1).tolist() == [0, 0, 16, 0]
    with pytest.raises(IndexError, match="index 8 of dimension 1 of buffer `y`"):
        built.vectorized(places(*range(1, 9)), whole)


def test_the_condition_of_a_loop(built: Module) -> None:
    found = places(0)
    built.until(np.array([[1, 2, 3, 6], [9, 9, 9, 9]], "float32"), found)
    assert found.tolist() == [3]
    with pytest.raises(IndexError, match="index 4 of dimension 1 of buffer `x`"):
        built.until(np.array([[1, 2, 3, 4], [9, 9, 9, 9]], "float32"), found)


def test_what_is_read_through_a_pointer(built: Module) -> None:
    x, y = np.arange(20, dtype="float32").reshape(4, 5), zeros(4)
    built.pointer(x, y, 16)
    assert y.tolist() == [16, 17, 18, 19]
    for first, wrong in ((17, 20), (-1, -1)):
        with pytest.raises(IndexError, match=rf"index {wrong} of buffer `x` .* extent is 20$"):
            built.pointer(x, y, first)


def test_the_pass_leaves_out_what_it_proves() -> None:
    text = """
@tir.prim_func
def main(x: tir.Buffer((n, 8), "float32"), y: tir.Buffer((n, 8), "float32")):
    n = tir.SizeVar("n", "int32")
    for i in range(n):
        for j in range(8):
            y[i, 7 - j] = x[i, j]
"""
    module = ir.IRModule({ir.GlobalVar("main"): uir.script.parse_function(text)})
    assert transform.CheckIndices()(module).same_as(module)
