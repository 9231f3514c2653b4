"""The memory that the weights of a model take while it is imported and compiled."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
from onnx import helper

from ...support.process import run_python
from .onnx_graphs import constant, model, tensor

LAYERS, WIDTH = 16, 1024
WEIGHTS = LAYERS * WIDTH**2 * 4

PROGRAM = """
import sys
from pathlib import Path

import uir
from uir.frontend.onnx import from_onnx

def resident(field):
    return int(Path("/proc/self/status").read_text().split(f"{field}:")[1].split()[0]) * 1024

def added(function, *args):
    before = resident("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")
    result = function(*args)
    return resident("VmHWM") - before, result

imported, module = added(from_onnx, sys.argv[1])
built, library = added(uir.build, module)
print(imported, built)
"""


def test_weights_are_in_memory_once_more_for_each_step(tmp_path: Path) -> None:
    """The bound has room for an allocator, and not for another copy."""
    rng = np.random.default_rng(0)
    weights = [
        constant(f"w{i}", rng.standard_normal((WIDTH, WIDTH), np.float32)) for i in range(LAYERS)
    ]
    names = ["x", *(f"y{i}" for i in range(LAYERS))]
    nodes = [helper.make_node("MatMul", [names[i], f"w{i}"], [names[i + 1]]) for i in range(LAYERS)]
    proto = model(nodes, [tensor("x", ("n", WIDTH))], [names[-1]], weights)
    path = tmp_path / "model.onnx"
    onnx.save(proto, path)
    imported, built = map(int, run_python(PROGRAM, path).split())
    assert built < 1.5 * WEIGHTS
    assert imported < 2.6 * WEIGHTS
