"""The texts of rewrite rules: their variables, conditions, and the expressions they stand for.

Knows nothing of how the analyzer reads them: Python's own parser does it here.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping

from uir import ir, tir

__all__ = ["build", "holds", "names"]

_NODES: Mapping[str, Callable[..., ir.PrimExpr]] = {
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
    "ramp": tir.Ramp,
    "bcast": tir.Broadcast,
}


def names(*texts: str) -> list[str]:
    """Return the variables of some texts."""
    nodes = [node for text in texts if text for node in ast.walk(ast.parse(text, mode="eval"))]
    called = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    return sorted({n.id for n in nodes if isinstance(n, ast.Name) and id(n) not in called})


def holds(condition: str, values: Mapping[str, int | bool]) -> bool:
    """Tell whether a condition holds of integers; where it divides by zero it does not."""
    functions = {"fdiv": operator.floordiv, "fmod": operator.mod}
    try:
        return bool(eval(condition, functions, dict(values)))
    except ZeroDivisionError:
        return False


def build(
    text: str, leaves: Mapping[str, ir.PrimExpr | int], literal: Callable[[int], ir.PrimExpr]
) -> ir.PrimExpr:
    """Return the expression of a text, of nodes as they are written, with nothing folded.

    Parameters
    ----------
    text
        A pattern.
    leaves
        What its variables stand for; `n` is a number of lanes.
    literal
        Makes the constant of a number.
    """

    def visit(node: ast.expr) -> ir.PrimExpr | int:
        if isinstance(node, ast.Name):
            return leaves[node.id]
        if isinstance(node, ast.Constant):
            value = node.value
            assert isinstance(value, int)
            return tir.const(value) if isinstance(value, bool) else literal(value)
        name, operands = _parts(node)
        return _NODES[name](*map(visit, operands))

    made = visit(ast.parse(text, mode="eval").body)
    assert isinstance(made, ir.PrimExpr)
    return made


def _parts(node: ast.expr) -> tuple[str, list[ast.expr]]:
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
