"""Buffers and what reads them: ranks, lanes and data types that agree."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from uir.ir import IntImm, PointerType, PrimType, Range
from uir.tir import (
    Buffer,
    BufferLoad,
    BufferRegion,
    BufferStore,
    BufferType,
    DataProducer,
    MatchBufferRegion,
    ProducerLoad,
    Ramp,
    Var,
    decl_buffer,
)

from ..support import F32, FLAG, I32, I64, TRUE, X, buffer, refuses, vector

DATA = Var("p", "handle")
X_SHOWN = 'Var(dtype=int32, name="x")'
F32_SHOWN = "FloatImm(dtype=float32, value=1.5)"
TRUE_SHOWN = "IntImm(dtype=bool, value=1)"
A = buffer(I32, I32)
LANES = Ramp(X, I32, 4)
VECTOR_SHOWN = 'Ramp(dtype=int32x4, base=Var(dtype=int32, name="x"), stride=IntImm(dtype=int32, value=1), lanes=4)'  # noqa: E501

REFUSALS: list[tuple[Callable[[], Any], type[BaseException], str]] = [
    (
        lambda: Buffer(X, "float32", []),
        TypeError,
        f"Buffer: operand `data` must be a `handle`, got `int32` (data = {X_SHOWN})",
    ),
    (
        lambda: Buffer(DATA, "float32", [I32, F32]),
        TypeError,
        "Buffer: operand `shape[1]` must be a scalar integer, got `float32` "
        f"(shape[1] = {F32_SHOWN})",
    ),
    (
        lambda: Buffer(DATA, "float32", [I32], [F32]),
        TypeError,
        f"Buffer: operand `strides[0]` must be a scalar integer, got `float32` "
        f"(strides[0] = {F32_SHOWN})",
    ),
    (
        lambda: Buffer(DATA, "float32", [I32, I32], [I32]),
        ValueError,
        "Buffer: `shape` and `strides` must have the same length, got 2 and 1",
    ),
    (
        lambda: Buffer(DATA, "float32", [], elem_offset=F32),
        TypeError,
        f"Buffer: operand `elem_offset` must be a scalar integer, got `float32` "
        f"(elem_offset = {F32_SHOWN})",
    ),
    *(
        (
            lambda alignment=alignment: Buffer(
                DATA, "int8", [], name="A", data_alignment=alignment
            ),
            ValueError,
            f"Buffer: `data_alignment` of `A` must be a power of two, got {alignment}",
        )
        for alignment in (0, -8, 3, 96)
    ),
    (
        lambda: Buffer(DATA, "int8", [], name="A", offset_factor=0),
        ValueError,
        "Buffer: `offset_factor` of `A` must be at least 1, got 0",
    ),
    *(
        (
            lambda separators=separators: Buffer(
                DATA, "int8", [I32, I32], name="A", axis_separators=separators
            ),
            ValueError,
            f"Buffer: `axis_separators` of `A` must ascend and be at most 2, got {separators}",
        )
        for separators in ([2, 1], [3], [-1])
    ),
    (
        lambda: BufferRegion(A, [Range(I32, I32)]),
        ValueError,
        "BufferRegion: `buffer.shape` and `region` must have the same length, got 2 and 1",
    ),
    (
        lambda: MatchBufferRegion(
            decl_buffer([1], "int8", "B"), BufferRegion(A, [Range(I32, I32)] * 2)
        ),
        TypeError,
        "MatchBufferRegion: `buffer` and `source` must have the same data type, got `int8` and "
        "`float32` (buffer = B, source = A)",
    ),
    (
        lambda: MatchBufferRegion(
            decl_buffer([1, 1, 1], "float32"), BufferRegion(A, [Range(I32, I32)] * 2)
        ),
        ValueError,
        "MatchBufferRegion: `buffer` must have at most the 2 dimensions of `source`, got 3",
    ),
    (
        lambda: BufferLoad(A, [X]),
        ValueError,
        "BufferLoad: `buffer.shape` and `indices` must have the same length, got 2 and 1",
    ),
    (
        lambda: BufferLoad(A, [X, F32]),
        TypeError,
        f"BufferLoad: operand `indices[1]` must be an integer, got `float32` "
        f"(indices[1] = {F32_SHOWN})",
    ),
    (
        lambda: BufferLoad(A, [LANES, X]),
        TypeError,
        "BufferLoad: operand `indices[0]` must be a scalar integer, as only the last index may be "
        f"a vector, got `int32x4` (indices[0] = {VECTOR_SHOWN})",
    ),
    (
        lambda: BufferLoad(A, [X, LANES], TRUE),
        TypeError,
        "BufferLoad: operand `predicate` must be a boolean with the lanes of the last index, got "
        f"`bool` (predicate = {TRUE_SHOWN})",
    ),
    (
        lambda: BufferLoad(A, [X, X], X),
        TypeError,
        "BufferLoad: operand `predicate` must be a boolean with the lanes of the last index, got "
        f"`int32` (predicate = {X_SHOWN})",
    ),
    (
        lambda: BufferStore(A, X, [X, X]),
        TypeError,
        f"BufferStore: operand `value` must be `float32` to go to `A`, got `int32` "
        f"(value = {X_SHOWN})",
    ),
    (
        lambda: BufferStore(A, F32, [X, LANES]),
        TypeError,
        f"BufferStore: operand `value` must be `float32x4` to go to `A`, got `float32` "
        f"(value = {F32_SHOWN})",
    ),
    (
        lambda: BufferStore(A, F32, [X]),
        ValueError,
        "BufferStore: `buffer.shape` and `indices` must have the same length, got 2 and 1",
    ),
    (
        lambda: DataProducer([F32], "float32"),
        TypeError,
        f"DataProducer: operand `shape[0]` must be a scalar integer, got `float32` "
        f"(shape[0] = {F32_SHOWN})",
    ),
    (
        lambda: ProducerLoad(DataProducer([I32], "int8"), []),
        ValueError,
        "ProducerLoad: `producer.shape` and `indices` must have the same length, got 1 and 0",
    ),
    (
        lambda: ProducerLoad(DataProducer([I32], "int8"), [LANES]),
        TypeError,
        f"ProducerLoad: operand `indices[0]` must be a scalar integer, got `int32x4` "
        f"(indices[0] = {VECTOR_SHOWN})",
    ),
]


@pytest.mark.parametrize(("make", "error", "message"), REFUSALS)
def test_operands_that_do_not_fit(
    make: Callable[[], Any], error: type[BaseException], message: str
) -> None:
    with refuses(error, message):
        make()


def test_the_offset_has_the_type_of_the_extents() -> None:
    for shape, dtype in (([], "int32"), ([I64], "int64")):
        offset = Buffer(DATA, "float32", shape).elem_offset
        assert isinstance(offset, IntImm)
        assert (offset.value, offset.dtype) == (0, dtype)


def test_limits_that_are_taken() -> None:
    made = Buffer(DATA, "int8", [I32, I32], data_alignment=1, axis_separators=[0, 1, 1, 2])
    assert (made.data_alignment, list(made.axis_separators)) == (1, [0, 1, 1, 2])
    assert made.buffer_type is BufferType.DEFAULT
    assert MatchBufferRegion(buffer(I32), BufferRegion(A, [Range(X, I32)] * 2)).buffer is not None


def test_the_type_of_what_is_read() -> None:
    assert BufferLoad(A, [X, I64]).dtype == "float32"
    assert BufferLoad(A, [X, LANES]).dtype == "float32x4"
    assert BufferLoad(A, [X, LANES], vector(4, FLAG)).dtype == "float32x4"
    assert BufferLoad(buffer(dtype="float32x2"), []).dtype == "float32x2"
    assert BufferLoad(buffer(I32, dtype="float32x2"), [LANES]).dtype == "float32x8"
    assert ProducerLoad(DataProducer([I32], "int8"), [X]).dtype == "int8"


def test_decl_buffer() -> None:
    made = decl_buffer([4, X], "float16", "B", scope="shared")
    assert (made.name, made.data.name, made.dtype, made.data.dtype) == (
        "B",
        "B",
        "float16",
        "handle",
    )
    assert [extent.dtype for extent in made.shape] == ["int32", "int32"]
    pointer = made.data.type_annotation
    assert isinstance(pointer, PointerType)
    assert isinstance(pointer.element_type, PrimType)
    assert (pointer.storage_scope, pointer.element_type.dtype) == ("shared", "float16")
    assert len(made.strides) == 0
