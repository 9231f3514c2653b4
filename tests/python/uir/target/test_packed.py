"""Calls of global functions of tvm-ffi from compiled code."""

from __future__ import annotations

import re
import threading
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tvm_ffi

import uir
from uir import ir, relay, script, tir
from uir.ir import ExternFunc, IntImm, IRModule, StringImm
from uir.runtime import export_library
from uir.target import Target

MODULE = """
@uir.script.ir_module
class Module:
    @tir.prim_func
    def every_kind(
        A: tir.Buffer((n, 3), "float32"), B: tir.Buffer((4,), "int8"), k: tir.int16, x: tir.float32,
        flag: tir.bool, node: tir.handle("uir.ir.PrimExpr", nullable=True), p: tir.handle
    ):
        n = tir.SizeVar("n", "int32")
        tir.call_packed("test_packed.see", A, B, k, x, flag, node, p, "text", tir.int64(2) * n)

    @tir.prim_func
    def scale_rows(A: tir.Buffer((n, 3), "float32")):
        n = tir.SizeVar("n", "int32")
        C = tir.alloc_buffer((n, 3), "float32")
        for i, j in tir.grid(n, 3):
            C[i, j] = A[i, j] + 1.0
        tir.call_packed("test_packed.scale", C, tir.float32(2))
        for i, j in tir.grid(n, 3):
            A[i, j] = C[i, j]

    @tir.prim_func
    def sum_of_calls(n: tir.int32) -> tir.float64:
        total = tir.alloc_buffer((1,), "float64")
        total[0] = 0.0
        for i in range(n):
            total[0] = total[0] + tir.call_packed("test_packed.number", i, dtype="float64")
        tir.ret(total[0])

    @tir.prim_func
    def failing(depth: tir.int32) -> tir.int32:
        big = tir.alloc_buffer((100000,), "float32")
        big[0] = 1.0
        tir.ret(tir.call_packed("test_packed.fail", depth, tir.int32(big[0])))

    @tir.prim_func
    def integer() -> tir.int64:
        tir.ret(tir.call_packed("test_packed.answer", dtype="int64"))

    @tir.prim_func
    def boolean() -> tir.bool:
        tir.ret(tir.call_packed("test_packed.answer", dtype="bool"))

    @tir.prim_func
    def pointer() -> tir.bool:
        tir.ret(tir.isnullptr(tir.call_packed("test_packed.answer", dtype="handle")))

    @tir.prim_func
    def unused():
        tir.call_packed("test_packed.answer")
"""


class Functions:
    """What the global functions do, and what they saw."""

    seen: tuple[Any, ...] = ()
    answer: Any = None

    def see(self, a: Any, b: Any, *rest: Any) -> None:
        arrays = [np.from_dlpack(tensor).copy() for tensor in (a, b)]
        self.seen = (*arrays, *rest)

    def scale(self, tensor: Any, factor: float) -> None:
        array = np.from_dlpack(tensor)
        array *= factor

    def number(self, i: int) -> float | int:
        return 0.5 if i % 2 else i

    def fail(self, depth: int, _one: int) -> int:
        if depth == 0:
            raise KeyError("not there")
        return depth


@pytest.fixture(scope="module")
def functions() -> Iterator[Functions]:
    state = Functions()
    for name in ("see", "scale", "number", "fail"):
        tvm_ffi.register_global_func(f"test_packed.{name}", getattr(state, name))
    tvm_ffi.register_global_func("test_packed.answer", lambda: state.answer)
    yield state
    for name in ("see", "scale", "number", "fail", "answer"):
        tvm_ffi.registry.remove_global_func(f"test_packed.{name}")


@pytest.fixture(scope="module")
def module() -> IRModule:
    parsed = script.parse(MODULE)
    assert isinstance(parsed, IRModule)
    assert tvm_ffi.structural_equal(script.parse(str(parsed)), parsed)
    return parsed


@pytest.fixture(scope="module")
def built(module: IRModule, functions: Functions) -> tvm_ffi.Module:
    return uir.build(module)


def test_arguments_of_every_kind(built: tvm_ffi.Module, functions: Functions) -> None:
    a, b = np.arange(6, dtype="float32").reshape(2, 3), np.arange(4, dtype="int8")
    node = IntImm("int32", 7)
    for value in (node, None):
        built.every_kind(a, b, -3, 0.25, True, value, None)
        arrays, rest = functions.seen[:2], functions.seen[2:]
        assert [array.dtype for array in arrays] == ["float32", "int8"]
        assert (arrays[0] == a).all() and (arrays[1] == b).all()
        same = rest[3] is None if value is None else rest[3].same_as(node)
        assert same and type(rest[2]) is bool
        assert (*rest[:3], *rest[4:]) == (-3, 0.25, True, None, "text", 4)


def test_a_function_writes_to_a_tensor(built: tvm_ffi.Module) -> None:
    a = np.ones((4, 3), "float32")
    built.scale_rows(a)
    assert (a == 4).all()


