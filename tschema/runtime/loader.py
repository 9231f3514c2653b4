"""Loads the compiled library of a generated package, and rejects one that does not match.

In: a package's name, and the digest and location of its generated classes. Out: the loaded library,
or an ImportError with a remedy.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator
from pathlib import Path

import tvm_ffi

from tschema.ffi_groups import ffi_group
from tschema.platforms import library_name
from tschema.runtime.build_info import BUILD_INFO_NAME, explain_mismatch
from tschema.runtime.library_file import explain_truncation
from tschema.runtime.namespaces import bind_types

__all__ = ["find_library", "load_library", "load_runtime", "open_library"]


def load_library(package: str, *, digest: str, anchor: str) -> ctypes.CDLL:
    """Load the library that owns a package's types.

    Parameters
    ----------
    package
        The package: `uir`; its library is `libuir.so`.
    digest
        Of all the package's types, as its Python classes were generated.
    anchor
        The file that asks; the library is looked for near it, so that a checkout never takes
        an installed one.

    Returns
    -------
    library
        The loaded library; its types and functions are registered.

    Raises
    ------
    ImportError
        If there is no library, or it was built for another version of tvm-ffi, from other
        sources or from another schema, or registers what another library has registered, or its
        file or the record of its build is damaged.
    """
    path = find_library(package, Path(anchor).resolve())
    if path is None:
        raise ImportError(_explain_absence(package, Path(anchor).resolve()))
    return open_library(path, package, digest=digest)


def open_library(path: Path, package: str, *, digest: str) -> ctypes.CDLL:
    """Load a package's library from a file, and check that it matches.

    Parameters
    ----------
    path
        The library.
    package
        The package that it registers.
    digest
        Of all the package's types.

    Returns
    -------
    library
        The loaded library.

    Raises
    ------
    ImportError
        As `load_library`.
    """
    _check_build(path.parent)
    bind_types()  # Its functions may return objects of the packages that are imported.
    _prepare_runtime(path)
    _check_refused(package, path)
    known = len(_registration_errors())
    library = _open(path)
    if errors := _registration_errors()[known:]:
        text = "\n".join(errors)
        owner = _owner(package)
        other = "" if owner is None or owner in text else f"; {owner} came before it"
        raise ImportError(text + other)
    _check_digest(package, digest, path)
    return library


def load_runtime() -> None:
    """Load libtschema, the object runtime, unless a library has loaded it.

    Raises
    ------
    ImportError
        If it was not built, or for another version of tvm-ffi.
    """
    if _has_runtime():
        _check_runtime()
        return
    path = find_library("tschema", Path(__file__).resolve())
    if path is None:
        raise ImportError(_explain_absence("tschema", Path(__file__).resolve()))
    _check_build(path.parent)
    _open(path)
    _check_runtime()


def find_library(package: str, anchor: Path) -> Path | None:
    """Find the library of a package near a file.

    Parameters
    ----------
    package
        The package.
    anchor
        The file: a checkout never takes an installed library.

    Returns
    -------
    path
        The library, None if none was built.
    """
    group = ffi_group(tvm_ffi.__version__)  # A wheel has a folder for each, a build tree has none.
    folders = _folders(package, anchor)
    paths = (one / library_name(package) for folder in folders for one in (folder / group, folder))
    return next((path for path in paths if path.is_file()), None)


def _explain_absence(package: str, anchor: Path) -> str:
    name = library_name(package)
    built = [one for folder in _folders(package, anchor) for one in folder.glob(f"ffi-*/{name}")]
    if built:
        groups = ", ".join(sorted({one.parent.name.removeprefix("ffi-") for one in built}))
        return (
            f"{built[0].parent.parent} has no {name} for apache-tvm-ffi {tvm_ffi.__version__}; it "
            f"has libraries for the releases from {groups}: install one of these, or build the "
            "package again"
        )
    return f"no built {name} near {anchor}: run `make`, or build the package's CMake project"


def _folders(package: str, anchor: Path) -> Iterator[Path]:
    """Yield the possible locations of a library: the package's wheel, tschema's, a build tree."""
    yield anchor.parent / "lib"
    yield anchor.parent.parent / package / "lib"
    yield Path(__file__).resolve().parent.parent / "lib"
    for parent in anchor.parents:
        yield parent / "build" / "lib"
        yield parent / "build"


def _check_build(folder: Path) -> None:
    """Reject a stale build, and one for another version of tvm-ffi, before it is loaded."""
    if not (folder / BUILD_INFO_NAME).is_file():
        return  # A library of another build system is checked on registration.
    try:
        reason = explain_mismatch(folder, tvm_ffi.__version__)
    except ValueError as error:
        raise ImportError(str(error)) from None
    if reason is not None:
        raise ImportError(reason)


def _has_runtime() -> bool:
    return tvm_ffi.get_global_func("tschema.registration_errors", allow_missing=True) is not None


def _prepare_runtime(library: Path) -> None:
    """Reject a truncated libtschema; load that of another distribution, wherever it is."""
    path = None if _has_runtime() else find_library("tschema", library)
    if path is not None:
        _check_whole(path)
        if path.parent != library.parent:
            _open(path)
    _check_runtime()


def _check_runtime() -> None:
    """Reject a libtschema for another group of releases, which a program loaded by itself."""
    if errors := [error for error in _registration_errors() if "(libtschema)" in error]:
        raise ImportError("\n".join(errors))


def _check_whole(path: Path) -> None:
    reason = explain_truncation(path)
    if reason is not None:
        raise ImportError(reason)


def _open(path: Path) -> ctypes.CDLL:
    _check_whole(path)
    try:
        return ctypes.CDLL(str(path.absolute()))  # A bare name would be looked for elsewhere.
    except OSError as error:
        raise ImportError(f"cannot load {path}: {error}{_advice(path, str(error))}") from None


def _advice(path: Path, error: str) -> str:
    """Return the remedy for an error of the system's loader."""
    if re.search(r"symbol.*(_ZN?K?3tvm3ffi|TVMFFI)", error):
        return (
            f"; it was built for {_releases_of(path)}, but tvm-ffi {tvm_ffi.__version__} is "
            "installed: install a release that it was built for, or build it again"
        )
    if "undefined symbol" in error or "symbol not found" in error:
        return "; a method or function may have no body: run `tschema verify`, which names it"
    return "; build it again"


