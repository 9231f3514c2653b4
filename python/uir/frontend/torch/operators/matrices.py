"""Products of matrices, and attention."""

from __future__ import annotations

from uir_nodes.ir import RelayExpr

from .... import relay
from ...errors import Refused
from ...products import matmul, scaled
from ..node import Converter, Node

__all__ = ["CONVERTERS"]


def product(node: Node) -> RelayExpr:
    return relay.matmul(node.tensor(), node.tensor("mat2"))


def add_product(first: str, second: str) -> Converter:
    """Return the converter of a sum with a product of matrices."""

    def convert(node: Node) -> RelayExpr:
        result = relay.matmul(node.tensor(first), node.tensor(second))
        return relay.add(scaled(result, node.get("alpha")), scaled(node.tensor(), node.get("beta")))

    return convert


def linear(node: Node) -> RelayExpr:
    x, weight, bias = node.tensor("input"), node.tensor("weight"), node.optional("bias")
    result = relay.matmul(x, relay.transpose(weight))
    return result if bias is None else relay.add(result, bias)


def attention(node: Node) -> RelayExpr:
    if node.get("dropout_p"):
        raise Refused("dropout in training")
    mask = node.optional("attn_mask")
    return relay.attention(
        node.tensor("query"),
        node.tensor("key"),
        node.tensor("value"),
        mask,
        causal=bool(node.get("is_causal")),
        scale=node.get("scale"),
    )


CONVERTERS: dict[str, Converter] = {
    "addmm.default": add_product("mat1", "mat2"),
    "baddbmm.default": add_product("batch1", "batch2"),
    "bmm.default": product,
    "linear.default": linear,
    "matmul.default": lambda node: matmul(node.tensor(), node.tensor("other")),
    "mm.default": product,
    "scaled_dot_product_attention.default": attention,
}
