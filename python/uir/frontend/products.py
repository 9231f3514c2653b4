"""Products of matrices as NumPy, ONNX and PyTorch have them."""

from __future__ import annotations

from uir_nodes.ir import RelayExpr

from .. import relay
from .tensors import rank, scalar

__all__ = ["matmul", "scaled"]


def matmul(a: RelayExpr, b: RelayExpr) -> RelayExpr:
    """Return a product whose operands may be vectors, of which the result has no dimension."""
    rows = relay.expand_dims(a, [0]) if rank(a) == 1 else a
    columns = relay.expand_dims(b, [1]) if rank(b) == 1 else b
    dropped = [*([-2] if rank(a) == 1 else []), *([-1] if rank(b) == 1 else [])]
    product = relay.matmul(rows, columns)
    return relay.squeeze(product, dropped) if dropped else product


def scaled(x: RelayExpr, factor: float) -> RelayExpr:
    """Return a product with a number."""
    return x if factor == 1 else relay.multiply(x, scalar(factor, x))
