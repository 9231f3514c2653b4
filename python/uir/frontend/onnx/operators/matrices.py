"""Products of matrices."""

from __future__ import annotations

from uir_nodes.ir import RelayExpr

from .... import relay
from ...tensors import rank, scalar
from ..node import Converter, Node

__all__ = ["CONVERTERS"]


def matmul(node: Node) -> RelayExpr:
    a, b = node.input(0), node.input(1)
    rows = relay.expand_dims(a, [0]) if rank(a) == 1 else a
    columns = relay.expand_dims(b, [1]) if rank(b) == 1 else b
    dropped = [*([-2] if rank(a) == 1 else []), *([-1] if rank(b) == 1 else [])]
    product = relay.matmul(rows, columns)
    return relay.squeeze(product, dropped) if dropped else product


def gemm(node: Node) -> RelayExpr:
    a, b, c = node.input(0), node.input(1), node.optional(2)
    left = relay.transpose(a) if node.flag("transA") else a
    right = relay.transpose(b) if node.flag("transB") else b
    product = scaled(relay.matmul(left, right), node.attribute("alpha", 1.0))
    return product if c is None else relay.add(product, scaled(c, node.attribute("beta", 1.0)))


def scaled(x: RelayExpr, factor: float) -> RelayExpr:
    return x if factor == 1 else relay.multiply(x, scalar(factor, x))


CONVERTERS: dict[str, Converter] = {"Gemm": gemm, "MatMul": matmul}
