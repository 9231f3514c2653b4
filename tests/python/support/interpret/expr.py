"""Expressions other than accesses and calls."""

from __future__ import annotations

import operator
from collections.abc import Callable
from itertools import product

from uir import tir
from uir.ir import FloatImm, IntImm, PrimExpr, StringImm

from .compiler import Compiler, Env, Eval, compiles, is_constant
from .errors import Undefined
from .numbers import (
    Value,
    fit,
    floor_div,
    floor_mod,
    lanes_of,
    lanewise,
    packed,
    trunc_div,
    trunc_mod,
)

__all__ = ["domain_of"]

_BINARY: dict[type, Callable[[Value, Value], Value]] = {
    tir.Add: operator.add,
    tir.Sub: operator.sub,
    tir.Mul: operator.mul,
    tir.Div: trunc_div,
    tir.Mod: trunc_mod,
    tir.FloorDiv: floor_div,
    tir.FloorMod: floor_mod,
    tir.Min: lambda a, b: a if a < b else b,
    tir.Max: lambda a, b: a if a > b else b,
    tir.EQ: operator.eq,
    tir.NE: operator.ne,
    tir.LT: operator.lt,
    tir.LE: operator.le,
    tir.GT: operator.gt,
    tir.GE: operator.ge,
}


_RING = (tir.Add, tir.Sub, tir.Mul)


@compiles(IntImm, FloatImm, StringImm)
def _constant(compiler: Compiler, node: IntImm | FloatImm | StringImm) -> Eval:
    value: Value = node.value if isinstance(node, StringImm) else fit(node.dtype)(node.value)
    return lambda env: value


@compiles(tir.Var, tir.SizeVar)
def _variable(compiler: Compiler, node: tir.Var) -> Eval:
    def evaluate(env: Env) -> Value:
        if node not in env:
            raise Undefined(f"variable `{node.name}` is not bound")
        return env[node]

    return evaluate


@compiles(*_BINARY)
def _binary(compiler: Compiler, node: tir.BinaryOp | tir.CmpOp) -> Eval:
    a, b = compiler.expr(node.a), compiler.expr(node.b)
    compute, wrap = _BINARY[type(node)], compiler.fit(node)
    return lambda env: lanewise(lambda x, y: wrap(compute(x, y)), a(env), b(env))


def _exact(compiler: Compiler, node: PrimExpr) -> Eval:
    """Compile a sum or a product of integers without bringing what is inside into its type."""
    if not str(node.dtype).startswith(("int", "uint")):
        return compiler.expr(node)
    if isinstance(node, tir.Ramp):
        return _lanes(compiler, node)
    if isinstance(node, tir.Broadcast):
        value = _exact(compiler, node.value)
        return lambda env: [value(env)] * node.lanes
    if type(node) not in _RING or is_constant(node):
        return compiler.expr(node)
    return _sum(compiler, node)


def _sum(compiler: Compiler, node: tir.BinaryOp) -> Eval:
    a, b, compute = _exact(compiler, node.a), _exact(compiler, node.b), _BINARY[type(node)]
    return lambda env: lanewise(compute, a(env), b(env))


@compiles(*_RING)
def _ring(compiler: Compiler, node: tir.BinaryOp) -> Eval:
    if not str(node.dtype).startswith(("int", "uint")):
        return _binary(compiler, node)
    exact, wrap = _sum(compiler, node), compiler.fit(node)
    return lambda env: lanewise(wrap, exact(env))


@compiles(tir.And, tir.Or)
def _logic(compiler: Compiler, node: tir.And | tir.Or) -> Eval:
    a, b = compiler.expr(node.a), compiler.expr(node.b)
    ends = isinstance(node, tir.Or)
    if node.dtype.lanes == 1:
        return lambda env: ends if a(env) == ends else b(env)
    return lambda env: lanewise(lambda x, y: ends if x == ends else y, a(env), b(env))


@compiles(tir.Not)
def _not(compiler: Compiler, node: tir.Not) -> Eval:
    a = compiler.expr(node.a)
    return lambda env: lanewise(operator.not_, a(env))


@compiles(tir.Cast)
def _cast(compiler: Compiler, node: tir.Cast) -> Eval:
    # A conversion truncates upper bits, which is not overflow.
    value, wrap = compiler.expr(node.value), fit(node.dtype)
    return lambda env: lanewise(wrap, value(env))


@compiles(tir.Select)
def _select(compiler: Compiler, node: tir.Select) -> Eval:
    parts = compiler.exprs([node.condition, node.true_value, node.false_value])
    return lambda env: lanewise(lambda c, x, y: x if c else y, *parts(env))


@compiles(tir.Let)
def _let(compiler: Compiler, node: tir.Let) -> Eval:
    compiler.bind(node.var, node.value)
    value, body = compiler.expr(node.value), compiler.expr(node.body)
    return lambda env: body({**env, node.var: value(env)})


@compiles(tir.Ramp)
def _ramp(compiler: Compiler, node: tir.Ramp) -> Eval:
    lanes, wrap = _lanes(compiler, node), compiler.fit(node)
    return lambda env: lanewise(wrap, lanes(env))


def _lanes(compiler: Compiler, node: tir.Ramp) -> Eval:
    base, stride = _exact(compiler, node.base), _exact(compiler, node.stride)

    def evaluate(env: Env) -> Value:
        first, step = base(env), stride(env)
        return [first + lane * step for lane in range(node.lanes)]

    return evaluate


@compiles(tir.Broadcast)
def _broadcast(compiler: Compiler, node: tir.Broadcast) -> Eval:
    value = compiler.expr(node.value)
    return lambda env: [value(env)] * node.lanes


@compiles(tir.Shuffle)
def _shuffle(compiler: Compiler, node: tir.Shuffle) -> Eval:
    vectors, indices = compiler.exprs(node.vectors), compiler.exprs(node.indices)

    def evaluate(env: Env) -> Value:
        lanes = [x for vector in vectors(env) for x in lanes_of(vector)]
        chosen = [lanes[index] for index in indices(env)]
        return packed(chosen)

    return evaluate


@compiles(tir.Reduce)
def _reduce(compiler: Compiler, node: tir.Reduce) -> Eval:
    combiner, source = node.combiner, compiler.exprs(node.source)
    start = compiler.exprs(node.init or combiner.identity_element)
    condition, result = compiler.expr(node.condition), compiler.exprs(combiner.result)
    domains = [(axis.var, domain_of(compiler, axis)) for axis in node.axis]

    def evaluate(env: Env) -> Value:
        total = start(env)
        for point in product(*(domain(env) for _, domain in domains)):
            inner = {**env, **{var: x for (var, _), x in zip(domains, point, strict=True)}}
            if not condition(inner):
                continue
            operands = zip([*combiner.lhs, *combiner.rhs], total + source(inner), strict=True)
            total = result({**env, **dict(operands)})
        return total[node.value_index]

    return evaluate


def domain_of(compiler: Compiler, axis: tir.IterVar) -> Callable[[Env], range]:
    if axis.dom is None:
        raise Undefined(f"axis `{axis.var.name}` has no range")
    first, extent = compiler.expr(axis.dom.min), compiler.expr(axis.dom.extent)
    return lambda env: range(first(env), first(env) + extent(env))
