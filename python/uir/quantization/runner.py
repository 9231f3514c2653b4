"""Runs models compiled by uir, with values between their nodes as results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import onnx

from ..driver import build
from ..frontend.onnx import from_onnx
from ..frontend.tensors import Array
from ..runtime import as_array, named_function
from .calls import Call

__all__ = ["Runner"]


class Runner:
    """A compiled model whose results are values between its nodes.

    Parameters
    ----------
    model
        The model.
    values
        The names of results of nodes, of float32; inputs of the model may be among them.
    calls
        The inputs of each call.

    Raises
    ------
    UnsupportedModelError
        If uir does not support a node.
    """

    def __init__(
        self, model: onnx.ModelProto, values: Sequence[str], calls: Sequence[Call]
    ) -> None:
        wanted = [name for name in dict.fromkeys(values) if name not in calls[0]]
        module = from_onnx(with_outputs(model, wanted), shapes_of(calls))
        self._function = named_function(build(module))
        self.calls = calls

    def __call__(self) -> Iterator[dict[str, Array]]:
        """Yield the inputs and the values of each call by name.

        Raises
        ------
        ValueError
            If sizes of a call do not fit each other.
        """
        inputs = [one.name for one in self._function.inputs]
        for call in self.calls:
            found = self._function(**{name: call[name] for name in inputs})
            yield {**call, **{name: as_array(one) for name, one in found.items()}}


def shapes_of(calls: Sequence[Call]) -> dict[str, tuple[int, ...]]:
    """Return the shapes of the inputs that have the same one in all calls."""
    shapes = {name: {call[name].shape for call in calls} for name in calls[0]}
    return {name: next(iter(found)) for name, found in shapes.items() if len(found) == 1}


def with_outputs(model: onnx.ModelProto, values: Sequence[str]) -> onnx.ModelProto:
    """Return a model whose results are values of float32."""
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    del copy.graph.output[:]
    copy.graph.output.extend(
        onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, None) for name in values
    )
    return copy
