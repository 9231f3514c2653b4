"""The contents of a repository that tschema serves: classes, folders, the build system, git.

In: a folder.  Out: a `Repository`.  It reads files, runs no program of the repository's, and writes
nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import Literal

from msgspec import Struct

from tschema.ir.key_roots import first_parts
from tschema.output.files import is_vacant
from tschema.project.cpp_sources import CPP_HEADERS, PROJECT_MARKS
from tschema.project.folders import read_regular_file, walk
from tschema.project.git import git
from tschema.project.include_folders import DEPENDENCIES

BuildSystem = Literal["cmake", "make", "cargo", "scikit-build", "pyproject"]

_SOURCES = (".cc", ".cpp", ".cxx")
_LIBRARY = re.compile(r"^[ \t]*add_library\s*\(\s*([\w.+-]+)\s+(?:SHARED|MODULE)\b", re.MULTILINE)
_REGISTERS = re.compile(rb"\b(?:register_object|c_class)\s*\(")
_BUILD_FILES: tuple[tuple[str, BuildSystem], ...] = (
    ("CMakeLists.txt", "cmake"),
    ("Makefile", "make"),
    ("Cargo.toml", "cargo"),
)


class Found(Struct, frozen=True):
    """A class with a type key."""

    key: str
    namespace: str
    """As C++ spells it."""
    path: PurePosixPath
    """The file that defines it."""


class Repository(Struct, frozen=True):
    """The contents of a repository; paths are relative to its root."""

    root: Path
    classes: tuple[Found, ...]
    sources: PurePosixPath | None
    """The folder of C++ sources."""
    python: PurePosixPath | None
    """The Python package that registers classes of tvm-ffi."""
    crate: PurePosixPath | None
    """The folder of a crate."""
    build_systems: tuple[BuildSystem, ...]
    library: str | None
    """The target of CMake that is the library."""
    has_git: bool
    taken: frozenset[str]
    """The entries of the root, without empty folders."""
    dependencies: tuple[Path, ...] = ()
    """Folders of headers that define base classes, in the project or in the environment."""
    built: PurePosixPath | None = None
    """The library, where it is built."""

    def packages(self) -> tuple[str, ...]:
        """Return the first parts of type keys, the best name of a package first."""
        return first_parts(one.key for one in self.classes)

    def headers(self) -> tuple[PurePosixPath, ...]:
        """Return the headers that define classes."""
        paths = {one.path for one in self.classes}
        return tuple(sorted(path for path in paths if path.suffix in CPP_HEADERS))

    def header_patterns(self) -> tuple[str, ...]:
        """Return the patterns of headers and sources that may get blocks."""
        found = {(_top(one.path), one.path.suffix) for one in self.classes}
        if self.classes and not found:
            found = {(self.sources or PurePosixPath("src"), ".h")}
        return tuple(str(folder / f"**/*{suffix}") for folder, suffix in sorted(found))

    def code_folders(self) -> tuple[PurePosixPath, ...]:
        """Return the top folders of classes and sources."""
        folders = {_top(one.path) for one in self.classes}
        return tuple(sorted({*folders, *([self.sources] if self.sources else [])}))

    def namespaces(self) -> dict[str, str]:
        """Return, for prefixes of keys, the namespace of C++ where it is another one."""
        counts: dict[str, Counter[str]] = {}
        for one in self.classes:
            prefix = one.key.rpartition(".")[0]
            counts.setdefault(prefix, Counter())[one.namespace] += 1
        chosen = {prefix: found.most_common(1)[0][0] for prefix, found in counts.items()}
        return {
            prefix: namespace
            for prefix, namespace in sorted(chosen.items())
            if prefix and namespace and namespace != prefix.replace(".", "::")
        }


def find_paths(root: Path) -> list[PurePosixPath]:
    """Return the files of a repository, without builds and other projects in it."""
    paths = (
        PurePosixPath(Path(path).relative_to(root).as_posix())
        for path in walk(str(root), marks=PROJECT_MARKS)
    )
    return [path for path in paths if path.parts[0] not in DEPENDENCIES]


def look_at(
    root: Path,
    paths: Sequence[PurePosixPath],
    classes: Iterable[Found],
    dependencies: Iterable[Path] = (),
) -> Repository:
    """
    Find the contents of a repository.

    Parameters
    ----------
    root
        Its folder, or that of a project in it.
    dependencies
        Folders of headers of other projects that define base classes.
    """
    library = _library(root)
    return Repository(
        root,
        tuple(classes),
        _folder_of([path for path in paths if path.suffix in _SOURCES]),
        next(_python_packages(root, paths), None),
        next((path.parent for path in paths if path.name == "Cargo.toml"), None),
        tuple(_build_systems(root)),
        library,
        git(root, "rev-parse", "--git-dir") is not None,
        frozenset(one.name for one in root.iterdir() if not is_vacant(one)),
        tuple(dependencies),
        _built(root, library),
    )


def _top(path: PurePosixPath) -> PurePosixPath:
    return PurePosixPath(path.parts[0]) if len(path.parts) > 1 else PurePosixPath()


def _folder_of(paths: Iterable[PurePosixPath]) -> PurePosixPath | None:
    """Return the top folder that has most files; tests come last."""
    counts = Counter(_top(path) for path in paths)
    ordered = sorted(counts, key=lambda one: ("test" in one.name, -counts[one], one))
    return ordered[0] if ordered else None


def _python_packages(root: Path, paths: Iterable[PurePosixPath]) -> Iterator[PurePosixPath]:
    """Yield the packages that have a class of tvm-ffi, the outermost folder of each."""
    paths = list(paths)
    packages = {path.parent for path in paths if path.name == "__init__.py"}
    modules = [path for path in paths if path.suffix == ".py" and path.parent in packages]
    for path in modules:
        if _REGISTERS.search(read_regular_file(str(root / path)) or b""):
            package = path.parent
            while package.parent in packages:
                package = package.parent
            yield package


def _build_systems(root: Path) -> Iterator[BuildSystem]:
    project = root / "pyproject.toml"
    if project.is_file():
        text = project.read_bytes()
        yield "scikit-build" if b"scikit_build_core" in text else "pyproject"
    yield from (name for file, name in _BUILD_FILES if (root / file).is_file())


def _built(root: Path, library: str | None) -> PurePosixPath | None:
    """Return the shared library in a folder of a build."""
    name = f"lib{library}.so" if library else "lib*.so"
    found = sorted(one for build in root.glob("*build*") for one in build.rglob(name))
    found.sort(key=lambda one: len(one.parts))
    return PurePosixPath(found[0].relative_to(root).as_posix()) if found else None


def _library(root: Path) -> str | None:
    file = root / "CMakeLists.txt"
    found = _LIBRARY.findall(file.read_text("utf-8", "replace")) if file.is_file() else []
    return found[0] if found else None
