"""Arguments for kernels, and the comparison of their results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from uir_nodes.ir import IntImm, PrimExpr
from uir_nodes.tir import PrimFunc, Var

from ...arith import Analyzer
from ...runtime import as_tensor, numpy_dtype

__all__ = ["arguments_of", "as_arguments", "difference"]

_ALIGNMENT = 64
_TERMS_BOUND = 4096
"""The bound of differences where the order of sums changes, in units of the last place of the
largest result."""


def arguments_of(func: PrimFunc, sizes: Mapping[str, int], seed: int) -> list[Any]:
    """Return arguments of a kernel: arrays of random numbers, and sizes.

    Parameters
    ----------
    func
        The kernel.
    sizes
        The values of symbolic dimensions by name.
    seed
        The seed; equal seeds give equal arguments.

    Returns
    -------
    arguments
        NumPy arrays, floating-point numbers from -1 to 1 and integers 0 and 1; a number for each
        parameter without a buffer.

    Raises
    ------
    ValueError
        If a parameter is neither a buffer nor a size.
    """
    generator, analyzer = np.random.default_rng(seed), Analyzer()
    for variable in {*func.params, *_dimensions_of(func)}:
        if variable.name in sizes:
            analyzer.bind(variable, IntImm(str(variable.dtype), sizes[str(variable.name)]))
    made: list[Any] = []
    for variable in func.params:
        buffer = func.buffer_map.get(variable)
        if buffer is not None:
            shape = [_number(dim, analyzer) for dim in buffer.shape]
            made.append(_filled(shape, numpy_dtype(buffer.dtype), generator))
        else:
            made.append(_size(variable, sizes))
    return made


def as_arguments(values: list[Any]) -> list[Any]:
    """Return arguments as tensors that share the memory of arrays."""
    return [as_tensor(one) if isinstance(one, np.ndarray) else one for one in values]


def difference(found: list[Any], expected: list[Any], *, is_exact: bool) -> str:
    """Compare the arrays that two candidates have left.

    Parameters
    ----------
    found, expected
        All arguments after a call.
    is_exact
        Whether the same bits are expected. Else floating-point numbers may differ by a multiple of
        the last place of the largest one.

    Returns
    -------
    text
        The first difference; empty if there is none.
    """
    for place, (one, other) in enumerate(zip(found, expected, strict=True)):
        if not isinstance(one, np.ndarray) or one.tobytes() == other.tobytes():
            continue
        if is_exact or one.dtype.kind not in "fV":
            return f"argument {place} has other bits than with the choices of the recipes"
        left, right = one.astype(np.float64), other.astype(np.float64)
        eps = (
            2.0**-23
            if one.dtype.itemsize == 4
            else 2.0**-52
            if one.dtype.itemsize == 8
            else 2.0**-7
        )
        bound = eps * _TERMS_BOUND * max(float(np.nanmax(np.abs(right), initial=0.0)), 1e-30)
        gap = np.abs(left - right)
        if not np.array_equal(np.isnan(left), np.isnan(right)) or np.nanmax(gap) > bound:
            return f"argument {place} differs by {np.nanmax(gap):.3g}, more than {bound:.3g}"
    return ""


def _dimensions_of(func: PrimFunc) -> Iterator[Var]:
    """Yield the dimensions of buffers that are variables."""
    for buffer in func.buffer_map.values():
        yield from (dim for dim in buffer.shape if isinstance(dim, Var))


def _number(dim: PrimExpr, analyzer: Analyzer) -> int:
    value = analyzer.simplify(dim)
    if not isinstance(value, IntImm):
        raise ValueError(f"the dimension `{dim}` has no value: give a sample of its sizes")
    return int(value.value)


def _size(variable: Var, sizes: Mapping[str, int]) -> int:
    name = str(variable.name)
    if name not in sizes:
        raise ValueError(f"the parameter `{name}` has no value: give a sample of its sizes")
    return sizes[name]


def _filled(shape: list[int], dtype: Any, generator: Any) -> Any:
    """Return an array whose memory begins at a multiple of the alignment of tensors."""
    count = int(np.prod(shape, dtype=np.int64))
    memory = np.empty(count * dtype.itemsize + _ALIGNMENT, np.uint8)
    start = -memory.ctypes.data % _ALIGNMENT
    made = memory[start : start + count * dtype.itemsize].view(dtype).reshape(shape)
    if dtype.kind in "fV":
        made[...] = generator.uniform(-1, 1, shape).astype(np.float32).astype(dtype)
    else:
        made[...] = generator.integers(0, 2, shape).astype(dtype)
    return made
