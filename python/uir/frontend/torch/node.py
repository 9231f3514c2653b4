"""One node of a graph, as the converters of operators see it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from uir_nodes.ir import RelayExpr

from ... import relay
from ..errors import Refused
from ..tensors import dtype_of, rank

__all__ = ["Converter", "Node", "Outputs", "data_type"]

Outputs: TypeAlias = RelayExpr | Sequence[RelayExpr | None]

DATA_TYPES = (
    *("bool", "float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8"),
    *("uint16", "uint32", "uint64"),
)


def data_type(dtype: Any) -> str:
    """Return the name of a data type of PyTorch.

    Raises
    ------
    Refused
        If `relay` does not have it.
    """
    name = str(dtype).removeprefix("torch.")
    if name not in DATA_TYPES:
        raise Refused(f"data type {name}")
    return name


class Node:
    """A call of an operator of ATen.

    Parameters
    ----------
    target
        The operator, with its schema.
    args, kwargs
        The arguments: expressions, numbers, sequences.
    result
        What describes the result, a tensor or several ones.
    bind
        Binds an expression that has several uses to a variable.
    """

    def __init__(
        self,
        target: Any,
        args: Sequence[Any],
        kwargs: Mapping[str, Any],
        result: Any,
        bind: Callable[[RelayExpr], RelayExpr],
    ) -> None:
        self.operator = str(target)
        self.bind = bind
        self._result = result
        names = [argument.name for argument in target._schema.arguments]
        self._values: dict[str, Any] = {
            argument.name: argument.default_value
            for argument in target._schema.arguments
            if argument.has_default_value()
        }
        self._values |= {**dict(zip(names, args, strict=False)), **kwargs}

    def get(self, name: str) -> Any:
        """Return an argument: an expression, a number, a sequence or None."""
        return self._values.get(name)

    def tensor(self, name: str = "self") -> RelayExpr:
        """Return an argument that is a tensor."""
        value = self._values.get(name)
        if not isinstance(value, RelayExpr):
            raise Refused(f"argument `{name}` must be a tensor")
        return value

    def optional(self, name: str) -> RelayExpr | None:
        """Return an argument that may be left out."""
        return None if self._values.get(name) is None else self.tensor(name)

    def tensors(self, name: str) -> list[RelayExpr]:
        """Return an argument that is a sequence of tensors."""
        return list(self._values[name])

    def axes(self, name: str = "dim") -> list[int] | None:
        """Return an argument that is an axis or axes; None for all."""
        value = self._values.get(name)
        if isinstance(value, int):
            return [value]
        return list(value) if value else None

    @property
    def dtype(self) -> str:
        """The data type of the result."""
        return data_type(self._result.dtype)

    def converted(self, name: str, dtype: str | None = None) -> RelayExpr:
        """Return a tensor or a number in a data type; by default that of the result."""
        wanted, value = dtype or self.dtype, self._values[name]
        if not isinstance(value, RelayExpr):
            return relay.const(np.array(value).astype(wanted))
        return value if dtype_of(value) == wanted else relay.cast(value, wanted)

    def common(self, names: Sequence[str]) -> list[RelayExpr]:
        """Return operands in the data type that PyTorch compares them in.

        A number or a tensor of rank 0 does not widen a tensor of its own kind.
        """
        values = [self._values[name] for name in names]
        tensors = [value for value in values if isinstance(value, RelayExpr)]
        shaped = [value for value in tensors if rank(value)] or tensors
        types: list[Any] = [np.dtype(dtype_of(value)) for value in shaped]
        floats = [value for value in values if isinstance(value, float)]
        if floats and all(one.kind in "iub" for one in types):
            types.append(np.dtype("float32"))
        wanted = str(np.result_type(*types))
        return [self.converted(name, wanted) for name in names]


Converter: TypeAlias = Callable[[Node], Outputs]
