"""A script as the parser and the verifier of the commands see it.

In: a text.  Out: its diagnostics, and its nodes by place and name.  The spans are those that the
parser records.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from msgspec import Struct

from tschema.diagnostics.source import SourceFile, Span
from tschema.runtime import post_order
from uir_nodes.ir import BaseExpr, BaseFunc, Diagnostic, IRModule
from uir_nodes.relay import Var as TensorVar
from uir_nodes.tir import Buffer, Var

from .. import ir, script
from ..script import ScriptError

__all__ = ["Program", "Variable", "read_program", "span_of"]

Variable = Var | Buffer | TensorVar


class Program(Struct, frozen=True, dict=True):
    """The value of a text, and its errors."""

    source: SourceFile
    value: object
    """The result of the parser; None if it refused the text."""
    diagnostics: Sequence[Diagnostic]

    def function(self, name: Span) -> Program:
        """Return the part that is the function whose name is at a place; the whole without one."""
        if not isinstance(self.value, IRModule):
            return self
        functions = (
            func
            for func in self.value.functions.values()
            if func.span and (func.span.line, func.span.column) == (name.line, name.column)
        )
        return next((Program(self.source, func, ()) for func in functions), self)

    @cached_property
    def expressions(self) -> list[tuple[Span, BaseExpr]]:
        """The expressions with a place, each before the larger ones around it."""
        found = ((span_of(node, self.source), node) for node in post_order(self.value, BaseExpr))
        return [(span, node) for span, node in found if span is not None]

    @cached_property
    def variables(self) -> dict[str, list[tuple[Span | None, Variable]]]:
        """The variables and buffers by name, in the order of the nodes."""
        found: dict[str, list[tuple[Span | None, Variable]]] = {}
        nodes: list[Variable] = post_order(self.value, Var, Buffer, TensorVar)
        for node in nodes:
            found.setdefault(node.name, []).append((span_of(node, self.source), node))
        return found


def read_program(source: SourceFile) -> Program:
    """Parse a text; verify it, if it is a module or a function."""
    try:
        value = script.parse_value(source.text, source.path)
    except ScriptError:
        return Program(source, None, script.diagnose(source.text, source.path))
    if isinstance(value, BaseFunc):
        value = IRModule.from_func(value)
    return Program(source, value, ir.verify(value) if isinstance(value, IRModule) else ())


def span_of(node: object, source: SourceFile) -> Span | None:
    """Return the place of a node in its text; None if it has none."""
    found = getattr(node, "span", None)
    if found is None or not (found.line and found.column):
        return None
    return Span(source, found.line, found.column, found.end_line, found.end_column)
