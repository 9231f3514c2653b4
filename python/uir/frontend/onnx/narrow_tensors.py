"""Tensors of int4 and uint4: constants, and results of `QuantizeLinear`."""

from __future__ import annotations

import onnx
from onnx import numpy_helper

from ..errors import Refused
from .node import NARROW_TYPES, Node, data_type
from .value import NarrowValue, Value

__all__ = ["constant_value", "narrow_result"]


def constant_value(tensor: onnx.TensorProto) -> Value:
    """Return the value of a constant tensor; elements of 4 bits lie in bytes.

    Raises
    ------
    Refused
        If `relay` does not have its data type.
    """
    if tensor.data_type not in NARROW_TYPES:
        data_type(tensor.data_type)
        return Value(None, tensor)
    dtype = NARROW_TYPES[tensor.data_type]
    elements = numpy_helper.to_array(tensor).astype(dtype.replace("4", "8"))
    return NarrowValue(Value(None, elements), dtype)


def narrow_result(node: Node) -> str | None:
    """Return the type of 4 bits that a node `QuantizeLinear` rounds to; None for every other one.

    It is that of the zero points, or of the attribute `output_dtype`.
    """
    number, zero = node.attribute("output_dtype", 0), node.narrow_type(2)
    if not node.is_given(2):
        return NARROW_TYPES.get(number)
    if zero is not None and number and NARROW_TYPES.get(number) != zero:
        stated = onnx.TensorProto.DataType.Name(number).lower()
        raise Refused(f"`output_dtype` is {stated}, and the zero point is of {zero}")
    return zero
