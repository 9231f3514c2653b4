"""libtschema and libuir for a group of releases of tvm-ffi.

In: a group. Out: the libraries in `build/lib/<group>`, where the checkout's loader takes them from
for releases of that group. They are not optimized, and their sources are joined into a few files,
which takes a quarter of the time of the checkout's own build. The group of the installed release is
that of the checkout, which `make` has built.
"""

from __future__ import annotations

import sys
from importlib.metadata import version
from pathlib import Path

from scripts.ffi_releases import NEWEST, ROOT, run
from tschema.ffi_groups import ffi_group

__all__ = ["INSTALLED", "build", "configure", "library_folder"]

INSTALLED = ffi_group(version("apache-tvm-ffi"))
"""The group of the checkout's own libraries."""


def library_folder(group: str) -> Path:
    """Return the folder that the checkout's loader takes a group's libraries from."""
    return ROOT / "build/lib" if group == INSTALLED else ROOT / "build/lib" / group


def build(group: str, *targets: str) -> None:
    """Build libraries for a group, unless they are the checkout's own.

    Parameters
    ----------
    group
        The group: `ffi-0.1.13`.
    targets
        `tschema`, `uir`, or `uir_publish`, which records that all are built.
    """
    if group == INSTALLED:
        return
    folder = configure(group, f"-DCMAKE_LIBRARY_OUTPUT_DIRECTORY={library_folder(group)}")
    run(NEWEST[group], "cmake", "--build", folder, "--target", *targets)


def configure(group: str, *options: str) -> Path:
    """Configure the build of a group's libraries.

    Parameters
    ----------
    group
        The group.
    options
        More options of CMake.

    Returns
    -------
    folder
        Of the build.
    """
    folder = ROOT / "build/groups" / group
    fast = ("-DTSCHEMA_OPTIMIZE=OFF", "-DTSCHEMA_JOIN_ACROSS=ON", "-DTSCHEMA_JOIN_MOST=80")
    settings = (f"-DPython_EXECUTABLE={sys.executable}", f"-DCMAKE_INSTALL_LIBDIR=lib/{group}")
    settings += ("-DTSCHEMA_BUILD_TESTS=OFF", "-DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON")
    where = ("-S", ROOT, "-B", folder, "-G", "Ninja", "--log-level=WARNING")
    run(NEWEST[group], "cmake", *where, *fast, *settings, *options)
    return folder
