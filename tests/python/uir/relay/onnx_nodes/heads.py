"""ONNX's attention, in terms of relay's: caches, masks and shapes around it."""

from __future__ import annotations

import numpy as np
import onnx

from uir.relay import reference as relay

from .node import Array, Node, Refused, Run, scalar


def attention(node: Node) -> list[Array | None]:
    if node.attribute("softmax_precision") == onnx.TensorProto.DOUBLE:
        raise Refused("a precision of the softmax")
    query = with_heads(node.input(0), node.attribute("q_num_heads"))
    key = with_heads(node.input(1), node.attribute("kv_num_heads"))
    value = with_heads(node.input(2), node.attribute("kv_num_heads"))
    past_key, past_value = node.optional(4), node.optional(5)
    if past_key is not None and past_value is not None:
        key = relay.concatenate([past_key, key], 2)
        value = relay.concatenate([past_value, value], 2)
    scale = node.attribute("scale", query.shape[-1] ** -0.5)
    softcap = node.attribute("softcap", 0.0)
    bias = total_bias(node, query, key)
    y = relay.attention(query, key, value, bias, scale=scale, softcap=softcap)
    scores = None
    if node.has_output(3):
        scores = products(node, query, key, bias, scale, softcap)
    if node.input(0).ndim == 3:
        moved = relay.transpose(y, [0, 2, 1, 3])
        y = relay.reshape(moved, shape=[*moved.shape[:2], -1])
    return [y, key, value, scores]


def with_heads(x: Array, heads: int | None) -> Array:
    if x.ndim == 4:
        return x
    assert heads is not None
    cut = relay.reshape(x, shape=[*x.shape[:2], heads, x.shape[2] // heads])
    return relay.transpose(cut, [0, 2, 1, 3])


def total_bias(node: Node, query: Array, key: Array) -> Array:
    """Return what is added to the scores for the mask, the order, the window and the padding."""
    rows, columns = query.shape[2], key.shape[2]
    bias = relay.full(scalar(0, query), shape=[1, 1, rows, columns])
    mask = node.optional(3)
    if mask is not None:
        bias = relay.add(bias, additive(mask, query, columns))
    lengths = node.optional(6)
    across = relay.arange(0, columns, dtype="int64")
    down = relay.expand_dims(relay.arange(0, rows, dtype="int64"), axes=[1])
    down = relay.add(down, offset(node, rows, lengths))
    allowed = relay.full(np.array(True), shape=[1, 1, rows, columns])
    left = node.attribute("left_window_size", -1)
    right = 0 if node.attribute("is_causal", 0) else node.attribute("right_window_size", -1)
    if right >= 0:
        within = relay.less_equal(across, relay.add(down, np.array(right)))
        allowed = relay.logical_and(allowed, within)
    if left >= 0:
        within = relay.greater_equal(across, relay.subtract(down, np.array(left)))
        allowed = relay.logical_and(allowed, within)
    if lengths is not None:
        valid = relay.less(across, relay.reshape(lengths, shape=[-1, 1, 1, 1]))
        allowed = relay.logical_and(allowed, valid)
    return relay.where(allowed, bias, scalar(-np.inf, query))


def additive(mask: Array, query: Array, columns: int) -> Array:
    """Return a mask as numbers, with a column for each key."""
    if mask.dtype == np.bool_:
        mask = relay.where(mask, scalar(0, query), scalar(-np.inf, query))
    after = [0] * (mask.ndim - 1) + [columns - mask.shape[-1]]
    return relay.pad(mask, [0] * mask.ndim, after, value=scalar(-np.inf, query))


def offset(node: Node, rows: int, lengths: Array | None) -> Array:
    """Return how many keys precede the first query."""
    past = node.optional(4)
    if past is not None:
        return np.array(past.shape[2])
    if lengths is not None:
        return relay.subtract(relay.reshape(lengths, shape=[-1, 1, 1, 1]), np.array(rows))
    return np.array(0)


def products(
    node: Node, query: Array, key: Array, bias: Array, scale: float, softcap: float
) -> Array:
    """Return the scores before or after a step, as the fourth output of the node."""
    groups = query.shape[1] // key.shape[1]
    n, heads, columns, d = key.shape
    apart = relay.expand_dims(key, axes=[2])
    repeated = relay.broadcast_to(apart, shape=[n, heads, groups, columns, d])
    keys = relay.reshape(repeated, shape=[n, heads * groups, columns, d])
    scores = relay.matmul(query, relay.transpose(keys, [0, 1, 3, 2]))
    scores = relay.multiply(scores, scalar(scale, query))
    mode = node.attribute("qk_matmul_output_mode", 0)
    if softcap and mode:
        capped = relay.tanh(relay.divide(scores, scalar(softcap, query)))
        scores = relay.multiply(capped, scalar(softcap, query))
    if mode >= 2:
        scores = relay.add(scores, bias)
    if mode < 3:
        return scores
    # A row without any key is 0.
    empty = relay.isinf(relay.max(bias, [-1], keepdims=True))
    return relay.where(empty, scalar(0, query), relay.softmax(scores))


NODES: dict[str, Run] = {"Attention": attention}
