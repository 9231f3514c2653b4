"""The code of a project in which a declaration may be named, read again when it changes.

In: a configuration.  Out: files by the words that they have.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Set
from pathlib import PurePosixPath

from msgspec import Struct

from tschema.diagnostics.source import SourceFile
from tschema.project.config import Config
from tschema.project.cpp_sources import PROJECT_MARKS
from tschema.project.folders import read_regular_file, walk

_WORD = re.compile(r"\w+")
PAGES = (".md", ".rst", ".ipynb")
CODE = (
    *(".h", ".hh", ".hpp", ".hxx", ".c", ".cc", ".cpp", ".cxx", ".cu", ".cuh"),
    *(".inl", ".py", ".pyi", ".pyx", ".rs"),
)


class _Known(Struct, frozen=True):
    stamp: tuple[int, int, int]
    """When a file was written, its size and its number, which tell its states apart."""
    source: SourceFile
    words: Set[str]


class CodeFiles:
    """The code of a project besides its schema files, with the words of each file."""

    def __init__(self, config: Config) -> None:
        """Read nothing yet."""
        self._root = str(config.root)
        self._schema = [PurePosixPath(root) for root in config.schema]
        self._known: dict[str, _Known] = {}

    def having(self, *wanted: Set[str]) -> Iterator[SourceFile]:
        """Yield the files that have one word at least of each set, as they are on disk now."""
        known: dict[str, _Known] = {}
        for path in walk(self._root, CODE, PROJECT_MARKS):
            one = self._read(path)
            if one is not None:
                known[path] = one
                if not any(one.words.isdisjoint(words) for words in wanted):
                    yield one.source
        self._known = known

    def _read(self, path: str) -> _Known | None:
        try:
            status = os.stat(path)
        except OSError:
            return None
        stamp = status.st_mtime_ns, status.st_size, status.st_ino
        known = self._known.get(path)
        if known is not None and known.stamp == stamp:
            return known
        shown = os.path.relpath(path, self._root).replace(os.sep, "/")
        if any(PurePosixPath(shown).is_relative_to(root) for root in self._schema):
            return None
        data = read_regular_file(path)
        if data is None:
            return None
        text = data.decode("utf-8", "replace")
        return _Known(stamp, SourceFile(shown, text), frozenset(_WORD.findall(text)))
