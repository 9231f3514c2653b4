"""What holds of every pass: random programs mean the same after it, and stay well-formed."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import pytest

from uir import script, transform
from uir.ir import IRModule, deep_copy, post_order, structural_equal, verify
from uir.tir import BufferLoad, BufferStore, Evaluate, For, IfThenElse, PrimFunc, Var, While

from ....differential.programs.functions import (
    arguments,
    random_matching_module,
    random_module,
    same_results,
)
from ...nodes.samples import SAMPLES
from ...support.depth import DEPTH
from ...support.interpreter import run

NOBODY = Var("nobody", "int32")

ARGUMENTS: dict[str, list[Any]] = {
    "DeadCodeElimination": [[]],
    "MultiversionFunctions": [["x86-64-v4"]],
    "NarrowDataType": [16],
    "ReplayKernels": [{}],
    "ReplayLayouts": [{}],
    "ReplaySchedule": [{}],
    "VectorizeLoop": [True],
    "Substitute": [{NOBODY: NOBODY + 1}],
}
"""What the factories of passes take that take something."""

PASSES_OF_RELAY = {"DecomposeOps", "FoldConstant", "FuseOps", "Inline"}
"""Passes with options that leave functions of loops and memory as they are."""

SEEDS = range(12 * DEPTH)


def uirs_passes() -> list[str]:
    """Return the names of the passes that are uir's own; tests register others."""
    return [str(name) for name in transform.list_pass_names() if "." not in name]


def main_of(module: IRModule) -> PrimFunc:
    main = module.lookup("main")
    assert isinstance(main, PrimFunc)
    return main


def results(module: IRModule, seed: int, *, strict: bool = False) -> list[Any]:
    """Return the arguments of `main` after a run of it."""
    values = arguments(main_of(module), seed)
    run(main_of(module), *values, module=module, strict=strict)
    return values


@cache
def program(seed: int) -> tuple[IRModule, IRModule, list[Any]]:
    """Return a random module, a copy of it, and the arguments of `main` after a run."""
    module = random_module(seed)
    return module, deep_copy(module), results(module, seed, strict=True)


@cache
def matching_program(seed: int) -> tuple[IRModule, list[Any]]:
    """Return a random module of blocks that match buffers, and the arguments after a run."""
    module = random_matching_module(seed)
    return module, results(module, seed, strict=True)


WRITTEN = (For, IfThenElse, While, BufferStore, Evaluate, BufferLoad)
"""Nodes of the input, as opposed to those that a pass adds around them."""


@pytest.mark.parametrize("name", uirs_passes())
def test_what_was_written_keeps_its_span(name: str) -> None:
    pass_ = transform.make_pass(name, *ARGUMENTS.get(name, []))
    for seed in range(8):
        text = script.print(random_module(seed))
        after = pass_(script.parse(text))
        nodes = [node for kind in WRITTEN for node in post_order(after, kind)]
        assert nodes
        num_lines = text.count("\n") + 1
        for node in nodes:
            assert node.span is not None, f"seed {seed}: {node}"
            assert 1 <= node.span.line <= num_lines


@pytest.mark.parametrize("name", uirs_passes())
def test_what_comes_out_is_printed_and_read(name: str) -> None:
    pass_ = transform.make_pass(name, *ARGUMENTS.get(name, []))
    for seed in range(8):
        after = pass_(random_module(seed))
        text = script.print(after)
        parsed = script.parse(text)
        assert structural_equal(parsed, after), f"seed {seed}"
        assert script.print(parsed) == text


@pytest.mark.parametrize("name", uirs_passes())
def test_programs_mean_the_same(name: str) -> None:
    pass_ = transform.make_pass(name, *ARGUMENTS.get(name, []))
    for seed in SEEDS:
        module, before, expected = program(seed)
        after = pass_(module)
        assert structural_equal(module, before), f"seed {seed}: the input was written"
        if after.same_as(module):
            continue
        assert not structural_equal(after, module), f"seed {seed}"
        assert [problem.message for problem in verify(after)] == [], f"seed {seed}"
        assert same_results(results(after, seed), expected), f"seed {seed}"


def configs() -> list[tuple[str, int, dict[str, Any]]]:
    """Return passes with values of their options other than the defaults, and a number of seeds.

    The values are those of the samples of nodes, all of a pass together and each by itself.
    """
    found: list[tuple[str, int, dict[str, Any]]] = []
    for sample in SAMPLES:
        made = re.fullmatch(r"transform\.(\w+)Options", sample.key)
        if made is None or made[1] in PASSES_OF_RELAY:
            continue
        options = {f"{made[1]}.{field}": value for field, value in sample.arguments.items()}
        found.append((made[1], 3, options))
        found += [(made[1], 1, {key: value}) for key, value in options.items()]
    return found


@pytest.mark.parametrize(("name", "num_seeds", "config"), configs())
def test_programs_mean_the_same_with_options(
    name: str, num_seeds: int, config: dict[str, Any]
) -> None:
    pass_ = transform.make_pass(name)
    for seed in range(num_seeds * DEPTH):
        module, _, expected = program(seed)
        with transform.PassContext(config=config):
            after = pass_(module)
        assert [problem.message for problem in verify(after)] == [], f"seed {seed}"
        assert same_results(results(after, seed), expected), f"seed {seed}"


@pytest.mark.parametrize("name", uirs_passes())
def test_blocks_that_match_buffers_mean_the_same(name: str) -> None:
    pass_ = transform.make_pass(name, *ARGUMENTS.get(name, []))
    for seed in range(6 * DEPTH):
        module, expected = matching_program(seed)
        after = pass_(transform.LowerBlocks()(module) if name == "FlattenBuffer" else module)
        if after.same_as(module):
            continue
        assert [problem.message for problem in verify(after)] == [], f"seed {seed}"
        assert same_results(results(after, seed), expected), f"seed {seed}"


def test_programs_mean_the_same_after_all_passes_in_any_order() -> None:
    names = uirs_passes()
    for seed in SEEDS:
        module, _, expected = program(seed)
        for step in range(len(names)):
            name = names[(seed + step * 5) % len(names)]
            module = transform.make_pass(name, *ARGUMENTS.get(name, []))(module)
        assert [problem.message for problem in verify(module)] == [], f"seed {seed}"
        assert same_results(results(module, seed), expected), f"seed {seed}"
