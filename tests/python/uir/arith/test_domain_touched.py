"""What statements access of a buffer: at least what their accesses touch when they run."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from uir import arith, ir, tir
from uir.tir import BufferLoad, BufferStore, ForKind, IfThenElse, SeqStmt, const, flatten_seq

from .evaluate import evaluate, evaluator

X, Y, N = tir.Var("i"), tir.Var("j"), tir.SizeVar("n")
A = tir.decl_buffer((64, N), "int32", name="A")
B = tir.decl_buffer((64, N), "int32", name="B")
V = tir.decl_buffer((256,), "int32", name="V")


def loop(var: tir.Var, extent: int | ir.PrimExpr, body: tir.Stmt) -> tir.Stmt:
    count = const(extent) if isinstance(extent, int) else extent
    return tir.For(var, const(0), count, ForKind.SERIAL, body)


def ends(sets: object) -> list[tuple[str, str]]:
    return [(str(dim.min_value), str(dim.max_value)) for dim in sets]  # type: ignore[attr-defined]


def test_loads_and_stores_of_a_loop_nest() -> None:
    value = BufferLoad(B, [X - 1, Y + 1]) + BufferLoad(A, [X - 1, Y - 1])
    nest = loop(X, 64, loop(Y, N, BufferStore(A, value, [X, Y])))
    assert ends(arith.domain_touched(nest, A, True, False)) == [("-1", "62"), ("-1", "n - 2")]
    assert ends(arith.domain_touched(nest, A, False, True)) == [("0", "63"), ("0", "n - 1")]
    assert ends(arith.domain_touched(nest, A)) == [("-1", "63"), ("-1", "n - 1")]
    assert ends(arith.domain_touched(nest, B)) == [("-1", "62"), ("1", "n")]
    assert len(arith.domain_touched(nest, B, False, True)) == 0


def store(index: ir.PrimExpr) -> tir.Stmt:
    return BufferStore(V, const(1), [index])


def test_conditions_count() -> None:
    guarded = loop(X, 28, loop(Y, 8, IfThenElse(X * 8 + Y < 220, store(X * 8 + Y))))
    assert ends(arith.domain_touched(guarded, V)) == [("0", "219")]
    other = loop(X, 28, IfThenElse(X < 3, store(X), store(X + 100)))
    assert ends(arith.domain_touched(other, V)) == [("0", "127")]
    assert ends(arith.domain_touched(loop(X, 28, IfThenElse(X < 3, store(X))), V)) == [("0", "2")]
    # What memory holds may have changed by the time of the access.
    loaded = BufferLoad(V, [const(0)]) < const(4)
    body = SeqStmt([store(const(0)), store(BufferLoad(V, [const(0)]))])
    (touched,) = arith.domain_touched(IfThenElse(loaded, body), V, False, True)
    assert touched.max_value is None or evaluate(touched.max_value, {}) > 255


def test_bound_variables_have_their_values() -> None:
    x = tir.Var("x")
    bound = loop(X, 8, SeqStmt([tir.Bind(x, X * 4 + 1), store(x)]))
    assert ends(arith.domain_touched(bound, V)) == [("1", "29")]
    let = loop(X, 8, store(tir.Let(x, X * 2, x + 1)))
    assert ends(arith.domain_touched(let, V)) == [("1", "15")]
    loaded = SeqStmt([tir.Bind(x, BufferLoad(V, [const(3)])), store(x)])
    assert ends(arith.domain_touched(loaded, V, False, True)) == [("None", "None")]
    nothing = loop(X, 0, store(X))
    assert len(arith.domain_touched(nothing, V)) == 0


def test_blocks_vectors_and_addresses() -> None:
    vi = tir.IterVar(tir.Var("vi"), ir.Range(const(0), const(32)), tir.IterVarType.DATA_PAR)
    block = tir.Block([vi], [], [], "b", store(vi.var * 2))
    realize = tir.BlockRealize([X * 4 + Y], X < 7, block)
    nest = loop(X, 8, loop(Y, 4, realize))
    assert ends(arith.domain_touched(nest, V)) == [("0", "54")]
    ramp = tir.Ramp(X * 8, const(2), 4)
    lanes = loop(X, 8, BufferStore(V, tir.Broadcast(const(1), 4), [ramp]))
    (touched,) = arith.domain_touched(lanes, V)
    assert ends([touched]) == [("0", "62")]
    pointer = tir.Evaluate(tir.call_extern("int32", "use", V.data))
    assert ends(arith.domain_touched(pointer, V)) == [("0", "255")]
    assert len(arith.domain_touched(tir.DeclBuffer(V), V)) == 0


def test_shared_statements_take_linear_time() -> None:
    body = store(X)
    for _ in range(60):
        body = IfThenElse(X < 9, SeqStmt([body, body]))
    assert ends(arith.domain_touched(loop(X, 12, body), V)) == [("0", "8")]


def test_one_kind_of_access_counts() -> None:
    with pytest.raises(ValueError, match="`consider_loads` or `consider_stores` must be True"):
        arith.domain_touched(store(X), V, False, False)


Run = Callable[[dict[tir.Var, int]], set[int]]


def index_of(draw: random.Random, variables: list[tir.Var]) -> ir.PrimExpr:
    """Return a random index."""
    expr: ir.PrimExpr = const(draw.randint(0, 9))
    for var in draw.sample(variables, min(len(variables), draw.randint(0, 2))):
        expr = expr + var * draw.choice([1, 2, 3, -1])
    kind = draw.randrange(4)
    if kind == 0:
        return expr // draw.choice([2, 3])
    return expr % draw.choice([4, 5]) if kind == 1 else expr


def program(draw: random.Random, variables: list[tir.Var], depth: int) -> tuple[tir.Stmt, Run]:
    """Return a random statement, and what it stores to for values of the variables."""
    kind = draw.randrange(4) if depth > 0 else 3
    if kind == 0:
        var = tir.Var(f"v{len(variables)}")
        low, count = draw.randint(-2, 3), draw.randint(1, 5)
        body, run = program(draw, [*variables, var], depth - 1)
        nest = tir.For(var, const(low), const(count), ForKind.SERIAL, body)
        steps = range(low, low + count)
        return nest, lambda values: set().union(*(run({**values, var: i}) for i in steps))
    if kind == 1:
        condition = index_of(draw, variables) < draw.randint(1, 6)
        (then, first), (other, second) = (program(draw, variables, depth - 1) for _ in range(2))
        holds = evaluator(condition)
        return IfThenElse(
            condition, then, other
        ), lambda values: first(values) if holds(values) else second(values)
    if kind == 2:
        (before, first), (after, second) = (program(draw, variables, depth - 1) for _ in range(2))
        return flatten_seq([before, after]), lambda values: first(values) | second(values)
    index = index_of(draw, variables)
    value = evaluator(index)
    return store(index), lambda values: {int(value(values))}


def test_sets_contain_what_programs_touch() -> None:
    for seed in range(150):
        stmt, run = program(random.Random(seed), [], 4)
        touched = run({})
        sets = arith.domain_touched(stmt, V)
        assert len(sets) == 1, seed
        low, high = sets[0].min_value, sets[0].max_value
        assert low is not None and evaluate(low, {}) <= min(touched), seed
        assert high is not None and evaluate(high, {}) >= max(touched), seed
