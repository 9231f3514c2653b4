"""Faults that importers and compilers of others had: their inputs, compiled as they are and folded.

Each row of `CASES` has nodes that compute `y` of its operands, and what is right.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import onnx
import pytest
from onnx import helper

import uir
from uir import relay
from uir.frontend.onnx import from_onnx

from .onnx_graphs import constant, model, tensor

Array = np.ndarray[Any, Any]
DOUBLE, BOOL = onnx.TensorProto.DOUBLE, onnx.TensorProto.BOOL
UINT64, INT64 = onnx.TensorProto.UINT64, onnx.TensorProto.INT64
LARGE = 2**53 + 1
"""An integer that is no float64."""


class Case(NamedTuple):
    """Nodes as `operator input input -> output`, what they compute with, and what is right."""

    nodes: str
    operands: dict[str, Any]
    right: Any
    attributes: dict[str, Any] = {}  # noqa: RUF012
    constants: dict[str, Any] = {}  # noqa: RUF012


def image(*shape: int) -> Array:
    return np.random.default_rng(sum(shape)).standard_normal(shape).astype(np.float32)


def floats(*numbers: float) -> Array:
    return np.array(numbers, np.float32)


def pooled(x: Array, of_window: Callable[..., Array], padding: float) -> Array:
    """Reduce windows of 2 by 2 of an image that has a row and a column of padding at the end."""
    padded = np.pad(x, [(0, 0), (0, 0), (0, 1), (0, 1)], constant_values=padding)
    rows, columns = (size // 2 for size in padded.shape[2:])
    windows = padded.reshape(*x.shape[:2], rows, 2, columns, 2)
    return of_window(windows, axis=(3, 5))


def transposed(x: Array, weight: Array, stride: int, before: int, length: int) -> Array:
    """Return a transposed convolution along one axis, each channel by itself."""
    y = np.zeros((x.shape[1], 64), np.float32)
    for channel in range(x.shape[1]):
        for place in range(x.shape[2]):
            for offset, factor in enumerate(weight[channel, 0]):
                y[channel, place * stride + offset] += x[0, channel, place] * factor
    return y[None, :, before : before + length]


POOL = {"kernel_shape": [2, 2], "strides": [2, 2]}
PADDED = {**POOL, "pads": [0, 0, 1, 1], "ceil_mode": 1}
IMAGE, LINE, KERNEL = image(1, 1, 17, 17), image(1, 2, 3), image(2, 1, 2)
TABLE = np.arange(6, dtype=np.float32).reshape(2, 3)
LEAST = {f"int{bits}": np.iinfo(f"int{bits}").min for bits in (8, 32, 64)}

CASES: dict[str, Case] = {
    "integers are not divided as float64": Case(
        "Div a b -> y", {"a": [LARGE, 2**63 - 1, -LARGE], "b": [1, 3, 3]},
        [LARGE, (2**63 - 1) // 3, -(LARGE // 3)],
    ),
    "integers are not multiplied as float64": Case(
        "Mul a b -> y", {"a": [LARGE, 3037000499], "b": [3, 3037000499]},
        [LARGE * 3, 3037000499**2],
    ),
    "the mean of integers is not that of float64": Case(
        "ReduceMean a -> y", {"a": [LARGE, LARGE + 4]}, LARGE + 2, {"keepdims": 0}
    ),
    "a range beyond float64 has each integer": Case(
        "Range a b c -> y", {}, [LARGE, LARGE + 1, LARGE + 2],
        constants={"a": LARGE, "b": LARGE + 3, "c": 1},
    ),
    "integers are cast once": Case(
        "Cast a -> y", {"a": [LARGE, -1, 2**63 - 1]},
        np.array([LARGE, 2**64 - 1, 2**63 - 1], np.uint64), {"to": UINT64},
    ),
    "integers are rounded once": Case(
        "Cast a -> y", {"a": np.array([LARGE, 2**64 - 1], np.uint64)}, [2.0**53, 2.0**64],
        {"to": DOUBLE},
    ),
    "GatherND counts from the end": Case(
        "GatherND x a -> y", {"x": TABLE, "a": [[-1, -1], [0, -3], [-2, 2]]}, floats(5, 0, 2)
    ),
    "ScatterND counts from the end": Case(
        "ScatterND x a b -> y", {"x": TABLE, "a": [[-1, -1], [-2, 0]], "b": floats(7, 8)},
        floats(8, 1, 2, 3, 4, 7).reshape(2, 3),
    ),
    "GatherElements counts from the end": Case(
        "GatherElements x a -> y", {"x": TABLE, "a": [[-1, -3, 2]]}, floats(2, 0, 2)[None],
        {"axis": 1},
    ),
    "OneHot has no place for what is out of range": Case(
        "OneHot a depth values -> y", {"a": [-1, -3, 2, 3, -4, 2**63 - 1]},
        np.eye(3, dtype=np.float32)[[2, 0, 2, 0, 0, 0]] * floats(1, 1, 1, 0, 0, 0)[:, None],
        constants={"depth": 3, "values": floats(0, 1)},
    ),
    "the maximum of a window that padding fills up": Case(
        "MaxPool x -> y", {"x": IMAGE}, pooled(IMAGE, np.max, -np.inf), PADDED
    ),
    "padding does not count in a mean": Case(
        "AveragePool x -> y", {"x": IMAGE}, pooled(IMAGE, np.nanmean, np.nan), PADDED
    ),
    "padding counts in a mean": Case(
        "AveragePool x -> y", {"x": IMAGE}, pooled(IMAGE, np.mean, 0),
        {**PADDED, "count_include_pad": 1},
    ),
    "elements of Pad count in a mean": Case(
        "Pad x pads -> padded; AveragePool padded -> y", {"x": IMAGE}, pooled(IMAGE, np.mean, 0),
        POOL, {"pads": [0, 0, 0, 0, 0, 0, 1, 1]},
    ),
    "a kernel below the stride leaves gaps": Case(
        "ConvTranspose x w -> y", {"x": LINE}, transposed(LINE, KERNEL, 3, 0, 9),
        {"strides": [3], "group": 2, "output_padding": [1]}, {"w": KERNEL},
    ),
    "output_shape with SAME_UPPER cuts the odd element off at the end": Case(
        "ConvTranspose x w -> y", {"x": LINE}, transposed(LINE, KERNEL, 3, 1, 5),
        {"strides": [3], "group": 2, "output_shape": [5], "auto_pad": "SAME_UPPER"},
        {"w": KERNEL},
    ),
    "output_shape with SAME_LOWER cuts the odd element off at the begin": Case(
        "ConvTranspose x w -> y", {"x": LINE}, transposed(LINE, KERNEL, 3, 2, 5),
        {"strides": [3], "group": 2, "output_shape": [5], "auto_pad": "SAME_LOWER"},
        {"w": KERNEL},
    ),
    "NaN and fractions are true": Case(
        "Cast x -> y", {"x": floats(-1, 0.25, np.nan, -0.0)}, [True, True, True, False],
        {"to": BOOL},
    ),
    "NaN on the way is true": Case(
        "Asin x -> z; Cast z -> y", {"x": floats(5, 0)}, [True, False], {"to": BOOL}
    ),
    "log(exp(x)) is infinite": Case(
        "Exp x -> z; Log z -> y", {"x": floats(89)}, floats(np.inf)
    ),
    "sqrt(x * x) is infinite": Case(
        "Mul x x -> z; Sqrt z -> y", {"x": floats(3.4e38, -3.4e38)}, floats(np.inf, np.inf)
    ),
    "exp(x) * exp(-x) is infinite": Case(
        "Exp x -> a; Neg x -> b; Exp b -> c; Mul a c -> y", {"x": floats(100)}, floats(np.inf)
    ),
    "a bound of Clip that is left out is the greatest number": Case(
        "Clip x low -> y", {"x": floats(np.inf, -np.inf, 1)},
        floats(np.finfo("float32").max, 0, 1), {}, {"low": np.float32(0)},
    ),
    "without bounds Clip has both ends": Case(
        "Clip x -> y", {"x": np.array([np.inf, -np.inf, np.nan], np.float64)},
        np.array([np.finfo("float64").max, np.finfo("float64").min, np.nan]),
    ),
    "x - x is NaN": Case("Sub x x -> y", {"x": floats(np.inf, 1)}, floats(np.nan, 0)),
    "-0.0 + 0.0 is 0.0": Case(
        "Add x zero -> y", {"x": floats(-0.0, 0.0)}, floats(0, 0), constants={"zero": floats(0)}
    ),
    "rows at the borders of parts of a loop": Case(
        "Mul a two -> b; Concat b c d -> e; Add e two -> y",
        {"a": np.full((64, 9), 1), "c": np.full((1, 9), 10), "d": np.full((63, 9), 20)},
        np.repeat([4, 12, 22], [64, 1, 63])[:, None] * np.ones((1, 9), np.int64),
        {"axis": 0}, {"two": 2},
    ),
    **{
        f"the least {dtype} by -1": Case(
            "Div x minus -> a; Mod x minus -> b; Add a b -> y",
            {"x": np.full(5, least, dtype), "minus": np.full(5, -1, dtype)},
            np.full(5, least, dtype),
        )
        for dtype, least in LEAST.items()
    },
}  # fmt: skip


def nodes_of(case: Case, prefix: str) -> list[onnx.NodeProto]:
    """Return the nodes of a case, whose names get a prefix; one of them takes the attributes."""
    made = []
    for line in case.nodes.split("; "):
        operator, *names, _, result = line.split()
        accepted = onnx.defs.get_schema(operator, 21).attributes
        attributes = {key: value for key, value in case.attributes.items() if key in accepted}
        inputs = [prefix + name for name in names]
        made.append(helper.make_node(operator, inputs, [prefix + result], **attributes))
    return made


def built(cases: list[Case], *, is_folded: bool) -> list[Array]:
    """Return the results of cases, which are the outputs of one model."""
    nodes, values, constants = [], {}, []
    for number, case in enumerate(cases):
        nodes += nodes_of(case, f"n{number}_")
        values.update({f"n{number}_{name}": np.array(x) for name, x in case.operands.items()})
        constants += [constant(f"n{number}_{name}", x) for name, x in case.constants.items()]
    inputs = [
        tensor(name, x.shape, helper.np_dtype_to_tensor_dtype(x.dtype))
        for name, x in values.items()
    ]
    outputs = [f"n{number}_y" for number in range(len(cases))]
    proto = model(nodes, inputs, outputs, constants)
    library = uir.build(from_onnx(proto, constants=values if is_folded else {}))
    found = library["main"](*([] if is_folded else values.values()))
    return [np.from_dlpack(one) for one in ([found] if len(cases) == 1 else found)]


@pytest.mark.parametrize("is_folded", [False, True])
def test_inputs_that_others_compute_wrong(is_folded: bool) -> None:
    found = built(list(CASES.values()), is_folded=is_folded)
    for (name, case), one in zip(CASES.items(), found, strict=True):
        right = np.asarray(case.right)
        assert (one.shape, one.dtype) == (right.shape, right.dtype), name
        if right.dtype == np.float32:
            np.testing.assert_allclose(one, right, 1e-5, 1e-6, err_msg=name)
            assert (np.signbit(one) == np.signbit(right))[right == 0].all(), name
        else:
            np.testing.assert_array_equal(one, right, name)


@pytest.mark.parametrize("size", [5, "n"])
@pytest.mark.parametrize("is_computed", [False, True])
def test_slices_backwards_begin_at_an_element(size: int | str, is_computed: bool) -> None:
    """As the text of ONNX and onnxruntime do; NumPy begins before the first element."""
    nodes, starts = [], [-1, -5, -6, -20, 9]
    constants = [constant("axes", [0]), constant("back", [-1]), constant("end", [-30])]
    for place, start in enumerate(starts):
        # What is computed of a size is symbolic where the size is.
        shift = start + 3 if is_computed else 0
        nodes += [
            helper.make_node("Shape", ["w"], [f"size{place}"]),
            helper.make_node("Sub", [f"shift{place}", f"size{place}"], [f"computed{place}"]),
        ]
        constants += [constant(f"shift{place}", [shift]), constant(f"given{place}", [start])]
        begin = f"computed{place}" if is_computed else f"given{place}"
        nodes.append(helper.make_node("Slice", ["x", begin, "end", "axes", "back"], [f"y{place}"]))
    shapes: list[int | str] = [size, "k" if size == "n" else 3]
    inputs = [tensor(name, (one,)) for name, one in zip("xw", shapes, strict=True)]
    outputs = [f"y{place}" for place in range(len(starts))]
    module = from_onnx(model(nodes, inputs, outputs, constants))
    found = relay.evaluate(module, np.arange(5, dtype=np.float32), np.zeros(3, np.float32))
    right = [[4, 3, 2, 1, 0], [0], [0], [0], [4, 3, 2, 1, 0]]
    assert [np.asarray(one).tolist() for one in found] == right


OUT_OF_RANGE = {
    "GatherND": ("GatherND x a -> y", {"x": TABLE}, lambda index: [[0, index]]),
    "ScatterND": ("ScatterND x a b -> y", {"x": TABLE, "b": floats(7)}, lambda i: [[0, i]]),
    "GatherElements": ("GatherElements x a -> y", {"x": TABLE}, lambda index: [[index]]),
}


@pytest.mark.parametrize("name", OUT_OF_RANGE)
def test_indices_out_of_range_are_refused(name: str) -> None:
    text, operands, indices = OUT_OF_RANGE[name]
    first = Case(text, {**operands, "a": np.array(indices(0))}, None, {"axis": 1})
    inputs = [
        tensor(key, x.shape, helper.np_dtype_to_tensor_dtype(x.dtype))
        for key, x in first.operands.items()
    ]
    library = uir.build(from_onnx(model(nodes_of(first, ""), inputs, ["y"])))
    for index in (3, -4, 2**63 - 1, -(2**63)):
        with pytest.raises(IndexError, match="out of range"):
            library["main"](*{**first.operands, "a": np.array(indices(index))}.values())
