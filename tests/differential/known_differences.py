"""Elements that another implementation of ONNX is known to compute otherwise.

In: a call with its operands, what the other one found and what the reference expects.  Out: which
elements may differ, as narrow as the difference is known; or True for a call that says nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from .evaluation import Array
from .values import is_float

__all__ = [
    "Case",
    "Known",
    "any_of",
    "crops",
    "equal_zeros",
    "expects_nan",
    "floats",
    "has_infinite",
    "is_dilated",
    "is_float64",
    "is_inexact_product",
    "is_inexact_sum",
    "is_mean_of_none",
    "is_near_in_float32",
    "is_reduced_to_nan",
    "leaves_integers",
    "multiplies_infinities",
    "spans",
]


class Case(NamedTuple):
    """A call of which a result differs, with its first result."""

    given: dict[str, Any]
    """Its attributes."""
    operands: list[Any]
    """An array for each operand: None for an absent one, a list for a variadic one."""
    found: Array
    expected: Array


Known = Callable[[Case], Array | bool]
"""Returns which elements are known to differ, in a shape that broadcasts to that of each result."""


def any_of(*rules: Known) -> Known:
    """Return a rule for the elements of some rules."""

    def rule(case: Case) -> Array | bool:
        results = list[Array | bool]()
        for one in rules:
            results.append(one(case))
            if results[-1] is True:
                return True
        return np.any(np.broadcast_arrays(*results, case.expected)[:-1], axis=0)

    return rule


def floats(operands: list[Any]) -> Iterator[Array]:
    """Yield the floating-point operands as `float64`."""
    listed = [one for each in operands for one in (each if isinstance(each, list) else [each])]
    for one in listed:
        if one is not None and is_float(one.dtype):
            yield one.astype(np.float64)


def is_float64(case: Case) -> bool:
    return str(case.operands[0].dtype) == "float64"


def is_near_in_float32(case: Case) -> Array | bool:
    """Return which numbers are equal up to the errors of formulas in `float32`."""
    if not is_float64(case):
        return False
    with np.errstate(all="ignore"):
        size = np.maximum(np.abs(case.expected), np.abs(case.operands[0]))
        # Numbers that are less than those of `float32` are 0.
        return np.asarray(np.abs(case.found - case.expected) <= 1e-6 * size + 2.0**-126)


def has_infinite(case: Case) -> bool:
    return not all(np.isfinite(one).all() for one in floats(case.operands))


def expects_nan(case: Case) -> Array | bool:
    if not is_float(case.expected.dtype):
        return False
    return np.isnan(case.expected.astype(np.float64))


def is_reduced_to_nan(case: Case) -> Array | bool:
    """Return where a scattering that takes the least or greatest element expects NaN."""
    return case.given["reduction"] in ("min", "max") and expects_nan(case)


def equal_zeros(case: Case) -> Array:
    return np.asarray((case.found == 0) & (case.expected == 0))


def is_dilated(case: Case) -> bool:
    return any(one > 1 for one in case.given["dilations"] or ())


def spans(case: Case) -> list[int]:
    """Return how many elements the window of a pooling spans along each axis."""
    kernel = case.given["kernel"]
    dilations = case.given["dilations"] or [1] * len(kernel)
    return [(size - 1) * step + 1 for size, step in zip(kernel, dilations, strict=True)]


def crops(case: Case) -> bool:
    """Return whether the padding of a pooling that keeps the size would be negative."""
    if not case.given["auto_pad"].startswith("same"):
        return False
    strides = case.given["strides"] or [1] * len(case.given["kernel"])
    sizes = case.operands[0].shape[2:]
    places = zip(sizes, strides, spans(case), strict=True)
    return any((-(-size // step) - 1) * step + span < size for size, step, span in places)


def leaves_integers(case: Case) -> Array:
    """Return which elements of a cast to integers are none of its data type."""
    dtype = np.dtype(str(case.given["dtype"]))
    if dtype.kind not in "iu" or not is_float(case.operands[0].dtype):
        return np.zeros(case.expected.shape, bool)
    ends, x = np.iinfo(dtype), np.asarray(case.operands[0], np.float64)
    return np.asarray(~((x > ends.min - 1.0) & (x < ends.max + 1.0)))


def multiplies_infinities(case: Case) -> bool:
    """Return whether an einsum of three operands or more has some that are not finite."""
    return len(case.operands[0]) > 2 and has_infinite(case)


def is_inexact_sum(case: Case) -> Array | bool:
    """Return which sums of integers their data type or `float64` does not have, also on the way."""
    return _is_inexact(case, np.sum)


def is_mean_of_none(case: Case) -> bool:
    return case.operands[0].size == 0


def is_inexact_product(case: Case) -> Array | bool:
    """Return the same for products."""
    return _is_inexact(case, np.prod)


def _is_inexact(case: Case, reduce: Callable[..., Any]) -> Array | bool:
    x = case.operands[0]
    if x.dtype.kind not in "iu":
        return False
    sizes = _exact(case, np.asarray(np.abs(x.astype(object)), object), reduce)
    return np.asarray(sizes > min(2**53, np.iinfo(x.dtype).max), bool)


def _exact(case: Case, x: Array, reduce: Callable[..., Any]) -> Array:
    """Return the results of a reduction of integers, as whole numbers of any size."""
    axis, keepdims = case.given["axis"], case.given["keepdims"]
    axes = tuple(range(x.ndim)) if axis is None else tuple(axis)
    return np.asarray(reduce(x.astype(object), axis=axes, keepdims=bool(keepdims)), object)
