"""Complex tensors as pairs of real ones, while a program is imported."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from uir_nodes.ir import RelayExpr

__all__ = ["Complex", "flat", "is_complex", "of_parts", "replaced", "touches_complex"]


@dataclass(frozen=True)
class Complex:
    """The real and the imaginary parts of a complex tensor: tensors of one shape."""

    real: RelayExpr
    imaginary: RelayExpr


@dataclass(frozen=True)
class Described:
    """The shape and the data type of one part, as a program describes them."""

    shape: Any
    dtype: Any


def of_parts(described: Any) -> Any:
    """Return the description of either part of a complex tensor, or of those of several tensors."""
    if isinstance(described, (list, tuple)):
        return [of_parts(one) for one in described]
    return Described(described.shape, described.dtype.to_real())


def is_complex(described: Any) -> bool:
    """Return whether a tensor, as a program describes it, is complex."""
    return bool(getattr(getattr(described, "dtype", None), "is_complex", False))


def touches_complex(node: Any) -> bool:
    """Return whether an operand or a result of a node of a program is complex."""
    return any(
        is_complex(value)
        for one in (node, *node.all_input_nodes)
        for value in flat(one.meta.get("val"))
    )


def flat(value: Any) -> Iterator[Any]:
    """Yield the values of a description."""
    if isinstance(value, (list, tuple)):
        for one in value:
            yield from flat(one)
    else:
        yield value


def replaced(value: Any, part: Callable[[Complex], RelayExpr]) -> Any:
    """Return an argument with a part of each complex tensor in it."""
    if isinstance(value, (list, tuple)):
        return [replaced(one, part) for one in value]
    return part(value) if isinstance(value, Complex) else value
