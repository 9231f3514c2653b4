"""Holds what the references compute, call by call, against another implementation of ONNX.

In: a graph, and an oracle, which is ONNX's own reference if none is given.  Out: how many calls
were compared, and a text for each that differs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from uir import relay
from uir.ir import RelayExpr, TensorType

from .comparison import Difference, difference, shown, unexplained
from .evaluation import Array, value_of, values_by_variable
from .graphs import Graph
from .known_differences import (
    Case,
    Known,
    any_of,
    crops,
    expects_nan,
    is_dilated,
    is_inexact_sum,
    is_mean_of_none,
    is_near_in_float32,
    is_reduced_to_nan,
    leaves_integers,
    multiplies_infinities,
    spans,
)
from .onnx_nodes import Model, attributes_of, node_of, run_by_reference
from .values import is_float

__all__ = ["Oracle", "compare_with_onnx"]


def _shifts_windows(case: Case) -> bool:
    """Return whether a pooling in ceil mode lacks more than one element behind the padding."""
    if not case.given["ceil_mode"] or case.given["auto_pad"] != "notset":
        return False
    rank = len(case.given["kernel"])
    pads, strides = case.given["pads"] or [0] * 2 * rank, case.given["strides"] or [1] * rank
    for axis, (span, step) in enumerate(zip(spans(case), strides, strict=True)):
        padded = case.operands[0].shape[2 + axis] + pads[axis] + pads[rank + axis]
        if (case.expected.shape[2 + axis] - 1) * step + span - padded > 1:
            return True
    return False


def _drops_padding(case: Case) -> bool:
    """Return whether a `max_pool` of strides of 1 has padding that ONNX's reference misplaces.

    It takes the paddings of two axes in another order, and leaves those of one or three axes out.
    """
    pads, strides = case.given["pads"] or (), case.given["strides"] or ()
    misplaces = pads[1] != pads[2] if len(pads) == 4 else any(pads)
    return misplaces and all(one == 1 for one in strides)


def _differs_in_auto_pad(case: Case) -> bool:
    """Return whether ONNX's reference has another rule for the padding of a strided `max_pool`.

    It rounds the size of `same_lower` down and pads behind, and `valid` has no ceil mode.
    """
    auto_pad = case.given["auto_pad"]
    is_strided = any(one > 1 for one in case.given["strides"] or ())
    return is_strided and (
        auto_pad == "same_lower" or (auto_pad == "valid" and bool(case.given["ceil_mode"]))
    )


def _is_log_of_rounded(case: Case) -> Array:
    """Return where a softmax is rounded to much fewer digits than its logarithm has."""
    smallest = 2.0**-126 if str(case.expected.dtype) == "bfloat16" else None
    least = np.log(smallest or float(np.finfo(case.expected.dtype).tiny))
    expected = case.expected.astype(np.float64)
    return np.asarray((expected < least + 3) | (expected > -0.1))


def _is_window_of_padding(case: Case) -> Array:
    """Return where the greatest number of a window is the least of its type, 0 or NaN in ONNX's."""
    expected = case.expected
    least = -np.inf if is_float(expected.dtype) else np.iinfo(expected.dtype).min
    return np.asarray((expected == least) & ((case.found == 0) | (case.found != case.found)))


def _is_mean_of_no_integers(case: Case) -> bool:
    """Return whether a mean is of no integers, which ONNX leaves open."""
    return is_mean_of_none(case) and not is_float(case.operands[0].dtype)


def _adds_in_bfloat16(case: Case) -> Array | bool:
    """Return which means of `bfloat16` have the errors of sums in `bfloat16`."""
    x = case.operands[0]
    if str(x.dtype) != "bfloat16":
        return False
    axis = case.given["axis"]
    axes = tuple(range(x.ndim)) if axis is None else tuple(axis)
    sizes = np.sum(np.abs(x.astype(np.float64)), axis=axes, keepdims=bool(case.given["keepdims"]))
    error = np.abs(case.found.astype(np.float64) - case.expected.astype(np.float64))
    return np.asarray(error <= 2.0**-8 * sizes)


def _sorts_nan_of_bfloat16(case: Case) -> Array | bool:
    """Return the rows of `bfloat16` that have NaN."""
    x = case.operands[0]
    if str(x.dtype) != "bfloat16":
        return False
    return np.asarray(np.isnan(x.astype(np.float64)).any(case.given["axis"], keepdims=True))


KNOWN: dict[str, tuple[Known, str]] = {
    "avg_pool": (
        any_of(is_dilated, _shifts_windows, expects_nan),
        "ONNX's reference pads for a kernel that is not dilated, pads before the first element too "
        "in ceil mode, and takes NaN for padding",
    ),
    "cast": (leaves_integers, "ONNX leaves numbers open that the integers do not have"),
    "conv": (is_dilated, "ONNX's reference pads so, and multiplies zeros between dilated weights"),
    "einsum": (
        multiplies_infinities,
        "ONNX's reference sums before it multiplies by a third operand",
    ),
    "erf": (is_near_in_float32, "ONNX's reference computes it in `float32`"),
    "gelu": (is_near_in_float32, "ONNX makes it of others, with constants of `float32`"),
    "log_softmax": (_is_log_of_rounded, "ONNX takes the logarithm of a softmax that may be 0"),
    "max_pool": (
        any_of(
            is_dilated,
            crops,
            _drops_padding,
            _differs_in_auto_pad,
            _shifts_windows,
            expects_nan,
            _is_window_of_padding,
        ),
        "as `avg_pool`, and other padding where the size is kept; windows of padding are 0 in "
        "ONNX's reference, the least number here",
    ),
    "mean": (
        any_of(_is_mean_of_no_integers, is_inexact_sum, _adds_in_bfloat16),
        "sums of integers wrap around and are divided in `float64`, those of `bfloat16` are "
        "rounded to it",
    ),
    "scatter_elements": (is_reduced_to_nan, "whether NaN wins depends on its place"),
    "topk": (_sorts_nan_of_bfloat16, "NumPy sorts NaN of `bfloat16` to any place"),
}
"""Operators that ONNX computes otherwise: which elements, and why."""


