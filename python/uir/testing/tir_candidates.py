"""Tensor-level functions that are smaller than another one by one change.

In: a function on buffers and scalars.  Out: functions, those with much less first; some are not
well-formed, such as those without the binding of a variable.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tvm_ffi import Object

from tschema.runtime import post_order
from uir_nodes.ir import FloatImm, IntImm, PrimExpr

from .. import tir

__all__ = ["smaller_prim_funcs"]

Replacements = Mapping[Object, Object]


def smaller_prim_funcs(function: tir.PrimFunc) -> Iterator[tir.PrimFunc]:
    """Yield functions that are smaller by one change.

    Statements are left out, outer ones first; loops and branches become their bodies, loops become
    shorter, stored values become 0 or one of their operands, and unused parameters are left out.
    """
    # Outer statements come last in post-order.
    statements = post_order(function.body, tir.Stmt)[::-1]
    for makers in (_halves, _nothing, _bodies, _shorter_loops, _simpler_values):
        for statement in statements:
            for replacements in makers(statement):
                try:
                    yield function.with_body(_replaced(function.body, replacements))
                except (TypeError, ValueError):
                    # A node does not take its new operands.
                    continue
    yield from _fewer_params(function)


class _Replacer(tir.StmtMutator):
    """Replaces nodes by others, which are not visited."""

    def __init__(self, replacements: Replacements) -> None:
        self._by_node = replacements

    def visit(self, node: Object, /) -> Any:
        return self._by_node[node] if node in self._by_node else super().visit(node)


def _replaced(root: tir.Stmt, replacements: Replacements) -> tir.Stmt:
    replaced: tir.Stmt = _Replacer(replacements).visit(root)
    return replaced


def _halves(statement: tir.Stmt) -> Iterator[Replacements]:
    """Yield changes of a sequence to one of its halves."""
    if isinstance(statement, tir.SeqStmt) and len(statement.seq) > 2:
        parts, middle = list(statement.seq), len(statement.seq) // 2
        for half in (parts[:middle], parts[middle:]):
            yield {statement: tir.flatten_seq(half)}


def _nothing(statement: tir.Stmt) -> Iterator[Replacements]:
    """Yield the removal of a statement."""
    if isinstance(statement, tir.SeqStmt):
        parts = list(statement.seq)
        for place in range(len(parts)):
            yield {statement: tir.flatten_seq(parts[:place] + parts[place + 1 :])}
    elif not isinstance(statement, tir.Evaluate) or not isinstance(statement.value, IntImm):
        yield {statement: tir.Evaluate(tir.const(0))}


def _bodies(statement: tir.Stmt) -> Iterator[Replacements]:
    """Yield changes of loops to their first iterations, and of conditionals to their branches."""
    if isinstance(statement, tir.For):
        yield {statement: _replaced(statement.body, {statement.loop_var: statement.min})}
    elif isinstance(statement, tir.IfThenElse):
        yield {statement: statement.then_case}
        if statement.else_case is not None:
            yield {statement: statement.else_case}


def _shorter_loops(statement: tir.Stmt) -> Iterator[Replacements]:
    """Yield changes of the extent of a loop, to 2 and to the half."""
    extent = statement.extent if isinstance(statement, tir.For) else None
    if isinstance(extent, IntImm):
        for length in sorted({2, int(extent.value) // 2}):
            if 1 < length < int(extent.value):
                yield {extent: tir.const(length, extent.dtype)}


def _simpler_values(statement: tir.Stmt) -> Iterator[Replacements]:
    """Yield changes of a stored value to 0, and to its operands of the same data type."""
    value = statement.value if isinstance(statement, tir.BufferStore) else None
    if value is None or isinstance(value, (IntImm, FloatImm)):
        return
    yield {value: tir.const(0, value.dtype)}
    for operand in post_order(value, PrimExpr)[::-1]:
        if not operand.same_as(value) and str(operand.dtype) == str(value.dtype):
            yield {value: operand}


def _fewer_params(function: tir.PrimFunc) -> Iterator[tir.PrimFunc]:
    """Yield functions without one of the parameters."""
    params = list(function.params)
    for param in params:
        buffers = {key: one for key, one in function.buffer_map.items() if not key.same_as(param)}
        kept = [one for one in params if not one.same_as(param)]
        attrs, ret_type = function.attrs, function.ret_type
        yield tir.PrimFunc(kept, function.body, buffers, ret_type, attrs, span=function.span)
