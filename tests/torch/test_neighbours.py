"""Other libraries that are imported before or after uir leave both working."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

NEIGHBOURS = Path(__file__).resolve().parents[2] / "build" / "neighbours"
PROGRAM = """
import copy
import importlib
import pickle
import sys

for name in sys.argv[1:]:
    importlib.import_module(name)

from uir import ir, relay

program = relay.Tuple([relay.const([1, 2]), relay.const(0.5, "float32")])
for again in (
    ir.load_json(ir.save_json(program)),
    ir.load_binary(ir.save_binary(program)),
    pickle.loads(pickle.dumps(program)),
    copy.deepcopy(program),
):
    assert ir.structural_equal(again, program)
    assert ir.structural_hash(again) == ir.structural_hash(program)
"""


@pytest.mark.parametrize("is_first", [True, False])
@pytest.mark.parametrize("neighbour", ["torch", "onnxruntime", "xgrammar", "flashinfer"])
def test_uir_works_beside_another_library(neighbour: str, is_first: bool) -> None:
    path = f"{os.environ.get('PYTHONPATH', '')}:{NEIGHBOURS}"
    names = [neighbour, "uir"] if is_first else ["uir", neighbour]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *names],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
