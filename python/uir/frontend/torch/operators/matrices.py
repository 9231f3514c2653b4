"""Products of matrices, and attention."""

from __future__ import annotations

from uir_nodes.ir import RelayExpr

from .... import relay
from ...errors import Refused
from ...tensors import rank, scalar
from ..node import Converter, Node

__all__ = ["CONVERTERS"]


def product(node: Node) -> RelayExpr:
    return relay.matmul(node.tensor(), node.tensor("mat2"))


def matmul(node: Node) -> RelayExpr:
    a, b = node.tensor(), node.tensor("other")
    rows = relay.expand_dims(a, [0]) if rank(a) == 1 else a
    columns = relay.expand_dims(b, [1]) if rank(b) == 1 else b
    dropped = [*([-2] if rank(a) == 1 else []), *([-1] if rank(b) == 1 else [])]
    result = relay.matmul(rows, columns)
    return relay.squeeze(result, dropped) if dropped else result


def scaled(x: RelayExpr, factor: float) -> RelayExpr:
    return x if factor == 1 else relay.multiply(x, scalar(factor, x))


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
    "matmul.default": matmul,
    "mm.default": product,
    "scaled_dot_product_attention.default": attention,
}
