"""Operators of Python on expressions of relay, and elements of tuples."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from uir import ir, relay, tir
from uir.relay import Tensor

X, Y = (relay.Var(name, Tensor((2, 3))) for name in "xy")
COUNTS, BITS_OF = (relay.Var(name, Tensor((2, 3), "int32")) for name in "ij")
MATRIX = relay.Var("w", Tensor((3, 4)))

BINARY: list[tuple[Callable[[Any, Any], Any], str]] = [
    (operator.add, "add"), (operator.sub, "subtract"), (operator.mul, "multiply"),
    (operator.truediv, "divide"), (operator.mod, "mod"), (operator.pow, "power"),
    (operator.floordiv, "floor_divide"),
]  # fmt: skip
COMPARE: list[tuple[Callable[[Any, Any], Any], str]] = [
    (operator.lt, "less"), (operator.le, "less_equal"), (operator.gt, "greater"),
    (operator.ge, "greater_equal"),
]  # fmt: skip
BITS: list[tuple[Callable[[Any, Any], Any], str]] = [
    (operator.and_, "bitwise_and"), (operator.or_, "bitwise_or"), (operator.xor, "bitwise_xor"),
    (operator.lshift, "left_shift"), (operator.rshift, "right_shift"),
]  # fmt: skip


@pytest.mark.parametrize(("sign", "name"), [*BINARY, *COMPARE])
def test_two_operands(sign: Callable[[Any, Any], Any], name: str) -> None:
    make = getattr(relay, name)
    assert ir.structural_equal(sign(X, Y), make(X, Y))
    assert ir.structural_equal(sign(X, 2), make(X, 2))
    if (sign, name) in BINARY:
        assert ir.structural_equal(sign(2.5, X), make(2.5, X))


@pytest.mark.parametrize(("sign", "name"), BITS)
def test_bits(sign: Callable[[Any, Any], Any], name: str) -> None:
    make = getattr(relay, name)
    assert ir.structural_equal(sign(COUNTS, BITS_OF), make(COUNTS, BITS_OF))
    assert ir.structural_equal(sign(COUNTS, 3), make(COUNTS, 3))
    assert ir.structural_equal(sign(3, COUNTS), make(3, COUNTS))


def test_one_operand_and_matrices() -> None:
    assert ir.structural_equal(-X, relay.negative(X))
    assert ir.structural_equal(abs(X), relay.abs(X))
    assert ir.structural_equal(~COUNTS, relay.bitwise_not(COUNTS))
    assert ir.structural_equal(X @ MATRIX, relay.matmul(X, MATRIX))
    assert X == X and X != Y


@pytest.mark.parametrize("other", ["text", None, ir.IntImm("int32", 1)])
def test_other_operands_are_left_to_python(other: Any) -> None:
    for sign in (operator.add, operator.matmul, operator.lt):
        with pytest.raises(TypeError, match="unsupported operand|not supported between"):
            sign(X, other)
    with pytest.raises(TypeError):
        other - X


@pytest.mark.parametrize("array", [np.zeros(3, "float32"), np.float32(1)])
def test_arrays_become_constants_by_hand(array: Any) -> None:
    hint = f"numpy.{type(array).__name__}`: make a constant of it with `uir.relay.const`"
    for sign in (operator.add, operator.matmul, operator.lt):
        with pytest.raises(TypeError, match=hint):
            sign(X, array)
        with pytest.raises(TypeError, match=hint):
            sign(array, X)
    assert ir.structural_equal(X + np.float64(2), relay.add(X, 2.0))


@pytest.mark.parametrize("expr", [X < 1.0, X, relay.const(True), relay.Tuple([X])])
def test_expressions_are_neither_true_nor_false(expr: ir.RelayExpr) -> None:
    with pytest.raises(TypeError, match=r"only when the program runs: use `uir.relay.where`"):
        bool(expr)
    with pytest.raises(TypeError, match=r"only when the program runs"):
        assert expr and X


def test_errors_are_those_of_the_operator() -> None:
    with pytest.raises(TypeError, match=r"^relay.matmul: operand `b`: dimension 0"):
        X @ X
    with pytest.raises(TypeError, match=r"^relay.add: operand `y`"):
        X + COUNTS


def test_elements_of_tuples() -> None:
    values, places = relay.topk(X, 2)
    call = values.tuple_value
    assert (values.index, places.index) == (0, 1)
    assert ir.structural_equal(call[1], relay.TupleGetItem(call, 1))
    assert str(places.checked_type.dtype) == "int64"
    with pytest.raises(ValueError, match="index"):
        call[2]
    with pytest.raises(TypeError, match="an element of a tuple has an integer as its index"):
        call[0:1]
    with pytest.raises(TypeError, match="cannot unpack an expression of type"):
        list(X)


INDICES: list[Any] = [
    0, -1, slice(None), slice(0, 1), slice(None, None, -1), slice(None, None, -2),
    slice(-2, None), slice(3, 0, -1), slice(1, 100, 2), slice(2, 1),
    (1, slice(None, -1)), (slice(None), 2), (..., 0),
    (1, ..., slice(None, None, -1)), None, (None, 1), (slice(1, 2), None, -1), (1, 2),
]  # fmt: skip


@pytest.mark.parametrize("rows", [4, None])
@pytest.mark.parametrize("index", INDICES, ids=str)
def test_indices_are_those_of_numpy(index: Any, rows: int | None) -> None:
    dimension = tir.SizeVar("n", "int32") if rows is None else rows
    x = relay.Var("x", Tensor((dimension, 5), "int32"))
    func = relay.Function([x], relay.Block([], x[index]))
    value = np.arange(20, dtype="int32").reshape(4, 5)
    result = relay.evaluate(func, value)
    assert np.array_equal(result, value[index])


def test_indices_may_be_expressions_of_dimensions() -> None:
    n = tir.SizeVar("n", "int32")
    x = relay.Var("x", Tensor((n, 5), "int32"))
    func = relay.Function([x], relay.Block([], relay.Tuple([x[n - 2], x[n - 3 :]])))
    value = np.arange(20, dtype="int32").reshape(4, 5)
    row, rows = relay.evaluate(func, value)
    assert np.array_equal(row, value[2])
    assert np.array_equal(rows, value[1:])


@pytest.mark.parametrize(
    ("index", "error", "message"),
    [
        ((0, 0, 0), ValueError, "too many indices: the tensor has rank 2"),
        (2, ValueError, "index 2 is out of range for axis 0 of extent 2"),
        ((0, -4), ValueError, "index -4 is out of range for axis 1 of extent 3"),
        (slice(None, None, 0), ValueError, "the step of a slice must be an integer other than 0"),
        ((..., ...), ValueError, "an index must have at most one `...`"),
        (True, TypeError, "an index must be an integer, an expression of dimensions or a slice"),
        (Y, TypeError, "`relay.take` and `relay.gather` take tensors"),
    ],
    ids=str,
)
def test_wrong_indices(index: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=re.escape(message)):
        X[index]
