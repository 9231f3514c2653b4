"""tvm-ffi's headers, precompiled: reading them takes most of the time of a small source.

What generated code includes by itself is tested without them: `tests/property` and the recipe for
`make` compile all kinds of declarations the plain way.
"""

from __future__ import annotations

import os
import subprocess
from functools import cache
from hashlib import sha256
from pathlib import Path

import tvm_ffi.libinfo

from .project import BUILD, ROOT, one_at_a_time, write_if_changed

_HEADERS = (
    f'"{ROOT}/tests/cpp/plain_inline.h"',
    *("<algorithm>", "<unordered_map>", "<unordered_set>", "<tvm/ffi/tvm_ffi.h>"),
)
_FAST = ("-O0", "-UNDEBUG", "--param=ggc-min-heapsize=500000")
"""The last spares the compiler's garbage collector, a tenth of the time."""
_OPTIONS = ("-std=c++17", "-O0", "-fPIC")
"""Precompiled headers serve compilations with these options alone."""


@cache
def cxx_flags() -> tuple[str, ...]:
    """Return options that make a compilation of position-independent C++17 fast.

    They stand behind other options of optimization. With a compiler cache, which finds nothing for
    headers that each checkout precompiles, there are no precompiled ones.
    """
    if "CMAKE_CXX_COMPILER_LAUNCHER" in os.environ:
        return _FAST
    with one_at_a_time("precompiled"):
        return (*_FAST, "-include", str(_precompile(BUILD / "precompiled" / "headers.h")))


def cmake_options() -> tuple[str, ...]:
    """Return the same for CMake; it must not be told a type of build."""
    file, options = Path(__file__).with_suffix(".cmake"), ";".join(cxx_flags())
    return (f"-DCMAKE_PROJECT_INCLUDE={file}", f"-DTSCHEMA_TEST_OPTIONS={options}")


def _precompile(header: Path) -> Path:
    """Precompile a header with all that is included, unless that was done by the same compiler."""
    compiler = subprocess.run(["g++", "-v"], capture_output=True, check=True).stderr
    write_if_changed(header, "".join(f"#include {name}\n" for name in _HEADERS).encode())
    made = sha256(f"{tvm_ffi.__version__} {_OPTIONS} {_HEADERS}".encode() + compiler).hexdigest()
    stamp = header.with_name("stamp")
    if not stamp.is_file() or stamp.read_text() != made:
        includes = [f"-isystem{folder}" for folder in tvm_ffi.libinfo.include_paths()]
        target = ["-x", "c++-header", str(header), "-o", f"{header}.gch"]
        subprocess.run(["g++", *_OPTIONS, *includes, *target], check=True)
        stamp.write_text(made)
    return header
