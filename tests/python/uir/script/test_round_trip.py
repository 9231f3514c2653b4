"""Printing and parsing undo each other: random objects of every type, and the text of the text."""

from __future__ import annotations

import itertools
import math
import struct
from typing import Any

import pytest
import tvm_ffi
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tschema.ir.codec import decode
from uir import ir, script, te, tir

from ...support.depth import DEPTH
from ...support.project import ROOT
from ...support.uir_graphs import GRAPHS

SCHEMA = decode((ROOT / "generated" / "schema.json").read_bytes())

KEYS = sorted(
    type_.key
    for space in SCHEMA.namespaces
    for type_ in space.types
    # Values that cannot be compared do not occur in programs; operators are the registered ones.
    if not type_.options.abstract and type_.options.structural is not None
    # A tensor is what its operation says, which random values do not; `test_tensors` has some.
    # Constants hold tensors of elements, which a schema does not describe.
    if type_.key not in ("uir.ir.Op", "uir.te.Tensor", "uir.relay.Constant")
)


def check(value: Any) -> None:
    text = script.print(value)
    parsed = script.parse_value(text)
    value = tvm_ffi.convert(value)
    difference = ir.first_mismatch(value, parsed, map_free_vars=True)
    assert difference is None, f"{difference}\n{text}\n{script.print(parsed)}"
    assert script.print(parsed) == text


@pytest.mark.parametrize("key", KEYS)
@settings(max_examples=3 * DEPTH, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_random_objects(key: str, data: st.DataObject) -> None:
    check(data.draw(GRAPHS.objects(key, max_depth=4)))


def test_a_declaration_with_the_name_of_a_function() -> None:
    v = tir.Var("v", "int32")
    func = tir.PrimFunc([], tir.Evaluate(v))
    check(ir.IRModule({ir.GlobalVar("v"): ir.ExternFunc("sink"), ir.GlobalVar("w"): func}))


@pytest.mark.parametrize("dtype", ["void", "int32", "float32"])
@pytest.mark.parametrize("name", ["tir.ret", "tir.exp", "tir.call_extern"])
def test_calls_of_every_result(name: str, dtype: str) -> None:
    args: list[ir.PrimExpr] = [tir.const(1.0, "float32")]
    if name == "tir.call_extern":
        args.insert(0, ir.StringImm("sink"))
    check(tir.PrimFunc([], tir.Evaluate(tir.call_intrin(dtype, name, args))))


def test_a_return_is_what_ret_makes() -> None:
    func = script.parse_value("@tir.prim_func\ndef main(x: tir.int32):\n    return x + 1\n")
    x = func.params[0]
    assert ir.structural_equal(func.body, tir.Evaluate(tir.ret(x + 1)), map_free_vars=True)


def sharing_module() -> ir.IRModule:
    """Return a module whose functions share a variable, a shape and a loop variable."""
    n, i = tir.SizeVar("n", "int32"), tir.Var("i", "int32")
    functions = {}
    for name in ("one", "two"):
        buffer = tir.decl_buffer([n], "float32", "A")
        handle = tir.Var("A", "handle")
        store = tir.BufferStore(buffer, tir.const(1.0, "float32"), [i])
        loop = tir.For(i, tir.const(0), n, tir.ForKind.SERIAL, store)
        functions[ir.GlobalVar(name)] = tir.PrimFunc(
            [handle], tir.SeqStmt([loop, loop]), {handle: buffer}
        )
    return ir.IRModule(functions)


def test_what_is_bound_twice_is_one_object() -> None:
    module = sharing_module()
    check(module)
    assert 'i = tir.Var("i", "int32")' in script.print(module)


def test_a_signature_declares_a_name_like_one_inside_it() -> None:
    extent, bound = tir.Var("n", "int32"), tir.Var("m", "int32")
    shape = [tir.Let(bound, extent, bound + 1)]
    data = tir.Buffer(tir.Var("m", "handle"), "int32", shape, [], tir.const(0), "A", 64, 1, 1)
    handle = tir.Var("a", "handle")
    check(tir.PrimFunc([handle], tir.Evaluate(tir.const(0)), {handle: data}))


def test_used_outside_of_its_scope() -> None:
    i = tir.Var("i", "int32")
    loop = tir.For(i, tir.const(0), tir.const(4), tir.ForKind.SERIAL, tir.Evaluate(i))
    check(tir.SeqStmt([loop, tir.Evaluate(i)]))


def test_a_call_of_a_function_further_down() -> None:
    one, two = ir.GlobalVar("one"), ir.GlobalVar("two")
    body = tir.Evaluate(tir.Call("void", two, []))
    module = ir.IRModule({one: tir.PrimFunc([], body), two: ir.ExternFunc("sink")})
    check(module)
    assert "Module.two()" in script.print(module)


@pytest.mark.parametrize("name", ["for", "tir", "a b", "ü", "", "_", "Module", "metadata", "1"])
def test_names_become_identifiers(name: str) -> None:
    x = tir.Var(name, "int32")
    check(tir.SeqStmt([tir.Bind(x, tir.const(1)), tir.Evaluate(x)]))
    check(ir.IRModule({ir.GlobalVar(name): tir.PrimFunc([x], tir.Evaluate(x))}))


FLOATS = [0.1, -0.0, 1e300, 5e-324, 1e22, 123456789.125, math.inf, -math.inf, math.nan]


@pytest.mark.parametrize("value", FLOATS)
def test_floats_are_exact(value: float) -> None:
    parsed = script.parse_value(script.print(ir.FloatImm("float64", value)))
    assert struct.pack("d", parsed.value) == struct.pack("d", value)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "int32", "uint32", "int64", "uint64"])
