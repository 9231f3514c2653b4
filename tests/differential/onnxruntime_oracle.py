"""Holds what the references compute against onnxruntime, where it can be imported.

In: graphs.  Out: those that differ, and how many calls came out how.  Nodes are run in a process of
their own: onnxruntime ends it on some operands, such as divisors of 0.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from typing import Any

import numpy as np

from .batches import DEAD, DIFFERS, EQUAL, Outcome, outcomes
from .evaluation import Array
from .graphs import Graph
from .onnx_nodes import Model
from .onnx_oracle import (
    Known,
    Oracle,
    compare_with_onnx,
    is_dilated,
    is_float64,
    leaves_integers,
)
from .values import is_float

__all__ = ["AGAINST_ONNXRUNTIME", "compare_with_onnxruntime", "is_installed"]

AGAINST_ONNXRUNTIME = "against onnxruntime"
"""The outcome of a call whose reference differs from onnxruntime's."""


def _floats(operands: list[Any]) -> Iterator[Array]:
    listed = [one for each in operands for one in (each if isinstance(each, list) else [each])]
    for one in listed:
        if one is not None and is_float(one.dtype):
            yield one.astype(np.float64)


def _is_infinite(given: dict[str, Any], operands: list[Any]) -> bool:
    return not all(np.isfinite(one).all() for one in _floats(operands))


def _has_nan(given: dict[str, Any], operands: list[Any]) -> bool:
    return any(np.isnan(one).any() for one in _floats(operands))


def _is_integer(given: dict[str, Any], operands: list[Any]) -> bool:
    listed = operands[0] if isinstance(operands[0], list) else operands
    return listed[0].dtype.kind in "iu"


def _is_small(given: dict[str, Any], operands: list[Any]) -> bool:
    return any((np.abs(one) < 1e-30).any() for one in _floats(operands))


def _is_negative(given: dict[str, Any], operands: list[Any]) -> bool:
    return any((one < -4).any() for one in _floats(operands))


def _has_bounds_of_rank(given: dict[str, Any], operands: list[Any]) -> bool:
    return any(one is not None and one.ndim for one in operands[1:]) or _has_nan(given, operands)


def _begins_before(given: dict[str, Any], operands: list[Any]) -> bool:
    shape, strides = operands[0].shape, given["strides"] or ()
    axes = given["axes"] or range(len(shape))
    triples = zip(given["begin"], strides, axes, strict=False)
    return any(step < 0 and begin < -shape[axis] for begin, step, axis in triples)


NAN = (_has_nan, "whether NaN wins depends on its place")
INTEGERS = (_is_integer, "integers are computed as other numbers, or do not wrap around")
KNOWN: dict[str, tuple[Known, str]] = {
    "argmax": NAN,
    "argmin": NAN,
    "avg_pool": (is_dilated, "padding is that of a kernel that is not dilated"),
    "batch_norm": (_is_infinite, "scale and variance are multiplied first"),
    "cast": (leaves_integers, "ONNX leaves numbers open that the integers do not have"),
    "clip": (_has_bounds_of_rank, "bounds have one element and no rank; NaN may be dropped"),
    "einsum": INTEGERS,
    "gelu": (is_float64, "constants are `float32`"),
    "max": NAN,
    "max_pool": (
        lambda given, operands: is_dilated(given, operands) or _has_nan(given, operands),
        "padding is that of a kernel that is not dilated; NaN may be dropped",
    ),
    "mean": (lambda given, operands: operands[0].size == 0, "a mean of no elements is 0"),
    "min": NAN,
    "power": INTEGERS,
    "prod": INTEGERS,
    "sigmoid": (_is_negative, "the error is relative to 1, not to a small result"),
    "sign": NAN,
    "squeeze": (lambda given, operands: given["axes"] == [], "no axes are all axes"),
    "strided_slice": (_begins_before, "onnxruntime clamps a begin before the first element to 0"),
    "sum": INTEGERS,
    "tanh": (_is_small, "the error is relative to greater numbers"),
}
"""Operators that onnxruntime computes otherwise: for which attributes and operands, and why."""


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
        counts, faults = compare_with_onnx(graph, Oracle(_run, KNOWN))
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
