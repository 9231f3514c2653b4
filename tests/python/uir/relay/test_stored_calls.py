"""Calls that were stored before their operator got further operands and attributes."""

from __future__ import annotations

import json

import pytest

from tschema.runtime import load_binary, load_json, save_binary, save_json
from uir import ir, relay


@pytest.fixture
def call() -> relay.Call:
    """Return a convolution without a bias."""
    data = relay.Var("data", relay.Tensor((1, 3, 8, 8), "float32"))
    weight = relay.Var("weight", relay.Tensor((4, 3, 3, 3), "float32"))
    return relay.conv(data, weight)


def without(call: relay.Call, *, operands: int, attributes: tuple[str, ...] = ()) -> str:
    """Return a call as JSON of a version with fewer operands and attributes."""
    document = json.loads(save_json(call))
    nodes = document["nodes"]
    fields = next(one["data"] for one in nodes if one["type"] == "uir.relay.Call")
    args = nodes[fields["args"]]
    args["data"] = args["data"][:operands]
    attrs = next(one["data"] for one in nodes if one["type"] == "uir.relay.ConvAttrs")
    for name in attributes:
        del attrs[name]
    return json.dumps(document)


def test_an_optional_operand_and_an_attribute_were_added(call: relay.Call) -> None:
    loaded = load_json(without(call, operands=2, attributes=("groups", "dilations")))
    assert ir.structural_equal(loaded, call, map_free_vars=True)
    assert len(loaded.args) == 3
    assert loaded.attrs.groups == 1


def test_a_call_that_is_made_with_fewer_operands(call: relay.Call) -> None:
    made = relay.Call(call.op, list(call.args)[:2], call.attrs)
    assert ir.structural_equal(load_binary(save_binary(made)), call, map_free_vars=True)


def test_a_required_operand_that_misses_is_an_error(call: relay.Call) -> None:
    with pytest.raises(TypeError, match=r"^relay\.conv: a call must have 3 operands, got 1 \(byte"):
        load_json(without(call, operands=1))
