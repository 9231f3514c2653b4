"""What one row of `operators.py` calls, on both sides, and the sizes of its operands."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

__all__ = ["IMAGE", "PLANE", "Case", "Operand", "Sizes", "elementwise"]

Sizes = Mapping[str, Sequence[int]]
"""The extents of each named dimension: for a thousand, a hundred thousand, 4 million elements."""

PLANE: Sizes = {"n": (32, 250, 2000), "m": (32, 400, 2000)}
IMAGE: Sizes = {"b": (1, 1, 4), "c": (8, 32, 64), "h": (12, 56, 128), "w": (12, 56, 128)}


@dataclass(frozen=True)
class Operand:
    """
    A tensor that both sides read.

    Attributes
    ----------
    shape
        Names of dimensions, or extents, separated by blanks; "" for a scalar.
    dtype
        Its data type; "" for that of the row.
    low, high
        What its elements are from and below; `high` is an extent, or the name of a dimension.
    """

    shape: str
    dtype: str = ""
    low: float = -2.0
    high: float | str = 2.0


@dataclass(frozen=True)
class Case:
    """
    A call of an operator.

    Attributes
    ----------
    operator
        The name in relay.
    ours
        The arguments in script: operands by name, and dimensions by name in braces.
    operands
        The operands by name.
    torch
        The call in PyTorch, of `torch` and `F`, with dimensions as in `ours`; "" if it has none.
    numpy
        The call in NumPy, of `np`; "" if it has none.
    sizes
        The extents of dimensions.
    other
        The data type of the second row, beside float32; "" for none.
    form
        Tells rows of one operator apart.
    fixed
        Dimensions that are fixed where the others are symbolic.
    """

    operator: str
    ours: str
    operands: Mapping[str, Operand]
    torch: str = ""
    numpy: str = ""
    sizes: Sizes = field(default_factory=lambda: PLANE)
    other: str = "float64"
    form: str = ""
    fixed: str = ""

    @property
    def name(self) -> str:
        return f"{self.operator}.{self.form}" if self.form else self.operator

    def dtypes(self) -> tuple[str, ...]:
        """Return the data types of its rows."""
        if not any(operand.dtype == "" for operand in self.operands.values()):
            return ("",)
        return ("float32", self.other) if self.other else ("float32",)

    def extents(self, size: int) -> dict[str, int]:
        """Return the extents of the dimensions at a size: 0, 1 or 2."""
        return {name: extents[size] for name, extents in self.sizes.items()}

    def shape(self, operand: Operand, extents: Mapping[str, int]) -> tuple[int, ...]:
        """Return the shape of an operand at given extents."""
        return tuple(extents.get(dim, 0) or int(dim) for dim in operand.shape.split())

    def script(self, function: str, dtype: str, extents: Mapping[str, int]) -> str:
        """Return the function in script; dimensions without extents are symbolic."""
        params = []
        for name, operand in self.operands.items():
            dims = [str(extents.get(dim, dim)) for dim in operand.shape.split()]
            shape = "(" + "".join(f"{dim}, " for dim in dims) + ")"
            params.append(f'{name}: relay.Tensor({shape}, "{operand.dtype or dtype}")')
        call = self.ours.format_map({name: extents.get(name, name) for name in self.sizes})
        used = {dim for operand in self.operands.values() for dim in operand.shape.split()}
        sizes = "".join(
            f'        {name} = tir.SizeVar("{name}", "int64")\n'
            for name in self.sizes
            if name in used and name not in extents
        )
        return f"""
    @relay.function
    def {function}({", ".join(params)}):
{sizes}        return relay.{self.operator}({call})
"""


def elementwise(
    operator: str,
    torch: str = "",
    numpy: str = "",
    *,
    low: float = -2.0,
    high: float = 2.0,
    other: str = "float64",
    form: str = "",
    dtype: str = "",
    arguments: str = "",
) -> Case:
    """Return a case of an operator on one tensor `x`, or on `x` and `y` if the peer reads `y`."""
    names = ["x", *(["y"] if re.search(r"\by\b", torch) else [])]
    operands = {name: Operand("n m", dtype, low, high) for name in names}
    ours = ", ".join([*names, *([arguments] if arguments else [])])
    return Case(operator, ours, operands, torch, numpy, other=other, form=form)