def _releases_of(path: Path) -> str:
    """Return the releases that a library runs with, of which libtschema, its own, has a mark."""
    runtime = path.with_name(library_name("tschema"))
    mark = rb"libtschema for (tvm-ffi [\w. ]+)\0"
    found = re.search(mark, runtime.read_bytes()) if runtime.is_file() else None
    return "another release of tvm-ffi" if found is None else found[1].decode()


def _registration_errors() -> list[str]:
    errors = tvm_ffi.get_global_func("tschema.registration_errors", allow_missing=True)
    return [] if errors is None else list(errors())


def _check_digest(package: str, digest: str, path: Path) -> None:
    registered = tvm_ffi.get_global_func("tschema.package_digest")(package)
    if registered == digest:
        return
    owner = _owner(package)
    other = f", which came before {path}," if owner not in (None, str(path)) else ""
    raise ImportError(
        f"{owner if other else path}{other} declares other layouts of package `{package}` than "
        f"its Python classes (digest {registered}, expected {digest}): "
        + (f"load {path} alone" if other else "run `tschema gen` and build again")
    )


def _owner(package: str) -> str | None:
    """Return the library that registered a package's functions, None where it has none."""
    state = tvm_ffi.get_global_func("tschema.registration_state")()
    prefix = f"function:{package}."
    return next((str(state[name]) for name in state if str(name).startswith(prefix)), None)


def _check_refused(package: str, path: Path) -> None:
    """Reject a library after another one of its package, whose code the two would share."""
    errors = [error for error in _registration_errors() if f"(package `{package}`)" in error]
    if errors and tvm_ffi.get_global_func("tschema.package_digest")(package) is None:
        raise ImportError(
            f"{path} cannot be loaded after another library of package `{package}`: "
            + "\n".join(errors)
        )
