"""Compiled functions whose inputs and results have names."""

from __future__ import annotations

from typing import Any, NamedTuple

import tvm_ffi
from tvm_ffi import Module

from .arrays import as_tensor

__all__ = ["NamedFunction", "TensorInfo", "named_function", "tensor_infos"]


class TensorInfo(NamedTuple):
    """An input or a result of a compiled function.

    Attributes
    ----------
    name
        Its name: that of the model, else that of the parameter.
    dtype
        The data type, such as `float32`.
    shape
        The dimensions: numbers, and expressions of symbolic sizes as text. None for a number.
    """

    name: str
    dtype: str
    shape: tuple[int | str, ...] | None = None

    def __str__(self) -> str:
        """Return the text of error messages: `x`: float32 (n, 4)."""
        text = f"`{self.name}`: {self.dtype}"
        return text if self.shape is None else f"{text} ({', '.join(map(str, self.shape))})"


class NamedFunction:
    """A function of a module that takes its inputs in order or by name.

    Attributes
    ----------
    inputs
        The inputs, in order.
    outputs
        The results, in order.

    See Also
    --------
    named_function
    """

    def __init__(
        self,
        function: tvm_ffi.Function,
        name: str,
        inputs: tuple[TensorInfo, ...],
        outputs: tuple[TensorInfo, ...],
    ) -> None:
        self._function = function
        self._name = name
        self.inputs = inputs
        self.outputs = outputs

    def __repr__(self) -> str:
        """Return the signature."""
        sides = (", ".join(map(str, side)) for side in (self.inputs, self.outputs))
        return f"{self._name}({next(sides)}) -> ({next(sides)})"

    def __call__(self, *args: object, **named: object) -> dict[str, tvm_ffi.Tensor]:
        """Call the function.

        Parameters
        ----------
        args
            The first inputs: tensors, arrays of NumPy, or numbers.
        named
            The other inputs by name; `**{"input.1": x}` for a name that is not an identifier.

        Returns
        -------
        results
            The results by name, in order.

        Raises
        ------
        TypeError
            If an input is missing, unknown or given twice, or has another data type.
        ValueError
            If an input has another shape.
        """
        result = self._function(*map(_argument, self._in_order(args, named)))
        results = [result] if len(self.outputs) == 1 else list(result or [])
        return {info.name: one for info, one in zip(self.outputs, results, strict=True)}

    def _in_order(self, args: tuple[object, ...], named: dict[str, object]) -> list[object]:
        names = [info.name for info in self.inputs]
        if len(args) > len(names):
            raise TypeError(f"{self} takes {len(names)} inputs, got {len(args)}")
        for name in named:
            if name not in names:
                raise TypeError(f"{self} has no input `{name}`")
            if name in names[: len(args)]:
                raise TypeError(f"input `{name}` of {self} is given twice")
        missing = [name for name in names[len(args) :] if name not in named]
        if missing:
            raise TypeError(f"input `{missing[0]}` of {self} is missing")
        return [*args, *(named[name] for name in names[len(args) :])]


def _argument(value: object) -> object:
    return as_tensor(value) if hasattr(value, "__dlpack__") else value


def named_function(module: Module, name: str = "main") -> NamedFunction:
    """Return a function of a compiled module, to be called with inputs by name.

    The module carries names, data types and shapes: tvm-ffi reads them in any language, by
    `module.get_function_metadata(name)`.

    Parameters
    ----------
    module
        A module of `build` or `load_module`.
    name
        The name of the function.

    Returns
    -------
    function
        The function. Its results are in a dictionary.

    Raises
    ------
    ValueError
        If the module has no such function, or no metadata of it: releases before this one compiled
        libraries without it.

    Examples
    --------
    >>> run = named_function(uir.build(from_onnx("model.onnx")))
    >>> run(tokens=tokens, mask=mask)["logits"]
    """
    if not module.implements_function(name):
        raise ValueError(f"the module has no function `{name}`")
    metadata = module.get_function_metadata(name)
    if metadata is None or "inputs" not in metadata:
        raise ValueError(f"the module does not say which inputs `{name}` has")
    inputs, outputs = (tensor_infos(metadata[side]) for side in ("inputs", "outputs"))
    return NamedFunction(module[name], name, inputs, outputs)


def tensor_infos(described: list[dict[str, Any]]) -> tuple[TensorInfo, ...]:
    """Return the inputs or the results that the metadata of a function describes."""
    shapes = [one.get("shape") for one in described]
    return tuple(
        TensorInfo(one["name"], one["dtype"], None if shape is None else tuple(shape))
        for one, shape in zip(described, shapes, strict=True)
    )
