"""Products of matrices."""

from __future__ import annotations

from uir_nodes.ir import RelayExpr

from .... import relay
from ...products import matmul, scaled
from ..node import Converter, Node

__all__ = ["CONVERTERS"]


def gemm(node: Node) -> RelayExpr:
    """Return `alpha * A @ B + beta * C`, with A and B transposed on demand."""
    a, b, c = node.input(0), node.input(1), node.optional(2)
    left = relay.transpose(a) if node.flag("transA") else a
    right = relay.transpose(b) if node.flag("transB") else b
    product = scaled(relay.matmul(left, right), node.attribute("alpha", 1.0))
    return product if c is None else relay.add(product, scaled(c, node.attribute("beta", 1.0)))


CONVERTERS: dict[str, Converter] = {
    "Gemm": gemm,
    "MatMul": lambda node: matmul(node.input(0), node.input(1)),
}
