"""Finds the C++ files of a project.

In: a folder, and patterns.  Out: paths.  It opens no file.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from tschema.project.folders import walk

PROJECT_MARKS = ("CMakeCache.txt", "tschema.toml", "CACHEDIR.TAG")
"""Files that tell a folder which is none of the project's: a build, another project."""


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
