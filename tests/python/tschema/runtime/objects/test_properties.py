"""What holds for every graph: random ones of every type, made from the schema."""

from __future__ import annotations

from typing import Any

import pytest
import tvm_ffi
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tschema.runtime import (
    deep_copy,
    first_mismatch,
    load_binary,
    load_json,
    map,
    post_order,
    save_binary,
    save_json,
    structural_equal,
    structural_hash,
)
from tschema.runtime.protocols import field_text
from uir.ir import IntImm
from uir.tir import Var

from ....support.depth import DEPTH
from ....support.uir_graphs import GRAPHS

ROOTS = ("uir.tir.PrimFunc", "uir.tir.Stmt", "uir.ir.PrimExpr", "uir.ir.Type", "uir.ir.IRModule")
"""Which lead to objects of nearly every type."""

any_graph = st.sampled_from(ROOTS).flatmap(GRAPHS.objects)
several = settings(max_examples=20 * DEPTH, deadline=None, suppress_health_check=list(HealthCheck))


@several
@given(any_graph, any_graph, st.booleans())
def test_equality_and_hash_are_those_of_tvm_ffi(one: Any, other: Any, free: bool) -> None:
    expected = tvm_ffi.structural_equal(one, other, map_free_vars=free)
    assert structural_equal(one, other, map_free_vars=free) == expected
    assert (first_mismatch(one, other, map_free_vars=free) is None) == expected
    hashes = [structural_hash(node, map_free_vars=free) for node in (one, other)]
    assert hashes == [tvm_ffi.structural_hash(node, map_free_vars=free) for node in (one, other)]
    assert not expected or hashes[0] == hashes[1]


@several
@given(any_graph)
def test_other_names_of_variables_make_no_difference(root: Any) -> None:
    def rename(node: Any) -> Any:
        # Handles are keys of `buffer_map`, which no map enters.
        is_renamed = type(node) is Var and node.dtype != "handle"
        return Var(f"{node.name}_", node.dtype) if is_renamed else None

    renamed = map(root, rename)
    assert structural_equal(root, renamed, map_free_vars=True)
    assert tvm_ffi.structural_equal(root, renamed, map_free_vars=True)
    hashes = {structural_hash(node, map_free_vars=True) for node in (root, renamed)}
    assert len(hashes) == 1


@several
@given(any_graph, st.data())
def test_one_changed_field_is_found(root: Any, data: st.DataObject) -> None:
    constants = post_order(root, IntImm)
    if not constants:
        return
    chosen = data.draw(st.sampled_from(constants))
    before = save_json(root)

    def change(node: Any) -> Any:
        return IntImm(node.dtype, 1 - node.value) if node.same_as(chosen) else None

    try:
        changed = map(root, change)
    except (TypeError, ValueError):
        return  # Some node does not take the other constant.
    assert save_json(root) == before, "a shared node was written"
    assert not structural_equal(root, changed, map_free_vars=True)
    mismatch = first_mismatch(root, changed, map_free_vars=True)
    assert mismatch is not None
    if len(post_order(root)) == len(post_order(changed)):
        assert mismatch.text.endswith(f": {chosen.value} != {1 - chosen.value}"), mismatch.text


@several
@given(any_graph)
def test_what_is_saved_is_loaded(root: Any) -> None:
    for loaded in (load_json(save_json(root)), load_binary(save_binary(root)), deep_copy(root)):
        assert structural_equal(root, loaded, map_free_vars=True)
        assert field_text(loaded) == field_text(root)
        assert len(post_order(loaded)) == len(post_order(root)), "what is shared stays shared"
    assert save_binary(load_binary(save_binary(root))) == save_binary(root)
    assert save_json(load_json(save_json(root))) == save_json(root)


@several
@given(any_graph, st.data())
def test_no_part_of_a_file_is_loaded(root: Any, data: st.DataObject) -> None:
    text, binary = save_json(root), save_binary(root)
    for end in data.draw(st.lists(st.integers(0, len(text) - 1), max_size=40)):
        with pytest.raises((ValueError, TypeError), match=r"\(byte \d+"):
            load_json(text[:end])
    for end in range(len(binary)):
        with pytest.raises((ValueError, TypeError), match=r"\(byte \d+"):
            load_binary(binary[:end])


@several
@given(any_graph)
def test_nothing_changed_is_the_same_object(root: Any) -> None:
    assert map(root, lambda node: None).same_as(root)
    assert map(root, lambda node: node).same_as(root)
