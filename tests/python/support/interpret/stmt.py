"""Statements, compiled to closures over the values of variables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, TypeVar

import numpy as np

from uir import tir
from uir.ir import IntImm

from .access import compact_strides, element, places
from .compiler import Compiler, Env, Eval
from .expr import domain_of
from .memory import Address, Memory
from .numbers import lanes_of, storage_type

__all__ = ["compile_stmt"]

Run: TypeAlias = Callable[[Env], None]
Method = TypeVar("Method", bound=Callable[..., Any])

_METHODS: dict[type, Callable[[Compiler, Any], Run]] = {}


def compile_stmt(compiler: Compiler, node: tir.Stmt) -> Run:
    """Turn a statement into a closure."""
    return _METHODS[type(node)](compiler, node)


def _compiles(*types: type) -> Callable[[Method], Method]:
    def register(method: Method) -> Method:
        _METHODS.update(dict.fromkeys(types, method))
        return method

    return register


def _assign(variable: Any, value: Eval) -> Run:
    def run(env: Env) -> None:
        env[variable] = value(env)

    return run


@_compiles(tir.Bind)
def _bind(compiler: Compiler, node: tir.Bind) -> Run:
    compiler.bind(node.var, node.value)
    return _assign(node.var, compiler.expr(node.value))


@_compiles(tir.Evaluate)
def _evaluate(compiler: Compiler, node: tir.Evaluate) -> Run:
    value = compiler.expr(node.value)

    def run(env: Env) -> None:
        value(env)

    return run


@_compiles(tir.AssertStmt)
def _assert(compiler: Compiler, node: tir.AssertStmt) -> Run:
    condition = compiler.expr(node.condition)
    parts = compiler.exprs(node.message_parts)

    def run(env: Env) -> None:
        if not condition(env):
            message = "".join(str(part) for part in parts(env))
            raise AssertionError(f"{node.kind.value}: {message}")

    return run


@_compiles(tir.AttrStmt)
def _attr(compiler: Compiler, node: tir.AttrStmt) -> Run:
    body = compile_stmt(compiler, node.body)
    if node.attr_key not in ("thread_extent", "virtual_thread"):
        return body
    assert isinstance(node.node, tir.IterVar)
    extent = compiler.expr(node.value)
    return _loop(node.node.var, lambda env: range(extent(env)), body)


@_compiles(tir.BufferStore)
def _store(compiler: Compiler, node: tir.BufferStore) -> Run:
    at, value, dtype = places(compiler, node), compiler.expr(node.value), node.buffer.dtype
    size = storage_type(dtype).itemsize

    def run(env: Env) -> None:
        lanes = iter(lanes_of(value(env)))
        for place in at(env):
            for part, lane in zip(range(dtype.lanes), lanes, strict=False):
                if place is not None:
                    place.memory.store(dtype, place.offset + part * size, lane)

    return run


def _allocate(compiler: Compiler, buffer: tir.Buffer) -> Run:
    shape, strides = compiler.exprs(buffer.shape), compiler.exprs(buffer.strides)
    size = storage_type(buffer.dtype).itemsize * buffer.dtype.lanes

    def run(env: Env) -> None:
        extents, steps = shape(env), strides(env)
        elements = int(np.prod(extents))
        if steps and elements:
            pairs = zip(extents, steps, strict=True)
            elements = 1 + sum((extent - 1) * step for extent, step in pairs)
        env[buffer.data] = Address(Memory.allocate(elements * size), 0)

    return run


@_compiles(tir.AllocBuffer)
def _alloc_buffer(compiler: Compiler, node: tir.AllocBuffer) -> Run:
    return _allocate(compiler, node.buffer)


@_compiles(tir.DeclBuffer)
def _decl_buffer(compiler: Compiler, node: tir.DeclBuffer) -> Run:
    data = compiler.expr(node.buffer.data)

    def run(env: Env) -> None:
        data(env)

    return run


@_compiles(tir.SeqStmt)
def _seq(compiler: Compiler, node: tir.SeqStmt) -> Run:
    return _sequence([compile_stmt(compiler, stmt) for stmt in node.seq])


def _sequence(parts: Sequence[Run]) -> Run:
    def run(env: Env) -> None:
        for part in parts:
            part(env)

    return run


@_compiles(tir.IfThenElse)
def _if(compiler: Compiler, node: tir.IfThenElse) -> Run:
    condition, then = compiler.expr(node.condition), compile_stmt(compiler, node.then_case)
    other = None if node.else_case is None else compile_stmt(compiler, node.else_case)

    def run(env: Env) -> None:
        if condition(env):
            then(env)
        elif other is not None:
            other(env)

    return run


@_compiles(tir.For)
def _for(compiler: Compiler, node: tir.For) -> Run:
    first, extent = compiler.expr(node.min), compiler.expr(node.extent)
    step = compiler.expr(node.step if node.step is not None else IntImm(node.loop_var.dtype, 1))

    def values(env: Env) -> range:
        start = first(env)
        return range(start, start + extent(env), step(env))

    return _loop(node.loop_var, values, compile_stmt(compiler, node.body))


def _loop(variable: tir.Var, values: Callable[[Env], range], body: Run) -> Run:
    def run(env: Env) -> None:
        for value in values(env):
            env[variable] = value
            try:
                body(env)
            except Continued:
                continue
            except Broken:
                break

    return run


@_compiles(tir.While)
def _while(compiler: Compiler, node: tir.While) -> Run:
    condition, body = compiler.expr(node.condition), compile_stmt(compiler, node.body)

    def run(env: Env) -> None:
        while condition(env):
            try:
                body(env)
            except Continued:
                continue
            except Broken:
                break

    return run


class Broken(Exception):
    """A `break` on its way to its loop."""


class Continued(Exception):
    """A `continue` on its way to its loop."""


@_compiles(tir.Break)
def _break(compiler: Compiler, node: tir.Break) -> Run:
    def run(env: Env) -> None:
        raise Broken

    return run


@_compiles(tir.Continue)
def _continue(compiler: Compiler, node: tir.Continue) -> Run:
    def run(env: Env) -> None:
        raise Continued

    return run


@_compiles(tir.BlockRealize)
def _realize(compiler: Compiler, node: tir.BlockRealize) -> Run:
    block = node.block
    values, predicate = compiler.exprs(node.iter_values), compiler.expr(node.predicate)
    body = _block(compiler, block)

    def run(env: Env) -> None:
        if predicate(env):
            variables = [axis.var for axis in block.iter_vars]
            env.update(zip(variables, values(env), strict=True))
            body(env)

    return run


@_compiles(tir.Block)
def _block(compiler: Compiler, block: tir.Block) -> Run:
    parts = [_allocate(compiler, buffer) for buffer in block.alloc_buffers]
    parts += [_match(compiler, match) for match in block.match_buffers]
    if block.init is not None:
        parts.append(_first_only(compiler, block, compile_stmt(compiler, block.init)))
    return _sequence([*parts, compile_stmt(compiler, block.body)])


def _first_only(compiler: Compiler, block: tir.Block, init: Run) -> Run:
    """Return what is run where all iterations of reductions are the first ones."""
    reduced = [x for x in block.iter_vars if x.iter_type == tir.IterVarType.COMM_REDUCE]
    domains = [(axis.var, domain_of(compiler, axis)) for axis in reduced]

    def run(env: Env) -> None:
        if all(env[var] == domain(env)[0] for var, domain in domains):
            init(env)

    return run


def _match(compiler: Compiler, match: tir.MatchBufferRegion) -> Run:
    """Let a buffer stand for a region of another one, and bind what it has in variables.

    With an offset of 0 its pointer is that of the first element; with another one, the offset
    counts from the pointer of the buffer that is not matched itself.
    """
    target, root = match.buffer, match.source.buffer
    start_of = element(compiler, root)
    compiler.matches[target] = root
    while root in compiler.matches:
        root = compiler.matches[root]
    starts = compiler.exprs([part.min for part in match.source.region])
    shape, strides = compiler.exprs(root.shape), compiler.exprs(root.strides)
    offset = target.elem_offset
    is_first = isinstance(offset, IntImm) and offset.value == 0
    size = storage_type(root.dtype).itemsize * root.dtype.lanes

    def run(env: Env) -> None:
        values: Any = starts(env)
        env[target] = values
        first, base = start_of(env, values), env[root.data]
        env[target.data] = first if is_first else base
        if isinstance(offset, tir.Var):
            env[offset] = (first.offset - base.offset) // size
        steps = strides(env) or compact_strides(shape(env))
        for variable, step in zip(target.strides, steps[-len(target.strides) :], strict=False):
            if isinstance(variable, tir.Var):
                env[variable] = step

    return run
