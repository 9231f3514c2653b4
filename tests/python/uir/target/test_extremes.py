"""Minima and maxima of vectors give the second operand unless the first one is beyond it."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import uir
from uir.target import Target

PROGRAM = """
@uir.script.ir_module
class Module:
    @tir.prim_func
    def main(A: tir.Buffer((64,), "{dtype}"), B: tir.Buffer((64,), "{dtype}"),
             C: tir.Buffer((64,), "{dtype}")):
        tir.func_attr({{"tir.noalias": True}})
        for i in range(64):
            C[i] = tir.{name}(A[i], B[i])
"""
COMPARE: dict[str, Callable[[Any, Any], Any]] = {"min": np.less, "max": np.greater}


@pytest.mark.parametrize("name", COMPARE)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_nan_and_zeros_keep_their_bits(dtype: str, name: str) -> None:
    borders = (0.0, -0.0, 1.0, -1.0, np.nan, -np.nan, np.inf, -np.inf)
    pairs = np.array(list(itertools.product(borders, borders)), dtype)
    a, b = (np.ascontiguousarray(side) for side in pairs.T)
    wanted = np.where(COMPARE[name](a, b), a, b)
    module = uir.script.parse(PROGRAM.format(dtype=dtype, name=name))
    for isa in ("native", "x86-64"):
        library = uir.build(module, Target("c", isa))
        assert f"__builtin_ia32_{name}p" in library.inspect_source()
        found = np.zeros_like(a)
        library.main(a, b, found)
        assert found.tobytes() == wanted.tobytes()
