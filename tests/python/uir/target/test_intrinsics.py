"""Calls, addresses, vectors of every form: what compiled functions do is what the interpreter does.

All functions are compiled into one library.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tvm_ffi

from uir import script, tir
from uir.ir import GlobalVar, IRModule, with_attr
from uir.target import Target, emit_c
from uir.tir import BufferLoad, BufferStore, PrimFunc, Ramp, Var, call_intrin, const, decl_buffer

from ...support.compiled_c import load_c
from ...support.interpreter import run

TEXT = """
@uir.script.ir_module
class Module:
    @tir.prim_func(private=True)
    def counted(A: tir.Buffer((8,), "int32")) -> tir.int32:
        A[0] = A[0] + 1
        tir.ret(A[0])

    @tir.prim_func(private=True)
    def even(x: tir.int32) -> tir.bool:
        if x == 0:
            tir.ret(True)
        tir.ret(not Module.odd(x - 1))

    @tir.prim_func(private=True)
    def odd(x: tir.int32) -> tir.bool:
        if x == 0:
            tir.ret(False)
        tir.ret(Module.even(x - 1))

    @tir.prim_func
    def order(A: tir.Buffer((8,), "int32"), B: tir.Buffer((8,), "int32")):
        B[0] = A[0] * 10 + tir.Call("int32", Module.counted, [A.data])
        B[1] = tir.Call("int32", Module.counted, [A.data]) - A[0] * 10
        if A[0] > 0 and tir.Call("int32", Module.counted, [A.data]) > 100:
            B[2] = 1
        if A[0] < 0 and tir.Call("int32", Module.counted, [A.data]) > 100:
            B[2] = 2
        B[3] = tir.if_then_else(A[1] > 0, tir.Call("int32", Module.counted, [A.data]), A[0])
        for i in range(tir.Call("int32", Module.counted, [A.data]) // 4):
            A[0] = A[0] + 100
            B[4] = B[4] + i + 1
        while tir.Call("int32", Module.counted, [A.data]) < 410:
            B[5] = B[5] + 1

    @tir.prim_func
    def recursive(A: tir.Buffer((8,), "int32"), B: tir.Buffer((8,), "int32")):
        for i in range(8):
            B[i] = tir.int32(tir.Call("bool", Module.even, [i]))

    @tir.prim_func
    def addresses(A: tir.Buffer((8,), "int32"), B: tir.Buffer((8,), "int32")):
        p: tir.handle("int32", "global") = tir.address_of(A[2])
        C = tir.decl_buffer((4,), "int32", data=p)
        B[0] = C[1]
        C[0] = 77
        tir.prefetch(A[1])
        B[2] = tir.Call("int32", Module.counted, [tir.address_of(A[5])])

    @tir.prim_func
    def views(A: tir.Buffer((8,), "int32"), B: tir.Buffer((8,), "int32")):
        bits = tir.decl_buffer((8,), "float32", data=A.data)
        halves = tir.decl_buffer((16,), "uint16", data=B.data)
        bits[3] = 1.0
        halves[5] = tir.uint16(7)
        B[0] = A[3]

    @tir.prim_func
    def large(A: tir.Buffer((8,), "int32"), B: tir.Buffer((8,), "int32")):
        rows = tir.alloc_buffer((100000,), "int32")
        for i in range(100000):
            rows[i] = i
        for i in range(8):
            B[i] = rows[i * 12345]

    @tir.prim_func
    def narrow(A: tir.Buffer((8,), "int32"), B: tir.Buffer((8,), "int32")):
        for i in range(tir.int8(120), tir.int8(127)):
            B[0] = B[0] + tir.int32(i * tir.int8(2))
        for j in range(tir.uint8(250), tir.uint8(255)):
            B[1] = B[1] + tir.int32(j + tir.uint8(10))
        for k in range(tir.int64(5000000000), tir.int64(5000000004)):
            B[2] = B[2] + tir.int32(k * tir.int64(1000000) // tir.int64(7))
"""


def vector_function(name: str) -> PrimFunc:
    """Return a function that moves vectors from `A`, int32, and `F`, bool, to `B` and `G`."""
    a, b = (decl_buffer([const(12)], "int32", name) for name in "AB")
    f, g = (decl_buffer([const(12)], "bool", name) for name in "FG")
    body = VECTORS[name](a, b, f, g)
    buffers = [a, b, f, g]
    handles = [Var(f"{buffer.name}_handle", "handle") for buffer in buffers]
    made = PrimFunc(handles, body, buffer_map=dict(zip(handles, buffers, strict=True)))
    return with_attr(made, "global_symbol", name)


def ramp(first: int, stride: int, lanes: int, dtype: str = "int32") -> Ramp:
    return Ramp(const(first, dtype), const(stride, dtype), lanes)


def move(target: Any, source: Any, to: Any, at: Any, mask: Any = None) -> tir.Stmt:
    return BufferStore(target, BufferLoad(source, [at], mask), [to], mask)


def masked(place: Any, lanes: int) -> Any:
    return tir.less(place, tir.Broadcast(const(5), lanes))


LANES, MASK = Var("lanes", "int32x4"), Var("mask", "boolx4")

VECTORS: dict[str, Any] = {
    "strided": lambda a, b, f, g: move(b, a, ramp(0, 1, 4), ramp(1, 3, 4)),
    "reversed": lambda a, b, f, g: move(b, a, ramp(7, -1, 8), ramp(0, 1, 8)),
    "scattered": lambda a, b, f, g: move(b, a, ramp(1, 2, 3), ramp(4, 1, 3)),
    "wide_index": lambda a, b, f, g: move(b, a, ramp(0, 2, 4, "int64"), ramp(0, 1, 4, "int64")),
    "same_index": lambda a, b, f, g: move(b, a, ramp(0, 1, 4), tir.Broadcast(const(3), 4)),
    "three": lambda a, b, f, g: move(b, a, ramp(2, 1, 3), ramp(9, 1, 3)),
    "masked": lambda a, b, f, g: move(b, a, ramp(3, 1, 4), ramp(3, 1, 4), masked(ramp(3, 1, 4), 4)),
    "masked_three": lambda a, b, f, g: move(
        b, a, ramp(3, 2, 3), ramp(3, 1, 3), masked(ramp(3, 2, 3), 3)
    ),
    "booleans": lambda a, b, f, g: move(g, f, ramp(4, 1, 8), ramp(0, 1, 8)),
    "masked_booleans": lambda a, b, f, g: move(
        g, f, ramp(4, 1, 4), ramp(3, 2, 4), masked(ramp(3, 1, 4), 4)
    ),
    "boolean_arithmetic": lambda a, b, f, g: tir.SeqStmt(
        [
            BufferStore(
                g,
                tir.logical_or(
                    tir.logical_not(BufferLoad(f, [ramp(0, 1, 4)])),
                    tir.less(BufferLoad(a, [ramp(0, 1, 4)]), BufferLoad(a, [ramp(4, 1, 4)])),
                ),
                [ramp(0, 1, 4)],
            ),
            BufferStore(
                b,
                tir.cast(BufferLoad(f, [ramp(2, 1, 4)]), "int32x4")
                + tir.cast(tir.cast(BufferLoad(a, [ramp(2, 1, 4)]), "boolx4"), "int32x4"),
                [ramp(0, 1, 4)],
            ),
            BufferStore(
                g,
                tir.Select(
                    tir.greater(BufferLoad(a, [ramp(0, 1, 4)]), tir.Broadcast(const(0), 4)),
                    BufferLoad(f, [ramp(0, 1, 4)]),
                    tir.Broadcast(const(True, "bool"), 4),
                ),
                [ramp(8, 1, 4)],
            ),
        ]
    ),
    "shuffled": lambda a, b, f, g: tir.SeqStmt(
        [
            BufferStore(
                b,
                tir.Shuffle(
                    [BufferLoad(a, [ramp(0, 1, 4)]), BufferLoad(a, [ramp(8, 1, 4)])],
                    [const(i) for i in (6, 1, 1, 4)],
                ),
                [ramp(0, 1, 4)],
            ),
            BufferStore(b, tir.Shuffle([BufferLoad(a, [ramp(0, 1, 4)])], [const(2)]), [const(7)]),
            BufferStore(
                g,
                tir.Shuffle(
                    [BufferLoad(f, [const(1)]), BufferLoad(f, [ramp(4, 1, 3)])],
                    [const(3), const(0), const(1)],
                ),
                [ramp(0, 1, 3)],
            ),
        ]
    ),
    "loaded_by_address": lambda a, b, f, g: BufferStore(
        b, tir.vload(a.data, const(3), "int32x4"), [ramp(0, 1, 4)]
    ),
    "one_lane": lambda a, b, f, g: tir.SeqStmt(
        [
            move(b, a, const(i), const(i), tir.less(BufferLoad(a, [const(i)]), const(1)))
            for i in range(4)
        ]
    ),
    "same_bits": lambda a, b, f, g: BufferStore(
        b,
        tir.reinterpret(
            "int32x4", tir.reinterpret("float32x4", BufferLoad(a, [ramp(0, 1, 4)])) * 2.0
        ),
        [ramp(0, 1, 4)],
    ),
    "bits_of_scalars": lambda a, b, f, g: BufferStore(
        b,
        tir.reinterpret("int32", tir.cast(BufferLoad(a, [const(0)]), "float32"))
        + tir.cast(tir.reinterpret("uint32", BufferLoad(a, [const(1)])), "int32"),
        [const(0)],
    ),
    "kept": lambda a, b, f, g: tir.SeqStmt(
        [
            tir.Bind(LANES, BufferLoad(a, [ramp(0, 1, 4)])),
            tir.Bind(MASK, tir.less(LANES, tir.Broadcast(const(2), 4))),
            BufferStore(b, tir.Select(MASK, LANES, LANES * 2), [ramp(0, 1, 4)], MASK),
            BufferStore(g, MASK, [ramp(0, 1, 4)]),
        ]
    ),
}
NAMES = ["order", "recursive", "addresses", "views", "large", "narrow"]


def module() -> IRModule:
    text = script.parse(TEXT)
    functions = dict(text.functions.items())
    functions |= {GlobalVar(name): vector_function(name) for name in VECTORS}
    return IRModule(functions)


MODULE = module()


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> tvm_ffi.Module:
    return load_c(emit_c(MODULE, Target()), tmp_path_factory.mktemp("intrinsics"))


def arguments(name: str) -> list[np.ndarray[Any, Any]]:
    if name in NAMES:
        return [np.array([3, -1, 4, 1, -5, 9, -2, 6], "int32"), np.zeros(8, "int32")]
    source = np.random.default_rng(3)
    flags = source.integers(0, 2, size=12).astype("bool")
    numbers = source.integers(-4, 5, size=12).astype("int32")
    return [numbers, np.full(12, -1, "int32"), flags, np.zeros(12, "bool")]


@pytest.mark.parametrize("name", [*NAMES, *VECTORS])
def test_interpreted_and_compiled_agree(library: tvm_ffi.Module, name: str) -> None:
    func = MODULE.lookup(name)
    assert isinstance(func, PrimFunc)
    interpreted, compiled = arguments(name), arguments(name)
    run(func, *interpreted, module=MODULE)
    library[name](*compiled)
    assert [x.tolist() for x in compiled] == [x.tolist() for x in interpreted]


def test_functions_of_the_c_library_are_called(tmp_path: Any) -> None:
    n, p = Var("n", "int32"), Var("p", "handle")
    absolute = tir.call_extern("int32", "abs", n)
    total = tir.add(absolute, tir.call_pure_extern("int32", "toupper", const(97)))
    func = PrimFunc([n, p], tir.Evaluate(call_intrin("void", "tir.ret", [total])))
    text = emit_c(IRModule({GlobalVar("f"): with_attr(func, "global_symbol", "f")}), Target())
    assert "extern int32_t abs(int32_t);" in text
    assert load_c(text, tmp_path).f(-5, None) == 5 + ord("A")
