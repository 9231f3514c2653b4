"""Tensor-level functions: parameters that are distinct, and buffers behind some of them."""

from __future__ import annotations

import pytest
import tvm_ffi

from uir import script
from uir.ir import (
    DictAttrs,
    FuncType,
    PointerType,
    PrimType,
    TupleType,
    first_mismatch,
    load_json,
    save_json,
    structural_equal,
    structural_hash,
)
from uir.tir import Evaluate, PrimFunc, SizeVar, Var, decl_buffer

from ..support import I32, X, Y, buffer, refuses

BODY = Evaluate(I32)
ADDRESS = Var("p", "handle", PointerType(PrimType("float32")))


def test_defaults() -> None:
    func = PrimFunc([], BODY)
    assert isinstance(func.ret_type, TupleType)
    assert len(func.ret_type.fields) == 0
    assert func.attrs is not None
    assert func.checked_type is None


def test_parameters_are_distinct() -> None:
    with refuses(ValueError, "PrimFunc: `params` must be distinct, got `x` twice"):
        PrimFunc([X, Y, X], BODY)
    assert len(PrimFunc([Var("x"), Var("x")], BODY).params) == 2


def test_buffers_stand_behind_parameters() -> None:
    made = buffer(I32)
    assert PrimFunc([ADDRESS], BODY, {ADDRESS: made}).buffer_map[ADDRESS].same_as(made)
    with refuses(ValueError, "PrimFunc: the keys of `buffer_map` must be `params`, got `p`"):
        PrimFunc([X], BODY, {ADDRESS: made})
    with refuses(
        TypeError,
        "PrimFunc: operand `buffer_map` must be a `handle` for a buffer, got `int32` "
        '(buffer_map = Var(dtype=int32, name="x"))',
    ):
        PrimFunc([X], BODY, {X: made})


@pytest.mark.parametrize("name", ["loaded", "parsed"])
def test_attributes_use_what_parameters_bind(name: str) -> None:
    n = SizeVar("n", "int32")
    handle = Var("A", "handle")
    made = decl_buffer([n], "float32", "A")
    func = PrimFunc([handle, X], BODY, {handle: made}, attrs=DictAttrs({"extent": n * 2, "x": X}))
    copy = (
        script.parse_function(script.print(func))
        if name == "parsed"
        else load_json(save_json(func))
    )
    assert structural_equal(copy, func), first_mismatch(copy, func)
    assert structural_hash(copy) == structural_hash(func)
    assert tvm_ffi.structural_equal(copy, func)
    other = PrimFunc([handle, X], BODY, {handle: made}, attrs=DictAttrs({"extent": n * 3, "x": X}))
    assert not structural_equal(copy, other)
    mismatch = first_mismatch(func, other)
    assert mismatch is not None and ".attrs" in str(mismatch.text)


def test_func_type() -> None:
    func_type = PrimFunc([X, ADDRESS], BODY, ret_type=PrimType("int32")).func_type()
    assert isinstance(func_type, FuncType)
    scalar, pointer = func_type.arg_types
    assert isinstance(scalar, PrimType) and scalar.dtype == "int32"
    assert pointer.same_as(ADDRESS.type_annotation)
    assert isinstance(func_type.ret_type, PrimType)
    assert len(PrimFunc([], BODY).func_type().arg_types) == 0
