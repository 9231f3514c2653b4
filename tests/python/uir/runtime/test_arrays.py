"""Tensors and arrays share their memory, also those of the data types of `ml_dtypes`."""

from __future__ import annotations

import sys

import ml_dtypes
import numpy as np
import pytest
import tvm_ffi

from uir import runtime


@pytest.mark.parametrize("dtype", ["float32", "int64", "bool", "bfloat16"])
def test_arrays_become_tensors_and_arrays_again(dtype: str) -> None:
    array = np.array([[0, 1, 2], [3, -4, 5.5]]).astype(runtime.numpy_dtype(dtype))
    tensor = runtime.as_tensor(array.T)
    assert (str(tensor.dtype), tuple(tensor.shape)) == (dtype, (3, 2))
    again = runtime.as_array(tensor)
    assert again.dtype == array.dtype
    assert np.array_equal(again, array.T)
    array[0, 0] = 1
    assert again[0, 0] == array[0, 0]


@pytest.mark.parametrize("shape", [(), (0, 3), (2, 0)])
def test_arrays_of_few_elements(shape: tuple[int, ...]) -> None:
    array = np.ones(shape).astype(runtime.numpy_dtype("bfloat16"))
    tensor = runtime.as_tensor(array)
    assert tuple(tensor.shape) == shape
    assert np.array_equal(runtime.as_array(tensor), array)


def test_a_view_keeps_the_memory() -> None:
    floats = tvm_ffi.from_dlpack(np.array([1.0, -2.0], np.float32))
    bits = runtime.view_as(floats, "uint32")
    del floats
    assert np.from_dlpack(bits).tolist() == [0x3F800000, 0xC0000000]
    with pytest.raises(ValueError, match="elements of `bfloat16` have 16 bits.*`uint32`, have 32"):
        runtime.view_as(bits, "bfloat16")


def test_bfloat16_names_the_package_that_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert runtime.numpy_dtype("bfloat16") == ml_dtypes.bfloat16
    monkeypatch.setitem(sys.modules, "ml_dtypes", None)
    with pytest.raises(ImportError, match=r"needs the package `ml_dtypes`: install `uir\[numpy\]`"):
        runtime.numpy_dtype("bfloat16")
