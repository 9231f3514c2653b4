"""Compiled functions that read objects of tvm-ffi: fields, types, elements of arrays."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tvm_ffi

import uir
from uir import ir, script, tir, transform
from uir.ir import IntImm, IRModule
from uir.runtime import export_library
from uir.target import Target

from ...support.interpret import run
from ...support.process import run_python

MODULE = """
@uir.script.ir_module
class Module:
    @tir.prim_func
    def iterations(nest: tir.handle("uir.tir.Stmt")) -> tir.int64:
        rest = tir.alloc_buffer((1,), "handle")
        product = tir.alloc_buffer((1,), "int64")
        rest[0] = nest
        product[0] = tir.int64(1)
        while tir.is_object(rest[0], "uir.tir.For"):
            loop: tir.handle("uir.tir.For") = rest[0]
            extent: tir.handle("uir.ir.IntImm") = loop.extent
            product[0] = product[0] * extent.value
            rest[0] = loop.body
        tir.ret(product[0])

    @tir.prim_func
    def numbers(
        loop: tir.handle("uir.tir.For"),
        real: tir.handle("uir.ir.FloatImm"),
        info: tir.handle("uir.transform.PassInfo"),
        out: tir.Buffer((3,), "float64"),
    ):
        out[0] = tir.float64(loop.kind)
        out[1] = real.value
        out[2] = tir.float64(info.opt_level)

    @tir.prim_func
    def has_thread(loop: tir.handle("uir.tir.For")) -> tir.bool:
        tir.ret(not tir.isnullptr(loop.thread_binding))

    @tir.prim_func
    def thread_kind(loop: tir.handle("uir.tir.For")) -> tir.int32:
        axis: tir.handle("uir.tir.IterVar", nullable=True) = loop.thread_binding
        tir.ret(tir.if_then_else(tir.isnullptr(axis), -1, axis.iter_type))

    @tir.prim_func
    def strict_kind(loop: tir.handle("uir.tir.For")) -> tir.int32:
        tir.ret(loop.thread_binding.iter_type)

    @tir.prim_func
    def last(stmts: tir.handle("uir.tir.SeqStmt")) -> tir.handle("uir.tir.Stmt"):
        end: tir.int64 = tir.array_size(stmts.seq) - tir.int64(1)
        tir.ret(tir.array_item(stmts.seq, end, dtype="handle"))

    @tir.prim_func
    def sums(
        whole: tir.handle("ffi.Array"),
        real: tir.handle("ffi.Array"),
        out: tir.Buffer((2,), "float64"),
    ):
        out[0] = tir.float64(0)
        out[1] = tir.float64(0)
        for i in range(tir.array_size(whole)):
            out[0] = out[0] + tir.float64(tir.array_item(whole, i, dtype="int64"))
        for j in range(tir.array_size(real)):
            out[1] = out[1] + tir.array_item(real, j, dtype="float64")

    @tir.prim_func
    def depth(nest: tir.handle("uir.tir.Stmt", nullable=True)) -> tir.int32:
        if tir.is_object(nest, "uir.tir.For"):
            loop: tir.handle("uir.tir.For") = nest
            inner: tir.int32 = Module.depth(loop.body, dtype="int32")
            tir.ret(inner + 1)
        tir.ret(0)
