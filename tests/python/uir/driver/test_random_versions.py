"""Random programs compute the same as interpreted, in the versions for all instruction sets."""

from __future__ import annotations

from pathlib import Path

import pytest

import uir
from uir.driver import find_compiler
from uir.ir import GlobalVar, IRModule, with_attr
from uir.runtime import Module, export_library, load_module
from uir.target import Target
from uir.tir import PrimFunc

from ....differential.programs.functions import arguments, random_func, same_results
from ...support.depth import DEPTH
from ...support.interpreter import run

COUNT = 15
FIRST = 1000
"""The first program, which other tests of random programs do not draw."""
ISAS = ("generic", "x86-64-v3", "x86-64-v4")


def func_of(seed: int) -> PrimFunc:
    return with_attr(random_func(seed), "global_symbol", f"f{seed}")


def load_versions(folder: Path, seeds: range) -> dict[str, Module]:
    """Compile programs as one library, and load it as processors of each kind would."""
    module = IRModule({GlobalVar(f"f{seed}"): func_of(seed) for seed in seeds})
    built = uir.build(module, Target("c", "x86-64"))
    versions = {}
    with pytest.MonkeyPatch.context() as patch:
        for isa in ISAS:
            patch.setenv("UIR_ISA", isa)
            # The system loads a file once.
            export_library(built, folder / f"{isa}.so")
            versions[isa] = load_module(folder / f"{isa}.so")
    return versions


def check(versions: dict[str, Module], seed: int) -> None:
    func = func_of(seed)
    expected = arguments(func, seed)
    run(func, *expected)
    for isa, version in versions.items():
        found = arguments(func, seed)
        version[f"f{seed}"](*found)
        assert same_results(found, expected), (seed, isa)


def test_each_version_computes_the_same(tmp_path: Path) -> None:
    seeds = range(FIRST, FIRST + COUNT * DEPTH)
    versions = load_versions(tmp_path, seeds)
    for seed in seeds:
        check(versions, seed)


def test_each_version_of_zig_computes_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("UIR_CC", " ".join(find_compiler()))
    seeds = range(FIRST, FIRST + COUNT * DEPTH)
    versions = load_versions(tmp_path, seeds)
    for seed in seeds:
        check(versions, seed)
