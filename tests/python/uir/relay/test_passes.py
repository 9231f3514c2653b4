"""Passes over the bindings of high-level functions."""

from __future__ import annotations

from uir import ir, relay
from uir.relay import Tensor
from uir.transform import DeadCode, EliminateCommonSubexpr, ToANormalForm

MAIN = ir.GlobalVar("main")
X = relay.Var("x", Tensor((2,)))
F = ir.ExternFunc("f")


def call(*args: ir.RelayExpr) -> ir.RelayExpr:
    return relay.call_destination_passing(F, args, Tensor((2,)))


def names(after: ir.IRModule) -> list[str]:
    return [binding.var.name for binding in after.lookup("main").body.bindings]


def test_nested_values_are_bound_from_the_left() -> None:
    nested = relay.Tuple([call(call(X)), relay.Tuple([call(X), X])])
    before = ir.IRModule({MAIN: relay.Function([X], relay.Block([], nested))})
    func = ToANormalForm()(before).lookup("main")
    assert [binding.var.name for binding in func.body.bindings] == ["v0", "v1", "v2"]
    v0, v1, v2 = (binding.var for binding in func.body.bindings)
    assert func.body.bindings[1].value.args[1].same_as(v0)
    assert ir.structural_equal(func.body.result, relay.Tuple([v1, relay.Tuple([v2, X])]))
    after = ir.IRModule({MAIN: func})
    assert ToANormalForm()(after).same_as(after)


def test_equal_values_are_computed_once() -> None:
    rb = relay.builder()
    x = rb.param("x", Tensor((2,)))
    a, b = rb.emit(call(x), "a"), rb.emit(call(x), "b")
    c, d = rb.emit(call(a), "c"), rb.emit(call(b), "d")
    before = ir.IRModule({MAIN: rb.make_func(relay.Tuple([c, d]))})
    after = EliminateCommonSubexpr()(before)
    assert names(after) == ["a", "c"]
    result = after.lookup("main").body.result
    assert result.fields[0].same_as(c) and result.fields[1].same_as(c)
    assert EliminateCommonSubexpr()(after).same_as(after)


def test_operands_attributes_and_places_tell_values_apart() -> None:
    rb = relay.builder()
    x = rb.param("x", Tensor((2, 3)))
    for axis, number in ((0, 1.0), (1, 1.0), (0, 2.0), (0, 1.0)):
        rb.emit(relay.softmax(x, axis), f"softmax{axis}")
        pair = rb.emit(relay.Tuple([rb.emit(x + number, f"add{number}"), x]), "pair")
        rb.emit(relay.TupleGetItem(pair, axis), f"item{axis}")
    before = ir.IRModule({MAIN: rb.make_func(x)})
    first = ["softmax0", "add1.0", "pair", "item0"]
    made = [*first, "softmax1", "item1", "add2.0", "pair", "item0"]
    assert names(EliminateCommonSubexpr()(before)) == made


def test_what_a_branch_binds_stays_in_it() -> None:
    condition = relay.Var("condition", Tensor((), "bool"))

    def branch(name: str) -> relay.Block:
        value = call(X)
        var = relay.Var(name, value.checked_type)
        return relay.Block([relay.Binding(var, value)], var)

    choice = relay.If(condition, branch("a"), branch("b"))
    y, z = (relay.Var(name, Tensor((2,))) for name in "yz")
    block = relay.Block([relay.Binding(y, choice), relay.Binding(z, call(X))], z)
    before = ir.IRModule({MAIN: relay.Function([X, condition], block)})
    assert EliminateCommonSubexpr()(before).same_as(before)


def test_unused_bindings_go() -> None:
    rb = relay.builder()
    x = rb.param("x", Tensor((2,)))
    a = rb.emit(call(x), "a")
    rb.emit(call(a), "unused")
    rb.emit(call(rb.emit(call(x), "used_by_unused")), "unused_too")
    before = ir.IRModule({MAIN: rb.make_func(a)})
    after = DeadCode()(before)
    assert names(after) == ["a"]
    assert DeadCode()(after).same_as(after)


def test_branches_are_cleaned_too() -> None:
    condition = relay.Var("condition", Tensor((), "bool"))
    dead = relay.Var("dead", Tensor((2,)))
    choice = relay.If(condition, relay.Block([relay.Binding(dead, call(X))], X), relay.Block([], X))
    y = relay.Var("y", Tensor((2,)))
    func = relay.Function([X, condition], relay.Block([relay.Binding(y, choice)], y))
    after = DeadCode()(ir.IRModule({MAIN: func})).lookup("main")
    assert len(after.body.bindings[0].value.true_branch.bindings) == 0
