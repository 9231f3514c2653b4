"""Tensors as arrays of NumPy, and arrays as tensors.

NumPy has no bfloat16: the package `ml_dtypes` adds it, which is imported when one is seen.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import tvm_ffi

from ._ffi_api import view_as

if TYPE_CHECKING:
    import numpy as np

__all__ = ["as_array", "as_tensor", "numpy_dtype", "view_as"]

# The data types that NumPy gets from `ml_dtypes`, and those that carry their bits through DLPack.
_BITS = {"bfloat16": "uint16"}


def numpy_dtype(dtype: object) -> np.dtype[Any]:
    """Return a data type as NumPy has it.

    Parameters
    ----------
    dtype
        The data type, or its name, such as `bfloat16`.

    Returns
    -------
    numpy.dtype
        The data type.

    Raises
    ------
    ImportError
        If NumPy is not installed, or `ml_dtypes` is not and the data type is bfloat16.
    TypeError
        If NumPy does not have it.
    """
    numpy, name = importlib.import_module("numpy"), str(dtype)
    if name in _BITS:
        try:
            importlib.import_module("ml_dtypes")
        except ModuleNotFoundError as error:
            message = f"{name} in NumPy needs the package `ml_dtypes`: install `uir[numpy]`"
            raise ImportError(message) from error
    result: np.dtype[Any] = numpy.dtype(name)
    return result


def as_array(tensor: tvm_ffi.Tensor) -> np.ndarray[Any, Any]:
    """Return an array that shares the memory of a tensor on the CPU.

    Parameters
    ----------
    tensor
        The tensor.

    Returns
    -------
    numpy.ndarray
        The array, of the same shape and data type.

    Raises
    ------
    ImportError
        If NumPy is not installed, or `ml_dtypes` is not and the data type is bfloat16.
    """
    numpy, name = importlib.import_module("numpy"), str(tensor.dtype)
    bits = _BITS.get(name)
    array: np.ndarray[Any, Any]
    if bits is None:
        array = numpy.from_dlpack(tensor)
    else:
        array = numpy.from_dlpack(view_as(tensor, bits)).view(numpy_dtype(name))
    return array


def as_tensor(value: Any) -> tvm_ffi.Tensor:
    """Return a tensor that shares the memory of an array.

    Parameters
    ----------
    value
        An array of NumPy, also one of bfloat16; or a tensor that implements DLPack.

    Returns
    -------
    tvm_ffi.Tensor
        The tensor, of the same shape, strides and data type.

    Raises
    ------
    BufferError
        If DLPack does not have the data type.
    """
    if isinstance(value, tvm_ffi.Tensor):
        return value
    name = str(getattr(value, "dtype", ""))
    if name not in _BITS:
        return tvm_ffi.from_dlpack(value)
    return view_as(tvm_ffi.from_dlpack(value.view(_BITS[name])), name)
