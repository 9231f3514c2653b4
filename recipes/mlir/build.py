"""Build a program that calls a function written in MLIR, and compare it with NumPy.

It needs Debian's `mlir-19-tools`, and `pip install uir[compiler]` where `cc` is not clang.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np

import uir
from uir import ir, script

PASSES = [
    "convert-scf-to-cf",
    "convert-cf-to-llvm",
    "convert-arith-to-llvm",
    "convert-func-to-llvm",
]
PROGRAM = """
@uir.script.ir_module
class Module:
    @tir.prim_func
    def main(
        A: tir.Buffer((n,), "float32"),
        B: tir.Buffer((n,), "float32"),
        C: tir.Buffer((n,), "float32"),
    ):
        n = tir.SizeVar("n", "int32")
        tir.call_extern("void", "axpy", A.data, B.data, C.data, tir.int64(n))
"""


def llvm_text(source: Path) -> str:
    """Lower a file of MLIR to LLVM's intermediate language."""
    options = [f"--{name}" for name in PASSES]
    lowered = subprocess.run(["mlir-opt-19", *options, source], check=True, capture_output=True)
    command = ["mlir-translate-19", "--mlir-to-llvmir"]
    return subprocess.run(
        command, input=lowered.stdout, check=True, capture_output=True
    ).stdout.decode()


def main() -> None:
    """Build the program, run it, and write it to `axpy.so`."""
    axpy = ir.extern_func("axpy", llvm_text(Path(__file__).with_name("axpy.mlir")), "llvm")
    module = uir.build(ir.with_function(script.parse(PROGRAM), ir.GlobalVar("axpy"), axpy))
    a, b = np.random.default_rng(0).standard_normal((2, 1000), "float32")
    c = np.empty_like(a)
    module.main(a, b, c)
    np.testing.assert_array_equal(c, 2 * a + b)
    uir.runtime.export_library(module, "axpy.so")
    print("axpy.so computes what NumPy does")


if __name__ == "__main__":
    main()
