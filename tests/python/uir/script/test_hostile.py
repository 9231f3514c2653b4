"""Hostile texts: deep ones overflow no stack, and long ones take time in proportion."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable

import pytest

from uir import script, tir
from uir.script import ScriptError

X = 'x = tir.Var("x", "int32")\n'
A = 'A = tir.Buffer((16,), "int32")\n'

DEEP: dict[str, Callable[[int], str]] = {
    "not": lambda n: "not " * n + "True",
    "signs": lambda n: X + "-" * n + "x",
    "inversions": lambda n: X + "~" * n + "x",
    "parentheses": lambda n: "(" * n + "1" + ")" * n,
    "calls": lambda n: X + "tir.abs(" * n + "x" + ")" * n,
    "called calls": lambda n: X + "x" + "()" * n,
    "subscripts": lambda n: A + "A" + "[0]" * n,
    "indices": lambda n: A + "A[" * n + "0" + "]" * n,
    "slices": lambda n: A + "tir.reads(" + "A[0:" * n + "1" + "]" * n + ")",
    "attributes": lambda n: X + "x" + ".a" * n,
    "unknown attributes": lambda n: "y" + ".a" * n,
    "lambdas": lambda n: "lambda: " * n + "1",
    "conditionals": lambda n: X + "x if x < 1 else " * n + "x",
    "sums": lambda n: X + "x" + " + x" * n,
    "nested sums": lambda n: X + "x + (" * n + "x" + ")" * n,
    "conjunctions": lambda n: X + "x < 1" + " and x < 1" * n,
    "comparisons": lambda n: X + "x" + " < x" * n,
    "branches": lambda n: "if True: " * n + "pass",
    "loops": lambda n: "for i in range(2): " * n + "pass",
    "long loops": lambda n: X + "while x < 1: " * n + "pass",
    "scopes": lambda n: 'with tir.attr(None, "key", 1): ' * n + "pass",
    "classes": lambda n: "class a: " * n + "pass",
    "functions": lambda n: "def a(): " * n + "pass",
    "lets": lambda n: "tir.Let(v, 1, " * n + "1" + ")" * n,
    "strings": lambda n: '"a" ' * n,
    "lists": lambda n: "[" * n + "]" * n,
    "tuples": lambda n: "(" * n + "1" + ",)" * n,
    "named lists": lambda n: "ir.List([" * n + "])" * n,
    "dictionaries": lambda n: '{"a": ' * n + "1" + "}" * n,
    "named dictionaries": lambda n: 'ir.Dict({"a": ' * n + "1" + "})" * n,
    "types": lambda n: "ir.TupleType([" * n + "])" * n,
    "statements": lambda n: (
        X + "tir.While(condition=x < 1, body=" * n + "tir.SeqStmt([])" + ")" * n
    ),
}

LONG = {
    **DEEP,
    "parameters": lambda n: (
        "@tir.prim_func\ndef f("
        + ", ".join(f"p{i}: tir.int32" for i in range(n))
        + "):\n    pass\n"
    ),
    "arguments": lambda n: X + "tir.tvm_tuple(" + "x, " * n + "dtype='handle')",
    "assignments": lambda n: "".join(f"v{i} = {i}\n" for i in range(n)),
    "declarations": lambda n: "".join(f'v{i} = tir.Var("v", "int32")\n' for i in range(n)) + "v1",
    "loops side by side": lambda n: "for i in range(2): pass\n" * n,
    "characters beyond ASCII": lambda n: X + "x + " * n + 'tir.call_extern("ä", dtype="int32")',
    "unknown names": lambda n: "y + z\n" * n,
    "names that are nearly alike": lambda n: f"{'a' * n} = 1\n{'a' * (n - 1)}b",
    "bad lines": lambda n: "x = \n" * n,
    "digits": lambda n: "1" * n,
    "fractions": lambda n: "1." + "1" * n,
    "a name": lambda n: "y" * n,
    "a comment": lambda n: "#" * n + "\n1",
    "dots": lambda n: "." * n,
}


def read(text: str) -> float:
    """Return the seconds that a text takes until what was read is gone, whatever it is."""
    started = time.process_time()
    with contextlib.suppress(ScriptError):
        script.parse_value(text)
    return time.process_time() - started


@pytest.mark.parametrize("kind", DEEP)
def test_deep_texts(kind: str) -> None:
    read(DEEP[kind](100_000))


@pytest.mark.parametrize("kind", LONG)
def test_long_texts(kind: str) -> None:
    short, long = (LONG[kind](count) for count in (5000, 40_000))
    # Eight times the text; quadratic time would be sixty-four times.
    assert read(long) < 24 * read(short) + 0.1


def doubling(define: str, end: str) -> str:
    """Return definitions of `a0` to `a40`, each of which reads the one before twice."""
    return "".join(define.format(i, i + 1) for i in range(40)) + end


BOMBS = {
    "macros": doubling(
        "@tir.macro\ndef a{0}():\n    a{1}()\n" + "#" * 4000 + "\n    a{1}()\n",
        "@tir.macro\ndef a40(): tir.evaluate(0)\n@tir.prim_func\ndef main(): a0()\n",
    ),
    "arguments": doubling(
        "@tir.macro\ndef a{0}(*v):\n    a{1}(*v, *v)\n",
        "@tir.macro\ndef a40(*v): tir.evaluate(0)\n@tir.prim_func\ndef main(): a0(1)\n",
    ),
    "elements": "a0 = [1]\n" + doubling("a{1} = [*a{0}, *a{0}]\n", "a40"),
    "strings": doubling(
        '@tir.macro\ndef a{0}(s):\n    a{1}(f"{{s}}{{s}}")\n',
        '@tir.macro\ndef a40(s): tir.evaluate(0)\n@tir.prim_func\ndef main(): a0("x")\n',
    ),
}


@pytest.mark.parametrize("kind", BOMBS)
def test_short_texts_that_expand_without_bound(kind: str) -> None:
    with pytest.raises(ScriptError, match="expand to more than 16777216 characters"):
        script.parse_value(BOMBS[kind])


def test_names_that_are_taken() -> None:
    def seconds(count: int) -> float:
        value: tir.PrimExpr = tir.const(0)
        for _ in range(count):
            value = tir.Add(value, tir.Var("v", "int32"))
        started = time.process_time()
        script.print(value)
        return time.process_time() - started

    assert seconds(32_000) < 24 * seconds(4000) + 0.1
