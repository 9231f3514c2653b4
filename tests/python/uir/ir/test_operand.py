"""Bounds, extents and positions: errors name the node, the operand and its value."""

from __future__ import annotations

import pytest

from uir.ir import Range, SourceName, Span, TensorType
from uir.relay import Tensor
from uir.tir import SizeVar

from ..support import F32, I32, I64, X, refuses, vector


def test_a_range_has_integer_bounds() -> None:
    with refuses(
        TypeError,
        "Range: operand `min` must be a scalar integer, got `float32` "
        "(min = FloatImm(dtype=float32, value=1.5))",
    ):
        Range(F32, I32)
    with refuses(
        TypeError,
        "Range: operand `min` must be a scalar integer, got `int32x4` "
        "(min = Broadcast(dtype=int32x4, value=IntImm(dtype=int32, value=1), lanes=4))",
    ):
        Range(vector(4), vector(4))


def test_the_bounds_of_a_range_have_one_type() -> None:
    with refuses(
        TypeError,
        "Range: operands `min` and `extent` must have the same data type, got `int32` and `int64` "
        '(min = Var(dtype=int32, name="x"), extent = IntImm(dtype=int64, value=1))',
    ):
        Range(X, I64)


def test_extents_are_integers() -> None:
    with refuses(
        TypeError,
        "TensorType: operand `shape[1]` must be a scalar integer, got `float32` "
        "(shape[1] = FloatImm(dtype=float32, value=1.5))",
    ):
        TensorType([I32, F32], "float32")
    assert len(TensorType([], "float32").shape) == 0


def test_tensors_fit_into_memory() -> None:
    """No product of constant extents overflows in what computes with sizes."""
    with refuses(
        ValueError,
        "TensorType: `shape` has more than 2**63 bytes: "
        "[tir.int64(1099511627776), tir.int32(2097152), n]",
    ):
        Tensor((2**40, 2**21, SizeVar("n")), "float32")
    assert len(Tensor((2**40, 0, 2**40), "float32").shape) == 3
    assert len(Tensor((2**40, 2**20), "float32").shape) == 2


@pytest.mark.parametrize(
    ("position", "message"),
    [
        ((-1, 1), "lines and columns count from 1, with 0 for unknown, got -1:1 to 0:0"),
        ((1, 1, 1, -2), "lines and columns count from 1, with 0 for unknown, got 1:1 to 1:-2"),
        ((5, 1, 4, 1), "the end 4:1 comes before the start 5:1"),
        ((5, 3, 5, 2), "the end 5:2 comes before the start 5:3"),
    ],
)
def test_a_span_ends_behind_its_start(position: tuple[int, ...], message: str) -> None:
    with refuses(ValueError, f"Span: {message}"):
        Span(SourceName("a.py"), *position)


@pytest.mark.parametrize("position", [(1, 1), (3, 9, 4, 1), (3, 9, 3, 9), (0, 0), (3, 9, 3, 0)])
def test_positions_may_be_unknown(position: tuple[int, ...]) -> None:
    span = Span(SourceName("a.py"), *position)
    assert (span.line, span.column) == position[:2]
