"""The object runtime and uir with releases of tvm-ffi: core tests, and libraries that uir compiled.

In: releases, and the libraries of their groups in the checkout. Out: a line for each trial, and
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
OBJECTS = "tschema/runtime/objects"
COMPILED = (
    "test_a_type_of_another_package",
    "test_a_node_of_another_package",
    "test_a_pickle_loads_the_packages",
)
"""Tests of the object runtime that compile a package for the checkout's own release."""
RUST = (
    f"{OBJECTS}/test_languages.py",
    "uir/relay/test_operator_languages.py",
    "uir/transform/test_three_languages.py",
)
CORE = (
    OBJECTS,
    "uir/ir",
    "uir/tir",
    "uir/te",
    "uir/testing",
    "uir/arith/test_analyzer.py",
    "uir/arith/test_simplify.py",
    "uir/driver/test_build.py",
    "uir/relay/test_infer_type.py",
    "uir/relay/test_nodes.py",
    "uir/runtime/test_arrays.py",
    "uir/runtime/test_module.py",
    "uir/script/test_forms.py",
    "uir/script/test_round_trip.py",
    "uir/transform/test_sequential.py",
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
    """Run the core tests with a release, and print their outcome and time.

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
    tests = ROOT / "tests/python"
    files = [tests / name for name in (*CORE, *(RUST if has_rust else ()))]
    ignored = [f"--ignore={tests / name}" for name in RUST if not has_rust]
    options = (*ignored, "--quiet", "-p", "no:cacheprovider", "-m", "not deep and not alone")
    left_out = f"not ({' or '.join(COMPILED)})"
    began = time.monotonic()
    done = _run(release, sys.executable, "-m", "pytest", *options, "-k", left_out, *files)
    seconds = time.monotonic() - began
    rust = "" if has_rust else "; tests of Rust, which needs 0.1.15, are left out"
    print(
        f"{release}: core tests: {done.stdout.strip().splitlines()[-1]}{rust}, {seconds:.0f} s",
        flush=True,
    )
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
