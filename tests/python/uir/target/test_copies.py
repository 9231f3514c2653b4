"""Loops that copy neighbouring elements: calls of `memcpy`, where nothing else may be read."""

from __future__ import annotations

import numpy as np
import pytest

from uir import build, script
from uir.ir import IRModule
from uir.target import Target, emit_c
from uir.transform import FlattenBuffer

PROGRAM = """
@uir.script.ir_module
class Module:
    @tir.prim_func
    def main({params}, n: tir.int32):
        tir.func_attr({{"tir.noalias": {noalias}}})
        {loop}
"""
APART = 'A: tir.Buffer((90,), "{dtype}"), B: tir.Buffer((90,), "{dtype}")'


def module_of(loop: str, dtype: str = "float32", noalias: bool = True) -> IRModule:
    """Return a function of the buffers `A` and `B` of 90 elements and the number `n`."""
    text = PROGRAM.format(params=APART.format(dtype=dtype), noalias=noalias, loop=loop)
    return script.parse(text)


def copies(module: IRModule) -> list[str]:
    """Return the copies of the emitted function."""
    text = emit_c(FlattenBuffer()(module), Target("c"))
    lines = text[text.index("main_(") :].splitlines()
    return [line.strip() for line in lines if "memcpy" in line and "A[" in line]


@pytest.mark.parametrize(
    ("loop", "copy"),
    [
        (
            "for i in range(20):\n            B[i] = A[i + 3]",
            "__builtin_memcpy(&B[0], &A[3], 80);",
        ),
        (
            "for i in range(5, 25):\n            B[n * 2 + i] = A[i]",
            "__builtin_memcpy(&B[n * 2 + 5], &A[5], 80);",
        ),
        (
            "for i in range(n):\n            B[i + 1] = A[i]",
            "__builtin_memcpy(&B[1], &A[0], (size_t)count * 4);",
        ),
    ],
)
def test_a_loop_that_copies_neighbours_is_a_call(loop: str, copy: str) -> None:
    assert copies(module_of(loop)) == [copy]


@pytest.mark.parametrize(
    "loop",
    [
        "for i in range(20):\n            B[i] = A[i * 2]",
        "for i in range(20):\n            B[19 - i] = A[i]",
        "for i in range(20):\n            B[i] = A[i] + 1.0",
        "for i in range(20):\n            A[i + 1] = A[i]",
        "for i in range(20):\n            B[i + tir.Cast('int32', B[0])] = A[i]",
        "for i in range(0, 40, 2):\n            B[i] = A[i]",
        "for i in range(8):\n            B[i] = A[i]",
        "for i in range(20):\n            x = tir.popcount(n)\n            B[i] = A[i]",
    ],
)
def test_other_loops_stay(loop: str) -> None:
    assert copies(module_of(loop)) == []


def test_buffers_that_may_overlap_are_copied_one_by_one() -> None:
    module = module_of("for i in range(20):\n            B[i] = A[i]", noalias=False)
    assert copies(module) == []


@pytest.mark.parametrize("dtype", ["float32", "float16", "bool", "int8", "float64"])
@pytest.mark.parametrize("n", [-3, 0, 1, 40])
def test_copies_have_the_elements(dtype: str, n: int) -> None:
    """Of each size, and none for a negative number."""
    function = build(module_of("for i in range(n):\n            B[i + 7] = A[i + 2]", dtype))
    numbers = np.random.default_rng(n + 3).integers(0, 2, (2, 90)).astype(dtype)
    source, found = numbers
    expected = found.copy()
    if n > 0:
        expected[7 : 7 + n] = source[2 : 2 + n]
    function(source, found, n)
    np.testing.assert_array_equal(found, expected)
