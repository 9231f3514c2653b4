"""Rewriting of relay in Python: a binding becomes none, one or several."""

from __future__ import annotations

import pytest

from uir import ir, relay, script
from uir.relay import Tensor
from uir.transform import (
    BindingRewriter,
    FunctionPass,
    InferType,
    PassContext,
    Sequential,
    VerifyWellFormed,
    function_pass,
)

from ..support import refuses


def parse(*lines: str) -> relay.Function:
    body = "".join(f"\n    {line}" for line in lines)
    text = f'@relay.function\ndef main(x: relay.Tensor((4,), "float32")):{body}'
    func = script.parse_function(text)
    assert isinstance(func, relay.Function)
    return func


def module_of(*lines: str) -> ir.IRModule:
    return ir.IRModule.from_func(parse(*lines), "main")


def check(func: relay.Function, *lines: str) -> None:
    """Compare a function with the expected one, and its types with what is inferred."""
    assert ir.structural_equal(func, parse(*lines)), str(func)
    VerifyWellFormed()(InferType()(ir.IRModule.from_func(func, "main")))


def is_call(value: ir.RelayExpr, name: str) -> bool:
    return isinstance(value, relay.Call) and value.op.same_as(ir.get_op(f"relay.{name}"))


class DropDoubleNegation(BindingRewriter):
    """Replaces `negative(negative(x))` by `x`: the second binding becomes none."""

    def __init__(self) -> None:
        super().__init__()
        self.negated: dict[ir.RelayExpr, ir.RelayExpr] = {}

    def rewrite_binding(self, binding: relay.Binding) -> None:
        value = self.visit(binding.value)
        if is_call(value, "negative"):
            operand = value.args[0]
            if operand in self.negated:
                return self.replace(binding.var, self.negated[operand])
            self.negated[binding.var] = operand
        self.emit(binding, value)


class ExpandSilu(BindingRewriter):
    """Replaces `silu(x)` by `x * sigmoid(x)`: one binding becomes two."""

    def rewrite_binding(self, binding: relay.Binding) -> None:
        if not is_call(binding.value, "silu"):
            return super().rewrite_binding(binding)
        x = self.visit(binding.value.args[0])
        gate = self.emit_new(relay.sigmoid(x), "gate")
        self.emit(binding, relay.multiply(x, gate))


class Narrow(BindingRewriter):
    """Casts to float16 instead of float64."""

    def visit_call(self, node: relay.Call, /) -> ir.RelayExpr:
        if is_call(node, "cast") and str(node.attrs.dtype) == "float64":
            return relay.cast(self.visit(node.args[0]), dtype="float16")
        return super().visit_call(node)


def test_a_binding_becomes_none() -> None:
    func = parse("a = -x", "b = -a", "c = relay.exp(b)", "return (b, c)")
    check(DropDoubleNegation().run(func), "a = -x", "c = relay.exp(x)", "return (x, c)")


def test_a_binding_becomes_several() -> None:
    func = parse("a = relay.silu(x)", "b = relay.exp(a)", "return b")
    after = ExpandSilu().run(func)
    check(after, "gate = relay.sigmoid(x)", "a = x * gate", "b = relay.exp(a)", "return b")
    assert after.body.bindings[1].var.same_as(func.body.bindings[0].var)


def test_a_changed_type_is_that_of_all_later_uses() -> None:
    func = parse('a = relay.cast(x, dtype="float64")', "b = relay.exp(a)", "c = b + a", "return c")
    after = Narrow().run(func)
    check(
        after,
        *('a = relay.cast(x, dtype="float16")', "b = relay.exp(a)", "c = b + a", "return c"),
    )
    assert ir.structural_equal(after.ret_type, Tensor((4,), "float16"))
    assert not after.body.bindings[2].var.same_as(func.body.bindings[2].var)


def test_nothing_changes() -> None:
    func = parse("a = relay.exp(x)", "return a")
    for rewriter in (BindingRewriter(), DropDoubleNegation(), ExpandSilu(), Narrow()):
        assert rewriter.run(func).same_as(func)


