"""Generated visitors and mutators in Python against recursive functions written by hand.

Prints `visitor.python.*` and `mutator.python.*` in nanoseconds for one node of a binary tree.  The
peer of a visitor is a `match` on types; that of a mutator does the same work with `isinstance`.
"""

from __future__ import annotations

from report import interleaved, report

from uir.ir import IntImm, PrimExpr
from uir.tir import Add, Mul, PrimExprMutator, PrimExprVisitor, Sub, Var

__all__ = ["report_visitors"]

SIZES = {"1k": (9, 25), "131k": (16, 7)}
"""Depth of the tree, and rounds."""


class Count(PrimExprVisitor):
    """Counts leaves."""

    def __init__(self) -> None:
        self.count = 0

    def visit_int_imm(self, node: IntImm, /) -> None:
        """Count a constant."""
        self.count += 1

    def visit_var(self, node: Var, /) -> None:
        """Count a variable."""
        self.count += 1


class Match:
    """Counts leaves, by hand."""

    def __init__(self) -> None:
        self.count = 0

    def visit(self, node: PrimExpr) -> None:
        """Count the leaves below a node."""
        match node:
            case Add() | Sub() | Mul():
                self.visit(node.a)
                self.visit(node.b)
            case IntImm() | Var():
                self.count += 1


def rewrite(node: PrimExpr) -> PrimExpr:
    """Rebuild what changed, by hand: nothing does."""
    if isinstance(node, (Add, Sub, Mul)):
        old_a, old_b = node.a, node.b
        new_a, new_b = rewrite(old_a), rewrite(old_b)
        return node if new_a is old_a and new_b is old_b else type(node)(new_a, new_b)
    return node


def make_tree(depth: int) -> PrimExpr:
    """Make a binary tree."""
    if depth == 0:
        return IntImm("int32", 1)
    operator = (Add, Mul, Sub)[depth % 3]
    return operator(make_tree(depth - 1), make_tree(depth - 1))


def measure(size: str, depth: int, rounds: int) -> None:
    """Time both sides in turns on one tree, print."""
    tree = make_tree(depth)
    nodes = 2 ** (depth + 1) - 1
    count, match, mutator = Count(), Match(), PrimExprMutator()
    sides = {
        "visitor": (lambda: count.visit(tree), lambda: match.visit(tree)),
        "mutator": (lambda: mutator.visit(tree), lambda: rewrite(tree)),
    }
    for name, (ours, peer) in sides.items():
        times = interleaved(ours, peer, rounds=rounds, calls=1)
        report(f"{name}.python.{size}", *(time / nodes for time in times), "ns/node")


def report_visitors() -> None:
    """Measure trees of several sizes."""
    for size, (depth, rounds) in SIZES.items():
        measure(size, depth, rounds)
