"""The share of a module's time that each kernel takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from uir_nodes.ir import IRModule
from uir_nodes.target import Target

from ..driver import build
from ..runtime import TensorInfo, as_tensor, named_function, numpy_dtype, profile
from .kernels import Kernel

__all__ = ["shares_of"]


def shares_of(
    module: IRModule,
    target: Target,
    kernels: Mapping[str, Sequence[Kernel]],
    sizes: Mapping[str, int],
    entry: str = "main",
) -> dict[str, float]:
    """Return the share of each kernel in the time of a call with random arguments.

    Parameters
    ----------
    module
        The module.
    target
        The machine.
    kernels
        Its kernels by hash, as `kernels_of` returns them.
    sizes
        The values of symbolic dimensions by name.
    entry
        The function that is called.

    Returns
    -------
    shares
        The shares by hash, from the largest; their sum is at most 1.

    Raises
    ------
    ValueError
        If there is no such function, or one of its inputs is not a tensor.
    """
    library = build(module, target)
    inputs = list(named_function(library, entry).inputs)
    arguments = [_random(one, sizes, place) for place, one in enumerate(inputs)]
    measured = profile(library, entry)(*map(as_tensor, arguments))
    times = {str(one.name): float(one.total) for one in measured.kernels}
    whole = max(float(measured.total), sum(times.values()), 1e-12)
    shares = {
        key: sum(times.get(one.name, 0.0) for one in equal) / whole
        for key, equal in kernels.items()
    }
    return dict(sorted(shares.items(), key=lambda item: -item[1]))


def _random(given: TensorInfo, sizes: Mapping[str, int], seed: int) -> Any:
    if given.shape is None:
        raise ValueError(f"input `{given.name}` of type {given.dtype} is not a tensor")
    unknown = [dim for dim in given.shape if isinstance(dim, str) and dim not in sizes]
    if unknown:
        raise ValueError(
            f"the dimension `{unknown[0]}` has no size: give one, as `{unknown[0]}=16`"
        )
    shape = [dim if isinstance(dim, int) else sizes[dim] for dim in given.shape]
    generator, dtype = np.random.default_rng(seed), numpy_dtype(given.dtype)
    if dtype.kind in "fV":
        return generator.random(shape, np.float32).astype(dtype)
    return generator.integers(0, 2, shape).astype(dtype)
