"""Random programs: the same for the same seed, with a meaning, and not all alike."""

from __future__ import annotations

import pytest

from tschema.runtime import walk
from uir.ir import Op, structural_equal
from uir.tir import AttrStmt, BufferLoad, BufferStore, Call, For, ForKind, PrimFunc

from ...differential.programs.functions import (
    arguments,
    random_func,
    random_matching_module,
    random_module,
    same_results,
)
from ..support.interpreter import run


@pytest.mark.parametrize("seed", range(40))
def test_a_program_runs_and_is_defined(seed: int) -> None:
    func = random_func(seed)
    values = arguments(func, seed)
    run(func, *values, strict=True)
    assert not same_results(values, arguments(func, seed))


@pytest.mark.parametrize("seed", range(10))
def test_a_module_runs_and_is_defined(seed: int) -> None:
    module = random_module(seed)
    main = module.lookup("main")
    assert isinstance(main, PrimFunc)
    run(main, *arguments(main, seed), module=module, strict=True)


def test_a_seed_names_one_program() -> None:
    assert structural_equal(random_func(3), random_func(3))
    assert not structural_equal(random_func(3), random_func(4))


def test_the_first_programs_have_everything() -> None:
    found: set[str] = set()
    kinds: set[ForKind] = set()
    features: set[str] = set()

    def see(node: object) -> None:
        found.add(type(node).__name__)
        if isinstance(node, For):
            kinds.add(node.kind)
            features.update(node.annotations, [str(node.loop_var.dtype)])
        if isinstance(node, AttrStmt):
            features.add(node.attr_key)
        if isinstance(node, Call) and isinstance(node.op, Op):
            features.add(node.op.name)
        if isinstance(node, BufferLoad | BufferStore) and node.predicate is not None:
            features.add(f"predicate of {type(node).__name__}")

    for seed in range(60):
        walk(random_func(seed), see)
    for seed in range(20):
        walk(random_matching_module(seed), see)
    wanted = {
        "AllocBuffer",
        "Block",
        "MatchBufferRegion",
        "AssertStmt",
        "AttrStmt",
        "Bind",
        "DeclBuffer",
        "IfThenElse",
        "While",
    }
    wanted |= {
        "Broadcast",
        "Call",
        "Cast",
        "Let",
        "Mod",
        "FloorDiv",
        "Ramp",
        "Select",
        "And",
        "Not",
    }
    assert wanted <= found
    assert kinds == set(ForKind)
    assert features >= {
        "int64",
        "pragma_loop_partition_hint",
        "predicate of BufferLoad",
        "predicate of BufferStore",
        "thread_extent",
        "tir.bitwise_xor",
        "tir.likely",
        "tir.shift_right",
    }
