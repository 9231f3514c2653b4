"""Stored calls that a registered function brings to the form of now."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

import pytest

from uir import ir, relay, tir

ONE, TWO = ir.IntImm("int32", 1), ir.IntImm("int32", 2)


@pytest.fixture
def op() -> ir.Op:
    """Register an operator of a new name."""
    return ir.register_op(ir.Op(f"tests.{uuid.uuid4().hex}", "First."))


def former(op: ir.Op) -> str:
    """Return a name of the same length that the operator had."""
    return op.name.replace("tests.", "older.")


def stored(call: ir.BaseExpr, op: ir.Op) -> tuple[str, bytes]:
    """Return a call as an older version saved it, in both forms."""
    text, data = ir.save_json(call), ir.save_binary(call)
    old, new = op.name, former(op)
    return text.replace(old, new), data.replace(old.encode(), new.encode())


def test_calls_of_a_former_name_are_upgraded(op: ir.Op) -> None:
    def swap(args: Sequence[Any], attrs: Any) -> tuple[list[Any], Any]:
        return [args[1], args[0]], attrs

    ir.register_upgrade(op, former(op), 2, swap)
    text, data = stored(tir.Call("int32", op, [ONE, TWO]), op)
    for loaded in (ir.load_json(text), ir.load_binary(data)):
        assert loaded.op.same_as(op)
        assert [one.value for one in loaded.args] == [2, 1]
        assert op.name in ir.save_json(loaded)


def test_calls_with_another_number_of_arguments_are_upgraded(op: ir.Op) -> None:
    ir.register_upgrade(op, op.name, 1, lambda args, attrs: ([*args, TWO], attrs))
    loaded = ir.load_json(ir.save_json(tir.Call("int32", op, [ONE, ONE])))
    assert [one.value for one in loaded.args] == [1, 1]
    made = tir.Call("int32", op, [ONE])
    assert [one.value for one in made.args] == [1, 2]


def test_calls_of_relay_keep_their_attributes(op: ir.Op) -> None:
    ir.register_upgrade(op, former(op), 1, lambda args, attrs: ([], attrs))
    attrs = relay.SoftmaxAttrs(axis=1)
    text, data = stored(relay.Call(op, [relay.Var("x")], attrs), op)
    for loaded in (ir.load_json(text), ir.load_binary(data)):
        assert (list(loaded.args), loaded.attrs.axis) == ([], 1)


def test_another_number_of_arguments_is_refused_by_name(op: ir.Op) -> None:
    ir.register_upgrade(op, former(op), 2, lambda args, attrs: (args, attrs))
    text, _ = stored(tir.Call("int32", op, [ONE]), op)
    expected = (
        f"a stored call of `{former(op)}`, which is `{op.name}` now, must have 2 arguments, got 1"
    )
    with pytest.raises(ValueError, match=expected):
        ir.load_json(text)


def test_a_function_that_returns_something_else(op: ir.Op) -> None:
    ir.register_upgrade(op, former(op), 1, lambda _args, _attrs: 3)
    text, _ = stored(tir.Call("int32", op, [ONE]), op)
    with pytest.raises(TypeError, match="must return the arguments and the attributes"):
        ir.load_json(text)


def test_calls_that_are_taken(op: ir.Op) -> None:
    ir.register_upgrade(op, former(op), 1, lambda args, attrs: (args, attrs))
    for other, count in ((ir.register_op(ir.Op(f"{op.name}.b")), 2), (op, 1)):
        with pytest.raises(ValueError, match=f"are those of `{op.name}` already"):
            ir.register_upgrade(other, former(op), count, lambda args, attrs: (args, attrs))


def test_a_name_without_operator_is_refused_as_before(op: ir.Op) -> None:
    text, _ = stored(tir.Call("int32", op, [ONE]), op)
    with pytest.raises(ValueError, match=f"there is no operator `{former(op)}`"):
        ir.load_json(text)
