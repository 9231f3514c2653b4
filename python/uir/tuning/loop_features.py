"""The features of candidates that C++ computes of their loops."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from uir_nodes.tir import PrimFunc

from . import _ffi_api

__all__ = ["feature_names", "loop_features"]


def feature_names() -> tuple[str, ...]:
    """Return the names of the features of `loop_features`.

    Returns
    -------
    names
        A name for each number.
    """
    return tuple(map(str, _ffi_api.feature_names()))


def loop_features(
    func: PrimFunc, candidates: Sequence[Sequence[str]], sizes: Mapping[str, int] | None = None
) -> list[tuple[float, ...]]:
    """Describe the loops that candidates make of a kernel, without running them.

    Parameters
    ----------
    func
        The kernel, as it was before the recipes ran.
    candidates
        Traces, as `uir.schedule.trace_of` returns them.
    sizes
        The values of symbolic dimensions by name; 128 for others.

    Returns
    -------
    features
        For each candidate `log2(1 + number)` for each of `feature_names()`; none for a trace that
        does not fit the function.
    """
    return [tuple(row) for row in _ffi_api.features(func, candidates, sizes)]
