"""Long texts compile in parts, which are linked, and are one program."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import numpy as np
import pytest

import uir
from uir import ir

SHARED = 'relay.Tensor((8,), "float32")'
KERNELS = 12
LINES = 140
LINE = "            B[i] = B[i] + tir.sin(A[(i + {n}) % 8]) * {factor}\n"


def program(kernels: int, seed: int = 0) -> ir.IRModule:
    """Return a module of one function, which calls long kernels one after the other."""
    calls = [
        f"        x{k + 1} = relay.call_destination_passing(Module.kernel{k}, [x{k}], {SHARED})"
        for k in range(kernels)
    ]
    functions = [
        f"""
    @tir.prim_func(private=True)
    def kernel{k}(A: tir.Buffer((8,), "float32"), B: tir.Buffer((8,), "float32")):
        for i in range(8):
            B[i] = A[i] * 0.5
{"".join(LINE.format(n=n, factor=f"0.0{k + 10}{n}{seed}") for n in range(LINES))}
"""
        for k in range(kernels)
    ]
    return uir.script.parse(f"""
@uir.script.ir_module
class Module:
    @relay.function
    def main(x0: {SHARED}):
{chr(10).join(calls)}
        return x{kernels}
{"".join(functions)}
""")


def expected(x: np.ndarray, kernels: int, seed: int = 0) -> np.ndarray:
    """Compute what the module computes, in the same order and precision."""
    for k in range(kernels):
        y = x * np.float32(0.5)
        for n in range(LINES):
            y = y + np.sin(np.roll(x, -n)) * np.float32(f"0.0{k + 10}{n}{seed}")
        x = y
    return x


@pytest.fixture(scope="module")
def module() -> uir.runtime.Module:
    return uir.build(program(2 * KERNELS))


X = np.linspace(-1, 1, 8).astype("float32") * np.float32(1e-3)


def test_a_long_text_has_units_and_computes_what_it_says(module: uir.runtime.Module) -> None:
    text = module.inspect_source("c")
    units = {int(number) for number in re.findall(r"^#if IN_UNIT\((\d+)\)$", text, re.MULTILINE)}
    assert units == set(range(max(units) + 1)) and len(units) > 2
    few = uir.build(program(1))
    assert "IN_UNIT" not in few.inspect_source("c") and "SHARED" not in few.inspect_source("c")
    np.testing.assert_allclose(np.from_dlpack(few.main(X)), expected(X, 1), rtol=1e-5)


def test_parts_are_the_whole(module: uir.runtime.Module, tmp_path: Path) -> None:
    """The text compiles as one by hand, to a library that computes the same bits."""
    uir.runtime.export_library(module, tmp_path / "module.c")
    library = tmp_path / "whole.so"
    command = "-O2 -ffp-contract=off -fwrapv -fno-strict-aliasing -fno-math-errno -march=native"
    subprocess.run(
        ["cc", *command.split(), "-fPIC", "-shared", tmp_path / "module.c", "-o", library, "-lm"],
        check=True,
    )
    whole = uir.runtime.load_module(library)
    np.testing.assert_array_equal(*(np.from_dlpack(one.main(X)) for one in (module, whole)))


def test_shared_functions_are_hidden(module: uir.runtime.Module, tmp_path: Path) -> None:
    for ending in ("so", "o"):
        uir.runtime.export_library(module, tmp_path / f"module.{ending}")
    dynamic = ["nm", "--dynamic", "--defined-only", tmp_path / "module.so"]
    names = subprocess.run(dynamic, check=True, capture_output=True, text=True).stdout
    assert set(re.findall(r" T (\w+)", names)) == {
        "__tvm_ffi_main",
        "__tvm_ffi_main_into",
        "__tvm_ffi__metadata_main",
    }
    assert "kernel" not in names


def test_modules_with_kernels_of_one_name_are_linked(
    module: uir.runtime.Module, tmp_path: Path
) -> None:
    other = program(2 * KERNELS, seed=1)
    renamed = ir.with_attr(other.lookup("main"), "global_symbol", "other")
    functions = {
        var: renamed if var.name_hint == "main" else func for var, func in other.functions.items()
    }
    first = uir.build(program(2 * KERNELS))
    first.import_module(uir.build(ir.IRModule(functions)))
    path = tmp_path / "both.so"
    uir.runtime.export_library(first, path)
    both = uir.runtime.load_module(path)
    np.testing.assert_array_equal(*(np.from_dlpack(one.main(X)) for one in (module, both)))
    assert not np.array_equal(np.from_dlpack(both.other(X)), np.from_dlpack(both.main(X)))


def test_the_unit_that_fails_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A compiler that fails on one unit: its command and output are in the error."""
    compiler = tmp_path / "cc"
    compiler.write_text(
        '#!/bin/sh\ncase "$*" in *-DUNIT=2*) echo "unit 2 is odd" >&2; exit 3;; esac\n'
        'exec cc "$@"\n'
    )
    compiler.chmod(0o755)
    monkeypatch.setenv("UIR_CC", str(compiler))
    monkeypatch.setenv("UIR_CACHE_DIR", str(tmp_path / "cache"))
    with pytest.raises(RuntimeError, match=r"failed with status 3(?s:.*)-DUNIT=2(?s:.*)unit 2 is"):
        uir.build(program(2 * KERNELS))


@pytest.mark.parametrize("owner", ["Free Software Foundation, Inc.", "the authors of another one"])
def test_units_are_compiled_by_fewer_passes_of_gcc(
    owner: str, module: uir.runtime.Module, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Arguments that only GCC knows are for GCC alone, and for units alone."""
    compiler, log = tmp_path / "cc", tmp_path / "log"
    compiler.write_text(
        f'#!/bin/sh\ncase "$*" in *--version) echo "cc 1.0, by {owner}"; exit;; esac\n'
        f'echo "$*" >> {log}; exec cc "$@"\n'
    )
    compiler.chmod(0o755)
    monkeypatch.setenv("UIR_CC", str(compiler))
    monkeypatch.setenv("UIR_CACHE_DIR", str(tmp_path / "cache"))
    long, short = uir.build(program(2 * KERNELS)), uir.build(program(1))
    found, usual = (np.from_dlpack(one.main(X)) for one in (long, module))
    np.testing.assert_allclose(found, usual, rtol=1e-5)
    np.testing.assert_allclose(np.from_dlpack(short.main(X)), expected(X, 1), rtol=1e-5)
    is_gcc = owner.startswith("Free")
    for command in log.read_text().splitlines():
        assert ("-fno-tree-pre" in command) == (is_gcc and "-DUNIT=" in command)
        assert ("-fno-inline-functions-called-once" in command) == is_gcc


def test_profiles_see_the_kernels_of_all_units(module: uir.runtime.Module) -> None:
    report = uir.runtime.profile(module)(X)
    text = str(report)
    assert all(f"kernel{k}" in text for k in range(2 * KERNELS))


def test_heads_may_go_over_several_lines() -> None:
    """Names of kernels come from models, and may be longer than a line."""
    text = uir.script.print(program(2)).replace("kernel", "k" * 120)
    found = uir.build(uir.script.parse(text))
    np.testing.assert_allclose(np.from_dlpack(found.main(X)), expected(X, 2), rtol=1e-4)
