"""Quantized operators, bit for bit, against ONNX's own reference, and against NumPy beside it."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto
from onnx.reference import ReferenceEvaluator

from uir.frontend.onnx import UnsupportedModelError, from_onnx

from .onnx_calls import Array, model_of, node, results

RNG = np.random.default_rng(7)

SPREAD = np.array(
    [[0.5, 1.5, 2.5, -0.5, -1.5, 3.49], [1e30, -1e30, np.inf, -np.inf, 127.5, -128.5]], np.float32
)
"""Halves, and numbers beyond each range."""


def integers(shape: tuple[int, ...], dtype: str) -> Array:
    ends = np.iinfo(dtype)
    return RNG.integers(ends.min, ends.max, shape, dtype, endpoint=True)


def scales(*shape: int) -> Array:
    return (RNG.random(shape, np.float32) + 0.5) / 16


def reference(proto: onnx.ModelProto, operands: dict[str, Array]) -> list[Any]:
    return list(ReferenceEvaluator(proto).run(None, operands))


def check_equal(
    nodes: list[onnx.NodeProto], operands: dict[str, Array], constants: dict[str, Any]
) -> None:
    """Compare with ONNX's reference; data types and elements are the same."""
    proto = model_of(nodes, operands, constants)
    expected = reference(proto, operands)
    for one, found, wanted in zip(nodes, results(proto, operands), expected, strict=True):
        assert found.dtype == wanted.dtype
        np.testing.assert_array_equal(found, wanted, err_msg=str(one))


def test_numbers_are_rounded_to_even_and_saturated() -> None:
    operands = {"x": RNG.standard_normal((3, 5), np.float32) * 20, "half": scales(3, 5) * 9}
    operands["half"] = operands["half"].astype(np.float16)
    kinds = ("int8", "uint8", "int16", "uint16")
    constants: dict[str, Any] = {
        "one": np.float32(0.25),
        "half_scale": np.float16(0.0123),
        "rows": scales(3),
        "blocks": scales(3, 2),
        "odd": np.array([[3, 250, 7], [128, 0, 255]], np.uint8),
        "cells": scales(2, 5),
        "column_blocks": scales(2, 5),
        "column_zeros": integers((2, 5), "int8"),
    }
    constants |= {kind: np.array(7, kind) for kind in kinds}
    nodes = [node("QuantizeLinear", f"x one {kind}", f"q_{kind}") for kind in kinds]
    nodes += [
        node("QuantizeLinear", "x one", "plain"),
        node("QuantizeLinear", "x one", "typed", output_dtype=TensorProto.INT16),
        node("QuantizeLinear", "half half_scale int8", "short"),
        node("QuantizeLinear", "half one int8", "wide", precision=TensorProto.FLOAT),
        node("QuantizeLinear", "x rows", "per_row", axis=-2),
        # The last block has two of three elements.
        node("QuantizeLinear", "x blocks", "last", axis=1, block_size=3),
        node("QuantizeLinear", "x column_blocks column_zeros", "down", axis=0, block_size=2),
    ]
    check_equal(nodes, operands, constants)


def test_halves_and_numbers_beyond_the_range() -> None:
    """The reference makes integers of infinities, which C++ does not define."""
    proto = model_of(
        [node("QuantizeLinear", "x s z", "y")],
        {"x": SPREAD},
        {"s": np.float32(1), "z": np.array(1, np.int8)},
    )
    (found,) = results(proto, {"x": SPREAD})
    expected = np.clip(np.rint(SPREAD) + 1, -128, 127).astype(np.int8)
    np.testing.assert_array_equal(found, expected)
    (found,) = results(proto, {"x": np.full((2, 6), np.nan, np.float32)})
    np.testing.assert_array_equal(found, np.full((2, 6), -128, np.int8))


def test_integers_become_numbers() -> None:
    kinds = ("int8", "uint8", "int16", "uint16", "int32")
    operands = {kind: integers((3, 5), kind) for kind in kinds}
    operands["int32"] //= 2**10  # The reference rounds larger ones to float32.
    constants: dict[str, Any] = {"s": np.float32(0.03), "half": np.float16(0.03)}
    constants["s_flat"] = np.array([0.04], np.float32)
    constants |= {f"z_{kind}": np.array(3, kind) for kind in kinds}
    constants |= {"rows": scales(3), "row_zeros": integers((3,), "int8"), "blocks": scales(3, 3)}
    nodes = [node("DequantizeLinear", f"{kind} s z_{kind}", f"y_{kind}") for kind in kinds]
    nodes += [
        node("DequantizeLinear", "uint8 half z_uint8", "short"),
        node("DequantizeLinear", "uint8 s_flat z_uint8", "flat"),
        node("DequantizeLinear", "int8 rows row_zeros", "per_row", axis=0),
        node("DequantizeLinear", "int16 blocks", "last", axis=1, block_size=2),
    ]
    check_equal(nodes, operands, constants)


