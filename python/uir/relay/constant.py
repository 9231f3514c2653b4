"""Constants of numbers, sequences and tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import tvm_ffi

from uir_nodes.relay import Constant

from ..runtime import as_tensor, numpy_dtype
from . import _ffi_api

if TYPE_CHECKING:
    from tvm_ffi import dtype as DataType

__all__ = ["const"]


def const(value: Any, dtype: DataType | str | None = None) -> Constant:
    """Make a constant.

    Parameters
    ----------
    value
        A tensor that implements DLPack, an array of NumPy, or a number or nested sequences of
        numbers.
    dtype
        The data type of the elements. Without it, a tensor keeps its own, and numbers become
        `float32`, `int32` or `bool`.

    Returns
    -------
    Constant
        The constant.

    Raises
    ------
    ValueError
        If nested sequences have different lengths, or a number does not fit the data type.
    """
    if isinstance(value, tvm_ffi.Tensor):
        return Constant(value)
    if hasattr(value, "__dlpack__"):
        converted = value if dtype is None else value.astype(numpy_dtype(dtype))
        return Constant(as_tensor(converted.copy(order="C")))
    shape, elements = _flatten(value)
    chosen = tvm_ffi.dtype(dtype) if dtype is not None else _dtype_of(elements)
    return _ffi_api.constant(elements, shape, chosen)


def _flatten(value: object) -> tuple[list[int], list[Any]]:
    if not isinstance(value, Sequence):
        return [], [value]
    parts = [_flatten(part) for part in value]
    shapes = {tuple(shape) for shape, _ in parts}
    if len(shapes) > 1:
        raise ValueError(f"nested sequences must have the same lengths, got {sorted(shapes)}")
    inner = list(shapes.pop()) if shapes else []
    return [len(parts), *inner], [element for _, elements in parts for element in elements]


def _dtype_of(elements: Sequence[object]) -> DataType:
    kinds = {type(element) for element in elements}
    if kinds == {bool}:
        return tvm_ffi.dtype("bool")
    return tvm_ffi.dtype("int32" if kinds and kinds <= {int, bool} else "float32")
