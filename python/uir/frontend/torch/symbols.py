"""Symbolic dimensions: expressions of SymPy become those of shapes."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from operator import add, floordiv, mod, mul
from typing import Any

from uir_nodes.tir import SizeVar

from ..errors import Refused
from ..tensors import Dim, greatest, least, product

__all__ = ["Symbols"]


class Symbols:
    """The variables of a program's shapes, by the names of SymPy's symbols."""

    def __init__(self) -> None:
        self._variables: dict[str, SizeVar] = {}
        self._is_closed = False

    def close(self) -> None:
        """Refuse all symbols but those that the inputs have had."""
        self._is_closed = True

    def dim(self, size: Any) -> Dim:
        """Return a dimension, which is an integer or a `torch.SymInt`."""
        return size if isinstance(size, int) else self._convert(size.node.expr)

    def _convert(self, expr: Any) -> Dim:
        if expr.is_Integer:
            return int(expr)
        if expr.is_Symbol and self._is_closed and expr.name not in self._variables:
            raise Refused(f"a size `{expr}`, which depends on elements")
        if expr.is_Symbol:
            return self._variables.setdefault(expr.name, SizeVar(expr.name))
        kind = type(expr).__name__
        if kind == "Pow" and expr.exp.is_Integer and expr.exp > 0:
            return product([self._convert(expr.base)] * int(expr.exp))
        if kind not in OPERATIONS:
            raise Refused(f"a size `{expr}`")
        return reduce(OPERATIONS[kind], [self._convert(arg) for arg in expr.args])


# Classes of SymPy and PyTorch. The quotients and remainders of integers are rounded down.
OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "Add": add,
    "CleanDiv": floordiv,
    "FloorDiv": floordiv,
    "Max": greatest,
    "Min": least,
    "Mod": mod,
    "Mul": mul,
    "PythonMod": mod,
}
