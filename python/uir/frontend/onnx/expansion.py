"""Calls of functions, of the model and of ONNX, are replaced by the functions' definitions.

Each node of the result keeps the name and the operator of the node of the user that it comes from.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple

import onnx
import onnx.inliner
import onnx.shape_inference

from ..errors import Unsupported, UnsupportedModelError
from .functions import all_nodes, inline_functions
from .operators import is_own
from .refusals import split_reason

__all__ = ["Expansion", "Origin", "expand"]

# Definitions use operators that have definitions themselves.
MOST_ROUNDS = 8

# The domain of operators that may become ONNX's own.
PREVIEW = "ai.onnx.preview"


class Origin(NamedTuple):
    """The node of the user's model that a node comes from.

    Attributes
    ----------
    node
        Its name; that of a node in a branch begins with where it is, as in `If_3.then.Conv_2`.
    operator
        Its operator.
    graphs
        The origins of the nodes of its subgraphs, by the attributes that hold these. A node of a
        definition has none: nodes in its subgraphs have its own origin.
    """

    node: str
    operator: str
    graphs: Mapping[str, list[Origin]] = MappingProxyType({})

    def within(self, attribute: str) -> str:
        """Return the prefix of the names of a subgraph's nodes."""
        return f"{self.node}.{attribute.removesuffix('_branch')}."


class Expansion(NamedTuple):
    """A model without calls of functions, and where each node of its graph comes from."""

    model: onnx.ModelProto
    origins: list[Origin]


def expand(model: onnx.ModelProto, known: Collection[str]) -> Expansion:
    """Replace calls of functions, and operators that are not known and have definitions.

    Parameters
    ----------
    model
        The model.
    known
        The operators of ONNX that stay.

    Raises
    ------
    ValueError
        If a function calls itself, or the functions expand to too many nodes.
    UnsupportedModelError
        If a `Split` has a `num_outputs` that is not the number of its outputs.
    """
    expansion = followed(Expansion(model, origins_of(model.graph)), inline_functions(model))
    for _ in range(MOST_ROUNDS):
        found = operators(expansion.model.graph)
        chosen = {
            (domain, name)
            for domain, name in found
            if (domain or name not in known) and is_defined(name, domain)
        }
        if not chosen:
            break
        refuse_splits(expansion)
        try:
            inlined = inlined_schemas(prepared(expansion.model, chosen), sorted(chosen))
        except (RuntimeError, ValueError):
            break  # ONNX cannot: the nodes stay, and are refused by name.
        expansion = followed(expansion, inlined)
    return expansion


def refuse_splits(expansion: Expansion) -> None:
    """Refuse each `Split` whose `num_outputs` is not the number of its outputs.

    ONNX's inference of types, on which its inliner relies, takes memory for that many results.

    Raises
    ------
    UnsupportedModelError
        If there is one.
    """
    problems = [
        Unsupported(origin.node, node.op_type, split_reason(one.i, len(node.output)))
        for node, origin in with_origins(expansion.model.graph, expansion.origins)
        if node.op_type == "Split" and is_own(node.domain)
        for one in node.attribute
        if one.name == "num_outputs" and one.i != len(node.output)
    ]
    if problems:
        raise UnsupportedModelError("from_onnx", problems)


def with_origins(
    graph: onnx.GraphProto, origins: Sequence[Origin]
) -> Iterator[tuple[onnx.NodeProto, Origin]]:
    """Yield the nodes of a graph and of its subgraphs, and where they come from."""
    for node, origin in zip(graph.node, origins, strict=True):
        yield node, origin
        for name, subgraph in subgraphs_of(node).items():
            yield from with_origins(
                subgraph, origin.graphs.get(name, [origin] * len(subgraph.node))
            )


def inlined_schemas(model: onnx.ModelProto, chosen: list[tuple[str, str]]) -> onnx.ModelProto:
    """Replace operators by ONNX's definitions of them.

    The types that a model states are only hints: where they contradict those that ONNX infers, the
    definitions are chosen without them.

    Raises
    ------
    RuntimeError
        If ONNX cannot.
    """
    inline = partial(
        onnx.inliner.inline_selected_functions,
        function_ids=chosen,
        inline_schema_functions=True,
    )
    try:
        return inline(model)
    except onnx.shape_inference.InferenceError:
        pass
    constants = {tensor.name for tensor in model.graph.initializer}
    stated = [info for info in model.graph.value_info if info.name in constants]
    del model.graph.value_info[:]
    model.graph.value_info.extend(stated)
    for output in model.graph.output:
        output.ClearField("type")
    try:
        return inline(model)
    except onnx.shape_inference.InferenceError as error:
        raise RuntimeError(str(error)) from error