class Oracle(NamedTuple):
    """What runs nodes, and which elements of which operators are known to differ, and why."""

    run: Callable[[Model], list[Array] | None]
    known: dict[str, tuple[Known, str]]


REFERENCE = Oracle(run_by_reference, KNOWN)


def compare_with_onnx(graph: Graph, oracle: Oracle = REFERENCE) -> tuple[Counter[str], list[str]]:
    """Compare each call of a graph, on the arguments of its first call.

    Returns
    -------
    counts
        How many calls are equal, known to differ, or are no nodes of ONNX.
    faults
        A text for each call that differs.
    """
    counts: Counter[str] = Counter()
    faults: list[str] = []
    values, dimensions = values_by_variable(graph.function, graph.arguments[0])
    sizes = [one for one in graph.function.params if one.name.startswith("size_")]
    for binding in graph.function.body.bindings:
        call = binding.value
        if not isinstance(call, relay.Call):
            continue
        operands = list(_operands(call, values))
        model = node_of(call, operands, dimensions)
        found = None if model is None else oracle.run(model)
        if found is None:
            counts["no node"] += 1
            continue
        expected = values[binding.var]
        wanted = list(expected) if isinstance(expected, tuple) else [expected]
        # Results that ONNX has and relay has not are left out.
        found = found[: len(wanted)]
        differences = _differences(call, sizes, values, found, wanted)
        if all(one is None for one in differences):
            counts["equal"] += 1
            continue
        case = Case(attributes_of(call, dimensions), operands, found[0], wanted[0])
        differences = _unknown(oracle, call, case, differences)
        if all(one is None for one in differences):
            counts["known"] += 1
        else:
            faults.append(f"{binding.var.name} = {call}:\n{shown(differences, found, wanted)}")
    return counts, faults


def _operands(call: relay.Call, values: dict[RelayExpr, Any]) -> Iterator[Any]:
    for operand, info in zip(call.args, call.op.arguments, strict=True):
        if not isinstance(operand, relay.Tuple):
            yield value_of(operand, values)
        elif info.type_info.endswith("..."):
            yield [value_of(one, values) for one in operand.fields]
        else:
            yield None


def _differences(
    call: relay.Call,
    sizes: list[relay.Var],
    values: dict[RelayExpr, Any],
    found: list[Array],
    wanted: list[Array],
) -> list[Difference]:
    """Return for each result which elements differ by more than errors of rounding."""
    differences = [difference(*pair) for pair in zip(found, wanted, strict=True)]
    if all(one is None for one in differences):
        return differences
    function, arguments = _alone(call, sizes, values)
    return unexplained(function, arguments, found, wanted)


def _unknown(
    oracle: Oracle, call: relay.Call, case: Case, differences: list[Difference]
) -> list[Difference]:
    """Return differences without those that are known."""
    known = oracle.known.get(call.op.name.removeprefix("relay."))
    if known is None:
        return differences
    if isinstance(differences[0], str):
        # Elements of another shape cannot be compared: only a rule for the whole call counts.
        case = case._replace(found=case.expected)
    excused = known[0](case)
    if excused is True:
        return [None for _ in differences]
    return [
        _where(one & ~np.asarray(excused)) if isinstance(one, np.ndarray) else one
        for one in differences
    ]


def _where(differs: Array) -> Array | None:
    return differs if differs.any() else None


def _alone(
    call: relay.Call, sizes: list[relay.Var], values: dict[RelayExpr, Any]
) -> tuple[relay.Function, list[Array]]:
    """Return a function of one call on parameters, behind those that bind dimensions."""
    known: dict[RelayExpr, relay.Var] = {one: one for one in sizes}

    def made(operand: RelayExpr) -> RelayExpr:
        if isinstance(operand, relay.Tuple):
            return relay.Tuple([made(one) for one in operand.fields])
        if not isinstance(operand, relay.Var):
            return operand
        if operand not in known:
            type_ = operand.checked_type
            assert isinstance(type_, TensorType)
            known[operand] = relay.Var(operand.name, type_)
        return known[operand]

    again = relay.Call(call.op, [made(one) for one in call.args], call.attrs)
    var = relay.Var("y", again.checked_type)
    bindings = [relay.Binding(var, again)]
    fields = getattr(again.checked_type, "fields", None)
    result: RelayExpr = var
    if fields is not None:
        parts = [relay.Var(f"y{place}", field) for place, field in enumerate(fields)]
        bindings += [
            relay.Binding(part, relay.TupleGetItem(var, place)) for place, part in enumerate(parts)
        ]
        result = relay.Tuple(parts)
    function = relay.Function(list(known.values()), relay.Block(bindings, result))
    return function, [np.asarray(values[operand]) for operand in known]
