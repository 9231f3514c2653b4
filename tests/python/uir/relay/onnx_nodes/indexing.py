"""ONNX's nodes that read and write at indices."""

from __future__ import annotations

from uir.relay import reference as relay

from .node import Array, Node, Run


def gather(node: Node) -> Array:
    return relay.take(node.input(0), node.input(1), axis=node.attribute("axis", 0))


def gather_elements(node: Node) -> Array:
    return relay.take_along_axis(node.input(0), node.input(1), axis=node.attribute("axis", 0))


def gather_nd(node: Node) -> Array:
    batch_dims = node.attribute("batch_dims", 0)
    return relay.gather_nd(node.input(0), node.input(1), batch_dims=batch_dims)


def scatter_elements(node: Node) -> Array:
    return relay.scatter_elements(
        node.input(0),
        node.input(1),
        node.input(2),
        axis=node.attribute("axis", 0),
        reduction=node.attribute("reduction", "none"),
    )


def scatter_nd(node: Node) -> Array:
    reduction = node.attribute("reduction", "none")
    return relay.scatter_nd(node.input(0), node.input(1), node.input(2), reduction=reduction)


NODES: dict[str, Run] = {
    "Gather": gather,
    "GatherElements": gather_elements,
    "GatherND": gather_nd,
    "Scatter": scatter_elements,
    "ScatterElements": scatter_elements,
    "ScatterND": scatter_nd,
}