def prepared(model: onnx.ModelProto, chosen: Collection[tuple[str, str]]) -> onnx.ModelProto:
    """Return a model with all details that the inliner of ONNX needs to expand operators.

    It needs attributes that a definition names, also where they have their default, and types for
    which it asks beside those of inputs: of initializers, and of operands that are left out.
    """
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    versions = {domain_of(one.domain): one.version for one in model.opset_import}
    for node in all_nodes(copy.graph.node):
        domain = domain_of(node.domain)
        if (domain, node.op_type) not in chosen:
            continue
        given = {attribute.name for attribute in node.attribute}
        schema = onnx.defs.get_schema(node.op_type, versions.get(domain, 1), domain)
        node.attribute.extend(
            attribute.default_value
            for name, attribute in schema.attributes.items()
            if name not in given and attribute.default_value.name
        )
    known = {info.name for info in (*copy.graph.input, *copy.graph.value_info)}
    copy.graph.value_info.extend(
        onnx.helper.make_tensor_value_info(one.name, one.data_type, one.dims)
        for one in copy.graph.initializer
        if one.name not in known
    )
    copy.graph.value_info.append(onnx.helper.make_tensor_value_info("", onnx.TensorProto.FLOAT, []))
    return copy


def domain_of(name: str) -> str:
    """Return a domain; ONNX's own has two names, of which one is empty."""
    return "" if is_own(name) else name


def origins_of(graph: onnx.GraphProto, path: str = "") -> list[Origin]:
    """Return the nodes of a graph, and of its subgraphs.

    Parameters
    ----------
    graph
        The graph.
    path
        The prefix of the names of its nodes.
    """
    return [origin_of(node, place, path) for place, node in enumerate(graph.node)]


def origin_of(node: onnx.NodeProto, place: int, path: str) -> Origin:
    """Return a node; one without a name has that of its operator and its place."""
    origin = Origin(f"{path}{node.name or f'{node.op_type}_{place}'}", node.op_type)
    graphs = {
        name: origins_of(graph, origin.within(name)) for name, graph in subgraphs_of(node).items()
    }
    return origin._replace(graphs=graphs)


def subgraphs_of(node: onnx.NodeProto) -> dict[str, onnx.GraphProto]:
    """Return the graphs that are attributes of a node, by their names."""
    return {one.name: one.g for one in node.attribute if one.HasField("g")}


def followed(before: Expansion, model: onnx.ModelProto) -> Expansion:
    """Return an expansion after nodes have been replaced by others at the same places."""
    if model is before.model:
        return before
    origins = followed_origins(before.model.graph, model.graph, before.origins)
    return Expansion(model, origins)


def followed_origins(
    before: onnx.GraphProto, after: onnx.GraphProto, origins_before: list[Origin]
) -> list[Origin]:
    """Return where the nodes of a graph come from, some of which have replaced others."""
    old, new = list(before.node), list(after.node)
    origins: list[Origin] = []
    for node, follower, origin in zip(old, [*old[1:], None], origins_before, strict=True):
        begin = len(origins)
        end = begin + count_parts(node, follower, new, begin)
        origins += [origin_of_part(origin, node, part) for part in new[begin:end]]
    return origins


def origin_of_part(origin: Origin, node: onnx.NodeProto, part: onnx.NodeProto) -> Origin:
    """Return where a node comes from, which is another one or a part of its definition."""
    if not is_same(node, part):
        return origin._replace(graphs={})
    before, after = subgraphs_of(node), subgraphs_of(part)
    graphs = {
        name: followed_origins(before[name], after[name], found)
        for name, found in origin.graphs.items()
    }
    return origin._replace(graphs=graphs)


def count_parts(
    node: onnx.NodeProto, follower: onnx.NodeProto | None, new: Sequence[onnx.NodeProto], begin: int
) -> int:
    """Return how many nodes from a place on have replaced a node: those up to its last output."""
    if begin < len(new) and is_same(node, new[begin]):
        return 1
    missing = {name for name in node.output if name}
    end = begin
    while end < len(new):
        if follower is not None and (not missing or is_same(follower, new[end])):
            break
        missing.difference_update(new[end].output)
        end += 1
    return end - begin


def is_same(a: onnx.NodeProto, b: onnx.NodeProto) -> bool:
    """Return whether a node has stayed; its outputs name it."""
    return (a.domain, a.op_type, list(a.output)) == (b.domain, b.op_type, list(b.output))


def operators(graph: onnx.GraphProto) -> Iterator[tuple[str, str]]:
    """Yield the operators in a graph and its subgraphs, each after its domain."""
    for node in graph.node:
        yield domain_of(node.domain), node.op_type
        for subgraph in subgraphs_of(node).values():
            yield from operators(subgraph)


def is_defined(name: str, domain: str = "") -> bool:
    """Return whether ONNX defines an operator by others of its own domain."""
    if domain not in ("", PREVIEW) or not onnx.defs.has(name, domain):
        return False
    # The stubs of `onnx` lack both properties.
    schema: Any = onnx.defs.get_schema(name, domain=domain)
    return bool(schema.has_function or schema.has_context_dependent_function)
