"""The record of a build's inputs, by which loaders reject stale and foreign libraries.

In: a source tree, and the version of tvm-ffi that the build compiles against. Out: the file
`tschema-build.json` next to the libraries, and a message if it does not match.

    {"version": 1, "tvm_ffi": "0.1.15.post2",
     "sources": {"root": "../..", "paths": ["cpp", "generated/cpp"], "digest": "5f2c...",
                 "build": ".."}}

`root` and `build`, the folder of the build, are relative to the file. An installed wheel has no
sources: `"sources": null`.
The build records the digest before it compiles and publishes it only after everything linked: a
source that changes in between, or a build that fails, leaves libraries known to be stale.

CMake runs this file as a program, so it imports the standard library only; it must not know
how libraries are loaded.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, NamedTuple

__all__ = [
    "BUILD_INFO_NAME",
    "BuildInfo",
    "Sources",
    "explain_mismatch",
    "read_build_info",
    "sources_digest",
]

BUILD_INFO_NAME: Final = "tschema-build.json"
_FORMAT_VERSION: Final = 1
_SOURCE_SUFFIXES: Final = (".h", ".hpp", ".inc", ".c", ".cc", ".cpp", ".cmake", ".in", ".txt")


class Sources(NamedTuple):
    """The sources of a build.

    Attributes
    ----------
    root
        The folder that `paths` are relative to.
    paths
        Files and folders that the libraries are compiled from.
    digest
        The result of `sources_digest` before the build.
    build
        The folder of the build.
    """

    root: Path
    paths: tuple[str, ...]
    digest: str
    build: Path


class BuildInfo(NamedTuple):
    """The record next to the libraries.

    Attributes
    ----------
    tvm_ffi
        The version of the distribution `apache-tvm-ffi` that they were compiled against.
    sources
        The sources of a checkout; None in an installed package.
    """

    tvm_ffi: str
    sources: Sources | None


def explain_mismatch(library_dir: Path, tvm_ffi_version: str) -> str | None:
    """Return the reason that the libraries in a folder must not be loaded.

    Parameters
    ----------
    library_dir
        The folder that holds the libraries.
    tvm_ffi_version
        The version of the installed tvm-ffi.

    Returns
    -------
    reason
        A message with a remedy; None if the libraries may be loaded.

    Raises
    ------
    OSError
        If the folder has no `tschema-build.json`: no build has finished there.
    """
    from tschema.ffi_groups import ffi_group  # CMake's program cannot import it, nor needs it.

    build_info = read_build_info(library_dir)
    if ffi_group(build_info.tvm_ffi) != ffi_group(tvm_ffi_version):
        return (
            f"the libraries in {library_dir} were built with apache-tvm-ffi {build_info.tvm_ffi}, "
            f"but {tvm_ffi_version} is installed, whose inlined code differs: "
            f"run `pip install apache-tvm-ffi=={build_info.tvm_ffi}`, or build them again"
        )
    sources = build_info.sources
    if sources is not None and sources_digest(sources.root, sources.paths) != sources.digest:
        return (
            f"the libraries in {library_dir} are older than the C++ sources in {sources.root}: "
            f"run `ninja -C {sources.build}`"
        )
    return None


def read_build_info(library_dir: Path) -> BuildInfo:
    """Read `tschema-build.json` from the folder of the libraries.

    Parameters
    ----------
    library_dir
        The folder that holds the libraries.

    Returns
    -------
    build_info
        The build inputs of the libraries.

    Raises
    ------
    OSError
        If there is no such file.
    ValueError
        If another version of tschema wrote it, or it is damaged.
    """
    path = library_dir / BUILD_INFO_NAME
    try:
        content = json.loads(path.read_bytes())
        if content["version"] == _FORMAT_VERSION:
            return _build_info_of(content, library_dir)
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(
            f"{path} is not a record of a build ({error}): "
            "build again, or install the package again"
        ) from None
    raise ValueError(f"{path} has format {content['version']}, expected {_FORMAT_VERSION}")


def _build_info_of(content: dict[str, Any], library_dir: Path) -> BuildInfo:
    entry = content["sources"]
    if entry is None:
        return BuildInfo(str(content["tvm_ffi"]), None)
    root = Path(os.path.normpath(library_dir / entry["root"]))
    build = Path(os.path.normpath(library_dir / entry.get("build", "..")))
    sources = Sources(root, tuple(entry["paths"]), str(entry["digest"]), build)
    return BuildInfo(str(content["tvm_ffi"]), sources)


def sources_digest(root: Path, paths: Sequence[str]) -> str:
    """Digest the names, times and sizes of source files, without reading them.

    Parameters
    ----------
    root
        The folder that `paths` are relative to.
    paths
        Files and folders; of a folder, every C++ and CMake source below it counts.

    Returns
    -------
    digest
        32 hexadecimal digits.
    """
    lines = [line for path in paths for line in _stat_lines(os.path.join(root, path), path)]
    return blake2b("\n".join(sorted(lines)).encode(), digest_size=16).hexdigest()


def _stat_lines(location: str, name: str) -> Iterator[str]:
    if os.path.isfile(location):
        yield _stat_line(name, os.stat(location))
    elif os.path.isdir(location):
        yield from _folder_lines(location, name)


def _folder_lines(location: str, name: str) -> Iterator[str]:
    with os.scandir(location) as entries:
        for entry in entries:
            entry_name = f"{name}/{entry.name}"
            if entry.is_dir():
                yield from _folder_lines(entry.path, entry_name)
            elif entry.name.endswith(_SOURCE_SUFFIXES):
                yield _stat_line(entry_name, entry.stat())


def _stat_line(name: str, stat: os.stat_result) -> str:
    return f"{name} {stat.st_mtime_ns} {stat.st_size}"


def _record(library_dir: Path, tvm_ffi_version: str, root: Path, paths: Sequence[str]) -> None:
    content = {
        "version": _FORMAT_VERSION,
        "tvm_ffi": tvm_ffi_version,
        "sources": {
            "root": os.path.relpath(root, library_dir),
            "paths": list(paths),
            "digest": sources_digest(root, paths),
            "build": os.path.relpath(Path.cwd(), library_dir),  # Where CMake runs this program.
        },
    }
    library_dir.mkdir(parents=True, exist_ok=True)
    _pending(library_dir).write_text(json.dumps(content, indent=2) + "\n")


def _publish(library_dir: Path) -> None:
    os.replace(_pending(library_dir), library_dir / BUILD_INFO_NAME)


def _pending(library_dir: Path) -> Path:
    return library_dir / (BUILD_INFO_NAME + ".pending")


def _main(arguments: Sequence[str]) -> None:
    match list(arguments):
        case ["record", library_dir, tvm_ffi_version, root, *paths]:
            _record(Path(library_dir), tvm_ffi_version, Path(root), paths)
        case ["publish", library_dir]:
            _publish(Path(library_dir))
        case _:
            raise SystemExit(
                "usage: build_info.py record LIB_DIR TVM_FFI_VERSION ROOT PATH... | publish LIB_DIR"
            )


if __name__ == "__main__":
    _main(sys.argv[1:])
