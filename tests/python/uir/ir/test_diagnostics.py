"""Descriptions of objects in messages: short, on one line, for any contents."""

from __future__ import annotations

import tvm_ffi

from uir.ir import (
    DictAttrs,
    IntImm,
    PrimExpr,
    SourceName,
    Span,
    describe,
    object_address,
)
from uir.tir import Add, Var

from ..support import I32, X


def test_every_language_sees_one_address() -> None:
    assert object_address(I32) == I32.__chandle__()


def test_plain_values() -> None:
    values = [None, True, -3, 0.5, "text", tvm_ffi.dtype("int32x4")]
    assert [describe(value) for value in values] == [
        "None", "True", "-3", "0.5", '"text"', "int32x4",
    ]  # fmt: skip


def test_containers_are_cut_off() -> None:
    assert describe([1, 2, 3, 4, 5, 6]) == "[1, 2, 3, 4, ...]"
    assert describe([]) == "[]"
    assert describe({"a": 1}) == '{"a": 1}'
    assert describe([[[[1]]]]) == "[[[[...]]]]"
    assert describe(tvm_ffi.List([1])) == "[1]"
    assert describe(tvm_ffi.Dict({"a": [1]})) == '{"a": [1]}'


def test_long_texts_are_cut_off() -> None:
    assert describe("x" * 41) == f'"{"x" * 40}..."'


def test_nodes_without_spans_and_without_what_is_none() -> None:
    span = Span(SourceName("a.py"), 1, 1)
    assert describe(IntImm("int32", 3, span=span)) == "IntImm(dtype=int32, value=3)"
    assert describe(X) == 'Var(dtype=int32, name="x")'
    assert describe(DictAttrs({"a": 1})) == 'DictAttrs(dict={"a": 1})'


def test_deep_nodes_stay_short() -> None:
    expr: PrimExpr = Var("x")
    for _ in range(1000):
        expr = Add(expr, I32)
    text = describe(expr)
    assert text.startswith("Add(dtype=int32, a=Add(")
    assert len(text) < 400
    assert "\n" not in text