def test_shared_parts_are_rewritten_once() -> None:
    class Silent(BindingRewriter):
        count = 0

        def visit_call(self, node: relay.Call, /) -> ir.RelayExpr:
            self.count += 1
            if self.count == 1:
                return relay.negative(node.args[0])
            visited: ir.RelayExpr = super().visit_call(node)
            return visited

    x = relay.Var("x", Tensor((4,)))
    inner = total = relay.exp(x)
    for _ in range(60):
        total = total + total
    rewriter = Silent()
    after = rewriter.run(relay.Function([x], relay.Block([], relay.Tuple([inner, total, total]))))
    assert rewriter.count == 61
    replaced, first, second = after.body.result.fields
    assert first.same_as(second)
    for _ in range(60):
        assert first.args[0].same_as(first.args[1])
        first = first.args[0]
    assert first.same_as(replaced)


def test_what_a_branch_binds_is_not_used_behind_it() -> None:
    class BindCalls(BindingRewriter):
        def visit_call(self, node: relay.Call, /) -> ir.RelayExpr:
            return self.emit_new(super().visit_call(node), "part")

    x = relay.Var("x", Tensor((4,)))
    shared = relay.exp(x)
    branch = relay.Block([], relay.negative(shared))
    value = relay.If(relay.const(True), branch, relay.Block([], x))
    y = relay.Var("y", value.checked_type)
    func = relay.Function([x], relay.Block([relay.Binding(y, value)], relay.add(shared, y)))
    VerifyWellFormed()(ir.IRModule.from_func(BindCalls().run(func), "main"))


def test_branches_are_blocks_of_their_own() -> None:
    lines = "if relay.min(x) < 0.0:", "    a = relay.silu(x)", "    y = a", "else:", "    y = x"
    after = ExpandSilu().run(parse(*lines, "return y"))
    branch = after.body.bindings[-1].value.true_branch
    assert [binding.var.name for binding in branch.bindings] == ["gate", "a"]


def test_a_failed_rewrite_leaves_the_rewriter_as_it_was() -> None:
    class Fails(ExpandSilu):
        def rewrite_result(self, result: ir.RelayExpr) -> ir.RelayExpr:
            raise ValueError("no result")

    rewriter = Fails()
    func = parse("a = relay.silu(x)", "return a")
    for _ in range(2):
        with pytest.raises(ValueError, match="no result"):
            rewriter.run(func)
        assert rewriter.emit_new(relay.exp(func.params[0]), "kept").name == "kept"


@function_pass(name="ExpandSilu")
def expand_silu(func: relay.Function, module: ir.IRModule, _context: PassContext) -> relay.Function:
    assert module.contains("main")
    return ExpandSilu().run(func)


@function_pass(opt_level=1)
class Drop:
    """Removes double negations."""

    def transform_function(
        self, func: relay.Function, _module: ir.IRModule, _context: PassContext
    ) -> relay.Function:
        return DropDoubleNegation().run(func)


def test_passes_over_functions_in_a_sequence() -> None:
    assert isinstance(expand_silu, FunctionPass)
    before = ir.IRModule.from_func(
        parse("a = -x", "b = -a", "c = relay.silu(b)", "return c"), "main"
    )
    after = Sequential([Drop(), expand_silu, VerifyWellFormed()])(before)
    check(after.lookup("main"), "a = -x", "gate = relay.sigmoid(x)", "c = x * gate", "return c")
    assert Sequential([Drop(), expand_silu])(after).same_as(after)


def test_a_pass_that_returns_something_else() -> None:
    @function_pass()
    def number(
        _func: relay.Function, _module: ir.IRModule, _context: PassContext
    ) -> relay.Function:
        return 3  # type: ignore[return-value]

    module = ir.IRModule.from_func(parse("return x"), "main")
    with refuses(
        TypeError,
        "in pass `number`, function `main`: a pass over functions must return a "
        "`uir.relay.Function`, got `int`",
    ):
        number(module)
