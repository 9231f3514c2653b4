"""Tensor expressions: placeholders, computations, reductions, statements, and their errors."""

from __future__ import annotations

from typing import Any

import pytest

from uir import te, tir
from uir.ir import IntImm, PrimExpr, structural_equal
from uir.te import ComputeOp, ExternOp, PlaceholderOp, Tensor
from uir.tir import IterVarType, ProducerLoad, Reduce, Var

from ..support import refuses

A = te.placeholder((4, 8), name="A")
V = te.placeholder(8, "int32", "V")


def values(exprs: Any) -> list[int]:
    assert all(isinstance(expr, IntImm) for expr in exprs)
    return [expr.value for expr in exprs]


def test_a_placeholder() -> None:
    assert isinstance(A.op, PlaceholderOp)
    assert (A.name, A.dtype, A.ndim, A.value_index) == ("A", "float32", 2, 0)
    assert values(A.shape) == [4, 8]
    assert values(V.shape) == [8]


def test_graphs_are_equal_if_they_share_the_same() -> None:
    b, c = te.placeholder((4, 8), name="B"), te.placeholder((4, 8), name="C")

    def total(x: Tensor, y: Tensor) -> Tensor:
        return te.compute((4, 8), lambda i, j: x[i, j] + y[i, j])

    assert structural_equal(total(b, c), total(A, b))
    assert structural_equal(total(b, b), total(c, c))
    assert not structural_equal(total(b, c), total(b, b))


def test_a_computation_has_the_names_of_its_indices() -> None:
    b = te.compute((8, 4), lambda row, col: A[col, row] * 2.0, name="B", tag="scale")
    assert isinstance(b.op, ComputeOp)
    assert [axis.var.name for axis in b.op.axis] == ["row", "col"]
    assert (b.name, b.dtype, b.op.tag) == ("B", "float32", "scale")
    assert values(b.shape) == [8, 4]
    assert [tensor.same_as(A) for tensor in b.op.input_tensors] == [True]
    load = b(0, 1)
    assert isinstance(load, ProducerLoad)
    assert load.producer.same_as(b)


def test_indices_of_any_number() -> None:
    b = te.compute((4, 8), lambda *i: A(*i))
    assert isinstance(b.op, ComputeOp)
    assert [axis.var.name for axis in b.op.axis] == ["i0", "i1"]
    for function, taken in ((lambda i: A[i, 0], 1), (lambda: 0.0, 0)):
        with refuses(
            ValueError,
            f"compute: `fcompute` must take 2 indices, one for each dimension, it takes {taken}",
        ):
            te.compute((4, 8), function)  # type: ignore[arg-type]


def test_unknown_extents() -> None:
    n = te.var("n", "int64")
    b = te.compute((n,), lambda i: i, name="B")
    assert b.dtype == "int64"
    assert b.shape[0].same_as(n)
    assert te.size_var("m").dtype == "int32"


def test_several_results() -> None:
    low, high = te.compute((8,), lambda i: [V[i] - 1, V[i] + 1], name="both")
    assert [low.name, high.name] == ["both_0", "both_1"]
    assert low.op.same_as(high.op)
    assert low.op.num_outputs == 2
    assert low.op.output(1).value_index == 1
    with refuses(
        ValueError,
        "Tensor: `value_index` must be at least 0 and below 2, the results of `both`, got 2",
    ):
        Tensor(low.op, 2)


@pytest.mark.parametrize("kind", ["sum", "prod", "min", "max"])
@pytest.mark.parametrize("dtype", ["int8", "int32", "float32"])
def test_reductions(kind: str, dtype: str) -> None:
    source = te.placeholder(8, dtype)
    k = te.reduce_axis((2, 8), "k")
    made = getattr(te, kind)(source[k.var], k, where=k.var < 4, init=3)
    assert isinstance(made, Reduce)
    assert made.dtype == dtype
    assert values([k.dom.extent]) == [6]  # type: ignore[union-attr]
    assert len(made.init) == 1
    expected = {
        "sum": tir.const(0, dtype), "prod": tir.const(1, dtype),
        "min": tir.max_value(dtype), "max": tir.min_value(dtype),
    }[kind]  # fmt: skip
    assert structural_equal(made.combiner.identity_element[0], expected)