def test_a_tensor_is_quantized_by_its_range() -> None:
    for x in (RNG.standard_normal((3, 4), np.float32), scales(3, 4), -scales(3, 4)):
        nodes = [node("DynamicQuantizeLinear", "x", "y s z")]
        proto = model_of(nodes, {"x": x}, {})
        expected = reference(proto, {"x": x})
        for found, wanted in zip(results(proto, {"x": x}), expected, strict=True):
            assert found.dtype == wanted.dtype
            np.testing.assert_array_equal(found, wanted)


def test_zeros_are_quantized_by_the_scale_one() -> None:
    """As onnxruntime has it; ONNX's text divides by 0, and its reference by 1 / 255."""
    zeros = np.zeros((2, 3), np.float32)
    proto = model_of([node("DynamicQuantizeLinear", "x", "y s z")], {"x": zeros}, {})
    y, scale, zero = results(proto, {"x": zeros})
    assert not y.any()
    assert (float(scale), int(zero)) == (1.0, 0)


def test_products_of_integers_are_exact() -> None:
    """Sums of 3000 products do not fit the 24 bits of float32."""
    a, b = np.full((2, 3, 3000), 255, np.uint8), np.full((3000, 4), -128, np.int8)
    a[:, 0, 0], b[0, 1] = 254, 127
    operands = {"a": a, "b": b, "v": integers((3000,), "uint8")}
    constants = {"z": np.array([1], np.uint8), "columns": np.array([0, 1, -1, 2], np.int8)}
    nodes = [
        node("MatMulInteger", "a b", "plain"),
        node("MatMulInteger", "a b z columns", "shifted"),
        node("MatMulInteger", "v b z", "vector"),
    ]
    check_equal(nodes, operands, constants)


def test_zero_points_of_rows() -> None:
    """A vector has one for each row, as ONNX's text says; the reference takes them for columns."""
    a, b, rows = integers((3, 3), "uint8"), integers((3, 2), "int8"), integers((3,), "uint8")
    operands = {"a": a, "b": b}
    proto = model_of([node("MatMulInteger", "a b rows", "y")], operands, {"rows": rows})
    (found,) = results(proto, operands)
    expected = (a.astype(np.int32) - rows.astype(np.int32)[:, None]) @ b.astype(np.int32)
    np.testing.assert_array_equal(found, expected)


def requantized(sums: Array, scale: Array, zero: int, dtype: str) -> Array:
    """Return what onnxruntime does: float32, halves to even, then the zero point."""
    ends = np.iinfo(dtype)
    rounded = np.rint(sums.astype(np.float32) * scale.astype(np.float32)) + zero
    return np.clip(rounded, ends.min, ends.max).astype(dtype)


def test_quantized_products() -> None:
    a, b = integers((4, 6), "uint8"), integers((6, 5), "int8")
    rows, columns = scales(4), scales(5)
    zeros = integers((5,), "int8")
    constants = {
        **{"ra": rows, "za": np.full(4, 9, np.uint8), "cb": columns, "zb": zeros},
        **{"s": np.array([2.7], np.float32), "z": np.array([101], np.uint8)},
    }
    operands = {"a": a, "b": b}
    proto = model_of([node("QLinearMatMul", "a ra za b cb zb s z", "y")], operands, constants)
    sums = (a.astype(np.int32) - 9) @ (b.astype(np.int32) - zeros)
    scale = rows[:, None] * columns / np.float32(2.7)
    (found,) = results(proto, operands)
    assert len(np.unique(found)) > 10
    np.testing.assert_array_equal(found, requantized(sums, scale, 101, "uint8"))


