"""Macros, in texts and in Python files: their calls stand for their statements."""

from __future__ import annotations

import pytest

from uir import ir, script, tir
from uir.script import ScriptError

# The source is script: it is read, and never run.
# mypy: ignore-errors

SIZE = 8


def same(func: tir.PrimFunc, body: str) -> None:
    """Check that the body of a function prints so."""
    lines = script.print(func).split("\n")[1:]
    assert [line[4:] for line in lines[1:]] == body.strip("\n").split("\n")
    assert ir.structural_equal(script.parse_value(script.print(func)), func)


# In texts.


def expand(macro: str, call: str) -> tir.PrimFunc:
    header = '@tir.prim_func\ndef main(A: tir.Buffer((8,), "int32"), n: tir.int32):\n'
    func = script.parse_value(f"@tir.macro\n{macro}\n\n{header}    {call}")
    assert isinstance(func, tir.PrimFunc)
    return func


@pytest.mark.parametrize(
    ("macro", "call", "body"),
    [
        ("def m(B, i=2):\n    B[i] = 1", "m(A)", "A[2] = 1"),
        ("def m(B, i=2):\n    B[i] = 1", "m(A, n)", "A[n] = 1"),
        ("def m(B, i=2):\n    B[i] = 1", "m(i=n, B=A)", "A[n] = 1"),
        ("def m(i, *others):\n    A[i] = others[0] + others[1]", "m(1, n, 2)", "A[1] = n + 2"),
        ("def m(*, B, i: tir.int32 = 0):\n    B[i] = 1", "m(B=A)", "A[0] = 1"),
        ('def m(i, **named):\n    named["B"][i] = 1', "m(n, B=A)", "A[n] = 1"),
    ],
)
def test_parameters(macro: str, call: str, body: str) -> None:
    same(expand(macro, call), body)


@pytest.mark.parametrize(
    ("macro", "call", "message"),
    [
        ("def m(B):\n    B[0] = 1", "m()", "missing argument `B`"),
        ("def m(B):\n    B[0] = 1", "m(A, n)", "too many arguments for the macro"),
        ("def m(*, B):\n    B[0] = 1", "m(A)", "too many arguments for the macro"),
        ("def m(B):\n    B[0] = 1", "m(A, B=A)", "argument `B` is given twice"),
        ("def m(B):\n    B[0] = 1", "m(A, C=A)", "unknown argument `C`"),
        ('def m(**named):\n    named["B"][0] = 1', "m(C=A)", "there is no entry of this key"),
    ],
)
def test_wrong_calls(macro: str, call: str, message: str) -> None:
    with pytest.raises(ScriptError, match=f"error: {message}"):
        expand(macro, call)


def test_a_macro_in_a_function_sees_its_names() -> None:
    func = script.parse_value("""
@tir.prim_func
def main(A: tir.Buffer((8,), "int32"), n: tir.int32):
    @tir.inline
    def fill(i):
        A[i] = n
    for k in range(8):
        fill(k)
""")
    same(func, "for k in range(8):\n    A[k] = n")


def test_only_macros_have_defaults() -> None:
    with pytest.raises(ScriptError, match="only a macro has defaults, `\\*` and `\\*\\*`"):
        script.parse_value("@tir.prim_func\ndef main(n: tir.int32 = 3):\n    tir.evaluate(n)")


# In Python files.


@tir.macro
def fill(B, n, value=0):
    for i in range(n):
        B[i] = value + SIZE


@tir.macro(hygienic=False)
def fill_twice(B, n):
    fill(B, n)
    fill(B, n, value=1)


def test_macros_of_the_surroundings() -> None:
    renamed = fill_twice

    @tir.prim_func
    def main(A: tir.Buffer((SIZE,), "int32")):
        renamed(A, 4)

    same(
        main,
        "for i in range(4):\n    A[i] = 8\nfor i in range(4):\n    A[i] = 9",
    )


def test_macros_of_a_module() -> None:
    @script.ir_module
    class Module:
        @tir.prim_func
        def main(A: tir.Buffer((SIZE,), "int32"), x: tir.int32):
            fill(A, 2, value=x)

    same(Module.lookup("main"), "for i in range(2):\n    A[i] = x + 8")


def other_macro(decorator):
    size = 5

    @decorator
    def store(B):
        B[size] = 1

    return store


@pytest.mark.parametrize("decorator", [tir.macro, tir.inline])
def test_a_macro_takes_the_names_around_it(decorator) -> None:
    store = other_macro(decorator)

    @tir.prim_func
    def main(A: tir.Buffer((SIZE,), "int32")):
        store(A)

    same(main, "A[5] = 1")
    with pytest.raises(ValueError, match="`size` is not the same in the macro `store`"):
        size = 6

        @tir.prim_func
        def wrong(A: tir.Buffer((size,), "int32")):
            store(A)


def test_a_macro_is_no_function_of_python() -> None:
    with pytest.raises(TypeError, match="the macro `fill` is called in script only"):
        fill(1, 2)
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
