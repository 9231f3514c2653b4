"""Random programs on data at the ends of its integer types, and on indices near them.

Unlike those of `functions`, their data overflows freely.  Their indices may overflow too, or they
may divide by zero: the strict interpreter then says `Undefined`, and the run says nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np

from uir import tir
from uir.ir import PrimExpr, with_attr
from uir.tir import Buffer, BufferLoad, BufferStore, For, ForKind, PrimFunc, Stmt, Var, const

__all__ = ["DTYPES", "border_arguments", "border_func", "ends"]

DTYPES = ("int8", "int32", "int64", "uint8", "uint32")
SIZE = 4

_DIVISIONS = (tir.FloorDiv, tir.FloorMod, tir.Div, tir.Mod)
_COMPARISONS = (tir.LT, tir.LE, tir.GT, tir.GE, tir.EQ, tir.NE)


def ends(dtype: str) -> tuple[int, int]:
    """Return the least and the greatest integer of a type."""
    info = np.iinfo(dtype)
    return int(info.min), int(info.max)


def _near_the_ends(draw: Random, dtype: str) -> int:
    low, high = ends(dtype)
    return draw.choice((low, low + 1, high - 1, high, 0, 1, high // 2 + 1, draw.randint(0, 9)))


def border_arguments(func: PrimFunc, seed: int) -> list[Any]:
    """Return arrays of numbers at the ends of their types, and numbers of which most are small."""
    draw = Random(seed)
    values: list[Any] = []
    for param in func.params:
        buffer = func.buffer_map.get(param)
        if buffer is None:
            small = draw.random() < 0.6
            values.append(draw.randint(0, 6) if small else _near_the_ends(draw, str(param.dtype)))
            continue
        dtype = str(buffer.dtype)
        filled = [_near_the_ends(draw, dtype) for _ in range(SIZE)]
        values.append(np.array(filled, dtype))
    return values


def border_func(seed: int) -> PrimFunc:
    """Return a public function `main` of a few statements."""
    return with_attr(_Maker(Random(seed)).function(), "global_symbol", "main")


@dataclass
class _Maker:
    draw: Random
    variables: dict[str, list[Var]] = field(default_factory=lambda: {d: [] for d in DTYPES})
    inputs: dict[str, Buffer] = field(default_factory=dict)
    outputs: dict[str, Buffer] = field(default_factory=dict)
    shared: dict[str, list[PrimExpr]] = field(default_factory=lambda: {d: [] for d in DTYPES})

    def function(self) -> PrimFunc:
        for dtype in DTYPES:
            self.inputs[dtype] = tir.decl_buffer([const(SIZE)], dtype, f"in_{dtype}")
            self.outputs[dtype] = tir.decl_buffer([const(SIZE)], dtype, f"out_{dtype}")
        scalars = [Var("n", "int32"), Var("m", "int32"), Var("k", "int64")]
        for scalar in scalars:
            self.variables[str(scalar.dtype)].append(scalar)
        body = tir.flatten_seq([self.statement(2) for _ in range(3)])
        buffers = [*self.inputs.values(), *self.outputs.values()]
        handles = [Var(f"{buffer.name}_handle", "handle") for buffer in buffers]
        return PrimFunc([*handles, *scalars], body, dict(zip(handles, buffers, strict=True)))

    def statement(self, depth: int) -> Stmt:
        kind = self.draw.random()
        if depth == 0 or kind < 0.4:
            return self.store()
        if kind < 0.6:
            return self.binding(depth)
        if kind < 0.8:
            then, other = self.block(depth), self.block(depth)
            return tir.IfThenElse(self.condition(2), then, other)
        return self.loop(depth)

    def block(self, depth: int) -> Stmt:
        """Return statements; what they bind is forgotten."""
        known = {dtype: list(found) for dtype, found in self.variables.items()}
        shared = {dtype: list(found) for dtype, found in self.shared.items()}
        made = tir.flatten_seq([self.statement(depth - 1) for _ in range(self.draw.randint(1, 2))])
        self.variables, self.shared = known, shared
        return made

    def binding(self, depth: int) -> Stmt:
        dtype = self.draw.choice(DTYPES)
        variable, value = Var("v", dtype), self.integer(dtype, 2)
        self.variables[dtype].append(variable)
        return tir.flatten_seq([tir.Bind(variable, value), self.statement(depth - 1)])

    def loop(self, depth: int) -> Stmt:
        dtype = self.draw.choice(("int32", "int64"))
        variable = Var("i", dtype)
        low, high = ends(dtype)
        extent = self.draw.choice((1, 2, 4))
        first = self.draw.choice((0, 0, 0, low, high - extent))
        kind = self.draw.choice((ForKind.SERIAL, ForKind.UNROLLED, ForKind.VECTORIZED))
        self.variables[dtype].append(variable)
        body = self.block(depth) if kind != ForKind.VECTORIZED else self.store()
        self.variables[dtype].pop()
        self.shared = {d: [] for d in DTYPES}
        return For(variable, const(first, dtype), const(extent, dtype), kind, body)

    def store(self) -> Stmt:
        dtype = self.draw.choice(DTYPES)
        value = self.integer(dtype, 3)
        if self.draw.random() < 0.4:
            value = tir.Cast(dtype, self.condition(3))
        return BufferStore(self.outputs[dtype], value, [self.index()])

    def index(self) -> PrimExpr:
        if self.draw.random() < 0.6:
            return const(self.draw.randrange(SIZE))
        return tir.FloorMod(self.integer("int32", 1), const(SIZE))

    def integer(self, dtype: str, depth: int) -> PrimExpr:
        again = self.shared[dtype]
        if again and self.draw.random() < 0.2:
            return self.draw.choice(again)
        made = self.leaf(dtype) if depth == 0 else self.compound(dtype, depth - 1)
        if depth > 0:
            again.append(made)
        return made

    def leaf(self, dtype: str) -> PrimExpr:
        kind = self.draw.random()
        variables = self.variables[dtype]
        if variables and kind < 0.45:
            return self.draw.choice(variables)
        if kind < 0.75:
            return BufferLoad(self.inputs[dtype], [const(self.draw.randrange(SIZE))])
        small = self.draw.random() < 0.7
        return const(self.draw.randint(0, 9) if small else _near_the_ends(self.draw, dtype), dtype)

    def idiom(self, dtype: str) -> PrimExpr:
        """Return what is simpler, if its sums and products do not wrap around."""
        x, y, z = (self.leaf(dtype) for _ in range(3))
        factor = const(self.draw.choice((2, 3, 4, 8)), dtype)
        scaled = tir.Mul(x, factor)
        return self.draw.choice(
            (
                self.draw.choice(_DIVISIONS)(scaled, factor),
                self.draw.choice(_DIVISIONS)(tir.Add(scaled, y), factor),
                tir.Min(tir.Add(x, z), tir.Add(y, z)),
                tir.Max(tir.Sub(z, x), tir.Sub(z, y)),
                tir.Sub(tir.Max(x, y), x),
                tir.Max(scaled, tir.Mul(y, factor)),
            )
        )

    def comparison_idiom(self, dtype: str) -> PrimExpr:
        x, y, z = (self.leaf(dtype) for _ in range(3))
        factor, one = const(self.draw.choice((2, 3, 4, 8)), dtype), const(1, dtype)
        sides = self.draw.choice(
            (
                (tir.Add(x, z), tir.Add(y, z)),
                (tir.Add(x, z), tir.Sub(z, y)),
                (tir.Sub(x, y), const(0, dtype)),
                (x, tir.Add(x, one)),
                (tir.Add(x, factor), one),
                (tir.Mul(x, factor), tir.Mul(y, factor)),
                (tir.FloorMod(tir.Mul(x, factor), factor), const(0, dtype)),
            )
        )
        return self.draw.choice(_COMPARISONS)(*sides)

    def compound(self, dtype: str, depth: int) -> PrimExpr:
        if self.draw.random() < 0.3:
            return self.idiom(dtype)
        kinds: list[Callable[[], PrimExpr]] = [
            lambda: tir.Add(self.integer(dtype, depth), self.integer(dtype, depth)),
            lambda: tir.Sub(self.integer(dtype, depth), self.integer(dtype, depth)),
            lambda: tir.Mul(self.integer(dtype, depth), self.integer(dtype, depth)),
            lambda: tir.Mul(self.integer(dtype, depth), const(self.draw.randint(2, 8), dtype)),
            lambda: tir.Min(self.integer(dtype, depth), self.integer(dtype, depth)),
            lambda: tir.Max(self.integer(dtype, depth), self.integer(dtype, depth)),
            lambda: self.draw.choice(_DIVISIONS)(
                self.integer(dtype, depth), const(self.draw.randint(2, 8), dtype)
            ),
            lambda: self.draw.choice(_DIVISIONS)(
                self.integer(dtype, depth), self.integer(dtype, depth)
            ),
            lambda: tir.Cast(dtype, self.integer(self.draw.choice(DTYPES), depth)),
            lambda: tir.Select(
                self.condition(depth), self.integer(dtype, depth), self.integer(dtype, depth)
            ),
            lambda: self.let(dtype, depth),
        ]
        return self.draw.choice(kinds)()

    def let(self, dtype: str, depth: int) -> PrimExpr:
        variable, value = Var("let", dtype), self.integer(dtype, depth)
        return tir.Let(variable, value, tir.Sub(tir.Add(variable, self.leaf(dtype)), variable))

    def condition(self, depth: int) -> PrimExpr:
        kind = self.draw.random()
        if depth > 0 and kind < 0.15:
            return tir.Not(self.condition(depth - 1))
        if depth > 0 and kind < 0.35:
            combine = self.draw.choice((tir.And, tir.Or))
            return combine(self.condition(depth - 1), self.condition(depth - 1))
        dtype = self.draw.choice(DTYPES)
        if self.draw.random() < 0.6:
            return self.comparison_idiom(dtype)
        depth = max(depth - 1, 0)
        compare = self.draw.choice(_COMPARISONS)
        return compare(self.integer(dtype, depth), self.integer(dtype, depth))
