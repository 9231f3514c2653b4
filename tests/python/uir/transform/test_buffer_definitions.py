"""Where a pass changes the definition of a buffer, all its uses follow.

Each program defines buffer `A` in another kind of place, out of variables that passes change.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from uir import ir, script, tir
from uir.ir import GlobalVar, IRModule, post_order, verify
from uir.tir import AttrStmt, BufferLoad, PrimFunc, SeqStmt
from uir.transform import ConvertSSA, PassContext, make_pass

from ...support.interpreter import run
from .test_every_pass import ARGUMENTS, uirs_passes

PROGRAM = """
@uir.script.ir_module
class Module:
    @tir.prim_func(private=True)
    def part(b: tir.Buffer((64,), "float32"), n: tir.int64):
        for i in LOOP(tir.int64(3)):
{body}

    @tir.prim_func
    def main(b: tir.Buffer((64,), "float32")):
        for j in range(tir.int64(2)):
            Module.part(b.data, j * 3)
"""

TWO = "tir.if_then_else(tir.likely(i < 2), tir.int64(2), n - n + 2)"
"""An extent of 2 that every pass with a look at arithmetic writes in another way."""

PLACES = {
    "decl_buffer": f"""
A = tir.decl_buffer(({TWO}, 2), "float32", data=b.data, elem_offset=(i + n) * 4 + (n - n))
with tir.attr(A, "note", 1):
    A[0, 0] = A[1, 1] + tir.float32(2.0)
""",
    "alloc_buffer": f"""
A = tir.alloc_buffer((2, {TWO}), "float32")
A[1, 1] = b[i + n] + tir.float32(2.0)
with tir.attr(A, "note", 1):
    b[i + n] = A[1, 1]
""",
    "extent from memory": """
C = tir.alloc_buffer((4, 4), "float32")
C[1, 1] = b[i + n]
b[i + n] = C[1, 1] + tir.float32(1.0)
D = tir.alloc_buffer((4, 4), "int64")
D[1, 1] = n - n + 2
A = tir.alloc_buffer((D[1, 1], 2), "float32")
A[1, 1] = b[i + n] + tir.float32(2.0)
b[i + n] = A[1, 1]
""",
    "block": f"""
with tir.block("part"):
    vi = tir.axis.spatial(tir.int64(3), i)
    A = tir.block_alloc_buffer((2, {TWO}), "float32")
    tir.reads(b[vi + n])
    tir.writes(b[vi + n])
    A[1, 1] = b[vi + n] + tir.float32(2.0)
    b[vi + n] = A[1, 1]
""",
    "match_buffer": f"""
with tir.block("part"):
    vi = tir.axis.spatial(tir.int64(3), i)
    A = tir.match_buffer(b[(vi + n) * 4 : (vi + n) * 4 + 4], ({TWO} + 2,), "float32")
    A[0] = A[1] + tir.float32(2.0)
""",
}


def module_of(place: str, loop: str) -> IRModule:
    body = "\n".join(" " * 12 + line for line in PLACES[place].splitlines())
    module = script.parse(PROGRAM.format(body=body).replace("LOOP", loop))
    assert isinstance(module, IRModule)
    return module


def main_of(module: IRModule) -> PrimFunc:
    main = module.lookup("main")
    assert isinstance(main, PrimFunc)
    return main


def result(module: IRModule) -> list[float]:
    values = np.arange(64, dtype=np.float32)
    run(main_of(module), values, module=module)
    return [float(value) for value in values]


def arguments(name: str, module: IRModule) -> list[Any]:
    """Return the arguments of a pass: of `Substitute`, a sum in the place of `n`."""
    if name != "Substitute":
        return ARGUMENTS.get(name, [])
    part = module.lookup("part")
    assert isinstance(part, PrimFunc)
    n = part.params[1]
    return [{n: n + 0 * n}]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("name", uirs_passes())
def test_uses_follow_the_definition(name: str, place: str) -> None:
    for loop in ("range", "tir.unroll", "tir.vectorized"):
        module = module_of(place, loop)
        pass_ = make_pass(name, *arguments(name, module))
        if (name, place) == ("FlattenBuffer", "match_buffer"):
            with pytest.raises(ValueError, match="`A` is matched by a block"):
                pass_(module)
            continue
        with PassContext(config={"LoopPartition.partition_const_loop": True}):
            after = pass_(module)
        assert [problem.message for problem in verify(after)] == [], loop
        assert result(after) == result(module), loop
        for note in post_order(after, AttrStmt):
            used = [load.buffer for load in post_order(note, BufferLoad)]
            assert any(note.node.same_as(buffer) for buffer in used), loop


@pytest.mark.parametrize("place", PLACES)
def test_what_is_defined_twice_is_told_apart(place: str) -> None:
    module = module_of(place, "range")
    part = module.lookup("part")
    assert isinstance(part, PrimFunc)
    twice = PrimFunc(part.params, SeqStmt([part.body, part.body]), buffer_map=part.buffer_map)
    doubled = module.with_function("part", twice)
    assert verify(doubled)
    after = ConvertSSA()(doubled)
    assert [problem.message for problem in verify(after)] == []
    assert result(after) == result(doubled)


def test_a_buffer_that_is_declared_again_inside_is_itself_outside() -> None:
    a = tir.decl_buffer([4], "int32", "A")
    store = tir.BufferStore(a, tir.const(1), [tir.const(0)])
    inner = tir.IfThenElse(ir.IntImm("bool", 1), SeqStmt([tir.DeclBuffer(a), store]))
    body = SeqStmt([tir.AllocBuffer(a), inner, store])
    after = main_of(ConvertSSA()(IRModule({GlobalVar("main"): PrimFunc([], body)})))
    assert verify(IRModule({GlobalVar("main"): after})) == []
    assert isinstance(after.body, SeqStmt)
    last = after.body.seq[2]
    assert isinstance(last, tir.BufferStore) and last.buffer.same_as(a)


def test_a_definition_in_two_places_does_not_mix_them_up() -> None:
    """The parts of a loop share their statements until each has variables."""
    func = script.parse_function("""
@tir.prim_func
def main(b: tir.Buffer((64,), "float32"), m: tir.int32):
    for i in range(16):
        A = tir.decl_buffer((4, tir.if_then_else(tir.likely(i < m), 1, 1)), "float32", data=b.data)
        if tir.likely(2 < i):
            b[i] = A[0, 0] + A[1, 0]
        b[i] = A[2, 0]
""")
    module = IRModule({GlobalVar("main"): func})
    with PassContext(config={"LoopPartition.partition_const_loop": True}):
        after = make_pass("LoopPartition")(module)
    assert len(post_order(after, tir.For)) == 4
    assert [problem.message for problem in verify(after)] == []
