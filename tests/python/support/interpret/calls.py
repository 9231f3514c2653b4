"""Calls: of operators, and of functions of the module."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from uir import tir
from uir.ir import GlobalVar, IntImm, Op

from .access import element
from .compiler import Compiler, Env, Eval, Returned, compiles
from .errors import Undefined
from .intrinsics import SCALAR_INTRINSICS
from .memory import Address
from .numbers import (
    Value,
    fit,
    lanes_of,
    lanewise,
    multiply_add,
    multiply_add_narrow,
    packed,
    storage_type,
)
from .objects import OBJECT_INTRINSICS

__all__: list[str] = []


@compiles(tir.Call)
def _call(compiler: Compiler, node: tir.Call) -> Eval:
    if isinstance(node.op, GlobalVar):
        var, args = node.op, compiler.exprs(node.args)
        return lambda env: compiler.call(var, args(env))
    if not isinstance(node.op, Op):
        raise Undefined(f"there is no way to call a {type(node.op).__name__}")
    name = node.op.name.removeprefix("tir.")
    if name in SCALAR_INTRINSICS:
        args, compute = compiler.exprs(node.args), SCALAR_INTRINSICS[name]
        wrap = fit(node.dtype)
        return lambda env: lanewise(lambda *xs: wrap(compute(*xs)), *args(env))
    if name not in _INTRINSICS:
        raise Undefined(f"there is no meaning for operator `{node.op.name}`")
    return _INTRINSICS[name](compiler, node)


def _if_then_else(compiler: Compiler, node: tir.Call) -> Eval:
    condition, then, other = (compiler.expr(arg) for arg in node.args)
    return lambda env: then(env) if condition(env) else other(env)


def _return(compiler: Compiler, node: tir.Call) -> Eval:
    value = compiler.expr(node.args[0])

    def leave(env: Env) -> Value:
        raise Returned(value(env))

    return leave


def _address_of(compiler: Compiler, node: tir.Call) -> Eval:
    load = node.args[0]
    assert isinstance(load, tir.BufferLoad)
    place, indices = element(compiler, load.buffer), compiler.exprs(load.indices)
    return lambda env: place(env, indices(env))


def _constant_data(compiler: Compiler, node: tir.Call) -> Eval:
    index = node.args[0]
    assert isinstance(index, IntImm)
    if not 0 <= index.value < len(compiler.constants):
        raise Undefined(f"there is no constant {index.value} in {len(compiler.constants)}")
    address = compiler.constants[index.value]
    return lambda env: address


def _parallel_for(compiler: Compiler, node: tir.Call) -> Eval:
    """Call a function for the second half of the iterations, then for the first one."""
    call = node.args[0]
    assert isinstance(call, tir.Call) and isinstance(call.op, GlobalVar)
    var, args = call.op, compiler.exprs(call.args)

    def evaluate(env: Env) -> Value:
        first, count, *captures = args(env)
        half = count // 2
        compiler.call(var, [first + half, count - half, *captures])
        return compiler.call(var, [first, half, *captures])

    return evaluate


def _vload(compiler: Compiler, node: tir.Call) -> Eval:
    address, offset = compiler.expr(node.args[0]), compiler.expr(node.args[1])
    size = storage_type(node.dtype).itemsize

    def evaluate(env: Env) -> Value:
        start: Address = address(env)
        first = start.offset + offset(env) * size
        offsets = range(first, first + size * node.dtype.lanes, size)
        return packed([start.memory.load(node.dtype, place) for place in offsets])

    return evaluate


def _reinterpret(compiler: Compiler, node: tir.Call) -> Eval:
    value = compiler.expr(node.args[0])
    source, target = storage_type(node.args[0].dtype), storage_type(node.dtype)

    def evaluate(env: Env) -> Value:
        bits = np.array(lanes_of(value(env)), dtype=source).view(target)
        return packed([x.item() for x in bits])

    return evaluate


def _count_bits(compiler: Compiler, node: tir.Call) -> Eval:
    value, bits = compiler.expr(node.args[0]), storage_type(node.dtype).itemsize * 8

    def digits(x: int) -> str:
        return f"{x % (1 << bits):0{bits}b}"

    if isinstance(node.op, Op) and node.op.name == "tir.popcount":
        return lambda env: lanewise(lambda x: digits(x).count("1"), value(env))
    return lambda env: lanewise(lambda x: (digits(x) + "1").index("1"), value(env))


def _multiply_add(compiler: Compiler, node: tir.Call) -> Eval:
    args, wrap = compiler.exprs(node.args), fit(node.dtype)
    compute = multiply_add if storage_type(node.dtype).itemsize == 8 else multiply_add_narrow
    return lambda env: lanewise(lambda *xs: wrap(compute(*xs)), *args(env))


def _extern(compiler: Compiler, node: tir.Call) -> Eval:
    args, wrap = compiler.exprs(node.args), fit(node.dtype)

    def evaluate(env: Env) -> Value:
        name, *rest = args(env)
        result = compiler.externs[name](*rest)
        return None if result is None else wrap(result)

    return evaluate


def _nothing(compiler: Compiler, node: tir.Call) -> Eval:
    return lambda env: 0


_INTRINSICS: dict[str, Callable[[Compiler, tir.Call], Eval]] = {
    "address_of": _address_of,
    "call_extern": _extern,
    "call_packed": _extern,
    "clz": _count_bits,
    "constant_data": _constant_data,
    "if_then_else": _if_then_else,
    "multiply_add": _multiply_add,
    "parallel_for": _parallel_for,
    "popcount": _count_bits,
    "prefetch": _nothing,
    "reinterpret": _reinterpret,
    "ret": _return,
    "storage_sync": _nothing,
    "vload": _vload,
    **OBJECT_INTRINSICS,
}
"""By the operator's name without its dialect: what is more than a function of scalars."""
