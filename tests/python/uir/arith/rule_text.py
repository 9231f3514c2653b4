"""The texts of rewrite rules: their meaning on plain numbers, and the expressions they stand for.

Knows nothing of how the analyzer reads them: Python's own parser does it here.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from uir import ir, tir

Scalar: TypeAlias = "bool | int | float"
Value: TypeAlias = Any
"""A scalar, or a list of them for a vector."""


class Undefined(Exception):
    """The text has no value for these numbers: division by zero, overflow of an index."""


@dataclass(frozen=True)
class Numbers:
    """Integers of a type, whose arithmetic wraps around; without bits all integers, or floats.

    Attributes
    ----------
    bits
        The width; None for numbers that are taken as they are.
    is_signed
        Whether half of them are negative.
    is_checked
        Whether a result that does not fit is an error and does not wrap around.
    """

    bits: int | None
    is_signed: bool = True
    is_checked: bool = False

    @property
    def least(self) -> int:
        return -(1 << ((self.bits or 64) - 1)) if self.is_signed else 0

    @property
    def greatest(self) -> int:
        return self.least + (1 << (self.bits or 64)) - 1

    def fit(self, value: Scalar) -> Scalar:
        """Return a result as the type holds it."""
        if self.bits is None or isinstance(value, (bool, float)):
            return value
        if self.least <= value <= self.greatest:
            return value
        if self.is_checked:
            raise Undefined
        return (value - self.least) % (1 << self.bits) + self.least


def truncdiv(a: int, b: int) -> int:
    """Return the quotient, rounded towards zero."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def divide(a: Scalar, b: Scalar) -> Scalar:
    """Return the quotient as C does."""
    if isinstance(a, float) or isinstance(b, float):
        return a / b
    return truncdiv(a, b)


OPERATIONS: Mapping[str, Callable[..., Scalar]] = {
    "Add": operator.add,
    "Sub": operator.sub,
    "Mult": operator.mul,
    "Eq": operator.eq,
    "NotEq": operator.ne,
    "Lt": operator.lt,
    "LtE": operator.le,
    "Gt": operator.gt,
    "GtE": operator.ge,
    "And": lambda a, b: a and b,
    "Or": lambda a, b: a or b,
    "Not": lambda a: not a,
    "USub": operator.neg,
    "fdiv": operator.floordiv,
    "fmod": operator.mod,
    "tdiv": divide,
    "tmod": lambda a, b: a - b * truncdiv(a, b),
    "min": lambda a, b: a if a < b else b,
    "max": lambda a, b: a if a > b else b,
    "select": lambda c, a, b: a if c else b,
}


def lanes_of(operation: Callable[..., Scalar], operands: list[Value]) -> Value:
    """Apply an operation lane by lane, if an operand is a vector."""
    lanes = [len(operand) for operand in operands if isinstance(operand, list)]
    if not lanes:
        return operation(*operands)
    return [
        operation(*(operand[i] if isinstance(operand, list) else operand for operand in operands))
        for i in range(lanes[0])
    ]


class Evaluator:
    """Evaluates a text where its variables have given values."""

    def __init__(self, values: Mapping[str, Scalar], numbers: Numbers) -> None:
        self.values = values
        self.numbers = numbers

    def run(self, text: str) -> Value:
        """Return the value of a text, or raise `Undefined`."""
        try:
            return self.visit(ast.parse(text, mode="eval").body)
        except (ZeroDivisionError, OverflowError):
            raise Undefined from None

    def visit(self, node: ast.expr) -> Value:
        if isinstance(node, ast.Name):
            return self.values[node.id]
        if isinstance(node, ast.Constant):
            return node.value
        name, operands = parts(node)
        values = [self.visit(operand) for operand in operands]
        if name == "bcast":
            return [values[0]] * int(values[1])
        if name == "ramp":
            fit = self.numbers.fit
            return [fit(values[0] + fit(i * values[1])) for i in range(int(values[2]))]
        return lanes_of(lambda *lane: self.numbers.fit(OPERATIONS[name](*lane)), values)


def parts(node: ast.expr) -> tuple[str, list[ast.expr]]:
    """Return the name of an operation and its operands."""
    if isinstance(node, ast.BinOp):
        return type(node.op).__name__, [node.left, node.right]
    if isinstance(node, ast.Compare):
        return type(node.ops[0]).__name__, [node.left, *node.comparators]
    if isinstance(node, ast.BoolOp):
        first, *rest = node.values
        second = rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)
        return type(node.op).__name__, [first, second]
    if isinstance(node, ast.UnaryOp):
        return type(node.op).__name__, [node.operand]
    assert isinstance(node, ast.Call)
    assert isinstance(node.func, ast.Name)
    return node.func.id, node.args


def names(*texts: str) -> list[str]:
    """Return the variables of some texts."""
    nodes = [node for text in texts if text for node in ast.walk(ast.parse(text, mode="eval"))]
    called = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    found = {n.id for n in nodes if isinstance(n, ast.Name) and id(n) not in called}
    return sorted(found)


