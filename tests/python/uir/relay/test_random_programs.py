"""Random programs of relay keep their value through every pass, and stay well-formed."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np
import pytest

import uir
from uir import ir, relay, transform

from ....differential.programs.relay_programs import Program, random_program
from ...support.depth import DEPTH

SEEDS = range(24 * DEPTH)
EXACT: dict[str, list[str]] = {
    "ToANormalForm": ["ToANormalForm"],
    "EliminateCommonSubexpr": ["EliminateCommonSubexpr"],
    "DeadCode": ["DeadCode"],
    "Inline": ["Inline"],
    "SimplifyExpr": ["SimplifyExpr"],
    "FuseOps": ["FuseOps"],
    "all": ["Inline", "SimplifyExpr", "EliminateCommonSubexpr", "DeadCode", "FuseOps"],
}
"""The passes that keep every bit, one by one and together."""

ROUNDED = {
    "DecomposeOps": ["DecomposeOps"],
    "FoldAffineIntoWeights": ["DecomposeOps", "FoldAffineIntoWeights"],
    "CombineParallelMatmul": ["CombineParallelMatmul"],
    "FuseAttention": ["FuseAttention"],
    "all": [
        "Inline",
        "DecomposeOps",
        "FoldAffineIntoWeights",
        "CombineParallelMatmul",
        *EXACT["all"][1:],
    ],
}
"""The passes after which results may be rounded differently."""


def run(names: Sequence[str], module: ir.IRModule) -> ir.IRModule:
    """Return the module after passes, each of which leaves it well-formed and typed."""
    for name in names:
        module = transform.make_pass(name)(module)
        assert ir.verify(module) == [], name
        assert transform.InferType()(module).same_as(module), name
    assert ir.structural_equal(uir.script.parse(uir.script.print(module)), module)
    return module


def outputs(module: ir.IRModule, program: Program) -> list[np.ndarray]:
    """Return the results of `main`, one call after the other."""
    results: list[np.ndarray] = []
    for arguments in program.arguments:
        with np.errstate(all="ignore"):
            found: Any = relay.evaluate(module, *arguments, name="main")
        results += found
    return results


@pytest.mark.parametrize("name", EXACT)
def test_every_bit_is_kept(name: str) -> None:
    changed = 0
    for seed in SEEDS:
        program = random_program(Random(seed))
        after = run(EXACT[name], program.module)
        changed += not after.same_as(program.module)
        for found, expected in zip(
            outputs(after, program), outputs(program.module, program), strict=True
        ):
            assert (found.dtype, found.shape) == (expected.dtype, expected.shape), seed
            np.testing.assert_array_equal(found, expected, err_msg=f"seed {seed}")
            signs = np.signbit(found) == np.signbit(expected)
            assert (signs | (expected != expected)).all(), seed
    assert changed > len(SEEDS) / 2 or name == "ToANormalForm"


@pytest.mark.parametrize("name", ROUNDED)
def test_values_are_kept(name: str) -> None:
    for seed in SEEDS:
        program = random_program(Random(seed), length=10, smooth=True)
        after = run(ROUNDED[name], program.module)
        for found, expected in zip(
            outputs(after, program), outputs(program.module, program), strict=True
        ):
            assert (found.dtype, found.shape) == (expected.dtype, expected.shape), seed
            np.testing.assert_allclose(found, expected, 1e-6, 1e-6, err_msg=f"seed {seed}")


def test_fused_functions_are_put_back() -> None:
    for seed in SEEDS:
        before = transform.Inline()(random_program(Random(seed)).module)
        before = transform.DeadCodeElimination()(transform.DeadCode()(before))
        with transform.PassContext(config={"Inline.primitive": True}):
            after = transform.Inline()(transform.FuseOps()(before))
        restored = transform.DeadCodeElimination()(after)
        assert ir.verify(restored) == []
        count, expected = (
            len(module.lookup("main").body.bindings) for module in (restored, before)
        )
        assert (len(restored.functions), count) == (1, expected), seed
