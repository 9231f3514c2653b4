"""Arrays of every data type: plain numbers, and those at the ends of their types."""

from __future__ import annotations

from typing import Any

import numpy as np

from uir.runtime import numpy_dtype

__all__ = ["VIEWS", "array_of", "is_float", "special_numbers", "view_of"]

Array = np.ndarray[Any, Any]

VIEWS = ("compact", "reversed", "other", "column", "transposed", "unaligned")
"""How the elements of an argument lie in memory."""


def is_float(dtype: Any) -> bool:
    """Tell whether a data type is of floating-point numbers; bfloat16 has no kind in NumPy."""
    return numpy_dtype(dtype).kind == "f" or str(dtype) == "bfloat16"


def special_numbers(dtype: str) -> Array:
    """Return the numbers at the ends of a data type, and those that operators treat apart."""
    kind = numpy_dtype(dtype)
    if dtype == "bool":
        return np.array([False, True])
    if not is_float(dtype):
        limits = np.iinfo(kind)
        ends = (limits.min, limits.min + 1, limits.max - 1, limits.max, limits.max // 2 + 1)
        small = [number for number in (-2, -1, 0, 1, 2, 7) if number >= limits.min]
        return np.array([*ends, *small], kind)
    if dtype == "bfloat16":
        positive = np.array([0, 2.0**-133, 2.0**-126, 0.5, 1, 2.5, 3.38e38, np.inf], kind)
    else:
        ends = np.finfo(kind)
        numbers = [0, ends.smallest_subnormal, ends.tiny, 0.5, 1, 2.5, 88, ends.max, np.inf]
        positive = np.array(numbers, kind)
    return np.concatenate([positive, -positive, np.array([np.nan], kind)])


def array_of(random: np.random.Generator, shape: tuple[int, ...], dtype: str) -> Array:
    """Return an array: of plain numbers, some of them special in two of five."""
    kind = numpy_dtype(dtype)
    if dtype == "bool":
        return random.random(shape) < 0.5
    if is_float(dtype):
        values = (random.normal(size=shape) * random.choice([0.3, 1, 1, 4])).astype(kind)
    else:
        values = random.integers(0 if kind.kind == "u" else -9, 10, shape).astype(kind)
    if random.random() < 0.4:
        chosen = random.random(shape) < random.choice([0.05, 0.3])
        values = np.where(chosen, random.choice(special_numbers(dtype), shape), values)
    return np.asarray(values, kind)


def view_of(array: Array, view: str) -> Array:
    """Return an equal array whose elements lie otherwise in memory."""
    if array.ndim == 0 or view == "compact":
        return array
    if view == "reversed":
        return np.ascontiguousarray(array[::-1])[::-1]
    if view == "other":
        spread = np.zeros((2 * array.shape[0], *array.shape[1:]), array.dtype)
        spread[::2] = array
        return spread[::2]
    if view == "column":
        return np.stack([array, array], -1)[..., 1]
    if view == "transposed":
        return np.ascontiguousarray(array.T).T
    memory = np.zeros(array.nbytes + array.itemsize, np.uint8)
    shifted = memory[array.itemsize :].view(array.dtype).reshape(array.shape)
    shifted[...] = array
    return shifted
