"""Operators whose results have as many elements as their operands say, against ONNX's reference."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias

import numpy as np
import onnx
import onnx.parser
import pytest
from onnx.reference import ReferenceEvaluator

import uir
from uir import relay
from uir.frontend.onnx import UnsupportedModelError, from_onnx

Array: TypeAlias = "np.ndarray[Any, Any]"

HEAD = '<ir_version: 10, opset_import: ["" : 21]>\n'


def parsed(text: str) -> onnx.ModelProto:
    return onnx.parser.parse_model(HEAD + text)


def compare(
    text: str, *inputs: tuple[Array, ...], expected_of: Callable[..., list[Array]] | None = None
) -> None:
    """Compare a model with the reference, interpreted and compiled, for several inputs."""
    proto = parsed(text)
    names = [one.name for one in proto.graph.input]
    module = from_onnx(proto)
    library = uir.build(module)
    reference = ReferenceEvaluator(proto)
    for args in inputs:
        if expected_of is None:
            expected = reference.run(None, dict(zip(names, args, strict=True)))
        else:
            expected = expected_of(*args)
        for value in (relay.evaluate(module, *args), library["main"](*args)):
            found = [value] if len(expected) == 1 else list(value)
            for one, wanted in zip(found, expected, strict=True):
                array = np.from_dlpack(one)
                assert array.shape == wanted.shape and array.dtype == wanted.dtype
                np.testing.assert_allclose(array, wanted, rtol=1e-6)


RNG = np.random.default_rng(7)


def flags(*shape: int) -> list[Array]:
    """Return tensors without an element that is not 0, with some, and with only such ones."""
    some = RNG.integers(0, 2, shape).astype(np.float32)
    return [np.zeros(shape, np.float32), some, np.ones(shape, np.float32)]


def test_indices_of_elements() -> None:
    text = "g (float[n, m] x) => (int64[2, k] y) { y = NonZero (x) }"
    compare(text, *((x,) for shape in ((2, 5), (0, 3), (1, 1)) for x in flags(*shape)))


# As PyTorch exports `x[x > 0.5] * 2` and indices of a mask.
MASKED = """g (float[n, 3] x) => (float[k] y, int64[1] count)
    <float half = {0.5}, float two = {2}> {
    mask = Greater (x, half)
    places = NonZero (mask)
    rows = Transpose (places)
    picked = GatherND (x, rows)
    y = Mul (picked, two)
    count = Shape (picked)
}"""

# A shape with the size, and an expansion to it.
EXPANDED = """g (float[n] x) => (float[k, 2] y) <int64[1] two = {2}, int64[1] end = {1}> {
    places = NonZero (x)
    shape = Shape <start = 1> (places)
    whole = Concat <axis = 0> (shape, two)
    zero = Constant <value_float = 1.5> ()
    y = Expand (zero, whole)
}"""


def test_masks_select_elements() -> None:
    compare(MASKED, *((x,) for x in flags(4, 3)))
    compare(EXPANDED, *((x,) for x in flags(6)))


@pytest.mark.parametrize("axis", ["", "<axis = 0>", "<axis = 1>", "<axis = -1>"])
def test_slices_are_compressed(axis: str) -> None:
    text = f"g (float[3, 4] x, bool[k] c) => (float[n, m] y) {{ y = Compress {axis} (x, c) }}"
    x = RNG.standard_normal((3, 4), np.float32)
    compare(
        text,
        *(
            (x, c)
            for c in ([True, False, True], [False], [False, True, True])
            for c in [np.array(c)]
        ),
    )


def test_known_conditions_give_known_sizes() -> None:
    text = """g (float[3, 4] x) => (float[n, m] y) <bool[3] c = {1, 0, 1}> {
        y = Compress <axis = 0> (x, c)
    }"""
    module = from_onnx(parsed(text))
    assert [str(dim) for dim in module["main"].ret_type.shape] == ["2", "4"]
    text = "g () => (int64[2, k] y) <int64[2, 2] c = {1, 0, 0, 1}> { y = NonZero (c) }"
    np.testing.assert_array_equal(relay.evaluate(from_onnx(parsed(text))), [[0, 1], [0, 1]])


def distinct(x: Array, is_sorted: int, axis: int | None = None) -> list[Array]:
    """Return what `Unique` does; ONNX's reference takes rows where it must flatten."""
    values, first, inverse, counts = np.unique(x, True, True, True, axis=axis)
    inverse = inverse.reshape(-1)
    if not is_sorted:
        order = np.argsort(first)
        values = np.take(values, order, 0 if axis is None else axis)
        first, counts = first[order], counts[order]
        inverse = np.argsort(order)[inverse]
    return [values, first, inverse, counts]


