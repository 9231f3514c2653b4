"""Random programs compute the same compiled, by the whole default pipeline, as interpreted."""

from __future__ import annotations

import pytest

import uir
from uir.ir import GlobalVar, IRModule, with_attr
from uir.runtime import Module
from uir.tir import PrimFunc

from ....differential.programs.functions import arguments, random_func, same_results
from ...support.depth import DEPTH
from ...support.interpreter import run

COUNT = 20


def func_of(seed: int) -> PrimFunc:
    return with_attr(random_func(seed), "global_symbol", f"f{seed}")


@pytest.fixture(scope="module")
def compiled() -> Module:
    """Compile all programs as one module."""
    seeds = range(COUNT * DEPTH)
    return uir.build(IRModule({GlobalVar(f"f{seed}"): func_of(seed) for seed in seeds}))


@pytest.mark.parametrize("seed", range(COUNT * DEPTH))
def test_a_compiled_program_computes_the_same(seed: int, compiled: Module) -> None:
    func = func_of(seed)
    expected, found = arguments(func, seed), arguments(func, seed)
    run(func, *expected)
    compiled[f"f{seed}"](*found)
    assert same_results(found, expected)
