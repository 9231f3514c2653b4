"""Objects and errors leave no memory: a million are created, saved, loaded, mapped and dropped."""

from __future__ import annotations

import contextlib
import gc
import os
import weakref
from collections.abc import Callable
from pathlib import Path

import pytest
from tvm_ffi import Object

import tschema.runtime as runtime
from uir.ir import IntImm, PrimExpr
from uir.tir import Add, Var

LEAVES = 1000
ROUNDS = 80
"""Two thousand objects and more in each, 160,000 for each kind of work."""
ALLOWED = 4 << 20
"""Bytes: what a heap may grow by on its own; to lose a half of the objects would be more."""


def resident() -> int:
    """Return the memory of this process, in bytes."""
    pages = Path("/proc/self/statm").read_text().split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def tree(leaves: int) -> PrimExpr:
    """Return a sum, of twice as many objects."""
    total: PrimExpr = Var("x", "int32")
    for value in range(leaves):
        total = Add(total, IntImm("int32", value))
    return total


def create(_: PrimExpr) -> None:
    tree(LEAVES)


def save_and_load_json(root: PrimExpr) -> None:
    runtime.load_json(runtime.save_json(root))


def save_and_load_binary(root: PrimExpr) -> None:
    runtime.load_binary(runtime.save_binary(root))


def copy(root: PrimExpr) -> None:
    runtime.deep_copy(root)


def rewrite(root: PrimExpr) -> None:
    def next_constant(node: Object) -> Object | None:
        return IntImm("int32", node.value + 1) if isinstance(node, IntImm) else None

    runtime.map(root, next_constant)


def compare(root: PrimExpr) -> None:
    other = runtime.map(root, lambda node: Var("y", "int32") if isinstance(node, Var) else None)
    assert runtime.first_mismatch(root, other) is not None
    assert runtime.structural_hash(root, map_free_vars=True) == runtime.structural_hash(
        other, map_free_vars=True
    )


def fail(root: PrimExpr) -> None:
    def refuse(node: Object) -> Object | None:
        if isinstance(node, Var):
            raise KeyError("x")
        return None

    with pytest.raises(KeyError):
        runtime.map(root, refuse)
    with pytest.raises(ValueError):
        runtime.load_binary(runtime.save_binary(root)[:-1])


WORK = [create, save_and_load_json, save_and_load_binary, copy, rewrite, compare, fail]


@pytest.mark.parametrize("work", WORK)
def test_memory_stays(work: Callable[[PrimExpr], None]) -> None:
    root = tree(LEAVES)
    for _ in range(5):
        work(root)
    gc.collect()
    before = resident()
    for _ in range(ROUNDS):
        work(root)
    gc.collect()
    assert resident() - before < ALLOWED


class Large:
    """A local variable that should not outlive its function."""


def test_errors_keep_no_locals_once_they_are_handled() -> None:
    def call(run: Callable[[], object]) -> weakref.ref[Large]:
        large = Large()
        with contextlib.suppress(TypeError, ValueError, KeyError):
            run()
        return weakref.ref(large)

    root = tree(2)
    runs: list[Callable[[], object]] = [
        lambda: Var(3, "int32"),  # type: ignore[arg-type]
        lambda: Add(root, None),  # type: ignore[arg-type]
        lambda: IntImm("int32", 2**40),
        lambda: runtime.load_json("{}"),
        lambda: runtime.map(root, lambda _: {}["x"]),
    ]
    gc.disable()
    try:
        assert [call(run)() for run in runs] == [None] * len(runs)
    finally:
        gc.enable()
