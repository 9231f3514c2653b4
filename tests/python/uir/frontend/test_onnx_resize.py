"""Nearest elements of Resize against the formulas of ONNX, computed exactly, and its reference."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil, floor
from typing import NamedTuple

import numpy as np
import onnx
import pytest
from onnx import helper
from onnx.reference import ReferenceEvaluator

import uir
from uir import relay
from uir.frontend.onnx import from_onnx

from .onnx_graphs import constant, model, tensor

ROUNDINGS = {
    "round_prefer_floor": lambda x: ceil(x - Fraction(1, 2)),
    "round_prefer_ceil": lambda x: floor(x + Fraction(1, 2)),
    "floor": floor,
    "ceil": ceil,
}

TRANSFORMATIONS = (
    "half_pixel",
    "half_pixel_symmetric",
    "pytorch_half_pixel",
    "align_corners",
    "asymmetric",
    "tf_crop_and_resize",
)

# Dimensions before and after, with ties among their coordinates.
SIZES = [(5, 10), (5, 3), (4, 6), (7, 5), (1, 4), (4, 1), (6, 9), (3, 8), (8, 3), (10, 4), (3, 3)]

# float32 of 0.7 is a little less, so that 10 elements become 6.
SCALES = [
    (4, 2.0),
    (5, 0.6),
    (10, 0.7),
    (4, 0.8),
    (3, 2.5),
    (7, 1.3),
    (5, 0.5),
    (5, 0.3),
    (6, 1 / 3),
]


class Case(NamedTuple):
    """A Resize of one axis; `scale` is None where the new dimension is given."""

    dim: int
    new_dim: int
    scale: float | None

    @property
    def factor(self) -> Fraction:
        if self.scale is None:
            return Fraction(self.new_dim, self.dim)
        return Fraction(float(np.float32(self.scale)))


CASES = [
    *(Case(dim, new_dim, None) for dim, new_dim in SIZES),
    *(Case(dim, floor(dim * float(np.float32(scale))), scale) for dim, scale in SCALES),
]


def coordinate(case: Case, mode: str, place: int) -> Fraction:
    """Return the coordinate in the input that ONNX defines for a place in the result.

    With a factor, the length of the result is a fraction in the tests of ONNX, except for
    `pytorch_half_pixel`.
    """
    half, length = Fraction(1, 2), case.factor * case.dim
    half_pixel = (place + half) / case.factor - half
    if mode == "half_pixel":
        return half_pixel
    if mode == "half_pixel_symmetric":
        return Fraction(case.dim, 2) * (1 - case.new_dim / length) + half_pixel
    if mode == "pytorch_half_pixel":
        return half_pixel if case.new_dim > 1 else Fraction(0)
    if mode == "asymmetric":
        return place / case.factor
    if length != 1:
        return place * (case.dim - 1) / (length - 1)
    return Fraction(0) if mode == "align_corners" else Fraction(case.dim - 1, 2)


def places_of(case: Case, mode: str, rounding: str) -> list[int]:
    """Return the nearest elements; `tf_crop_and_resize` gives 0 outside of the input."""
    last = case.dim - 1
    found = [coordinate(case, mode, place) for place in range(case.new_dim)]
    crops = mode == "tf_crop_and_resize"
    return [0 if crops and x > last else min(max(ROUNDINGS[rounding](x), 0), last) for x in found]


def is_between(x: Fraction) -> bool:
    """Return whether float64 rounds a coordinate as its exact value."""
    return abs(2 * x - round(2 * x)) > Fraction(1, 10**9)


def nodes_of(mode: str, cases: list[Case]) -> Iterator[tuple[Case, str, onnx.NodeProto]]:
    """Yield a node for each case and rounding, whose output has the name of both."""
    for place, case in enumerate(cases):
        for rounding in ROUNDINGS:
            sizes = "" if case.scale is not None else f"size{place}"
            scales = "" if case.scale is None else f"scale{place}"
            attributes = {"coordinate_transformation_mode": mode, "nearest_mode": rounding}
            roi = "roi" if mode == "tf_crop_and_resize" else ""
            inputs = [f"x{case.dim}", roi, scales, sizes]
            node = helper.make_node("Resize", inputs, [f"{rounding}{place}"], **attributes)
            yield case, rounding, node


def model_of(mode: str, cases: list[Case]) -> onnx.ModelProto:
    nodes = [node for _, _, node in nodes_of(mode, cases)]
    inputs = [tensor(f"x{dim}", (dim,)) for dim in sorted({case.dim for case in cases})]
    constants = [
        *(
            constant(f"size{place}", [case.new_dim])
            if case.scale is None
            else constant(f"scale{place}", np.array([case.scale], np.float32))
            for place, case in enumerate(cases)
        ),
        constant("roi", np.array([0, 1], np.float32)),
    ]
    return model(nodes, inputs, [node.output[0] for node in nodes], constants)


def inputs_of(proto: onnx.ModelProto) -> dict[str, np.ndarray]:
    """Return tensors whose elements are their places."""
    sizes = {info.name: info.type.tensor_type.shape.dim[0].dim_value for info in proto.graph.input}
    return {name: np.arange(size, dtype=np.float32) for name, size in sizes.items()}


@pytest.mark.parametrize("mode", TRANSFORMATIONS)
def test_nearest_elements_are_those_of_the_formula(mode: str) -> None:
    proto = model_of(mode, CASES)
    inputs = inputs_of(proto)
    found = relay.evaluate(from_onnx(proto), *inputs.values())
    of_onnx = ReferenceEvaluator(proto).run(None, inputs)
    for (case, rounding, _), ours, other in zip(nodes_of(mode, CASES), found, of_onnx, strict=True):
        wanted = places_of(case, mode, rounding)
        assert ours.tolist() == wanted, (case, rounding)
        if mode == "pytorch_half_pixel" and case.new_dim == 1:
            continue  # The reference of ONNX takes -0.5, where the text has 0.
        for place, (x, y) in enumerate(zip(other.tolist(), wanted, strict=True)):
            assert x == y or not is_between(coordinate(case, mode, place)), (case, rounding)


@pytest.mark.parametrize("cases", [CASES[1::6], pytest.param(CASES, marks=pytest.mark.deep)])
def test_compiled_nearest_elements(cases: list[Case]) -> None:
    models = {mode: model_of(mode, cases) for mode in TRANSFORMATIONS}
    for mode, proto in models.items():
        library = uir.build(from_onnx(proto))
        outputs = library["main"](*inputs_of(proto).values())
        for (case, rounding, _), y in zip(nodes_of(mode, cases), outputs, strict=True):
            assert np.from_dlpack(y).tolist() == places_of(case, mode, rounding), (case, rounding)
