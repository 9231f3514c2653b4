"""Products with weights of a few bits, and rows of them, of the domain `com.microsoft`."""

from __future__ import annotations

import numpy as np

from uir_nodes.ir import RelayExpr

from .... import relay
from ...errors import Refused
from ...tensors import Array, dims, dtype_of, in_type, positive, rank, scalar, widened
from ..node import Converter, Node
from ..quantized_tensors import along_axis, dequantized

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


def gather_block_quantized(node: Node) -> RelayExpr:
    """Return slices of a quantized tensor as floats; only they are dequantized."""
    gather, along = node.attribute("gather_axis", 0), node.attribute("quantize_axis", 1)
    bits, block = node.attribute("bits", 4), node.attribute("block_size", 128)
    if block < 16 or block & (block - 1):
        raise Refused(f"blocks of {block}, which must be a power of two from 16 on")
    if bits not in (4, 8):
        raise Refused(f"numbers of {bits} bits")
    narrow = node.narrow_type(0)
    is_packed = narrow is None and bits == 4
    if node.is_given(3) and node.narrow_type(3) != narrow:
        raise Refused("zero points of another data type than that of the numbers")
    node = node.with_stored()
    data, indices, scales = node.input(0), node.input(1), node.input(2)
    check_finite(node.known(2), 2)
    if narrow is None and dtype_of(data) != "uint8":
        raise Refused(f"numbers of data type {dtype_of(data)}")
    axes = rank(data)
    gather, along = (axis_of(axis, axes) for axis in (gather, along))
    if gather == along:
        raise Refused(f"blocks along axis {along}, which indices take apart")
    if narrow is None and (gather != 0 or along != axes - 1):
        raise Refused(
            f"numbers of uint8 with `gather_axis` {gather} and `quantize_axis` {along}, which must "
            f"be 0 and {axes - 1}"
        )
    last = axes - 1 + rank(indices) - 1

    def taken(x: RelayExpr) -> RelayExpr:
        found = relay.take(x, indices, gather)
        return nibbles(found, node) if is_packed and x is not scales else found

    x, factors = node.bind(taken(data)), node.bind(taken(scales))
    place = along if along < gather else along + rank(indices) - 1
    zeros = None if node.optional(3) is None else taken(node.input(3))
    if zeros is not None and is_packed:
        blocks = dims(factors)[last]
        zeros = relay.strided_slice(zeros, [0], [blocks], axes=[last])
    if zeros is None and narrow is None:
        middle = scalar(1 << (bits - 1), x)
        zeros = relay.broadcast_to(middle, dims(factors))
    zero = None if zeros is None else along_axis(node.bind(zeros), x, place, block)
    return in_type(dequantized(x, along_axis(factors, x, place, block), zero), dtype_of(scales))


def axis_of(axis: int, count: int) -> int:
    """Return an axis of a tensor, from the first one on."""
    if not -count <= axis < count:
        raise Refused(f"axis {axis} of a tensor of rank {count}")
    return axis % count


def nibbles(packed: RelayExpr, node: Node) -> RelayExpr:
    """Return the numbers of bytes, the low one first, along the last axis."""
    packed = node.bind(packed)
    four, mask = (scalar(one, packed) for one in (4, 15))
    parts = [relay.bitwise_and(packed, mask), relay.right_shift(packed, four)]
    pairs = relay.concatenate([relay.expand_dims(part, [-1]) for part in parts], -1)
    shape = dims(packed)
    return relay.reshape(pairs, [*shape[:-1], shape[-1] * 2])


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
    check_finite(elements, place)
    return elements


def check_finite(elements: Array | None, place: int) -> None:
    """Refuse NaN and infinity in an input, if its elements are known."""
    wrong = [] if elements is None else elements[~np.isfinite(elements)]
    if len(wrong):
        raise Refused(f"a number of {wrong[0]} in input {place}")


CONVERTERS: dict[str, Converter] = {
    "GatherBlockQuantized": gather_block_quantized,
    "MatMulNBits": matmul_n_bits,
}
