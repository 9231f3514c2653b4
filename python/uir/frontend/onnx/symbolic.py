"""Arithmetic on elements over symbolic dimensions: integers, and floats that are quotients.

A float is folded only where the program's own floats cannot round it to another size. A dyadic
quotient (its denominator is a power of two) is a float itself. Another one is rounded, which a
`Floor`, `Ceil` or `Cast` does not see: no operation that is allowed makes an integer of a quotient
whose parts were rounded. float32 holds integers below 2 ** 24: sizes below 2 ** 20 leave room for
numerators that are a few times as large.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import gcd, isfinite, lcm
from typing import Any, TypeAlias

import numpy as np

from uir_nodes.arith import Analyzer
from uir_nodes.ir import IntImm, PrimExpr

from ... import tir
from ..errors import Refused
from ..tensors import Dim

__all__ = [
    "Element",
    "Quotient",
    "absolute",
    "add",
    "both",
    "ceil",
    "compare",
    "divide",
    "either",
    "equal",
    "floor",
    "greatest",
    "is_condition",
    "is_symbolic",
    "least",
    "modulo",
    "multiply",
    "negate",
    "negation",
    "subtract",
    "to_float",
    "to_integer",
]

# Numerators and denominators of constants have at most so many bits.
MOST_BITS = 10

# How many times as large as a size a numerator may be, apart from powers of two.
MOST_WEIGHT = 16


class Quotient:
    """A float over symbols.

    Parameters
    ----------
    numerator
        An integer over symbols.
    denominator
        A positive integer.
    weight
        How many times as large as a size the numerator may be, apart from powers of two.
    """

    def __init__(self, numerator: Dim, denominator: int, weight: int = 1) -> None:
        self.numerator = numerator
        self.denominator = denominator
        self.weight = weight

    @property
    def odd(self) -> int:
        """The odd part of the denominator; 1 for a number that floats hold."""
        return odd_part(self.denominator)


def odd_part(x: int) -> int:
    """Return a positive integer without its factors of two."""
    return x // (x & -x)


Element: TypeAlias = "Any"  # int | float | PrimExpr | Quotient, as NumPy stores them


def is_symbolic(x: Element) -> bool:
    """Return whether an element depends on a symbolic dimension."""
    return isinstance(x, PrimExpr | Quotient)


def is_condition(x: Element) -> bool:
    """Return whether an element is a condition on symbolic dimensions."""
    return isinstance(x, PrimExpr) and str(x.dtype) == "bool"


def as_quotient(x: Element) -> Quotient:
    """Return a float as a quotient.

    Raises
    ------
    Refused
        If it is a constant of too many digits.
    """
    if isinstance(x, Quotient):
        return x
    if not isfinite(x):
        raise Refused(f"the number {x} among symbolic sizes")
    exact = Fraction(float(x))
    if max(exact.numerator.bit_length(), exact.denominator.bit_length()) > MOST_BITS:
        raise Refused(f"the number {x} among symbolic sizes")
    return Quotient(exact.numerator, exact.denominator)


def simplified(x: Dim) -> Dim:
    """Return a dimension as the analyzer simplifies it."""
    return Analyzer().simplify(x) if isinstance(x, PrimExpr) else x


def quotient(numerator: Dim, denominator: int, weight: int) -> Quotient:
    """Return a quotient whose denominator is positive.

    Raises
    ------
    Refused
        If the denominator or the weight is too large.
    """
    if weight > MOST_WEIGHT:
        raise Refused("a large multiple of symbolic sizes among floats")
    if denominator < 0:
        numerator, denominator = -numerator, -denominator
    if isinstance(numerator, int):
        common = gcd(numerator, denominator)
        numerator, denominator = numerator // common, denominator // common
    if denominator.bit_length() > MOST_BITS:
        raise Refused(f"symbolic sizes divided by {denominator}")
    return Quotient(simplified(numerator), denominator, weight)


def binary(
    integers: Callable[[Any, Any], Any], floats: Callable[[Quotient, Quotient], Quotient]
) -> Callable[[Element, Element], Element]:
    """Return a function of two elements, at least one of which is symbolic."""

    def apply(a: Element, b: Element) -> Element:
        if isinstance(a, Quotient) or isinstance(b, Quotient):
            return floats(as_quotient(a), as_quotient(b))
        return simplified(integers(a, b))

    return apply


def _sum(a: Quotient, b: Quotient) -> Quotient:
    if a.odd > 1 and b.odd > 1:
        raise Refused("a sum of rounded symbolic sizes")
    p, q, denominator = _aligned(a, b)
    weight = a.weight * (denominator // a.denominator) + b.weight * (denominator // b.denominator)
    return quotient(p + q, denominator, weight)


def _product(a: Quotient, b: Quotient) -> Quotient:
    """Multiply; refuse common factors with the divisor, which would make rounded values whole."""
    if not isinstance(b.numerator, int):
        a, b = b, a
    if not isinstance(b.numerator, int) or gcd(a.odd, b.numerator) > 1:
        raise Refused("a product of symbolic sizes among floats")
    if b.numerator == 0:
        return b
    weight = a.weight * odd_part(abs(b.numerator))
    return quotient(a.numerator * b.numerator, a.denominator * b.denominator, weight)


def _ratio(a: Quotient, b: Quotient) -> Quotient:
    if not isinstance(b.numerator, int) or b.numerator == 0 or b.odd > 1:
        raise Refused("a quotient of symbolic sizes")
    if a.odd > 1 and b.denominator > 1:
        raise Refused("a quotient of rounded symbolic sizes")
    return quotient(a.numerator * b.denominator, a.denominator * b.numerator, a.weight)


def _aligned(a: Quotient, b: Quotient) -> tuple[Dim, Dim, int]:
    """Return two numerators over one denominator, and that."""
    common = lcm(a.denominator, b.denominator)
    return (
        a.numerator * (common // a.denominator),
        b.numerator * (common // b.denominator),
        common,
    )


def _chosen(function: Callable[[Any, Any], PrimExpr]) -> Callable[[Quotient, Quotient], Quotient]:
    def apply(a: Quotient, b: Quotient) -> Quotient:
        p, q, denominator = _aligned(a, b)
        weights = (one.weight * (denominator // one.denominator) for one in (a, b))
        return quotient(function(p, q), denominator, max(weights))

    return apply


def _truncated(a: Dim, b: Dim) -> Dim:
    """Divide integers toward zero, as ONNX does."""
    if not isinstance(b, int) or b <= 0:
        raise Refused("symbolic sizes divided by others")
    if _is_known(a >= 0):
        return a // b
    return tir.max(a, 0) // b - tir.max(-a, 0) // b


def _remainder(a: Dim, b: Dim) -> Dim:
    if not isinstance(b, int) or b <= 0:
        raise Refused("symbolic sizes divided by others")
    return a % b


def _no_floats(_a: Quotient, _b: Quotient) -> Quotient:
    raise Refused("a remainder of floats of symbolic sizes")


add = binary(lambda a, b: a + b, _sum)
subtract = binary(lambda a, b: a - b, lambda a, b: _sum(a, negated(b)))
multiply = binary(lambda a, b: a * b, _product)
divide = binary(_truncated, _ratio)
modulo = binary(_remainder, _no_floats)
least = binary(tir.min, _chosen(tir.min))
greatest = binary(tir.max, _chosen(tir.max))


def negate(x: Element) -> Element:
    """Return the negative of a symbolic element."""
    return negated(x) if isinstance(x, Quotient) else -x


def negated(x: Quotient) -> Quotient:
    """Return the quotient with the opposite sign."""
    return Quotient(-x.numerator, x.denominator, x.weight)


def absolute(x: Element) -> Element:
    """Return a symbolic element without its sign."""
    return greatest(x, negate(x))


def floor(x: Quotient) -> Quotient:
    """Return the greatest integer that is at most a quotient."""
    return Quotient(simplified(x.numerator // x.denominator), 1, x.weight)


def ceil(x: Quotient) -> Quotient:
    """Return the least integer that is at least a quotient."""
    numerator = (x.numerator + (x.denominator - 1)) // x.denominator
    return Quotient(simplified(numerator), 1, x.weight)


def to_float(x: Element) -> Quotient:
    """Return a symbolic element as a float."""
    return x if isinstance(x, Quotient) else Quotient(x, 1)


def to_integer(x: Element) -> Dim:
    """Return a symbolic element as an integer, rounded toward zero."""
    if not isinstance(x, Quotient):
        return x  # type: ignore[no-any-return]
    return simplified(_truncated(x.numerator, x.denominator))


def compare(
    function: Callable[[Any, Any], bool | PrimExpr], a: Element, b: Element
) -> bool | PrimExpr:
    """Return whether a comparison holds, or the condition if that depends on sizes."""
    if isinstance(a, Quotient) or isinstance(b, Quotient):
        a, b, _ = _aligned(as_quotient(a), as_quotient(b))
    condition = function(a, b)
    if not isinstance(condition, PrimExpr):
        return bool(condition)
    if _is_known(condition):
        return True
    return False if _is_known(tir.Not(condition)) else condition


def equal(a: Any, b: Any) -> bool | PrimExpr:
    """Return whether two elements are equal, or the condition if that depends on sizes."""
    difference = a - b
    if not isinstance(difference, PrimExpr):
        return bool(difference == 0)
    if _is_known(difference > 0) or _is_known(difference < 0):
        return False
    is_zero = _is_known(difference >= 0) and _is_known(difference <= 0)
    return True if is_zero else tir.EQ(difference, IntImm(difference.dtype, 0))


def negation(x: Element) -> PrimExpr:
    """Return the opposite of a condition on sizes."""
    return tir.Not(x)


def both(a: Element, b: Element) -> bool | PrimExpr:
    """Return whether two conditions hold, of which one depends on sizes."""
    if isinstance(a, PrimExpr) and isinstance(b, PrimExpr):
        return tir.And(a, b)
    known, other = (b, a) if isinstance(a, PrimExpr) else (a, b)
    return other if known else False


def either(a: Element, b: Element) -> bool | PrimExpr:
    """Return whether one of two conditions holds, of which one depends on sizes."""
    if isinstance(a, PrimExpr) and isinstance(b, PrimExpr):
        return tir.Or(a, b)
    known, other = (b, a) if isinstance(a, PrimExpr) else (a, b)
    return True if known else other


def _is_known(condition: PrimExpr | bool) -> bool:
    if isinstance(condition, bool | np.bool_):
        return bool(condition)
    return Analyzer().can_prove(condition)
