"""Equality and hash agree with tvm-ffi's; the first mismatch says where."""

from __future__ import annotations

from typing import Any

import pytest
import tvm_ffi

from tschema.ir.codec import decode
from tschema.ir.model import Schema
from tschema.runtime import (
    Mismatch,
    first_mismatch,
    structural_equal,
    structural_hash,
)
from uir import ir
from uir.ir import IntImm
from uir.tir import Add, Bind, Evaluate, For, ForKind, Let, SeqStmt, Var

from ....nodes import python
from ....nodes.samples import SAMPLES
from ....support.project import ROOT

X, Y = Var("x", "int32"), Var("y", "int32")


@pytest.fixture(scope="module")
def again() -> dict[str, Any]:
    """Make all samples anew."""
    schema: Schema = decode((ROOT / "generated" / "schema.json").read_bytes())
    return python.make(schema, SAMPLES)


@pytest.fixture(scope="module")
def comparable(nodes: dict[str, Any]) -> dict[str, Any]:
    """Return the samples whose types have structural behaviour."""
    return {name: node for name, node in nodes.items() if _is_comparable(node)}


def _is_comparable(node: Any) -> bool:
    try:
        structural_equal(node, node)
    except TypeError as error:
        with pytest.raises(TypeError):
            tvm_ffi.structural_equal(node, node)
        assert "has no structural behaviour" in str(error)
        return False
    return True


def test_a_type_without_structural_behaviour_is_refused(nodes: dict[str, Any]) -> None:
    for function in (structural_equal, first_mismatch):
        with pytest.raises(TypeError, match=r"`uir\.transform\.PassInfo`"):
            function(nodes["info"], nodes["info"])
    with pytest.raises(TypeError, match=r"uir\.transform\.PassInfo"):
        structural_hash(nodes["info"])


@pytest.mark.parametrize("map_free_vars", [False, True])
def test_every_type_compares_and_hashes_as_tvm_ffi_does(
    comparable: dict[str, Any], again: dict[str, Any], map_free_vars: bool
) -> None:
    for name, node in comparable.items():
        for other in (node, again[name]):
            assert structural_equal(
                node, other, map_free_vars=map_free_vars
            ) == tvm_ffi.structural_equal(node, other, map_free_vars=map_free_vars), name
        assert structural_hash(node, map_free_vars=map_free_vars) == tvm_ffi.structural_hash(
            node, map_free_vars=map_free_vars
        ), name


def test_samples_of_different_types_differ(comparable: dict[str, Any]) -> None:
    for one in comparable.values():
        for other in comparable.values():
            expected = tvm_ffi.structural_equal(one, other)
            assert structural_equal(one, other) == expected
            assert (first_mismatch(one, other) is None) == expected


def test_bound_variables_are_equal_by_place() -> None:
    one = Let(X, IntImm("int32", 1), X + X)
    other = Let(Y, IntImm("int32", 1), Y + Y)
    assert structural_equal(one, other)
    assert structural_hash(one) == structural_hash(other)
    assert not structural_equal(one, Let(Y, IntImm("int32", 1), Y + X))


def test_free_variables_are_mapped_if_asked() -> None:
    assert not structural_equal(X + 1, Y + 1)
    assert structural_equal(X + 1, Y + 1, map_free_vars=True)
    assert structural_hash(X + 1, map_free_vars=True) == structural_hash(Y + 1, map_free_vars=True)
    assert not structural_equal(X + Y, X + X, map_free_vars=True)


def test_plain_values_and_containers() -> None:
    assert structural_equal([1, {"a": X}], [1, {"a": X}])
    assert not structural_equal([1, 2], [1, 3])
    assert structural_hash("text") == tvm_ffi.structural_hash("text")
    assert 0 <= structural_hash([1, "x"]) < 2**64


def test_the_first_mismatch_says_where() -> None:
    zero, one = IntImm("int32", 0), IntImm("int32", 1)
    body = SeqStmt([Bind(X, zero), Evaluate(X)])
    other = SeqStmt([Bind(X, zero), Evaluate(Add(X, one))])
    left, right = (For(Y, zero, one, ForKind.SERIAL, stmt) for stmt in (body, other))
    mismatch = first_mismatch(left, right)
    assert isinstance(mismatch, Mismatch)
    assert str(mismatch) == "<root>.body.seq[1].value: `uir.tir.Var` != `uir.tir.Add`"
    assert [step.key for step in mismatch.lhs] == ["body", "seq", 1, "value"]
    assert [step.key for step in mismatch.rhs] == [step.key for step in mismatch.lhs]
    assert first_mismatch(left, left) is None


def test_uir_exports_them() -> None:
    assert ir.structural_equal is structural_equal
    assert ir.structural_hash is structural_hash
    assert ir.first_mismatch is first_mismatch
