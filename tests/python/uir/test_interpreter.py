"""The reference interpreter: what every node means, on inputs small enough to work out by hand."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import tvm_ffi

from uir import ir, tir

from ..support.interpreter import Address, Undefined, run

X = tir.Var("x", "int32")
TRUE = ir.IntImm("bool", 1)
ZERO = ir.IntImm("int32", 0)


def i32(value: int) -> ir.PrimExpr:
    return ir.IntImm("int32", value)


def value_of(expr: ir.PrimExpr, **options: Any) -> Any:
    """Return the value of a closed expression."""
    return run(
        tir.PrimFunc([], body=tir.Evaluate(tir.call_intrin("void", "tir.ret", [expr]))), **options
    )


def numbers(dtype: str, *values: float) -> list[ir.PrimExpr]:
    return [tir.const(value, dtype) for value in values]


@pytest.mark.parametrize(
    ("op", "a", "b", "expected"),
    [
        (tir.Div, -7, 2, -3),
        (tir.Mod, -7, 2, -1),
        (tir.FloorDiv, -7, 2, -4),
        (tir.FloorMod, -7, 2, 1),
        (tir.FloorMod, 7, -2, -1),
        (tir.Mod, 7, -2, 1),
        (tir.Min, 3, -4, -4),
        (tir.Max, 3, -4, 3),
    ],
)
def test_arithmetic_of_integers(op: Any, a: int, b: int, expected: int) -> None:
    assert value_of(op(i32(a), i32(b))) == expected


@pytest.mark.parametrize(
    ("dtype", "op", "a", "b", "expected"),
    [
        ("int8", tir.Add, 127, 1, -128),
        ("uint8", tir.Sub, 0, 1, 255),
        ("int32", tir.Mul, 2**30, 4, 0),
        ("int64", tir.Add, 2**63 - 1, 1, -(2**63)),
        ("int32", tir.Div, -(2**31), -1, -(2**31)),
    ],
)
def test_integers_wrap_around(dtype: str, op: Any, a: int, b: int, expected: int) -> None:
    assert value_of(op(*numbers(dtype, a, b))) == expected


def test_overflow_is_undefined_where_passes_take_it_so() -> None:
    overflow = tir.Let(X, i32(2**31 - 1), tir.Add(X, i32(1)))
    with pytest.raises(Undefined, match="overflows int32"):
        value_of(overflow, strict=True)
    assert value_of(tir.Add(*numbers("int8", 127, 1)), strict=True) == -128


def test_floats_are_rounded_once_to_their_type() -> None:
    third = tir.div(*numbers("float32", 1.0, 3.0))
    assert value_of(third) == float(np.float32(1) / np.float32(3))
    assert value_of(tir.Add(*numbers("float16", 2048.0, 1.0))) == 2048.0
    assert value_of(tir.Mul(*numbers("bfloat16", 1.0078125, 1.0078125))) == 1.015625
    assert value_of(tir.div(*numbers("float32", -1.0, 0.0))) == -math.inf
    nan = tir.div(*numbers("float32", 0.0, 0.0))
    assert value_of(tir.Min(tir.const(1.0), nan)) != value_of(tir.Min(tir.const(1.0), nan))
    assert value_of(tir.Min(nan, tir.const(1.0))) == 1.0


def test_division_by_zero_is_undefined() -> None:
    with pytest.raises(Undefined, match="division by 0"):
        value_of(tir.Let(X, ZERO, tir.FloorDiv(i32(1), X)))


@pytest.mark.parametrize(
    ("dtype", "value", "expected"),
    [
        ("int8", i32(300), 44),
        ("uint8", i32(-1), 255),
        ("int32", tir.const(-2.75), -2),
        ("bool", i32(4), True),
        ("float16", tir.const(0.1), float(np.float16(np.float32(0.1)))),
    ],
)
def test_conversions(dtype: str, value: ir.PrimExpr, expected: Any) -> None:
    assert value_of(tir.Cast(dtype, value)) == expected


def test_vectors() -> None:
    ramp = tir.Ramp(i32(1), i32(2), 4)
    assert value_of(tir.Add(ramp, tir.Broadcast(i32(10), 4))) == [11, 13, 15, 17]
    assert value_of(tir.Shuffle([ramp, ramp], [i32(3), i32(4)])) == [7, 1]
    assert value_of(tir.Shuffle([ramp], [i32(2)])) == 5
    odd = tir.less(ramp, tir.Broadcast(i32(4), 4))
    assert value_of(tir.Select(odd, ramp, tir.Broadcast(ZERO, 4))) == [1, 3, 0, 0]


def test_choices_compute_what_they_say() -> None:
    bad = tir.FloorDiv(i32(1), tir.Sub(X, X))
    lazy = tir.call_intrin("int32", "tir.if_then_else", [TRUE, i32(5), bad])
    assert value_of(tir.Let(X, i32(3), lazy)) == 5
    with pytest.raises(Undefined):
        value_of(tir.Let(X, i32(3), tir.Select(TRUE, i32(5), bad)))
    both = tir.And(tir.less(X, i32(0)), tir.equal(bad, i32(1)))
    assert value_of(tir.Let(X, i32(3), both)) is False


@pytest.mark.parametrize(
    ("name", "args", "expected"),
    [
        ("exp", numbers("float32", 0.0), 1.0),
        ("sqrt", numbers("float64", 2.0), math.sqrt(2)),
        ("round", numbers("float32", 2.5), 2.0),
        ("shift_right", numbers("int32", -5, 1), -3),
        ("shift_left", numbers("int8", 1, 7), -128),
        ("bitwise_not", numbers("uint8", 1), 254),
        ("pow", numbers("float32", 2.0, 3.0), 8.0),
        ("pow", numbers("int8", 3, 6), 729 - 768),
        ("abs", numbers("int32", -3), 3),
    ],
)
def test_intrinsics(name: str, args: list[ir.PrimExpr], expected: Any) -> None:
    assert value_of(tir.call_intrin(args[0].dtype, f"tir.{name}", args)) == expected


def test_reinterpret_takes_the_bits() -> None:
    bits = tir.call_intrin("int32", "tir.reinterpret", numbers("float32", 1.0))
    assert value_of(bits) == 0x3F800000


def test_reductions() -> None:
    a, b = tir.Var("a"), tir.Var("b")
    total = tir.CommReducer([a], [b], [a + b], [ZERO])
    axis = tir.IterVar(X, ir.Range(i32(1), i32(4)), tir.IterVarType.COMM_REDUCE)
    assert value_of(tir.Reduce(total, [axis], [X * X], TRUE)) == 1 + 4 + 9 + 16
    assert value_of(tir.Reduce(total, [axis], [X], tir.less(X, i32(3)), 0, [i32(10)])) == 13


def function(body: tir.Stmt, *buffers: tir.Buffer) -> tir.PrimFunc:
    params = [tir.Var(f"{buffer.name}_handle", "handle") for buffer in buffers]
    return tir.PrimFunc(params, body, buffer_map=dict(zip(params, buffers, strict=True)))


def test_loops_choices_and_bindings() -> None:
    out = tir.decl_buffer([6], "int32", "out")
    i, y = tir.Var("i"), tir.Var("y")
    twice = tir.SeqStmt([tir.Bind(y, i * 2), tir.BufferStore(out, y, [i])])
    body = tir.IfThenElse(i < 4, twice, tir.BufferStore(out, i32(-1), [i]))
    array = np.zeros(6, np.int32)
    run(function(tir.For(i, i32(1), i32(5), tir.ForKind.SERIAL, body, step=i32(2)), out), array)
    assert array.tolist() == [0, 2, 0, 6, 0, -1]


def test_while_runs_until_its_condition_fails() -> None:
    out = tir.decl_buffer([1], "int32", "out")
    load = tir.BufferLoad(out, [ZERO])
    array = np.array([3], np.int32)
    run(function(tir.While(load < 10, tir.BufferStore(out, load * 2, [ZERO])), out), array)
    assert array.tolist() == [12]


def test_buffers_alias_through_their_address() -> None:
    a = tir.decl_buffer([2, 3], "int32", "a")
    view = tir.Buffer(a.data, "int32", [i32(3), i32(2)], [i32(1), i32(3)], name="view")
    last = tir.Buffer(a.data, "int32", [i32(2)], elem_offset=i32(4), name="last")
    i, j = tir.Var("i"), tir.Var("j")
    store = tir.BufferStore(view, i * 10 + j, [i, j])
    loops = tir.For(
        i, ZERO, i32(3), tir.ForKind.SERIAL, tir.For(j, ZERO, i32(2), tir.ForKind.SERIAL, store)
    )
    more = [
        tir.DeclBuffer(view),
        tir.DeclBuffer(last),
        loops,
        tir.BufferStore(last, i32(7), [i32(1)]),
    ]
    array = np.zeros((2, 3), np.int32)
    run(function(tir.SeqStmt(more), a), array)
    assert array.tolist() == [[0, 10, 20], [1, 11, 7]]


def test_memory_that_is_not_written_is_not_read() -> None:
    out, local = tir.decl_buffer([4], "int32", "out"), tir.decl_buffer([4], "int32", "local")
    store, copy = tir.BufferStore(local, i32(5), [i32(1)]), tir.BufferLoad(local, [X])
    body = tir.SeqStmt([tir.AllocBuffer(local), store, tir.BufferStore(out, copy, [ZERO])])
    h = tir.Var("h", "handle")
    func = tir.PrimFunc([X, h], body, buffer_map={h: out})
    array = np.zeros(4, np.int32)
    run(func, 1, array)
    assert array.tolist() == [5, 0, 0, 0]
    with pytest.raises(Undefined, match="before it is written"):
        run(func, 2, array)
    with pytest.raises(Undefined, match="outside of `local`"):
        run(func, 4, array)


def test_vector_accesses_with_predicates() -> None:
    a, b = tir.decl_buffer([8], "float32", "a"), tir.decl_buffer([8], "float32", "b")
    even, lanes = tir.Ramp(ZERO, i32(2), 4), tir.Ramp(ZERO, i32(1), 4)
    load = tir.BufferLoad(a, [even])
    store = tir.BufferStore(b, load, [lanes], tir.less(lanes, tir.Broadcast(i32(3), 4)))
    array = np.arange(8, dtype=np.float32)
    out = np.full(8, -1, np.float32)
    run(function(store, a, b), array, out)
    assert out.tolist() == [0, 2, 4, -1, -1, -1, -1, -1]


def test_vector_elements() -> None:
    a = tir.decl_buffer([2], "float32x4", "a")
    array = np.zeros((8,), np.float32)
    value = tir.Broadcast(tir.const(1.5), 4)
    run(function(tir.BufferStore(a, value, [i32(1)]), a), array)
    assert array.tolist() == [0] * 4 + [1.5] * 4


def test_symbolic_shapes_and_strides_are_bound_by_arguments() -> None:
    n, stride = tir.Var("n"), tir.Var("stride")
    a = tir.Buffer(tir.Var("a", "handle"), "int32", [n], [stride], name="a")
    body = tir.BufferStore(a, n * 100 + stride, [n - 1])
    array = np.zeros(6, np.int32)
    run(function(body, a), array[::2])
    assert array.tolist() == [0, 0, 0, 0, 302, 0]
    with pytest.raises(ValueError, match="another shape"):
        run(function(body, tir.decl_buffer([4], "int32", "a")), array)


def test_blocks() -> None:
    source, out = tir.decl_buffer([4, 4], "int32", "source"), tir.decl_buffer([4], "int32", "out")
    i, j, vi, vj = (tir.Var(name) for name in ("i", "j", "vi", "vj"))
    domain = ir.Range(ZERO, i32(4))
    axes = [
        tir.IterVar(vi, domain, tir.IterVarType.DATA_PAR),
        tir.IterVar(vj, domain, tir.IterVarType.COMM_REDUCE),
    ]
    row = tir.Buffer(
        tir.Var("row", "handle"), "int32", [i32(4)], [tir.Var("s")], tir.Var("offset"), name="row"
    )
    region = tir.BufferRegion(source, [ir.Range(vi, i32(1)), ir.Range(ZERO, i32(4))])
    update = tir.BufferStore(out, tir.BufferLoad(out, [vi]) + tir.BufferLoad(row, [vj]), [vi])
    block = tir.Block(
        axes,
        [],
        [],
        "sum",
        update,
        init=tir.BufferStore(out, ZERO, [vi]),
        match_buffers=[tir.MatchBufferRegion(row, region)],
    )
    body: tir.Stmt = tir.BlockRealize([i, j], tir.less(i, i32(3)), block)
    for loop_var in (j, i):
        body = tir.For(loop_var, ZERO, i32(4), tir.ForKind.SERIAL, body)
    values, total = np.arange(16, dtype=np.int32).reshape(4, 4), np.full(4, -1, np.int32)
    run(function(body, source, out), values, total)
    assert total.tolist() == [6, 22, 38, -1]


def test_asserts_raise() -> None:
    check = tir.AssertStmt(
        ir.StringImm("ValueError"), X < 3, [ir.StringImm("x is "), ir.StringImm("big")]
    )
    func = tir.PrimFunc([X], body=check)
    run(func, 2)
    with pytest.raises(AssertionError, match="ValueError: x is big"):
        run(func, 3)


def test_calls_of_functions_of_the_module_and_of_others() -> None:
    a = tir.decl_buffer([2], "int32", "a")
    handle, scale = tir.Var("handle", "handle"), tir.Var("scale")
    store = tir.BufferStore(a, scale * 2, [i32(1)])
    callee = tir.PrimFunc([handle, scale], store, buffer_map={handle: a})
    inner, outer = ir.GlobalVar("inner"), ir.GlobalVar("outer")
    b = tir.decl_buffer([2], "int32", "b")
    call = tir.Evaluate(tir.Call("void", inner, [b.data, i32(21)]))
    packed = tir.call_intrin(
        "int32", "tir.call_packed", [ir.StringImm("seen"), tir.BufferLoad(b, [i32(1)])]
    )
    done = tir.Evaluate(tir.call_intrin("void", "tir.ret", [packed]))
    main = function(tir.SeqStmt([call, done]), b)
    module = ir.IRModule({inner: callee, outer: main, ir.GlobalVar("puts"): ir.ExternFunc("puts")})
    array = np.zeros(2, np.int32)
    assert run(main, array, module=module, externs={"seen": lambda x: x + 1}) == 43
    assert array.tolist() == [0, 42]


def test_addresses_are_values() -> None:
    a = tir.decl_buffer([4], "int32", "a")
    address = tir.call_intrin("handle", "tir.address_of", [tir.BufferLoad(a, [i32(2)])])
    call = tir.call_intrin("int32", "tir.call_extern", [ir.StringImm("peek"), address])
    func = function(tir.Evaluate(tir.call_intrin("void", "tir.ret", [call])), a)

    def peek(address: Address) -> int:
        return int(address.memory.load(a.dtype, address.offset))

    assert run(func, np.arange(4, dtype=np.int32), externs={"peek": peek}) == 2


def test_float_constants_are_rounded_to_their_type() -> None:
    assert value_of(ir.FloatImm("float32", 0.1)) == float(np.float32(0.1))


@pytest.mark.parametrize("dtype", ["float32", "int8", "bool", "float16"])
def test_constants_of_a_module(dtype: str) -> None:
    tensors = [np.zeros(1, "int64"), np.arange(4).astype(dtype)]
    constants = [tvm_ffi.from_dlpack(tensor) for tensor in tensors]
    module = ir.IRModule(attrs=ir.DictAttrs({"constants": constants}))
    data, output = (
        tir.Var("weights", "handle", ir.PointerType(ir.PrimType(dtype))),
        tir.decl_buffer((4,), dtype),
    )
    weights = tir.Buffer(data, dtype, [tir.const(4)])
    copy = tir.BufferStore(output, tir.BufferLoad(weights, [X]), [X])
    body = [
        tir.Bind(data, tir.constant_data(1)),
        tir.DeclBuffer(weights),
        tir.For(X, tir.const(0), tir.const(4), tir.ForKind.SERIAL, copy),
    ]
    handle, result = tir.Var("out", "handle"), np.zeros(4, dtype)
    func = tir.PrimFunc([handle], tir.SeqStmt(body), buffer_map={handle: output})
    run(func, result, module=module)
    assert result.tolist() == tensors[1].tolist()
    write = tir.BufferStore(weights, tir.const(1, dtype), [tir.const(0)])
    for last in (write, tir.Evaluate(tir.vload(tir.constant_data(2), tir.const(0), dtype))):
        changed = tir.PrimFunc([handle], tir.SeqStmt([*body, last]), buffer_map={handle: output})
        with pytest.raises(Undefined, match="a constant cannot be written|there is no constant 2"):
            run(changed, result, module=module)
