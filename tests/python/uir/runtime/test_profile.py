"""Profiles say which kernels of a module take the time of a call."""

from __future__ import annotations

import math
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import uir
from uir import te, transform
from uir.driver import compile_c
from uir.runtime import KernelProfile, Module, Profile, export_library, load_module, profile
from uir.target import Target

from ...support.c_texts import add_module

NETWORK = """
@uir.script.ir_module
class Module:
    @relay.function
    def main(x: relay.Tensor((n, 8), "float32"), w: relay.Tensor((8, 8), "float32")):
        n = tir.SizeVar("n", "int32")
        y = relay.matmul(x, w)
        return relay.matmul(y, w)

    @relay.function
    def sums(x: relay.Tensor((n, 8), "float32")):
        n = tir.SizeVar("n", "int32")
        return relay.sum(x, axis=[1])
"""

X = np.ones((5, 8), "float32")
W = np.ones((8, 8), "float32")


@pytest.fixture(scope="module")
def module() -> Module:
    return uir.build(uir.script.parse(NETWORK), Target("c", "x86-64"))


def the_kernel(measured: Profile) -> KernelProfile:
    (kernel,) = measured.kernels
    return kernel


def test_rows(module: Module) -> None:
    measured = profile(module, number=7)(X, W)
    kernel = the_kernel(measured)
    assert (measured.name, measured.calls) == ("main", 7)
    assert kernel.name.startswith("matmul")
    assert kernel.source == "<text>:7"
    assert kernel.calls == 14  # Both calls of `matmul` are one function.
    assert kernel.flops == 14 * 2 * 5 * 8 * 8
    assert kernel.bytes_moved == 14 * 4 * (5 * 8 + 8 * 8 + 5 * 8)
    assert 0 < kernel.min <= kernel.median <= kernel.total < measured.total
    assert math.isclose(kernel.gflops_per_second(), kernel.flops / kernel.total / 1e9)
    assert math.isclose(kernel.gbytes_per_second(), kernel.bytes_moved / kernel.total / 1e9)


def test_table_and_picture(module: Module) -> None:
    measured = profile(module)(X, W)
    title, head, row, outside = str(measured).splitlines()
    assert title.startswith("`main`: 10 calls, ")
    assert head.split()[:4] == ["kernel", "calls", "total", "share"]
    assert row.startswith("matmul") and row.endswith("<text>:7")
    assert outside.startswith("(outside kernels)")
    assert head.index("source") == row.index("<text>:7")
    svg = ElementTree.fromstring(measured.to_svg())
    assert len(svg.findall(".//{http://www.w3.org/2000/svg}rect")) == 1
    assert "<title>&lt;text&gt;:7</title>" in measured.to_svg()


def test_unknown_rates_are_strokes() -> None:
    kernel = KernelProfile("gather", "", 1, 0.5, 0.5, 0.5, -1, -1)
    assert math.isnan(kernel.gflops_per_second()) and math.isnan(kernel.gbytes_per_second())
    row = str(Profile("main", 1, 1.0, [kernel])).splitlines()[2]
    assert " ".join(row.split()) == "gather 1 500.00 ms 50.0 % 500.00 ms 500.00 ms - -"


def test_nothing_is_kept_between_profiles(module: Module) -> None:
    run = profile(module, "sums", number=3)
    assert [the_kernel(run(X)).calls for _ in range(2)] == [3, 3]
    module.main(X, W)
    assert the_kernel(run(X)).calls == 3


def test_threads_have_their_own_profiles(module: Module) -> None:
    def run(number: int) -> int:
        return the_kernel(profile(module, "sums", number=number)(X)).calls

    numbers = [50, 70, 90, 110]
    with ThreadPoolExecutor(len(numbers)) as threads:
        assert list(threads.map(run, numbers)) == numbers


def test_a_call_that_fails_ends_the_profile(module: Module) -> None:
    with pytest.raises(ValueError, match="dimension 1 of `x` must be 8, got 4"):
        profile(module)(X[:, :4].copy(), W)
    assert the_kernel(profile(module)(X, W)).calls == 20


def test_libraries_and_imports(module: Module, tmp_path: Path) -> None:
    export_library(module, tmp_path / "lib.so")
    loaded = load_module(tmp_path / "lib.so")
    assert the_kernel(profile(loaded)(X, W)).calls == 20
    importing = compile_c(add_module(900))
    importing.import_module(module)
    assert the_kernel(profile(importing)(X, W)).calls == 20


def test_a_library_without_uir_only_runs(module: Module, tmp_path: Path) -> None:
    export_library(module, tmp_path / "lib.so")
    code = (
        "import numpy, sys, tvm_ffi\n"
        "module = tvm_ffi.load_module(sys.argv[1])\n"
        "x = numpy.ones((5, 8), 'float32')\n"
        "print(numpy.from_dlpack(module.sums(x))[0])"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "lib.so")]
    assert subprocess.check_output(command, text=True) == "8.0\n"


def test_errors(module: Module) -> None:
    with pytest.raises(ValueError, match="does not have a function `other`"):
        profile(module, "other")
    with pytest.raises(ValueError, match="`number` must be positive, got 0"):
        profile(module, number=0)
    with pytest.raises(ValueError, match="the module has no kernels: it is of kind `c`"):
        profile(compile_c(add_module(901)), "add")


def test_a_function_of_te_is_a_kernel() -> None:
    n = te.size_var("n")
    x = te.placeholder((n,), "float32", name="x")
    y = te.compute((n,), lambda i: x[i] * 2.0 + 1.0, name="y")
    kernel = the_kernel(
        profile(uir.build([x, y]), number=1)(np.ones(6, "float32"), np.ones(6, "float32"))
    )
    assert (kernel.name, kernel.flops, kernel.bytes_moved) == ("main", 12, 48)


def count(body: str) -> tuple[str, str]:
    """The operations and the bytes of a function."""
    text = f"""
@tir.prim_func
def main(A: tir.Buffer((n, 16), "float32"), B: tir.Buffer((16,), "float32"),
         I: tir.Buffer((4,), "int32")):
    n = tir.SizeVar("n", "int32")
{body}"""
    module = uir.ir.IRModule.from_func(uir.script.parse_function(text))
    ((_, func),) = transform.CountWork()(module).functions.items()
    return str(func.get_attr("flops")), str(func.get_attr("bytes"))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        # What is read in part counts as far as it is read; integers are no operations.
        ("    for i in range(4):\n        B[i] = B[I[i]]", ("tir.int64(0)", "tir.int64(48)")),
        # Each element of `B` is read and written.
        (
            "    for i in range(n):\n        for j in range(16):\n"
            "            B[j] = B[j] + tir.exp(A[i, j])",
            ("tir.int64(n) * 32", "tir.int64(n) * 64 + 128"),
        ),
        # Loops whose extent depends on data.
        (
            "    for i in range(I[0]):\n        B[i] = B[i] * 2.0",
            ("tir.int64(-1)", "tir.int64(-1)"),
        ),
        (
            "    i = tir.alloc_buffer((1,), 'int32')\n    while i[0] < 4:\n        B[0] = 1.0",
            ("tir.int64(-1)", "tir.int64(-1)"),
        ),
    ],
)
def test_what_counts(body: str, expected: tuple[str, str]) -> None:
    assert count(body) == expected