"""
"""Recursion, nested references, numbers of several widths, null, arrays, objects as results."""

X, Y = tir.Var("i"), tir.Var("j")


def loop(extent: Any, body: tir.Stmt, thread: bool = False) -> tir.For:
    axis = tir.IterVar(tir.Var("t"), ir.Range(tir.const(0), tir.const(4)), 1, "threadIdx.x")
    kind = tir.ForKind.THREAD_BINDING if thread else tir.ForKind.SERIAL
    return tir.For(
        tir.Var("k"), tir.const(0), tir.as_expr(extent), kind, body, axis if thread else None
    )


LEAF = tir.Evaluate(X + Y)
NEST = loop(4, loop(3, loop(5, LEAF)))
THREAD = loop(4, LEAF, thread=True)


@pytest.fixture(scope="module")
def module() -> IRModule:
    parsed = script.parse(MODULE)
    assert isinstance(parsed, IRModule)
    assert tvm_ffi.structural_equal(script.parse(str(parsed)), parsed)
    return parsed


@pytest.fixture(scope="module")
def built(module: IRModule) -> tvm_ffi.Module:
    return uir.build(module)


@pytest.fixture(scope="module", params=["compiled", "interpreted", "interpreted by offsets"])
def call(request: Any, module: IRModule, built: tvm_ffi.Module) -> Callable[..., Any]:
    if request.param == "compiled":
        return lambda name, *args: built[name](*args)
    if request.param == "interpreted by offsets":
        module = transform.LowerObjectFields()(module)
    return lambda name, *args: run(module[name], *args, module=module)


def test_fields_are_read(call: Callable[..., Any]) -> None:
    assert call("iterations", NEST) == 60
    assert call("iterations", LEAF) == 1
    out = np.zeros(3)
    info = transform.LowerObjectFields().pass_info
    call("numbers", THREAD, ir.FloatImm("float32", 0.25), info, out)
    assert out.tolist() == [tir.ForKind.THREAD_BINDING, 0.25, 0]
    assert call("depth", NEST) == 3
    assert call("depth", None) == 0


def test_null_is_tested(call: Callable[..., Any]) -> None:
    assert [call("has_thread", node) for node in (NEST, THREAD)] == [False, True]
    assert [call("thread_kind", node) for node in (NEST, THREAD)] == [-1, 1]
    assert call("strict_kind", THREAD) == 1
    with pytest.raises(TypeError):
        call("strict_kind", NEST)


def test_arrays_are_read(call: Callable[..., Any]) -> None:
    last = call("last", tir.SeqStmt([LEAF, NEST, THREAD]))
    assert last.same_as(THREAD)
    out = np.zeros(2)
    call("sums", tvm_ffi.Array([1, 2**40]), tvm_ffi.Array([0.5, 2]), out)
    assert out.tolist() == [2**40 + 1, 2.5]


def test_the_caller_holds_what_is_returned(built: tvm_ffi.Module) -> None:
    nodes = tir.SeqStmt([LEAF, tir.Evaluate(X * 77)])
    found = built["last"](nodes)
    del nodes
    assert str(found) == "tir.evaluate(i * 77)"


def test_errors_name_what_was_expected_and_found(built: tvm_ffi.Module) -> None:
    out = np.zeros(2)
    one, text = tvm_ffi.Array([1]), tvm_ffi.Array(["a"])
    stmts = tir.SeqStmt([])
    for name, args, message in [
        (
            "iterations",
            (X + Y,),
            "iterations: `nest` must be a `uir.tir.Stmt`, got a `uir.tir.Add`",
        ),
        ("iterations", (None,), "iterations: `nest` must be a `uir.tir.Stmt`, got None"),
        ("iterations", (3,), "iterations: `nest` must be a `uir.tir.Stmt`, got an integer"),
        ("depth", ("x",), "depth: `nest` must be a `uir.tir.Stmt`, got a string"),
        ("sums", (one, {}, out), "sums: `real` must be a `ffi.Array`, got a dictionary"),
        ("sums", (text, one, out), "sums: element 0 of an array must be an integer, got a string"),
        (
            "iterations",
            (loop(X, LEAF),),
            "iterations: `loop.extent` must be a `uir.ir.IntImm`, got a `uir.tir.Var`",
        ),
        (
            "strict_kind",
            (NEST,),
            "strict_kind: `loop.thread_binding` must be a `uir.tir.IterVar`, got None",
        ),
    ]:
        with pytest.raises(TypeError, match=f"^{re.escape(message)}$"):
            built[name](*args)
    with pytest.raises(IndexError, match="^last: an array of 0 elements has none at -1$"):
        built["last"](stmts)


PROGRAM = """
import sys
import tvm_ffi
library = tvm_ffi.load_module(sys.argv[1])
try:
    library.value(tvm_ffi.Array([]))
except TypeError as error:
    print(error)
import uir
print(library.value(uir.ir.IntImm("int32", 7)))
"""
VALUE = """
@tir.prim_func
def value(number: tir.handle("uir.ir.IntImm")) -> tir.int64:
    tir.func_attr({"global_symbol": "value"})
    tir.ret(number.value)
"""


def test_a_library_finds_the_types_when_it_is_called(tmp_path: Path) -> None:
    export_library(uir.build(script.parse_function(VALUE)), tmp_path / "lib.so")
    printed = run_python(PROGRAM, tmp_path / "lib.so").splitlines()
    missing = "type `uir.ir.IntImm` is not registered; import the package that declares it"
    assert printed == [f"value: {missing}", "7"]


def test_another_layout_is_refused(tmp_path: Path) -> None:
    source = uir.build(script.parse_function(VALUE), Target("c", "generic")).inspect_source()
    assert "IntImm_value_ = 40" in source
    moved = uir.driver.compile_c(source.replace("IntImm_value_ = 40", "IntImm_value_ = 48"))
    with pytest.raises(
        TypeError, match="compiled for another layout of `uir.ir.IntImm`: field `va"
    ):
        moved.value(IntImm("int32", 7))
    wide = uir.driver.compile_c(source.replace("IntImm_value_, 8,", "IntImm_value_, 4,"))
    with pytest.raises(TypeError, match="another layout of `uir.ir.IntImm`"):
        wide.value(IntImm("int32", 7))


def test_versions_for_several_instruction_sets() -> None:
    library = uir.build(script.parse_function(VALUE), Target("c", "x86-64"))
    assert library.value(IntImm("int32", -5)) == -5


def test_references_have_a_data_type() -> None:
    with pytest.raises(TypeError, match="`dtype` and `type_annotation` of `x` must agree"):
        tir.Var("x", "int32", tir.reference_to("uir.tir.For"))
    for reader in (tir.array_size, lambda x: tir.is_object(x, "uir.tir.For")):
        with pytest.raises(TypeError, match="must be a `handle`, got `int32`"):
            reader(X)
