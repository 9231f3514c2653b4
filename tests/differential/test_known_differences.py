"""Known differences of others hide the elements that are known to differ, and no others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from uir import relay

from .graphs import Graph
from .known_differences import Known
from .onnx_nodes import Model
from .onnx_oracle import KNOWN, Oracle, compare_with_onnx
from .onnxruntime_oracle import KNOWN as OF_ONNXRUNTIME

NAN, INF = np.nan, np.inf
BOTH: dict[str, dict[str, tuple[Known, str]]] = {"onnx": KNOWN, "onnxruntime": OF_ONNXRUNTIME}


def faults_of(call: relay.Call, operands: list[Any], found: Any, known: Any) -> list[str]:
    """Return the differences that are reported between a call and another implementation."""
    var = relay.Var("y", call.checked_type)
    params = [one for one in call.args if isinstance(one, relay.Var)]
    function = relay.Function(params, relay.Block([relay.Binding(var, call)], var))
    graph = Graph(1, function, [call.op.name], [operands], [], [])

    def run(model: Model) -> list[np.ndarray]:
        return [np.array(found).astype(str(call.checked_type.dtype))]

    return compare_with_onnx(graph, Oracle(run, known))[1]


def variables(*arrays: np.ndarray) -> list[relay.Var]:
    return [relay.Var(f"x{i}", relay.Tensor(a.shape, str(a.dtype))) for i, a in enumerate(arrays)]


def floats(*values: float) -> np.ndarray:
    return np.array(values, "float32")


PICTURE = floats(1, 2, 3, 4, NAN, 6, 7).reshape(1, 1, 7)
LARGE = np.array([[2**53 + 1, 0], [1, 2]])
CASES: dict[str, tuple[str, str, list[np.ndarray], dict[str, Any], Any, Any]] = {
    "a zero of another sign": (
        "onnxruntime", "where", [np.array([True, True]), floats(-0.0, 2), floats(1, 1)], {},
        [0.0, 2], [0.0, 3],
    ),
    "an infinity that is bounded": (
        "onnxruntime", "clip", [floats(INF, 5)], {},
        [np.finfo("float32").max, 5], [np.finfo("float32").max, 6],
    ),
    "NaN in a row": (
        "onnxruntime", "log_softmax", [np.array([[1, NAN], [0, 0]])], {},
        [[45, NAN], np.log([0.5, 0.5])], [[45, NAN], [-1, -1]],
    ),
    "a sum that is no float64": (
        "onnxruntime", "sum", [LARGE], {"axis": [1]}, [2**53, 3], [2**53, 4],
    ),
    "a row with NaN has another greatest element": (
        "onnxruntime", "argmax", [floats(1, NAN, 2, 5, 6, 7).reshape(2, 3)], {"axis": 1},
        [2, 2], [2, 1],
    ),
    "a window with NaN": (
        "onnx", "avg_pool", [PICTURE], {"kernel": [1], "strides": [1]},
        [[[1, 2, 3, 4, 0, 6, 7]]], [[[1, 2, 3, 5, 0, 6, 7]]],
    ),
    "a mean of large integers": (
        "onnx", "mean", [LARGE], {"axis": [1]}, [7, 1], [2**52, 2],
    ),
    "a softmax of 0": (
        "onnx", "log_softmax", [floats(0, -200, -1)], {},
        [-0.3132617, -INF, -1.3132617], [-0.3132617, -INF, -1.4],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_rule_hides_what_is_known_alone(name: str) -> None:
    oracle, operator, operands, attributes, known, wrong = CASES[name]
    call = getattr(relay, operator)(*variables(*operands), **attributes)
    assert faults_of(call, operands, known, {}) != []
    assert faults_of(call, operands, known, BOTH[oracle]) == []
    (fault,) = faults_of(call, operands, wrong, BOTH[oracle])
    assert ": 1 differ" in fault or name == "NaN in a row"


@pytest.mark.parametrize(
    ("kernel", "strides", "is_cut"), [(1, 4, True), (3, 4, False), (1, 1, False)]
)
def test_negative_padding_is_known(kernel: int, strides: int, is_cut: bool) -> None:
    x = np.arange(7, dtype="float32").reshape(1, 1, 7)
    call = relay.avg_pool(*variables(x), kernel=kernel, strides=strides, auto_pad="same_upper")
    shape = [int(one) for one in call.checked_type.shape]
    faults = faults_of(call, [x], np.full(shape, 99), OF_ONNXRUNTIME)
    assert (faults == []) == is_cut


def test_results_of_other_shapes_are_faults() -> None:
    x = floats(1, NAN, 2)
    call = relay.where(*variables(np.array([True, True, False]), x, x))
    operands = [np.array([True, True, False]), x, x]
    (fault,) = faults_of(call, operands, [1, 2], OF_ONNXRUNTIME)
    assert "expected (3,)" in fault
