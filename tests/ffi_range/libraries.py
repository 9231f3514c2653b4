"""libtschema and libuir for a group of releases of tvm-ffi.

In: a group. Out: the libraries in `build/lib/<group>`, where the checkout's loader takes them from
for releases of that group. Unless figures are wanted, they are not optimized, and their sources are
joined into a few files, which takes a quarter of the time of the checkout's own build. The group of
the installed release is that of the checkout, which `make` has built.
"""

from __future__ import annotations

import sys
from importlib.metadata import version
from pathlib import Path

from scripts.ffi_releases import NEWEST, ROOT, run
from tschema.ffi_groups import ffi_group

__all__ = ["INSTALLED", "SETTINGS", "build", "library_folder"]

ALWAYS = ("TSCHEMA_BUILD_TESTS=OFF", "CMAKE_DISABLE_PRECOMPILE_HEADERS=ON")
SETTINGS = (
    "TSCHEMA_OPTIMIZE=OFF",
    "TSCHEMA_JOIN_ACROSS=ON",
    "TSCHEMA_JOIN_MOST=80",
    *ALWAYS,
)
"""Variables of CMake, by which a build takes the least time."""

INSTALLED = ffi_group(version("apache-tvm-ffi"))
"""The group of the checkout's own libraries."""


def library_folder(group: str) -> Path:
    """Return the folder that the checkout's loader takes a group's libraries from."""
    return ROOT / "build/lib" if group == INSTALLED else ROOT / "build/lib" / group


def build(group: str, *targets: str, is_optimized: bool = False) -> None:
    """Build libraries for a group, unless they are the checkout's own.

    Parameters
    ----------
    group
        The group: `ffi-0.1.13`.
    targets
        `tschema`, `uir`, or `uir_publish`, which records that all are built.
    is_optimized
        Whether they are as fast as those of a wheel.
    """
    if group == INSTALLED:
        return
    folder = ROOT / "build" / ("fast-groups" if is_optimized else "groups") / group
    where = ("-S", ROOT, "-B", folder, "-G", "Ninja", "--log-level=WARNING")
    settings = (
        *(ALWAYS if is_optimized else SETTINGS),
        f"Python_EXECUTABLE={sys.executable}",
        f"CMAKE_INSTALL_LIBDIR=lib/{group}",
        f"CMAKE_LIBRARY_OUTPUT_DIRECTORY={library_folder(group)}",
    )
    run(NEWEST[group], "cmake", *where, *(f"-D{setting}" for setting in settings))
    run(NEWEST[group], "cmake", "--build", folder, "--target", *targets)
