"""uir with releases of tvm-ffi: its core tests, and compiled libraries that change releases.

In: releases, and the libuir of their groups in the checkout. Out: a line for each trial, and
whether it passed. The Rust crates are of one release, so that tests of Rust run with its group
alone.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from scripts.ffi_releases import FOLDER, ROOT, environment_of
from tschema.ffi_groups import ffi_group

__all__ = ["core_tests_pass", "exports_run"]

RUST_GROUP = "ffi-0.1.15"
RUST = ("relay/test_operator_languages.py", "transform/test_three_languages.py")
CORE = (
    "ir",
    "tir",
    "te",
    "testing",
    "arith/test_analyzer.py",
    "arith/test_simplify.py",
    "driver/test_build.py",
    "relay/test_infer_type.py",
    "relay/test_nodes.py",
    "runtime/test_arrays.py",
    "runtime/test_module.py",
    "script/test_forms.py",
    "script/test_round_trip.py",
    "transform/test_sequential.py",
)
EXPORT = """
import sys
import uir
from uir import runtime, te
a = te.placeholder((8,), "float32", name="A")
b = te.compute((8,), lambda i: a[i] + 1.0, name="B")
runtime.export_library(uir.build([a, b]), sys.argv[1])
"""
RUN = """
import sys
import numpy
import tvm_ffi
module = tvm_ffi.load_module(sys.argv[1])
a, b = numpy.arange(8, dtype="float32"), numpy.zeros(8, "float32")
module.main(tvm_ffi.from_dlpack(a), tvm_ffi.from_dlpack(b))
assert (b == a + 1).all(), b
"""


def core_tests_pass(release: str) -> bool:
    """Run the core tests of uir with a release, and print their outcome and time.

    Parameters
    ----------
    release
        A release that is installed, for whose group libuir is built.

    Returns
    -------
    passes
        Whether all pass.
    """
    has_rust = ffi_group(release) == RUST_GROUP
    files = [ROOT / "tests/python/uir" / name for name in (*CORE, *(RUST if has_rust else ()))]
    options = ("--quiet", "-p", "no:cacheprovider", "-m", "not deep and not alone")
    began = time.monotonic()
    done = _run(release, sys.executable, "-m", "pytest", *options, *files)
    seconds = time.monotonic() - began
    rust = "" if has_rust else "; tests of Rust, which needs 0.1.15, are left out"
    print(f"{release}: uir: {done.stdout.strip().splitlines()[-1]}{rust}, {seconds:.0f} s")
    if done.returncode != 0:
        print(done.stdout + done.stderr)
    return done.returncode == 0


def exports_run(releases: Sequence[str]) -> bool:
    """Compile a library with each release, and call it with every release.

    Compiled libraries use the C interface of tvm-ffi, which is the same in all groups.

    Parameters
    ----------
    releases
        Releases that are installed, for whose groups libuir is built.

    Returns
    -------
    run
        Whether all results are right.
    """
    failures = []
    for made in releases:
        library = FOLDER / f"exported-{made}.so"
        for release, program in ((made, EXPORT), *((one, RUN) for one in releases)):
            done = _run(release, sys.executable, "-c", program, library)
            if done.returncode != 0:
                failures.append(f"compiled with {made}, with {release}: {done.stderr}")
    print(f"{', '.join(releases)}: compiled libraries run with each other: {not failures}")
    print("".join(failures), end="")
    return not failures


def _run(release: str, *command: str | Path) -> subprocess.CompletedProcess[str]:
    environment = environment_of(release)
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
