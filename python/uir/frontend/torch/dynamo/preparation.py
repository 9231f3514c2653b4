"""The node of a graph that prepares weights for its compiled functions."""

from __future__ import annotations

import importlib
import operator
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from .layout import Layout
from .weights import PreparedWeights

__all__ = ["add_preparation", "is_prepared", "mark_prepared"]

NAME = "uir_weights"

# The key of the marks in the descriptions of nodes; a part of PyTorch copies nodes with them.
MARK = "uir_prepared"

# A tensor that depends on weights alone, and its layout, or None if it has no gaps.
Taken: TypeAlias = "tuple[Any, Layout | None]"


def mark_prepared(nodes: set[Any]) -> None:
    """Mark weights and the nodes that depend on them alone."""
    for node in nodes:
        node.meta[MARK] = True


def is_prepared(node: Any) -> bool:
    """Return whether a node is a weight or depends on weights alone."""
    return bool(getattr(node, "meta", {}).get(MARK))


def add_preparation(module: Any, taken: Mapping[Any, Sequence[Taken]], are_frozen: bool) -> None:
    """Let one node of a graph compute all marked nodes, unless weights are unchanged.

    Parameters
    ----------
    module
        A `torch.fx.GraphModule` with marked nodes, which is changed.
    taken
        By the nodes that call compiled functions, the tensors that follow their arguments.
    are_frozen
        Whether the elements of weights are compared: see `PreparedWeights`.
    """
    graph = module.graph
    hoisted = [one for one in graph.nodes if is_prepared(one) and one.op == "call_function"]
    wanted: list[Taken] = [one for several in taken.values() for one in several]
    wanted += [(one, None) for one in hoisted if not all(map(is_prepared, one.users))]
    wanted = list(dict.fromkeys(wanted))
    if not wanted:
        return
    function, inputs = function_of(graph, [node for node, _ in wanted])
    layouts = [layout for _, layout in wanted]
    setattr(module, NAME, PreparedWeights(function, layouts, are_frozen))
    items = dict(zip(wanted, added_items(graph, inputs, len(wanted)), strict=True))
    for call, several in taken.items():
        call.args = (*call.args, *(items[one] for one in several))
    for node in reversed(hoisted):
        if (node, None) in items:
            node.replace_all_uses_with(items[node, None])
        graph.erase_node(node)


def function_of(graph: Any, results: Sequence[Any]) -> tuple[Any, list[Any]]:
    """Return a function of weights with the given results, and the weights that it takes."""
    needed = set(results)
    for node in reversed(graph.nodes):
        if node in needed:
            needed.update(node.all_input_nodes)
    fx = importlib.import_module("torch.fx")
    copies: dict[Any, Any] = {}
    made = fx.Graph()
    for node in graph.nodes:
        if node in needed:
            copies[node] = made.node_copy(node, copies.__getitem__)
    made.output(tuple(copies[node] for node in results))
    function = fx.GraphModule(importlib.import_module("torch").nn.Module(), made)
    return function, [node for node in copies if node.op == "placeholder"]


def added_items(graph: Any, inputs: Sequence[Any], count: int) -> list[Any]:
    """Add the call that prepares weights; return the nodes of its results."""
    place = next(node for node in graph.nodes if node.op != "placeholder")
    with graph.inserting_before(place):
        call = graph.create_node("call_module", NAME, tuple(inputs))
        return [graph.call_function(operator.getitem, (call, index)) for index in range(count)]
