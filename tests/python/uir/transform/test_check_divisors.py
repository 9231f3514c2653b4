"""Loops check the divisors that they do not change once."""

from __future__ import annotations

import numpy as np
import pytest

import uir
from uir import tir, transform
from uir.target import Target, emit_c

PROGRAM = """
@uir.script.ir_module
class Module:
    @tir.prim_func
    def main(A: tir.Buffer((40,), "int32"), B: tir.Buffer((40,), "int32"), n: tir.int32):
        tir.func_attr({{"tir.noalias": {noalias}}})
        for i in range({count}):
            {stmt}
"""
CHECK = 'tir.nonzero(B[{index}], "floordiv at <text>:8: the divisor `B[{index}]` is 0")'


def checked(stmt: str, count: str = "40", noalias: bool = True) -> tir.PrimFunc:
    text = PROGRAM.format(stmt=stmt, count=count, noalias=noalias)
    return transform.CheckDivisors()(uir.script.parse(text))["main"]


def before_loop(func: tir.PrimFunc) -> list[str]:
    body = func.body
    stmts = list(body.seq) if isinstance(body, tir.SeqStmt) else [body]
    assert isinstance(stmts[-1], tir.For)
    return [str(stmt.value) for stmt in stmts[:-1]]


@pytest.mark.parametrize("index", ["3", "n + 1"])
def test_an_element_that_stays_is_checked_in_front(index: str) -> None:
    func = checked(f"A[i] = A[i] // B[{index}] + A[i] // B[{index}]")
    assert before_loop(func) == [CHECK.format(index=index)]
    assert "nonzero" not in str(func.body.seq[-1])


@pytest.mark.parametrize(
    "stmt",
    [
        "A[i] = A[i] // B[i]",
        "B[i] = A[i] // B[3]",
        "A[i] = A[i] // B[A[3]]",
        "A[i] = tir.if_then_else(n > 3, A[i] // B[3], 0)",
        "A[i] = tir.Select(n > 3, A[i] // B[3], 0)",
    ],
)
def test_other_checks_stay(stmt: str) -> None:
    func = checked(stmt)
    assert before_loop(func) == []
    assert "nonzero" in str(func.body)


def test_buffers_that_may_overlap() -> None:
    assert before_loop(checked("A[i] = A[i] // B[3]", noalias=False)) == []


def test_a_loop_without_iterations_checks_nothing() -> None:
    text = PROGRAM.format(stmt="A[i] = A[i] // B[3]", count="n", noalias=True)
    library = uir.build(uir.script.parse(text))
    x, y = np.arange(40, dtype="int32"), np.zeros(40, "int32")
    library.main(x, y, 0)
    np.testing.assert_array_equal(x, np.arange(40))
    with pytest.raises(ValueError, match=r"the divisor `B\[3\]` is 0"):
        library.main(x, y, 1)
    y[3] = 7
    library.main(x, y, 40)
    np.testing.assert_array_equal(x, np.arange(40) // 7)


@pytest.mark.parametrize(
    ("extent", "is_checked"), [("n", False), ("m * (n * 2)", False), ("n + m", True)]
)
def test_the_factors_of_an_extent_are_not_0_in_the_loop(extent: str, is_checked: bool) -> None:
    func = uir.script.parse_function(f"""
@tir.prim_func
def main(A: tir.Buffer((40,), "int64"), n: tir.int64, m: tir.int64):
    for i in range({extent}):
        A[i] = i // n + i % n
""")
    module = transform.CheckDivisors()(uir.ir.IRModule({uir.ir.GlobalVar("main"): func}))
    assert ("nonzero" in str(module)) == is_checked


def test_an_index_is_checked_before_its_element() -> None:
    text = PROGRAM.format(stmt="A[i] = A[i] // B[n]", count="40", noalias=True)
    library = uir.build(uir.script.parse(text), checks="bounds")
    with pytest.raises(IndexError):
        library.main(np.zeros(40, "int32"), np.zeros(40, "int32"), 1 << 28)


def test_vectors_of_integers_are_divided_as_floats() -> None:
    module = uir.script.parse(
        """
@uir.script.ir_module
class Module:
    @relay.function
    def main(x: relay.Tensor((64,), "int16"), y: relay.Tensor((64,), "int16")):
        return relay.floor_divide(x, y)
"""
    )
    assert "floordiv_lane_int16(" in emit_c(uir.lower(module), Target())