def constant_parts(text: str) -> list[str]:
    """Return the parts of a text that the analyzer computes: those of constants alone."""
    found = []
    for node in ast.walk(ast.parse(text, mode="eval")):
        if isinstance(node, (ast.BinOp, ast.Call)):
            part = ast.unparse(node)
            if all(name.startswith("c") for name in names(part)):
                found.append(part)
    return found


NODES: Mapping[str, Callable[..., ir.PrimExpr]] = {
    "Add": tir.Add,
    "Sub": tir.Sub,
    "Mult": tir.Mul,
    "Eq": tir.EQ,
    "NotEq": tir.NE,
    "Lt": tir.LT,
    "LtE": tir.LE,
    "Gt": tir.GT,
    "GtE": tir.GE,
    "And": tir.And,
    "Or": tir.Or,
    "Not": tir.Not,
    "fdiv": tir.FloorDiv,
    "fmod": tir.FloorMod,
    "tdiv": tir.Div,
    "tmod": tir.Mod,
    "min": tir.Min,
    "max": tir.Max,
    "select": tir.Select,
}


class Builder:
    """Makes the expression that a pattern stands for, with nodes as they are, nothing folded."""

    def __init__(self, leaves: Mapping[str, ir.PrimExpr], dtype: str, lanes: int) -> None:
        self.leaves = leaves
        self.dtype = dtype
        self.lanes = lanes

    def run(self, text: str) -> ir.PrimExpr:
        """Return the expression of a text."""
        return self.visit(ast.parse(text, mode="eval").body)

    def visit(self, node: ast.expr) -> ir.PrimExpr:
        if isinstance(node, ast.Name):
            return self.leaves[node.id]
        if isinstance(node, ast.Constant):
            assert isinstance(node.value, int)
            dtype = "bool" if isinstance(node.value, bool) else self.dtype
            return tir.const(node.value, dtype)
        name, operands = parts(node)
        if name == "bcast":
            return tir.Broadcast(self.visit(operands[0]), self.lanes)
        if name == "ramp":
            return tir.Ramp(self.visit(operands[0]), self.visit(operands[1]), self.lanes)
        return NODES[name](*map(self.visit, operands))


class ExprEvaluator:
    """Evaluates scalar and vector expressions of the rules where variables have given values."""

    NAMES: Mapping[type, str] = {
        tir.Add: "Add",
        tir.Sub: "Sub",
        tir.Mul: "Mult",
        tir.EQ: "Eq",
        tir.NE: "NotEq",
        tir.LT: "Lt",
        tir.LE: "LtE",
        tir.GT: "Gt",
        tir.GE: "GtE",
        tir.And: "And",
        tir.Or: "Or",
        tir.FloorDiv: "fdiv",
        tir.FloorMod: "fmod",
        tir.Div: "tdiv",
        tir.Mod: "tmod",
        tir.Min: "min",
        tir.Max: "max",
    }

    def __init__(self, values: Mapping[str, Scalar], numbers: Numbers) -> None:
        self.values = values
        self.numbers = numbers

    def run(self, expr: ir.PrimExpr) -> Value:
        """Return the value of an expression, or raise `Undefined`."""
        try:
            return self.visit(expr)
        except (ZeroDivisionError, OverflowError):
            raise Undefined from None

    def visit(self, expr: ir.PrimExpr) -> Value:
        if isinstance(expr, tir.Var):
            return self.values[expr.name]
        if isinstance(expr, ir.IntImm):
            return bool(expr.value) if str(expr.dtype) == "bool" else int(expr.value)
        if isinstance(expr, ir.FloatImm):
            return float(expr.value)
        if isinstance(expr, tir.Not):
            return lanes_of(lambda a: not a, [self.visit(expr.a)])
        if isinstance(expr, tir.Select):
            fields = (expr.condition, expr.true_value, expr.false_value)
            return lanes_of(OPERATIONS["select"], [self.visit(field) for field in fields])
        if isinstance(expr, tir.Broadcast):
            return [self.visit(expr.value)] * expr.lanes
        if isinstance(expr, tir.Ramp):
            base, stride = self.visit(expr.base), self.visit(expr.stride)
            return [self.numbers.fit(base + i * stride) for i in range(expr.lanes)]
        assert isinstance(expr, (tir.BinaryOp, tir.CmpOp, tir.LogicalOp))
        operation = OPERATIONS[self.NAMES[type(expr)]]
        operands = [self.visit(expr.a), self.visit(expr.b)]
        return lanes_of(lambda *lane: self.numbers.fit(operation(*lane)), operands)


def is_same(a: Value, b: Value) -> bool:
    """Return whether two values are the same; zeros and NaNs are compared bit by bit."""
    if isinstance(a, list) or isinstance(b, list):
        width = len(a) if isinstance(a, list) else len(b)
        left = a if isinstance(a, list) else [a] * width
        right = b if isinstance(b, list) else [b] * width
        return all(map(is_same, left, right))
    if isinstance(a, float) and isinstance(b, float):
        both_nan = math.isnan(a) and math.isnan(b)
        return both_nan or (a == b and math.copysign(1, a) == math.copysign(1, b))
    return bool(a == b)
