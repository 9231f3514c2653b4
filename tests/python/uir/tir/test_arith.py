"""Arithmetic: operands of one type, which the result has too."""

from __future__ import annotations

from typing import Any

import pytest

from uir import tir
from uir.ir import PrimExpr
from uir.tir import Add, BinaryOp

from ..support import F32, FLAG, I32, I64, X, refuses, vector

KINDS = [
    tir.Add, tir.Sub, tir.Mul, tir.Div, tir.Mod, tir.FloorDiv, tir.FloorMod, tir.Min, tir.Max,
]  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_the_result_has_the_type_of_the_operands(kind: Any) -> None:
    operands: list[PrimExpr] = [I32, I64, F32, vector(4)]
    for operand in operands:
        node = kind(operand, operand)
        assert node.dtype == operand.dtype
        assert isinstance(node, BinaryOp)


@pytest.mark.parametrize("kind", KINDS)
def test_operands_have_one_type(kind: Any) -> None:
    with refuses(
        TypeError,
        f"{kind.__name__}: operands `a` and `b` must have the same data type, "
        'got `int32` and `int64` (a = Var(dtype=int32, name="x"), '
        "b = IntImm(dtype=int64, value=1))",
    ):
        kind(X, I64)
    with pytest.raises(TypeError, match="got `int32` and `int32x4`"):
        kind(X, vector(4))


@pytest.mark.parametrize("kind", KINDS)
def test_operands_are_numbers(kind: Any) -> None:
    with refuses(
        TypeError,
        f"{kind.__name__}: operand `a` must be a number, got `bool` "
        '(a = Var(dtype=bool, name="flag"))',
    ):
        kind(FLAG, FLAG)


def test_operands_are_expressions() -> None:
    for operand in (1, None, "x"):
        with pytest.raises(
            TypeError, match=r"^uir.tir.Add: argument `b` must be `uir.ir.PrimExpr`"
        ):
            Add(X, operand)  # type: ignore[arg-type]


def test_the_base_is_abstract() -> None:
    with pytest.raises(TypeError, match="BinaryOp"):
        BinaryOp(X, X)  # type: ignore[call-arg]
