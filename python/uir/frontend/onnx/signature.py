"""The inputs of a graph: parameters and constants."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TypeAlias

import numpy as np
import onnx

from uir_nodes.ir import PrimExpr
from uir_nodes.relay import Builder
from uir_nodes.tir import SizeVar

from ... import relay
from ..errors import Refused, Unsupported
from ..tensors import Array, Dim
from .node import data_type
from .value import Value

__all__ = ["Shape", "Signature"]

Shape: TypeAlias = Sequence[int | str | PrimExpr]


# What exporters write for a dimension that has no name; two of them are not equal.
UNNAMED = ("", "?", "-1", "None")


def name_of(dim: onnx.TensorShapeProto.Dimension, of_input: str, axis: int) -> str:
    """Return the name of a dimension that is not known."""
    return f"{of_input}_{axis}" if dim.dim_param in UNNAMED else dim.dim_param


class Signature:
    """The inputs of a graph, with a user's settings for them.

    Parameters
    ----------
    graph
        The graph.
    shapes
        Shapes of inputs by name, instead of those of the graph.
    constants
        Values of inputs by name.
    sizes
        Sizes of symbolic dimensions by name.

    Raises
    ------
    ValueError
        If the graph has no such input, or no input has such a dimension.
    """

    def __init__(
        self,
        graph: onnx.GraphProto,
        shapes: Mapping[str, Shape],
        constants: Mapping[str, Array],
        sizes: Mapping[str, int],
    ) -> None:
        initialized = {tensor.name for tensor in graph.initializer}
        self._inputs = [one for one in graph.input if one.name not in initialized]
        self._shapes = shapes
        self._constants = {name: np.asarray(value) for name, value in constants.items()}
        self._sizes = sizes
        self._symbols: dict[str, SizeVar] = {}
        for name in (*shapes, *constants):
            if name not in self.names:
                known = ", ".join(f"`{one}`" for one in self.names)
                raise ValueError(f"from_onnx: the model has no input `{name}`; it has {known}")
        self._check_sizes()

    @property
    def names(self) -> list[str]:
        """The names of the inputs."""
        return [one.name for one in self._inputs]

    def inputs(self, builder: Builder, problems: list[Unsupported]) -> Iterator[tuple[str, Value]]:
        """Yield the inputs; those that are not constants become parameters of the function."""
        for info in self._inputs:
            try:
                yield info.name, self._value(info, builder)
            except Refused as refused:
                problems.append(Unsupported(info.name, "input", str(refused)))

    def _value(self, info: onnx.ValueInfoProto, builder: Builder) -> Value:
        kind = info.type.WhichOneof("value")
        if kind != "tensor_type":
            raise Refused(f"type {str(kind).removesuffix('_type')}")
        dtype = data_type(info.type.tensor_type.elem_type)
        shape = self._shape(info)
        if info.name in self._constants:
            return Value(None, self._constant(info.name, dtype, shape))
        try:
            of_input = relay.Tensor(shape, dtype)
        except ValueError as error:  # It has more bytes than can be counted.
            raise Refused(str(error)) from None
        param = builder.param(info.name, of_input)
        return Value(param, None, frozenset({info.name}))

    def _shape(self, info: onnx.ValueInfoProto) -> list[Dim]:
        """Return the shape of an input; a size that is not positive is not known."""
        if info.name in self._shapes:
            return [self._dim(dim) for dim in self._shapes[info.name]]
        if not info.type.tensor_type.HasField("shape"):
            raise Refused("no shape: give it by `shapes`")
        return [
            int(dim.dim_value) if dim.dim_value > 0 else self._dim(name_of(dim, info.name, axis))
            for axis, dim in enumerate(info.type.tensor_type.shape.dim)
        ]

    def _dim(self, dim: int | str | PrimExpr) -> Dim:
        """Return a dimension; equal names are the same variable, or the size that a user gives."""
        if not isinstance(dim, str):
            return dim
        if dim in self._sizes:
            return self._sizes[dim]
        return self._symbols.setdefault(dim, SizeVar(dim))

    def _constant(self, name: str, dtype: str, shape: Sequence[Dim]) -> Array:
        """Return the value of an input that is a constant."""
        value = self._constants[name]
        if str(value.dtype) != dtype:
            raise ValueError(f"from_onnx: `{name}` must have data type {dtype}, got {value.dtype}")
        if len(shape) != value.ndim or not all(
            not isinstance(dim, int) or dim == size
            for dim, size in zip(shape, value.shape, strict=True)
        ):
            wanted = ", ".join(str(dim) for dim in shape)
            raise ValueError(f"from_onnx: `{name}` must have shape ({wanted}), got {value.shape}")
        return value

    def help_for(self, names: Collection[str]) -> str:
        """Return how a user gives sizes to symbolic dimensions; nothing if no input has them."""
        stated = {
            info.name: [str(dim) for dim in self._stated_shape(info)] for info in self._inputs
        }
        shapes = [(name, shape) for name, shape in stated.items() if not {*names}.isdisjoint(shape)]
        if not shapes:
            return ""
        listed = ", ".join(f"`{name}`" for name in names)
        options = " ".join(f"--shape {name}={','.join(shape)}" for name, shape in shapes)
        return f"give numbers for {listed}: `{options}`, or `shapes` of `from_onnx`"

    def _stated_shape(self, info: onnx.ValueInfoProto) -> Shape:
        """Return the shape of an input as the user or the graph states it."""
        if info.name in self._shapes:
            return self._shapes[info.name]
        return [
            dim.dim_value if dim.dim_value > 0 else name_of(dim, info.name, axis)
            for axis, dim in enumerate(info.type.tensor_type.shape.dim)
        ]

    def _check_sizes(self) -> None:
        """Reject sizes of dimensions that no input has."""
        names = {dim for shape in self._shapes.values() for dim in shape if isinstance(dim, str)}
        names |= {
            name_of(dim, one.name, axis)
            for one in self._inputs
            for axis, dim in enumerate(one.type.tensor_type.shape.dim)
            if dim.dim_value <= 0
        }
        for name in self._sizes:
            if name not in names:
                known = ", ".join(f"`{one}`" for one in sorted(names)) or "none"
                raise ValueError(f"from_onnx: no input has a dimension `{name}`; there are {known}")
