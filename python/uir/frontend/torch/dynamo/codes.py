"""Constants whose elements are numbered, so that they are found again after a pass moved them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

import numpy as np
import tvm_ffi

from .layout import Layout

__all__ = ["Codes", "has_codes"]

# The data types of codes, by the bits of an element.
KINDS: Mapping[int, Any] = {32: np.uint32, 64: np.uint64}


class Codes:
    """Makes constants with codes, each of which is the code of one element. 0 is none."""

    def __init__(self) -> None:
        self._firsts: list[int] = []
        self._next = 1

    def of(self, tensor: tvm_ffi.Tensor) -> tvm_ffi.Tensor:
        """Return a constant with codes, or the constant itself if its elements are too narrow."""
        if has_codes(tensor.dtype):
            return self.like(tensor.shape, tensor.dtype)
        self._firsts.append(0)
        return tensor

    def like(self, shape: Sequence[Any], dtype: object) -> tvm_ffi.Tensor:
        """Return codes as a constant.

        Parameters
        ----------
        shape, dtype
            The shape and the data type of the constant, which has codes.

        Raises
        ------
        ValueError
            If all constants have more elements than there are codes.
        """
        sizes = [int(size) for size in shape]
        end = self._next + prod(sizes)
        if end > np.iinfo(np.uint32).max:
            raise ValueError("the weights have more than 2^32 elements: give `freeze=False`")
        codes = np.arange(self._next, end, dtype=kind_of(dtype)).view(str(dtype)).reshape(sizes)
        self._firsts.append(self._next)
        self._next = end + 1  # Constants without elements begin at different codes too.
        return tvm_ffi.from_dlpack(codes)

    def decoded(self, packed: tvm_ffi.Tensor) -> tuple[int, Layout] | None:
        """Return which constant a packed one has the elements of, from 0, and its layout.

        None if its elements are too narrow for codes.
        """
        if not has_codes(packed.dtype):
            return None
        codes = np.from_dlpack(packed).view(kind_of(packed.dtype)).astype(np.int64)
        first = int(codes.flat[0])
        return self._firsts.index(first), Layout.of(np.where(codes == 0, -1, codes - first))


def has_codes(dtype: object) -> bool:
    """Return whether elements of a data type are wide enough for codes."""
    return bits_of(dtype) in KINDS


def kind_of(dtype: object) -> Any:
    return KINDS[bits_of(dtype)]


def bits_of(dtype: object) -> int:
    return int(tvm_ffi.dtype(str(dtype)).bits)
