"""What shared libraries are called on each system, and how linkers and loaders find them.

In: a system, as `sys.platform` names it. Out: names, arguments of a compiler that links as GCC and
Clang do, environment variables. Linux is what all tests run on; macOS and Windows are written from
the manuals of their linkers, and untried. Must not know schemas, and imports nothing of tschema.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

__all__ = [
    "closed_link_args",
    "library_name",
    "library_suffix",
    "link_used_args",
    "loader_variable",
    "own_folder_args",
    "rpath_args",
]

_SUFFIXES = {"darwin": "dylib", "win32": "dll"}
_LOADER_VARIABLES = {"darwin": "DYLD_LIBRARY_PATH", "win32": "PATH"}


def library_suffix(system: str = sys.platform) -> str:
    """Return the ending of shared libraries, without a dot: `so`, `dylib` or `dll`."""
    return _SUFFIXES.get(system, "so")


def library_name(package: str, system: str = sys.platform) -> str:
    """Return the file name of a package's library: `libtoy.so`, `libtoy.dylib` or `toy.dll`."""
    return f"{'' if system == 'win32' else 'lib'}{package}.{library_suffix(system)}"


def loader_variable(system: str = sys.platform) -> str:
    """Return the environment variable with the folders where the loader looks for libraries."""
    return _LOADER_VARIABLES.get(system, "LD_LIBRARY_PATH")


def rpath_args(folder: Path, system: str = sys.platform) -> list[str]:
    """Return the arguments by which a linked file finds libraries of a folder when it runs.

    Windows has no such record: there, tschema loads the libraries that another one needs first.
    """
    return [] if system == "win32" else [f"-Wl,-rpath,{folder}"]


def own_folder_args(system: str = sys.platform) -> list[str]:
    """Return the arguments by which a library finds those in its own folder."""
    origin = "@loader_path" if system == "darwin" else "$ORIGIN"
    return rpath_args(Path(origin), system)


def link_used_args(libraries: Sequence[str], system: str = sys.platform) -> list[str]:
    """Return the arguments that link libraries that may turn out to be unused.

    Parameters
    ----------
    libraries
        Their names, without `lib`.
    system
        The system.

    Returns
    -------
    arguments
        The linker drops unused libraries, except that of macOS.
    """
    names = [f"-l{name}" for name in libraries]
    if system in _SUFFIXES:
        return names
    return ["-Wl,--as-needed", *names, "-Wl,--no-as-needed"]


def closed_link_args(library: str, system: str = sys.platform) -> list[str]:
    """Return the arguments that name a library, and refuse its undefined symbols.

    Parameters
    ----------
    library
        Its file name.
    system
        The system. Linkers of macOS and Windows refuse undefined symbols by default.
    """
    if system == "darwin":
        return [f"-Wl,-install_name,@rpath/{library}"]
    if system == "win32":
        return []
    return [f"-Wl,-soname,{library},--no-undefined"]
