"""Loop nests that recipes schedule, made by te, over extents that are numbers or variables."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np

from uir import schedule, te, tir
from uir.ir import GlobalVar, IRModule, Op

__all__ = [
    "EXTENTS",
    "LAYOUTS",
    "Array",
    "arrays",
    "contraction",
    "module_of",
    "rounded_twice",
    "scheduled",
]

Array = np.ndarray[Any, Any]
EXTENTS = (0, 1, 2, 3, 4, 5, 7, 8, 9, 12, 13, 16, 17, 24, 29, 33)

# The shapes of the operands and the result of each layout, over the letters of `einsum`.
LAYOUTS = {
    "plain": "mk,kn->mn",
    "right transposed": "mk,nk->mn",
    "left transposed": "km,kn->mn",
    "swapped": "kn,mk->mn",
    "batches": "bmk,bkn->bmn",
    "shared weights": "bmk,kn->bmn",
    "two sums": "mkl,kln->mn",
    "vector": "k,kn->n",
    "matrix and vector": "mk,k->m",
    "heads": "bkhm,bnhm->bhkn",
}


def contraction(
    layout: str, extents: dict[str, Any], dtype: str = "float32", name: str = "main"
) -> tir.PrimFunc:
    """Return a function of two operands and their contraction."""
    inputs, output = LAYOUTS[layout].split("->")
    shapes = [[extents[letter] for letter in operand] for operand in inputs.split(",")]
    left, right = (
        te.placeholder(shape, dtype, name) for name, shape in zip("xy", shapes, strict=True)
    )
    summed = sorted({*inputs} - {*output, ","})
    axes = {letter: te.reduce_axis((0, extents[letter]), name=letter) for letter in summed}

    def element(*indices: Any) -> Any:
        place = {**dict(zip(output, indices, strict=True)), **axes}
        factors = [
            tensor[tuple(place[letter] for letter in operand)]
            for tensor, operand in zip((left, right), inputs.split(","), strict=True)
        ]
        return te.sum(factors[0] * factors[1], axis=[*axes.values()])

    result = te.compute([extents[letter] for letter in output], element, name="out")
    return te.create_prim_func([left, right, result], name)


def arrays(
    layout: str, extents: dict[str, int], dtype: str, random: Random
) -> tuple[list[Array], Array]:
    """Return operands and what their contraction is in higher precision."""
    inputs, _ = LAYOUTS[layout].split("->")
    numbers = np.random.default_rng(random.getrandbits(32))
    operands = [
        numbers.integers(-4, 5, [extents[letter] for letter in operand]).astype(dtype)
        for operand in inputs.split(",")
    ]
    wide = [operand.astype("float64" if dtype[0] == "f" else "int64") for operand in operands]
    return operands, np.einsum(LAYOUTS[layout], *wide).astype(dtype)


def module_of(**functions: tir.PrimFunc) -> IRModule:
    """Return a module of functions by their names."""
    return IRModule({GlobalVar(name): func for name, func in functions.items()})


def scheduled(module: IRModule, isa: str = "native") -> IRModule:
    """Return a module after all passes of the namespace."""
    for one in schedule.recipes(isa):
        module = one(module)
    return module


class _RoundedTwice(tir.StmtMutator):
    """Rounds products before their sums, as loops that no recipe took do."""

    def visit_call(self, node: tir.Call, /) -> Any:
        call = super().visit_call(node)
        assert isinstance(call, tir.Call)
        if not isinstance(call.op, Op) or call.op.name != "tir.multiply_add":
            return call
        a, b, c = call.args
        return a * b + c


def rounded_twice(func: tir.PrimFunc) -> tir.PrimFunc:
    """Return a function whose results have the bits of the loops that a recipe was given."""
    made = _RoundedTwice().visit(func)
    assert isinstance(made, tir.PrimFunc)
    return made
