"""For which elements the documentation of an operator defines its result, and indices that fit.

In: the name of an operator, arrays for its operands.  Out: truth values, or indices.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

__all__ = ["INDICES", "REPAIRED", "is_defined"]

Array = np.ndarray[Any, Any]

REPAIRED = {
    "divide": 1,
    "floor_divide": 1,
    "mod": 1,
    "left_shift": 1,
    "right_shift": 1,
}
"""The operand that, set to 1, makes the result of an element defined."""


def is_defined(name: str, operands: list[Any]) -> Any:
    """Return for each element whether the documentation of the operator defines its result.

    Parameters
    ----------
    name
        The operator.
    operands
        Arrays that broadcast; None and lists where the operator has such operands.

    Returns
    -------
    defined
        Truth values of the shape of the result; True alone if it is defined for all operands.
    """
    if not operands or not isinstance(operands[0], np.ndarray):
        return np.True_
    x, *others = operands
    is_integer = x.dtype.kind in "iu"
    if name in ("divide", "floor_divide", "mod") and is_integer:
        return (others[0] != 0) & np.ones_like(x, bool)
    if name in ("left_shift", "right_shift"):
        return (others[0] >= 0) & (others[0] < 8 * x.itemsize) & np.ones_like(x, bool)
    return np.True_


def _take(random: np.random.Generator, shapes: list[Any], attributes: dict[str, Any]) -> Array:
    x, indices = shapes[:2]
    axis = attributes.get("axis", 0)
    size = int(np.prod(x)) if axis is None else x[axis]
    margin = 0 if attributes.get("mode", "raise") == "raise" else size + 3
    return _between(random, -size - margin, size + margin, indices)


def _along_axis(
    random: np.random.Generator, shapes: list[Any], attributes: dict[str, Any]
) -> Array:
    size = shapes[0][attributes.get("axis", 0)]
    return _between(random, -size, size, shapes[1])


def _each_place_once(
    random: np.random.Generator, shapes: list[Any], attributes: dict[str, Any]
) -> Array:
    """Return indices along an axis of which none is there twice: writes have no order."""
    x, shape = shapes[:2]
    axis = attributes.get("axis", 0)
    if attributes.get("reduction", "none") != "none":
        return _along_axis(random, shapes, attributes)
    if shape[axis] > x[axis]:
        raise ValueError("there are more indices than places")
    rows = np.argsort(random.random((*np.delete(shape, axis), x[axis])), -1)[..., : shape[axis]]
    negative = random.random(rows.shape) < 0.2
    return np.moveaxis(rows - negative * x[axis], -1, axis)


def _gather_nd(random: np.random.Generator, shapes: list[Any], attributes: dict[str, Any]) -> Array:
    x, shape = shapes[:2]
    first = attributes.get("batch_dims", 0)
    columns = [_between(random, -size, size, shape[:-1]) for size in x[first : first + shape[-1]]]
    return np.stack(columns, -1) if columns else np.zeros(shape, "int64")


def _scatter_nd(
    random: np.random.Generator, shapes: list[Any], attributes: dict[str, Any]
) -> Array:
    """Return places of which none is there twice, unless what is written is combined."""
    if attributes.get("reduction", "none") != "none":
        return _gather_nd(random, shapes, {})
    x, shape = shapes[:2]
    sizes, count = x[: shape[-1]], int(np.prod(shape[:-1]))
    places = int(np.prod(sizes))
    if count > places:
        raise ValueError("there are more indices than places")
    chosen = random.permutation(places)[:count]
    rows = np.stack(np.unravel_index(chosen, sizes), -1) if sizes else np.zeros((count, 0))
    return rows.reshape(shape)


def _between(random: np.random.Generator, low: int, high: int, shape: Any) -> Array:
    if low >= high and np.prod(shape):
        raise ValueError("there is no element to choose")
    return random.integers(low, max(high, low + 1), shape)


INDICES: dict[str, Callable[[np.random.Generator, list[Any], dict[str, Any]], Array]] = {
    "gather_nd": _gather_nd,
    "scatter_elements": _each_place_once,
    "scatter_nd": _scatter_nd,
    "take": _take,
    "take_along_axis": _along_axis,
}
"""What makes `indices`, of random numbers, the shapes of the operands and the attributes.

Each raises a ValueError if there are no such indices.
"""
