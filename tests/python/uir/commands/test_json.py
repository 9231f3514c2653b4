"""`--json`: each command prints its result as one object in one line."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from uir import ir, script, transform
from uir.commands import main
from uir.commands.main import make_parser
from uir.driver import cache_size

TENSORS = """
@uir.script.ir_module
class Module:
    @relay.function
    def main(x: relay.Tensor((n, 2), "float32"), k: relay.Tensor((2,), "int32")):
        n = tir.SizeVar("n", "int32")
        return (relay.exp(x + 1.0), k)
"""

LOOPS = """
@uir.script.ir_module
class Module:
    @tir.prim_func
    def main(A: tir.Buffer((16,), "float32")):
        for i in range(16):
            if i < 20:
                A[i] = A[i] + 1.0
        A[3] = 2.0
"""

WITHOUT = {"uir lsp", "uir completion"}
"""They speak a protocol, or print a program of a shell."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "tensors.py").write_text(TENSORS)
    (tmp_path / "loops.py").write_text(LOOPS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def result(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    """Return the one line that a command prints."""
    capsys.readouterr()
    assert main([*words, "--json"]) == 0
    printed = capsys.readouterr()
    assert printed.err == "" and printed.out.count("\n") == 1
    found: dict[str, Any] = json.loads(printed.out)
    return found


def leaves(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """Yield the parsers of the commands that do something."""
    groups = [one for one in parser._actions if isinstance(one, argparse._SubParsersAction)]
    if not groups:
        yield parser
    for group in groups:
        for command in group.choices.values():
            yield from leaves(command)


def test_every_command_has_it() -> None:
    found = {one.prog: "--json" in one.format_help() for one in leaves(make_parser())}
    assert len(found) > 15
    assert {name for name, has_it in found.items() if not has_it} == WITHOUT


def test_a_compiled_program_is_described(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = result(capsys, "compile", "tensors.py", "-o", "t.so")
    assert found["functions"] == [
        {
            "name": "main",
            "inputs": [
                {"name": "x", "dtype": "float32", "shape": ["n", 2]},
                {"name": "k", "dtype": "int32", "shape": [2]},
            ],
            "outputs": [
                {"name": "", "dtype": "float32", "shape": ["n", 2]},
                {"name": "", "dtype": "int32", "shape": [2]},
            ],
        }
    ]
    assert found["kernel_count"] >= found["varying_kernel_count"] >= 1
    assert (found["output"], found["output_bytes"]) == ("t.so", (folder / "t.so").stat().st_size)
    assert all(found[name] > 0 for name in found if name.endswith("_seconds"))
    assert {"read_seconds", "passes_seconds", "c_compiler_seconds", "write_seconds"} <= {*found}
    for one in found["memory"]:
        assert one.keys() == {"function", "arena_bytes", "live_bytes"}


def test_results_of_a_call_are_values(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    np.save("x.npy", np.array([[0, np.inf], [-np.inf, np.nan], [1, 2]], np.float32))
    np.save("k.npy", np.array([5, 6], np.int32))
    given = ["--input", "x.npy", "--input", "k.npy", "--output", "y.npz", "--profile"]
    found = result(capsys, "run", "tensors.py", *given, "--number", "3")
    first, second = found["outputs"]
    assert (first["dtype"], first["shape"]) == ("float32", [3, 2])
    assert first["first"] == [pytest.approx(np.e, rel=1e-6), None, 0.0, None]
    assert second == {"dtype": "int32", "shape": [2], "first": [5, 6]}
    assert np.load(found["output"])["output1"].tolist() == second["first"]
    assert found["call_count"] == 3 and 0 < found["least_seconds"] < 10
    profile = found["profile"]
    assert profile["call_count"] == 3 and len(profile["kernels"]) >= 1
    for kernel in profile["kernels"]:
        assert kernel["call_count"] == 3 and kernel["moved_bytes"] > 0
        assert 0 < kernel["min_seconds"] <= kernel["median_seconds"] <= kernel["total_seconds"]
        assert kernel["bounded_by"] in ("arithmetic", "memory") and kernel["peak_share"] > 0
    assert profile["peak"].keys() == {"flops_per_second", "bytes_per_second", "thread_count"}
    assert sum(one["total_seconds"] for one in profile["kernels"]) <= profile["total_seconds"]


def test_passes_have_times_and_counts(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    simple = transform.Simplify()(script.parse(LOOPS))
    found = result(capsys, "opt", "loops.py", "--passes", "Simplify", "--stats")
    assert found["output"] is None
    assert ir.structural_equal(script.parse(found["module"]), simple)
    timed = [one for one in found["passes"] if one["name"] == "Simplify"]
    assert len(timed) == 1 and timed[0]["time_seconds"] > 0
    assert found["counts"]["Simplify"]["functions changed"] == 1
    found = result(capsys, "opt", "loops.py", "--passes", "Simplify", "-o", "out.py")
    assert (found["output"], found["module"]) == ("out.py", None) and "counts" not in found
    assert ir.structural_equal(script.parse((folder / "out.py").read_text()), simple)


def test_a_fault_is_found_and_made_small(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check = ["--command", "sh -c '! grep -q 2.0 {file}'"]
    found = result(capsys, "reduce", "loops.py", *check)
    assert found["output"] is None and found["run_count"] > 3
    (func,) = script.parse(found["module"]).functions.values()
    assert "2.0" in str(func) and len(str(func)) < len(LOOPS) / 2
    check = ["--command", "sh -c 'grep -q 20 {file}'"]
    given = ["--passes", "RemoveNoOp, Simplify", "-o", "before.py"]
    assert result(capsys, "bisect", "loops.py", *given, *check) == {
        "pass": "Simplify",
        "number": 2,
        "pass_count": 2,
        "function": "main",
        "output": "before.py",
    }


def test_explanations_are_values(capsys: pytest.CaptureFixture[str]) -> None:
    facts = ["--assume", "x >= 0", "--assume", "x < n"]
    found = result(capsys, "explain", "simplify", "x // n", *facts)
    assert (found["expression"], found["result"]) == ("x // n", "0")
    (step,) = found["steps"]
    assert step["rule"] == "fdiv(x, y) -> 0 if x >= 0 and x < y"
    assert {*step["facts"]} == {"x >= 0", "x < n"} and step["result"] == "0"
    found = result(capsys, "explain", "pass", "UnrollLoop")
    assert found["name"] == "UnrollLoop" and found["doc"]
    doc = "The maximum number of stores and calls after unrolling."
    option = {"name": "UnrollLoop.auto_max_step", "type": "int", "default": 0, "doc": doc}
    assert option in found["options"]
    (refusal,) = result(capsys, "explain", "refusal", "StringSplit")["refusals"]
    assert (refusal["importer"], refusal["is_partial"]) == ("ONNX", False)
    assert refusal["help"].startswith("decode them before the model")
    found = result(capsys, "explain", "diagnostic", "TS012")
    assert (found["code"], found["title"]) == ("TS012", "unknown type")


def test_the_cache_is_measured(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("UIR_CACHE_DIR", str(folder / "cache"))
    result(capsys, "compile", "loops.py", "-o", "l.tar")
    size = cache_size()
    assert size > 0
    for action, name in (
        ("path", "size_bytes"),
        ("size", "size_bytes"),
        ("clear", "removed_bytes"),
    ):
        expected = {"folder": str(folder / "cache"), name: size}
        assert result(capsys, "cache", action) == expected
    assert cache_size() == 0


def test_an_error_leaves_the_output_empty(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["opt", "loops.py", "--passes", "Simplfy", "--json"]) == 1
    printed = capsys.readouterr()
    assert printed.out == "" and "did you mean `Simplify`?" in printed.err