def test_results(built: tvm_ffi.Module, functions: Functions) -> None:
    assert built.sum_of_calls(5) == 0 + 0.5 + 2 + 0.5 + 4
    for answer, name, expected in [
        (2**40, "integer", 2**40),
        (True, "integer", 1),
        (False, "boolean", False),
        (3, "boolean", True),
        (None, "pointer", True),
    ]:
        functions.answer = answer
        assert built[name]() == expected
    for answer, name, message in [
        (None, "integer", "must return an integer, got None"),
        (1.5, "integer", "must return an integer, got a floating-point number"),
        ("x", "boolean", "must return a boolean, got a string"),
        (IntImm("int32", 1), "pointer", "must return a pointer or None, got an object of another"),
    ]:
        functions.answer = answer
        with pytest.raises(TypeError, match=f"global function `test_packed.answer` {message}"):
            built[name]()
        built.unused()


def test_results_that_are_not_used_are_released(
    built: tvm_ffi.Module, functions: Functions
) -> None:
    functions.answer = node = StringImm("kept only here")
    before = count_of(node)
    for _ in range(5):
        built.unused()
        with pytest.raises(TypeError):
            built.integer()
    assert count_of(node) == before


def count_of(node: tvm_ffi.Object) -> int:
    """Return the number of references to an object."""
    import ctypes

    address = node.__chandle__()
    return ctypes.c_uint32.from_address(address).value


def test_errors_cross_with_their_frames(built: tvm_ffi.Module) -> None:
    assert built.failing(7) == 7
    with pytest.raises(KeyError, match="not there") as raised:
        built.failing(0)
    names = [frame.name for frame in traceback.extract_tb(raised.value.__traceback__)]
    assert "fail" in names and names[0] == "test_errors_cross_with_their_frames"


def test_several_threads_call(built: tvm_ffi.Module) -> None:
    sums: list[float] = []
    threads = [
        threading.Thread(target=lambda: sums.append(built.sum_of_calls(200))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sums == [sum(range(0, 200, 2)) + 50] * 4


def test_a_library_is_not_written(
    built: tvm_ffi.Module, functions: Functions, tmp_path: Path
) -> None:
    names = ", ".join(
        f"`test_packed.{name}`" for name in ("answer", "fail", "number", "scale", "see")
    )
    for ending in ("so", "o", "c", "tar"):
        with pytest.raises(ValueError, match=f"it calls global functions {names}, which only this"):
            export_library(built, tmp_path / f"lib.{ending}")
    other = uir.build(script.parse_function("@tir.prim_func\ndef f(x: tir.int32):\n    tir.ret(x)"))
    other.import_module(built)
    with pytest.raises(ValueError, match="calls global functions"):
        export_library(other, tmp_path / "lib.so")
    assert not list(tmp_path.iterdir())


def test_functions_that_do_not_exist(functions: Functions) -> None:
    def build(call: str) -> None:
        uir.build(script.parse_function(f"@tir.prim_func\ndef f(x: tir.int32):\n    {call}"))

    for call, message in [
        (
            'tir.call_packed("test_packed.sea", x)',
            "global function `test_packed.sea` is not regist",
        ),
        ('tir.call_packed("test_packed.scal", x)', "did you mean `test_packed.scale`"),
        (
            'tir.call_extern("int32", "absent_symbol", x)',
            "external function `absent_symbol` has no source, is not a registered global function, "
            "and no loaded library defines it",
        ),
    ]:
        with pytest.raises(ValueError, match=re.escape(message)):
            build(call)
    build('tir.call_extern("int32", "abs", x)')


def relay_module(name: str) -> relay.Function:
    n = tir.SizeVar("n", "int32")
    rows = ir.TensorType([n, tir.const(3)], "float32")
    x = relay.Var("x", rows)
    call = relay.call_destination_passing(ExternFunc(name), [relay.exp(x)], rows)
    return relay.Function([x], relay.Block([], relay.negative(call)))


def test_functions_of_python_are_called_from_networks(tmp_path: Path) -> None:
    shapes = []

    def double(source: Any, target: Any) -> None:
        shapes.append(tuple(source.shape))
        np.from_dlpack(target)[...] = 2 * np.from_dlpack(source)

    tvm_ffi.register_global_func("test_packed.double", double)
    try:
        module = uir.build(relay_module("test_packed.double"))
        x = np.arange(6, dtype="float32").reshape(2, 3)
        np.testing.assert_allclose(np.from_dlpack(module.main(x)), -2 * np.exp(x), rtol=1e-6)
        assert shapes == [(2, 3)]
        message = "it calls the global function `test_packed.double`, which only this process has"
        with pytest.raises(ValueError, match=message):
            export_library(module, tmp_path / "lib.so")
        with pytest.raises(ValueError, match="did you mean `test_packed.double`"):
            uir.build(relay_module("test_packed.doubel"))
    finally:
        tvm_ffi.registry.remove_global_func("test_packed.double")
    with pytest.raises(ValueError, match="external function `no_such_symbol` has no source"):
        uir.build(relay_module("no_such_symbol"))


def test_other_processors(functions: Functions) -> None:
    text = '@tir.prim_func\ndef f(x: tir.int32):\n    tir.call_packed("test_packed.number", x)'
    assert uir.build(script.parse_function(text), Target("c", "x86-64")).f(3) is None
