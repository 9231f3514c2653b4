"""Products and convolutions to tune, and a measurer with times by a formula."""

from __future__ import annotations

from collections.abc import Callable
from math import log2
from typing import Any

import numpy as np

from uir import ir, relay, te
from uir.tuning import (
    Chain,
    Context,
    Kernel,
    Measured,
    Measurer,
    Trace,
    chains_of,
    kernels_of,
)
from uir.tuning.trace_line import parse_line

CONTEXT = Context("x86-64-v3", "a processor", 2, "cc: a version", 1)


def product(rows: int = 48, terms: int = 64, columns: int = 64) -> ir.IRModule:
    """Return a module with `main(a, b, c)`, which stores the product of `a` and `b` to `c`."""
    a = te.placeholder((rows, terms), "float32", "a")
    b = te.placeholder((terms, columns), "float32", "b")
    k = te.reduce_axis((0, terms), "k")
    c = te.compute((rows, columns), lambda i, j: te.sum(a[i, k] * b[k, j], axis=[k]), "c")
    return ir.IRModule({ir.GlobalVar("main"): te.create_prim_func([a, b, c], "main")})


def kernel_of(module: ir.IRModule) -> Kernel:
    """Return the only kernel of a module."""
    ((kernel,),) = kernels_of(module).values()
    return kernel


def numbers_of(trace: Trace) -> dict[str, int]:
    """Return the parameters of the first choice of a trace."""
    return dict(parse_line(trace[0]).choices[0].numbers)


def time_by_formula(trace: Trace) -> float:
    """Return a time with one best choice: 4 rows, 2 vectors, sums of 256."""
    numbers = numbers_of(trace)
    wanted = {"rows": 4, "vectors": 2, "sum_block": 256}
    return 1.0 + sum(abs(log2(numbers[name] / value)) for name, value in wanted.items())


class FormulaMeasurer(Measurer):
    """Has times without measuring any.

    Parameters
    ----------
    time
        The time of a candidate, or why it fails: one of the outcomes of rows.
    """

    def __init__(self, time: Callable[[Trace], float | str] = time_by_formula) -> None:
        self.time = time
        self.calls: list[tuple[Trace, bool]] = []

    def measure(self, kernel: Kernel, trace: Trace, against: Trace, *, confirms: bool) -> Measured:
        self.calls.append((trace, confirms))
        times = [self.time(one) for one in (trace, against)]
        if isinstance(times[0], str):
            return Measured(times[0], "by formula")
        mine, other = (float(one) for one in times)
        decision = "faster" if mine < 0.99 * other else "slower" if mine > other else "equal"
        return Measured("ok", decision, mine / other, (mine,) * 8, (other,) * 8)


def convolutions(size: int = 12, seed: int = 0, *, is_grouped: bool = False) -> ir.IRModule:
    """Return a module with a function `main(x)`, whose convolutions have integers as weights.

    Parameters
    ----------
    size
        The height and width of images.
    seed
        The seed of the weights.
    is_grouped
        Whether a convolution in groups reads a short one, so that blocks need a copy; else three
        convolutions follow each other.
    """
    numbers = np.random.default_rng(seed)

    def conv(x: Any, inputs: int, outputs: int, window: int, groups: int = 1) -> Any:
        weights: Any = numbers.integers(-2, 3, (outputs, inputs, window, window)).astype("float32")
        return relay.conv(x, relay.Constant(weights), pads=[window // 2] * 4, groups=groups)

    x = relay.Var("x", relay.Tensor((1, 8, size, size), "float32"))
    if is_grouped:
        body = conv(relay.relu(conv(x, 8, 32, 3)), 8, 32, 3, groups=4)
    else:
        body = conv(relay.relu(conv(relay.relu(conv(x, 8, 32, 3)), 32, 32, 3)), 32, 16, 1)
    func = relay.Function([x], relay.Block([], body))
    return ir.IRModule({ir.GlobalVar("main"): ir.with_attr(func, "global_symbol", "main")})


def chain_of(module: ir.IRModule) -> Chain:
    """Return the only chain of a module."""
    ((chain,),) = chains_of(module, kernels_of(module)).values()
    return chain
