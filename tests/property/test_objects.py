"""The engines keep their promises on random graphs: equality, hash, saving, loading, copies, maps.

Each test runs on several root types, whose graphs lead to all others.  `TSCHEMA_DEPTH=<times>`
tries as many times the examples.
"""

from __future__ import annotations

import copy
import pickle
import re
from typing import Any

import pytest
import tvm_ffi
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st
from tvm_ffi.serialization import from_json_graph_str, to_json_graph_str

import tschema.runtime as runtime
from tests.python.support.depth import DEPTH
from tests.python.support.uir_graphs import GRAPHS
from tschema.runtime import (
    deep_copy,
    first_mismatch,
    load_binary,
    load_json,
    post_order,
    save_binary,
    save_json,
    structural_equal,
    structural_hash,
)
from uir.ir import GlobalVar, IntImm, IRModule, Op
from uir.tir import Buffer, Evaluate, PrimFunc, Var

from .changes import Place, change, places

EXAMPLES = 5 * DEPTH
ROOTS = [
    "uir.ir.PrimExpr",
    "uir.tir.Stmt",
    "uir.ir.BaseFunc",
    "uir.ir.IRModule",
    "uir.ir.Type",
]
roots = pytest.mark.parametrize("key", ROOTS)
many = settings(
    max_examples=EXAMPLES,
    deadline=None,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
"""Shrinking a graph takes long; what fails is shown as it was drawn."""

SUBNORMAL = re.compile(r"e-3(0[89]|[1-9]\d)\b")
"""The exponent of a number that may be below the least normal one, 2.2e-308."""

Data = st.DataObject


def graph(data: Data, key: str) -> Any:
    return data.draw(GRAPHS.objects(key, max_depth=3))


def alike(one: Any, other: Any) -> bool:
    """Return whether an object came back unchanged, although its variables are other ones."""
    return type(one) is type(other) and structural_equal(one, other, map_free_vars=True)


def assert_as_tvm_ffi(one: Any, other: Any) -> None:
    """Check both ways of comparing, the hashes and the mismatch against tvm-ffi's."""
    for mode in (False, True):
        equal = structural_equal(one, other, map_free_vars=mode)
        assert equal == tvm_ffi.structural_equal(one, other, map_free_vars=mode)
        assert equal == (first_mismatch(one, other, map_free_vars=mode) is None)
        hashes = [structural_hash(each, map_free_vars=mode) for each in (one, other)]
        assert hashes == [
            tvm_ffi.structural_hash(each, map_free_vars=mode) for each in (one, other)
        ]
        if equal:
            assert hashes[0] == hashes[1]


@roots
@many
@given(data=st.data())
def test_equality_and_hash_are_those_of_tvm_ffi(key: str, data: Data) -> None:
    one, other = graph(data, key), graph(data, key)
    for another in (one, other, deep_copy(one)):
        assert_as_tvm_ffi(one, another)


@roots
@many
@given(data=st.data())
def test_a_copy_is_equal_and_shares_nothing(key: str, data: Data) -> None:
    one = graph(data, key)
    assert alike(one, deep_copy(one))
    objects, copies = post_order(one), post_order(deep_copy(one))
    assert {each.__chandle__() for each in objects}.isdisjoint(
        each.__chandle__() for each in copies
    )
    assert len(objects) == len(copies)


@many
@given(data=st.data())
def test_renaming_bound_variables_is_equal(data: Data) -> None:
    """A function binds all variables; a copy of it binds new ones."""
    body = Evaluate(graph(data, "uir.ir.PrimExpr"))
    assume(not post_order(body, GlobalVar, Op, Buffer))
    closed = PrimFunc(post_order(body, Var), body)
    renamed = deep_copy(closed)
    assert not any(map(Var.same_as, closed.params, renamed.params))
    assert_as_tvm_ffi(closed, renamed)
    assert structural_equal(closed, renamed)


def load_changed(data: Data, one: Any, *, ignored: bool) -> tuple[Place, Any]:
    """Change a plain field of an object; what its constructors refuse is another example's."""
    saved = save_json(one)
    known = places(saved, GRAPHS.schema, ignored=ignored)
    assume(known)
    place = data.draw(st.sampled_from(known))
    try:
        other = load_json(change(saved, place))
    except (TypeError, ValueError):
        assume(False)
        raise
    # Constructors bring some values to one form, such as the data types of constant dimensions.
    assume(save_json(other) != saved)
    return place, other


def follow(root: Any, steps: Any) -> Any:
    """Return what a path leads to."""
    for step in steps:
        is_field = step.kind == tvm_ffi.access_path.AccessKind.ATTR
        root = getattr(root, step.key) if is_field else root[step.key]
    return root


@roots
@many
@given(data=st.data())
def test_a_changed_field_is_unequal_and_the_path_names_it(key: str, data: Data) -> None:
    one = graph(data, key)
    place, other = load_changed(data, one, ignored=False)
    assert_as_tvm_ffi(one, other)
    mismatch = first_mismatch(one, other, map_free_vars=True)
    assert mismatch is not None
    assert mismatch.lhs[-1].key in {place.field.name, *derived_fields()}
    if not isinstance(one, IRModule):  # Whose own method compares its functions in their order.
        assert follow(one, mismatch.lhs) != follow(other, mismatch.rhs)


def derived_fields() -> set[str]:
    """Return the fields that constructors compute, from others that may have changed."""
    return {
        field.name
        for space in GRAPHS.schema.all_namespaces()
        for type_ in space.types
        for field in type_.fields
        if not field.init
    }


@roots
@many
@given(data=st.data())
def test_a_changed_field_that_is_ignored_is_equal(key: str, data: Data) -> None:
    one = graph(data, key)
    _, other = load_changed(data, one, ignored=True)
    assert alike(one, other)
    assert_as_tvm_ffi(one, other)


@roots
@many
@given(data=st.data())
def test_what_is_saved_is_loaded(key: str, data: Data) -> None:
    one = graph(data, key)
    text, packed = save_json(one), save_binary(one)
    for loaded in (load_json(text), load_binary(packed)):
        assert alike(one, loaded)
        assert (save_json(loaded), save_binary(loaded)) == (text, packed)


@roots
@many
@given(data=st.data())
def test_json_is_that_of_tvm_ffi(key: str, data: Data) -> None:
    one = graph(data, key)
    theirs = to_json_graph_str(one)
    assert alike(one, load_json(theirs))
    # It writes subnormal numbers, and refuses to read them.
    assume(not SUBNORMAL.search(theirs))
    assert alike(one, from_json_graph_str(save_json(one)))


@roots
@many
@given(data=st.data())
def test_python_copies_and_pickles(key: str, data: Data) -> None:
    one = graph(data, key)
    for other in (pickle.loads(pickle.dumps(one)), copy.copy(one), copy.deepcopy(one)):
        assert alike(one, other)
        assert not one.same_as(other)


@roots
@many
@given(data=st.data())
def test_a_map_that_changes_nothing_returns_the_same_object(key: str, data: Data) -> None:
    one = graph(data, key)
    assert runtime.map(one, lambda node: None).same_as(one)
    assert runtime.map(one, lambda node: node).same_as(one)


@roots
@many
@given(data=st.data())
def test_a_map_never_touches_the_original(key: str, data: Data) -> None:
    one = graph(data, key)
    before, saved = deep_copy(one), save_json(one)

    def change_constant(node: Any) -> Any:
        return IntImm(node.dtype, node.value ^ 1) if isinstance(node, IntImm) else None

    try:
        mapped = runtime.map(one, change_constant)
    except ValueError:
        pass  # A check of a copy refused the new constant.
    else:
        assert mapped.same_as(one) == (not post_order(one, IntImm))
        assert structural_equal(one, mapped) == mapped.same_as(one)
    assert save_json(one) == saved
    assert alike(before, one)
