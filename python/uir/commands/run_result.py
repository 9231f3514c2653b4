"""The results of a call, its times and its profile, as text and as values of JSON."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from .json_output import json_finite

if TYPE_CHECKING:
    from uir_nodes.runtime import KernelProfile, Profile

    from ..driver import KernelBound, MachinePeak
    from ..runtime import Timing

__all__ = ["array_text", "bound_rows", "json_result"]

FIRST = 4
"""How many elements of a result are shown."""


def json_result(
    options: argparse.Namespace,
    outputs: Sequence[Any],
    timing: Timing,
    profile: Profile | None,
    peak: MachinePeak | None,
) -> dict[str, object]:
    """Return the results of a call and its times as values of JSON."""
    result: dict[str, object] = {
        "function": options.function,
        "outputs": [json_array(one) for one in outputs],
        "output": None if options.output is None else str(options.output),
        "call_count": options.number,
        "least_seconds": timing.min,
    }
    if profile is not None:
        result["profile"] = json_profile(profile, peak)
    return result


def array_text(array: Any) -> str:
    """Return the type of an array, and its first elements."""
    first = ", ".join(f"{one:.6g}" for one in array.reshape(-1)[:FIRST].tolist())
    shape = ", ".join(map(str, array.shape))
    return f"{array.dtype} ({shape}): {first}{', ...' if array.size > FIRST else ''}"


def json_array(array: Any) -> dict[str, object]:
    """Return the type of an array, and its first elements, as values of JSON."""
    first = json_finite(array.reshape(-1)[:FIRST].tolist())
    return {"dtype": str(array.dtype), "shape": list(array.shape), "first": first}


def bound_rows(profile: Profile, peak: MachinePeak) -> Iterator[tuple[str, str]]:
    """Yield a row about the peak of this machine, and one for each kernel whose bound is known."""
    rates = f"{peak.flops_per_second / 1e9:.1f} GFLOP/s, {peak.bytes_per_second / 1e9:.1f} GB/s"
    yield "peak", f"{rates} by {peak.threads} thread{'s' * (peak.threads > 1)}"
    for kernel in profile.kernels:
        bound = peak.bound(kernel)
        if bound is not None:
            share = f"{100 * bound.share:.1f} %"
            yield f"  {kernel.name}", f"{share} of the peak, bounded by {bound.by}"


def json_profile(profile: Profile, peak: MachinePeak | None) -> dict[str, object]:
    """Return a profile as values of JSON."""
    kernels = [
        json_kernel(one, None if peak is None else peak.bound(one)) for one in profile.kernels
    ]
    known = (
        None
        if peak is None
        else {
            "flops_per_second": peak.flops_per_second,
            "bytes_per_second": peak.bytes_per_second,
            "thread_count": peak.threads,
        }
    )
    times = {"call_count": profile.calls, "total_seconds": profile.total}
    return {**times, "peak": known, "kernels": kernels}


def json_kernel(kernel: KernelProfile, bound: KernelBound | None) -> dict[str, object]:
    """Return a kernel of a profile as values of JSON."""
    return {
        "name": str(kernel.name),
        "source": str(kernel.source) or None,
        "call_count": kernel.calls,
        "total_seconds": kernel.total,
        "min_seconds": kernel.min,
        "median_seconds": kernel.median,
        "flop_count": None if kernel.flops < 0 else kernel.flops,
        "moved_bytes": None if kernel.bytes_moved < 0 else kernel.bytes_moved,
        "bounded_by": None if bound is None else bound.by,
        "peak_share": None if bound is None else bound.share,
    }
