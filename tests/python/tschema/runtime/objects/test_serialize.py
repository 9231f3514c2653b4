"""What is saved is loaded again, by us and by tvm-ffi; what is malformed is refused."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
import tvm_ffi
from tvm_ffi.serialization import from_json_graph_str, to_json_graph_str

from tschema.runtime import (
    load_binary,
    load_json,
    save_binary,
    save_json,
    structural_equal,
)
from uir import ir
from uir.tir import Add, Var

from .conftest import holds_tensors, is_interned, leads_to_function, same


def test_every_type_is_loaded_as_it_was(node: Any) -> None:
    if leads_to_function(node):
        for save in (save_json, save_binary):
            with pytest.raises(TypeError, match=r"ffi\.Function"):
                save(node)
        return
    for loaded in (load_json(save_json(node)), load_binary(save_binary(node))):
        assert same(node, loaded)
        assert node.same_as(loaded) == is_interned(node)


def test_json_is_that_of_tvm_ffi(node: Any) -> None:
    if leads_to_function(node):
        return
    assert same(node, from_json_graph_str(save_json(node)))
    if holds_tensors(node):
        with pytest.raises(TypeError, match=r"`ffi\.Tensor` does not support ToJSONGraph"):
            to_json_graph_str(node)
        return
    assert same(node, load_json(to_json_graph_str(node)))


@pytest.mark.parametrize(
    "make",
    [
        lambda tensor: ir.DictAttrs({"a": tensor, "again": [tensor, {"b": tensor}]}),
        lambda tensor: tvm_ffi.convert([ir.DictAttrs({"a": tensor}), tensor]),
        lambda tensor: tensor,
    ],
)
def test_tvm_ffi_reads_tensors_in_fields_of_any_type(make: Any) -> None:
    """Without a hook of the saved type, its reader refuses them, and crashed before 0.1.15."""
    value = make(tvm_ffi.from_dlpack(np.arange(6, dtype="int16").reshape(2, 3)))
    text = save_json(value)
    assert json.loads(text)["nodes"][-1]["type"] != "ffi.Tensor"
    for loaded in (from_json_graph_str(text), load_json(text)):
        assert structural_equal(value, loaded)
    assert structural_equal(value, load_json(text.replace("tschema.Tensor", "ffi.Tensor")))


def test_shared_objects_stay_shared() -> None:
    shared = Var("x", "int32") + 1
    for loaded in (
        load_json(save_json(Add(shared, shared))),
        load_binary(save_binary(Add(shared, shared))),
    ):
        assert loaded.a.same_as(loaded.b)


def test_plain_values_and_containers() -> None:
    for value in (None, True, 5, 0.5, "text", b"\0bytes"):
        assert load_json(save_json(value)) == value
        assert load_binary(save_binary(value)) == value
    assert list(load_binary(save_binary([1, "x"]))) == [1, "x"]


def test_results_are_plain_python() -> None:
    assert type(save_json(1)) is str
    assert type(save_binary(1)) is bytes
    assert isinstance(json.loads(save_json(Var("x", "int32"))), dict)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"root_index":9,"nodes":[]}'])
def test_malformed_json_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        load_json(text)


def test_malformed_bytes_are_refused() -> None:
    data = save_binary(Var("x", "int32") + 1)
    for end in (0, 1, len(data) // 2, len(data) - 1):
        with pytest.raises((ValueError, TypeError)):
            load_binary(data[:end])


def test_uir_exports_them() -> None:
    for function in (save_json, load_json, save_binary, load_binary):
        assert getattr(ir, function.__name__) is function


def test_a_container_of_nodes() -> None:
    x = Var("x", "int32")
    loaded = load_binary(save_binary(tvm_ffi.Map({"a": x, "b": tvm_ffi.Array([x])})))
    assert loaded["b"][0].same_as(loaded["a"])
