"""The references against ONNX's own tests of its nodes: none fails, few are refused by name.

A test counts if `onnx_nodes` covers every node of its graph, and its tensors have data types of
relay.
"""

from __future__ import annotations

import warnings
from functools import cache

import numpy as np
import onnx
import pytest
from onnx.backend.test import loader
from onnx.backend.test.case.test_case import TestCase as Case

from .onnx_nodes import NODES, Refused, run_model

# The data types that relay has.
PLAIN = {
    onnx.TensorProto.BOOL,
    onnx.TensorProto.DOUBLE,
    onnx.TensorProto.FLOAT,
    onnx.TensorProto.FLOAT16,
    onnx.TensorProto.INT8,
    onnx.TensorProto.INT16,
    onnx.TensorProto.INT32,
    onnx.TensorProto.INT64,
    onnx.TensorProto.UINT8,
    onnx.TensorProto.UINT16,
    onnx.TensorProto.UINT32,
    onnx.TensorProto.UINT64,
}

# What needs more than the operators of relay.
REFUSED = {
    "test_attention_local_window_gqa_rank4_mask": "a precision of the softmax",
    "test_training_dropout": "dropout in training",
    "test_training_dropout_default": "dropout in training",
    "test_training_dropout_default_mask": "dropout in training",
    "test_training_dropout_mask": "dropout in training",
}

# One unit in the last place of float16: the tests compute in it, the references in float32.
ULP_FLOAT16 = 2**-9


def is_plain(model: onnx.ModelProto) -> bool:
    """Whether the inputs and the outputs are tensors of data types that relay has."""
    return all(
        one.type.WhichOneof("value") == "tensor_type" and one.type.tensor_type.elem_type in PLAIN
        for one in (*model.graph.input, *model.graph.output)
    )


@cache
def cases() -> dict[str, Case]:
    """Return ONNX's tests that count, by name."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        every = loader.load_model_tests(kind="node")
    return {
        case.name: case
        for case in every
        if {node.op_type for node in case.model.graph.node} <= NODES.keys() and is_plain(case.model)
    }


def as_array(value: np.ndarray | onnx.TensorProto) -> np.ndarray:
    return onnx.numpy_helper.to_array(value) if isinstance(value, onnx.TensorProto) else value


def check(case: Case) -> None:
    for arguments, expected in case.data_sets:
        found = run_model(NODES, case.model, [as_array(one) for one in arguments])
        for result, wanted in zip(found, map(as_array, expected), strict=True):
            assert (result.dtype, result.shape) == (wanted.dtype, wanted.shape)
            rtol = max(case.rtol, ULP_FLOAT16 if wanted.dtype == np.float16 else 0)
            np.testing.assert_allclose(result, wanted, rtol=rtol, atol=case.atol)


def fault(case: Case) -> str | None:
    """Return why a test fails, or None if it passes or is refused as it should be."""
    reason = REFUSED.get(case.name)
    try:
        check(case)
    except Refused as refused:
        return None if str(refused) == reason else f"{case.name}: refused: {refused}"
    except Exception as error:
        return f"{case.name}: {type(error).__name__}: {error}"
    return f"{case.name}: passes, although `REFUSED` has it" if reason else None


def test_the_tests_of_covered_nodes_pass() -> None:
    faults = [found for case in cases().values() if (found := fault(case))]
    assert faults == []
    assert cases().keys() >= REFUSED.keys()
    assert len(cases()) >= 1240


@pytest.mark.parametrize("node", sorted(NODES))
def test_a_test_of_each_node_counts(node: str) -> None:
    assert any(node in {one.op_type for one in case.model.graph.node} for case in cases().values())
