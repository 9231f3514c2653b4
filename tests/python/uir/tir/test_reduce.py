"""Iteration variables and reductions: tuples of one length and type."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from uir.ir import PrimExpr, Range
from uir.tir import Add, CommReducer, IterVar, IterVarType, Reduce, Var

from ..support import F32, I32, I64, TRUE, X, Y, reduce_axis, refuses, vector

F = Var("f", "float32")
X_SHOWN = 'Var(dtype=int32, name="x")'
I64_SHOWN = "IntImm(dtype=int64, value=1)"
F32_SHOWN = "FloatImm(dtype=float32, value=1.5)"
SUM = CommReducer([X], [Y], [Add(X, Y)], [I32])


def reduce(
    source: Sequence[PrimExpr] = (I32,),
    condition: PrimExpr = TRUE,
    value_index: int = 0,
    init: Sequence[PrimExpr] = (),
    **axis: Any,
) -> Reduce:
    return Reduce(SUM, [reduce_axis(**axis)], source, condition, value_index, init)


SIZES = "must have the same length, got"
REFUSALS: list[tuple[Callable[[], Any], type[BaseException], str]] = [
    (
        lambda: IterVar(F, None, IterVarType.OPAQUE),
        TypeError,
        "IterVar: operand `var` must be a scalar integer, got `float32` "
        '(var = Var(dtype=float32, name="f"))',
    ),
    (
        lambda: IterVar(X, Range(I64, I64), IterVarType.OPAQUE),
        TypeError,
        "IterVar: operands `var` and `dom.min` must have the same data type, got `int32` and "
        f"`int64` (var = {X_SHOWN}, dom.min = {I64_SHOWN})",
    ),
    (
        lambda: CommReducer([X, Y], [Y], [X], [I32]),
        ValueError,
        f"CommReducer: `lhs` and `result` {SIZES} 2 and 1",
    ),
    (
        lambda: CommReducer([X], [], [X], [I32]),
        ValueError,
        f"CommReducer: `rhs` and `result` {SIZES} 0 and 1",
    ),
    (
        lambda: CommReducer([X], [Y], [X], []),
        ValueError,
        f"CommReducer: `identity_element` and `result` {SIZES} 0 and 1",
    ),
    (
        lambda: CommReducer([F], [Y], [X], [I32]),
        TypeError,
        "CommReducer: operands `result` and `lhs` must have the same data type, got `int32` and "
        f'`float32` (result = {X_SHOWN}, lhs = Var(dtype=float32, name="f"))',
    ),
    (
        lambda: CommReducer([X], [F], [X], [I32]),
        TypeError,
        "CommReducer: operands `result` and `rhs` must have the same data type, got `int32` and "
        f'`float32` (result = {X_SHOWN}, rhs = Var(dtype=float32, name="f"))',
    ),
    (
        lambda: CommReducer([X], [Y], [X], [F32]),
        TypeError,
        "CommReducer: operands `result` and `identity_element` must have the same data type, got "
        f"`int32` and `float32` (result = {X_SHOWN}, identity_element = {F32_SHOWN})",
    ),
    (
        lambda: reduce([I32, I32]),
        ValueError,
        f"Reduce: `source` and `combiner.result` {SIZES} 2 and 1",
    ),
    (
        lambda: reduce(init=[I32, I32]),
        ValueError,
        f"Reduce: `init` and `combiner.result` {SIZES} 2 and 1",
    ),
    (
        lambda: reduce([F32]),
        TypeError,
        "Reduce: operands `source` and `combiner.result` must have the same data type, got "
        f"`float32` and `int32` (source = {F32_SHOWN}, combiner.result = Add(dtype=int32, "
        f'a={X_SHOWN}, b=Var(dtype=int32, name="y")))',
    ),
    (
        lambda: reduce(init=[I64]),
        TypeError,
        "Reduce: operands `source` and `init` must have the same data type, got `int32` and "
        f"`int64` (source = IntImm(dtype=int32, value=1), init = {I64_SHOWN})",
    ),
    (
        lambda: reduce(condition=X),
        TypeError,
        "Reduce: operand `condition` must be a scalar boolean, got `int32` "
        f"(condition = {X_SHOWN})",
    ),
    (
        lambda: reduce(iter_type=IterVarType.DATA_PAR),
        ValueError,
        "Reduce: `axis` must be of `IterVarType.COMM_REDUCE`, `x` is not",
    ),
    *(
        (
            lambda value_index=value_index: reduce(value_index=value_index),
            ValueError,
            "Reduce: `value_index` must be at least 0 and below 1, the values of `combiner`, "
            f"got {value_index}",
        )
        for value_index in (-1, 1)
    ),
]


@pytest.mark.parametrize(("make", "error", "message"), REFUSALS)
def test_operands_that_do_not_fit(
    make: Callable[[], Any], error: type[BaseException], message: str
) -> None:
    with refuses(error, message):
        make()


def test_a_reduction_has_the_type_of_its_value() -> None:
    assert reduce().dtype == "int32"
    assert reduce([X], init=[I32]).dtype == "int32"


def test_a_condition_is_scalar() -> None:
    with pytest.raises(TypeError, match="`condition` must be a scalar boolean, got `boolx4`"):
        reduce(condition=vector(4, TRUE))


def test_an_axis_may_have_no_range_yet() -> None:
    assert reduce_axis().dom is None
    assert reduce_axis(thread_tag="threadIdx.x").thread_tag == "threadIdx.x"
    assert reduce_axis().iter_type is IterVarType.COMM_REDUCE
