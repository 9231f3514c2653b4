"""Objects for another processor, which an emulator of it runs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import uir
from uir.runtime import export_library
from uir.target import Target

from .test_zig import CASES, module_of

pytestmark = pytest.mark.deep
PROGRAM = Path(__file__).parent / "aarch64" / "main.c"


@pytest.fixture(scope="module")
def inputs() -> list[np.ndarray]:
    draws = np.random.default_rng(5)
    return [draws.standard_normal((7, 25), "float32") for _ in "xy"]


@pytest.fixture(scope="module")
def results(inputs: list[np.ndarray], tmp_path_factory: pytest.TempPathFactory) -> np.ndarray:
    """The results of all cases, which one program computes, one behind the other."""
    folder = tmp_path_factory.mktemp("aarch64")
    module = module_of([body for body, _ in CASES.values()])
    export_library(uir.build(module, Target("c", "aarch64")), folder / "cases.o")
    np.stack(inputs).tofile(folder / "inputs")
    shapes = [expected(*inputs).shape for _, expected in CASES.values()]
    rows = [
        f"CASE(f{number}, {len(shape)}, {np.prod(shape)}, {', '.join(map(str, shape))})\n"
        for number, shape in enumerate(shapes)
    ]
    (folder / "cases.h").write_text("".join(rows))
    compiler = [sys.executable, "-m", "ziglang", "cc", "-target", "aarch64-linux-musl", "-static"]
    command = [*compiler, "-w", f"-I{folder}", PROGRAM, "cases.o", "-o", "main"]
    subprocess.run(command, cwd=folder, check=True)
    subprocess.run(["qemu-aarch64", "./main"], cwd=folder, check=True)
    return np.fromfile(folder / "outputs", "float32")


def test_the_machine_computes_what_numpy_does(
    inputs: list[np.ndarray], results: np.ndarray
) -> None:
    begin = 0
    for name, (_, compute) in CASES.items():
        expected = compute(*inputs)
        found = results[begin : begin + expected.size].reshape(expected.shape)
        np.testing.assert_allclose(found, expected, rtol=2e-5, atol=2e-5, err_msg=name)
        begin += expected.size
    assert begin == results.size
