"""What holds of every pass at the ends of integer types: data wraps around, indices stay right."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import pytest

from uir import transform
from uir.ir import GlobalVar, IRModule, verify
from uir.tir import PrimFunc

from ....differential.programs.borders import border_arguments, border_func
from ...support.depth import DEPTH
from ...support.interpreter import Undefined, run
from .test_every_pass import ARGUMENTS, uirs_passes

SEEDS = range(20 * DEPTH)


def outputs(func: PrimFunc, seed: int, *, strict: bool = False) -> list[Any] | None:
    """Return the arguments after a run, or None where the program has no meaning."""
    values = border_arguments(func, seed)
    try:
        run(func, *values, strict=strict)
    except Undefined:
        return None
    return values


def runs_of(func: PrimFunc, seed: int) -> dict[int, list[Any]]:
    """Return the runs that have a meaning, by the seed of the arguments."""
    found = {s: outputs(func, s, strict=True) for s in range(seed * 5, seed * 5 + 5)}
    return {s: values for s, values in found.items() if values is not None}


@cache
def program(seed: int) -> tuple[IRModule, dict[int, list[Any]]]:
    """Return a program, and its runs by the seed of the arguments."""
    func = border_func(seed)
    return IRModule({GlobalVar("main"): func}), runs_of(func, seed)


def check(names: Sequence[str], seed: int) -> int:
    """Run passes on a program; return how many runs were compared before and after."""
    given, expected = program(seed)
    if not expected:
        return 0
    module = given
    for name in names:
        module = transform.make_pass(name, *ARGUMENTS.get(name, []))(module)
    if module.same_as(given):
        return len(expected)
    after = module.lookup("main")
    assert isinstance(after, PrimFunc)
    assert [problem.message for problem in verify(module)] == [], seed
    for arguments, values in expected.items():
        found = outputs(after, arguments)
        assert found is not None, f"seed {seed}: undefined for arguments {arguments}"
        assert all(map(np.array_equal, found, values)), f"seed {seed}, arguments {arguments}"
    return len(expected)


@pytest.mark.parametrize("name", uirs_passes())
def test_programs_mean_the_same_at_the_ends_of_types(name: str) -> None:
    assert sum(check([name], seed) for seed in SEEDS) > len(SEEDS)


def test_programs_mean_the_same_after_several_passes() -> None:
    names = uirs_passes()
    orders = [[names[(seed + step * 5) % len(names)] for step in range(5)] for seed in SEEDS]
    pipelines = [["CommonSubexprElim", "Simplify", *order, "Simplify"] for order in orders]
    assert sum(map(check, pipelines, SEEDS)) > len(SEEDS)