def unique(options: str, dtype: str, shape: str) -> str:
    return f"""g ({dtype}{shape} x)
        => ({dtype}[k] y, int64[k] i, int64[n] inverse, int64[k] counts) {{
        y, i, inverse, counts = Unique <{options}> (x)
    }}"""


@pytest.mark.parametrize("is_sorted", [0, 1])
@pytest.mark.parametrize("dtype", ["float", "int64", "uint8", "double"])
def test_distinct_elements(dtype: str, is_sorted: int) -> None:
    kind = {"float": "float32", "double": "float64"}.get(dtype, dtype)
    cases = [RNG.integers(0, most, (3, 5)).astype(kind) for most in (1, 4, 100)]
    text = unique(f"sorted = {is_sorted}", dtype, "[a, b]")
    expected_of = partial(distinct, is_sorted=is_sorted)
    compare(text, *((x,) for x in cases), expected_of=expected_of)


@pytest.mark.parametrize("is_sorted", [0, 1])
@pytest.mark.parametrize("axis", [0, 1, -1])
def test_distinct_slices(axis: int, is_sorted: int) -> None:
    text = unique(f"axis = {axis}, sorted = {is_sorted}", "float", "[a, b, c]")
    cases = [RNG.integers(0, most, (4, 3, 2)).astype("float32") for most in (1, 2, 9)]
    expected_of = partial(distinct, is_sorted=is_sorted, axis=axis)
    compare(text, *((x,) for x in cases), expected_of=expected_of)


def test_distinct_elements_alone() -> None:
    text = "g (float[n] x) => (float[k] y) { y = Unique (x) }"
    nan = np.array([np.nan, 1, np.nan, 0, 1], np.float32)
    compare(text, (nan,), (nan[:1],), (nan[3:],))


# The boxes of a detector: the scores of classes decide, and the selected boxes are gathered.
DETECTOR = """g (float[1, n, 4] boxes, float[1, 2, n] scores) => (float[k, 4] y, int64[k, 3] s)
    <int64[1] most = {3}, float[1] iou = {0.4}, float[1] least = {0.3}, int64 two = {2}> {
    s = NonMaxSuppression %s (boxes, scores, most, iou, least)
    at = Gather <axis = 1> (s, two)
    flat = Squeeze (boxes)
    y = Gather (flat, at)
}"""


@pytest.mark.parametrize("options", ["", "<center_point_box = 1>"])
def test_boxes_of_a_detector(options: str) -> None:
    inputs = []
    for count, scale in ((9, 1.0), (30, 1.0), (5, 0.1)):
        low = RNG.uniform(0, 4, (1, count, 2))
        boxes = np.concatenate([low, low + RNG.uniform(0.5, 3, (1, count, 2))], 2)
        scores = RNG.uniform(0, scale, (1, 2, count))
        inputs.append((boxes.astype(np.float32), scores.astype(np.float32)))
    compare(DETECTOR % options, *inputs)


@pytest.mark.parametrize(
    ("types", "node", "message"),
    [
        ("float[3] x, bool[4] c", "Compress (x, c)", "a condition of 4 elements for an axis of 3"),
        ("float[3] x, bool[2, 2] c", "Compress (x, c)", "a condition of rank 2, which must be 1"),
        ("float[3] x, bool[3] c", "Compress <axis = 1> (x, c)", "axis 1 of an operand of rank 1"),
        ("float[3] x", "Unique <axis = -2> (x)", "axis -2 of an operand of rank 1"),
    ],
)
def test_faults_are_named(types: str, node: str, message: str) -> None:
    with pytest.raises(UnsupportedModelError, match=message):
        from_onnx(parsed(f"g ({types}) => (float[n] y) {{ y = {node} }}"))
