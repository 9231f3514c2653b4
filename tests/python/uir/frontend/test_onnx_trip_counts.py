"""Loops whose conditions compare counters with sizes, against NumPy."""

from __future__ import annotations

import numpy as np
import onnx
import onnx.parser
import pytest

import uir
from uir import relay
from uir.frontend.onnx import UnknownElementsError, UnsupportedModelError, from_onnx

HEAD = '<ir_version: 10, opset_import: ["" : 21]>\n'

STATE = np.array([-2, -1, 0], np.float32)


def parsed(text: str) -> onnx.ModelProto:
    return onnx.parser.parse_model(HEAD + text)


def refused(text: str) -> str:
    with pytest.raises(UnsupportedModelError) as caught:
        from_onnx(parsed(text))
    return str(caught.value)


def compare(text: str, steps: dict[int, int]) -> None:
    """Compare a loop with NumPy, by the numbers of rows and the steps that they give."""
    module = from_onnx(parsed(text))
    library = uir.build(module)["main"]
    for rows, count in steps.items():
        x, state = np.linspace(-1, 2, rows * 3, dtype=np.float32).reshape(rows, 3), STATE
        outputs = np.empty((0, 3), np.float32)
        for row in x[:count]:
            state = np.sin(state + row)
            outputs = np.concatenate([outputs, (state * row)[None]])
        for result in (relay.evaluate(module, x, STATE), library(x, STATE)):
            np.testing.assert_allclose(np.from_dlpack(result[0]), state, rtol=1e-5)
            np.testing.assert_allclose(np.from_dlpack(result[1]), outputs, rtol=1e-5)


# As Keras writes a layer over steps: a counter, which is compared with the trip count as a carried
# value and as one outside, and outputs of all steps.
COUNTED = """g (float[n, 3] x, float[3] s) => (float[3] y, float[m, 3] z)
    <int32 start = {0}, int64 first = {0}, int32 one = {1}> {
    shape = Shape (x)
    rows = Gather <axis = 0> (shape, first)
    size = Cast <to = 6> (rows)
    begin = Less (start, size)
    unused, kept, y, z = Loop (rows, begin, start, size, s) <body = b
        (int64 i, bool c, int32 t, int32 most, float[3] a)
        => (bool d, int32 next, int32 most_out, float[3] e, float[3] f) {
        row = Gather <axis = 0> (x, t)
        half = Add (a, row)
        e = Sin (half)
        f = Mul (e, row)
        next = Add (t, one)
        most_out = Identity (most)
        below = Less (next, most)
        also = Less (next, size)
        d = And (below, also)
    }>
}"""


# Comparisons of the number of the step, as tf2onnx writes them.
COMPARED_AS_FLOATS = """step = Cast <to = 1> (i)
        whole = Cast <to = 1> (size)
        also = Less (step, whole)"""


@pytest.mark.parametrize("count", ["rows", '""'])
@pytest.mark.parametrize("also", ["also = Less (next, size)", COMPARED_AS_FLOATS])
def test_a_condition_may_repeat_or_be_the_trip_count(also: str, count: str) -> None:
    text = COUNTED.replace("also = Less (next, size)", also).replace("(rows,", f"({count},")
    compare(text, {rows: rows for rows in (0, 1, 2, 6)})


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("start = {0}", "start = {1}"),  # The counter is past the number of the step.
        ("start = {0}", "start = {-1}"),
        ("next = Add (t, one)", "next = Sub (t, one)"),
        ("next = Add (t, one)", "next = Add (t, t)"),
        ("one = {1}", "one = {2}"),
        ("most_out = Identity (most)", "most_out = Sub (most, one)"),
        ("below = Less (next, most)", "below = Less (most, next)"),
        ("d = And (below, also)", "d = Xor (below, also)"),
        ("also = Less (next, size)", "u = ReduceMax <keepdims = 0> (e)\nalso = Less (u, u)"),
        ("begin = Less (start, size)", "begin = Less (size, start)"),
        ("Loop (rows,", "Loop (more,"),
    ],
)
def test_conditions_that_may_end_a_loop_early_are_refused(before: str, after: str) -> None:
    assert before in COUNTED
    text = COUNTED.replace(before, after)
    text = text.replace("size = Cast", "more = Add (rows, rows)\nsize = Cast")
    assert "a node is not supported:\n  Loop `Loop_" in refused(text)


# The counter begins with another number, up to a bound that may be reached as well.
SHIFTED = COUNTED.replace("(rows,", '("",').replace("start = {0}", "start = {2}")


@pytest.mark.parametrize(
    ("begin", "below", "bound"),
    [
        ("begin = Less (start, size)", "below = Less (next, most)", 0),
        ("begin = LessOrEqual (start, size)", "below = LessOrEqual (next, most)", 1),
        ("begin = Greater (size, start)", "below = Greater (most, next)", 0),
        ("begin = GreaterOrEqual (size, start)", "below = GreaterOrEqual (most, next)", 1),
        (
            "more = Add (size, one)\nbegin = Less (start, more)",
            "b2 = LessOrEqual (next, most)\nb3 = Less (next, more)\nbelow = And (b2, b3)",
            1,
        ),
    ],
    ids=["less", "less or equal", "greater", "greater or equal", "both"],
)
def test_a_condition_may_be_the_only_bound(begin: str, below: str, bound: int) -> None:
    text = SHIFTED.replace("begin = Less (start, size)", begin)
    text = text.replace("below = Less (next, most)", below).replace(", t)", ", i)")
    text = text.replace("also = Less (next, size)", "also = Identity (below)")
    compare(text, {rows: rows - 2 + bound for rows in (2, 3, 5, 9)})


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("d = And (below, also)", "d = Less (t, most)"),  # The first step differs.
        ("begin = Less (start, size)", "begin = LessOrEqual (start, size)"),
        ("one = {1}", "one = {2}"),
        ("next = Add (t, one)", "next = Sub (t, one)"),
        ("most_out = Identity (most)", "most_out = Sub (most, one)"),
        ("also = Less (next, size)", "u = ReduceMax <keepdims = 0> (e)\nalso = Less (u, u)"),
        ("d = And (below, also)", "d = Or (below, also)"),
        ("also = Less (next, size)", "also = Less (next, one)"),
    ],
)
def test_conditions_without_a_known_bound_are_refused(before: str, after: str) -> None:
    assert before in SHIFTED
    with pytest.raises((UnknownElementsError, UnsupportedModelError)):
        from_onnx(parsed(SHIFTED.replace(before, after)))
