"""The values of symbolic dimensions, which the shapes of arguments bind, and conditions on them."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

from tschema.runtime import post_order
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
DIVISIONS = ("uir.tir.FloorDiv", "uir.tir.FloorMod")
COMPARISONS: dict[str, tuple[str, Callable[[int, int], bool]]] = {
    "uir.tir.EQ": ("==", operator.eq),
    "uir.tir.NE": ("!=", operator.ne),
    "uir.tir.LT": ("<", operator.lt),
    "uir.tir.LE": ("<=", operator.le),
    "uir.tir.GT": (">", operator.gt),
    "uir.tir.GE": (">=", operator.ge),
}
VARIABLES = ("uir.tir.Var", "uir.tir.SizeVar")


def _key(expr: PrimExpr) -> str:
    cls = type(expr)
    return f"{cls.__module__}.{cls.__name__}"


class Dimensions:
    """Binds the variables of shapes, and computes with them."""

    def __init__(self) -> None:
        self._values: dict[PrimExpr, int] = {}
        self._places: dict[PrimExpr, str] = {}

    def match(self, shape: Sequence[int], expected: Sequence[PrimExpr], what: str) -> bool:
        """Return whether a shape is the expected one; variables that are not bound are bound.

        `what` has the shape, in messages: ``argument `x` ``.
        """
        if len(shape) != len(expected):
            return False
        self.bind(shape, expected, what)
        return all(
            self.value(dimension) == dim for dim, dimension in zip(shape, expected, strict=True)
        )

    def bind(self, shape: Sequence[int], expected: Sequence[PrimExpr], what: str) -> None:
        """Bind the dimensions that are variables, unless they are bound."""
        for axis, (dim, dimension) in enumerate(zip(shape, expected, strict=False)):
            if _key(dimension) in VARIABLES and dimension not in self._values:
                self._values[dimension] = dim
                self._places[dimension] = f"dimension {axis} of {what}"

    def set(self, dimension: PrimExpr, value: int, what: str) -> None:
        """Give a variable the first dimension of `what` as its value, in place of any before."""
        self._values[dimension] = value
        self._places[dimension] = f"dimension 0 of {what}"

    def value(self, dimension: PrimExpr | int) -> int:
        """Return the value of a dimension.

        Raises
        ------
        ValueError
            If a variable is not bound, a divisor is 0, or the expression is of another kind.
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
        a, b = self._sides(dimension)
        if b == 0 and key in DIVISIONS:
            divisor = getattr(dimension, "b")  # noqa: B009
            raise ValueError(f"evaluate: the divisor `{divisor}` of `{dimension}` is 0")
        return BINARY[key](a, b)

    def holds(self, condition: Any) -> bool:
        """Return whether a condition holds.

        Raises
        ------
        ValueError
            If a variable is not bound, or the expression is of another kind.
        """
        key = _key(condition)
        if key in COMPARISONS:
            a, b = self._sides(condition)
            return COMPARISONS[key][1](a, b)
        if key == "uir.tir.And":
            return self.holds(condition.a) and self.holds(condition.b)
        if key == "uir.tir.Or":
            return self.holds(condition.a) or self.holds(condition.b)
        if key == "uir.tir.Not":
            return not self.holds(condition.a)
        return bool(self.value(condition))

    def explain(self, condition: PrimExpr) -> str:
        """Return the message of a violated condition, with the places of its variables."""
        found = ""
        if (key := _key(condition)) in COMPARISONS:
            a, b = self._sides(condition)
            found = f", got {a} {COMPARISONS[key][0]} {b}"
        variables = dict.fromkeys(
            node for node in post_order(condition, PrimExpr) if node in self._values
        )
        places = "; ".join(
            f"`{variable}` is {self._values[variable]}, {self._places[variable]}"
            for variable in variables
        )
        return f"`{condition}` must hold{found}: {places}"

    def _sides(self, condition: Any) -> tuple[int, int]:
        return self.value(condition.a), self.value(condition.b)

    def show(self, shape: Sequence[PrimExpr]) -> str:
        """Return a shape as text, with values for variables."""
        return str(tuple(self.value(dimension) for dimension in shape))
