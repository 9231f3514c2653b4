"""Nodes `MatMulNBits` of the domain `com.microsoft`, from weights in blocks."""

from __future__ import annotations

import numpy as np
import onnx
from onnx import helper, numpy_helper

from ..frontend.tensors import Array
from .rounding import Blocks

__all__ = ["DOMAIN", "packed_node"]

DOMAIN = "com.microsoft"


def packed_node(
    name: str, data: str, output: str, blocks: Blocks, bits: int, names: list[str]
) -> tuple[onnx.NodeProto, list[onnx.TensorProto]]:
    """Return the node of a product, and its constants.

    Parameters
    ----------
    name, data, output
        The name of the node, and its operand and result.
    blocks
        The weight, `k` by `n`.
    bits
        The bits of an integer: 4 or 8.
    names
        The names of the integers, the scales and the zero points.
    """
    rows, columns = blocks.numbers.shape
    values = (packed_numbers(blocks, bits), blocks.scales.T, packed_zeros(blocks.zeros.T, bits))
    constants = [
        numpy_helper.from_array(np.ascontiguousarray(value), one)
        for value, one in zip(values, names, strict=True)
    ]
    options = {"K": rows, "N": columns, "bits": bits, "block_size": blocks.block}
    node = helper.make_node(
        "MatMulNBits", [data, *names], [output], name=name, domain=DOMAIN, **options
    )
    return node, constants


def packed_numbers(blocks: Blocks, bits: int) -> Array:
    """Return the bytes of integers, shape `(n, ceil(k / block), block * bits / 8)`.

    The last block is filled up by zero points, which mean 0.
    """
    count, columns = blocks.scales.shape
    full = np.repeat(blocks.zeros, blocks.block, axis=0)
    full[: len(blocks.numbers)] = blocks.numbers
    return packed(full.T.reshape(columns, count, blocks.block), bits)


def packed_zeros(zeros: Array, bits: int) -> Array:
    """Return the bytes of zero points of shape `(n, blocks)`; an odd number ends with 0."""
    return packed(np.pad(zeros, ((0, 0), (0, zeros.shape[1] * bits // 4 % 2))), bits)


def packed(numbers: Array, bits: int) -> Array:
    """Return the bytes of integers along the last axis, the lowest bits first."""
    if bits == 8:
        return numbers
    pairs: Array = numbers[..., 0::2] | numbers[..., 1::2] << np.uint8(4)
    return pairs
