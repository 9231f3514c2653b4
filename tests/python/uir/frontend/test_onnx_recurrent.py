"""`RNN`, `GRU` and `LSTM` of ONNX, against ONNX's own reference, which has one direction."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import pytest
from onnx import helper
from onnx.reference import ReferenceEvaluator

import uir
from uir.frontend.onnx import UnsupportedModelError, from_onnx

from .onnx_graphs import constant, model, tensor

Array = np.ndarray[Any, Any]

RNG = np.random.default_rng(7)
GATES = {"RNN": 1, "GRU": 3, "LSTM": 4}
FEATURES, INPUTS, ROWS = 4, 3, 2


def layer(
    operator: str, directions: int = 1, given: str = "WRBsh", **attributes: Any
) -> onnx.ModelProto:
    """Return a model of one layer; `given` has a letter for each input beside the data."""
    gates = GATES[operator] * FEATURES
    states = (ROWS, directions) if attributes.get("layout") else (directions, ROWS)
    values = {
        "W": RNG.standard_normal((directions, gates, INPUTS)),
        "R": RNG.standard_normal((directions, gates, FEATURES)),
        "B": RNG.standard_normal((directions, 2 * gates)),
        "h": RNG.standard_normal((*states, FEATURES)),
        "c": RNG.standard_normal((*states, FEATURES)),
        "P": RNG.standard_normal((directions, 3 * FEATURES)),
    }
    order = "WRBshcP" if operator == "LSTM" else "WRBsh"
    names = [letter if letter in given and letter in values else "" for letter in order]
    outputs = ["y", "y_h", "y_c"][: 3 if operator == "LSTM" else 2]
    constants = [constant(one, values[one].astype(np.float32)) for one in names if one]
    attributes = {"hidden_size": FEATURES, **attributes}
    node = helper.make_node(operator, ["x", *names], outputs, **attributes)
    shape = (ROWS, "t", INPUTS) if attributes.get("layout") else ("t", ROWS, INPUTS)
    return model([node], [tensor("x", shape)], outputs, constants)


def compiled(proto: onnx.ModelProto, x: Array) -> list[Array]:
    return [np.from_dlpack(one) for one in uir.build(from_onnx(proto))["main"](x)]


def data(times: int) -> Array:
    return RNG.standard_normal((times, ROWS, INPUTS), np.float32)


@pytest.mark.parametrize(
    ("operator", "given", "attributes"),
    [
        ("RNN", "WR", {}),
        ("RNN", "WRBh", {}),
        ("GRU", "WRBh", {"linear_before_reset": 0}),
        ("GRU", "WRBh", {"linear_before_reset": 1}),
        ("GRU", "WR", {"linear_before_reset": 1}),
        ("LSTM", "WRBhc", {}),
        ("LSTM", "WRhcP", {}),
    ],
)
def test_layers_equal_the_reference(operator: str, given: str, attributes: Any) -> None:
    proto = layer(operator, 1, given, **attributes)
    library, evaluator = uir.build(from_onnx(proto)), ReferenceEvaluator(proto)
    for times in (1, 5):
        x = data(times)
        for found, wanted in zip(library["main"](x), evaluator.run(None, {"x": x}), strict=False):
            if wanted is not None:
                np.testing.assert_allclose(np.from_dlpack(found), wanted, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("operator", GATES)
def test_a_constant_state_tells_the_batch(operator: str) -> None:
    """The nodes behind a layer need it here: a `Squeeze` without axes drops axes of size 1."""
    proto = layer(operator, 1, "WRBhc" if operator == "LSTM" else "WRBh")
    proto.graph.input[0].type.CopyFrom(tensor("x", (1, "n", INPUTS)).type)
    squeeze = helper.make_node("Squeeze", ["y"], ["z"])
    proto.graph.node.append(squeeze)
    proto.graph.output[0].CopyFrom(tensor("z", None))
    library = uir.build(from_onnx(proto))
    x = data(1)
    found = np.from_dlpack(library["main"](x)[0])
    (wanted, *_) = ReferenceEvaluator(proto).run(None, {"x": x})
    assert found.shape == wanted.shape == (ROWS, FEATURES)
    np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-6)
    with pytest.raises(ValueError, match="must hold: `n` is 3"):
        library["main"](RNG.standard_normal((1, 3, INPUTS), np.float32))


@pytest.mark.parametrize("operator", GATES)
def test_directions_are_layers_side_by_side(operator: str) -> None:
    """The second direction reads the times from the last one."""
    both = layer(operator, 2, "WRBhc", direction="bidirectional")
    x = data(4)
    results = compiled(both, x)
    for place in (0, 1):
        one = onnx.ModelProto.FromString(both.SerializeToString())
        for initializer in one.graph.initializer:
            part = onnx.numpy_helper.to_array(initializer)[place : place + 1]
            initializer.CopyFrom(onnx.numpy_helper.from_array(part, initializer.name))
        one.graph.node[0].attribute.remove(
            next(item for item in one.graph.node[0].attribute if item.name == "direction")
        )
        expected = ReferenceEvaluator(one).run(None, {"x": x[::-1] if place else x})
        every = expected[0][::-1] if place else expected[0]
        np.testing.assert_allclose(results[0][:, place : place + 1], every, rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(results[1][place : place + 1], expected[1], rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("operator", GATES)
def test_the_batch_may_come_first(operator: str) -> None:
    first = layer(operator, 1, "WRBhc", layout=1)
    second = onnx.ModelProto.FromString(first.SerializeToString())
    second.graph.node[0].attribute.remove(
        next(item for item in second.graph.node[0].attribute if item.name == "layout")
    )
    shape = second.graph.input[0].type.tensor_type.shape
    first_dim, second_dim = shape.dim[0].dim_value, shape.dim[1].dim_param
    shape.dim[0].dim_param, shape.dim[1].dim_value = second_dim, first_dim
    for initializer in second.graph.initializer:
        if initializer.name in ("h", "c"):
            swapped = onnx.numpy_helper.to_array(initializer).swapaxes(0, 1)
            initializer.CopyFrom(onnx.numpy_helper.from_array(swapped, initializer.name))
    x = data(3)
    found, expected = compiled(first, x.swapaxes(0, 1).copy()), compiled(second, x)
    np.testing.assert_array_equal(found[0], expected[0].transpose(2, 0, 1, 3))
    np.testing.assert_array_equal(found[1], expected[1].swapaxes(0, 1))


@pytest.mark.parametrize(
    ("attributes", "reason"),
    [
        ({"direction": "sideways"}, "direction `sideways`"),
        ({"activations": ["Tanh", "Cube", "Tanh"]}, "activation `Cube`"),
        ({"activations": ["Tanh"]}, "1 activations, expected 3"),
        ({"activations": ["Tanh", b"\xff", "Tanh"]}, "activation `\ufffd`"),
        ({"clip": 0.0}, "clip 0.0, which must be positive"),
        ({"direction": "bidirectional"}, "weights of 1 directions for direction `bidirectional`"),
        ({"hidden_size": 7}, "hidden_size 7 of 4 states"),
    ],
)
def test_wrong_attributes_are_refused(attributes: Any, reason: str) -> None:
    with pytest.raises(UnsupportedModelError, match=reason):
        from_onnx(layer("LSTM", 1, "WR", **attributes))
