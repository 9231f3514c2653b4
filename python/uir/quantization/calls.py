"""The calls that calibration data has: an array for each input of a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
import onnx

from tschema.command_line import nearest

from ..frontend.onnx.signature import name_of
from ..frontend.tensors import Array

__all__ = ["Call", "calls_of"]

Call: TypeAlias = Mapping[str, Array]


class Input(NamedTuple):
    """An input of a model; unknown dimensions have names."""

    name: str
    dtype: np.dtype[np.generic]
    shape: tuple[int | str, ...]

    def __str__(self) -> str:
        return f"`{self.name}` must have shape ({', '.join(map(str, self.shape))})"


def calls_of(graph: onnx.GraphProto, arrays: Mapping[str, Array]) -> list[Call]:
    """Return the calls in arrays of the inputs of a graph.

    An array is an input of one call. It may have an axis of calls more, which comes first, or, if
    the first dimension is a number, that of several calls.

    Parameters
    ----------
    graph
        The graph.
    arrays
        The arrays by the names of the inputs.

    Raises
    ------
    ValueError
        If an input is missing, or an array has no input, another data type or shape, other calls
        than the others, no call, or elements that are not finite.
    """
    inputs = inputs_of(graph)
    check_names([one.name for one in inputs], arrays)
    rows = {one.name: rows_of(one, np.asarray(arrays[one.name])) for one in inputs}
    counts = {name: len(found) for name, found in rows.items()}
    if len(set(counts.values())) > 1:
        listed = ", ".join(f"{count} of `{name}`" for name, count in counts.items())
        raise ValueError(f"calibration: the inputs have different numbers of calls: {listed}")
    return [dict(zip(rows, one, strict=True)) for one in zip(*rows.values(), strict=True)]


def inputs_of(graph: onnx.GraphProto) -> list[Input]:
    """Return the inputs of a graph; those with initializers need no data."""
    initialized = {tensor.name for tensor in graph.initializer}
    return [input_of(one) for one in graph.input if one.name not in initialized]


def input_of(info: onnx.ValueInfoProto) -> Input:
    """Describe an input."""
    type = info.type.tensor_type
    shape = tuple(
        dim.dim_value if dim.dim_value > 0 else name_of(dim, info.name, axis)
        for axis, dim in enumerate(type.shape.dim)
    )
    return Input(info.name, onnx.helper.tensor_dtype_to_np_dtype(type.elem_type), shape)


def check_names(inputs: Sequence[str], arrays: Mapping[str, Array]) -> None:
    """Check that each input has an array, and each array an input."""
    known = ", ".join(f"`{name}`" for name in inputs)
    for name in arrays:
        if name not in inputs:
            raise ValueError(
                f"calibration: the model has no input `{name}`; it has {known}"
                f"{nearest(name, inputs)}"
            )
    for name in inputs:
        if name not in arrays:
            found = ", ".join(f"`{one}`" for one in arrays) or "none"
            raise ValueError(f"calibration: input `{name}` has no array; there are {found}")


def rows_of(wanted: Input, array: Array) -> list[Array]:
    """Return the array of each call."""
    if array.dtype != wanted.dtype:
        raise ValueError(
            f"calibration: `{wanted.name}` must have data type {wanted.dtype}, got {array.dtype}"
        )
    rows = split(wanted.shape, array)
    if rows is None:
        more = ", also with an axis of calls before it" if wanted.shape else ""
        raise ValueError(f"calibration: {wanted}{more}, got {array.shape}")
    if not rows:
        raise ValueError(f"calibration: `{wanted.name}` has no call: its shape is {array.shape}")
    for place, row in enumerate(rows):
        if row.dtype.kind == "f" and not np.isfinite(row).all():
            raise ValueError(f"calibration: `{wanted.name}` has NaN or infinity in call {place}")
    return rows


def split(shape: Sequence[int | str], array: Array) -> list[Array] | None:
    """Return the parts of an array that have a shape; None if there are none."""
    if fits(shape, array.shape):
        return [array]
    if array.ndim == len(shape) + 1 and fits(shape, array.shape[1:]):
        return list(array)
    first = shape[0] if shape else ""
    if isinstance(first, int) and fits(shape[1:], array.shape[1:]) and not len(array) % first:
        return list(array.reshape(-1, *[first], *array.shape[1:]))
    return None


def fits(shape: Sequence[int | str], found: Sequence[int]) -> bool:
    """Return whether numbers of a shape are those that an array has."""
    return len(shape) == len(found) and all(
        dim == size or isinstance(dim, str) for dim, size in zip(shape, found, strict=True)
    )
