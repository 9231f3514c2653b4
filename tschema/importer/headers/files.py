"""C++ files: which ones there are, and how messages and includes name them.

In: folders and files.  Out: their texts.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath

from msgspec import Struct

from tschema.diagnostics.errors import SchemaError, schema_error

HEADERS = frozenset({".h", ".hh", ".hpp", ".hxx", ".cuh", ".inl", ".inc"})
SOURCES = frozenset({".cc", ".cpp", ".cxx", ".cu", ".c++"})
_OF_OBJECTS = re.compile(rb"OBJECT_INFO|ObjectDef\s*<|OBJECT_REF|ContainerType")
_OF_NAMES = re.compile(rb"\b(?:enum|using|typedef|class|struct)\b")


class CppFile(Struct, frozen=True):
    """A file and its bytes."""

    path: str
    """For messages: relative to the root, with forward slashes."""
    text: bytes
    header: str | None = None
    """As others include it; None for a source file."""


def find_files(paths: Sequence[Path], root: Path) -> Iterator[CppFile]:
    """
    Yield the files that say something of classes; of a folder all that are C++.

    Raises
    ------
    SchemaError
        A path does not exist, or a file cannot be read.
    """
    seen: set[Path] = set()
    for path in paths:
        if not path.exists():
            raise _refusal(f"no file or folder `{path}`")
        if not path.is_dir():
            _check_file(path)
        shown = _shown(path, root)
        for file in _below(path):
            if file not in seen:
                seen.add(file)
                below = file.relative_to(path)
                yield from read_file(file, (shown / below).as_posix(), below)


def _below(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    found = []
    for folder, folders, names in os.walk(path):
        folders[:] = [name for name in folders if not name.startswith(".")]
        cpp = (name for name in names if PurePosixPath(name).suffix in HEADERS | SOURCES)
        found += [Path(folder, name) for name in cpp]
    return sorted(found)


def _check_file(file: Path) -> None:
    """Refuse what would never end, and names that no schema file can hold."""
    if not file.is_file():
        raise _refusal(f"`{file}` is neither a regular file nor a folder")
    try:
        str(file).encode()
    except UnicodeEncodeError:
        shown = str(file).encode(errors="backslashreplace").decode()
        raise _refusal(f"the name of `{shown}` is not UTF-8") from None


def read_file(file: Path, shown: str, below: Path) -> Iterator[CppFile]:
    """
    Yield a file if it says something of classes.

    Parameters
    ----------
    shown
        The path for messages.
    below
        The path below the folder that is read.

    Raises
    ------
    SchemaError
        The file cannot be read.
    """
    _check_file(file)
    try:
        text = file.read_bytes()
    except OSError as error:
        raise _refusal(f"cannot read `{file}`: {error.strerror}") from error
    is_header = file.suffix in HEADERS
    if _OF_OBJECTS.search(text) or (is_header and _OF_NAMES.search(text)):
        yield CppFile(shown, text, _header_name(shown, below) if is_header else None)


def _shown(path: Path, root: Path) -> Path:
    """Return a path relative to the root where it is below it."""
    whole = path.resolve()
    try:
        return whole.relative_to(root.resolve())
    except ValueError:
        return path


def _header_name(shown: str, below: Path) -> str:
    """Return a header's name in includes: its path below `include`, or below the given folder."""
    parts = PurePosixPath(shown).parts
    if "include" in parts[:-1]:
        last = len(parts) - 1 - parts[::-1].index("include")
        return "/".join(parts[last + 1 :])
    return below.as_posix() if below.parts else parts[-1]


def _refusal(message: str) -> SchemaError:
    return schema_error("TS091", message, help="name folders or files of C++ with `--headers`")
