"""Elements of small values that the importer knows: constants, and arithmetic on shapes.

Models compute the shapes of reshapes, slices and expansions from those of their inputs. Where a
dimension is symbolic, arrays of data type `object` hold its expression.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from math import prod
from typing import Any, TypeAlias

import numpy as np
import onnx

from uir_nodes.ir import PrimExpr, RelayExpr
from uir_nodes.relay import Block, Function, Tuple

from ... import relay
from ..tensors import Array, Dim, dims
from .node import Converter, Node
from .value import Value

__all__ = ["elements_of_constants", "elements_of_shapes"]

Rule: TypeAlias = Callable[[Node], "Array | None"]

# Larger values are not computed during the import.
MOST_ELEMENTS = 4096


def elements_of_constants(node: Node, convert: Converter) -> list[Array] | None:
    """Return the outputs of a node whose inputs are all known, if they are small."""
    values = [value for value in node.values if value is not None]
    if any(not is_small(value.elements) for value in values):
        return None
    literals = [None if value is None else Value(None, value.elements) for value in node.values]
    outputs = convert(node.with_values(literals))
    fields = list(outputs) if isinstance(outputs, Sequence) else [outputs]
    if any(field is None or not is_small_expr(field) for field in fields):
        return None
    whole = Tuple([field for field in fields if field is not None])
    return list(relay.evaluate(Function([], Block([], whole))))


def is_small(elements: Array | None) -> bool:
    return elements is not None and elements.dtype != object and elements.size <= MOST_ELEMENTS


def is_small_expr(x: RelayExpr) -> bool:
    shape = [dim for dim in dims(x) if isinstance(dim, int)]
    return len(shape) == len(dims(x)) and prod(shape) <= MOST_ELEMENTS


def elements_of_shapes(node: Node) -> Array | None:
    """Return the output of a node that computes with symbolic dimensions, if that is known."""
    if node.operator == "Shape":
        start, end = node.attribute("start", 0), node.attribute("end")
        return as_elements(dims(node.input(0))[start:end])
    if node.operator == "Size":
        return reduced(as_elements(dims(node.input(0))))
    rule = RULES.get(node.operator)
    values = [value for value in node.values if value is not None]
    if rule is None or any(value.elements is None for value in values):
        return None
    if all(value.elements is not None and value.elements.dtype != object for value in values):
        return None
    found = rule(node)
    # NumPy returns an element itself instead of an array of rank 0.
    is_symbolic = not isinstance(found, np.ndarray) or found.dtype == object
    return as_elements(found) if found is not None and is_symbolic else found


def as_elements(values: Any) -> Array:
    """Return an array of integers, or of objects if some are symbolic."""
    numbers = np.array(values, dtype=object)
    whole = all(isinstance(one, int | np.integer) for one in numbers.reshape(-1))
    return numbers.astype(np.int64) if whole else numbers


def reduced(x: Array) -> Array:
    """Return the product of all elements."""
    result: Any = 1
    for one in x.reshape(-1):
        result = one * result
    return as_elements(result)


def gathered(node: Node) -> Array:
    return np.take(node.elements(0), node.elements(1), node.attribute("axis", 0))


def sliced(node: Node) -> Array:
    x = node.elements(0)
    starts, ends = node.integers(1, "starts") or [], node.integers(2, "ends") or []
    axes = node.integers(3, "axes") or range(len(starts))
    steps = node.integers(4) or [1] * len(starts)
    index = [slice(None)] * x.ndim
    for axis, start, end, step in zip(axes, starts, ends, steps, strict=True):
        # An end before the first element is -1 to NumPy.
        stop = None if step < 0 and end < -x.shape[axis] else end
        index[axis] = slice(start, stop, step)
    return x[tuple(index)]


def joined(node: Node) -> Array:
    parts = [node.elements(place).astype(object) for place in range(len(node.values))]
    return np.concatenate(parts, node.attribute("axis"))


def unsqueezed(node: Node) -> Array:
    return np.expand_dims(node.elements(0), tuple(node.integers(1, "axes") or ()))


def squeezed(node: Node) -> Array:
    axes = node.integers(1, "axes")
    return np.squeeze(node.elements(0), None if axes is None else tuple(axes))


def cast(node: Node) -> Array | None:
    is_whole = onnx.helper.tensor_dtype_to_np_dtype(node.attribute("to")).kind == "i"
    return node.elements(0) if is_whole else None


def chosen(node: Node) -> Array:
    return np.where(node.elements(0), node.elements(1), node.elements(2))


def equal(node: Node) -> Array | None:
    """Compare with negative numbers, which no dimension is."""
    pairs = np.broadcast(node.elements(0), node.elements(1))
    results = [same(a, b) for a, b in pairs]
    return None if None in results else np.array(results, bool).reshape(pairs.shape)


def same(a: Dim, b: Dim) -> bool | None:
    """Return whether two elements are equal; None if that is not known."""
    if not isinstance(a, PrimExpr) and not isinstance(b, PrimExpr):
        return bool(a == b)
    number = b if isinstance(a, PrimExpr) else a
    return False if not isinstance(number, PrimExpr) and number < 0 else None


def arithmetic(function: Callable[[Any, Any], Any]) -> Rule:
    """Return the rule of a function of two dimensions."""

    def rule(node: Node) -> Array:
        a, b = (node.elements(place).astype(object) for place in (0, 1))
        return np.array(np.frompyfunc(function, 2, 1)(a, b), dtype=object)

    return rule


RULES: dict[str, Rule] = {
    "Add": arithmetic(operator.add),
    "Cast": cast,
    "Concat": joined,
    "Div": arithmetic(operator.floordiv),
    "Equal": equal,
    "Gather": gathered,
    "Identity": lambda node: node.elements(0),
    "Mul": arithmetic(operator.mul),
    "ReduceProd": lambda node: reduced(node.elements(0)),
    "Reshape": lambda node: node.elements(0).reshape(node.integers(1)),
    "Slice": sliced,
    "Squeeze": squeezed,
    "Sub": arithmetic(operator.sub),
    "Unsqueeze": unsqueezed,
    "Where": chosen,
}
