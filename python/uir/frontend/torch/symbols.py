"""Symbolic dimensions: expressions of SymPy become those of shapes."""

from __future__ import annotations

from typing import Any

from uir_nodes.tir import SizeVar

from ..errors import Refused
from ..tensors import Dim

__all__ = ["Symbols"]


class Symbols:
    """The variables of a program's shapes, by the names of SymPy's symbols."""

    def __init__(self) -> None:
        self._variables: dict[str, SizeVar] = {}

    def dim(self, size: Any) -> Dim:
        """Return a dimension, which is an integer or a `torch.SymInt`."""
        return size if isinstance(size, int) else self._convert(size.node.expr)

    def _convert(self, expr: Any) -> Dim:
        if expr.is_Integer:
            return int(expr)
        if expr.is_Symbol:
            return self._variables.setdefault(expr.name, SizeVar(expr.name))
        parts = [self._convert(arg) for arg in expr.args]
        kind = type(expr).__name__
        result = parts[0]
        for part in parts[1:]:
            if kind == "Add":
                result = result + part
            elif kind == "Mul":
                result = result * part
            elif kind in ("FloorDiv", "CleanDiv"):
                result = result // part
            else:
                raise Refused(f"a dimension `{expr}`")
        return result
