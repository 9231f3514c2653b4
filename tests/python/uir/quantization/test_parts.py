"""The parts of quantization that need no compiled model."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import pytest

from uir.quantization.calls import calls_of
from uir.quantization.graph import Graph, read_graph
from uir.quantization.layers import layers_of
from uir.quantization.plan import without_lone
from uir.quantization.ranges import min_max, percentile
from uir.quantization.rewriting import quantized_model
from uir.quantization.scheme import bias_numbers, of_range, of_weights, quantized

from ..frontend.onnx_calls import node
from ..frontend.onnx_graphs import tensor
from .networks import convolutions, network, operators, reference, rows


@pytest.mark.parametrize("dtype", ["uint8", "int8"])
@pytest.mark.parametrize(
    "ends", [(-1.0, 3.0), (0.5, 2.0), (-7.0, -1.0), (-1e38, 3e38), (0.0, 1e-40)]
)
def test_numbers_of_a_range_are_off_by_half_a_step_and_zero_is_exact(
    ends: tuple[float, float], dtype: str
) -> None:
    scheme = of_range(*ends, dtype)
    step, zero = float(scheme.scale), float(scheme.zero)
    assert 0 < step < np.inf
    x = np.linspace(min(ends[0], 0), max(ends[1], 0), 999)
    ints = np.iinfo(dtype)
    numbers = np.clip(np.rint(x / step) + zero, ints.min, ints.max)
    # The zero point is rounded too.
    assert np.abs((numbers - zero) * step - x).max() <= step * 1.001
    assert ints.min <= zero <= ints.max


def test_weights_have_a_scale_for_each_channel() -> None:
    weight = np.random.default_rng(2).standard_normal((4, 3, 2)).astype(np.float32)
    weight[1] *= 1e-3
    weight[2] = 0
    scheme = of_weights(weight, 0)
    numbers = quantized(weight, scheme)
    assert numbers.dtype == np.int8 and np.abs(numbers.astype(int)).max(axis=(1, 2)).tolist() == [
        127,
        127,
        0,
        127,
    ]
    error = np.abs(numbers * scheme.scale.reshape(4, 1, 1) - weight)
    assert (error <= scheme.scale.reshape(4, 1, 1) * 0.501).all()
    assert of_weights(weight, None).scale.shape == ()


def test_a_bias_that_int32_does_not_hold_stays() -> None:
    assert bias_numbers(np.array([1.0, -2.0]), np.array([0.5, 0.25])).tolist() == [2, -8]  # type: ignore[union-attr]
    assert bias_numbers(np.array([1.0]), np.array([1e-12])) is None


def test_a_percentile_cuts_both_ends() -> None:
    values = np.random.default_rng(1).standard_normal(100_000).astype(np.float32)
    values[:3] = [900, -500, 700]
    parts = [{"x": part} for part in np.split(values, 4)]
    assert min_max(lambda: parts, ["x"]) == {"x": (-500.0, 900.0)}
    low, high = percentile(lambda: parts, ["x"], 99.9)["x"]
    width = 1400 / 2048
    exact = np.percentile(values, [0.05, 99.95])
    assert abs(low - exact[0]) <= width and abs(high - exact[1]) <= width
    assert percentile(lambda: parts, ["x"], 100)["x"] == pytest.approx((-500, 900))
    broken = [{"x": np.array([1, np.nan, np.inf], np.float32)}]
    assert not np.isfinite(percentile(lambda: broken, ["x"], 99)["x"]).any()


GIVEN = network(
    [node("MatMul", "x w", "h"), node("Add", "h z", "y")],
    {"w": (3, 3)},
    {"x": (2, 3), "z": ("n", 3)},
).graph
X, Z = np.zeros((2, 3), np.float32), np.zeros((2, 3), np.float32)


@pytest.mark.parametrize(
    ("arrays", "count"),
    [
        ({"x": X, "z": Z}, 1),
        ({"x": np.stack([X] * 4), "z": np.stack([Z] * 4)}, 4),
        ({"x": np.concatenate([X] * 3), "z": np.stack([Z] * 3)}, 3),
    ],
)
def test_arrays_have_one_call_or_several(arrays: dict[str, Any], count: int) -> None:
    calls = calls_of(GIVEN, arrays)
    assert [{name: one.shape for name, one in call.items()} for call in calls] == [
        {"x": (2, 3), "z": (2, 3)}
    ] * count


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"x": X}, "input `z` has no array; there are `x`"),
        ({"x": X, "z": Z, "zz": Z}, "no input `zz`; it has `x`, `z`; did you mean `z`?"),
        ({"x": X.T, "z": Z}, "`x` must have shape (2, 3), also with an axis of calls before it, "),
        ({"x": X.astype(float), "z": Z}, "`x` must have data type float32, got float64"),
        ({"x": X, "z": Z * np.nan}, "`z` has NaN or infinity in call 0"),
        ({"x": np.stack([X, X + np.inf]), "z": Z}, "`x` has NaN or infinity in call 1"),
        ({"x": np.stack([X, X]), "z": Z}, "different numbers of calls: 2 of `x`, 1 of `z`"),
        ({"x": X[:0], "z": Z}, "`x` has no call: its shape is (0, 3)"),
    ],
)
def test_arrays_that_do_not_fit_are_refused_by_name(arrays: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError) as refused:
        calls_of(GIVEN, arrays)
    assert message in str(refused.value)


def rewritten(proto: onnx.ModelProto) -> onnx.ModelProto:
    """Return a model in which all layers are quantized, with ranges from -4 to 4."""
    graph = read_graph(proto)
    layers, _ = layers_of(graph)
    names = {*graph.makers, *(one.name for one in proto.graph.input)}
    schemes = {name: of_range(-4, 4, "uint8") for name in names}
    found = quantized_model(graph, without_lone(graph, layers), schemes)
    onnx.checker.check_model(found)
    return found


def test_weights_and_values_that_layers_share_are_written_once() -> None:
    nodes = [node("MatMul", "x w", "a"), node("MatMul", "x w", "b"), node("Sub", "a b", "y")]
    found = rewritten(network(nodes, {"w": (40, 6)}, {"x": ("n", 40)}))
    assert len([one for one in found.graph.node if one.op_type == "QuantizeLinear"]) == 1
    assert len([one for one in found.graph.node if one.op_type == "DequantizeLinear"]) == 2
    assert not reference(found, {"x": rows(3)})[0].any()


def test_names_that_are_taken_and_a_weight_that_is_a_result_stay() -> None:
    nodes = [node("MatMul", "x w", "x_quantized"), node("MatMul", "x_quantized v", "y")]
    proto = network(nodes, {"w": (40, 6), "v": (6, 6)}, {"x": ("n", 40)}, ("y", "w", "x_quantized"))
    found = rewritten(proto)
    exact, results = (reference(one, {"x": rows(3) / 8}) for one in (proto, found))
    np.testing.assert_allclose(results[0], exact[0], atol=0.5)
    np.testing.assert_array_equal(results[1], exact[1])


def test_cheap_operators_need_layers_around_them() -> None:
    nodes = [
        node("MatMul", "x w", "a"),
        node("Add", "a x", "s"),
        node("Softmax", "s", "y"),
    ]
    found = rewritten(network(nodes, {"w": (40, 40)}, {"x": ("n", 40)}))
    made = {name: one.op_type for one in found.graph.node for name in one.output}
    (add,) = (one for one in found.graph.node if one.op_type == "Add")
    assert [made.get(name) for name in add.input] == ["MatMul", None]


def test_graphs_in_attributes_read_exact_values() -> None:
    branch = onnx.helper.make_graph([node("Relu", "h", "r")], "branch", [], [tensor("r", ("n", 6))])
    nodes = [
        node("MatMul", "x w", "h"),
        node("Constant", "", "yes", value=onnx.numpy_helper.from_array(np.array(True))),
        node("If", "yes", "i", then_branch=branch, else_branch=branch),
        node("MatMul", "h v", "y"),
    ]
    proto = network(nodes, {"w": (40, 6), "v": (6, 6)}, {"x": ("n", 40)}, ("y", "i"))
    assert layers_of(Graph(proto))[0][0].tail == ()
    found = rewritten(proto)
    x = {"x": rows(3) / 8}
    np.testing.assert_allclose(reference(found, x)[1], reference(proto, x)[1], atol=0.5)


def test_old_versions_of_operators_are_converted() -> None:
    proto = convolutions()
    proto.opset_import[0].version = 11
    found = rewritten(proto)
    assert found.opset_import[0].version == 13
    assert operators(found) == operators(proto)


def test_products_that_cannot_be_quantized_say_why() -> None:
    nodes = [
        node("MatMul", "w x", "a", name="constant_first"),
        node("MatMul", "x d", "b", name="double"),
        node("Gemm", "x x", "c", name="square"),
        node("Conv", "image k", "e", name="infinite"),
    ]
    proto = network(
        nodes, {"w": (4, 4), "k": (1, 1, 1, 1)}, {"x": (4, 4), "image": (1, 1, 2, 2)}, ("a",)
    )
    proto.graph.initializer.append(onnx.numpy_helper.from_array(np.eye(4), "d"))
    proto.graph.initializer[1].CopyFrom(
        onnx.numpy_helper.from_array(np.full((1, 1, 1, 1), np.inf, np.float32), "k")
    )
    assert {one.name: one.reason for one in layers_of(Graph(proto))[1]} == {
        "constant_first": "the first operand is a constant",
        "double": "the weights are of float64",
        "square": "the weights are not constant",
        "infinite": "the weights are not finite",
    }
