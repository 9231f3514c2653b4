"""The arguments with which a compiler and a linker find tschema, tvm-ffi and packages on top.

In: the place of this package, an installed wheel or a checkout; the entry points `tschema.packages`
of other distributions. Out: arguments for a C++ compiler. CMake projects have `cmake.py` instead.
Must not know the command line, and imports no tvm-ffi.
"""

from __future__ import annotations

from importlib.metadata import entry_points, version
from importlib.util import find_spec
from pathlib import Path

from tschema.ffi_groups import ffi_group
from tschema.platforms import link_used_args, rpath_args

_PACKAGE = Path(__file__).resolve().parents[1]


def native_packages() -> dict[str, Path]:
    """
    Find the packages that bring C++ along: headers, `lib<package>.so` and a CMake package.

    Returns
    -------
    folders
        Each package's folder, by its name; `tschema` first.
    """
    folders = {"tschema": _PACKAGE}
    for point in sorted(entry_points(group="tschema.packages"), key=lambda point: point.name):
        spec = find_spec(point.value)
        if spec is not None and spec.origin is not None:
            folders[point.name] = Path(spec.origin).resolve().parent
    return folders


def cxx_args() -> list[str]:
    """
    Make the arguments with which a compiler finds every header.

    Returns
    -------
    arguments
        `-std=c++17` and `-isystem` folders: tschema's, those of packages on top, and tvm-ffi's.

    Raises
    ------
    FileNotFoundError
        If a folder is missing.
    """
    wheel = [folder / "include" for folder in native_packages().values()]
    checkout = [_PACKAGE.parent / folder for folder in ("cpp/include", "generated/cpp/include")]
    found = [folder for folder in wheel if folder.is_dir()]
    if not wheel[0].is_dir():
        found = [_existing(folder) for folder in checkout] + found
    return ["-std=c++17", *(f"-isystem{folder}" for folder in [*found, _tvm_ffi() / "include"])]


def link_args() -> list[str]:
    """
    Make the arguments that link the libraries, and let programs find them.

    Returns
    -------
    arguments
        For libtschema, the libraries of packages on top where they are used, and libtvm_ffi.

    Raises
    ------
    FileNotFoundError
        If a library is missing, or there are libraries for other releases of tvm-ffi alone.
    """
    packages = native_packages()
    wheel = [_of_group(folder / "lib") for folder in packages.values()]
    found = [folder for folder in wheel if folder.is_dir()]
    if not wheel[0].is_dir():
        found = [_existing(_of_group(_PACKAGE.parent / "build" / "lib")), *found]
    args: list[str] = []
    for folder in (*found, _existing(_tvm_ffi() / "lib")):
        args += [f"-L{folder}", *rpath_args(folder)]
    on_top = [package for package in packages if package != "tschema"]
    return [*args, "-ltschema", *link_used_args(on_top), "-ltvm_ffi"]


def _of_group(folder: Path) -> Path:
    """Return the folder below a folder of libraries that has those for the installed tvm-ffi."""
    release = version("apache-tvm-ffi")
    if (folder / ffi_group(release)).is_dir():
        return folder / ffi_group(release)
    others = sorted(one.name.removeprefix("ffi-") for one in folder.glob("ffi-*"))
    if others and not any(one.is_file() for one in folder.iterdir()):
        raise FileNotFoundError(
            f"{folder} has no libraries for apache-tvm-ffi {release}; it has libraries for the "
            f"releases from {', '.join(others)}: install one of these"
        )
    return folder


def _tvm_ffi() -> Path:
    spec = find_spec("tvm_ffi")
    if spec is None or spec.origin is None:
        raise FileNotFoundError("no tvm-ffi in this Python: run `pip install apache-tvm-ffi`")
    return Path(spec.origin).parent


def _existing(folder: Path) -> Path:
    if not folder.is_dir():
        raise FileNotFoundError(f"no folder {folder}: run `make`")
    return folder
