"""Holds what the references compute against onnxruntime, where it can be imported.

In: graphs.  Out: those that differ, and how many calls came out how.  Nodes are run in a process of
their own: onnxruntime ends it on some operands, such as divisors of 0.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from typing import Any

import numpy as np

from .batches import DEAD, DIFFERS, EQUAL, Outcome, outcomes
from .evaluation import Array
from .graphs import Graph
from .known_differences import (
    Case,
    Known,
    any_of,
    crops,
    equal_zeros,
    expects_nan,
    floats,
    has_infinite,
    is_dilated,
    is_float64,
    is_inexact_product,
    is_inexact_sum,
    is_mean_of_none,
    is_near_in_float32,
    is_reduced_to_nan,
    leaves_integers,
    multiplies_infinities,
)
from .onnx_nodes import Model
from .onnx_oracle import Oracle, compare_with_onnx
from .values import is_float

__all__ = ["AGAINST_ONNXRUNTIME", "compare_with_onnxruntime", "is_installed"]

AGAINST_ONNXRUNTIME = "against onnxruntime"
"""The outcome of a call whose reference differs from onnxruntime's."""


def _has_nan_in_row(case: Case) -> Array:
    """Return which results of `argmax` and `argmin` are of elements with NaN."""
    x, axis = case.operands[0], case.given["axis"]
    if not is_float(x.dtype):
        return np.zeros(case.expected.shape, bool)
    return np.asarray(np.isnan(x.astype(np.float64)).any(axis, keepdims=case.given["keepdims"]))


def _is_large_power(case: Case) -> Array | bool:
    """Return which powers of integers `float64` does not have, or their data type has not."""
    x, y = case.operands
    if x.dtype.kind not in "iu":
        return False
    with np.errstate(all="ignore"):
        sizes = np.abs(x.astype(np.float64)) ** y.astype(np.float64)
    # An odd exponent that `float64` does not have becomes an even one.
    is_rounded = np.abs(y.astype(np.float64)) > 2**53
    return np.asarray(~(sizes < min(2**53, np.iinfo(x.dtype).max)) | is_rounded)


def _is_inexact_einsum(case: Case) -> bool:
    """Return whether an einsum of integers may leave `float64` or its data type, or has three."""
    arrays = case.operands[0]
    if arrays[0].dtype.kind not in "iu":
        return False
    sizes = [int(np.sum(np.abs(one.astype(object)))) for one in arrays]
    greatest = min(2**53, np.iinfo(arrays[0].dtype).max)
    return len(arrays) > 2 or math.prod(sizes) > greatest


def _is_nan_beside_infinities(case: Case) -> Array | bool:
    return has_infinite(case) and np.asarray(np.isnan(case.found.astype(np.float64)))


def _is_small(case: Case) -> Array:
    return np.asarray(np.abs(case.operands[0].astype(np.float64)) < 1e-30)


def _is_negative(case: Case) -> Array:
    return np.asarray(case.operands[0].astype(np.float64) < -4)


def _has_bounds_of_rank(case: Case) -> bool:
    return any(one is not None and one.ndim for one in case.operands[1:])


def _has_bound_of_nan(case: Case) -> bool:
    return any(np.isnan(one).any() for one in floats(case.operands[1:]))


def _is_greatest(case: Case) -> Array | bool:
    """Return where infinities are the greatest or least finite number."""
    if not is_float(case.expected.dtype):
        return False
    ends = np.finfo(case.expected.dtype)
    return np.asarray(
        (case.expected == np.inf) & (case.found == ends.max)
        | (case.expected == -np.inf) & (case.found == ends.min)
    )


def _begins_before(case: Case) -> bool:
    shape, strides = case.operands[0].shape, case.given["strides"] or ()
    axes = case.given["axes"] or range(len(shape))
    triples = zip(case.given["begin"], strides, axes, strict=False)
    return any(step < 0 and begin < -shape[axis] for begin, step, axis in triples)


def _is_nan_of_float64(case: Case) -> Array | bool:
    return is_float64(case) and expects_nan(case)


