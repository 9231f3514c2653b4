"""The values of symbolic dimensions, which the shapes of arguments bind."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence

from uir_nodes.ir import IntImm, PrimExpr

__all__ = ["Dimensions"]

# Relay does not import tir: its expressions are known by their type keys and fields.
BINARY: dict[str, Callable[[int, int], int]] = {
    "uir.tir.Add": operator.add,
    "uir.tir.Sub": operator.sub,
    "uir.tir.Mul": operator.mul,
    "uir.tir.FloorDiv": operator.floordiv,
    "uir.tir.FloorMod": operator.mod,
    "uir.tir.Min": min,
    "uir.tir.Max": max,
}
VARIABLES = ("uir.tir.Var", "uir.tir.SizeVar")


def _key(expr: PrimExpr) -> str:
    cls = type(expr)
    return f"{cls.__module__}.{cls.__name__}"


class Dimensions:
    """Binds the variables of shapes, and computes with them."""

    def __init__(self) -> None:
        self._values: dict[PrimExpr, int] = {}

    def match(self, shape: Sequence[int], expected: Sequence[PrimExpr]) -> bool:
        """Return whether a shape is the expected one; variables that are not bound are bound."""
        if len(shape) != len(expected):
            return False
        for dim, dimension in zip(shape, expected, strict=True):
            if _key(dimension) in VARIABLES:
                self._values.setdefault(dimension, dim)
        return all(
            self.value(dimension) == dim for dim, dimension in zip(shape, expected, strict=True)
        )

    def value(self, dimension: PrimExpr | int) -> int:
        """Return the value of a dimension.

        Raises
        ------
        ValueError
            If a variable is not bound, or the expression is of another kind.
        """
        if isinstance(dimension, int):
            return dimension
        if isinstance(dimension, IntImm):
            return int(dimension.value)
        if dimension in self._values:
            return self._values[dimension]
        key = _key(dimension)
        if key == "uir.tir.Cast":
            return self.value(getattr(dimension, "value"))  # noqa: B009
        if key not in BINARY:
            raise ValueError(f"evaluate: the dimension `{dimension}` has no value")
        a, b = (self.value(getattr(dimension, side)) for side in ("a", "b"))
        return BINARY[key](a, b)

    def show(self, shape: Sequence[PrimExpr]) -> str:
        """Return a shape as text, with values for variables."""
        return str(tuple(self.value(dimension) for dimension in shape))
