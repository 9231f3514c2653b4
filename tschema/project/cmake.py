"""The arguments with which a user's CMake project finds tschema.

In: the place of this package, an installed wheel or a checkout. Out: the folder of
`tschemaConfig.cmake`, and the arguments that hand it to `cmake`. Must not know the command line.
"""

from __future__ import annotations

import sys
from pathlib import Path

__all__ = ["cmake_args", "cmake_dir"]


def cmake_dir() -> Path:
    """Find the folder of `tschemaConfig.cmake`.

    Returns
    -------
    folder
        `tschema/share/cmake/tschema` of a wheel, or `build/share/cmake/tschema` of a checkout.

    Raises
    ------
    FileNotFoundError
        If this is a checkout that was not configured yet.
    """
    package = Path(__file__).resolve().parents[1]
    candidates = [base / "share/cmake/tschema" for base in (package, package.parent / "build")]
    for candidate in candidates:
        if (candidate / "tschemaConfig.cmake").is_file():
            return candidate
    looked_in = " and ".join(str(candidate) for candidate in candidates)
    raise FileNotFoundError(f"no tschemaConfig.cmake in {looked_in}: run `make`")


def cmake_args() -> list[str]:
    """Make the arguments for `cmake $(tschema cmake-args)`.

    Returns
    -------
    arguments
        `-Dtschema_DIR=...` and `-DPython_EXECUTABLE=...`.

    Raises
    ------
    FileNotFoundError
        If this is a checkout that was not configured yet.
    """
    return [f"-Dtschema_DIR={cmake_dir()}", f"-DPython_EXECUTABLE={sys.executable}"]
