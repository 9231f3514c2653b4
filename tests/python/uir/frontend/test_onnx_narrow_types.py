"""Tensors of int4 and uint4: constants, quantized values, and rows of quantized tables."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import onnx
import pytest
import tvm_ffi
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

import uir
from uir.frontend.onnx import UnsupportedModelError, from_onnx

RNG = np.random.default_rng(0)
RANGES = {"int4": (-8, 8), "uint4": (0, 16)}
NUMBERS = {"int4": TensorProto.INT4, "uint4": TensorProto.UINT4}
X = np.concatenate([RNG.standard_normal(28) * 9, [1.5, 2.5, -100, 100]]).astype("float32")
X = X.reshape(4, 8)


def model(nodes: list[Any], x: Any, constants: dict[str, Any]) -> onnx.ModelProto:
    """Return the model of nodes that read `x` and constants, and write `y`."""
    dtype = helper.np_dtype_to_tensor_dtype(x.dtype)
    graph = helper.make_graph(
        nodes,
        "one",
        [helper.make_tensor_value_info("x", dtype, x.shape)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
        [numpy_helper.from_array(np.asarray(one), name) for name, one in constants.items()],
    )
    domains = [helper.make_opsetid("", 21), helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(graph, opset_imports=domains, ir_version=10)


def run(proto: onnx.ModelProto, x: Any) -> Any:
    """Return the result of our function of a model."""
    return np.from_dlpack(uir.build(from_onnx(proto))["main"](tvm_ffi.from_dlpack(x)))


def integers(dtype: str, *shape: int) -> Any:
    """Return random integers of a type of 4 bits."""
    return RNG.integers(*RANGES[dtype], shape).astype(getattr(ml_dtypes, dtype))


@pytest.mark.parametrize("dtype", RANGES)
@pytest.mark.parametrize("has_zero", [False, True])
def test_quantized_values_saturate_at_4_bits(dtype: str, has_zero: bool) -> None:
    """Numbers are rounded to 4 bits and back, with ties and numbers out of range."""
    zero = ["z"] if has_zero else []
    own = {} if has_zero else {"output_dtype": NUMBERS[dtype]}
    nodes = [
        helper.make_node("QuantizeLinear", ["x", "s", *zero], ["q"], axis=1, **own),
        helper.make_node("Identity", ["q"], ["same"]),
        helper.make_node("DequantizeLinear", ["same", "s", *zero], ["y"], axis=1),
    ]
    constants = {"s": np.ones(8, "float32"), **({"z": integers(dtype, 8)} if has_zero else {})}
    proto = model(nodes, X, constants)
    np.testing.assert_array_equal(run(proto, X), ReferenceEvaluator(proto).run(None, {"x": X})[0])


@pytest.mark.parametrize("dtype", RANGES)
def test_weights_in_blocks(dtype: str) -> None:
    """A product with constant weights of 4 bits, in blocks with zero points."""
    nodes = [
        helper.make_node("DequantizeLinear", ["w", "s", "z"], ["m"], axis=0, block_size=4),
        helper.make_node("MatMul", ["x", "m"], ["y"]),
    ]
    scales = (RNG.random((2, 6)) + 0.5).astype("float32")
    proto = model(nodes, X, {"w": integers(dtype, 8, 6), "s": scales, "z": integers(dtype, 2, 6)})
    wanted = ReferenceEvaluator(proto).run(None, {"x": X})[0]
    np.testing.assert_allclose(run(proto, X), wanted, rtol=1e-5, atol=1e-4)


@pytest.mark.parametrize(
    ("dtype", "bits", "gather", "along"),
    [("uint8", 4, 0, -1), ("uint8", 8, 0, 2), ("int4", 4, 1, 0), ("uint4", 4, 0, 1)],
)
@pytest.mark.parametrize("has_zeros", [False, True])
@pytest.mark.parametrize("shape", [(), (2, 3)])
def test_rows_of_quantized_tables(
    dtype: str, bits: int, gather: int, along: int, has_zeros: bool, shape: tuple[int, ...]
) -> None:
    """`GatherBlockQuantized` dequantizes the slices that indices name, negative ones too."""
    table, block = (6, 48, 40), 16
    least, end = RANGES.get(dtype, (0, 2**bits))
    axis = along % 3
    scheme = [-(-size // block) if place == axis else size for place, size in enumerate(table)]
    numbers, zeros = (RNG.integers(least, end, one) for one in (table, scheme))
    scales = (RNG.random(scheme) + 0.5).astype("float32")

    def stored(values: Any) -> Any:
        if dtype != "uint8":
            return values.astype(getattr(ml_dtypes, dtype))
        if bits == 8:
            return values.astype("uint8")
        even = np.concatenate([values, values[..., : values.shape[-1] % 2]], -1)
        return (even[..., ::2] | even[..., 1::2] << 4).astype("uint8")

    if not has_zeros:
        zeros = np.full_like(zeros, 2 ** (bits - 1) if dtype == "uint8" else 0)
    factors = (
        np.repeat(one, block, axis).take(range(table[axis]), axis) for one in (zeros, scales)
    )
    zero, scale = factors
    indices = RNG.integers(-table[gather], table[gather], shape)
    wanted = ((numbers - zero) * scale).take(indices, gather).astype("float32")
    names = ["d", "x", "s", "z"] if has_zeros else ["d", "x", "s"]
    node = helper.make_node(
        "GatherBlockQuantized", names, ["y"], domain="com.microsoft",
        gather_axis=gather, quantize_axis=along, block_size=block, bits=bits,
    )  # fmt: skip
    constants = {"d": stored(numbers), "s": scales, "z": stored(zeros)}
    constants = {name: one for name, one in constants.items() if name in names}
    np.testing.assert_array_equal(run(model([node], indices, constants), indices), wanted)


@pytest.mark.parametrize(
    ("operator", "inputs", "attributes", "reason"),
    [
        ("GatherBlockQuantized", "b i s", {"block_size": 24}, "blocks of 24"),
        ("GatherBlockQuantized", "b i s", {"bits": 3}, "numbers of 3 bits"),
        ("GatherBlockQuantized", "b i s", {"quantize_axis": 2}, "axis 2 of a tensor of rank 2"),
        ("GatherBlockQuantized", "b i s", {"quantize_axis": 0}, "blocks along axis 0"),
        ("GatherBlockQuantized", "b i s n", {}, "zero points of another data type"),
        ("GatherBlockQuantized", "b i m", {}, "a number of nan"),
        ("GatherBlockQuantized", "b i s", {"block_size": 16}, "for blocks of 16 along axis 1"),
        ("DequantizeLinear", "n one z", {}, "a tensor of int4 with a zero point of uint4"),
        ("DequantizeLinear", "n one b", {}, "a tensor of int4 with a zero point of 8 bits"),
        ("Neg", "n", {}, "data type int4"),
    ],
)
def test_refused(operator: str, inputs: str, attributes: dict[str, Any], reason: str) -> None:
    """Wrong schemes, and operators that do not know of 4 bits, are refused by name."""
    constants = {
        **{"b": np.zeros((4, 32), "uint8"), "s": np.ones((4, 2), "float32")},
        **{"m": np.full((4, 2), np.nan, "float32"), "n": integers("int4", 4, 2)},
        **{"z": integers("uint4", 4, 2), "one": np.float32(1), "i": np.zeros(2, "int64")},
    }
    own = operator == "GatherBlockQuantized"
    node = helper.make_node(
        operator, inputs.split(), ["y"], domain="com.microsoft" if own else "",
        **({"block_size": 32} | attributes if own else attributes),
    )  # fmt: skip
    with pytest.raises(UnsupportedModelError, match=reason):
        from_onnx(model([node], X, constants))
