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
from uir.relay.dimensions import Dimensions

from .comparison import difference, explained, shown
from .evaluation import Array, value_of, values_by_variable
from .graphs import Graph
from .onnx_nodes import Model, attributes_of, node_of, run_by_reference
from .values import is_float

__all__ = [
    "Known",
    "Oracle",
    "compare_with_onnx",
    "is_dilated",
    "is_float64",
    "leaves_integers",
]

Known = Callable[[dict[str, Any], list[Any]], bool]


def is_float64(given: dict[str, Any], operands: list[Any]) -> bool:
    return str(operands[0].dtype) == "float64"


def _always(given: dict[str, Any], operands: list[Any]) -> bool:
    return True


def is_dilated(given: dict[str, Any], operands: list[Any]) -> bool:
    return any(one > 1 for one in given["dilations"] or ())


def leaves_integers(given: dict[str, Any], operands: list[Any]) -> bool:
    dtype = np.dtype(str(given["dtype"]))
    if dtype.kind not in "iu" or not is_float(operands[0].dtype):
        return False
    ends, x = np.iinfo(dtype), np.asarray(operands[0], np.float64)
    return not np.all((x > ends.min - 1.0) & (x < ends.max + 1.0))


def _multiplies_infinities(given: dict[str, Any], operands: list[Any]) -> bool:
    numbers = [one for one in operands[0] if is_float(one.dtype)]
    is_finite = all(np.isfinite(one.astype(np.float64)).all() for one in numbers)
    return len(operands[0]) > 2 and not is_finite


KNOWN: dict[str, tuple[Known, str]] = {
    "avg_pool": (is_dilated, "ONNX's reference pads for a kernel that is not dilated"),
    "cast": (leaves_integers, "ONNX leaves numbers open that the integers do not have"),
    "conv": (is_dilated, "ONNX's reference pads so, and multiplies zeros between dilated weights"),
    "einsum": (
        _multiplies_infinities,
        "ONNX's reference sums before it multiplies by a third operand",
    ),
    "erf": (is_float64, "ONNX's reference computes it in `float32`"),
    "gelu": (is_float64, "ONNX makes it of others, with constants of `float32`"),
    "log_softmax": (_always, "ONNX takes the logarithm of a softmax that may be 0"),
    "max_pool": (_always, "windows of padding are 0 in ONNX's reference, the least number here"),
    "mean": (lambda _, operands: not is_float(operands[0].dtype), "sums wrap around in ONNX"),
}
"""Operators that ONNX computes otherwise: for which attributes and operands, and why."""


class Oracle(NamedTuple):
    """What runs nodes, and where it is known to differ: for which operands, and why."""

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
        expected = values[binding.var]
        if found is None:
            counts["no node"] += 1
        elif _agrees(call, sizes, values, found, expected):
            counts["equal"] += 1
        elif _is_known(oracle, call, operands, dimensions):
            counts["known"] += 1
        else:
            faults.append(f"{binding.var.name} = {call}:\n{_shown(found, expected)}")
    return counts, faults


def _shown(found: list[Array], expected: Any) -> str:
    wanted = list(expected) if isinstance(expected, tuple) else [expected]
    differences = [difference(*pair) for pair in zip(found, wanted, strict=False)]
    return shown(differences, found, wanted)


def _operands(call: relay.Call, values: dict[RelayExpr, Any]) -> Iterator[Any]:
    for operand, info in zip(call.args, call.op.arguments, strict=True):
        if not isinstance(operand, relay.Tuple):
            yield value_of(operand, values)
        elif info.type_info.endswith("..."):
            yield [value_of(one, values) for one in operand.fields]
        else:
            yield None


def _is_known(
    oracle: Oracle, call: relay.Call, operands: list[Any], dimensions: Dimensions
) -> bool:
    known = oracle.known.get(call.op.name.removeprefix("relay."))
    return known is not None and known[0](attributes_of(call, dimensions), operands)


def _agrees(
    call: relay.Call,
    sizes: list[relay.Var],
    values: dict[RelayExpr, Any],
    found: list[Array],
    expected: Any,
) -> bool:
    wanted = list(expected) if isinstance(expected, tuple) else [expected]
    # Results that ONNX has and relay has not are left out.
    pairs = list(zip(found, wanted, strict=False))
    if all(difference(*pair) is None for pair in pairs):
        return True
    function, arguments = _alone(call, sizes, values)
    return explained(function, arguments, found[: len(wanted)], wanted)


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
