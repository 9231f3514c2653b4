"""Writes nodes that turn values into integers and back (`QuantizeLinear`, `DequantizeLinear`)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import onnx
from onnx import helper, numpy_helper

from ..frontend.tensors import Array
from .graph import Graph, Names, attribute
from .layers import Layer
from .scheme import Scheme, bias_numbers, of_weights, quantized

__all__ = ["Writer"]


class Writer:
    """Makes the nodes and the constants of quantized layers.

    Parameters
    ----------
    graph
        The graph.
    schemes
        The schemes of values.

    Attributes
    ----------
    constants
        The constants that nodes read.
    names
        Makes the names of values.
    """

    def __init__(self, graph: Graph, schemes: Mapping[str, Scheme]) -> None:
        self.constants: dict[str, onnx.TensorProto] = {}
        self._graph = graph
        self._schemes = schemes
        self.names = Names(graph)
        self._done: dict[object, str] = {}
        self._scales: dict[tuple[str, int | None], list[str]] = {}

    def value(self, nodes: list[onnx.NodeProto], name: str, source: str) -> str:
        """Add the nodes that round a value, and return the name of the result.

        Parameters
        ----------
        nodes
            The nodes, to which new ones are added.
        name
            The value.
        source
            The value whose scheme it has.
        """
        if name in self._done:
            return self._done[name]
        integers, result = (
            self.names.fresh(f"{name}_quantized"),
            self.names.fresh(f"{name}_dequantized"),
        )
        scales = self._scheme(source, self._schemes[source])
        nodes.append(self._node("QuantizeLinear", [name, *scales], integers))
        nodes.append(self._node("DequantizeLinear", [integers, *scales], result))
        self._done[name] = result
        return result

    def constant_inputs(self, nodes: list[onnx.NodeProto], layer: Layer, source: str) -> list[str]:
        """Add the nodes that make the weights of a layer, and return its inputs from 1 on.

        Parameters
        ----------
        nodes
            The nodes, to which new ones are added.
        layer
            A product whose input 1 is constant.
        source
            The value whose scheme its input 0 has.
        """
        proto = self._graph.nodes[layer.node]
        weights = self._graph.weights(proto, 1)
        assert weights is not None
        scheme = of_weights(weights, layer.axis)
        names = [self._weights(nodes, proto.input[1], weights, scheme), *proto.input[2:]]
        bias = self._graph.weights(proto, 2)
        if bias is not None and is_plain(proto, bias, weights.shape[layer.axis or 0]):
            key = (proto.input[2], source, proto.input[1])
            names[1] = self._bias(nodes, key, bias, self._schemes[source].scale * scheme.scale)
        return names

    def _weights(
        self, nodes: list[onnx.NodeProto], name: str, weights: Array, scheme: Scheme
    ) -> str:
        key = (name, scheme.axis)
        if key not in self._done:
            integers = self._constant(f"{name}_quantized", quantized(weights, scheme))
            scales = self._scheme(name, scheme)
            self._done[key] = self._dequantized(nodes, name, [integers, *scales], scheme.axis)
        return self._done[key]

    def _bias(
        self, nodes: list[onnx.NodeProto], key: tuple[str, str, str], bias: Array, scale: Array
    ) -> str:
        """Return the bias in units of the scales of sums, or as it is if it is too large."""
        numbers = bias_numbers(bias, scale)
        if numbers is None:
            return key[0]
        if key not in self._done:
            integers = self._constant(f"{key[0]}_quantized", numbers)
            scales = self._constant(f"{key[0]}_scale", scale.astype(np.float32))
            axis = 0 if scale.ndim else None
            self._done[key] = self._dequantized(nodes, key[0], [integers, scales], axis)
        return self._done[key]

    def _dequantized(
        self, nodes: list[onnx.NodeProto], name: str, inputs: list[str], axis: int | None
    ) -> str:
        result = self.names.fresh(f"{name}_dequantized")
        nodes.append(self._node("DequantizeLinear", inputs, result, axis))
        return result

    def _scheme(self, name: str, scheme: Scheme) -> list[str]:
        """Return the constants that hold the scale and the zero point of a value."""
        key = (name, scheme.axis)
        if key not in self._scales:
            scale = self._constant(f"{name}_scale", scheme.scale)
            self._scales[key] = [scale, self._constant(f"{name}_zero_point", scheme.zero)]
        return self._scales[key]

    def _constant(self, name: str, value: Array) -> str:
        found = self.names.fresh(name)
        self.constants[found] = numpy_helper.from_array(value, found)
        return found

    def _node(
        self, operator: str, inputs: list[str], output: str, axis: int | None = None
    ) -> onnx.NodeProto:
        node = helper.make_node(operator, inputs, [output], name=f"{output}_node")
        if axis is not None:
            node.attribute.append(helper.make_attribute("axis", axis))
        return node


def is_plain(node: onnx.NodeProto, bias: Array, channels: int) -> bool:
    """Return whether a bias is added to sums as it is, with a number for each channel."""
    factors = (attribute(node, name, 1.0) for name in ("alpha", "beta"))
    is_finite = bool(np.isfinite(bias).all())
    return bias.shape == (channels,) and is_finite and all(one == 1 for one in factors)
