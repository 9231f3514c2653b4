"""Products with weights of a few bits, of the domain `com.microsoft`."""

from __future__ import annotations

import numpy as np

from uir_nodes.ir import RelayExpr

from .... import relay
from ...errors import Refused
from ...products import matmul
from ...tensors import Array, dtype_of, in_type, positive, widened
from ..node import Converter, Node

__all__ = ["CONVERTERS"]


def matmul_n_bits(node: Node) -> RelayExpr:
    """Return a product with weights of 2, 4 or 8 bits in blocks, which become constants."""
    if node.optional(4) is not None:
        raise Refused("the input `g_idx`")
    if node.attribute("weight_prepacked", 0):
        raise Refused(f"`weight_prepacked` {node.attribute('weight_prepacked')}")
    x, bias = node.input(0), node.optional(5)
    y = matmul(widened(x), relay.const(np.ascontiguousarray(n_bits_weight(node).T)))
    y = y if bias is None else relay.add(y, widened(bias))
    return in_type(y, dtype_of(x))


def n_bits_weight(node: Node) -> Array:
    """Return the weights of shape `(N, K)` as float32."""
    bits, size = node.attribute("bits", 4), node.required("block_size")
    rows, columns = (positive(node.required(name), name) for name in "NK")
    if bits not in (2, 4, 8):
        raise Refused(f"weights of {bits} bits")
    if size < 16 or size & (size - 1):
        raise Refused(f"blocks of {size}, which must be a power of two from 16 on")
    blocks = -(-columns // size)
    packed, scales = constant(node, 1, "uint8"), finite_constant(node, 2)
    if packed.size != rows * blocks * size * bits // 8 or scales.size != rows * blocks:
        raise Refused(
            f"weights of shape {packed.shape} and scales of shape {scales.shape} for a matrix of "
            f"{rows} by {columns}"
        )
    numbers = unpacked(packed.reshape(rows, blocks, -1), bits).astype(np.float32)
    zeros = n_bits_zeros(node, rows, blocks, bits)
    weight = (numbers - zeros) * scales.astype(np.float32).reshape(rows, blocks, 1)
    return weight.reshape(rows, blocks * size)[:, :columns]


def n_bits_zeros(node: Node, rows: int, blocks: int, bits: int) -> Array:
    """Return the zero points of blocks, of shape `(N, blocks, 1)`."""
    if node.optional(3) is None:
        return np.full((rows, blocks, 1), 2 ** (bits - 1), np.float32)
    is_packed = dtype_of(node.input(3)) == "uint8"
    zeros = constant(node, 3, "uint8") if is_packed else finite_constant(node, 3)
    if zeros.size != rows * (-(-blocks * bits // 8) if is_packed else blocks):
        raise Refused(f"zero points of shape {zeros.shape} for {rows} by {blocks} blocks")
    zeros = zeros.reshape(rows, -1)
    numbers = unpacked(zeros, bits)[:, :blocks] if is_packed else zeros
    return numbers.astype(np.float32).reshape(rows, blocks, 1)


def unpacked(packed: Array, bits: int) -> Array:
    """Return the numbers of bytes, the lowest bits first, along the last axis."""
    shifts = np.arange(0, 8, bits, dtype=np.uint8)
    numbers = packed[..., None] >> shifts & np.uint8(2**bits - 1)
    return numbers.reshape(*packed.shape[:-1], -1)


def constant(node: Node, place: int, dtype: str) -> Array:
    """Return an input that must be a constant of a data type."""
    elements = node.known(place)
    if elements is None:
        raise Refused(f"input {place} must be a constant")
    if elements.dtype != dtype:
        raise Refused(f"input {place} must be of data type {dtype}, got {elements.dtype}")
    return elements


def finite_constant(node: Node, place: int) -> Array:
    """Return scales or zero points of the type of the data; quantizers write 0 for blocks of 0."""
    elements = constant(node, place, dtype_of(node.input(0)))
    wrong = elements[~np.isfinite(elements)]
    if len(wrong):
        raise Refused(f"a number of {wrong[0]} in input {place}")
    return elements


CONVERTERS: dict[str, Converter] = {"MatMulNBits": matmul_n_bits}
