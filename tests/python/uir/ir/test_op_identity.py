"""An operator is one object for each name, whichever way it comes: files, pickles, copies."""

from __future__ import annotations

import copy
import json
import pickle
import re
from collections.abc import Callable
from typing import Any

import pytest
import tvm_ffi
from tvm_ffi.serialization import from_json_graph_str, to_json_graph_str

from uir import ir
from uir.ir import Op, get_op
from uir.tir import Call

WAYS: dict[str, Callable[[Any], Any]] = {
    "json": lambda value: ir.load_json(ir.save_json(value)),
    "binary": lambda value: ir.load_binary(ir.save_binary(value)),
    "pickle": lambda value: pickle.loads(pickle.dumps(value)),
    "deepcopy": copy.deepcopy,
    "ffi json": lambda value: from_json_graph_str(to_json_graph_str(value)),
    "ours to ffi": lambda value: from_json_graph_str(ir.save_json(value)),
    "ffi to ours": lambda value: ir.load_json(to_json_graph_str(value)),
}


@pytest.mark.parametrize("way", WAYS)
def test_the_registered_operator_comes_back(way: str) -> None:
    op = get_op("tir.exp")
    assert WAYS[way](op).same_as(op)
    call = Call("float32", op, [ir.FloatImm("float32", 1.0)])
    found = WAYS[way](call)
    assert found.op.same_as(op)
    assert not found.same_as(call)
    assert ir.structural_equal(found, call)


def test_files_hold_the_name() -> None:
    nodes = json.loads(ir.save_json(get_op("tir.exp")))["nodes"]
    assert nodes == [{"type": "uir.ir.Op", "data": "tir.exp"}]


def test_an_operator_that_is_not_registered_is_refused_where_it_stands() -> None:
    text = ir.save_json(get_op("tir.exp")).replace("tir.exp", "tir.gone")
    message = "there is no operator `tir.gone` (byte 67, node 0 of type `uir.ir.Op`)"
    with pytest.raises(ValueError, match=re.escape(message)):
        ir.load_json(text)
    with pytest.raises(ValueError, match=r"no operator `tests\.gone` \(byte \d+, value 0 of type"):
        ir.load_binary(ir.save_binary(Op("tests.gone")))


def test_a_name_is_a_string() -> None:
    text = ir.save_json(get_op("tir.exp")).replace('"tir.exp"', "7")
    with pytest.raises(TypeError, match=r"name of an object is expected, not `int` \(byte 67"):
        ir.load_json(text)


def test_a_deep_copy_shares_operators_that_are_not_registered() -> None:
    op = Op("tests.local")
    assert copy.deepcopy(Call("float32", op, [])).op.same_as(op)


def test_copies_of_containers_are_made_by_tvm_ffi() -> None:
    # tvm-ffi has no hook for its own deep copy, which knows only of enum objects that they are one.
    op = get_op("tir.exp")
    assert not copy.deepcopy(tvm_ffi.Array([op]))[0].same_as(op)
    assert ir.deep_copy(tvm_ffi.Array([op]))[0].same_as(op)
