"""Contractions and what follows them, element by element, made by te."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from uir import te, tir

from .nests import LAYOUTS

__all__ = ["STEPS", "Followed"]

STEPS = ("scale", "row", "column", "residual", "relu", "tanh", "square", "cast")


@dataclass(frozen=True)
class Followed:
    """
    A contraction of a layout, and stages behind it that read the last result.

    Attributes
    ----------
    layout
        One of `LAYOUTS`.
    extents
        The extents by letters; numbers or variables.
    steps
        The stages, of `STEPS`. `row` adds a vector along the last dimension, `column` one along
        the first, `residual` a tensor of the same shape, `square` needs a value twice, and `cast`
        makes float64 of float32.
    """

    layout: str
    extents: dict[str, Any]
    steps: Sequence[str]

    @staticmethod
    def random(random: Random, layout: str, extents: dict[str, Any]) -> Followed:
        """Return one with random steps."""
        return Followed(layout, extents, random.choices(STEPS, k=random.randint(1, 4)))

    def function(self, name: str = "main") -> tir.PrimFunc:
        """Return the function of the operands, of what the steps add, and of the result."""
        inputs, output = LAYOUTS[self.layout].split("->")
        left, right = (
            te.placeholder([self.extents[letter] for letter in operand], "float32", name)
            for name, operand in zip("xy", inputs.split(","), strict=True)
        )
        summed = sorted({*inputs} - {*output, ","})
        axes = {letter: te.reduce_axis((0, self.extents[letter]), name=letter) for letter in summed}

        def element(*indices: Any) -> Any:
            place = {**dict(zip(output, indices, strict=True)), **axes}
            factors = [
                tensor[tuple(place[letter] for letter in operand)]
                for tensor, operand in zip((left, right), inputs.split(","), strict=True)
            ]
            return te.sum(factors[0] * factors[1], axis=[*axes.values()])

        shape = [self.extents[letter] for letter in output]
        value = te.compute(shape, element, name="sum")
        args = [left, right]
        for number, step in enumerate(self.steps):
            value = self._step(step, value, f"s{number}", args)
        return te.create_prim_func([*args, value], name)

    def _step(self, step: str, value: te.Tensor, name: str, args: list[te.Tensor]) -> te.Tensor:
        shape, dtype = value.shape, str(value.dtype)
        added = {"row": shape[-1:], "column": shape[:1], "residual": shape}.get(step)
        if added is not None:
            args.append(te.placeholder(added, dtype, f"{step}_{name}"))
        operand = args[-1]

        def element(*at: Any) -> Any:
            one = value[at]
            if step == "scale":
                return one * tir.const(0.5, dtype) + tir.const(1.25, dtype)
            if step == "relu":
                return tir.max(one, tir.const(0.0, dtype))
            if step == "tanh":
                return tir.tanh(one)
            if step == "square":
                return one * one + one
            if step == "cast":
                return one.astype("float64")
            place = {"row": at[-1:], "column": at[:1], "residual": at}[step]
            return tir.max(one + operand[place], operand[place] * tir.const(0.25, dtype))

        return te.compute(shape, element, name=name)
