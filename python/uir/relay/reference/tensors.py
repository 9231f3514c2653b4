"""What all references share: the type of tensors, checks of data types and axes.

In: arrays and attributes; out: the same, checked.  It must not know any operator.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, TypeAlias

import numpy as np

__all__ = [
    "Array",
    "check",
    "check_one_of",
    "check_same",
    "kind_of",
    "normalize_axes",
    "normalize_axis",
    "tensor",
    "wide",
]

# An operator takes tensors of any data type; `check` says which.
Array: TypeAlias = np.ndarray[tuple[int, ...], np.dtype[Any]]

# The kinds of numpy's data types that a class of data types consists of.
KINDS = {"float": "f", "int": "iu", "number": "fiu", "bool": "b", "any": "fiub"}


def kind_of(x: Array) -> str:
    """Return the kind of a data type as NumPy has it: `f` for bfloat16 too, which is `V` there."""
    return "f" if x.dtype.name == "bfloat16" else x.dtype.kind


def check(dtypes: str, **operands: Array | None) -> None:
    """Check that operands have the same data type, of a class.

    Parameters
    ----------
    dtypes
        The class: `float`, `int`, `number`, `bool` or `any`.
    operands
        The operands by name; None is one that was left out.

    Raises
    ------
    TypeError
        If the data type of an operand is not in the class, or differs from that of the first.
    """
    given = {name: operand for name, operand in operands.items() if operand is not None}
    for name, operand in given.items():
        if kind_of(operand) not in KINDS[dtypes]:
            raise TypeError(f"`{name}` has data type {operand.dtype}, expected {dtypes}")
    check_same(**given)


def check_same(**operands: Array) -> None:
    """Check that operands have the same data type: references do not promote.

    Raises
    ------
    TypeError
        If the data type of an operand differs from that of the first.
    """
    first = next(iter(operands))
    for name, operand in operands.items():
        if operand.dtype != operands[first].dtype:
            raise TypeError(
                f"`{name}` has data type {operand.dtype}, "
                f"expected {operands[first].dtype}, that of `{first}`"
            )


def check_one_of(name: str, value: str, choices: Collection[str]) -> None:
    """Check that an attribute is one of its choices.

    Raises
    ------
    ValueError
        If it is not.
    """
    if value not in choices:
        expected = ", ".join(f"`{choice}`" for choice in choices)
        raise ValueError(f"`{name}` is `{value}`, expected one of {expected}")


def normalize_axis(axis: int, rank: int) -> int:
    """Return an axis counted from the front.

    Raises
    ------
    ValueError
        If `axis` is not between `-rank` and `rank - 1`.
    """
    if not -rank <= axis < rank:
        raise ValueError(f"axis {axis} is out of range for rank {rank}")
    return axis % rank


def normalize_axes(axes: Sequence[int] | None, rank: int) -> tuple[int, ...]:
    """Return axes counted from the front, in the order given; None means all.

    Raises
    ------
    ValueError
        If an axis is out of range or given twice.
    """
    if axes is None:
        return tuple(range(rank))
    normalized = tuple(normalize_axis(axis, rank) for axis in axes)
    if len(set(normalized)) != len(normalized):
        raise ValueError(f"axes {list(axes)} name an axis twice")
    return normalized


def tensor(value: object, like: Array) -> Array:
    """Return a result as an array of the data type of an operand."""
    return np.asarray(value).astype(like.dtype, copy=False)


def wide(x: Array) -> Array:
    """Return `x` in the data type in which sums are made: float32 for float16 and bfloat16."""
    return x.astype(np.float32) if x.dtype.name in ("float16", "bfloat16") else x
