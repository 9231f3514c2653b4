"""Functions of tensor expressions: what they compute is what numpy computes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tschema.runtime import post_order
from uir import te, tir
from uir.ir import IRModule, PrimExpr, verify
from uir.te import Tensor
from uir.tir import AllocBuffer, PrimFunc, Var

from ...support.interpreter import run
from ..support import refuses

RNG = np.random.default_rng(7)


def numbers(*shape: int) -> Any:
    return RNG.integers(-9, 9, shape).astype("float32")


def compute(args: list[Tensor | Var], *given: Any) -> list[Any]:
    """Run the function of some tensors; return its arguments as it leaves them."""
    func = te.create_prim_func(args)
    assert list(verify(IRModule.from_func(func))) == []
    run(func, *given)
    return list(given)


def test_te_add_one() -> None:
    # The function of the RFC "Unified IR".
    n = te.var("n")
    a = te.placeholder((n,), name="A")
    b = te.compute((n,), lambda i: a[i] + 1.0, name="B")
    func = te.create_prim_func([a, b], "te_add_one")
    assert func.get_attr("global_symbol") == "te_add_one"
    assert [param.name for param in func.params] == ["A_handle", "B_handle"]
    assert [func.buffer_map[param].name for param in func.params] == ["A", "B"]
    given, out = numbers(10), np.zeros(10, "float32")
    run(func, given, out)
    np.testing.assert_array_equal(out, given + 1)


def test_matrix_product() -> None:
    a, b = te.placeholder((4, 6), name="A"), te.placeholder((6, 5), name="B")
    k = te.reduce_axis(6, "k")
    c = te.compute((4, 5), lambda i, j: te.sum(a[i, k] * b[k, j], k), name="C")
    x, y = numbers(4, 6), numbers(6, 5)
    out = compute([a, b, c], x, y, np.full((4, 5), 99, "float32"))[2]
    np.testing.assert_array_equal(out, x @ y)


def test_a_reduction_over_no_axes_combines_each_value_once() -> None:
    a, x = te.placeholder((4,), name="A"), numbers(4)

    def reduced(reduce: Any, **options: Any) -> Any:
        b = te.compute((4,), lambda i: reduce(a[i], [], **options), name="B")
        return compute([a, b], x, np.zeros(4, "float32"))[1]

    np.testing.assert_array_equal(reduced(te.sum), np.sum(x, axis=()))
    np.testing.assert_array_equal(reduced(te.max, init=2), np.max(x, axis=(), initial=2))
    never = tir.const(False)
    np.testing.assert_array_equal(reduced(te.prod, where=never), np.ones(4))


def test_what_is_computed_on_the_way_is_allocated() -> None:
    a = te.placeholder((4, 6), name="A")
    k = te.reduce_axis(6, "k")
    total = te.compute((4,), lambda i: te.sum(a[i, k.var], k), name="total")
    mean = te.compute((4,), lambda i: total[i] / 6.0, name="mean")
    centred = te.compute((4, 6), lambda i, j: a[i, j] - mean[i], name="centred")
    func = te.create_prim_func([a, centred])
    assert isinstance(func.body, tir.SeqStmt)
    allocated = [stmt.buffer.name for stmt in func.body.seq if isinstance(stmt, AllocBuffer)]
    assert allocated == ["total", "mean"]
    x = numbers(4, 6)
    out = compute([a, centred], x, np.zeros((4, 6), "float32"))[1]
    np.testing.assert_allclose(out, x - x.mean(axis=1, keepdims=True), rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("kind", ["sum", "prod", "min", "max"])
def test_reductions_over_several_axes_with_a_condition(kind: str) -> None:
    a = te.placeholder((3, 4), "int32", "A")
    i, j = te.reduce_axis(3, "i"), te.reduce_axis((1, 4), "j")
    reduced = getattr(te, kind)
    out = te.compute((), lambda: reduced(a[i.var, j.var], [i, j], where=i.var < j.var, init=2))
    x = RNG.integers(-5, 5, (3, 4)).astype("int32")
    made = compute([a, out], x, np.zeros((), "int32"))[1]
    chosen = [x[p, q] for p in range(3) for q in range(1, 4) if p < q]
    expected = {"sum": sum, "prod": np.prod, "min": min, "max": max}[kind]([2, *chosen])
    assert made == expected


def test_a_reduction_of_pairs() -> None:
    def pick(a: Any, b: Any) -> Any:
        first = tir.any(a[1] > b[1], tir.all(tir.equal(a[1], b[1]), a[0] < b[0]))
        return [tir.select(first, a[0], b[0]), tir.select(first, a[1], b[1])]

    argmax = te.comm_reducer(pick, lambda *types: (99, tir.min_value(types[1])))
    a = te.placeholder((5, 7), "int32", "A")
    k = te.reduce_axis(7, "k")
    index, value = te.compute((5,), lambda i: argmax((k.var, a[i, k.var]), k), name="best")  # type: ignore[misc, arg-type, return-value]
    x = RNG.integers(-5, 5, (5, 7)).astype("int32")
    made = compute([a, index, value], x, np.zeros(5, "int32"), np.zeros(5, "int32"))
    np.testing.assert_array_equal(made[1], x.argmax(axis=1))
    np.testing.assert_array_equal(made[2], x.max(axis=1))


def test_several_results_one_of_them_unasked_for() -> None:
    a = te.placeholder((4,), "int32", "A")
    low, high = te.compute((4,), lambda i: [a[i] - 1, a[i] + 1], name="both")
    x = np.arange(4, dtype="int32")
    made = compute([a, high], x, np.zeros(4, "int32"))
    np.testing.assert_array_equal(made[1], x + 1)
    assert low.name == "both_0"


def test_a_statement_in_between() -> None:
    def reverse(ins: Any, outs: Any) -> tir.Stmt:
        ib = tir.builder()
        with ib.for_range(6) as i:
            ib.store(outs[0], i, ins[0][5 - i])
        return ib.get()

    a = te.placeholder((6,), name="A")
    b = te.compute((6,), lambda i: a[i] * 2.0, name="B")
    c = te.extern((6,), [b], reverse, "C")
    assert isinstance(c, Tensor)
    d = te.compute((6,), lambda i: c[i] + 1.0, name="D")
    x = numbers(6)
    made = compute([a, d], x, np.zeros(6, "float32"))[1]
    np.testing.assert_array_equal(made, x[::-1] * 2 + 1)


def test_variables_are_parameters_too() -> None:
    scale, n = te.var("scale", "float32"), te.var("n")
    a = te.placeholder((n,), name="A")
    b = te.compute((n,), lambda i: a[i] * scale, name="B")
    func = te.create_prim_func([scale, a, b])
    assert func.params[0].same_as(scale)
    x, out = numbers(5), np.zeros(5, "float32")
    run(func, 3.0, x, out)
    np.testing.assert_array_equal(out, x * 3)


def test_two_functions_of_one_graph_share_no_variable() -> None:
    a = te.placeholder((4,), name="A")
    b = te.compute((4,), lambda i: a[i] + 1.0, name="B")
    one, other = te.create_prim_func([a, b]), te.create_prim_func([a, b])
    assert isinstance(one.body, tir.For)
    assert isinstance(other.body, tir.For)
    assert not one.body.loop_var.same_as(other.body.loop_var)
    assert not one.params[0].same_as(other.params[0])


def test_a_long_chain() -> None:
    a = te.placeholder((2,), name="A")
    last = a
    for _ in range(2000):
        last = te.compute((2,), lambda i, before=last: before[i] + 1.0)
    func = te.create_prim_func([a, last])
    assert isinstance(func, PrimFunc)
    assert isinstance(func.body, tir.SeqStmt)
    assert len(func.body.seq) == 1999 + 2000


def test_arguments_that_are_wrong() -> None:
    a = te.placeholder((4,), name="A")
    b = te.compute((4,), lambda i: a[i] + 1.0, name="B")
    with refuses(ValueError, "create_prim_func: placeholder `A` is read and must be among `args`"):
        te.create_prim_func([b])
    with refuses(ValueError, "create_prim_func: `args` has tensor `A` twice"):
        te.create_prim_func([a, a, b])
    with refuses(
        TypeError, "create_prim_func: `args` must be tensors and variables, got `uir.ir.IntImm`"
    ):
        te.create_prim_func([tir.const(1)])  # type: ignore[list-item]


def test_shared_expressions_are_lowered_once() -> None:
    """Sixty sums of a sum with itself: 2 ** 60 places, 61 objects."""
    a = te.placeholder((4,), "int32", name="A")

    def body(i: Var) -> PrimExpr:
        value: PrimExpr = a[i]
        for _ in range(60):
            value = tir.add(value, value)
        return value

    func = te.create_prim_func([a, te.compute((4,), body)])
    sums = {node.__chandle__() for node in post_order(func.body, tir.Add)}
    assert len(sums) == 60


def test_a_reduction_over_shared_expressions() -> None:
    a = te.placeholder((3, 4), name="A")
    k = te.reduce_axis((0, 4), name="k")

    def body(i: Var) -> PrimExpr:
        square = a[i, k.var] * a[i, k.var]
        return te.sum(square + square, [k])

    given = numbers(3, 4)
    _, found = compute([a, te.compute((3,), body)], given, np.zeros(3, "float32"))
    assert np.allclose(found, 2 * (given**2).sum(axis=1))
