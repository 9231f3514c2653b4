"""The values that pass through integers, for a choice of layers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..frontend.onnx.operators import is_own
from .graph import Graph
from .layers import MOVES, Layer

__all__ = ["Plan", "data_of", "plan_of", "read_by", "source_of", "without_lone"]


class Plan(NamedTuple):
    """The values that become integers and numbers again, and who reads them then.

    Attributes
    ----------
    sources
        The value whose scheme a value has: itself, or the value whose elements moves have taken.
    reads
        The places of nodes, and the values that they read as integers.
    """

    sources: dict[str, str]
    reads: set[tuple[int, str]]


def source_of(graph: Graph, value: str) -> str:
    """Return the value that has the elements of a value first."""
    while (moved := moved_by(graph, value)) is not None:
        value = graph.nodes[moved].input[0]
    return value


def data_of(graph: Graph, layer: Layer) -> list[str]:
    """Return the values that a layer reads, without constants."""
    return [graph.nodes[layer.node].input[at] for at in layer.data]


def read_by(graph: Graph, layer: Layer) -> list[str]:
    """Return the values whose schemes are those of the values that a layer reads."""
    return [source_of(graph, value) for value in data_of(graph, layer)]


def moved_by(graph: Graph, value: str) -> int | None:
    """Return the place of the move that makes a value; None if something else does."""
    place = graph.makers.get(value)
    if place is None:
        return None
    node = graph.nodes[place]
    is_move = is_own(node.domain) and node.op_type in MOVES and len(node.output) == 1
    return place if is_move and node.input[0] not in graph.constants else None


def plan_of(graph: Graph, layers: Sequence[Layer]) -> Plan:
    """Return the values that pass through integers if some layers compute with them."""
    results = {layer.output for layer in layers}
    plan = Plan({}, set())
    pending = [
        (layer.node, graph.nodes[layer.node].input[at]) for layer in layers for at in layer.data
    ]
    while pending:
        reader, value = pending.pop()
        if (reader, value) in plan.reads:
            continue
        plan.reads.add((reader, value))
        plan.sources[value] = source_of(graph, value)
        move = moved_by(graph, value)
        if move is not None:
            pending.append((move, graph.nodes[move].input[0]))
        if value in results:
            # All read the integers, so that the layer need not make numbers as well.
            plan.reads.update(
                (one, value) for one in graph.readers[value] if value in graph.nodes[one].input
            )
    return plan


def without_lone(graph: Graph, layers: Iterable[Layer]) -> list[Layer]:
    """Return layers without the cheap ones that are not between quantized layers.

    These would turn numbers into integers and back, and gain nothing.
    """
    kept = list(layers)
    while True:
        made = {layer.output for layer in kept}
        read = {
            source_of(graph, graph.nodes[layer.node].input[at])
            for layer in kept
            for at in layer.data
        }
        found = [
            layer for layer in kept if layer.is_product or is_between(graph, layer, made, read)
        ]
        if len(found) == len(kept):
            return found
        kept = found


def is_between(graph: Graph, layer: Layer, made: set[str], read: set[str]) -> bool:
    """Return whether layers make all that a layer reads, and one reads its result."""
    return layer.output in read and all(name in made for name in read_by(graph, layer))
