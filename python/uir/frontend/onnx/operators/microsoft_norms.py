"""Normalizations of the domain `com.microsoft` with the sums before them."""

from __future__ import annotations

import numpy as np

from uir_nodes.ir import RelayExpr

from .... import relay
from ...errors import Refused
from ...tensors import dims, dims_of_rank, dtype_of, in_type
from ..node import Converter, Node, Outputs
from .normalization import layer_norm, rms_norm

__all__ = ["CONVERTERS"]

EPSILON = 1e-12


def skip_layer_norm(node: Node) -> Outputs:
    """Normalize the sum of two tensors and a bias; the fourth output is the sum."""
    total = node.bind(sum_of(node, 4))
    epsilon = node.attribute("epsilon", EPSILON)
    y = relay.layer_norm(total, node.input(2), node.optional(3), axis=-1, epsilon=epsilon)
    return [y, None, None, total]


def skip_rms_norm(node: Node) -> Outputs:
    """Divide the sum of two tensors and a bias by its root mean square."""
    total = node.bind(sum_of(node, 3))
    epsilon = node.attribute("epsilon", EPSILON)
    return [relay.rms_norm(total, node.input(2), axis=-1, epsilon=epsilon), None, None, total]


def sum_of(node: Node, bias: int) -> RelayExpr:
    """Return the sum of the first two inputs, and of the bias at a place if there is one."""
    total, summand = relay.add(node.input(0), node.input(1)), node.optional(bias)
    return total if summand is None else relay.add(total, summand)


def simplified_layer_norm(node: Node) -> Outputs:
    """Divide by the root of the mean square over the axes from `axis` on."""
    if dtype_of(node.input(0)) != dtype_of(node.input(1)):
        raise Refused(f"a scale of {dtype_of(node.input(1))} for {dtype_of(node.input(0))}")
    return [rms_norm(node), None]


def embed_layer_norm(node: Node) -> Outputs:
    """Normalize the sum of the embeddings of words, of their places and of their segments."""
    words, segments, places = node.input(0), node.optional(1), node.optional(8)
    _, count = dims_of_rank(words, 2)
    if places is None:
        places = relay.expand_dims(relay.arange(0, count, dtype="int64"), [0])
    total = relay.add(relay.take(node.input(2), words, 0), relay.take(node.input(3), places, 0))
    if segments is not None:
        total = relay.add(total, relay.take(node.input(4), segments, 0))
    total = node.bind(total)
    epsilon = node.attribute("epsilon", EPSILON)
    y = relay.layer_norm(total, node.input(5), node.input(6), axis=-1, epsilon=epsilon)
    return [y, mask_index(node, words), total]


def mask_index(node: Node, words: RelayExpr) -> RelayExpr:
    """Return how many ones each row of the mask has, as int32; 0 without a mask."""
    mask = node.optional(7)
    if mask is None:
        return relay.full(relay.const(np.array(0, np.int32)), dims(words)[:1])
    one = relay.const(np.array(1, np.int32))
    return relay.sum(relay.cast(relay.equal(in_type(mask, "int32"), one), "int32"), [1])


CONVERTERS: dict[str, Converter] = {
    "EmbedLayerNormalization": embed_layer_norm,
    "LayerNormalization": layer_norm,
    "SimplifiedLayerNormalization": simplified_layer_norm,
    "SkipLayerNormalization": skip_layer_norm,
    "SkipSimplifiedLayerNormalization": skip_rms_norm,
}
