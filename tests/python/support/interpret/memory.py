"""Memory as bytes, which several buffers may see in different ways."""

from __future__ import annotations

import ctypes
import math
from typing import Any, NamedTuple

import numpy as np
import tvm_ffi
from tvm_ffi import dtype as DataType

from .errors import Undefined
from .numbers import Value, bfloat16_bits, bfloat16_value, element_name, storage_type

__all__ = ["Address", "Memory"]

_HANDLE_SIZE = 8


class Memory:
    """A piece of memory, and which of its bytes have been written."""

    def __init__(self, data: np.ndarray[Any, Any], is_written: bool) -> None:
        self.data = data
        self.written = np.full(data.shape, is_written, dtype=np.bool_)
        self.references: dict[int, Value] = {}
        """What handles in this memory refer to, by offset in bytes."""

    @classmethod
    def allocate(cls, size: int) -> Memory:
        """Return new memory of so many bytes, none of them written."""
        return cls(np.zeros(size, dtype=np.uint8), is_written=False)

    @classmethod
    def of_array(cls, array: np.ndarray[Any, Any]) -> Memory:
        """Return the memory of an array, from its first element to the end of its last one."""
        if any(stride < 0 for stride in array.strides):
            raise ValueError("an array with negative strides cannot be an argument")
        steps = zip(array.shape, array.strides, strict=True)
        span = sum((extent - 1) * stride for extent, stride in steps) + array.itemsize
        first = np.lib.stride_tricks.as_strided(array, shape=(1,), strides=(array.itemsize,))
        data = np.lib.stride_tricks.as_strided(
            first.view(np.uint8), shape=(span if array.size else 0,), strides=(1,)
        )
        return cls(data, is_written=True)

    @classmethod
    def of_tensor(cls, tensor: tvm_ffi.Tensor) -> Memory:
        """Return a copy of the bytes of a contiguous tensor, which cannot be written."""
        dtype = tensor.dtype
        size = math.prod(tensor.shape) * storage_type(dtype).itemsize * dtype.lanes
        data = np.frombuffer(ctypes.string_at(tensor.data_ptr(), size), np.uint8)
        return cls(data, is_written=True)

    def load(self, dtype: DataType, offset: int) -> Value:
        """Read one lane at an offset in bytes."""
        if element_name(dtype) == "handle":
            if offset not in self.references:
                raise Undefined(f"the handle at byte {offset} is read before it is written")
            return self.references[offset]
        kind = storage_type(dtype)
        place = self._place(kind.itemsize, offset)
        if not self.written[place].all():
            raise Undefined(f"byte {offset} is read before it is written")
        value = self.data[place].view(kind)[0].item()
        return bfloat16_value(value) if element_name(dtype) == "bfloat16" else value

    def store(self, dtype: DataType, offset: int, value: Value) -> None:
        """Write one lane at an offset in bytes."""
        if element_name(dtype) == "handle":
            self._place(_HANDLE_SIZE, offset)
            self.references[offset] = value
            return
        kind = storage_type(dtype)
        place = self._place(kind.itemsize, offset)
        if not self.data.flags.writeable:
            raise Undefined("a constant cannot be written")
        bits = bfloat16_bits(value) if element_name(dtype) == "bfloat16" else value
        self.data[place] = np.array([bits], dtype=kind).view(np.uint8)
        self.written[place] = True

    def _place(self, size: int, offset: int) -> slice:
        if offset < 0 or offset + size > len(self.data):
            raise Undefined(f"byte {offset} is outside of {len(self.data)} bytes of memory")
        return slice(offset, offset + size)


class Address(NamedTuple):
    """A place in memory: what a `handle` holds."""

    memory: Memory
    offset: int
    """Distance from the start of the memory, in bytes."""
