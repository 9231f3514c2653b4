"""Compiled kernels on one thread, against NumPy and against C that is written by hand.

Prints `matmul.<n>`, the product of two `n x n` matrices of float32, `matmul.odd`, the worst of nine
products of other shapes, `mlp.b<n>`, a small perceptron of a batch, `add.1m`, the sum of two
tensors of 2^20 elements, `chain4.1m`, `exp.1m`, `gelu` and powers of as many, and `softmax` and
`layer_norm` of the rows of a matrix, against NumPy, in milliseconds: as it chooses its kernels
itself, and as `<name>.haswell` with its kernels for AVX2, which `OPENBLAS_CORETYPE` chooses in some
environments. `matmul.avx2.haswell` is our `matmul.512` for `x86-64-v3` against these.
`emitted.vs.handwritten` is `matmul.512` against `kernels_peer/matmul.c`, whose products and sums
the compiler fuses.
`<name>.tvm` is against TVM 0.27, whose `tvm.compile` compiles the same operator for the processor
at hand. `<name>.2threads` has two threads on both sides, and is timed by the clock, the least of
the rounds. `compile.<name>` is the time of `uir.build` against that of the C compiler on its text,
and `compile.<name>.cached` with the object in the cache against without.

Each choice of kernels has a process of its own, in which the sides are timed in turns. Before a row
is timed, both sides compute the same, and `ldd` finds no BLAS in our library. Lines with `#` go to
the standard error: the shape and digest of each input. `kernels_cases` has a module for each family
of rows.
"""

from __future__ import annotations

import os
import subprocess
import sys


def measure(suffix: str, threads: int) -> None:
    """Print the rows for the kernels that NumPy uses in this process."""
    from kernels_cases import against_tvm, compile, elementwise, matmul, mlp, rows
    from kernels_cases.case import Case

    case = Case(suffix, threads)
    if threads > 1:
        return matmul.measure(case)
    for family in (matmul, mlp, elementwise, rows):
        family.measure(case)
    if not suffix:
        compile.measure()
        against_tvm.measure()


def main() -> None:
    """Print the figures, each choice of kernels in a process of its own."""
    processes = (("", None, 1), (".haswell", "Haswell", 1), (".2threads", None, 2))
    for suffix, core_type, threads in processes:
        names = ("OPENBLAS_NUM_THREADS", "UIR_NUM_THREADS", "TVM_NUM_THREADS")
        environment = {**os.environ, **dict.fromkeys(names, str(threads))}
        environment.pop("OPENBLAS_CORETYPE", None)
        if core_type is not None:
            environment["OPENBLAS_CORETYPE"] = core_type
        command = [sys.executable, __file__, "measure", suffix, str(threads)]
        subprocess.run(command, check=True, env=environment)


if __name__ == "__main__":
    if sys.argv[1:2] == ["measure"]:
        measure(sys.argv[2], int(sys.argv[3]))
    else:
        main()
