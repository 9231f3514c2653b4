"""Where the elements of buffers lie, and reads and writes of them."""

from __future__ import annotations

import itertools
import re

import pytest

from uir import tir
from uir.ir import IntImm, PointerType, PrimExpr, PrimType, structural_equal
from uir.tir import BufferLoad, BufferRegion, BufferStore, Ramp, Var, decl_buffer

from ..support import I32, X, refuses


def value_of(expr: PrimExpr) -> int:
    assert isinstance(expr, IntImm)
    return expr.value


def test_a_buffer_with_everything() -> None:
    data = Var("data", "handle", PointerType(PrimType("int8"), "local"))
    buffer = decl_buffer(
        (4, X), "int8", "A", data, (32, 1), X + 1, data_alignment=16, offset_factor=4,
        axis_separators=[1],
    )  # fmt: skip
    assert buffer.data.same_as(data)
    assert buffer.scope() == "local"
    assert [value_of(stride) for stride in buffer.strides] == [32, 1]
    assert structural_equal(buffer.elem_offset, X + 1)
    assert (buffer.data_alignment, buffer.offset_factor) == (16, 4)
    assert list(buffer.axis_separators) == [1]


def test_what_is_not_given() -> None:
    buffer = decl_buffer(8, "int8")
    assert (buffer.scope(), buffer.offset_factor, value_of(buffer.elem_offset)) == ("global", 1, 0)
    assert isinstance(decl_buffer(8, offset_factor=4).elem_offset, Var)
    untyped = decl_buffer(8, data=Var("data", "handle"))
    assert untyped.scope() == "global"


@pytest.mark.parametrize(
    ("shape", "strides", "compact"),
    [
        ((4, 8), None, True),
        ((4, 8), (8, 1), True),
        ((4, 8), (16, 1), False),
        ((1, 8), (99, 1), True),
        ((4, 8), (1, 4), False),
        ((4, X), (X, 1), False),
        ((), None, True),
    ],
)
def test_compact_buffers(
    shape: tuple[int, ...], strides: tuple[int, ...] | None, compact: bool
) -> None:
    assert decl_buffer(shape, strides=strides).is_compact() is compact


def test_offsets_are_those_of_row_major_arrays() -> None:
    buffer = decl_buffer((3, 4, 5), "int8", elem_offset=7)
    offsets = [
        value_of(buffer.offset_of(index)[0])
        for index in itertools.product(range(3), range(4), range(5))
    ]
    assert offsets == list(range(7, 67))


def test_offsets_by_strides_and_in_groups() -> None:
    strided = decl_buffer((3, 4), strides=(10, 2))
    assert value_of(strided.offset_of((2, 3))[0]) == 26
    grouped = decl_buffer((3, 4, 5), axis_separators=[1], elem_offset=1)
    assert [value_of(offset) for offset in grouped.offset_of((2, 3, 4))] == [2, 20]
    assert value_of(decl_buffer(()).offset_of(())[0]) == 0
    with pytest.raises(ValueError, match="`shape` and `indices` must have the same length"):
        strided.offset_of((1,))


def test_flattened_buffers() -> None:
    buffer = decl_buffer((3, 4, 5), "int8", "A", axis_separators=[1])
    flat = buffer.flattened()
    assert [value_of(extent) for extent in flat.shape] == [3, 20]
    assert list(flat.axis_separators) == [1]
    assert flat.data.same_as(buffer.data)
    strided = decl_buffer((3, 4), strides=(10, 2)).flattened()
    assert [value_of(extent) for extent in strided.shape] == [30]  # Three rows of ten.
    assert [value_of(extent) for extent in decl_buffer(()).flattened().shape] == [1]
    one = decl_buffer((8,))
    assert one.flattened().same_as(one)
    moved = decl_buffer((8,), elem_offset=2)
    assert value_of(moved.flattened().elem_offset) == 0
    assert value_of(moved.flattened().shape[0]) == 10
    assert value_of(moved.offset_of((7,))[0]) == 9


def test_reads_by_subscript() -> None:
    buffer = decl_buffer((4, 8), "int8", "A")
    assert structural_equal(buffer[X, 1], BufferLoad(buffer, [X, I32]))
    vector = buffer[X, 0:8:2]
    assert isinstance(vector, BufferLoad)
    assert structural_equal(vector.indices[1], Ramp(IntImm("int32", 0), IntImm("int32", 2), 4))
    region = buffer[X, 2:6]
    assert isinstance(region, BufferRegion)
    assert [value_of(part.extent) for part in region.region] == [1, 4]
    whole = buffer[:, :]
    assert isinstance(whole, BufferRegion)
    assert [value_of(part.extent) for part in whole.region] == [4, 8]
    with pytest.raises(ValueError, match="must have a constant number of elements, dimension 1"):
        buffer[0, 0:X:2]


def test_vectors_of_neighbours() -> None:
    buffer = decl_buffer((4, 8), "float32", "A")
    load = buffer.vload((X, 0), "float32x4")
    assert load.dtype == "float32x4"
    assert buffer.vload((X, 0)).dtype == "float32"
    store = buffer.vstore((X, 4), load)
    assert isinstance(store, BufferStore)
    assert isinstance(store.indices[1], Ramp)
    message = "Buffer: `A` holds elements of `float32`, got `int8x4` for some of them"
    with refuses(TypeError, message):
        buffer.vload((X, 0), "int8x4")


def test_addresses() -> None:
    buffer = decl_buffer((4, 8), "float32", "A", elem_offset=2)
    call = buffer.access_ptr("rw", offset=8)
    assert isinstance(call, tir.Call)
    assert (call.op.name, call.dtype) == ("tir.access_ptr", "handle")
    assert call.args[0].same_as(buffer.data)
    assert [value_of(arg) for arg in call.args[1:]] == [10, 24, 3]
    with refuses(ValueError, "Buffer: `access` must be `r`, `w` or `rw`, got `x`"):
        buffer.access_ptr("x")


def test_a_read_of_too_few_indices() -> None:
    with pytest.raises(ValueError, match=re.escape("`buffer.shape` and `indices`")):
        decl_buffer((4, 8))[0]
