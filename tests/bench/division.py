"""Compiled integer divisions on one thread: against NumPy, and against the same C without checks.

Prints `<operator>.<dtype>` against NumPy, and `<operator>.<dtype>.unchecked`, of which the first
time is that of the text that `uir` emits, and the second one that of the text without the lines
that look for divisors of 0. `.scalar` divides by one number.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from typing import Any

SIZE = 1 << 16
ROUNDS = 15
DTYPES = ("int8", "int16", "int32", "int64", "uint8", "uint32", "uint64")
OPERATORS = ("floor_divide", "divide", "mod")
CHECK = re.compile(
    r"^ *if \([^\n]*\)(?: return| \{\n *return) raise_error\([^;]*;\n(?: *\}\n)?", re.MULTILINE
)


def program() -> str:
    """Return a module with a function for each case."""
    functions = "".join(
        f"""
    @relay.function
    def {name}_{dtype}{kind}(
        x: relay.Tensor(({SIZE},), "{dtype}"), y: relay.Tensor({shape}, "{dtype}")
    ):
        return relay.{name}(x, y)
"""
        for name in OPERATORS
        for dtype in DTYPES
        for kind, shape in (("", f"({SIZE},)"), ("_scalar", "(1,)"))
    )
    return f"@uir.script.ir_module\nclass Module:\n{functions}"


def operands(dtype: str, shape: tuple[int, ...]) -> tuple[Any, Any]:
    """Return numbers of all magnitudes, and divisors that are not 0."""
    import numpy as np

    limits = np.iinfo(dtype)
    random = np.random.default_rng(0)
    x = random.integers(limits.min, limits.max, (SIZE,), dtype, endpoint=True)
    y = random.integers(limits.min, limits.max, shape, dtype, endpoint=True) // np.array(16, dtype)
    return x, np.where(y == 0, np.array(3, dtype), y)


def measure() -> None:
    """Print the rows, in a process of one thread."""
    import numpy as np
    from report import interleaved, report

    import uir

    module = uir.lower(uir.script.parse(program()))
    text = str(uir.target.emit_c(module, uir.target.Target()))
    unchecked, count = CHECK.subn("", text)
    if count < len(OPERATORS) * len(DTYPES):
        raise RuntimeError(f"{count} checks were found in the C text, expected one for each case")
    flags = ["-march=native"]
    library, plain = (uir.driver.compile_c(one, flags) for one in (text, unchecked))
    quotients = {"floor_divide": np.floor_divide, "divide": np.floor_divide, "mod": np.mod}
    for name in OPERATORS:
        for dtype in DTYPES:
            for kind, shape in (("", (SIZE,)), ("_scalar", (1,))):
                x, y = operands(dtype, shape)
                ours, bare = (one[f"{name}_{dtype}{kind}"] for one in (library, plain))
                row = f"{name}.{dtype}{kind.replace('_', '.')}"
                peer = quotients[name]
                times = interleaved(
                    lambda f=ours, x=x, y=y: f(x, y),
                    lambda f=peer, x=x, y=y: f(x, y),
                    rounds=ROUNDS,
                    calls=4,
                )
                report(row, *(time / 1e3 for time in times), "us")
                times = interleaved(
                    lambda f=ours, x=x, y=y: f(x, y),
                    lambda f=bare, x=x, y=y: f(x, y),
                    rounds=ROUNDS,
                    calls=4,
                )
                report(f"{row}.unchecked", *(time / 1e3 for time in times), "us")


def main() -> None:
    """Run in a process of one thread."""
    names = ("UIR_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")
    environment = {**os.environ, **dict.fromkeys(names, "1")}
    subprocess.run([sys.executable, __file__, "measure"], check=True, env=environment)


if __name__ == "__main__":
    if sys.argv[1:2] == ["measure"]:
        measure()
    else:
        main()
