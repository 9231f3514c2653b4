"""Tensors of rank 0 in operators that have an axis."""

from __future__ import annotations

from collections.abc import Sequence

from uir_nodes.ir import RelayExpr

from ... import relay
from ..tensors import rank
from .node import Converter, Node, Outputs
from .value import Value

__all__ = ["of_any_rank"]


def of_any_rank(convert: Converter) -> Converter:
    """Return a converter that takes a tensor of rank 0 for one element along its axis.

    So do NumPy, PyTorch, and the reference of ONNX, whose text allows no axis then.

    Parameters
    ----------
    convert
        The converter for tensors that have axes, whose results along them are squeezed.
    """

    def converted(node: Node) -> Outputs:
        if rank(node.input(0)):
            return convert(node)
        outputs = convert(node.with_operands([with_axis(node.values[0]), *node.values[1:]]))
        if not isinstance(outputs, Sequence):
            return without_axis(outputs)
        return [None if one is None else without_axis(one) for one in outputs]

    return converted


def with_axis(value: Value | None) -> Value:
    """Return a tensor of rank 0 as one of rank 1."""
    assert value is not None
    elements = None if value.elements is None else value.elements.reshape(1)
    return Value(relay.expand_dims(value.expr, [0]), elements, value.inputs)


def without_axis(x: RelayExpr) -> RelayExpr:
    """Return the only element of a tensor of rank 1, and another tensor as it is."""
    return relay.squeeze(x, [0]) if rank(x) == 1 else x
