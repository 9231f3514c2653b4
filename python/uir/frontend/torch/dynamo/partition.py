"""Graphs whose supported parts are compiled; the rest runs eagerly between them."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any

from ...errors import InternalError, Refused, Unsupported
from ..conversion import is_size
from .codes import has_codes
from .compiled import CompiledPart
from .graph import Argument, import_graph
from .hoisting import hoisted_nodes, weights_of
from .layout import Layout
from .options import Options
from .panels import Panels
from .preparation import add_preparation, is_prepared, mark_prepared
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
    supported_nodes = SupportedNodes(module)
    warn_of_eager_nodes(supported_nodes.problems)
    supported = supported_nodes.nodes - views
    weights = set() if options.freeze is False else weights_of(module.graph)
    hoisted = hoisted_nodes(module.graph, weights, supported)
    mark_prepared(weights | hoisted)
    parts = [part for part in proposed(module, supported, hoisted) if computes(part)]
    fuse = importlib.import_module("torch.fx.passes.utils.fuser_utils").fuse_by_partitions
    fused = fuse(module, parts, prefix=PREFIX)
    taken = {
        node: compiled_part(fused, node, options)
        for node in list(fused.graph.nodes)
        if node.op == "call_module" and node.target.startswith(PREFIX)
    }
    add_preparation(fused, taken, are_frozen=bool(options.freeze))
    fused.recompile()
    return fused


def describe_attributes(module: Any) -> None:
    """Describe the tensors that a graph has as attributes, as its other nodes are described."""
    for node in module.graph.nodes:
        if node.op == "get_attr" and "val" not in node.meta:
            node.meta["val"] = getattr(module, node.target, None)


def proposed(module: Any, candidates: set[Any], hoisted: set[Any]) -> list[dict[Any, int | None]]:
    """Return sets of supported nodes, in their order, none of which waits for another one's end.

    Hoisted nodes are in none of them.
    """
    supported = candidates - hoisted
    calls = [one for one in module.graph.nodes if one.op == "call_function" and one not in hoisted]
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


def compiled_part(module: Any, node: Any, options: Options) -> list[tuple[Any, Layout]]:
    """Replace a part of a graph by a compiled function, unless it is refused.

    Returns
    -------
    taken
        The prepared tensors that the function takes in panels, behind its other arguments.
    """
    try:
        imported = import_graph(getattr(module, node.target).graph)
    except (Refused, InternalError) as error:
        warn_of_eager_nodes([Unsupported(node.target, "part", str(error))])
        return []
    places = [
        index
        for index, argument in enumerate(imported.arguments)
        if is_packable(argument, node.args[argument.place])
    ]
    panels = Panels(places)
    with importlib.import_module("torch.utils._python_dispatch")._disable_current_modes():
        function = options.function(imported.module, panels)
    kept = [imported.arguments[index] for index in panels.kept]
    added = range(len(node.args), len(node.args) + len(panels.packed))
    arguments = [*kept, *(Argument(place, "tensor") for place in added)]
    taken = [
        (node.args[imported.arguments[index].place], layout) for index, layout in panels.packed
    ]
    used = {argument.place for argument in kept}
    node.args = tuple(
        one if place in used or not is_prepared(one) else None
        for place, one in enumerate(node.args)
    )
    delattr(module, node.target)
    setattr(module, node.target, CompiledPart(arguments, imported.results, function))
    return taken


def is_packable(argument: Argument, operand: Any) -> bool:
    """Return whether an argument of a compiled function may be a panel of a prepared operand."""
    if argument.kind != "tensor" or not is_prepared(operand):
        return False
    return has_codes(str(operand.meta["val"].dtype).removeprefix("torch."))
