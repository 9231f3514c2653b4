"""A user's program that builds, transforms and prints modules; pyright and mypy check it."""

from __future__ import annotations

from collections.abc import Sequence

from typing_extensions import assert_type

import uir
from uir import ir, script, tir, transform
from uir.ir import BaseExpr, BaseFunc, Diagnostic, GlobalVar, IRModule, PrimExpr
from uir.tir import BufferStore, For, ForKind, PrimFunc, StmtMutator, StmtVisitor, Var
from uir.transform import Instrument, Pass, PassContext, PassInfo, PassTiming, Sequential


def build() -> IRModule:
    """Build a loop that adds one to each element of a buffer."""
    buffer = tir.decl_buffer([16], "float32", "A")
    i = Var("i", "int32")
    body = For(
        i,
        ir.IntImm("int32", 0),
        ir.IntImm("int32", 16),
        ForKind.SERIAL,
        BufferStore(buffer, buffer[i] + 1.0, [i * 1]),
    )
    handle = Var("a", "handle")
    func = PrimFunc([handle], body, {handle: buffer})
    assert_type(func.params[0], Var)
    return IRModule({GlobalVar("main"): func})


class Loops(StmtVisitor):
    """Counts loops."""

    def __init__(self) -> None:
        self.count = 0

    def visit_for(self, node: For, /) -> None:
        """Count a loop."""
        self.count += 1
        super().visit_for(node)


class Rename(StmtMutator):
    """Renames loop variables."""

    def __init__(self) -> None:
        self.renamed: dict[Var, Var] = {}

    def visit_for(self, node: For, /) -> tir.Stmt:
        """Rename the variable of a loop, where it is bound."""
        new = Var(f"{node.loop_var.name}_new", node.loop_var.dtype)
        self.renamed[node.loop_var] = new
        return super().visit_for(node)

    def visit_var(self, node: Var, /) -> PrimExpr:
        """Rename a variable, where it is used."""
        return self.renamed.get(node, node)


@transform.prim_func_pass(opt_level=1, name="Rename")
def rename(func: PrimFunc, module: IRModule, context: PassContext) -> PrimFunc:
    """Rename all loop variables."""
    assert_type(context.opt_level, int)
    return func.with_body(Rename().visit(func.body))


class RemoveFunction:
    """Removes a function of a name."""

    def __init__(self, name: str) -> None:
        self.name = name

    def transform_module(self, module: IRModule, context: PassContext) -> IRModule:
        """Remove the function."""
        return module.without_function(self.name) if self.name in module else module


without = transform.module_pass(opt_level=0)(RemoveFunction)


class Names(Instrument):
    """Lists the passes that were run."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def run_before_pass(self, module: IRModule, info: PassInfo, /) -> None:
        """List a pass."""
        self.names.append(info.name)


def main() -> None:
    """Build, transform and print a module."""
    module = build()
    names, timing = Names(), PassTiming()
    pipeline: list[Pass] = [rename, without("other"), transform.CommonSubexprElim()]
    pipeline.append(transform.make_pass("ConvertSSA"))
    with PassContext(opt_level=3, instruments=[names, timing]) as context:
        assert_type(context, PassContext)
        after = Sequential(pipeline)(module)
    assert_type(after, IRModule)
    assert_type(names.names, list[str])
    problems = ir.verify(after)
    assert_type(problems, Sequence[Diagnostic])
    assert not problems, ir.render_diagnostics(problems)
    loops = Loops()
    for var, func in after.items():
        assert_type(var, GlobalVar)
        if isinstance(func, PrimFunc):
            loops.visit(func.body)
    assert loops.count == 1
    text = uir.script.print(after)
    assert_type(text, str)
    print(text)
    parsed = script.parse(text)
    assert_type(parsed, IRModule)
    assert_type(script.parse_function(str(parsed["main"])), BaseFunc)
    assert_type(script.parse_expr("1 + 2"), BaseExpr)
    assert_type(script.diagnose(text), Sequence[Diagnostic])
    assert ir.structural_equal(module, parsed)
    assert ir.structural_equal(module, after)
    print(timing.render())


if __name__ == "__main__":
    main()
