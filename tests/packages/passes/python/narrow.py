"""Casts to float16 instead of float64: the type of what follows changes too."""

from __future__ import annotations

from uir.ir import IRModule, RelayExpr
from uir.relay import Call, CastAttrs, Function, cast
from uir.transform import BindingRewriter, PassContext, function_pass, register_pass


class NarrowCasts(BindingRewriter):
    def visit_call(self, node: Call, /) -> RelayExpr:
        if isinstance(node.attrs, CastAttrs) and str(node.attrs.dtype) == "float64":
            return cast(self.visit(node.args[0]), dtype="float16")
        return super().visit_call(node)


@register_pass("passes.Narrow")
@function_pass(name="passes.Narrow")
def narrow(func: Function, _module: IRModule, _context: PassContext) -> Function:
    return NarrowCasts().run(func)
