"""Buffers of host functions share an arena: none overlap that are live at the same time."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from random import Random
from typing import Any, NamedTuple

import numpy as np
import pytest

from uir import ir, relay, script, tir
from uir.ir import GlobalVar, IntImm, IRModule, PrimExpr
from uir.transform import BindConstants, LowerEntry, PlanMemory, StorageRewrite, VerifyWellFormed

from ....differential.programs.entries import KERNELS, expected, random_entry, run_main
from ...support.depth import DEPTH
from .script_checks import unindented


class Live(NamedTuple):
    """A buffer of a function, and the first and the last statement that uses it."""

    buffer: tir.Buffer
    begin: int
    end: int


def statements(stmt: tir.Stmt) -> Iterator[Any]:
    """Yield statements in order, with the conditions of branches among them."""
    if isinstance(stmt, tir.SeqStmt):
        for part in stmt.seq:
            yield from statements(part)
    elif isinstance(stmt, tir.IfThenElse):
        yield stmt.condition
        yield from statements(stmt.then_case)
        if stmt.else_case is not None:
            yield from statements(stmt.else_case)
    else:
        yield stmt


def live_ranges(func: tir.PrimFunc) -> list[Live]:
    """Return the buffers that a function allocates and uses."""
    uses: dict[Any, list[int]] = {}
    buffers = []
    for place, stmt in enumerate(statements(func.body)):
        if isinstance(stmt, tir.AllocBuffer):
            buffers.append(stmt.buffer)
            continue
        for var in ir.post_order(stmt, tir.Var):
            uses.setdefault(var, []).append(place)
    return [Live(x, min(uses[x.data]), max(uses[x.data])) for x in buffers if x.data in uses]


def value(expr: PrimExpr, sizes: dict[Any, int]) -> int:
    """Return the value of an expression of sizes."""
    operands = {
        tir.Add: lambda a, b: a + b,
        tir.Mul: lambda a, b: a * b,
        tir.FloorDiv: lambda a, b: a // b,
        tir.Max: max,
    }
    if isinstance(expr, IntImm):
        return int(expr.value)
    if isinstance(expr, tir.Cast):
        return value(expr.value, sizes)
    if isinstance(expr, tir.Var):
        return sizes[expr.name]
    assert isinstance(expr, (tir.Add, tir.Mul, tir.FloorDiv, tir.Max))
    return operands[type(expr)](value(expr.a, sizes), value(expr.b, sizes))


def bytes_of(buffer: tir.Buffer, sizes: dict[Any, int]) -> int:
    extents = [value(extent, sizes) for extent in buffer.shape]
    return int(np.prod(extents)) * np.dtype(str(buffer.dtype)).itemsize


def lower_bound(live: list[Live], sizes: dict[Any, int]) -> int:
    """Return the most bytes that are live at once."""
    steps = {one.begin for one in live}
    return max(
        sum(bytes_of(one.buffer, sizes) for one in live if one.begin <= step <= one.end)
        for step in steps
    )


def planned(func: tir.PrimFunc) -> tuple[tir.PrimFunc, dict[str, PrimExpr]]:
    """Return the function with an arena, and the offset of each buffer, by its name."""
    after: Any = PlanMemory()(IRModule({GlobalVar("main"): func})).lookup("main")
    offsets = {
        str(bind.var.name): bind.value.args[0].indices[0]
        for bind in ir.post_order(after, tir.Bind)
        if bind.value.op.name == "tir.address_of"
    }
    return after, offsets


def check(func: tir.PrimFunc, sizes: dict[Any, int]) -> tuple[int, int]:
    """Check the places of buffers; return the size of the arena, and the bound of it."""
    live = live_ranges(func)
    assert len({str(one.buffer.data.name) for one in live}) == len(live)
    after, offsets = planned(func)
    found = {one: value(offsets[str(one.buffer.data.name)], sizes) for one in live}
    total = value(after.get_attr("arena_bytes"), sizes)
    for one, start in found.items():
        assert start % 64 == 0
        assert 0 <= start <= start + bytes_of(one.buffer, sizes) <= total
    bound = lower_bound(live, sizes)
    assert bound <= value(after.get_attr("live_bytes"), sizes) <= total
    for one, other in combinations(live, 2):
        if one.begin <= other.end and other.begin <= one.end:
            first, second = sorted([one, other], key=lambda x: found[x])
            assert found[first] + bytes_of(first.buffer, sizes) <= found[second]
    return total, bound


def chain(shapes: list[list[Any]], skip: int | None = None) -> tir.PrimFunc:
    """Return a host function: each value is made of the one before, and perhaps of an early one."""
    module = script.parse(KERNELS)
    n = tir.SizeVar("n")
    rb = relay.builder()
    types = [relay.Tensor([{"n": n}.get(d, d) for d in shape], "int32") for shape in shapes]
    values: list[Any] = [rb.param("x", types[0])]
    for place, type_ in enumerate(types[1:]):
        args = [values[-1]] + ([values[skip]] if skip is not None and place > skip else [])
        call = relay.call_destination_passing(ir.ExternFunc("f"), args, type_)
        values.append(rb.emit(call, f"v{place}"))
    main = ir.with_attr(rb.make_func(values[-1]), "global_symbol", "main")
    lowered = LowerEntry()(ir.with_function(module, GlobalVar("main"), main))
    func = lowered.lookup("main")
    assert isinstance(func, tir.PrimFunc)
    return func


def test_a_chain_takes_the_bytes_of_two_values() -> None:
    total, bound = check(chain([[64]] * 8), {})
    assert total == bound == 2 * 256


def test_sizes_are_linear_in_the_batch() -> None:
    func = chain([["n", 256]] * 6)
    after, offsets = planned(func)
    n = after.buffer_map[after.params[0]].shape[0]
    assert ir.structural_equal(after.get_attr("arena_bytes"), tir.cast(n, "int64") * 2048)
    assert {value(offset, {"n": 1}) for offset in offsets.values()} == {0, 1024}
    for batch in (0, 1, 7):
        assert check(func, {"n": batch}) == (2048 * batch, 2048 * batch)


@pytest.mark.parametrize("columns", [1, 3, 6, 16, 40, 200])
def test_rows_of_any_size_are_aligned(columns: int) -> None:
    for batch in (0, 1, 5, 64):
        total, bound = check(chain([["n", columns], ["n", columns * 2]] * 3), {"n": batch})
        assert total <= max(bound * 9 // 8, bound + 128 * (3 * columns))
        assert batch % 64 or total <= bound * 9 // 8


def test_a_value_that_is_used_late_keeps_its_place() -> None:
    total, bound = check(chain([[64], [1024], [64], [64], [512], [16]], skip=1), {})
    assert total == bound == 4096 + 256 + 2048


def test_random_sizes_come_near_the_bound() -> None:
    source = Random(5)
    ratios = []
    for _ in range(60 * DEPTH):
        shapes = [
            [16 * source.choice([1, 1, 2, 4, 8, 32, 64])] for _ in range(source.randint(3, 14))
        ]
        total, bound = check(chain(shapes, skip=source.choice([None, 0, 1, 2])), {})
        ratios.append(total / bound)
    assert sum(ratio == 1 for ratio in ratios) > len(ratios) * 0.9
    assert max(ratios) <= 1.15


@pytest.mark.parametrize("seed", range(40 * DEPTH))
def test_random_functions_compute_the_same(seed: int) -> None:
    program = random_entry(Random(seed), length=12)
    before = BindConstants()(LowerEntry()(program.module))
    after = VerifyWellFormed()(PlanMemory()(before))
    assert ir.structural_equal(script.parse(script.print(after)), after)
    assert PlanMemory()(after).same_as(after)
    for arguments in program.arguments:
        like = expected(program.module, *arguments)
        for found, wanted in zip(run_main(after, like, *arguments), like, strict=True):
            np.testing.assert_array_equal(found, wanted, err_msg=script.print(before))


HOST = """
@uir.script.ir_module
class Module:
    @tir.prim_func
    def main(x: tir.Buffer((8,), "float32"), output: tir.Buffer((8,), "float32")):
        tir.func_attr({"num_outputs": 1})
        BODY

    @tir.prim_func(private=True)
    def f(A: tir.Buffer((8,), "float32"), B: tir.Buffer((8,), "float32")):
        for i in range(8):
            B[i] = A[i]
