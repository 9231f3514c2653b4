"""Malformed text: cut off or changed anywhere, it is an error or another program."""

from __future__ import annotations

import random

import pytest

from uir import script
from uir.script import ScriptError

TEXT = """
@uir.script.ir_module(attrs={"runtime": "c", "n": [1, 2.5]})
class Module:
    n = tir.SizeVar("n", "int32")
    sink = ir.ExternFunc("c_sink")

    @tir.prim_func(private=True)
    def main(A: tir.Buffer((16, n), "float32"), p: tir.handle("float32", "global")) -> tir.int32:
        B = tir.match_buffer(p, (16,), "float32", strides=(1,), align=128)
        tir.func_attr({"a": "b\\n", "t": metadata["ffi.Tensor"][0]})
        C = tir.alloc_buffer((16,), "int64", scope="shared")
        with tir.attr(None, "key", 1):
            for i in tir.thread_binding(16, thread="threadIdx.x"):
                with tir.block("block"):
                    vi = tir.axis.reduce(16, i)
                    tir.reads(A[vi, 0:4])
                    with tir.init():
                        A[vi, 0] = tir.float32("inf")
                    A[vi, 0] = -1.5 if vi < 3 and not vi == 2 else A[vi, 1] * 2.0
        x: tir.int64 = tir.Let(y, tir.int64(3), y << 1)
        while x > 1:
            assert x != 0, ("ValueError", ["one", "two"])
        if x == 1:
            Module.sink(x, dtype="void")
        elif x == 2:
            pass
        else:
            return tir.Select(True, 1, 2)

metadata = {"ffi.Tensor": ["int32;2;AQAAAAIAAAA="]}
"""


def accept(text: str) -> bool:
    try:
        script.parse_value(text)
    except ScriptError:
        return False
    return True


def test_the_text_is_well_formed() -> None:
    module = script.parse_value(TEXT)
    text = script.print(module)
    assert script.print(script.parse_value(text)) == text


def test_cut_off() -> None:
    lengths = range(30, len(TEXT), 7)
    refused = [length for length in lengths if not accept(TEXT[:length])]
    # Only what ends with a line, and mentions no `metadata`, is a program.
    assert len(refused) > 0.9 * len(lengths)


@pytest.mark.parametrize("seed", range(4))
def test_changed(seed: int) -> None:
    draw = random.Random(seed)
    alphabet = "()[]{}:,.=+-*/@\"'\\\n\t #axi0\x00é"
    refused = 0
    for _ in range(150):
        characters = list(TEXT)
        for _ in range(draw.randint(1, 4)):
            place = draw.randrange(len(characters))
            characters[place : place + draw.randint(0, 3)] = draw.choice(alphabet)
        refused += not accept("".join(characters))
    assert refused > 50


@pytest.mark.parametrize("text", ["(" * 200_000, "[" * 200_000, "-" * 200_000, "f(" * 100_000])
def test_deep_and_unclosed(text: str) -> None:
    assert not accept(text)


@pytest.mark.parametrize(
    "signature",
    [
        'tir: tir.Buffer((8,), "int8"), H: tir.Buffer((8,), "int16")',
        'H: tir.Buffer((8,), "int16"), tir: tir.Buffer((8,), "int8")',
        "tir: tir.int32, n: tir.int32",
        'tir: tir.SizeVar("int32"), n: tir.SizeVar("int32")',
    ],
)
def test_a_parameter_that_hides_a_package(signature: str) -> None:
    text = f"@tir.prim_func\ndef main({signature}):\n    pass\n"
    try:
        func = script.parse_value(text)
    except ScriptError as error:
        assert "the name `tir` hides the package here" in str(error)
    else:
        assert len(func.params) == 2


def test_errors_show_a_part_of_a_long_line() -> None:
    line = "1 + " * 10_000 + "missing" + " + 1" * 10_000
    with pytest.raises(ScriptError) as caught:
        script.parse_value(line, "t.py")
    first, shown, carets, *_ = str(caught.value).splitlines()
    assert first == "t.py:1:40001: error: unknown name `missing`"
    assert shown.startswith("   1 | ...1 + 1")
    assert shown.endswith("...")
    place = carets.index("^")
    assert shown[place : place + 7] == "missing"
    assert len(shown) < 250


def test_errors_quote_a_part_of_a_long_name() -> None:
    with pytest.raises(ScriptError) as caught:
        script.parse_value("x" * 100_000)
    assert len(str(caught.value)) < 5000


def test_reading_ends_after_many_errors() -> None:
    with pytest.raises(ScriptError) as caught:
        script.parse_value("x = \n" * 1000)
    assert str(caught.value).count(": error: ") == 20
