"""Operators that onnxruntime's optimizer and quantizer write, against NumPy and onnxruntime."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from uir import relay
from uir.frontend.onnx import UnsupportedModelError, from_onnx

from .microsoft_attention_cases import ATTENTION
from .microsoft_cases import CALLS, Call, normal, rms
from .microsoft_lstm_cases import LSTMS, OF_BATCHES, states, weights
from .onnx_calls import Array, evaluated, model_of, node, results

RNG = np.random.default_rng(13)
IMAGE = {"x": np.zeros((1, 2, 4, 4), np.float32), "w": np.zeros((2, 2, 2, 2), np.float32)}


def check_close(found: list[Array], expected: list[Array]) -> None:
    for one, wanted in zip(found, expected, strict=True):
        assert (one.dtype, one.shape) == (wanted.dtype, wanted.shape)
        if wanted.dtype.kind in "iu":
            difference = np.abs(one.astype(np.int64) - wanted.astype(np.int64))
            # Halves differ where one of both rounds a product once more.
            assert difference.max() <= 1 and (difference > 0).mean() <= 0.02
        else:
            rtol = 2e-3 if wanted.dtype == np.float16 else 2e-5
            np.testing.assert_allclose(one, wanted, rtol=rtol, atol=rtol)


@pytest.mark.parametrize("one", [*CALLS, *ATTENTION, *LSTMS, *OF_BATCHES], ids=lambda one: one.name)
def test_calls_equal_numpy(one: Call) -> None:
    check_close(evaluated(one.model, one.operands), one.expected)


@pytest.mark.parametrize("with_path", [False, True])
def test_normalizations_that_are_said_to_be_of_onnx(with_path: bool, tmp_path: Path) -> None:
    """As onnxruntime's optimizer writes them, whose domain ONNX's checker refuses."""
    x, gamma, beta = (RNG.standard_normal(shape, np.float32) for shape in ((2, 3, 8), 8, 8))
    nodes = [
        node("LayerNormalization", "x gamma beta", "y", epsilon=1e-3),
        node("SimplifiedLayerNormalization", "x gamma", "z", epsilon=1e-3),
    ]
    proto = model_of(nodes, {"x": x}, {"gamma": gamma, "beta": beta})
    proto.opset_import[0].version = 14
    data, path = proto.SerializeToString(), tmp_path / "model.onnx"
    path.write_bytes(data)
    module = from_onnx(path if with_path else proto)
    assert proto.SerializeToString() == data
    found = [np.asarray(one) for one in relay.evaluate(module, x)]
    check_close(found, [normal(x, gamma, beta, 1e-3), rms(x, gamma, 1e-3)])


BYTES = {
    **{"a": np.zeros((2, 3), np.uint8), "t": np.zeros((3, 2), np.uint8)},
    **{"i": np.zeros((1, 2, 3, 3), np.uint8), "f": np.zeros((2, 3), np.float32)},
}
SCALE = {"s": np.float32(1), "z": np.uint8(1), "n": np.float32("nan"), "l": np.int16(300)}
ROWS = {"x": np.zeros((2, 32), np.float32)}
WEIGHT = {"b": np.zeros((4, 2, 8), np.uint8), "c": np.ones((4, 2), np.float32)}
NOT_FINITE = WEIGHT | {"n": np.full((4, 2), np.inf, np.float32)}
ROWS3 = {"x": np.zeros((2, 3, 32), np.float32)}
MANY = np.zeros((32, 64), np.float32)
ENDS = {"m": np.zeros(3, np.int32)}
PAST = {
    **{"c": np.zeros((2, 2, 3, 16), np.float32), "p": np.zeros((2, 3), np.int64)},
    **{"e": np.zeros(2, np.int32), "t": np.array(3, np.int32)},
}
OF_BITS = {"K": 32, "N": 4, "block_size": 16}


@pytest.mark.parametrize(
    ("inputs", "operands", "constants", "attributes", "reason"),
    [
        ("QLinearWhere a s z s z", BYTES, SCALE, {}, "of the domain `com.microsoft`"),
        ("QLinearSigmoid a v z s z", BYTES, SCALE | {"v": np.ones(3)}, {}, "must have one elem"),
        ("DequantizeLinear a v", BYTES, {"v": np.ones(3, np.float32)}, {}, "without `axis`"),
        ("QLinearSigmoid a n z s z", BYTES, SCALE, {}, "a scale of nan"),
        ("QLinearSigmoid a s z n z", BYTES, SCALE, {}, "a scale of nan"),
        ("QLinearAdd a s z a n z s z", BYTES, SCALE, {}, "a scale of nan"),
        ("QLinearGlobalAveragePool i s z n z", BYTES, SCALE, {}, "a scale of nan"),
        ("QLinearSigmoid a s z s l", BYTES, SCALE, {}, "a zero point of int16 for"),
        ("QGemm a s z t n z", BYTES, SCALE, {}, "a scale of nan"),
        ("QGemm a s z t s z _ n z", BYTES, SCALE, {}, "a scale of nan"),
        ("MatMulIntegerToFloat a t n s z z", BYTES, SCALE, {}, "a scale of nan"),
        ("MatMulIntegerToFloat a t s n z z", BYTES, SCALE, {}, "a scale of nan"),
        ("DynamicQuantizeMatMul f t n z", BYTES, SCALE, {}, "a scale of nan"),
        ("QLinearConcat s z a s", BYTES, SCALE, {"axis": 0}, "4 inputs, which must be 2 and 3"),
        ("FusedConv x w", IMAGE, {}, {"activation": "Mish"}, "activation Mish"),
        ("FusedConv x w", IMAGE, {}, {"activation": "Clip"}, "0 parameters of Clip"),
        ("MatMulNBits x b c _ g", ROWS, WEIGHT | {"g": np.zeros(32)}, OF_BITS, "`g_idx`"),
        ("MatMulNBits x b c", ROWS, WEIGHT, OF_BITS | {"bits": 3}, "weights of 3 bits"),
        ("MatMulNBits x b c", ROWS, WEIGHT, OF_BITS | {"N": 5}, "for a matrix of 5 by 32"),
        ("MatMulNBits x b c", ROWS, WEIGHT, OF_BITS | {"block_size": 8}, "a power of two"),
        ("MatMulNBits x b c", ROWS, WEIGHT, OF_BITS | {"weight_prepacked": 1}, "prepacked` 1"),
        ("MatMulNBits x b n", ROWS, NOT_FINITE, OF_BITS, "a number of inf in input 2"),
        ("MatMulNBits x b c n", ROWS, NOT_FINITE, OF_BITS, "a number of inf in input 3"),
        ("MatMulNBits x b c", ROWS | WEIGHT, {}, OF_BITS, "input 1 must be a constant"),
        ("Attention x w", ROWS3, {"w": MANY}, {"num_heads": 2}, "64 columns of the projection"),
        ("Attention x x", ROWS3, {}, {"num_heads": 2}, "an operand of rank 3, which must be 2"),
        ("QLinearAveragePool a s z s z", BYTES, SCALE, {}, "`kernel_shape` is missing"),
        ("Attention x w", ROWS3, {"w": MANY}, {"do_rotary": 1}, "`do_rotary` 1"),
        ("Attention x w _ m", ROWS3 | ENDS, {"w": MANY[:, :48]}, {"num_heads": 2}, "3 numbers for"),
        ("MultiHeadAttention x", ROWS3, {}, {"num_heads": 2}, "packed in one tensor"),
        ("MultiHeadAttention x x x _ _ _ c", ROWS3 | PAST, {}, {"num_heads": 2}, "without the oth"),
        (
            "MultiHeadAttention x f f",
            ROWS3 | {"f": np.zeros((2, 4, 32), np.float32)},
            {},
            {"num_heads": 2, "unidirectional": 1},
            "`unidirectional` with 4 keys for 3 queries",
        ),
        ("GroupQueryAttention x x x _ _ e t _ _ p", ROWS3 | PAST, {}, {}, "`position_ids`"),
        ("GroupQueryAttention x _ _ _ _ e t", ROWS3 | PAST, {}, {}, "`num_heads` is missing"),
        (
            "MatMulNBits x b c",
            ROWS,
            WEIGHT,
            OF_BITS | {"K": 2.5},
            "must be an integer, got 2.5",
        ),
        (
            "GroupQueryAttention x x x _ _ e t",
            ROWS3 | PAST,
            {},
            {"smooth_softmax": 1},
            "softmax` 1",
        ),
        ("RotaryEmbedding x p x x", ROWS3 | PAST, {}, {"scale": 0.5}, "`scale` 0.5"),
        ("BiasDropout x x _ _ t", ROWS, {"t": np.array(True)}, {}, "dropout in training"),
    ],
)
def test_what_calls_do_not_support_is_refused(
    inputs: str,
    operands: dict[str, Array],
    constants: dict[str, Any],
    attributes: dict[str, Any],
    reason: str,
) -> None:
    operator, _, names = inputs.partition(" ")
    one = node(operator, names, "y", domain="com.microsoft", **attributes)
    with pytest.raises(UnsupportedModelError, match=reason):
        from_onnx(model_of([one], operands, constants))


@pytest.mark.deep
@pytest.mark.parametrize("one", [*CALLS, *ATTENTION, *LSTMS], ids=lambda one: one.name)
def test_compiled_calls_equal_onnxruntime(one: Call, onnxruntime: Any) -> None:
    session = onnxruntime.InferenceSession(one.model.SerializeToString())
    check_close(results(one.model, one.operands), session.run(None, one.operands))


def test_quantized_lstms_take_any_length() -> None:
    one = next(one for one in LSTMS if one.name.endswith("both"))
    proto = one.model
    proto.graph.input[0].type.tensor_type.shape.dim[0].dim_param = "t"
    module = from_onnx(proto)
    for length in (1, 6):
        x = RNG.standard_normal((length, 1, 3), np.float32)
        found = relay.evaluate(module, x, one.operands["h"], one.operands["c"])
        wanted = one.right(**{**one.operands, "x": x}, **one.constants)
        check_close([np.asarray(part) for part in found], list(wanted))


LSTM = "x w r _ _ h c _ ws wz rs rz"


@pytest.mark.parametrize(
    ("inputs", "attributes", "reason"),
    [
        ("x w r _ n h c _ ws wz rs rz", {}, "lengths of sequences"),
        (LSTM, {"direction": "up"}, "direction `up`"),
        (LSTM, {"direction": "bidirectional"}, "weights of 1 directions, which must be 2"),
        (LSTM, {"hidden_size": 5}, "hidden_size 5 of 4 states"),
        ("x w w _ _ h c _ ws wz rs rz", {}, "weights of 16 columns for 3 states"),
        (LSTM, {"activations": ["Tanh"]}, "1 activations, expected 3"),
        (LSTM, {"activations": ["Sigmoid", "Affine", "Tanh"]}, "activation `Affine`"),
        (LSTM, {"clip": -1.0}, "clip -1.0"),
        ("x w r _ _ h c _ none wz rs rz", {}, "a scale of 0.0"),
        ("x w r _ _ h c _ ws wz none rz", {}, "a scale of 0.0"),
    ],
)
def test_what_quantized_lstms_do_not_support_is_refused(
    inputs: str, attributes: dict[str, Any], reason: str
) -> None:
    operands = {"x": np.zeros((2, 1, 3), np.float32), **states(1)}
    one = node("DynamicQuantizeLSTM", inputs, "y", domain="com.microsoft", **attributes)
    constants = {**weights(1, "int8"), "n": np.array([1], np.int32)}
    constants["none"] = np.zeros(1, np.float32)
    with pytest.raises(UnsupportedModelError, match=reason):
        from_onnx(model_of([one], operands, constants))
