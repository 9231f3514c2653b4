"""Calls of operators of the domain `com.microsoft`, and what they compute, in NumPy."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import erf
from typing import Any, NamedTuple

import numpy as np
import onnx

from .onnx_calls import Array, model_of, node

RNG = np.random.default_rng(11)


class Call(NamedTuple):
    """A call of an operator, with operands, constants, and the expected results."""

    name: str
    node: onnx.NodeProto
    operands: dict[str, Array]
    constants: dict[str, Any]
    right: Callable[..., Array | tuple[Array, ...]]

    @property
    def model(self) -> onnx.ModelProto:
        """The model of the call, with the data types of its outputs."""
        proto = model_of([self.node], self.operands, self.constants)
        for output, wanted in zip(proto.graph.output, self.expected, strict=True):
            kind = onnx.helper.np_dtype_to_tensor_dtype(wanted.dtype)
            output.type.CopyFrom(onnx.helper.make_tensor_type_proto(kind, wanted.shape))
        return proto

    @property
    def expected(self) -> list[Array]:
        """The right outputs of the model; NumPy computes some of them in float64."""
        found = self.right(**self.operands, **self.constants)
        outputs = [np.asarray(one) for one in (found if isinstance(found, tuple) else (found,))]
        return [one.astype(np.float32) if one.dtype == np.float64 else one for one in outputs]


def call(
    inputs: str,
    operands: dict[str, Array],
    constants: dict[str, Any],
    right: Callable[..., Any],
    outputs: str = "y",
    name: str = "",
    **attributes: Any,
) -> Call:
    """Return the call `operator input input`."""
    operator, _, names = inputs.partition(" ")
    given = {key: value for key, value in attributes.items() if value != []}
    one = node(operator, names, outputs, domain="com.microsoft", **given)
    return Call(f"{operator}{name and '-'}{name}", one, operands, constants, right)


def integers(shape: tuple[int, ...], dtype: str) -> Array:
    ends = np.iinfo(dtype)
    return RNG.integers(ends.min, ends.max, shape, dtype, endpoint=True)


def floats(*shape: int) -> Array:
    return RNG.standard_normal(shape, np.float32)


def numbers(q: Array, scale: Any, zero: Any) -> Any:
    return (q.astype(np.float32) - np.float32(zero)) * np.float32(scale)


def quantized(x: Array, scale: Any, zero: Any) -> Any:
    ends = np.iinfo(zero.dtype)
    rounded = np.rint(x / np.float32(scale)) + np.float32(zero)
    return np.clip(rounded, ends.min, ends.max).astype(zero.dtype)


def sigmoid(x: Array) -> Any:
    return 1 / (1 + np.exp(-x))


def softmax(x: Array, axes: Any) -> Any:
    powers = np.exp(x - x.max(axes, keepdims=True))
    return powers / powers.sum(axes, keepdims=True)


def gelu(x: Array) -> Any:
    return x * (1 + np.vectorize(erf)(x / np.sqrt(2))) / 2


def fast_gelu(x: Array) -> Any:
    return x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))) / 2


SCHEMES = {
    **{"sa": np.float32(0.02), "za": np.array(120, np.uint8)},
    **{"sb": np.float32(0.05), "zb": np.array(3, np.uint8)},
    **{"sc": np.float32(0.11), "zc": np.array(90, np.uint8)},
}
PAIR = {"a": integers((3, 1, 5), "uint8"), "b": integers((2, 5), "uint8")}
IMAGE = {"a": integers((2, 3, 5, 4), "uint8")}


def of_pair(function: Callable[[Array, Array], Array]) -> Callable[..., Array]:
    return lambda a, sa, za, b, sb, zb, sc, zc: quantized(
        function(numbers(a, sa, za), numbers(b, sb, zb)), sc, zc
    )


def of_one(function: Callable[[Array], Array]) -> Callable[..., Array]:
    return lambda a, sa, za, sc, zc: quantized(function(numbers(a, sa, za)), sc, zc)


ONE = {name: SCHEMES[name] for name in ("sa", "za", "sc", "zc")}
SIGNED = {"sa": np.float32(0.05), "za": np.int8(3), "sc": np.float32(1 / 128), "zc": np.int8(-9)}


def pooled(x: Array) -> Any:
    """Return means of windows of 2 by 2 with padding before each axis, which does not count."""
    padded = np.pad(x, [(0, 0), (0, 0), (1, 0), (1, 0)], constant_values=np.nan)
    windows = [padded[:, :, i : i + x.shape[2], j : j + x.shape[3]] for i in (0, 1) for j in (0, 1)]
    return np.nanmean(windows, axis=0)


QUANTIZED = [
    call("QLinearAdd a sa za b sb zb sc zc", PAIR, SCHEMES, of_pair(np.add)),
    call("QLinearMul a sa za b sb zb sc zc", PAIR, SCHEMES, of_pair(np.multiply)),
    call("QLinearSigmoid a sa za sc zc", {"a": integers((40,), "int8")}, SIGNED, of_one(sigmoid)),
    call(
        "QLinearLeakyRelu a sa za sc zc",
        {"a": PAIR["a"]},
        ONE,
        of_one(lambda x: np.where(x < 0, x * np.float32(0.3), x)),
        alpha=0.3,
    ),
    *(
        call(
            "QLinearSoftmax a sa za sc zc",
            {"a": integers((2, 3, 4), "uint8")},
            {**ONE, "sc": np.float32(1 / 256), "zc": np.uint8(0)},
            of_one(partial(softmax, axes=axes)),
            name=str(version),
            axis=1,
            opset=version,
        )
        for version, axes in ((12, (1, 2)), (13, 1))
    ),
    call(
        "QLinearGlobalAveragePool a sa za sc zc",
        IMAGE,
        ONE | {"sc": np.float32(0.003)},
        of_one(lambda x: x.mean((2, 3), keepdims=True)),
    ),
    call(
        "QLinearGlobalAveragePool a sa za sc zc",
        IMAGE,
        ONE | {"sc": np.float32(0.003)},
        of_one(lambda x: x.mean((1, 2), keepdims=True)),
        name="last",
        channels_last=1,
    ),
    call(
        "QLinearAveragePool a sa za sc zc",
        IMAGE,
        ONE | {"sc": np.float32(0.0131)},
        of_one(pooled),
        kernel_shape=[2, 2],
        pads=[1, 1, 0, 0],
    ),
    call(
        "QLinearAveragePool a sa za sc zc",
        IMAGE,
        ONE | {"sc": np.float32(0.0131)},
        of_one(lambda x: np.moveaxis(pooled(np.moveaxis(x, -1, 1)), 1, -1)),
        name="last",
        kernel_shape=[2, 2],
        pads=[1, 1, 0, 0],
        channels_last=1,
    ),
    call(
        "QLinearConcat sc zc a sa za b sb zb",
        {"a": integers((2, 3), "uint8"), "b": integers((2, 4), "uint8")},
        SCHEMES,
        lambda a, b, sa, za, sb, zb, sc, zc: quantized(
            np.concatenate([numbers(a, sa, za), numbers(b, sb, zb)], 1), sc, zc
        ),
        axis=1,
    ),
]

COLUMNS = {"sb": (RNG.random(5, np.float32) + 0.5) / 16, "zb": integers((5,), "int8")}
MATRIX = {"a": integers((3, 6), "uint8")}
FIRST = {"sa": np.float32(0.02), "za": np.array(120, np.uint8)}


def summed(a: Array, za: Any, b: Array, zb: Any) -> Any:
    return (a.astype(np.int32) - np.int32(za)) @ (b.astype(np.int32) - zb.astype(np.int32))


def right_gemm(a: Array, sa: Any, za: Any, b: Array, sb: Any, zb: Any, c: Any, **out: Any) -> Any:
    y = (summed(a, za, b.T, zb) + c).astype(np.float32) * (np.float32(0.5) * sa * sb)
    return quantized(y, out["sy"], out["zy"]) if out else y


def right_dynamic(a: Array, b: Array, sb: Any, zb: Any, bias: Any) -> Any:
    low, high = min(a.min(), 0), max(a.max(), 0)
    scale = np.float32((high - low) / np.float32(255))
    zero = np.uint8(np.rint(-low / scale))
    sums = summed(quantized(a, scale, zero), zero, b, zb)
    return sums.astype(np.float32) * (scale * sb) + bias


def packed(q: Array, bits: int) -> Any:
    """Pack numbers along the last axis, the lowest bits first."""
    apart = q.reshape(*q.shape[:-1], -1, 8 // bits).astype(np.uint32)
    shifts = np.arange(0, 8, bits, dtype=np.uint32)
    return (apart << shifts).sum(-1).astype(np.uint8)


def n_bits(bits: int, zeros: str, dtype: type = np.float32, block: int = 16) -> Call:
    """Return a product with a matrix of 40 rows in blocks, the last of which is short."""
    blocks = -(-40 // block)
    q = RNG.integers(0, 2**bits, (5, blocks, block))
    scales: Array = ((RNG.random((5, blocks)) + 0.5) / 16).astype(dtype)
    scales[0, 0] = 0  # As quantizers write it for a block of zeros.
    zero = RNG.integers(0, 2**bits, (5, blocks + blocks % 2))
    constants = {"b": packed(q, bits), "s": scales, "bias": floats(5).astype(dtype)}
    if zeros == "packed":
        constants["z"] = packed(zero if bits == 4 else zero[:, :blocks], bits)
    elif zeros == "floats":
        constants["z"] = (zero[:, :blocks] + 0.5).astype(dtype)

    def right(x: Array, b: Array, s: Array, bias: Array, z: Any = None) -> Any:
        middle = {"": 2 ** (bits - 1), "packed": zero[:, :blocks], "floats": z}[zeros]
        middle = np.broadcast_to(np.asarray(middle, np.float32), (5, blocks))
        weight = (q - middle[..., None]) * s[..., None].astype(np.float32)
        y = x.astype(np.float32) @ weight.reshape(5, -1)[:, :40].T + bias.astype(np.float32)
        return y.astype(dtype)

    return call(
        f"MatMulNBits x b s {'z' if zeros else '_'} _ bias",
        {"x": floats(2, 3, 40).astype(dtype)},
        constants,
        right,
        name=f"{bits}{zeros}{np.dtype(dtype).itemsize}{block}",
        K=40,
        N=5,
        bits=bits,
        block_size=block,
    )


GEMM = {
    **{"b": integers((5, 6), "int8"), "c": integers((5,), "int16").astype(np.int32) // 8},
    **COLUMNS,
}
PRODUCTS = [
    call(
        "QGemm a sa za b sb zb c sy zy",
        MATRIX,
        {
            **FIRST,
            **GEMM,
            **{"sy": np.float32(0.9), "zy": np.uint8(99)},
        },
        right_gemm,
        transB=1,
        alpha=0.5,
    ),
    call(
        "QGemm a sa za b sb zb c",
        MATRIX,
        {**FIRST, **GEMM},
        right_gemm,
        name="floats",
        transB=1,
        alpha=0.5,
    ),
    call(
        "DynamicQuantizeMatMul a b sb zb bias",
        {"a": floats(2, 3, 6)},
        {"b": integers((6, 5), "int8"), **COLUMNS, "bias": floats(5)},
        right_dynamic,
    ),
    call(
        "MatMulIntegerToFloat a b sa sb za zb bias",
        MATRIX,
        {
            **FIRST,
            **{"b": integers((6, 5), "int8"), **COLUMNS, "bias": floats(5)},
        },
        lambda a, sa, za, b, sb, zb, bias: summed(a, za, b, zb) * (sa * sb) + bias,
    ),
    n_bits(4, "packed", block=64),
    n_bits(4, ""),
    n_bits(4, "packed"),
    n_bits(4, "floats"),
    n_bits(8, ""),
    n_bits(8, "packed"),
    n_bits(4, "packed", np.float16),
]


def convolved(x: Array, w: Array) -> Any:
    """Convolve with kernels of 1 by 1."""
    return np.einsum("nchw,oc->nohw", x, w[:, :, 0, 0])


X, SKIP = floats(2, 3, 8), floats(2, 3, 8)
WEIGHTS = {"gamma": floats(8), "beta": floats(8), "bias": floats(8)}
FUSED = [
    call(
        "FusedConv x w b z",
        {"x": floats(1, 3, 4, 4), "z": floats(1, 2, 4, 4)},
        {"w": floats(2, 3, 1, 1), "b": floats(2)},
        lambda x, w, b, z: np.maximum(convolved(x, w) + b[:, None, None] + z, 0),
        activation="Relu",
    ),
    *(
        call(
            "FusedConv x w",
            {"x": floats(1, 3, 4, 4)},
            {"w": floats(2, 3, 1, 1)},
            lambda x, w, function=function: function(convolved(x, w)),
            name=name,
            activation=name,
            activation_params=parameters,
        )
        for name, parameters, function in (
            ("LeakyRelu", [0.1], lambda y: np.where(y < 0, y * np.float32(0.1), y)),
            ("Clip", [-0.5, 0.75], lambda y: np.clip(y, -0.5, 0.75)),
            ("HardSigmoid", [0.3, 0.4], lambda y: np.clip(y * 0.3 + 0.4, 0, 1)),
            ("Sigmoid", [], sigmoid),
            ("Tanh", [], np.tanh),
        )
    ),
    call(
        "FusedGemm a b c",
        {"a": floats(6, 3), "c": floats(5)},
        {"b": floats(6, 5)},
        lambda a, b, c: (lambda y: np.where(y < 0, y * np.float32(0.2), y))(a.T @ b / 2 + c),
        transA=1,
        alpha=0.5,
        activation="LeakyRelu",
        activation_alpha=0.2,
    ),
    call(
        "FusedMatMul a b",
        {"a": floats(2, 3, 4), "b": floats(2, 5, 4)},
        {},
        lambda a, b: np.float32(0.25) * a @ b.transpose(0, 2, 1),
        transB=1,
        alpha=0.25,
    ),
    call(
        "FusedMatMul a b",
        {"a": floats(3, 2, 4), "b": floats(2, 4, 5)},
        {},
        lambda a, b: a.transpose(1, 0, 2) @ b,
        name="batch",
        transBatchA=1,
    ),
    call(
        "FusedMatMul a b",
        {"a": floats(6, 2, 3, 4), "b": floats(2, 3, 5, 6)},
        {},
        lambda a, b: a.transpose(1, 2, 3, 0) @ b.transpose(0, 1, 3, 2),
        name="both",
        transBatchA=1,
        transA=1,
        transB=1,
    ),
    call("Gelu x", {"x": X}, {}, lambda x: gelu(x)),
    call(
        "FastGelu x bias", {"x": X}, {"bias": WEIGHTS["bias"]}, lambda x, bias: fast_gelu(x + bias)
    ),
    call("BiasGelu x bias", {"x": X}, {"bias": WEIGHTS["bias"]}, lambda x, bias: gelu(x + bias)),
    call("QuickGelu x", {"x": X}, {}, lambda x: x * sigmoid(x * 1.5), alpha=1.5),
]


def normal(x: Array, gamma: Array, beta: Array, epsilon: float = 1e-12) -> Any:
    centered = x - x.mean(-1, keepdims=True)
    deviation = np.sqrt((centered**2).mean(-1, keepdims=True) + epsilon)
    return centered / deviation * gamma + beta


def rms(x: Array, gamma: Array, epsilon: float) -> Any:
    return x / np.sqrt((x**2).mean(-1, keepdims=True) + epsilon) * gamma


IDS = {"ids": integers((2, 3), "uint8") % 7, "segments": np.array([[0, 1, 1], [1, 0, 0]])}
EMBEDDING = {"words": floats(7, 8), "places": floats(5, 8), "kinds": floats(2, 8)}
NORMS = [
    call(
        "SkipLayerNormalization x skip gamma beta bias",
        {"x": X, "skip": SKIP[:1]},
        WEIGHTS,
        lambda x, skip, gamma, beta, bias: (
            normal(x + skip + bias, gamma, beta, 1e-3),
            x + skip + bias,
        ),
        outputs="y _ _ total",
        epsilon=1e-3,
    ),
    call(
        "SkipSimplifiedLayerNormalization x skip gamma",
        {"x": X, "skip": SKIP},
        {"gamma": WEIGHTS["gamma"]},
        lambda x, skip, gamma: (rms(x + skip, gamma, 1e-3), x + skip),
        outputs="y _ _ total",
        epsilon=1e-3,
    ),
    call(
        "EmbedLayerNormalization ids segments words places kinds gamma beta mask",
        {
            **{name: x.astype(np.int32) for name, x in IDS.items()},
            "mask": np.array([[1, 1, 0], [1, 0, 0]], np.int32),
        },
        {**EMBEDDING, "gamma": WEIGHTS["gamma"], "beta": WEIGHTS["beta"]},
        lambda ids, segments, mask, words, places, kinds, gamma, beta: (
            normal(words[ids] + places[:3] + kinds[segments], gamma, beta),
            mask.sum(1, dtype=np.int32),
            words[ids] + places[:3] + kinds[segments],
        ),
        outputs="y index total",
    ),
    call(
        "EmbedLayerNormalization ids _ words places _ gamma beta _ at",
        {
            "ids": IDS["ids"].astype(np.int32),
            "at": np.array([[4, 0, 1], [2, 2, 3]], np.int32),
        },
        {
            **{name: EMBEDDING[name] for name in ("words", "places")},
            **{name: WEIGHTS[name] for name in ("gamma", "beta")},
        },
        lambda ids, at, words, places, gamma, beta: (
            normal(words[ids] + places[at], gamma, beta),
            np.zeros(2, np.int32),
        ),
        outputs="y index",
        name="places",
    ),
]

CALLS = [*QUANTIZED, *PRODUCTS, *FUSED, *NORMS]
