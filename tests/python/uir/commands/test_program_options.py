"""What options of `uir compile` and `uir run` change in compiled code, and how many threads run."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from uir import runtime
from uir.commands import main

from ...support.process import run_python
from .test_json import result

TWO_OPERATORS = """
@uir.script.ir_module
class Module:
    @relay.function
    def main(x: relay.Tensor((4, 64), "float32")):
        return relay.exp(relay.negative(x))
"""

TAKE = """
@uir.script.ir_module
class Module:
    @tir.prim_func
    def take(
        x: tir.Buffer((n,), "float32"),
        i: tir.Buffer((m,), "int32"),
        y: tir.Buffer((m,), "float32"),
    ):
        n = tir.SizeVar("n", "int32")
        m = tir.SizeVar("m", "int32")
        for k in range(m):
            y[k] = x[i[k]]
"""


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("program.py").write_text(TWO_OPERATORS)
    return "program.py"


def kernel_names(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    """Return the kernels that a run calls, whose result is that of NumPy."""
    x = np.random.default_rng(3).standard_normal((4, 64), np.float32)
    np.save("x.npy", x)
    given = ["--input", "x.npy", "--output", "y.npz", "--number", "1", "--profile"]
    found = result(capsys, "run", *words, *given)
    np.testing.assert_allclose(np.load("y.npz")["output0"], np.exp(-x), rtol=1e-6)
    return sorted(one["name"] for one in found["profile"]["kernels"])


@pytest.mark.parametrize(
    "option", [["--disable-pass", "FuseOps"], ["--config", "FuseOps.max_ops=1"]]
)
def test_options_of_passes_reach_compiled_code(
    option: list[str], program: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert kernel_names(capsys, program) == ["fused_negative_exp"]
    assert kernel_names(capsys, program, *option) == ["exp", "negative"]
    compiled = result(capsys, "compile", program, "-o", "program.so", *option)
    assert compiled["kernel_count"] == 2
    assert kernel_names(capsys, "program.so") == ["exp", "negative"]


def test_checked_code_refuses_an_index_out_of_bounds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("take.py").write_text(TAKE)
    x, y = np.arange(5, dtype=np.float32), np.zeros(3, np.float32)
    for name, indices in (("good", [4, 0, 2]), ("bad", [4, 5, 2])):
        np.save(f"{name}.npy", np.array(indices, np.int32))
    np.save("x.npy", x)
    np.save("y.npy", y)
    assert main(["compile", "take.py", "-o", "take.so", "--checks", "bounds"]) == 0
    runtime.load_module("take.so")["take"](x, np.load("good.npy"), y)
    assert y.tolist() == [4, 0, 2]
    for command in (["take.py", "--checks", "bounds"], ["take.so"]):
        for name, status in (("good", 0), ("bad", 1)):
            inputs = ["--input", "x.npy", "--input", f"{name}.npy", "--input", "y.npy"]
            assert main(["run", *command, "--function", "take", *inputs]) == status
        assert "index 5 of buffer `x`" in capsys.readouterr().err


THREADS = """
import os, sys
import numpy as np
from uir.commands import main

def count():
    return len(os.listdir("/proc/self/task"))

before = count()
assert main(["run", "program.py", "--input", "x.npy", "--output", "y.npz", *sys.argv[1:]]) == 0
print(count() - before)
"""


@pytest.mark.parametrize(("option", "count"), [([], 0), (["--threads", "3"], 2)])
def test_parallel_loops_run_on_the_threads_of_the_option(
    option: list[str], count: int, program: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The option counts more than the variable of the environment."""
    monkeypatch.setenv("UIR_NUM_THREADS", "1")
    Path(program).write_text(TWO_OPERATORS.replace("(4, 64)", "(1024, 1024)"))
    x = np.random.default_rng(4).standard_normal((1024, 1024), np.float32)
    np.save("x.npy", x)
    assert run_python(THREADS, *option).splitlines()[-1] == str(count)
    np.testing.assert_allclose(np.load("y.npz")["output0"], np.exp(-x), rtol=1e-6)
