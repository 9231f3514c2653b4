"""Adds a number to each constant."""

from __future__ import annotations

from uir.ir import IntImm, IRModule, PrimExpr
from uir.tir import PrimFunc, StmtMutator
from uir.transform import PassContext, prim_func_pass, register_pass


class AddToConstants(StmtMutator):
    def __init__(self, number: int) -> None:
        self.number = number

    def visit_int_imm(self, node: IntImm, /) -> PrimExpr:
        return IntImm(node.dtype, node.value + self.number, span=node.span)


@register_pass("passes.Add")
@prim_func_pass(name="passes.Add")
class Add:
    def __init__(self, number: int) -> None:
        self.mutator = AddToConstants(number)

    def transform_function(
        self, func: PrimFunc, _module: IRModule, _context: PassContext
    ) -> PrimFunc:
        return func.with_body(self.mutator.visit(func.body))
