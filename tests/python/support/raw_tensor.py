"""Tensors of DLPack that no library would make: any address, shape, strides, data type and device.

In: the fields of a `DLTensor`.  Out: an object that functions take as a tensor.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

__all__ = ["RawTensor"]


class _DLTensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


class _ManagedTensor(ctypes.Structure):
    _fields_ = [
        ("tensor", _DLTensor),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
    ]


_new_capsule = ctypes.PYFUNCTYPE(
    ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p
)(("PyCapsule_New", ctypes.pythonapi))


class RawTensor:
    """A tensor of `float32` on the CPU, unless fields say otherwise."""

    def __init__(
        self,
        data: int | None,
        shape: Sequence[int],
        strides: Sequence[int] | None = None,
        *,
        dtype: tuple[int, int, int] = (2, 32, 1),
        device_type: int = 1,
        byte_offset: int = 0,
    ) -> None:
        numbers = ctypes.c_int64 * max(1, len(shape))
        self._shape = numbers(*shape)
        self._strides = None if strides is None else numbers(*strides)
        self._device_type = device_type
        self._managed = _ManagedTensor(
            _DLTensor(
                *(data, device_type, 0, len(shape), *dtype),
                ctypes.cast(self._shape, ctypes.POINTER(ctypes.c_int64)),
                ctypes.cast(self._strides, ctypes.POINTER(ctypes.c_int64)),
                byte_offset,
            )
        )

    def __dlpack__(self, **options: Any) -> Any:
        return _new_capsule(ctypes.addressof(self._managed), b"dltensor", None)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._device_type, 0
