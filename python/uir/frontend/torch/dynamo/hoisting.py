"""Which nodes of a graph depend on weights alone, so that they need not run in each call."""

from __future__ import annotations

import importlib
import operator
from collections.abc import Iterable
from math import prod
from typing import Any

from ..complex_pairs import flat
from .graph import is_tensor

__all__ = ["hoisted_nodes", "weights_of"]

# Products of so few rows read their right operand in place: `cpp/src/uir/schedule/weights.cc`.
FEW_ROWS = 3
# The products of ATen, and the places of their left operands.
PRODUCTS = {"aten::addmm": 1, "aten::baddbmm": 1, "aten::bmm": 0, "aten::mm": 0}


def weights_of(graph: Any) -> set[Any]:
    """Return the inputs of a graph that are parameters and buffers, unless it changes them.

    All are on the CPU and have constant shapes.

    Parameters
    ----------
    graph
        A `torch.fx.Graph` that AOTAutograd compiles.
    """
    context = importlib.import_module("torch._guards").TracingContext.try_get()
    metadata = None if context is None else context.fw_metadata
    static = set() if metadata is None else set(metadata.static_input_indices)
    inputs = [node for node in graph.nodes if node.op == "placeholder"]
    return {
        node
        for place, node in enumerate(inputs)
        if place in static
        and is_plain(node.meta["val"])
        and not any(is_mutable(user) for user in node.users)
    }


def hoisted_nodes(graph: Any, weights: set[Any], compiled: set[Any]) -> set[Any]:
    """Return the nodes that depend on weights alone, and that only such and compiled nodes use.

    Parameters
    ----------
    graph
        A `torch.fx.Graph` that changes only inputs, at its end.
    weights
        Its inputs that are weights.
    compiled
        The nodes that compiled functions compute. Their results share no memory with operands.
    """
    found: set[Any] = set()
    for node in graph.nodes:
        if depends_only_on(node, weights | found) and is_hoistable(node):
            found.add(node)
    while True:
        kept = {
            node
            for node in found
            if depends_only_on(node, weights | found) and found | compiled >= set(node.users)
        }
        if kept == found:
            return found
        found = kept


def depends_only_on(node: Any, others: set[Any]) -> bool:
    operands = node.all_input_nodes
    return bool(operands) and all(one in others for one in operands)


def is_hoistable(node: Any) -> bool:
    """Return whether a node has the same results in each call, which take no more memory."""
    if node.op != "call_function" or is_mutable(node) or is_random(node):
        return False
    results = list(flat(node.meta.get("val")))
    if not all(map(is_plain, results)) or is_read_in_place(node):
        return False
    operands = [value for one in node.all_input_nodes for value in flat(one.meta["val"])]
    return elements(results) <= elements(operands)


def elements(tensors: Iterable[Any]) -> int:
    return sum(prod(one.shape) for one in tensors)


def is_plain(value: Any) -> bool:
    """Return whether a value is a tensor on the CPU with strides and a constant shape."""
    if not is_tensor(value) or value.device.type != "cpu":
        return False
    is_strided = value.layout == importlib.import_module("torch").strided
    return is_strided and all(isinstance(size, int) for size in value.shape)


def is_mutable(node: Any) -> bool:
    schema = getattr(node.target, "_schema", None)
    return bool(schema and schema.is_mutable)


def is_random(node: Any) -> bool:
    if node.target is operator.getitem:
        return False
    tag = importlib.import_module("torch").Tag.nondeterministic_seeded
    return tag in getattr(node.target, "tags", (tag,))


def is_read_in_place(node: Any) -> bool:
    """Return whether a node is only the right operand of products of few rows."""
    return bool(node.users) and all(is_right_of_few_rows(user, node) for user in node.users)


def is_right_of_few_rows(product: Any, operand: Any) -> bool:
    schema = getattr(product.target, "_schema", None)
    left = PRODUCTS.get(getattr(schema, "name", ""))
    if left is None or product.args[left + 1] is not operand:
        return False
    rows = product.args[left].meta["val"].shape[-2]
    return isinstance(rows, int) and rows <= FEW_ROWS
