"""onnxruntime and uir in one process, imported in both orders, with global symbols too."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from ....torch.test_imports import GLOBAL, USE

# Where `make test-deep` installs onnxruntime.
FOLDER = Path(__file__).parents[4] / "build" / "onnx-models"

pytestmark = pytest.mark.deep

PROGRAMS = {
    "uir": USE["uir"],
    "onnxruntime": """
import numpy as np
import onnxruntime
from onnx import TensorProto, helper
values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [300, 300]) for name in "xy"]
node = helper.make_node("MatMul", ["x", "x"], ["y"])
graph = helper.make_graph([node], "g", values[:1], values[1:])
opsets = [helper.make_opsetid("", 17)]
model = helper.make_model(graph, opset_imports=opsets, ir_version=8).SerializeToString()
session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
[y] = session.run(None, {"x": np.ones((300, 300), "float32")})
assert (y == 300).all()
""",
}


@pytest.mark.parametrize("begin", ["", GLOBAL], ids=["local", "global"])
@pytest.mark.parametrize(
    "order", [("onnxruntime", "uir", "onnxruntime"), ("uir", "onnxruntime", "uir")]
)
def test_both_work_in_each_order(begin: str, order: tuple[str, ...]) -> None:
    program = "\n".join([begin, f"import sys; sys.path.append({str(FOLDER)!r})"])
    program = "\n".join([program, *(PROGRAMS[name] for name in order)])
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
