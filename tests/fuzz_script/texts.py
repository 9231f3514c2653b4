"""Random edits of valid programs.

The parser either raises a `ScriptError` with a location, or returns a value that round-trips.
"""

from __future__ import annotations

import random
import re
import time
from copy import deepcopy

from uir import ir, script
from uir.script import ScriptError

PROGRAMS = (
    """@tir.prim_func
def main(tir_1: tir.Buffer((16, n), "float32"), p: tir.handle("float32", "global")) -> tir.int32:
    n = tir.SizeVar("n", "int32")
    B = tir.match_buffer(p, (16,), "float32", strides=(1,), align=128)
    tir.func_attr({"a": "b", "t": [1, 2.5, None]})
    C = tir.alloc_buffer((16,), "int64", scope="shared")
    with tir.attr(None, "key", 1):
        for i in tir.thread_binding(16, thread="threadIdx.x"):
            with tir.block("block"):
                vi = tir.axis.reduce(16, i)
                tir.reads(tir_1[vi, 0:4])
                with tir.init():
                    tir_1[vi, 0] = tir.float32("inf")
                tir_1[vi, 0] = -1.5 if vi < 3 and not vi == 2 else tir_1[vi, 1] * 2.0
    x: tir.int64 = tir.Let(y, tir.int64(3), y << 1)
    while x > 1:
        assert x != 0, ("ValueError", ["one", "two"])
    return tir.Select(True, 1, 2)
""",
    """@uir.script.ir_module(attrs={"runtime": "c"})
class Module:
    sink = ir.ExternFunc("c_sink")
    s = ir.shared(tir.Evaluate(value=1))
    @tir.prim_func(private=True)
    def helper(a: tir.int32, b: tir.int32) -> tir.int32:
        if a == 1:
            s
        elif a == 2:
            pass
        else:
            Module.helper(a, b, dtype="int32")
        Module.sink(a)
""",
    """x = tir.Var("x", "int32")
k = tir.Var("k", "int32")
r = tir.comm_reducer(lambda a, b: a + b, [0.0])
v = ir.shared(tir.min(x, ~k) // 3 % (x << 2) + tir.truncdiv(x, 7))
tir.Reduce(r, [tir.IterVar(k, ir.Range(0, 8), "reduce")], [tir.float32(v * k)], True, 0, [])
""",
    """m = {"a": [1, 2.0, "t"], "b": ir.List([None, True]), "c": ir.Shape([1, 2])}
t = ir.TensorType((16,), "float32")
[t, ir.dtype("int8x4"), ir.device("cuda:0"), b"\\x00", float("nan"), m]
""",
)
"""Programs that use every part of the syntax."""

EXTRA = (
    *("(", ")", "[", "]", "{", "}", ",", ":", "=", "->", ".", "\n", "    ", "\\", '"', "'", "#"),
    *("0", "-1", "9223372036854775808", "1e999", "0x", "None", "True", "lambda", "not", "if"),
    *("else", "for", "in", "range", "while", "with", "def", "class", "return", "assert", "pass"),
    *("tir", "ir", "uir", "metadata", "Module", "self", "x", "A", "int32", "é", "\x00", "@"),
)
"""Tokens that a text may gain, besides its own and those of the other programs."""

_TOKEN = re.compile(r'"[^"\n]*"|\w+|[^\w\n]| +|\n')


class Texts:
    """
    Random texts.

    Parameters
    ----------
    seed
        Of the random numbers.
    """

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._programs = [_TOKEN.findall(program) for program in PROGRAMS]
        self._tokens = [*EXTRA, *(token for program in self._programs for token in program)]

    def draw(self) -> str:
        """Return a program with a few changes."""
        tokens = list(self._random.choice(self._programs))
        for _ in range(self._random.randint(1, 4)):
            self._change(tokens)
        return "".join(tokens)

    def _change(self, tokens: list[str]) -> None:
        draw = self._random
        at = draw.randrange(len(tokens))
        part = tokens[at : at + draw.randint(1, 12)]
        kind = draw.randrange(6)
        if kind == 0:
            tokens[at] = draw.choice(self._tokens)
        elif kind == 1:
            tokens.insert(at, draw.choice(self._tokens))
        elif kind == 2:
            del tokens[at : at + draw.randint(1, 3)]
        elif kind == 3:
            tokens[at:at] = part * draw.choice((1, 1, 2, 40))
        elif kind == 4:
            place = draw.randrange(len(tokens))
            tokens[place:place] = part
        else:
            self._rename(tokens)
        if not tokens:
            tokens.append("x")

    def _rename(self, tokens: list[str]) -> None:
        """Give all that has a name another one, which may be that of something else."""
        names = [token for token in tokens if token.isidentifier()] or ["x"]
        old, new = self._random.choice(names), self._random.choice(names)
        tokens[:] = [new if token == old else token for token in tokens]


def check(text: str) -> bool:
    """Check the guarantee for a text.

    Parameters
    ----------
    text
        Any text.

    Returns
    -------
    bool
        Whether it is a program.

    Raises
    ------
    AssertionError
        If an error has no place, or the value does not read back.
    """
    try:
        value = script.parse_value(text, "t.py")
    except ScriptError as error:
        assert re.match(r"t\.py:\d+:\d+: error: ", str(error)), str(error)
        return False
    printed = script.print(value)
    copy = script.parse_value(printed)
    if not ir.structural_equal(copy, value, map_free_vars=True):
        # Keys that are expressions compare by identity: even a copy of such a map differs from it.
        assert not ir.structural_equal(deepcopy(value), value, map_free_vars=True), printed
        assert script.print(copy) == printed, printed
    assert script.print(copy) == printed
    return True


def fuzz(seconds: float, seed: int = 0) -> int:
    """Check random texts.

    Parameters
    ----------
    seconds
        How long.
    seed
        Of the random numbers.

    Returns
    -------
    int
        How many texts were checked.

    Raises
    ------
    AssertionError
        If one breaks the guarantee; the message holds the text.
    """
    texts = Texts(seed)
    end = time.monotonic() + seconds
    count = 0
    while time.monotonic() < end:
        text = texts.draw()
        try:
            check(text)
        except Exception as error:
            raise AssertionError(f"seed {seed}, text {count}:\n{text}\n\n{error}") from error
        count += 1
    return count