NAN = (expects_nan, "whether NaN wins depends on its place")
EXTREMUM = (_has_nan_in_row, "whether NaN wins depends on its place")
KNOWN: dict[str, tuple[Known, str]] = {
    "argmax": EXTREMUM,
    "argmin": EXTREMUM,
    "avg_pool": (
        any_of(is_dilated, crops),
        "padding is that of a kernel that is not dilated; negative padding leaves elements out",
    ),
    "batch_norm": (_is_nan_beside_infinities, "scale and variance are multiplied first"),
    "cast": (leaves_integers, "ONNX leaves numbers open that the integers do not have"),
    "clip": (
        any_of(_has_bounds_of_rank, _has_bound_of_nan, _is_greatest),
        "bounds have one element and no rank, and are the ends of the data type where they are "
        "left out; NaN may be dropped",
    ),
    "einsum": (
        any_of(_is_inexact_einsum, multiplies_infinities),
        "integers do not wrap around, and sums come before a product with a third operand",
    ),
    "gelu": (is_near_in_float32, "constants are `float32`"),
    "log_softmax": (_is_nan_of_float64, "NaN and infinities may be dropped in `float64`"),
    "max": NAN,
    "max_pool": (
        any_of(is_dilated, crops, expects_nan, _is_greatest),
        "as `avg_pool`; NaN may be dropped, and -inf is the least finite number",
    ),
    "mean": (
        any_of(is_mean_of_none, is_inexact_sum),
        "a mean of no elements is 0; those of integers are computed in `float64`",
    ),
    "min": NAN,
    "power": (_is_large_power, "powers of integers are computed in `float64`"),
    "prod": (is_inexact_product, "products of integers do not wrap around"),
    "scatter_elements": (is_reduced_to_nan, "whether NaN wins depends on its place"),
    "scatter_nd": (is_reduced_to_nan, "whether NaN wins depends on its place"),
    "sigmoid": (_is_negative, "the error is relative to 1, not to a small result"),
    "sign": NAN,
    "squeeze": (lambda case: case.given["axes"] == [], "no axes are all axes"),
    "strided_slice": (_begins_before, "onnxruntime clamps a begin before the first element to 0"),
    "sum": (is_inexact_sum, "sums of integers are computed in `float64`, or do not wrap around"),
    "tanh": (_is_small, "the error is relative to greater numbers"),
    "where": (equal_zeros, "onnxruntime adds 0 for the element that is not chosen"),
}
"""Operators that onnxruntime computes otherwise: which elements, and why."""


def is_installed() -> bool:
    """Return whether onnxruntime can be imported."""
    return find_spec("onnxruntime") is not None


def compare_with_onnxruntime(graphs: Sequence[Graph]) -> tuple[list[Outcome], Counter[str]]:
    """Return the graphs that differ, and how many calls came out how."""
    counts: Counter[str] = Counter()
    faults = []
    for one in outcomes(graphs, _check):
        if one.kind == EQUAL:
            counts.update(json.loads(one.text))
        elif one.kind == DEAD:
            counts["ended"] += 1
        else:
            faults.append(one._replace(kind=AGAINST_ONNXRUNTIME))
    return faults, counts


def _check(graphs: Sequence[Graph]) -> Iterator[Outcome]:
    for graph in graphs:
        try:
            counts, faults = compare_with_onnx(graph, Oracle(_run, KNOWN))
        except Exception as error:
            # It must not look like the end of a process that onnxruntime ends.
            yield Outcome(graph.seed, DIFFERS, f"{type(error).__name__}: {error}")
            continue
        if faults:
            yield Outcome(graph.seed, DIFFERS, "\n".join(faults))
        else:
            yield Outcome(graph.seed, EQUAL, json.dumps(counts))


def _run(model: Model) -> list[Array] | None:
    """Return what onnxruntime computes for a node; None if it has no such node."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 4
    try:
        session = onnxruntime.InferenceSession(
            model.proto.SerializeToString(), options, ["CPUExecutionProvider"]
        )
        found: Any = session.run(None, model.given)
    except Exception:
        # onnxruntime lacks kernels for some data types, and some attributes.
        return None
    return [np.asarray(one) for one in found]
