"""The arguments with which a user's CMake project finds tschema and the packages on top of it.

In: the places of the packages, installed wheels or a checkout. Out: the folder of
`tschemaConfig.cmake`, and the arguments that hand all of them to `cmake`. Must not know the command
line.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

from tschema.project.cxx_toolchain import native_packages


def cmake_dir(package: str = "tschema") -> Path:
    """Find the folder of `<package>Config.cmake`.

    Parameters
    ----------
    package
        tschema, or a package on top of it.

    Returns
    -------
    folder
        `share/cmake/<package>`, below the package of a wheel or `build` of a checkout.

    Raises
    ------
    FileNotFoundError
        If this is a checkout that was not configured yet.
    """
    folder = native_packages()[package]
    bases = [folder, *(parent / "build" for parent in folder.parents)]
    for candidate in (base / "share/cmake" / package for base in bases):
        if (candidate / f"{package}Config.cmake").is_file():
            return candidate
    raise FileNotFoundError(f"no {package}Config.cmake near {folder}: run `make`")


def cmake_args() -> list[str]:
    """Make the arguments for `cmake $(tschema cmake-args)`.

    Returns
    -------
    arguments
        `-D<package>_DIR=...` of tschema and of each package on top, `-DPython_EXECUTABLE=...`, and
        no warning of variables without use, because a project need not use every package.

    Raises
    ------
    FileNotFoundError
        If this is a checkout that was not configured yet.
    """
    folders = [f"-D{package}_DIR={cmake_dir(package)}" for package in native_packages()]
    return [*folders, f"-DPython_EXECUTABLE={sys.executable}", _no_unused_warning()]


def _no_unused_warning() -> str:
    """Return the option as the installed CMake spells it: 4.4 deprecates the old one."""
    if shutil.which("cmake") is None:
        return "--no-warn-unused-cli"
    printed = subprocess.run(["cmake", "--version"], capture_output=True, text=True).stdout
    version = tuple(int(part) for part in re.findall(r"\d+", printed)[:2])
    return "-Wno-unused-cli" if version >= (4, 4) else "--no-warn-unused-cli"
