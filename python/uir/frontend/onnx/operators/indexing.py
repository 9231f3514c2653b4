"""Operators that read and write at indices."""

from __future__ import annotations

from uir_nodes.ir import RelayExpr

from .... import relay
from ...errors import Refused
from ...tensors import dims, rank, size_tensor
from ..node import Converter, Node

__all__ = ["CONVERTERS"]


def scatter(node: Node) -> RelayExpr:
    """Write elements, under the name that the operator had before version 11."""
    axis = node.attribute("axis", 0)
    return relay.scatter_elements(node.input(0), node.input(1), node.input(2), axis=axis)


def tensor_scatter(node: Node) -> RelayExpr:
    """Write rows into a cache along an axis, for each element of the batch from its own place on.

    Raises
    ------
    Refused
        If there is no such mode, or the axis is that of the batch.
    """
    cache, update, begin = node.input(0), node.input(1), node.optional(2)
    mode, axis = node.attribute("mode", "linear"), node.attribute("axis", -2)
    if mode not in ("linear", "circular"):
        raise Refused(f"mode {mode}")
    if not -rank(cache) < axis < rank(cache) or axis == 0 or rank(update) != rank(cache):
        raise Refused(f"axis {axis} of a cache of rank {rank(cache)}")
    axis %= rank(cache)
    index = relay.arange(0, dims(update)[axis], dtype="int64")
    index = relay.expand_dims(index, [place for place in range(rank(cache)) if place != axis])
    if begin is not None:
        index = relay.add(index, relay.expand_dims(begin, list(range(1, rank(cache)))))
    if mode == "circular":
        index = relay.mod(index, size_tensor(dims(cache)[axis]))
    whole = relay.broadcast_to(index, dims(update))
    return relay.scatter_elements(cache, whole, update, axis=axis)


CONVERTERS: dict[str, Converter] = {"Scatter": scatter, "TensorScatter": tensor_scatter}
