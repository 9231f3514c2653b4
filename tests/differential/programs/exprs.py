"""Random expressions over what is bound at some place, of values that are far from overflow."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

from uir import tir
from uir.ir import IntImm, PrimExpr
from uir.tir import Buffer, BufferLoad, Var, call_intrin, const

__all__ = ["EXTENTS", "INTEGERS", "ExprMaker", "Scope"]

EXTENTS = (1, 2, 3, 4, 8)
"""What dimensions and loops are long."""
INTEGERS = ("int32", "int8")
"""The data types of elements that integer expressions read."""

_WRAP = 97
"""What integers are brought below, in magnitude, before they are stored."""


@dataclass
class Scope:
    """What a statement at some place may use."""

    bounds: dict[Var, int] = field(default_factory=dict)
    """Variables that are at least 0, and what they are below."""
    readable: list[Buffer] = field(default_factory=list)
    writable: list[Buffer] = field(default_factory=list)
    shared: list[PrimExpr] = field(default_factory=list)
    """Integer expressions to use once more."""


class ExprMaker:
    """Makes expressions for the present scope."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.count = 0
        self.scope = Scope()

    def variable(self, name: str, dtype: str = "int32") -> Var:
        self.count += 1
        return Var(f"{name}{self.count}", dtype)

    def extents(self, buffer: Buffer) -> list[int]:
        return [extent.value for extent in buffer.shape if isinstance(extent, IntImm)]

    def value(self, dtype: str) -> PrimExpr:
        """Return something to store: integers are small."""
        if dtype.startswith("float"):
            return tir.cast(self.real(2), dtype)
        return tir.cast(tir.truncmod(self.integer(3), const(_WRAP)), dtype)

    def index(self, extent: int) -> PrimExpr:
        """Return an expression that is at least 0 and below `extent`, of 32 or 64 bits."""
        fitting = [v for v, bound in self.scope.bounds.items() if bound <= extent]
        choice = self.random.random()
        if fitting and choice < 0.6:
            return self.random.choice(fitting)
        if choice < 0.75:
            return const(self.random.randrange(extent))
        return tir.floormod(self.integer(2), extent)

    def bounded(self, extent: int) -> PrimExpr:
        """Return an expression that is at least 0 and at most `extent`."""
        return tir.floormod(self.integer(1), extent + 1)

    def integer(self, depth: int) -> PrimExpr:
        """Return an `int32` of a magnitude far below what overflows."""
        again = self.scope.shared
        if again and self.random.random() < 0.3:
            chosen = self.random.choice(again)
            return chosen if self.random.random() < 0.5 else _copy(chosen)
        made = self.leaf() if depth <= 0 else self.compound(depth)
        if depth > 0:
            again.append(made)
        return made

    def leaf(self) -> PrimExpr:
        variables = list(self.scope.bounds)
        choice = self.random.random()
        if variables and choice < 0.5:
            return tir.cast(self.random.choice(variables), "int32")
        if choice < 0.7:
            buffers = [b for b in self.scope.readable if b.dtype in INTEGERS]
            return tir.cast(self.load(self.random.choice(buffers)), "int32")
        return const(self.random.randint(-8, 8))

    def load(self, buffer: Buffer) -> PrimExpr:
        # Indices are simple here, as they would go on for ever.
        indices = []
        for extent in self.extents(buffer):
            fitting = [v for v, bound in self.scope.bounds.items() if bound <= extent]
            simple = fitting if self.random.random() < 0.8 else []
            indices.append(self.random.choice(simple or [const(self.random.randrange(extent))]))
        return BufferLoad(buffer, indices)

    def compound(self, depth: int) -> PrimExpr:
        a = self.integer(depth - 1)
        divisor, factor = const(self.random.choice((1, 2, 3, 4, 7, -3))), self.random.randint(-4, 8)
        kind = self.random.randrange(14)
        if kind < 5:
            b = self.integer(depth - 1)
            return (tir.add, tir.sub, tir.min, tir.max, tir.add)[kind](a, b)
        if kind < 9:
            divide = (tir.floordiv, tir.floormod, tir.truncdiv, tir.truncmod)[kind - 5]
            return divide(a, divisor)
        if kind == 9:
            return tir.mul(a, factor)
        if kind == 10:
            return self.choice(a, self.integer(depth - 1))
        if kind == 11:
            return self.bits(a)
        if kind == 12:
            return tir.cast(tir.cast(a, "int64") * const(factor, "int64"), "int32")
        variable = self.variable("let")
        return tir.Let(variable, a, tir.add(variable, tir.min(variable, self.integer(depth - 1))))

    def bits(self, a: PrimExpr) -> PrimExpr:
        """Return some bits of an integer."""
        make = self.random.choice((tir.bitwise_and, tir.bitwise_or, tir.bitwise_xor))
        shift = self.random.choice((tir.left_shift, tir.right_shift))
        if self.random.random() < 0.5:
            return shift(a, const(self.random.randint(0, 3)))
        return make(a, const(self.random.choice((1, 3, 7, 12, -4))))

    def choice(self, a: PrimExpr, b: PrimExpr) -> PrimExpr:
        condition = self.condition()
        if self.random.random() < 0.5:
            return tir.Select(condition, a, b)
        return call_intrin(a.dtype, "tir.if_then_else", [condition, a, b])

    def real(self, depth: int) -> PrimExpr:
        """Return a `float32`."""
        buffers = [b for b in self.scope.readable if b.dtype == "float32"]
        if depth <= 0:
            kind = self.random.randrange(3)
            if kind == 0 or not buffers:
                return const(self.random.randint(-8, 8) / 4)
            load = self.load(self.random.choice(buffers))
            return load if kind == 1 else tir.cast(self.leaf(), "float32")
        a, b = self.real(depth - 1), self.real(depth - 1)
        kind = self.random.randrange(6)
        if kind < 5:
            return (tir.add, tir.sub, tir.mul, tir.max, self.choice)[kind](a, b)
        return call_intrin("float32", "tir.abs", [a])

    def condition(self) -> PrimExpr:
        compare = (tir.less, tir.less_equal, tir.equal, tir.not_equal, tir.greater_equal)
        left = self.linear() if self.random.random() < 0.4 else self.integer(1)
        made = self.random.choice(compare)(left, self.integer(1))
        if self.random.random() < 0.3:
            combine = self.random.choice((tir.logical_and, tir.logical_or))
            made = combine(made, tir.less(self.integer(0), self.integer(0)))
        return tir.logical_not(made) if self.random.random() < 0.1 else made

    def linear(self) -> PrimExpr:
        """Return a sum of multiples of variables, as the conditions of tiled loops have it."""
        sum_: PrimExpr = const(self.random.randint(-2, 2))
        for variable in list(self.scope.bounds)[-2:]:
            factor = const(self.random.choice((1, 1, 2, 4, -1)))
            sum_ = tir.add(sum_, tir.mul(tir.cast(variable, "int32"), factor))
        return sum_


def _copy(expr: PrimExpr) -> PrimExpr:
    """Return an equal expression of other nodes, over the same variables and buffers."""

    class Copy(tir.PrimExprMutator):
        def visit_default(self, node: Any, /) -> Any:
            return node

        def visit_binary_op(self, node: tir.BinaryOp, /) -> PrimExpr:
            make: Any = type(node)
            made: PrimExpr = make(self.visit(node.a), self.visit(node.b))
            return made

    return Copy().visit(expr)
