"""Random functions of rows, made by te: reductions, and nests beside them."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np

from uir import te, tir

from .nests import EXTENTS, Array

__all__ = ["REDUCTIONS", "Reduction", "operand", "random_reduction", "row_program"]

ALL = te.comm_reducer(tir.logical_and, lambda dtype: tir.const(1, dtype), "all")
ANY = te.comm_reducer(tir.logical_or, lambda dtype: tir.const(0, dtype), "any")

REDUCTIONS = {
    "sum": (te.sum, ("float16", "float32", "float64", "int8", "int32", "uint8", "int64")),
    "prod": (te.prod, ("float32", "int32")),
    "max": (te.max, ("float16", "float32", "float64", "int8", "int64", "uint16")),
    "min": (te.min, ("float32", "float64", "int16", "uint32")),
    "all": (ALL, ("bool",)),
    "any": (ANY, ("bool",)),
}
"""Each reduction and the data types that it is tested with."""


@dataclass
class Reduction:
    """A reduction of a tensor over some of its axes."""

    name: str
    dtype: str
    values: list[int]
    axes: list[int]
    func: tir.PrimFunc

    def __str__(self) -> str:
        return f"{self.name} {self.dtype} {self.values} {self.axes}"

    def result_shape(self) -> list[int]:
        """Return the extents of the result."""
        return [value for axis, value in enumerate(self.values) if axis not in self.axes]


def random_reduction(random: Random, name: str = "main") -> Reduction:
    """Return a reduction with extents of numbers and of variables."""
    kind = random.choice([*REDUCTIONS])
    reduce, dtypes = REDUCTIONS[kind]
    dtype = random.choice(dtypes)
    values = [random.choice(EXTENTS) for _ in range(random.randint(1, 3))]
    axes = sorted(random.sample(range(len(values)), random.randint(1, len(values))))
    shape: list[Any] = [
        tir.SizeVar(f"n{i}") if random.random() < 0.3 else value for i, value in enumerate(values)
    ]
    x = te.placeholder(shape, dtype, "x")
    reduced = {axis: te.reduce_axis((0, shape[axis]), f"k{axis}") for axis in axes}

    def element(*at: Any) -> Any:
        rest = iter(at)
        place = [reduced[i].var if i in reduced else next(rest) for i in range(len(values))]
        return reduce(x[tuple(place)], axis=[*reduced.values()])

    kept = [extent for axis, extent in enumerate(shape) if axis not in axes]
    func = te.create_prim_func([x, te.compute(kept, element, "y")], name)
    return Reduction(kind, dtype, values, axes, func)


def operand(random: Random, shape: list[int], dtype: str) -> Array:
    """Return small integers, whose sums are exact in any order; products of few of them too."""
    numbers = np.random.default_rng(random.getrandbits(32))
    if dtype == "bool":
        return numbers.random(shape) < random.choice([0.02, 0.98])
    low = 0 if dtype[0] == "u" else -1
    return np.asarray(numbers.integers(low, 3, shape)).astype(dtype)


def row_program(random: Random, rows: Any, columns: Any, name: str = "main") -> tir.PrimFunc:
    """
    Return a function of a matrix and a row that computes several matrices and columns in turn.

    Each reads what was computed before: the element, the number of its row, or, rarely, an element
    of another row.
    """
    x, scale = (
        te.placeholder((rows, columns), "int32", "x"),
        te.placeholder((columns,), "int32", "scale"),
    )
    matrices, per_row = [x], []
    for step in range(random.randint(2, 6)):
        kind = random.choice(
            ["elements", "elements", "reduce", "reduce", "reduce", "number", "mixed"]
        )
        source = random.choice(matrices)
        if kind == "reduce":
            per_row.append(_reduced(random, source, rows, columns, step))
        elif kind == "number" and per_row:
            before, keeps = random.choice(per_row)
            shape = (rows, 1) if keeps else (rows,)
            per_row.append(
                (te.compute(shape, lambda *i, t=before: t[i] * 3 - 1, f"number{step}"), keeps)
            )
        elif kind == "mixed" and random.random() < 0.3:
            # Another row, which nothing of the same loop may compute.
            made = te.compute(
                (rows, columns), lambda i, j, t=source: t[rows - 1 - i, j] + 1, f"m{step}"
            )
            matrices.append(made)
        else:
            matrices.append(_elements(random, source, per_row, scale, (rows, columns), step))
    outputs = [matrices[-1]] if len(matrices) > 1 else []
    outputs += [tensor for tensor, _ in per_row if random.random() < 0.3]
    if not outputs:
        outputs = [te.compute((rows, columns), lambda i, j: x[i, j] + 1, "y")]
    unique = [
        one for i, one in enumerate(outputs) if all(not one.same_as(other) for other in outputs[:i])
    ]
    return te.create_prim_func([x, scale, *unique], name)


def _reduced(
    random: Random, source: te.Tensor, rows: Any, columns: Any, step: int
) -> tuple[te.Tensor, bool]:
    reduce = random.choice([te.sum, te.max, te.min])
    k = te.reduce_axis((0, columns), "k")
    if random.random() < 0.5:
        return te.compute(
            (rows, 1), lambda i, _: reduce(source[i, k], axis=[k]), f"kept{step}"
        ), True
    square = random.random() < 0.5

    def element(i: Any) -> Any:
        return reduce(source[i, k] * source[i, k] if square else source[i, k], axis=[k])

    return te.compute((rows,), element, f"reduced{step}"), False


def _elements(
    random: Random,
    source: te.Tensor,
    per_row: list[tuple[te.Tensor, bool]],
    scale: te.Tensor,
    shape: Any,
    step: int,
) -> te.Tensor:
    if not per_row:
        return te.compute(shape, lambda i, j: source[i, j] * scale[j], f"m{step}")
    tensor, keeps = random.choice(per_row)

    def element(i: Any, j: Any) -> Any:
        number = tensor[i, 0] if keeps else tensor[i]
        return source[i, j] - number

    return te.compute(shape, element, f"m{step}")
