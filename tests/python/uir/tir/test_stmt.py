"""Statements: operands that fit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from uir.ir import IntImm, PrimExpr, StringImm
from uir.tir import (
    AssertStmt,
    AttrStmt,
    Bind,
    Block,
    BlockRealize,
    Evaluate,
    For,
    ForKind,
    IfThenElse,
    SeqStmt,
    Stmt,
    Var,
    While,
    flatten_seq,
)

from ..support import F32, FLAG, I32, I64, TRUE, X, reduce_axis, refuses, vector

NOTHING = Evaluate(I32)
X_SHOWN = 'Var(dtype=int32, name="x")'
I64_SHOWN = "IntImm(dtype=int64, value=1)"
CONDITION = (
    "operand `condition` must be a scalar boolean, got `int32` "
    f"(condition = {X_SHOWN})"
)  # fmt: skip


def loop(
    var: Var = X,
    min: PrimExpr = I32,
    extent: PrimExpr = I32,
    kind: ForKind = ForKind.SERIAL,
    **options: Any,
) -> For:
    return For(var, min, extent, kind, NOTHING, **options)


def block(*axes: Any) -> Block:
    return Block(axes, [], [], "B", NOTHING)


REFUSALS: list[tuple[Callable[[], Any], type[BaseException], str]] = [
    (
        lambda: Bind(X, I64),
        TypeError,
        "Bind: operands `var` and `value` must have the same data type, got `int32` and `int64` "
        f"(var = {X_SHOWN}, value = {I64_SHOWN})",
    ),
    (
        lambda: AttrStmt(None, "", I32, NOTHING),
        ValueError,
        "AttrStmt: `attr_key` must not be empty",
    ),
    (lambda: AssertStmt(StringImm("E"), X), TypeError, f"AssertStmt: {CONDITION}"),
    (
        lambda: AssertStmt(StringImm("E"), TRUE, [StringImm("x"), F32]),
        TypeError,
        "AssertStmt: operand `message_parts[1]` must be a string or a scalar integer, got "
        "`float32` (message_parts[1] = FloatImm(dtype=float32, value=1.5))",
    ),
    (lambda: AssertStmt(StringImm(""), TRUE), ValueError, "AssertStmt: `kind` must not be empty"),
    (lambda: IfThenElse(X, NOTHING), TypeError, f"IfThenElse: {CONDITION}"),
    (lambda: While(X, NOTHING), TypeError, f"While: {CONDITION}"),
    (
        lambda: SeqStmt([NOTHING, SeqStmt([])]),
        ValueError,
        "SeqStmt: `seq` must not hold another `SeqStmt`; `flatten_seq` takes such a list",
    ),
    (
        lambda: loop(Var("f", "float32"), F32, F32),
        TypeError,
        "For: operand `loop_var` must be a scalar integer, got `float32` "
        '(loop_var = Var(dtype=float32, name="f"))',
    ),
    (
        lambda: loop(min=I64),
        TypeError,
        "For: operands `loop_var` and `min` must have the same data type, got `int32` and `int64` "
        f"(loop_var = {X_SHOWN}, min = {I64_SHOWN})",
    ),
    (
        lambda: loop(extent=I64),
        TypeError,
        "For: operands `loop_var` and `extent` must have the same data type, got `int32` and "
        f"`int64` (loop_var = {X_SHOWN}, extent = {I64_SHOWN})",
    ),
    (
        lambda: loop(step=I64),
        TypeError,
        "For: operands `loop_var` and `step` must have the same data type, got `int32` and "
        f"`int64` (loop_var = {X_SHOWN}, step = {I64_SHOWN})",
    ),
    *(
        (
            lambda step=step: loop(step=IntImm("int32", step)),
            ValueError,
            f"For: `step` must be positive, got {step}",
        )
        for step in (0, -1)
    ),
    *(
        (
            lambda options=options: loop(**options),
            ValueError,
            "For: `thread_binding` must be given with `ForKind.THREAD_BINDING`, and only then "
            "(loop_var = x)",
        )
        for options in (
            {"kind": ForKind.THREAD_BINDING},
            {"kind": ForKind.PARALLEL, "thread_binding": reduce_axis()},
        )
    ),
    (
        lambda: BlockRealize([I32], TRUE, block()),
        ValueError,
        "BlockRealize: `iter_values` and `block.iter_vars` must have the same length, got 1 and 0",
    ),
    (
        lambda: BlockRealize([I64], TRUE, block(reduce_axis())),
        TypeError,
        "BlockRealize: operands `iter_values` and `block.iter_vars` must have the same data type, "
        f"got `int64` and `int32` (iter_values = {I64_SHOWN}, block.iter_vars = {X_SHOWN})",
    ),
    (
        lambda: BlockRealize([], X, block()),
        TypeError,
        "BlockRealize: operand `predicate` must be a scalar boolean, got `int32` "
        f"(predicate = {X_SHOWN})",
    ),
]


@pytest.mark.parametrize(("make", "error", "message"), REFUSALS)
def test_operands_that_do_not_fit(
    make: Callable[[], Any], error: type[BaseException], message: str
) -> None:
    with refuses(error, message):
        make()


@pytest.mark.parametrize(
    "make",
    [
        lambda condition: IfThenElse(condition, NOTHING),
        lambda condition: While(condition, NOTHING),
        lambda condition: AssertStmt(StringImm("E"), condition),
        lambda condition: BlockRealize([], condition, block()),
    ],
)
def test_conditions_are_scalar(make: Callable[[PrimExpr], Any]) -> None:
    assert make(FLAG) is not None
    with pytest.raises(TypeError, match=r"must be a scalar boolean, got `boolx4`"):
        make(vector(4, FLAG))


@pytest.mark.parametrize(
    ("extent", "step", "count"),
    [
        (8, None, 8), (0, None, 0), (-3, None, 0), (8, 3, 3), (9, 3, 3), (10, 3, 4), (1, 100, 1),
        (2**31 - 1, 1, 2**31 - 1),
    ],
)  # fmt: skip
def test_trip_count(extent: int, step: int | None, count: int) -> None:
    by = None if step is None else IntImm("int32", step)
    assert loop(extent=IntImm("int32", extent), step=by).trip_count() == count


def test_trip_count_at_the_limit() -> None:
    most = IntImm("int64", 2**63 - 1)
    wide = For(Var("i", "int64"), I64, most, ForKind.SERIAL, NOTHING, step=IntImm("int64", 2))
    assert wide.trip_count() == 2**62


def test_trip_count_that_is_not_known() -> None:
    assert loop(extent=X).trip_count() is None
    assert loop(step=Var("s")).trip_count() is None


def test_kinds() -> None:
    bound = loop(kind=ForKind.THREAD_BINDING, thread_binding=reduce_axis())
    assert bound.kind is ForKind.THREAD_BINDING
    assert loop(kind=ForKind(1)).kind is ForKind.PARALLEL
    for kind in (-1, 5, 2**32):
        with pytest.raises(ValueError, match=f"must be a member of .*ForKind.*, not {kind}$"):
            loop(kind=kind)  # type: ignore[arg-type]


def test_flatten_seq() -> None:
    one, two, three = (Evaluate(IntImm("int32", value)) for value in range(3))
    nested = flatten_seq([one, SeqStmt([two, three]), SeqStmt([])])
    assert isinstance(nested, SeqStmt)
    assert [stmt.same_as(other) for stmt, other in zip(nested.seq, (one, two, three), strict=True)]
    assert flatten_seq([SeqStmt([]), two]).same_as(two)
    empty = flatten_seq([])
    assert isinstance(empty, SeqStmt) and len(empty.seq) == 0


def test_the_base_is_abstract() -> None:
    with pytest.raises(TypeError, match="Stmt"):
        Stmt()
