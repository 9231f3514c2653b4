"""How a row of `kernels.py` is made: our function, what computes the same, and the inputs."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import tvm_ffi
from report import interleaved, report

import uir
from uir import ir, relay, te

ROUNDS, CALLS = 21, 4
# Products, or elements, of a call that takes long enough to be timed.
WORK = 1 << 24
# Rows for the recipes' table of parameters.
Tuned = Sequence[dict[str, Any]]
BLAS = ("blas", "blis", "mkl", "lapack")


class Case:
    """Times the kernels of a process, whose NumPy has chosen its kernels.

    Parameters
    ----------
    suffix
        What the names of rows end with, for NumPy's kernels: empty, `.haswell` or `.2threads`.
    threads
        How many threads this process may use.
    """

    def __init__(self, suffix: str, threads: int = 1) -> None:
        self.suffix = suffix
        self.threads = threads
        self._numbers = np.random.default_rng(0)

    def times(
        self,
        name: str,
        ours: Callable[..., Any],
        peer: Callable[..., Any],
        shapes: Sequence[tuple[int, ...]],
        work: int,
    ) -> tuple[float, float]:
        """Return the milliseconds of a call of both sides, which must compute the same.

        Parameters
        ----------
        name
            What is timed, for the comment lines on the inputs.
        ours, peer
            Take the inputs and the output, all of float32.
        shapes
            Those of the inputs, then that of the output.
        work
            Products or elements of one call, of which few take more calls.
        """
        inputs = [self._numbers.standard_normal(shape, np.float32) for shape in shapes[:-1]]
        for index, one in enumerate(inputs):
            digest = f"{zlib.crc32(one.tobytes()):08x}"
            print(
                f"# {name}: input {index} {one.dtype} {one.shape} crc32 {digest}", file=sys.stderr
            )
        found, expected = (np.empty(shapes[-1], np.float32) for _ in range(2))
        args = [tvm_ffi.from_dlpack(one) for one in (*inputs, found)]
        ours(*args)
        peer(*inputs, expected)
        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-3)
        ours_ns, peer_ns = interleaved(
            lambda: ours(*args),
            lambda: peer(*inputs, expected),
            rounds=ROUNDS,
            calls=max(CALLS, int(CALLS * WORK / work)),
            threads=self.threads,
        )
        return ours_ns / 1e6, peer_ns / 1e6

    def report(self, name: str, times: tuple[float, float]) -> None:
        """Print a row in milliseconds."""
        report(f"{name}{self.suffix}", *times, "ms")


def compiled(
    program: ir.BaseFunc, isa: str = "native", entry: str = "main", tuned: Tuned = ()
) -> Callable[..., Any]:
    """Return an entry of a function that is built for an instruction set, free of any BLAS."""
    module = ir.IRModule({ir.GlobalVar("main"): program})
    built = uir.build(module, uir.target.Target("c", isa), tuned=list(tuned))
    _check_own(built)
    return built[entry]


def from_te(*tensors: te.Tensor, isa: str = "native", tuned: Tuned = ()) -> Callable[..., Any]:
    """Return the compiled function of tensors, the results last."""
    return compiled(te.create_prim_func(list(tensors)), isa, tuned=tuned)


def from_relay(
    operator: Callable[..., ir.RelayExpr], *shapes: tuple[int, ...]
) -> Callable[..., Any]:
    """Return the compiled function of an operator, which takes its tensors, then the result."""
    params = [relay.Var(f"x{i}", relay.Tensor(shape, "float32")) for i, shape in enumerate(shapes)]
    program = relay.Function(params, relay.Block([], operator(*params)))
    return compiled(ir.with_attr(program, "global_symbol", "main"), entry="main_into")


def _check_own(built: uir.runtime.Module) -> None:
    """Raise an error if a module imports another, or its library or ours needs a BLAS."""
    if list(built.imports):
        raise RuntimeError(f"expected a module without imports, got {list(built.imports)}")
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "kernel.so"
        uir.runtime.export_library(built, str(library))
        needed = subprocess.run(["ldd", library], check=True, capture_output=True, text=True).stdout
    found = [line.strip() for line in needed.splitlines() if any(one in line for one in BLAS)]
    if found:
        raise RuntimeError(f"expected a library without BLAS, got one that needs {found}")
