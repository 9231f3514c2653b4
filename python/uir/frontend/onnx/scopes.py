"""The values of a graph while it is imported, and the graphs inside of nodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import onnx

from uir_nodes.relay import Builder

from .expansion import Origin
from .value import Value

__all__ = ["Branch", "Scope"]


class Scope:
    """The values of a graph by name, the builder of its block, and the prefix of its names."""

    def __init__(self, builder: Builder, values: Mapping[str, Value], path: str = "") -> None:
        self.builder = builder
        self.values = dict(values)
        self.path = path


class Branch(NamedTuple):
    """A branch of an `If` or a body, where its nodes come from, and the prefix of its names."""

    graph: onnx.GraphProto
    origins: Sequence[Origin]
    path: str

    @staticmethod
    def of(origin: Origin, attribute: str, graph: onnx.GraphProto) -> Branch:
        """Return a branch; its nodes are those of the definition that has the node, if one has."""
        origins = origin.graphs.get(attribute, [origin] * len(graph.node))
        return Branch(graph, origins, origin.within(attribute))
