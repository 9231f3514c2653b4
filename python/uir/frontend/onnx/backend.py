"""ONNX's interface of backends, `onnx.backend.base`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any, NamedTuple

import numpy as np
import onnx
import tvm_ffi
from onnx.backend.base import Backend as OnnxBackend
from onnx.backend.base import BackendRep, Device, DeviceType

from ...driver import build
from ...runtime import as_array, as_tensor
from ..tensors import Array
from .errors import UnknownElementsError
from .importer import from_onnx
from .model import read_model
from .sequences import grouped

__all__ = ["Backend", "PreparedModel"]


class Compiled(NamedTuple):
    """A compiled model: its function, the names of outputs, and whether it draws numbers."""

    function: Any
    outputs: list[str]
    is_random: bool


class PreparedModel(BackendRep):
    """A model that is compiled when it runs.

    Inputs whose elements decide shapes are constants of the compiled program, which is kept by
    their values. Random numbers of the first run have the state (0, 0), those of the next one the
    state (1, 0), and so on.

    Parameters
    ----------
    model
        The model.
    """

    def __init__(self, model: onnx.ModelProto) -> None:
        self._model = model
        initialized = {tensor.name for tensor in model.graph.initializer}
        self._names = [one.name for one in model.graph.input if one.name not in initialized]
        self._frozen: set[str] = set()
        self._functions: dict[Any, Compiled] = {}
        self._runs = count()
        try:
            from_onnx(model)
        except UnknownElementsError as error:
            self._frozen |= set(error.inputs)

    def run(self, inputs: Any, **kwargs: Any) -> tuple[Any, ...]:
        """Return the outputs for inputs in the order of the graph, or by their names.

        An output is an array, or a list of arrays for a sequence.

        Raises
        ------
        ValueError
            If there is not one value for each input, or one has another shape.
        TypeError
            If one has another data type.
        UnsupportedModelError
            If nodes are not supported.
        """
        values = inputs if isinstance(inputs, Mapping) else self._by_name(inputs)
        arrays = {name: np.asarray(values[name]) for name in self._names}
        while True:
            try:
                compiled = self._function(arrays)
                break
            except UnknownElementsError as error:
                self._frozen |= set(error.inputs)
        args = [
            as_tensor(np.require(array, requirements=["C", "W"]))
            for name, array in arrays.items()
            if name not in self._frozen
        ]
        if compiled.is_random:
            args.append(as_tensor(np.array([next(self._runs), 0], np.uint32)))
        result = compiled.function(*args)
        tensors = [result] if isinstance(result, tvm_ffi.Tensor) else list(result)
        outputs = [output.name for output in self._model.graph.output]
        return tuple(grouped(compiled.outputs, list(map(as_array, tensors)), outputs))

    def _by_name(self, inputs: Sequence[object]) -> dict[str, Any]:
        if len(inputs) != len(self._names):
            raise ValueError(f"run: expected {len(self._names)} inputs, got {len(inputs)}")
        return dict(zip(self._names, inputs, strict=True))

    def _function(self, arrays: Mapping[str, Array]) -> Compiled:
        """Return the compiled model for these constants."""
        constants = {name: arrays[name] for name in sorted(self._frozen)}
        key = tuple((name, one.shape, one.tobytes()) for name, one in constants.items())
        if key not in self._functions:
            module = from_onnx(self._model, constants=constants)
            main = module["main"]
            inputs, outputs = (
                [str(name) for name in main.get_attr(kind)]
                for kind in ("input_names", "output_names")
            )
            is_random = not arrays.keys() >= {*inputs}
            self._functions[key] = Compiled(build(module)["main"], outputs, is_random)
        return self._functions[key]


class Backend(OnnxBackend):
    """Runs models of ONNX as compiled code of this machine."""

    @classmethod
    def prepare(cls, model: Any, device: str = "CPU", **kwargs: Any) -> PreparedModel:
        """Check a model, and return what runs it.

        Parameters
        ----------
        model
            A model, its bytes, or the path of its file.
        device
            `CPU`.
        kwargs
            Not used; part of the interface.

        Returns
        -------
        PreparedModel
            What runs the model.

        Raises
        ------
        ValueError
            If the model is malformed, or the device is not supported.
        UnsupportedModelError
            If nodes are not supported; the error has all of them.
        """
        if not cls.supports_device(device):
            raise ValueError(f"prepare: the device must be `CPU`, got `{device}`")
        return PreparedModel(read_model(model))

    @classmethod
    def supports_device(cls, device: str) -> bool:
        """Return whether models run on a device: on `CPU`."""
        return bool(Device(device).type == DeviceType.CPU)
