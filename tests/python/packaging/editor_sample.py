"""What an editor must resolve in a checkout with no import hook; pyright and mypy check it."""

from __future__ import annotations

from typing import Any

from typing_extensions import assert_type

from tschema.runtime import load_library, map, post_order
from uir.ir import IntImm, PrimExpr, load_json, save_json, structural_equal
from uir.schema.tir.arith import AddNode
from uir.tir import (
    Add,
    Evaluate,
    PrimExprFunctor,
    PrimExprVisitor,
    Stmt,
    StmtFunctor,
    StmtMutator,
    Var,
)
from uir_nodes.ir import _ffi_api, has_op
from uir_nodes.ir.expr import IntImm as GeneratedIntImm

x = Var("x", "int32")
total = Add(x, IntImm("int32", 1))

assert_type(total, Add)
assert_type(total.a.dtype.bits, int)
assert_type(GeneratedIntImm("int32", 1).value, int)
assert_type(_ffi_api.IntImm("int32", 1), IntImm)
assert_type(has_op("tir.exp"), bool)
assert callable(load_library)
assert_type(AddNode.type_key, str)


class Printer(StmtFunctor[str], PrimExprFunctor[str]):
    """Two families in one functor."""

    def visit_evaluate(self, node: Evaluate) -> str:
        """Print an expression as a statement."""
        return f"{self.visit(node.value)};"

    def visit_var(self, node: Var, /) -> str:
        """Print a variable."""
        return node.name


class Variables(PrimExprVisitor):
    """A visitor with state."""

    def __init__(self) -> None:
        self.found: list[Var] = []

    def visit_var(self, node: Var, /) -> None:
        """Note a variable."""
        self.found.append(node)

    def visit_add(self, node: Add, /) -> None:
        """Go on below."""
        super().visit_add(node)


class Substitute(StmtMutator):
    """A mutator of statements, which mutates their expressions."""

    def visit_var(self, node: Var, /) -> PrimExpr:
        """Put a constant in."""
        return IntImm(node.dtype, 1)


@Printer.register("toy.Clamp")
def print_clamp(printer: Printer, node: Any) -> str:
    """Print a node of another package."""
    return printer.visit(node.value)


statement: Stmt = Evaluate(total)
assert_type(Printer().visit(statement), str)
assert_type(Substitute().visit(statement), Stmt)
assert_type(Substitute().visit(total), PrimExpr)
assert_type(post_order(statement, Var), list[Var])
assert_type(map(total, lambda node: None), Add)
assert_type(structural_equal(total, x), bool)
assert_type(load_json(save_json(total)), Any)
Variables().visit(total)