@pytest.mark.parametrize("groups", [1, 2])
def test_quantized_convolutions(groups: int) -> None:
    """Padding counts as the zero point; the sums are those of the reference's `ConvInteger`."""
    x, w = integers((2, 4, 6, 5), "uint8"), integers((6, 4 // groups, 3, 2), "int8")
    zeros, per_channel, bias = integers((6,), "int8"), scales(6) / 16, integers((6,), "int16")
    constants = {
        **{"sx": np.float32(0.02), "zx": np.array(130, np.uint8), "sw": per_channel, "zw": zeros},
        **{"sy": np.float32(0.3), "zy": np.array(-5, np.int8), "b": bias.astype(np.int32)},
    }
    options = {"pads": [1, 0, 2, 1], "strides": [2, 1], "group": groups, "kernel_shape": [3, 2]}
    nodes = [
        node("ConvInteger", "x w zx zw", "sums", **options),
        node("QLinearConv", "x sx zx w sw zw sy zy b", "y", **options),
    ]
    operands = {"x": x, "w": w}
    sums, found = results(model_of(nodes, operands, constants), operands)
    proto = model_of(nodes[:1], operands, constants)
    (expected,) = reference(proto, operands)
    np.testing.assert_array_equal(sums, expected)
    scale = np.float32(0.02) * per_channel / np.float32(0.3)
    whole = sums + bias.astype(np.int32)[:, None, None]
    assert len(np.unique(found)) > 10
    wanted = requantized(whole, scale[:, None, None], -5, "int8")
    np.testing.assert_array_equal(found, wanted)


X = np.zeros((2, 3), np.float32)
BYTES = np.zeros((2, 3), np.int8)
IMAGE = np.zeros((1, 2, 4, 4), np.float32)
KERNELS = np.zeros((2, 2, 2, 2), np.float32)


@pytest.mark.parametrize(
    ("one", "operands", "constants", "reason"),
    [
        (node("QuantizeLinear", "x s", "y", axis=2), {"x": X}, {"s": scales(3)}, "axis 2 of a"),
        (node("QuantizeLinear", "x s", "y"), {"x": X}, {"s": scales(2)}, r"shape \(2\) for axis 1"),
        (
            node("QuantizeLinear", "x s", "y", block_size=2),
            {"x": X},
            {"s": scales(2, 3)},
            "blocks of 2 along axis 1",
        ),
        *[
            (
                node(name, "x s", "y", block_size=-2),
                {"x": x},
                {"s": scales(*shape)},
                "blocks of -2 elements",
            )
            for name, x in [("QuantizeLinear", X), ("DequantizeLinear", BYTES)]
            for shape in [(), (2, 2)]
        ],
        (
            node("QuantizeLinear", "x s z", "y", output_dtype=TensorProto.INT8),
            {"x": X},
            {"s": scales(), "z": np.uint8(1)},
            "`output_dtype` is int8",
        ),
        (
            node("QuantizeLinear", "x s z", "y", output_dtype=TensorProto.INT4),
            {"x": X},
            {"s": scales(), "z": np.uint8(1)},
            "data type int4",
        ),
        *[
            (node(name, "x s", "y"), {"x": x}, {"s": np.float32(scale)}, f"a scale of {scale}")
            for name, x in [("QuantizeLinear", X), ("DequantizeLinear", BYTES)]
            for scale in (0.0, np.nan, np.inf)
        ],
        *[
            (
                node("QLinearMatMul", inputs, "y"),
                {"a": BYTES, "b": BYTES.T.copy()},
                {"s": scales(), "t": np.float32(scale), "z": np.int8(1)},
                f"a scale of {scale}",
            )
            for inputs in ("a t z b s z s z", "a s z b t z s z", "a s z b s z t z")
            for scale in (0.0, np.nan, -np.inf)
        ],
        *[
            (
                node("QLinearConv", inputs, "y"),
                {"x": IMAGE.astype(np.uint8), "w": KERNELS.astype(np.int8)},
                {"s": scales(), "t": scales(2) * [1, 0], "z": np.uint8(1), "n": np.int8(0)},
                "a scale of 0.0",
            )
            for inputs in ("x t z w s n s z", "x s z w t n s z", "x s z w s n t z")
        ],
        (
            node("DequantizeLinear", "x s z", "y"),
            {"x": BYTES},
            {"s": scales(), "z": np.uint8(1)},
            "a zero point of uint8 for a tensor of int8",
        ),
        (
            node("MatMulInteger", "a b z", "y"),
            {"a": BYTES[:1], "b": BYTES.T.copy()},
            {"z": np.ones(4, np.int8)},
            r"broadcast a tensor of shape \(1, 3\) to \(4, 3\)",
        ),
        (
            node("QLinearMatMul", "a r z b s z s z", "y"),
            {"a": BYTES[:1], "b": BYTES.T.copy()},
            {"r": scales(4), "s": scales(), "z": np.int8(1)},
            r"broadcast a tensor of shape \(1, 2\) to \(4, 2\)",
        ),
        (
            node("Conv", "x w", "y", kernel_shape=[3, 2]),
            {"x": IMAGE, "w": KERNELS},
            {},
            r"`kernel_shape` is \[3, 2\]",
        ),
        (
            node("ConvTranspose", "x w", "y", kernel_shape=[2]),
            {"x": IMAGE, "w": KERNELS},
            {},
            r"the weight has the kernel \[2, 2\]",
        ),
        (
            node("ConvTranspose", "x w", "y", output_padding=[2**40, 0]),
            {"x": IMAGE, "w": KERNELS},
            {},
            "must be less than the stride 1 or the dilation 1",
        ),
        (
            node("Split", "x", "y", num_outputs=2**30),
            {"x": X},
            {},
            "`num_outputs` is 1073741824, of 1 outputs",
        ),
    ],
)
def test_schemes_and_options_that_do_not_fit_are_refused(
    one: onnx.NodeProto, operands: dict[str, Array], constants: dict[str, Any], reason: str
) -> None:
    proto = model_of([one], operands, {name: np.asarray(x) for name, x in constants.items()})
    with pytest.raises(UnsupportedModelError, match=reason):
        from_onnx(proto)


def test_a_split_is_refused_before_types_are_inferred() -> None:
    """The inliner of ONNX would take memory for so many results."""
    nodes = [
        node("Split", "x", "y", num_outputs=2**30),
        node("MeanVarianceNormalization", "x", "z"),
        node("AffineGrid", "theta size", "grid"),
    ]
    operands = {"x": X, "theta": np.zeros((1, 2, 3), np.float32)}
    proto = model_of(nodes, operands, {"size": np.array([1, 1, 2, 2])})
    with pytest.raises(UnsupportedModelError, match="Split `Split_0`: `num_outputs` is 1073741824"):
        from_onnx(proto)
