"""The hand-written and generated C++ files of a project.

In: the configuration.  Out: `CppFile`s, whose text is tokenized on first use.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import PurePosixPath

from msgspec import Struct

from tschema.diagnostics.errors import Reporter
from tschema.diagnostics.source import SourceFile, Span
from tschema.project.config import Config, InPlaceTarget
from tschema.project.cpp_sources import find_sources
from tschema.verify.definitions import Definition, find_definitions
from tschema.verify.tokens import CppText, tokenize


class CppFile(Struct, frozen=True, dict=True):
    """A C++ file."""

    path: str
    """Relative to the project's root, with forward slashes."""
    data: bytes

    @cached_property
    def source(self) -> SourceFile:
        """The file, for diagnostics."""
        return SourceFile(self.path, self.data.decode("utf-8", "replace"))

    @cached_property
    def text(self) -> CppText:
        """The file, taken apart."""
        return tokenize(self.source.text)

    @cached_property
    def definitions(self) -> tuple[Definition, ...]:
        """The functions with a body."""
        return tuple(find_definitions(self.text.tokens))

    def span(self, offset: int, length: int) -> Span:
        """Return the span of characters of one line."""
        text = self.source.text
        line = text.count("\n", 0, offset) + 1
        column = offset - text.rfind("\n", 0, offset)
        return Span(self.source, line, column, line, column + length)


class CppFiles:
    """All C++ files of a project."""

    def __init__(self, files: Iterable[CppFile]) -> None:
        """Take the files."""
        self.files = tuple(files)
        self._by_name: dict[str, list[CppFile]] = {}
        for file in self.files:
            self._by_name.setdefault(PurePosixPath(file.path).name, []).append(file)

    def includes(self, file: CppFile, header: CppFile) -> bool:
        """Return whether a file is a header, or includes it, itself or through others."""
        seen = {file.path}
        waiting = [file]
        while waiting:
            current = waiting.pop()
            if current.path == header.path:
                return True
            found = (one for name in current.text.includes for one in self._resolve(name))
            new = {one.path: one for one in found if one.path not in seen}
            seen.update(new)
            waiting += new.values()
        return False

    def _resolve(self, include: str) -> Iterator[CppFile]:
        """Yield the files of the project that an include may mean."""
        wanted = re.sub(r"^(\.\./)+", "", os.path.normpath(include).replace(os.sep, "/"))
        for file in self._by_name.get(PurePosixPath(wanted).name, ()):
            if f"/{file.path}".endswith(f"/{wanted}"):
                yield file


def read_sources(config: Config) -> CppFiles:
    """
    Read the C++ files that a project's configuration names.

    Parameters
    ----------
    config
        The project: the patterns of its sources, and the folders of its generated C++.

    Raises
    ------
    SchemaError
        A file cannot be read.
    """
    reporter = Reporter()
    files = []
    for path in find_sources(config.root, _patterns(config)):
        try:
            files.append(CppFile(path, (config.root / path).read_bytes()))
        except OSError as error:
            reason = (error.strerror or type(error).__name__).lower()
            reporter.error("TS002", f"cannot read `{path}`: {reason}", None)
    reporter.stop_on_error()
    return CppFiles(files)


def _patterns(config: Config) -> Iterator[str]:
    yield from config.verify.sources
    if isinstance(config.cpp, InPlaceTarget):
        yield from config.cpp.files
        yield f"{config.cpp.sidecar}/**/*.h"
        yield f"{config.cpp.sidecar}/**/*.cc"
    elif config.cpp is not None:
        yield f"{config.cpp.include}/**/*.h"
        yield f"{config.cpp.source}/**/*.cc"
