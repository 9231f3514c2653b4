"""The compiler of the package `ziglang`: alone on a machine, for any processor, and for others."""

from __future__ import annotations

import os
import re
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import uir
from uir.driver import find_compiler
from uir.runtime import Module, export_library
from uir.target import Target

from ...support.process import run_python
from ...support.project import ROOT

CASES: dict[str, tuple[str, Callable[[Any, Any], Any]]] = {
    "x + y": ("x + y", np.add),
    "x - y": ("x - y", np.subtract),
    "x * y": ("x * y", np.multiply),
    "x / y": ("x / (y + 9.0)", lambda x, y: x / (y + 9)),
    "exp": ("relay.exp(x)", lambda x, y: np.exp(x)),
    "log": ("relay.log(relay.abs(x))", lambda x, y: np.log(np.abs(x))),
    "sqrt": ("relay.sqrt(relay.abs(x))", lambda x, y: np.sqrt(np.abs(x))),
    "tanh": ("relay.tanh(x)", lambda x, y: np.tanh(x)),
    "sigmoid": ("relay.sigmoid(x)", lambda x, y: 1 / (1 + np.exp(-x))),
    "sin": ("relay.sin(x)", lambda x, y: np.sin(x)),
    "cos": ("relay.cos(x)", lambda x, y: np.cos(x)),
    "floor": ("relay.floor(x)", lambda x, y: np.floor(x)),
    "ceil": ("relay.ceil(x)", lambda x, y: np.ceil(x)),
    "relu": ("relay.relu(x)", lambda x, y: np.maximum(x, 0)),
    "negative": ("-x", lambda x, y: -x),
    "maximum": ("relay.maximum(x, y)", np.maximum),
    "minimum": ("relay.minimum(x, y)", np.minimum),
    "where": ("relay.where(x < y, x, y * 2.0)", lambda x, y: np.where(x < y, x, y * 2)),
    "cast": ("relay.cast(relay.cast(x * 8.0, 'int32'), 'float32')", lambda x, y: np.trunc(x * 8)),
    "sum": ("relay.sum(x, axis=[1])", lambda x, y: x.sum(1)),
    "max": ("relay.max(x, axis=[0])", lambda x, y: x.max(0)),
    "min": ("relay.min(x, axis=[1], keepdims=True)", lambda x, y: x.min(1, keepdims=True)),
    "mean": ("relay.mean(x, axis=[0])", lambda x, y: x.mean(0)),
    "transpose": ("relay.transpose(x)", lambda x, y: x.T),
    "reshape": ("relay.reshape(x, [5, 35])", lambda x, y: x.reshape(5, 35)),
    "concat": ("relay.concatenate([x, y], axis=1)", lambda x, y: np.concatenate([x, y], 1)),
    "softmax": ("relay.softmax(x)", lambda x, y: np.exp(x) / np.exp(x).sum(-1, keepdims=True)),
    "matmul": ("x @ relay.transpose(y)", lambda x, y: x @ y.T),
    "matmul and relu": ("relay.relu(relay.transpose(x) @ y)", lambda x, y: np.maximum(x.T @ y, 0)),
    "chain": ("relay.exp(-x) * y + x", lambda x, y: np.exp(-x) * y + x),
}
FUNCTION = """
    @relay.function
    def f{number}(x: relay.Tensor((7, 25), "float32"), y: relay.Tensor((7, 25), "float32")):
        return {body}
"""


def module_of(bodies: list[str]) -> uir.IRModule:
    functions = [FUNCTION.format(number=i, body=body) for i, body in enumerate(bodies)]
    return uir.script.parse("@uir.script.ir_module\nclass Module:" + "".join(functions))


@pytest.fixture(scope="module")
def zig(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Return the command of Zig's compiler, which is found if there is no `cc`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("UIR_CC", raising=False)
        patch.setenv("PATH", str(tmp_path_factory.mktemp("empty")))
        command = find_compiler()
    assert command[0].endswith("ziglang/zig") and command[1:] == ["cc"]
    return command


@pytest.fixture(scope="module", autouse=True)
def use_zig(zig: list[str]) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("UIR_CC", " ".join(zig))
        yield


@pytest.fixture(scope="module")
def compiled() -> Module:
    """All cases, in one library."""
    return uir.build(module_of([body for body, _ in CASES.values()]))


@pytest.mark.parametrize("name", CASES)
def test_a_case_computes_what_numpy_does(name: str, compiled: Module) -> None:
    draws = np.random.default_rng(5)
    x, y = (draws.standard_normal((7, 25), "float32") for _ in "xy")
    found = compiled[f"f{list(CASES).index(name)}"](x, y)
    expected = CASES[name][1](x, y)
    np.testing.assert_allclose(np.from_dlpack(found), expected, rtol=2e-5, atol=2e-5)


RUN = """
import sys
import numpy as np
import tvm_ffi
library = tvm_ffi.load_module(sys.argv[1])
x, y = np.ones((7, 25), "float32"), np.full((7, 25), 2, "float32")
print(np.from_dlpack(library.f0(x, y))[0, 0], np.from_dlpack(library.f1(x, y)).sum())
"""


def test_one_library_for_all_processors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built = uir.build(module_of(["x @ relay.transpose(y)", "x * y"]), Target("c", "x86-64"))
    export_library(built, tmp_path / "lib.so")
    for isa in ("generic", "x86-64-v3", "x86-64-v4"):
        monkeypatch.setenv("UIR_ISA", isa)
        assert run_python(RUN, tmp_path / "lib.so") == "50.0 350.0\n"


def test_a_library_for_another_machine(tmp_path: Path) -> None:
    built = uir.build(module_of(["x @ relay.transpose(y)", "relay.exp(x)"]), Target("c", "aarch64"))
    export_library(built, tmp_path / "lib.so")
    content = (tmp_path / "lib.so").read_bytes()
    assert content[:4] == b"\x7fELF"
    machine, neon = struct.unpack_from("<H", content, 18)[0], built.inspect_source()
    assert machine == 183
    assert b"__tvm_ffi_f1" in content
    assert "store_float32x4(" in neon and "float32x8" not in neon
    assert not built.is_runnable()
    with pytest.raises(RuntimeError, match="for processors of kind `aarch64`, so that `f0` does"):
        built.f0(1)


def test_another_machine_needs_a_compiler_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("UIR_CC")
    monkeypatch.setattr("uir.driver.compiler.find_spec", lambda name: None)
    built = uir.build(module_of(["x + y"]), Target("c", "aarch64"))
    with pytest.raises(RuntimeError, match="cannot compile for `aarch64`\nhelp: .* uir.compiler."):
        built.write_to_file("lib.so")


def test_the_program_of_the_readme_needs_no_cc(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (ROOT / "README.md").read_text()
    program = next(
        text for text in re.findall(r"```python\n(.*?)```", text, re.S) if "build(" in text
    )
    shown = re.findall(r"```text\n(.*?)```", text[text.index(program) :], re.S)[0]
    environment = {**os.environ, "PATH": str(tmp_path), "UIR_CACHE_DIR": str(tmp_path / "cache")}
    environment.pop("UIR_CC", None)
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=environment, cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout == shown, done.stderr
    assert (tmp_path / "layer.so").exists()
