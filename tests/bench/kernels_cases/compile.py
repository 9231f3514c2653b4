"""How long `uir.build` takes: `compile.<program>`, and `compile.<program>.cached`.

The programs are the perceptron of `mlp.b64`, whose weights are constants, and the product of two
512 x 512 matrices. The peer of the first row is the C compiler itself: `uir.driver.compile_c` of
the text that `build` emits, with its flags and constants, so that the rest of ours is passes and
emission. Both sides have an empty cache at each call. The peer of the second row, in which our
cache holds the object, is our side of the first: the ratio is what the cache saves. The compiler
is another process, so that the clock tells the time, the least of some rounds.
"""

from __future__ import annotations

import itertools
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from report import interleaved, report

import uir
from uir import driver, ir, relay
from uir.target import constant_bytes

from . import mlp

ROUNDS = 5
SIDE = 512
FLAGS = ["-march=native"]


def measure() -> None:
    """Print the rows of this family."""
    numbers = np.random.default_rng(0)
    x, y = (relay.Var(name, relay.Tensor((SIDE, SIDE), "float32")) for name in "xy")
    product = relay.Function([x, y], relay.Block([], relay.matmul(x, y)))
    programs = {
        "mlp": mlp.perceptron(64, mlp.random_weights(numbers)),
        f"matmul.{SIDE}": ir.with_attr(product, "global_symbol", "main"),
    }
    for name, program in programs.items():
        module = ir.IRModule({ir.GlobalVar("main"): program})
        with cache_folders() as new_cache:
            _measure(name, module, new_cache)


@contextmanager
def cache_folders() -> Iterator[Callable[[], None]]:
    """Give a function that has what is compiled next kept in an empty folder."""
    before = os.environ.get("UIR_CACHE_DIR")
    with tempfile.TemporaryDirectory() as folder:
        numbers = itertools.count()

        def new_cache() -> None:
            os.environ["UIR_CACHE_DIR"] = str(Path(folder) / str(next(numbers)))

        try:
            yield new_cache
        finally:
            os.environ.pop("UIR_CACHE_DIR")
            if before is not None:
                os.environ["UIR_CACHE_DIR"] = before


def _measure(name: str, module: ir.IRModule, new_cache: Callable[[], None]) -> None:
    text = uir.build(module).inspect_source()
    constants = constant_bytes(uir.lower(module))

    def build() -> None:
        new_cache()
        uir.build(module)

    def compile_text() -> None:
        new_cache()
        driver.compile_c(text, FLAGS, constants)

    _row(f"compile.{name}", build, compile_text)
    new_cache()
    kept = os.environ["UIR_CACHE_DIR"]
    uir.build(module)

    def cached() -> None:
        os.environ["UIR_CACHE_DIR"] = kept
        uir.build(module)

    _row(f"compile.{name}.cached", cached, build)


def _row(name: str, ours: Callable[[], None], peer: Callable[[], None]) -> None:
    # The clock, as for several threads: the processor's time is that of another process.
    found = interleaved(ours, peer, rounds=ROUNDS, calls=1, threads=2)
    report(name, *(nanoseconds / 1e6 for nanoseconds in found), "ms")
