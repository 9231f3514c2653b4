"""Products of matrices, and attention."""

from __future__ import annotations

from math import isinf

import numpy as np

from uir_nodes.ir import RelayExpr

from .... import relay
from ...errors import Refused
from ...products import matmul, scaled
from ...tensors import Dim, common_shape, dims, dtype_of, is_one, product, rank, scalar, sizes
from ..node import Converter, Node, Outputs
from ..refusals import PARTLY_REFUSED

__all__ = ["CONVERTERS"]


def product_of_two(node: Node) -> RelayExpr:
    """Return the product of matrices, or of batches of them."""
    return relay.matmul(node.tensor(), node.tensor("mat2"))


def add_product(first: str, second: str) -> Converter:
    """Return the converter of a sum with a product of matrices."""

    def convert(node: Node) -> RelayExpr:
        result = relay.matmul(node.tensor(first), node.tensor(second))
        return relay.add(scaled(result, node.get("alpha")), scaled(node.tensor(), node.get("beta")))

    return convert


def add_product_of_batches(node: Node) -> RelayExpr:
    """Return a sum with the sum of the products of matrices."""
    whole = relay.sum(relay.matmul(node.tensor("batch1"), node.tensor("batch2")), [0])
    return relay.add(scaled(whole, node.get("alpha")), scaled(node.tensor(), node.get("beta")))


def add_product_with_vector(node: Node) -> RelayExpr:
    """Return `beta * self + alpha * mat @ vec`."""
    product = matmul(node.tensor("mat"), node.tensor("vec"))
    return relay.add(scaled(product, node.get("alpha")), scaled(node.tensor(), node.get("beta")))


def linear(node: Node) -> RelayExpr:
    """Return `input @ weight.T + bias`."""
    x, weight, bias = node.tensor("input"), node.tensor("weight"), node.optional("bias")
    result = matmul(x, relay.transpose(weight))
    return result if bias is None else relay.add(result, bias)


def attention(node: Node) -> RelayExpr:
    """Attend with batches and heads; operands may lack these axes, or have several of batches."""
    if node.get("dropout_p"):
        raise Refused(PARTLY_REFUSED["native_dropout"])
    operands = [node.tensor(name) for name in ("query", "key", "value")]
    longest = max(rank(one) for one in operands)
    missing = list(range(4 - longest))
    operands = [with_rank(one, max(4, longest)) for one in operands]
    causal, scale = bool(node.get("is_causal")), node.get("scale")
    mask = node.optional("attn_mask")
    batches = common_shape([dims(one)[:-3] for one in operands])
    if len(batches) > 1 or len({str(dims(one)[0]) for one in operands}) > 1:
        operands = [one_batch(one, batches) for one in operands]
    if len(batches) > 1:
        mask = mask if mask is None or rank(mask) < 4 else one_batch(mask, batches)
    query, key, value = operands
    if is_one(dims(query)[1]):
        heads = common_shape([dims(key)[1:2], dims(value)[1:2]])
        query = relay.broadcast_to(query, [*dims(query)[:1], *heads, *dims(query)[2:]])
    y = relay.attention(query, key, value, mask, causal=causal, scale=scale)
    if len(batches) > 1:
        return relay.reshape(y, [*batches, *dims(y)[1:]], allowzero=True)
    return relay.squeeze(y, missing) if missing else y


def with_rank(x: RelayExpr, count: int) -> RelayExpr:
    """Return a tensor with axes of length 1 in front, up to a rank."""
    missing = list(range(count - rank(x)))
    return relay.expand_dims(x, missing) if missing else x


def one_batch(x: RelayExpr, batches: list[Dim]) -> RelayExpr:
    """Return a tensor of shape `(*b, heads, rows, d)`, where `b` broadcasts, with one batch."""
    behind = dims(x)[-3:]
    whole = relay.broadcast_to(x, [*batches, *behind])
    return relay.reshape(whole, [product(batches), *behind], allowzero=True)


def attention_with_sums(node: Node) -> Outputs:
    """Attend; the sums that only gradients need are left out."""
    return [attention(node), None]


def distances(node: Node) -> RelayExpr:
    """Return the norms of the differences of all pairs of rows."""
    a, b = relay.expand_dims(node.tensor("x1"), [-2]), relay.expand_dims(node.tensor("x2"), [-3])
    return norms(relay.subtract(a, b), float(node.get("p")))


def distances_of_pairs(node: Node) -> RelayExpr:
    """Return the norms of the differences of each row and all rows behind it."""
    x = node.tensor()
    pairs = np.triu_indices(sizes(x, "the number of pairs")[0], 1)
    first, second = (relay.take(x, relay.const(places.astype(np.int64)), 0) for places in pairs)
    return norms(relay.subtract(first, second), float(node.get("p")))


def norms(x: RelayExpr, p: float) -> RelayExpr:
    """Return the `p`-norms of vectors along the last axis."""
    apart = relay.abs(x)
    if p == 0:
        return relay.sum(relay.cast(relay.not_equal(apart, scalar(0, x)), dtype_of(x)), [-1])
    if isinf(p):
        return relay.max(apart, [-1])
    if p == 2:
        return relay.sqrt(relay.sum(relay.multiply(apart, apart), [-1]))
    if p == 1:
        return relay.sum(apart, [-1])
    powers = relay.sum(relay.power(apart, scalar(p, x)), [-1])
    return relay.power(powers, scalar(1 / p, x))


CONVERTERS: dict[str, Converter] = {
    "_cdist_forward.default": distances,
    "_pdist_forward.default": distances_of_pairs,
    "_scaled_dot_product_flash_attention_for_cpu.default": attention_with_sums,
    "addbmm.default": add_product_of_batches,
    "addmm.default": add_product("mat1", "mat2"),
    "addmv.default": add_product_with_vector,
    "baddbmm.default": add_product("batch1", "batch2"),
    "bmm.default": product_of_two,
    "linear.default": linear,
    "matmul.default": lambda node: matmul(node.tensor(), node.tensor("other")),
    "mm.default": product_of_two,
    "scaled_dot_product_attention.default": attention,
}
