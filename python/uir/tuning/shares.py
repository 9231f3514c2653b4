"""The time that each kernel of a module takes, and how near it is to the peak of the machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from uir_nodes.ir import IRModule
from uir_nodes.runtime import KernelProfile, num_threads
from uir_nodes.target import Target

from ..driver import MachinePeak, build, machine_peak
from ..driver.peak import LEAST_BYTES
from ..runtime import (
    Module,
    TensorInfo,
    as_tensor,
    named_function,
    numpy_dtype,
    profile,
)
from .kernels import Kernel
from .samples import Samples

__all__ = ["KernelTime", "kernel_times"]

_NEAR = 0.95
"""The part of the peak from which a kernel is not searched."""


@dataclass(frozen=True)
class KernelTime:
    """The time of a kernel.

    Attributes
    ----------
    share
        Its share of the time of the module, of all calls of equal functions.
    peak
        Its time at the peak of the machine relative to its time; None where the peak does not bound
        the kernel: for other types than `float32`, and for tensors that may be in caches.
    """

    share: float
    peak: float | None = None

    @property
    def is_near_peak(self) -> bool:
        """Whether a search can gain at most 5 %."""
        return self.peak is not None and self.peak >= _NEAR


def kernel_times(
    module: IRModule,
    target: Target,
    kernels: Mapping[str, Sequence[Kernel]],
    samples: Samples,
    entry: str = "main",
) -> dict[str, KernelTime]:
    """Return the share of each kernel in the time of a call with random arguments.

    Parameters
    ----------
    module
        The module.
    target
        The machine.
    kernels
        Its kernels by hash, as `kernels_of` returns them.
    samples
        The sizes of the call; the shares are means, the peak is the least of all samples.
    entry
        The function that is called.

    Returns
    -------
    times
        The times of kernels by hash. The sum of the shares is at most 1.

    Raises
    ------
    ValueError
        If there is no such function, one of its inputs is not a tensor, or a size is missing or of
        no dimension.
    """
    library = build(module, target)
    profiles = [_profile(library, sizes, entry) for sizes in samples.sizes]
    return {
        key: KernelTime(
            float(np.mean([_share(one, equal) for one in profiles])),
            _least([_nearness(one, equal[0]) for one in profiles]),
        )
        for key, equal in kernels.items()
    }


class _Profile:
    """The kernels of a profile by name, and the time of the whole call."""

    def __init__(self, kernels: Mapping[str, KernelProfile], total: float) -> None:
        self.kernels = kernels
        times = sum(float(one.total) for one in kernels.values())
        self.whole = max(total, times, 1e-12)


def _profile(library: Module, sizes: Mapping[str, int], entry: str) -> _Profile:
    inputs = list(named_function(library, entry).inputs)
    _check_names(inputs, sizes)
    arguments = [_random(one, sizes, place) for place, one in enumerate(inputs)]
    made = profile(library, entry)(*map(as_tensor, arguments))
    return _Profile({str(one.name): one for one in made.kernels}, float(made.total))


def _check_names(inputs: Sequence[TensorInfo], sizes: Mapping[str, int]) -> None:
    """Reject sizes of dimensions that the inputs do not have."""
    dims = {dim for one in inputs for dim in one.shape or () if isinstance(dim, str)}
    for name in sizes:
        if name not in dims:
            known = ", ".join(f"`{dim}`" for dim in sorted(dims)) or "none"
            raise ValueError(
                f"the inputs have no symbolic dimension `{name}`; their dimensions are: {known}"
            )


def _share(made: _Profile, equal: Sequence[Kernel]) -> float:
    known = [made.kernels[one.name] for one in equal if one.name in made.kernels]
    return sum(float(one.total) for one in known) / made.whole


def _nearness(made: _Profile, kernel: Kernel) -> float | None:
    """Return the time of a kernel at the peak relative to its time, where the peak bounds it."""
    found = made.kernels.get(kernel.name)
    if found is None or min(found.flops, found.bytes_moved) < 0:
        return None
    peak = _peak(num_threads() if kernel.is_parallel else 1)
    bound = None if peak is None else peak.bound(found)
    if bound is None:
        return None
    if bound.by == "memory":
        return bound.share if found.bytes_moved / found.calls >= LEAST_BYTES else None
    dtypes = {str(buffer.dtype) for buffer in kernel.func.buffer_map.values()}
    return bound.share if dtypes == {"float32"} else None


@cache
def _peak(threads: int) -> MachinePeak | None:
    with suppress(MemoryError, RuntimeError):  # Then all kernels are searched.
        return machine_peak(threads)
    return None


def _least(values: Sequence[float | None]) -> float | None:
    known = [one for one in values if one is not None]
    return min(known) if len(known) == len(values) else None


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
