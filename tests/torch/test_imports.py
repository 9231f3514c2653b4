"""PyTorch and uir in one process, imported in both orders, with global symbols too."""

from __future__ import annotations

import subprocess
import sys

import pytest

USE = {
    "torch": "import torch\nx = torch.ones(300, 300)\nassert (x @ x)[0, 0] == 300",
    "uir": """
import numpy as np
import uir
module = uir.build(uir.script.parse_function('''
@tir.prim_func
def main(A: tir.Buffer((n,), "float32"), B: tir.Buffer((n,), "float32")):
    n = tir.SizeVar("n", "int32")
    for i in tir.parallel(n):
        B[i] = tir.exp(A[i])
'''))
a, b = np.ones(100000, "float32"), np.empty(100000, "float32")
module(a, b)
assert abs(b - 2.7182817).max() < 1e-6
""",
}
GLOBAL = "import os, sys\nsys.setdlopenflags(os.RTLD_NOW | os.RTLD_GLOBAL)"


@pytest.mark.parametrize("begin", ["", GLOBAL], ids=["local", "global"])
@pytest.mark.parametrize("order", [("torch", "uir", "torch"), ("uir", "torch", "uir")])
def test_both_work_in_each_order(begin: str, order: tuple[str, ...]) -> None:
    program = "\n".join([begin, *(USE[name] for name in order)])
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
