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
def compiled() -> tuple[Module, Module]:
    """Compile the programs as two modules, of which the second one checks indices."""
    modules = [
        IRModule({GlobalVar(f"f{seed}"): func_of(seed) for seed in range(first, COUNT * DEPTH, 2)})
        for first in (0, 1)
    ]
    return uir.build(modules[0]), uir.build(modules[1], checks="bounds")


@pytest.mark.parametrize("seed", range(COUNT * DEPTH))
def test_a_compiled_program_computes_the_same(seed: int, compiled: tuple[Module, Module]) -> None:
    func = func_of(seed)
    expected, found = arguments(func, seed), arguments(func, seed)
    run(func, *expected)
    compiled[seed % 2][f"f{seed}"](*found)
    assert same_results(found, expected)
