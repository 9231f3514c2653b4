"""Parts of a value that stand in several places: bound once, in linear time."""

from __future__ import annotations

from uir import ir, relay
from uir.relay import Tensor
from uir.transform import ToANormalForm


def shared(x: relay.Var) -> ir.RelayExpr:
    """Return a value whose tree has more parts than any memory holds."""
    value: ir.RelayExpr = relay.exp(x) + 1.0
    for _ in range(60):
        value = value + value
    return value


def test_a_builder_binds_a_part_once() -> None:
    rb = relay.builder()
    x = rb.param("x", Tensor((2,)))
    func = rb.make_func(shared(x))
    assert len(func.body.bindings) == 62
    values, places = relay.topk(relay.exp(x), 1)
    rb = relay.builder()
    rb.emit(relay.Tuple([values, places]), "both")
    names = [binding.value.op.name for binding in rb.bindings[:2]]
    assert names == ["relay.exp", "relay.topk"] and len(rb.bindings) == 5


def test_a_normal_form_binds_a_part_once() -> None:
    x = relay.Var("x", Tensor((2,)))
    func = relay.Function([x], relay.Block([], shared(x)))
    after = ToANormalForm()(ir.IRModule({ir.GlobalVar("main"): func})).lookup("main")
    assert len(after.body.bindings) == 62
