"""Results of a graph that are views of others: they stay views, which share memory."""

from __future__ import annotations

import operator
from typing import Any

__all__ = ["is_view", "views_of_results"]


def is_view(node: Any) -> bool:
    """Return whether a node of a graph has the memory of its operand, and computes nothing."""
    if node.target is operator.getitem:
        return is_view(node.args[0])
    schema = getattr(node.target, "_schema", None)
    results = () if schema is None or schema.is_mutable else schema.returns
    return any(result.alias_info is not None for result in results)


def views_of_results(graph: Any) -> set[Any]:
    """Give the results that are views nodes of their own, which nothing else uses.

    Parameters
    ----------
    graph
        A `torch.fx.Graph`, which is changed.

    Returns
    -------
    nodes
        These nodes. A compiled function would return memory of its own for each of them.
    """
    end = next(node for node in reversed(graph.nodes) if node.op == "output")
    copies: dict[Any, Any] = {}

    def copied(node: Any) -> Any:
        if not is_view(node):
            return node
        if node not in copies:
            for base in node.all_input_nodes:
                copied(base)
            with graph.inserting_before(end):
                copies[node] = graph.node_copy(node, lambda one: copies.get(one, one))
        return copies[node]

    for result in end.all_input_nodes:
        end.replace_input_with(result, copied(result))
    graph.eliminate_dead_code()
    return set(copies.values())
