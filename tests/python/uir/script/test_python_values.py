"""Values of the Python around a function: what they compute, and which statements they choose."""

from __future__ import annotations

import math

import pytest

from uir import ir, script, tir
from uir.script import ScriptError

# The source is script: it is read, and never run.
# mypy: ignore-errors


def body(func: tir.PrimFunc) -> str:
    text = script.print(func)
    assert ir.structural_equal(script.parse_value(text), func)
    return "\n".join(line[4:] for line in text.split("\n")[2:])


def test_numbers_are_computed() -> None:
    n, half, flags = 6, 0.5, {"bits": 16}

    @tir.prim_func
    def main(A: tir.Buffer((n * 4,), "float32"), x: tir.int32):
        A[tir.Ramp(0, 1, n // 4 + 3)] = tir.Broadcast(1.0, int(math.sqrt(n + 10)))
        A[x * (n - 2)] = half * n + (n % 4) ** 3
        A[-n + 7] = flags["bits"] - (n << 1)
        A[x] = tir.reinterpret(x, dtype="float" + str(32))

    assert main.buffer_map[main.params[0]].shape[0].value == 24
    assert body(main) == (
        "A[tir.Ramp(0, 1, 4)] = tir.Broadcast(1.0, 4)\n"
        "A[x * 4] = 11.0\n"
        "A[1] = 4.0\n"
        'A[x] = tir.reinterpret(x, dtype="float32")'
    )


def test_literals_stay_operations() -> None:
    text = "@tir.prim_func\ndef main(x: tir.int32):\n    tir.evaluate(x + 2 * 3)"
    assert script.print(script.parse_value(text)) == text
    text = "@tir.prim_func\ndef main(x: tir.int32):\n    if True:\n        tir.evaluate(x)"
    assert isinstance(script.parse_value(text).body, tir.IfThenElse)


def choice(mode: str, size: int, dtype: str) -> tir.PrimFunc:
    @tir.prim_func
    def main(A: tir.Buffer((size,), dtype)):
        if mode == "zero":
            A[0] = 0
        elif mode == "one" and size > 4:
            A[0] = 1
        elif not (mode == "two" or size == 4):
            A[0] = 3
        if A.dtype == "int8":
            A[1] = 8
        A[2] = 5 if size >= 8 else 6

    return main


@pytest.mark.parametrize(
    ("mode", "size", "dtype", "expected"),
    [
        ("zero", 4, "int8", "A[0] = 0\nA[1] = 8\nA[2] = 6"),
        ("one", 8, "int32", "A[0] = 1\nA[2] = 5"),
        ("one", 4, "int32", "A[2] = 6"),
        ("other", 8, "int32", "A[0] = 3\nA[2] = 5"),
    ],
)
def test_conditions_choose_statements(mode: str, size: int, dtype: str, expected: str) -> None:
    literal = expected.replace("= ", "= tir.int8(").replace("\n", ")\n") + ")"
    assert body(choice(mode, size, dtype)) in (expected, literal)


def test_a_condition_of_the_program_stays() -> None:
    scale, n = True, 4

    @tir.prim_func
    def main(A: tir.Buffer((8,), "int32"), x: tir.int32):
        if scale and x < n:
            A[x] = 1
        if scale or x < n:
            A[x] = 2

    assert body(main) == "if x < 4:\n    A[x] = 1\nA[x] = 2"


def test_what_python_cannot_compute_is_an_expression() -> None:
    big, zero = 2**62, 0

    @tir.prim_func
    def main(A: tir.Buffer((8,), "int64")):
        A[0] = big * 4 + zero
        A[1 // zero] = 0

    assert body(main) == "A[0] = 4611686018427387904 * tir.int64(4) + 0\nA[1 // 0] = 0"


def test_elements_of_lists_and_dictionaries() -> None:
    tiles, options = ((4, 8), (2, 2)), {"n": {"m": 3}}

    @tir.prim_func
    def main(A: tir.Buffer((8, 8), "int32")):
        for i in range(tiles[0][1]):
            A[i, tiles[-1][0]] = options["n"]["m"]

    assert body(main) == "for i in range(8):\n    A[i, 2] = 3"
    with pytest.raises(ScriptError, match="there is no entry of this key"):

        @tir.prim_func
        def wrong(A: tir.Buffer((8,), "int32")):
            A[0] = options["k"]