"""


def host(body: str) -> tir.PrimFunc:
    text = HOST.replace("BODY", "\n        ".join(unindented(body).splitlines()))
    func = script.parse(text).lookup("main")
    assert isinstance(func, tir.PrimFunc)
    return func


def test_buffers_of_two_branches_share_bytes() -> None:
    total, _ = check(
        host("""
if x[0] > 1.0:
    a = tir.alloc_buffer((8,), "float32")
    Module.f(x.data, a.data)
    Module.f(a.data, output.data)
else:
    b = tir.alloc_buffer((8,), "float32")
    Module.f(x.data, b.data)
    Module.f(b.data, output.data)
"""),
        {},
    )
    assert total == 64


def test_a_buffer_whose_address_is_kept_is_live_to_the_end() -> None:
    func = host("""
a = tir.alloc_buffer((8,), "float32")
Module.f(x.data, a.data)
p: tir.handle("float32") = tir.address_of(a[1])
b = tir.alloc_buffer((8,), "float32")
Module.f(x.data, b.data)
tir.evaluate(tir.call_extern("void", "g", p, output.data))
""")
    after, offsets = planned(func)
    assert value(after.get_attr("arena_bytes"), {}) == 128
    assert sorted(value(offsets[name], {}) for name in "ab") == [0, 64]


USE = "Module.f(x.data, a.data)"


@pytest.mark.parametrize(
    "body",
    [
        """
        for i in range(2):
            a = tir.alloc_buffer((8,), "float32")
            Module.f(x.data, a.data)
        """,
        f'a = tir.alloc_buffer((8,), "float32", scope="shared")\n{USE}',
        f'k: tir.int32 = tir.int32(x[0])\na = tir.alloc_buffer((k,), "float32")\n{USE}',
        f'a = tir.alloc_buffer((8,), "float32", align=128)\n{USE}',
        f'a = tir.alloc_buffer((4,), "float32", strides=(2,))\n{USE}',
        'a = tir.alloc_buffer((8,), "float32")\nModule.f(x.data, output.data)',
    ],
)
def test_what_stays_where_it_is(body: str) -> None:
    module = IRModule({GlobalVar("main"): host(body)})
    assert PlanMemory()(module).same_as(module)


def test_other_functions_do_not_change() -> None:
    func = ir.with_attr(chain([[64]] * 4), "num_outputs", None)
    module = IRModule({GlobalVar("main"): func})
    assert PlanMemory()(module).same_as(module)


def test_the_arena_stays_behind_the_assertions_and_is_not_shared_again() -> None:
    func = host(f'assert x[0] > 0.0, "zero"\na = tir.alloc_buffer((8,), "float32")\n{USE}')
    after, _ = planned(func)
    assert [type(stmt).__name__ for stmt in after.body.seq][:2] == ["AssertStmt", "AllocBuffer"]
    module = IRModule({GlobalVar("main"): after})
    assert StorageRewrite()(module).same_as(module)


def test_many_buffers_are_placed() -> None:
    after, offsets = planned(chain([[64]] * 4000))
    assert value(after.get_attr("arena_bytes"), {}) == 512
    assert len(offsets) == 3998
