"""Symbolic dimensions: expressions of SymPy become those of shapes, and numbers made of them."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from functools import reduce
from operator import add, floordiv, mod, mul
from typing import Any

import numpy as np

from uir_nodes.ir import PrimExpr, RelayExpr
from uir_nodes.tir import SizeVar

from ... import relay, tir
from ..errors import Refused
from ..tensors import Dim, greatest, least, product, size_tensor

__all__ = ["Symbols", "real", "sign_is_known"]


class Symbols:
    """The variables of a program's shapes, by the names of SymPy's symbols."""

    def __init__(self) -> None:
        self._variables: dict[str, Dim] = {}
        self._found: set[str] = set()
        self._bound: set[str] = set()
        self._is_closed = False

    def find(self, size: Any) -> None:
        """Note a dimension of an input: calls find the value of a symbol there."""
        if not isinstance(size, int) and size.node.expr.is_Symbol:
            self._found.add(size.node.expr.name)

    def is_found(self, size: Any) -> bool:
        """Return whether calls find the values of all symbols of a dimension."""
        if isinstance(size, int):
            return True
        return all(symbol.name in self._found for symbol in size.node.expr.free_symbols)

    def dim_of_input(self, size: Any) -> Dim:
        """Return a dimension of an input as calls find it.

        Where only multiples of a symbol are dimensions of inputs, as in `2 * h`, calls find the
        first multiple, and the symbol is its quotient: `dim` returns `2 * (size // 2)` then.
        """
        if isinstance(size, int):
            return self.dim(size)
        symbols = sorted(size.node.expr.free_symbols, key=str)
        if len(symbols) != 1 or symbols[0].name in self._found:
            return self.dim(size)
        name, expr = symbols[0].name, size.node.expr
        factor, rest = expr.coeff(symbols[0]), expr.subs(symbols[0], 0)
        is_linear = (expr - factor * symbols[0] - rest).expand() == 0
        if not is_linear or not (factor.is_Integer and factor > 0 and rest.is_Integer):
            return self.dim(size)
        whole = SizeVar(f"{name}_size")
        self._found.add(name)
        self._variables[name] = (whole - int(rest)) // int(factor)
        return whole

    def is_opaque(self, size: Any) -> bool:
        """Return whether a size comes from arithmetic that shapes do not have."""
        if isinstance(size, int):
            return False
        expr = size.node.expr
        return type(expr).__name__ not in ("Pow", *OPERATIONS) and not expr.is_Atom

    def opaque(self, size: Any) -> Dim:
        """Return the variable of such a size, which is an argument of the function."""
        name = f"size_{len(self._variables)}"
        return self._variables.setdefault(str(size.node.expr), SizeVar(name))

    def is_bound(self, symbol: Any) -> bool:
        """Return whether a symbol of SymPy is a size that an operator has found in elements."""
        return symbol.name in self._bound

    def close(self) -> None:
        """Refuse all symbols but those that the inputs have had."""
        self._is_closed = True

    def learn(self, size: Any, found: Dim) -> None:
        """Take a dimension of a result for a symbol that no input has.

        A mask as an index gives a result whose size is known here alone.
        """
        if isinstance(size, int) or not size.node.expr.is_Symbol:
            return
        name = size.node.expr.name
        if name not in self._variables:
            self._variables[name] = found
            if isinstance(found, PrimExpr):
                self._bound.add(name)

    def conditions(self, described: Any) -> list[PrimExpr]:
        """Return a condition on sizes, which is a `torch.SymBool`, as conditions that all hold.

        It is [] if no size in it is bound, as types state the others, or if shapes do not have its
        arithmetic.
        """
        expr = described.node.expr
        if not any(map(self.is_bound, expr.free_symbols)):
            return []
        parts = expr.args if type(expr).__name__ == "And" else [expr]
        return [one for part in parts for one in self._relation(part)]

    def _relation(self, expr: Any) -> list[PrimExpr]:
        relation = RELATIONS.get(type(expr).__name__)
        if relation is None:
            return []
        try:
            left, right = (self._convert(arg) for arg in expr.args)
        except Refused:
            return []
        is_size = isinstance(left, SizeVar) and isinstance(right, int) and right <= 0
        # A size is not negative.
        is_true = is_size and relation is tir.greater_equal
        return [] if is_true else [relation(left, right)]

    def dim(self, size: Any) -> Dim:
        """Return a dimension, which is an integer or a `torch.SymInt`."""
        return size if isinstance(size, int) else self._convert(size.node.expr)

    def _convert(self, expr: Any) -> Dim:
        if expr.is_Integer or (expr.is_Float and float(expr).is_integer()):
            return int(expr)
        if expr.is_Symbol and self._is_closed and expr.name not in self._variables:
            raise Refused(f"a size `{expr}`, which depends on elements")
        if expr.is_Symbol:
            return self._variables.setdefault(expr.name, SizeVar(expr.name))
        if str(expr) in self._variables:
            return self._variables[str(expr)]
        kind = type(expr).__name__
        if kind == "Pow" and expr.exp.is_Integer and expr.exp > 0:
            return product([self._convert(expr.base)] * int(expr.exp))
        if kind == "ToFloat":
            return self._convert(expr.args[0])
        if kind in ROUNDED:
            return self._rounded(expr)
        if kind not in OPERATIONS:
            raise Refused(f"a size `{expr}`")
        return reduce(OPERATIONS[kind], [self._convert(arg) for arg in expr.args])

    def _rounded(self, expr: Any) -> Dim:
        """Return a quotient of floats as an integer; sizes and their divisor are whole."""
        (inner,) = expr.args
        if type(inner).__name__ != "FloatTrueDiv":
            return self._convert(inner)
        dividend, divisor = (self._convert(arg) for arg in inner.args)
        if not isinstance(divisor, int) or not divisor:
            raise Refused(f"a size `{expr}`")
        sign = 1 if divisor > 0 else -1
        up = ROUNDED[type(expr).__name__]
        return up * ((up * sign * dividend) // abs(divisor))


def sign_is_known(size: Any) -> bool:
    """Return whether an integer is known not to be negative, as sizes are."""
    shapes = importlib.import_module("torch.fx.experimental.symbolic_shapes")
    return bool(shapes.statically_known_true(size >= 0))


def real(target: Any, args: Sequence[Any]) -> RelayExpr:
    """Return what arithmetic of Python computes of sizes as a number that is not whole.

    Parameters
    ----------
    target
        The function of Python or PyTorch.
    args
        Dimensions, numbers, and tensors of rank 0 and `float64`.

    Returns
    -------
    y
        Tensor of rank 0 and `float64`.

    Raises
    ------
    Refused
        If the function is another one.
    """
    function = REAL.get(target.__name__)
    if function is None:
        raise Refused(f"`{target.__name__}` of a size")
    values = [one if isinstance(one, RelayExpr) else real_number(one) for one in args]
    return function(*values)


def real_number(number: Any) -> RelayExpr:
    """Return a number or a size as a float64 tensor of shape ()."""
    if isinstance(number, float):
        return relay.const(np.array(number, "float64"))
    return size_tensor(number, "float64")


REAL: dict[str, Callable[..., RelayExpr]] = {
    "_sym_sqrt": relay.sqrt,
    "add": relay.add,
    "mul": relay.multiply,
    "neg": relay.negative,
    "pow": relay.power,
    "sub": relay.subtract,
    "sym_float": lambda x: x,
    "truediv": relay.divide,
}

# Classes of conditions.
RELATIONS: dict[str, Callable[[Any, Any], PrimExpr]] = {
    "Equality": tir.equal,
    "GreaterThan": tir.greater_equal,
    "LessThan": tir.less_equal,
    "StrictGreaterThan": tir.greater,
    "StrictLessThan": tir.less,
    "Unequality": tir.not_equal,
}

# Classes that round: -1 rounds up, as `-(-a // b)` does.
ROUNDED = {"CeilToInt": -1, "FloorToInt": 1}

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
