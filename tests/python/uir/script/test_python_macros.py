"""Macros of Python files: their calls in script stand for their statements."""

from __future__ import annotations

import pytest

from uir import ir, script, tir

# The source is script: it is read, and never run.
# mypy: ignore-errors

SIZE = 8


@tir.macro
def fill(B, n, value):
    for i in range(n):
        B[i] = value + SIZE


@tir.macro(hygienic=False)
def fill_twice(B, n):
    fill(B, n, 0)
    fill(B, n, value=1)


def same(func: tir.PrimFunc, body: str) -> None:
    """Check that the body of a function prints so."""
    lines = script.print(func).split("\n")[2:]
    assert [line[4:] for line in lines] == body.split("\n")
    assert ir.structural_equal(script.parse_value(script.print(func)), func)


def test_macros_of_the_surroundings() -> None:
    renamed = fill_twice

    @tir.prim_func
    def main(A: tir.Buffer((SIZE,), "int32")):
        renamed(A, 4)

    same(main, "for i in range(4):\n    A[i] = 8\nfor i in range(4):\n    A[i] = 9")


def test_macros_of_a_module() -> None:
    @script.ir_module
    class Module:
        @tir.prim_func
        def main(A: tir.Buffer((SIZE,), "int32"), x: tir.int32):
            fill(A, 2, value=x)

    same(Module.lookup("main"), "for i in range(2):\n    A[i] = x + 8")


def other_macro():
    size = 5

    @tir.inline
    def store(B):
        B[size] = 1

    return store


def test_a_macro_takes_the_names_around_it() -> None:
    store = other_macro()

    @tir.prim_func
    def main(A: tir.Buffer((SIZE,), "int32")):
        store(A)

    same(main, "A[5] = 1")
    size = 6
    with pytest.raises(ValueError, match="`size` is not the same in the macro `store`"):

        @tir.prim_func
        def wrong(A: tir.Buffer((size,), "int32")):
            store(A)


def test_a_macro_is_no_function_of_python() -> None:
    with pytest.raises(TypeError, match="the macro `fill` is called in script only"):
        fill(1, 2, 3)
    with pytest.raises(TypeError, match="macro: expected a function, got `int`"):
        tir.macro(3)
    with pytest.raises(TypeError, match="inline: expected a function, got `int`"):
        tir.inline(3)


def test_types_of_the_surroundings_are_called() -> None:
    half = 2.5

    @tir.prim_func
    def main(A: tir.Buffer((SIZE,), "int32")):
        A[int(half)] = int("3")

    same(main, "A[2] = 3")
