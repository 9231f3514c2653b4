"""The arguments with which a compiler and a linker find tschema and tvm-ffi.

In: the place of this package, an installed wheel or a checkout. Out: arguments for a C++ compiler.
CMake projects have `cmake.py` instead. Must not know the command line, and imports no tvm-ffi.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

__all__ = ["cxx_args", "link_args"]

_PACKAGE = Path(__file__).resolve().parents[1]


def cxx_args() -> list[str]:
    """
    Make the arguments with which a compiler finds every header.

    Returns
    -------
    arguments
        `-std=c++17` and `-isystem` folders: tschema's, uir's and tvm-ffi's.

    Raises
    ------
    FileNotFoundError
        If a folder is missing.
    """
    wheel, checkout = [_PACKAGE / "include"], ["cpp/include", "generated/cpp/include"]
    folders = wheel if wheel[0].is_dir() else [_PACKAGE.parent / folder for folder in checkout]
    folders = [*folders, _tvm_ffi() / "include"]
    return ["-std=c++17", *(f"-isystem{_existing(folder)}" for folder in folders)]


def link_args() -> list[str]:
    """
    Make the arguments that link the libraries, and let programs find them.

    Returns
    -------
    arguments
        For libtschema, libuir where it is used, and libtvm_ffi.

    Raises
    ------
    FileNotFoundError
        If a library is missing.
    """
    candidates = [_PACKAGE / "lib", _PACKAGE.parent / "build" / "lib"]
    ours = next((folder for folder in candidates if folder.is_dir()), candidates[-1])
    args: list[str] = []
    for folder in (_existing(ours), _existing(_tvm_ffi() / "lib")):
        args += [f"-L{folder}", f"-Wl,-rpath,{folder}"]
    return [*args, "-ltschema", "-Wl,--as-needed", "-luir", "-Wl,--no-as-needed", "-ltvm_ffi"]


def _tvm_ffi() -> Path:
    spec = find_spec("tvm_ffi")
    if spec is None or spec.origin is None:
        raise FileNotFoundError("no tvm-ffi in this Python: run `pip install apache-tvm-ffi`")
    return Path(spec.origin).parent


def _existing(folder: Path) -> Path:
    if not folder.is_dir():
        raise FileNotFoundError(f"no folder {folder}: run `make`")
    return folder
