"""Every operator of relay, compiled, against PyTorch in eager mode or NumPy, on one thread.

Prints `op.<operator>.<dtype>.<size>` for a thousand, a hundred thousand and 4 million elements or
their like, in microseconds, and the same with `.symbolic` for a function of any size; the peer is
the faster of the two libraries, `op.<operator>` alone the geometric mean of its rows, and `op` that
of all. The slowest rows against their peers end the output as a table. All sides return new arrays.
Arguments choose operators. `make bench-torch` installs PyTorch; without it the peer is NumPy, and
what NumPy has no call for is left out and counted. Recurrent layers and trees are in `models.py`.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from operator_cases import arrays, elements, networks
from operator_cases.case import Case, Operand
from report import interleaved, report

import uir

BUILD = Path(__file__).resolve().parents[2] / "build"
CASES = (*elements.CASES, *arrays.CASES, *networks.CASES)
SIZES = ("1k", "100k", "4m")
ROUNDS = 5
LEAST_NS = 4e6
"""How long a timing takes at least."""
GOAL = 0.8
try:
    import torch
except ModuleNotFoundError:
    torch = None


class Row(NamedTuple):
    """A row: its name, and how many times as fast as the peer we are."""

    name: str
    ratio: float


def array(operand: Operand, dtype: str, shape: tuple[int, ...], extents: Mapping[str, int]) -> Any:
    """Return the elements of an operand."""
    numbers = np.random.default_rng(0)
    kind = np.dtype(operand.dtype or dtype)
    if kind.kind == "b":
        return numbers.random(shape) < 0.5
    high = extents[operand.high] if isinstance(operand.high, str) else operand.high
    if kind.kind in "iu":
        return numbers.integers(int(operand.low), int(high), shape, kind)
    return np.asarray(numbers.uniform(operand.low, high, shape), kind)


def peers(case: Case, arrays: Mapping[str, Any], extents: Mapping[str, int]) -> list[Any]:
    """Return the calls of the libraries."""
    found = []
    sides = [(case.numpy, {"np": np}, dict(arrays))]
    if torch is not None:
        tensors = {name: torch.from_numpy(one) for name, one in arrays.items()}
        sides.append((case.torch, {"torch": torch, "F": torch.nn.functional}, tensors))
    for text, names, operands in sides:
        if text:
            params = ", ".join(operands)
            call = eval(f"lambda {params}: {text.format_map(extents)}", names)
            found.append(lambda call=call, operands=operands: call(*operands.values()))
    return found


def check(name: str, found: Any, expected: Any, dtype: str) -> None:
    """Compare the first result of both sides."""
    ours, theirs = (one[0] if isinstance(one, Sequence) else one for one in (found, expected))
    ours, theirs = np.from_dlpack(ours), np.asarray(theirs)
    # PyTorch rounds float64 to float16 by way of float32.
    narrowest = "float16" if theirs.dtype == np.float16 else dtype
    bound = {"float16": 2e-2, "float32": 1e-3}.get(narrowest, 1e-6)
    np.testing.assert_allclose(
        ours.astype("float64"), theirs.astype("float64"), rtol=bound, atol=bound, err_msg=name
    )


def calls_of(function: Callable[[], object]) -> int:
    """Return how many calls take long enough."""
    function()
    once = interleaved(function, lambda: None, rounds=1, calls=3)[0]
    return max(1, int(LEAST_NS / max(once, 1)))


def rows(case: Case) -> list[Row]:
    """Print the rows of a case."""
    functions, cases = [], []
    for dtype in case.dtypes():
        kept = case.fixed.split()
        free = {name: extents[0] for name, extents in case.sizes.items() if name in kept}
        for size in range(3):
            extents = case.extents(size)
            free |= {name: extents[name] for name in kept}
            for form, known in (("", extents), (".symbolic", free)):
                name = f"f{len(functions)}"
                functions.append(case.script(name, dtype, known))
                cases.append((name, dtype, size, form, extents))
    program = "@uir.script.ir_module\nclass Module:\n" + "".join(functions)
    library = uir.build(uir.script.parse(program))
    return [row for function, *rest in cases if (row := measured(case, library[function], *rest))]


def measured(
    case: Case, function: Any, dtype: str, size: int, form: str, extents: Mapping[str, int]
) -> Row | None:
    """Print a row, if there is a peer."""
    name = ".".join(part for part in ("op", case.name, dtype, SIZES[size]) if part) + form
    operands = {
        key: array(one, dtype, case.shape(one, extents), extents)
        for key, one in case.operands.items()
    }
    arguments = list(operands.values())
    best = None
    for peer in peers(case, operands, extents):
        check(name, function(*arguments), peer(), dtype)
        times = interleaved(lambda: function(*arguments), peer, rounds=ROUNDS, calls=calls_of(peer))
        best = times if best is None or times[1] < best[1] else best
    if best is None:
        return None
    report(name, *(time / 1e3 for time in best), "us")
    return Row(name, best[1] / best[0])


def measure(names: list[str]) -> None:
    """Print all rows, then their means and the slowest ones."""
    if torch is not None:
        torch.set_num_threads(1)
        torch.set_grad_enabled(False)
    found: dict[str, list[Row]] = {}
    for case in CASES:
        if not names or case.operator in names:
            found.setdefault(case.operator, []).extend(rows(case))
    for name, of in found.items():
        if of:
            report(f"op.{name}", 1.0, statistics.geometric_mean(row.ratio for row in of), "times")
    every = sorted((row for of in found.values() for row in of), key=lambda row: row.ratio)
    report("op", 1.0, statistics.geometric_mean(row.ratio for row in every), "times")
    slow = [row for row in every if row.ratio < GOAL]
    print(f"{len(slow)} of {len(every)} rows are below {GOAL} of the peer's speed", file=sys.stderr)
    for row in slow:
        print(f"{row.ratio:8.2f}  {row.name}", file=sys.stderr)
    left = [name for name, of in found.items() if not of]
    print(f"without a peer here: {', '.join(left) or 'none'}", file=sys.stderr)


def main() -> None:
    """Run in a process whose libraries use one thread, with PyTorch where it is installed."""
    threads = ("UIR_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    folders = [*map(str, sorted(BUILD.glob("torch-*"))), os.environ.get("PYTHONPATH", "")]
    path = os.pathsep.join(folder for folder in folders if folder)
    environment = {**os.environ, **dict.fromkeys(threads, "1"), "PYTHONPATH": path}
    command = [sys.executable, __file__, "measure", *sys.argv[1:]]
    subprocess.run(command, check=True, env=environment)


if __name__ == "__main__":
    if sys.argv[1:2] == ["measure"]:
        measure(sys.argv[2:])
    else:
        main()
