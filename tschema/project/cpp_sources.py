"""Finds the C++ files of a project, and what says how they are laid out.

In: a folder, and patterns; or a configuration.  Out: paths.  It opens no file.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from tschema.project.config import Config, InPlaceTarget
from tschema.project.folders import walk

PROJECT_MARKS = ("CMakeCache.txt", "tschema.toml", "CACHEDIR.TAG")
"""Files that tell a folder which is none of the project's: a build, another project."""
CPP_HEADERS = (".h", ".hh", ".hpp", ".hxx", ".cuh", ".inl")
"""Suffixes of files that generated code can include."""
CPP_SUFFIXES = (*CPP_HEADERS, ".cc", ".cpp", ".cxx", ".cu")
"""Suffixes of C++ files."""

CPP_STYLE = ".clang-format"
"""The file in a project's root that blocks in C++ files of the user's are laid out by."""


def find_cpp_style(config: Config) -> Path | None:
    """Return the file that says how blocks of C++ are laid out, if the project has one."""
    path = config.root / CPP_STYLE
    return path if isinstance(config.cpp, InPlaceTarget) and path.is_file() else None


def find_sources(root: Path, patterns: Iterable[str]) -> Iterator[str]:
    """
    Yield the files that match a pattern; hidden folders, builds and other projects are left out.

    Parameters
    ----------
    root
        The project's root, which the results are relative to, with forward slashes.
    patterns
        `**/` is any folders, `*` and `?` stay in one.
    """
    pattern = re.compile("|".join(map(_translate, patterns)))
    for found in walk(str(root), marks=PROJECT_MARKS):
        path = Path(found).relative_to(root).as_posix()
        if pattern.fullmatch(path):
            yield path


def _translate(pattern: str) -> str:
    """Return the regular expression of a pattern."""
    signs = {"**/": "(?:[^/]+/)*", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    parts = re.split(r"(\*\*/|\*\*|\*|\?)", os.path.normpath(pattern).replace(os.sep, "/"))
    return "".join(signs.get(part) or re.escape(part) for part in parts)
