"""The results of a call, its times and its profile, as text and as values of JSON."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .json_output import json_finite

if TYPE_CHECKING:
    from uir_nodes.runtime import Profile

    from ..runtime import Timing

__all__ = ["array_text", "json_result"]

FIRST = 4
"""How many elements of a result are shown."""


def json_result(
    options: argparse.Namespace, outputs: Sequence[Any], timing: Timing, profile: Profile | None
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
        result["profile"] = json_profile(profile)
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


def json_profile(profile: Profile) -> dict[str, object]:
    """Return a profile as values of JSON."""
    kernels = [
        {
            "name": str(one.name),
            "source": str(one.source) or None,
            "call_count": one.calls,
            "total_seconds": one.total,
            "min_seconds": one.min,
            "median_seconds": one.median,
            "flop_count": None if one.flops < 0 else one.flops,
            "moved_bytes": None if one.bytes_moved < 0 else one.bytes_moved,
        }
        for one in profile.kernels
    ]
    return {"call_count": profile.calls, "total_seconds": profile.total, "kernels": kernels}
