"""LowerParallel: parallel loops become functions that threads call in parts, or serial loops."""

from __future__ import annotations

import numpy as np
import pytest

from uir import script, transform
from uir.ir import GlobalVar, IRModule, post_order, structural_equal
from uir.tir import For, ForKind, PrimFunc

from ....differential.programs.functions import arguments, random_module, same_results
from ...support.interpreter import run

HEAD = """
@tir.prim_func
def main(A: tir.Buffer((64, 64), "float32"), B: tir.Buffer((64, 64), "float32"), k: tir.float32):
"""


def lowered(body: str, min_work: int = 0) -> IRModule:
    """Return the module of a function with a body after the pass."""
    func = script.parse_function(HEAD + body)
    assert isinstance(func, PrimFunc)
    with transform.PassContext(config={"LowerParallel.min_work": min_work}):
        module = transform.LowerParallel()(IRModule({GlobalVar("main"): func}))
    return transform.VerifyWellFormed()(module)


def kinds(module: IRModule) -> dict[str, list[str]]:
    """Return the kinds of loops by function."""
    return {
        var.name_hint: [loop.kind.name for loop in post_order(func.body, For)]
        for var, func in module.functions.items()
        if isinstance(func, PrimFunc)
    }


SCALE = """
    for i in tir.parallel(64):
        for j in tir.parallel(64):
            B[i, j] = A[i, j] * k
"""


def test_a_loop_becomes_a_function_of_a_range() -> None:
    module = lowered(SCALE)
    expected = """
@uir.script.ir_module
class Module:
    @tir.prim_func
    def main(A: tir.Buffer((64, 64), "float32"), B: tir.Buffer((64, 64), "float32"),
             k: tir.float32):
        tir.parallel_for(Module.main_parallel(0, 64, B.data, A.data, k))

    @tir.prim_func(private=True)
    def main_parallel(begin: tir.int32, extent: tir.int32, B: tir.Buffer((64, 64), "float32"),
                      A: tir.Buffer((64, 64), "float32"), k: tir.float32):
        for i in range(begin, begin + extent):
            for j in range(64):
                B[i, j] = A[i, j] * k
"""
    wanted = script.parse(expected)
    assert isinstance(wanted, IRModule)
    for name in ("main", "main_parallel"):
        assert str(module.lookup(name)) == str(wanted.lookup(name))
    parsed = script.parse(str(module))
    assert structural_equal(parsed, module)


def test_each_loop_has_a_function_of_its_own() -> None:
    assert kinds(lowered(SCALE + SCALE)) == {
        "main": [],
        "main_parallel": ["SERIAL", "SERIAL"],
        "main_parallel_1": ["SERIAL", "SERIAL"],
    }


def test_a_loop_of_little_work_is_serial() -> None:
    # Each inner iteration has a store, a load, a product and itself; each outer one itself too.
    work = 64 * (64 * 4 + 1)
    assert "main_parallel" in kinds(lowered(SCALE, work))
    assert kinds(lowered(SCALE, work + 1)) == {"main": ["SERIAL", "SERIAL"]}


def test_an_extent_that_is_not_known_is_compared_when_the_loop_runs() -> None:
    module = lowered(
        """
    n = tir.Cast("int32", k)
    for i in tir.parallel(n):
        B[i, 0] = A[i, 0]
""",
        900,
    )
    main = module.lookup("main")
    assert isinstance(main, PrimFunc)
    # An iteration has a store, a load, and itself.
    assert str(main.body).splitlines()[1:] == [
        "if n < 300:",
        "    main_parallel(0, n, B, A)",
        "else:",
        "    tir.parallel_for(main_parallel(0, n, B, A))",
    ]


@pytest.mark.parametrize(
    "body",
    [
        "    for i in tir.parallel(tir.Cast('int32', k)):\n        B[i, 0] = A[i, 0]\n",
        "    for i in tir.parallel(4):\n        tir.call_extern('f', B.data, dtype='')\n",
        "    for i in tir.parallel(4):\n        while B[i, 0] < k:\n            B[i, 0] = k\n",
    ],
    ids=["extent", "call", "while"],
)
def test_unknown_work_is_taken_for_much(body: str) -> None:
    assert "main_parallel" in kinds(lowered(body, 1 << 60))


@pytest.mark.parametrize(
    "body",
    [
        "    for i in tir.parallel(0, 64, step=2):\n        B[i, 0] = A[i, 0]\n",
        "    for i in tir.parallel(64):\n        if A[i, 0] < k:\n            tir.ret(0)\n",
        "    v = tir.Broadcast(k, 4)\n    for i in tir.parallel(64):\n"
        "        B[i, tir.Ramp(0, 1, 4)] = v\n",
    ],
    ids=["step", "return", "vector"],
)
def test_what_does_not_become_a_function_is_serial(body: str) -> None:
    found = kinds(lowered(body))
    assert found == {"main": ["SERIAL"]}


def test_memory_views_and_jumps_of_the_body_move() -> None:
    module = lowered("""
    T = tir.alloc_buffer((64,), "float32")
    F = tir.decl_buffer((4096,), "float32", data=A.data)
    for i in tir.parallel(64):
        L = tir.alloc_buffer((1,), "float32")
        if k < F[i]:
            continue
        L[0] = A[0, i] + F[i]
        T[i] = L[0]
        B[0, i] = T[i] * k
""")
    assert kinds(module) == {"main": [], "main_parallel": ["SERIAL"]}
    main = module.lookup("main")
    assert isinstance(main, PrimFunc)
    a = np.arange(4096, dtype="float32").reshape(64, 64)
    b = np.zeros_like(a)
    run(main, a, b, 40.0, module=module)
    expected = np.where(a[0] > 40, 0, 2 * a[0] * 40)
    assert b[0].tolist() == expected.tolist()


@pytest.mark.parametrize("seed", range(30))
def test_a_random_program_means_the_same(seed: int) -> None:
    module = random_module(seed)
    with transform.PassContext(config={"LowerParallel.min_work": 0}):
        after = transform.VerifyWellFormed()(transform.LowerParallel()(module))
    assert all(ForKind.PARALLEL.name not in found for found in kinds(after).values())
    results = []
    for version in (module, after):
        main = version.lookup("main")
        assert isinstance(main, PrimFunc)
        results.append(arguments(main, seed))
        run(main, *results[-1], module=version, strict=True)
    assert same_results(*results)
