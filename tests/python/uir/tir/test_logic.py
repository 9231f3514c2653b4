"""Comparisons and logic: results that are booleans."""

from __future__ import annotations

from typing import Any

import pytest

from uir import tir
from uir.tir import CmpOp, LogicalOp, Not

from ..support import FLAG, I64, TRUE, X, refuses, vector

COMPARISONS = [tir.EQ, tir.NE, tir.LT, tir.LE, tir.GT, tir.GE]


@pytest.mark.parametrize("kind", COMPARISONS)
def test_comparisons_are_boolean(kind: Any) -> None:
    assert kind(X, X).dtype == "bool"
    assert kind(FLAG, FLAG).dtype == "bool"
    assert kind(vector(4), vector(4)).dtype == "boolx4"
    assert isinstance(kind(X, X), CmpOp)


@pytest.mark.parametrize("kind", COMPARISONS)
def test_operands_of_comparisons_have_one_type(kind: Any) -> None:
    with refuses(
        TypeError,
        f"{kind.__name__}: operands `a` and `b` must have the same data type, "
        'got `int32` and `int64` (a = Var(dtype=int32, name="x"), '
        "b = IntImm(dtype=int64, value=1))",
    ):
        kind(X, I64)


@pytest.mark.parametrize("kind", [tir.And, tir.Or])
def test_operands_of_logic_are_boolean(kind: Any) -> None:
    assert kind(FLAG, TRUE).dtype == "bool"
    assert kind(vector(4, TRUE), vector(4, FLAG)).dtype == "boolx4"
    assert isinstance(kind(FLAG, TRUE), LogicalOp)
    message = 'operand `a` must be a boolean, got `int32` (a = Var(dtype=int32, name="x"))'
    with refuses(TypeError, f"{kind.__name__}: {message}"):
        kind(X, FLAG)
    with pytest.raises(TypeError, match=f"^{kind.__name__}: .* got `bool` and `int32`"):
        kind(FLAG, X)
    with pytest.raises(TypeError, match=f"^{kind.__name__}: .* got `bool` and `boolx2`"):
        kind(FLAG, vector(2, FLAG))


def test_not() -> None:
    assert Not(vector(4, FLAG)).dtype == "boolx4"
    message = 'operand `a` must be a boolean, got `int32` (a = Var(dtype=int32, name="x"))'
    with refuses(TypeError, f"Not: {message}"):
        Not(X)
