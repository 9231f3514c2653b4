"""Graphs whose supported parts are compiled; the rest runs eagerly between them."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from typing import Any

from ...errors import InternalError, Refused, Unsupported
from ..conversion import is_size
from .compiled import CompiledPart
from .graph import import_graph
from .options import Options
from .report import warn_of_eager_nodes
from .supported_nodes import SupportedNodes
from .views import is_view, views_of_results

__all__ = ["with_compiled_parts"]

# The names of the parts begin so.
PREFIX = "uir_part_"


def with_compiled_parts(module: Any, options: Options) -> Any:
    """Return a graph that calls compiled functions for its supported nodes.

    Parameters
    ----------
    module
        A `torch.fx.GraphModule` of operators of ATen without side effects.
    options
        How parts are built.

    Returns
    -------
    module
        A `torch.fx.GraphModule`.
    """
    describe_attributes(module)
    views = views_of_results(module.graph)
    supported = SupportedNodes(module)
    warn_of_eager_nodes(supported.problems)
    parts = [part for part in proposed(module, supported.nodes - views) if computes(part)]
    fuse = importlib.import_module("torch.fx.passes.utils.fuser_utils").fuse_by_partitions
    fused = fuse(module, parts, prefix=PREFIX)
    for node in list(fused.graph.nodes):
        if node.op == "call_module" and node.target.startswith(PREFIX):
            compile_part(fused, node.target, options)
    fused.recompile()
    return fused


def describe_attributes(module: Any) -> None:
    """Describe the tensors that a graph has as attributes, as its other nodes are described."""
    for node in module.graph.nodes:
        if node.op == "get_attr" and "val" not in node.meta:
            node.meta["val"] = getattr(module, node.target, None)


def proposed(module: Any, supported: set[Any]) -> list[dict[Any, int | None]]:
    """Return sets of supported nodes, in their order, none of which waits for another one's end."""
    calls = [node for node in module.graph.nodes if node.op == "call_function"]
    if not any(user in supported for node in calls if node not in supported for user in node.users):
        return [dict.fromkeys(node for node in calls if node in supported)]
    infra = importlib.import_module("torch.fx.passes.infra.partitioner")
    support = importlib.import_module("torch.fx.passes.operator_support")
    is_supported = support.create_op_support(lambda _, node: node in supported)
    partitioner = infra.CapabilityBasedPartitioner(
        module, is_supported, allows_single_node_partition=True
    )
    return [part.nodes for part in partitioner.propose_partitions()]


def computes(part: Sequence[Any] | dict[Any, Any]) -> bool:
    """Return whether a part has a result, and a node beyond views, items and sizes."""
    is_used = any(user not in part for node in part for user in node.users)
    return is_used and any(not is_free(node) for node in part)


def is_free(node: Any) -> bool:
    """Return whether a node costs eager execution nothing."""
    is_aten = hasattr(node.target, "_schema")
    return not is_aten or is_size(node.meta.get("val")) or is_view(node)


def compile_part(module: Any, name: str, options: Options) -> None:
    """Replace a part of a graph by a compiled function, unless it is refused."""
    part = getattr(module, name)
    try:
        imported = import_graph(part.graph)
    except (Refused, InternalError) as error:
        warn_of_eager_nodes([Unsupported(name, "part", str(error))])
        return
    compiled: Callable[..., Any] = CompiledPart(imported, options.build(imported.module)["main"])
    delattr(module, name)
    setattr(module, name, compiled)