def test_a_reduction_of_one_s_own() -> None:
    def pick(a: Any, b: Any) -> list[PrimExpr]:
        first = a[1] >= b[1]
        return [tir.select(first, a[0], b[0]), tir.select(first, a[1], b[1])]

    argmax = te.comm_reducer(pick, lambda *types: (-1, tir.min_value(types[1])), "argmax")
    k = te.reduce_axis(8)
    index, value = te.compute((), lambda: argmax((k.var, V[k.var]), k), name="argmax")
    assert (index.dtype, value.dtype) == ("int32", "int32")
    bits = te.comm_reducer(lambda a, b: a | b, lambda dtype: 0)
    assert te.compute((), lambda: bits(V[k.var], k)).dtype == "int32"  # type: ignore[arg-type, return-value]


def test_numbers_get_the_data_type_of_what_is_reduced() -> None:
    total = te.comm_reducer(lambda a, b: a + b, lambda _dtype: 0)
    k = te.reduce_axis(8)
    made = total(A[0, k.var], k, init=1)
    assert isinstance(made, Reduce)
    assert [value.dtype for value in (*made.init, *made.combiner.identity_element)] == [
        "float32",
        "float32",
    ]
    with pytest.raises(TypeError, match="`source` and `init` must have the same data type"):
        total(A[0, k.var], k, init=tir.const(1))
    with refuses(ValueError, "reduce: `init` must have 1 values, got 2"):
        total(A[0, k.var], k, init=[1, 2])


def test_reductions_stand_alone() -> None:
    k = te.reduce_axis(8)
    with pytest.raises(ValueError, match="a reduction must be a whole element, but in `B`"):
        te.compute((4,), lambda i: te.sum(A[i, k.var], k) + 1.0, name="B")
    with pytest.raises(ValueError, match="`body` of `B` must be the values of one reduction"):
        te.compute((4,), lambda i: [A[i, 0], te.sum(A[i, k.var], k)], name="B")
    data_par = te.thread_axis(8, "threadIdx.x")
    assert data_par.iter_type is IterVarType.THREAD_INDEX
    assert te.thread_axis(None, "threadIdx.x").dom is None
    with pytest.raises(ValueError, match=r"`axis` must be of `IterVarType.COMM_REDUCE`"):
        te.sum(V[data_par.var], data_par)


def test_errors_of_reads_name_the_operands() -> None:
    with pytest.raises(ValueError, match="`producer.shape` and `indices` must have the same"):
        A[0]
    with pytest.raises(TypeError, match=r"operand `indices\[0\]` must be a scalar integer"):
        V[tir.const(1.5)]
    with pytest.raises(TypeError, match=r"operand `shape\[0\]` must be a scalar integer"):
        te.placeholder((1.5,))


def test_a_statement_computes() -> None:
    made = te.extern(
        (4, 8), [A], lambda ins, outs: tir.call_packed("copy", ins[0].data, outs[0].data), "C"
    )
    assert isinstance(made, Tensor)
    assert isinstance(made.op, ExternOp)
    assert (made.name, made.dtype) == ("C", "float32")
    two = te.extern(
        [(4,), (8,)], [A, V], lambda ins, outs: tir.call_packed("f"), dtype=["int8", "int32"]
    )
    assert isinstance(two, list)
    assert [tensor.dtype for tensor in two] == ["int8", "int32"]
    with refuses(ValueError, "extern: `dtype` must be given, as the inputs have 2 data types"):
        te.extern((4,), [A, V], lambda ins, outs: tir.call_packed("f"))
    with refuses(ValueError, "extern: `dtype` must have 2 entries, got 1"):
        te.extern([(4,), (8,)], [A], lambda ins, outs: tir.call_packed("f"), dtype=["int8"])


def test_axes_start_at_zero() -> None:
    axis = te.reduce_axis(8)
    with pytest.raises(ValueError, match="`axis` of `B` must be of `IterVarType.DATA_PAR`"):
        ComputeOp("B", [axis], [tir.const(1)])
    late = tir.IterVar(Var("i"), te.reduce_axis((2, 8)).dom, IterVarType.DATA_PAR)
    with pytest.raises(ValueError, match="the ranges of `axis` of `B` must start at 0"):
        ComputeOp("B", [late], [tir.const(1)])
    with refuses(ValueError, "ComputeOp: `body` of `B` must not be empty"):
        ComputeOp("B", [], [])