@pytest.mark.parametrize("value", [0, 1, 100, 127])
def test_integers_of_every_type(dtype: str, value: int) -> None:
    x = tir.Var("x", dtype)
    constant = ir.IntImm(dtype, value)
    for expr in (
        constant,
        tir.Add(x, constant),
        tir.Add(constant, constant),
        tir.Let(x, constant, x),
    ):
        check(expr)


@pytest.mark.parametrize("value", [-(2**63), 2**63 - 1, 2**31, -(2**31) - 1])
def test_long_integers(value: int) -> None:
    constant = ir.IntImm("int64", value)
    check(constant)
    check(tir.Add(constant, constant))
    check(tir.Add(constant, ir.IntImm("int64", 1)))


OPERATORS = [tir.Add, tir.Sub, tir.Mul, tir.FloorDiv, tir.FloorMod, tir.Div, tir.Mod, tir.Min]


def test_parentheses_stand_where_they_are_needed() -> None:
    x, y = tir.Var("x", "int32"), tir.Var("y", "int32")
    for outer, inner in itertools.product(OPERATORS, OPERATORS):
        check(outer(inner(x, y), x))
        check(outer(x, inner(y, x)))
    assert str(tir.Sub(tir.Sub(x, y), x)) == "x - y - x"
    assert str(tir.Sub(x, tir.Sub(y, x))) == "x - (y - x)"
    assert str(tir.Mul(tir.Add(x, y), x)) == "(x + y) * x"
    assert str(tir.Not(tir.And(tir.LT(x, y), tir.Not(tir.EQ(x, y))))) == (
        "not (x < y and not x == y)"
    )
    assert str(tir.EQ(tir.LT(x, y), tir.LT(y, x))) == "(x < y) == (y < x)"


def test_values_of_every_kind() -> None:
    check(
        {
            "plain": [None, True, 1, -1.5, math.inf, "text\n\"'\\", b"\x00\xff", "ü"],
            "nodes": [ir.IntImm("int32", 1), ir.IntImm("bool", 1), ir.StringImm("text")],
            "dtype": tvm_ffi.dtype("float8_e4m3fn"),
            "device": tvm_ffi.device("cuda:1"),
            "devices": [tvm_ffi.device("ext_dev:2"), tvm_ffi.device("vpi")],
            "shape": tvm_ffi.Shape((1, 2)),
            "nested": {"list": tvm_ffi.List([1, tvm_ffi.Dict({"a": 1})])},
        }
    )


def test_ranges_keep_their_extents() -> None:
    n, m = tir.Var("n", "int64"), tir.Var("m", "int64")
    for low, extent in itertools.product([n, tir.const(2, "int64"), n + 1], repeat=2):
        i = tir.Var("i", "int64")
        check(tir.For(i, low, extent, tir.ForKind.SERIAL, tir.Evaluate(i)))
        check(tir.For(i, low, extent, tir.ForKind.UNROLLED, tir.Evaluate(i), step=m))


def test_tensors() -> None:
    n = tir.SizeVar("n", "int32")
    a = te.placeholder((n, 16), "float32", name="A")
    k = te.reduce_axis((0, 16), name="k")
    b = te.compute((n,), lambda i: te.sum(a[i, k], axis=k), name="B")
    check(a)
    check(b)
    check(te.create_prim_func([a, b]))


def test_an_identity_that_uses_a_variable_of_its_reducer() -> None:
    x, y = tir.Var("x", "int32"), tir.Var("y", "int32")
    check(tir.CommReducer([x], [y], [x + y], [x]))


@pytest.mark.parametrize("name", ["a", ""])
def test_a_function_and_another_global_variable_of_its_name(name: str) -> None:
    call = tir.Call("int32", ir.GlobalVar(name), [])
    check(ir.IRModule({ir.GlobalVar(name): tir.PrimFunc([], tir.Evaluate(call))}))
