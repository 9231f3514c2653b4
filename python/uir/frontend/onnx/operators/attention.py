"""Attention: caches, masks and shapes around that of relay."""

from __future__ import annotations

import numpy as np
import onnx

from uir_nodes.ir import RelayExpr

from .... import relay
from ...errors import Refused, SymbolicSizes
from ...tensors import Dim, dims, dims_of_rank, dtype_of, positive, rank, scalar, symbols_of
from ..node import Converter, Node, Outputs

__all__ = ["CONVERTERS"]


def attention(node: Node) -> Outputs:
    """Return result, keys, values and scores; heads are apart or, at rank 3, side by side."""
    if node.attribute("softmax_precision") == onnx.TensorProto.DOUBLE:
        raise Refused("softmax_precision DOUBLE")
    query = with_heads(node.input(0), node.attribute("q_num_heads"))
    key = with_heads(node.input(1), node.attribute("kv_num_heads"))
    value = with_heads(node.input(2), node.attribute("kv_num_heads"))
    past_key, past_value = node.optional(4), node.optional(5)
    if past_key is not None and past_value is not None:
        key = relay.concatenate([past_key, key], 2)
        value = relay.concatenate([past_value, value], 2)
    query, key, value = node.bind(query), node.bind(key), node.bind(value)
    scale = node.attribute("scale") or integer(dims(query)[-1], "heads") ** -0.5
    softcap = node.attribute("softcap", 0.0)
    bias = node.bind(total_bias(node, query, key))
    y = relay.attention(query, key, value, bias, scale=scale, softcap=softcap)
    scores = None
    if node.has_output(3):
        scores = products(node, query, key, bias, scale, softcap)
    if rank(node.input(0)) == 3:
        moved = relay.transpose(y, [0, 2, 1, 3])
        n, rows, heads, width = dims(moved)
        y = relay.reshape(moved, [n, rows, heads * width], allowzero=True)
    return [y, key, value, scores]


def integer(dim: Dim, what: str) -> int:
    """Return a dimension that has to be known; `SymbolicSizes` names its symbols otherwise."""
    if not isinstance(dim, int):
        raise SymbolicSizes(f"the size of {what}", symbols_of([dim]))
    return dim


def with_heads(x: RelayExpr, heads: int | None) -> RelayExpr:
    """Return a tensor of rank 4; one of rank 3 has the heads side by side in its last dimension."""
    shape = dims_of_rank(x, 3, 4)
    if rank(x) == 4:
        return x
    if heads is None:
        raise Refused("the number of heads is missing")
    cut = relay.reshape(x, [*shape[:2], heads, shape[2] // positive(heads, "heads")])
    return relay.transpose(cut, [0, 2, 1, 3])


def total_bias(node: Node, query: RelayExpr, key: RelayExpr) -> RelayExpr:
    """Return the bias of the scores for the mask, the order, the window and the padding."""
    rows, columns = dims(query)[2], dims(key)[2]
    bias = relay.full(scalar(0, query), [1, 1, rows, columns])
    mask, lengths = node.optional(3), node.optional(6)
    if mask is not None:
        bias = relay.add(bias, additive(mask, query, columns))
    across = relay.arange(0, columns, dtype="int64")
    down = relay.expand_dims(relay.arange(0, rows, dtype="int64"), [1])
    down = relay.add(down, offset(node, rows, lengths))
    allowed = relay.full(relay.const(np.array(True)), [1, 1, rows, columns])
    left = node.attribute("left_window_size", -1)
    right = 0 if node.flag("is_causal") else node.attribute("right_window_size", -1)
    if right >= 0:
        within = relay.less_equal(across, relay.add(down, scalar(right, down)))
        allowed = relay.logical_and(allowed, within)
    if left >= 0:
        within = relay.greater_equal(across, relay.subtract(down, scalar(left, down)))
        allowed = relay.logical_and(allowed, within)
    if lengths is not None:
        valid = relay.less(across, relay.reshape(lengths, [-1, 1, 1, 1]))
        allowed = relay.logical_and(allowed, valid)
    return relay.where(allowed, bias, scalar(-np.inf, query))


def additive(mask: RelayExpr, query: RelayExpr, columns: Dim) -> RelayExpr:
    """Return a mask as numbers, with a column for each key."""
    dims_of_rank(mask, 2, 3, 4)
    if dtype_of(mask) == "bool":
        mask = relay.where(mask, scalar(0, query), scalar(-np.inf, query))
    before: list[Dim] = [0] * rank(mask)
    after = [*before[1:], columns - dims(mask)[-1]]
    return relay.pad(mask, before, after, value=scalar(-np.inf, query))


def offset(node: Node, rows: Dim, lengths: RelayExpr | None) -> RelayExpr:
    """Return how many keys precede the first query."""
    past = node.optional(4)
    if past is not None:
        return relay.shape_of(past, start=2, end=3)
    if lengths is None:
        return relay.const(np.array(0))
    count = relay.shape_of(relay.full(relay.const(np.array(True)), [rows]))
    return relay.subtract(relay.reshape(lengths, [-1, 1, 1, 1]), count)


def products(
    node: Node, query: RelayExpr, key: RelayExpr, bias: RelayExpr, scale: float, softcap: float
) -> RelayExpr:
    """Return the scores before or after a step, as the fourth output of the node."""
    n, heads, columns, d = dims(key)
    groups = dims(query)[1] // heads
    apart = relay.expand_dims(key, [2])
    repeated = relay.broadcast_to(apart, [n, heads, groups, columns, d])
    keys = relay.reshape(repeated, [n, heads * groups, columns, d])
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


CONVERTERS: dict[str, Converter] = {"Attention": attention}
