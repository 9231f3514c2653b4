"""One node of a graph, as the converters of operators see it."""

from __future__ import annotations

import copy
import importlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from uir_nodes.ir import PrimExpr, RelayExpr
from uir_nodes.tir import SizeVar

from ... import relay
from ..errors import Refused
from ..tensors import dims, dtype_of, number, rank, size_tensor
from .complex_pairs import Complex, flat, is_complex, of_parts, replaced

__all__ = ["Converter", "Node", "Outputs", "check_type", "data_type"]

Outputs: TypeAlias = RelayExpr | Complex | Sequence[RelayExpr | Complex | None]

DATA_TYPES = (
    *("bool", "bfloat16", "float16", "float32", "float64", "int8", "int16", "int32", "int64"),
    *("uint8", "uint16", "uint32", "uint64"),
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


def description(source: Any) -> Any:
    """Return the value that a node of a program has when shapes are propagated, or a constant."""
    return source.meta["val"] if hasattr(source, "meta") else source


def check_type(result: RelayExpr, described: Any) -> None:
    """Compare the type of a result with its description in the program.

    Raises
    ------
    Refused
        If the data type, the rank or a constant dimension differs.
    """
    found, wanted = dims(result), list(described.shape)
    is_same = len(found) == len(wanted) and all(
        a == b
        for a, b in zip(found, wanted, strict=True)
        if isinstance(a, int) and isinstance(b, int)
    )
    if not is_same or dtype_of(result) != data_type(described.dtype):
        raise Refused(
            f"a result of shape {wanted} and data type {described.dtype}, "
            f"which would be of shape {found} and {dtype_of(result)}"
        )


class Node:
    """A call of an operator of ATen.

    Parameters
    ----------
    call
        The node of the program: its target has the schema of the operator.
    args, kwargs
        The arguments: expressions, numbers, sequences.
    bind
        Binds an expression that has several uses to a variable.
    """

    def __init__(
        self,
        call: Any,
        args: Sequence[Any],
        kwargs: Mapping[str, Any],
        bind: Callable[[RelayExpr], RelayExpr],
    ) -> None:
        self.operator = str(call.target)
        self.bind = bind
        #: The variables of sizes that depend on elements.
        self.found: list[SizeVar] = []
        self._result = call.meta.get("val")
        arguments = call.target._schema.arguments
        names = [argument.name for argument in arguments]
        self._values: dict[str, Any] = {
            argument.name: argument.default_value
            for argument in arguments
            if argument.has_default_value()
        }
        self._values |= {**dict(zip(names, args, strict=False)), **kwargs}
        self._sources = {**dict(zip(names, call.args, strict=False)), **call.kwargs}

    def get(self, name: str) -> Any:
        """Return an argument: an expression, a number, a sequence or None."""
        return self._values.get(name)

    def tensor(self, name: str = "self") -> RelayExpr:
        """Return an argument that is a tensor."""
        value = self._values.get(name)
        if not isinstance(value, RelayExpr):
            raise Refused(f"argument `{name}` must be a tensor")
        return value

    def complex(self, name: str = "self") -> Complex:
        """Return an argument that is a complex tensor."""
        value = self._values.get(name)
        if not isinstance(value, Complex):
            raise Refused(f"argument `{name}` must be a complex tensor")
        return value

    def part(self, part: Callable[[Complex], RelayExpr]) -> Node:
        """Return the node with a part of each complex operand, and of its complex results."""
        found = copy.copy(self)
        found._values = {name: replaced(value, part) for name, value in self._values.items()}
        found._result = of_parts(self._result)
        return found

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

    def described(self, name: str) -> Any:
        """Return an argument as the program describes it.

        Of a tensor this has the shape and the strides; sizes are integers or `torch.SymInt`.
        """
        source = self._sources.get(name, self._values.get(name))
        if isinstance(source, (list, tuple)):
            return [description(one) for one in source]
        return description(source)

    def is_negative(self, name: str) -> bool:
        """Return whether a size is negative.

        Raises
        ------
        Refused
            If it may be, or may not.
        """
        size = self.described(name)
        if isinstance(size, int):
            return size < 0
        known = importlib.import_module("torch.fx.experimental.symbolic_shapes")
        for negative, condition in ((True, size < 0), (False, size >= 0)):
            if known.statically_known_true(condition):
                return negative
        raise Refused(f"`{name}` is `{size}`, whose sign is unknown")

    @property
    def is_complex(self) -> bool:
        """Whether the result is complex."""
        return is_complex(self._result)

    @property
    def dtypes(self) -> list[str]:
        """The data types of several results."""
        return [data_type(one.dtype) for one in self._result]

    @property
    def dtype(self) -> str:
        """The data type of the result."""
        return data_type(self._result.dtype)

    def found_size(self) -> SizeVar:
        """Return a new variable for the size of results that depends on elements."""
        sizes = (size for one in flat(self._result) for size in getattr(one, "shape", ()))
        # PyTorch's symbols of such sizes begin so.
        names = (name for name in map(str, sizes) if name.startswith("u"))
        self.found.append(SizeVar(next(names, "found")))
        return self.found[-1]

    def converted(self, name: str, dtype: str | None = None) -> RelayExpr:
        """Return a tensor or a number in a data type; by default that of the result."""
        wanted, value = dtype or self.dtype, self._values[name]
        if isinstance(value, PrimExpr):
            return size_tensor(value, wanted)
        if not isinstance(value, RelayExpr):
            return number(value, wanted)
        return value if dtype_of(value) == wanted else relay.cast(value, wanted)

    def common(self, *names: str) -> list[RelayExpr]:
        """Return two operands in the data type that PyTorch compares them in.

        A number or a tensor of rank 0 does not widen a tensor of its own kind.
        """
        torch = importlib.import_module("torch")
        wanted = data_type(torch.result_type(*(self._like(self._values[name]) for name in names)))
        return [self.converted(name, wanted) for name in names]

    @staticmethod
    def _like(value: object) -> Any:
        """Return a tensor without memory for a tensor: its rank and its data type count."""
        if isinstance(value, PrimExpr):
            return 0
        if not isinstance(value, RelayExpr):
            return value
        torch = importlib.import_module("torch")
        dtype = getattr(torch, dtype_of(value))
        return torch.empty([1] * rank(value), dtype=dtype, device="meta")


Converter: TypeAlias = Callable[[Node], Outputs]
