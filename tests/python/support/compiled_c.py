"""The C of a module as a loaded library, with the compiler of the system.

In: text that `emit_c` made. Out: a module of tvm-ffi. Its flags are those of docs/target-c.md.
"""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

import tvm_ffi
from tvm_ffi import libinfo

from uir.driver import find_compiler

__all__ = ["FLAGS", "load_c"]

FLAGS = [
    *("-std=gnu11", "-fwrapv", "-fno-strict-aliasing", "-fPIC", "-shared"),
    *("-Wall", "-Werror", "-Wno-unused", "-Wno-tautological-compare"),
    *("-Wno-array-bounds", "-Wno-maybe-uninitialized", "-Wno-psabi"),
]
"""Random programs have unused values, comparisons with themselves, and branches that never run."""


def load_c(
    text: str, folder: Path, name: str = "kernels", flags: Sequence[str] = ()
) -> tvm_ffi.Module:
    """Compile a text of C in a folder, and load the library."""
    source, library = folder / f"{name}.c", folder / f"{name}.so"
    source.write_text(text)
    ffi = Path(libinfo.find_libtvm_ffi())
    command = [
        *find_compiler(),
        "-O1",
        "-ffp-contract=off",
        *FLAGS,
        *flags,
        source.name,
        "-o",
        library.name,
    ]
    command += [f"-L{ffi.parent}", f"-l:{ffi.name}", f"-Wl,-rpath,{ffi.parent}", "-lm"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise AssertionError(f"cc failed on {source}:\n{done.stderr[:4000]}")
    return tvm_ffi.load_module(str(library))
