"""Products with weights of a few bits, of the domain `com.microsoft`."""

from __future__ import annotations

import numpy as np

from uir_nodes.ir import RelayExpr

from .... import relay
from ...errors import Refused
from ...tensors import Array, dims, dtype_of, in_type, positive, widened
from ..node import Converter, Node

__all__ = ["CONVERTERS"]


def matmul_n_bits(node: Node) -> RelayExpr:
    """Return a product with weights of 2, 4 or 8 bits in blocks, which stay packed."""
    if node.optional(4) is not None:
        raise Refused("the input `g_idx`")
    if node.attribute("weight_prepacked", 0):
        raise Refused(f"`weight_prepacked` {node.attribute('weight_prepacked')}")
    bits, block = node.attribute("bits", 4), node.required("block_size")
    columns, terms = (positive(node.required(name), name) for name in "NK")
    if bits not in (2, 4, 8):
        raise Refused(f"weights of {bits} bits")
    if block < 16 or block & (block - 1):
        raise Refused(f"blocks of {block}, which must be a power of two from 16 on")
    blocks = -(-terms // block)
    packed, scales = constant(node, 1, "uint8"), finite_constant(node, 2)
    if packed.size != columns * blocks * block * bits // 8 or scales.size != columns * blocks:
        raise Refused(
            f"weights of shape {packed.shape} and scales of shape {scales.shape} for a matrix of "
            f"{columns} by {terms}"
        )
    x, bias = node.input(0), node.optional(5)
    if dims(x)[-1:] != [terms]:
        raise Refused(f"data of shape {dims(x)}, whose rows must have {terms} elements")
    zeros = n_bits_zeros(node, columns, blocks, bits)
    y = relay.matmul_n_bits(
        widened(x),
        relay.const(in_panels(packed.view("<u4").reshape(columns, blocks, -1))),
        relay.const(in_panels(scales.reshape(columns, blocks))),
        None if zeros is None else relay.const(in_panels(zeros)),
        bits=bits,
        columns=columns,
    )
    y = y if bias is None else relay.add(y, widened(bias))
    return in_type(y, dtype_of(x))


def n_bits_zeros(node: Node, columns: int, blocks: int, bits: int) -> Array | None:
    """Return the zero points of blocks, of shape `(N, blocks)`; None for half of the numbers."""
    if node.optional(3) is None:
        return None
    is_packed = dtype_of(node.input(3)) == "uint8"
    zeros = constant(node, 3, "uint8") if is_packed else finite_constant(node, 3)
    if zeros.size != columns * (-(-blocks * bits // 8) if is_packed else blocks):
        raise Refused(f"zero points of shape {zeros.shape} for {columns} by {blocks} blocks")
    zeros = zeros.reshape(columns, -1)
    return unpacked(zeros, bits)[:, :blocks] if is_packed else zeros


def in_panels(rows: Array) -> Array:
    """Return an array of shape `(N, ...)` as `(panels, ..., 16)`, with zeros beyond its rows."""
    panels = -(-len(rows) // 16)
    full = np.zeros((panels * 16, *rows.shape[1:]), rows.dtype)
    full[: len(rows)] = rows
    parts = np.moveaxis(full.reshape(panels, 16, *rows.shape[1:]), 1, -1)
    return np.ascontiguousarray(parts)


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
