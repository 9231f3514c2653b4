"""The compiler's judgement on the syntax of one file.

In: a command, and a header or a source.  Out: the errors.  The compiler writes nothing.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from tschema.diagnostics.errors import schema_error

_ERROR = re.compile(
    r"(?P<path>[^\n:][^\n]*?):(?P<line>\d+):(?:(?P<column>\d+):)? (?:fatal )?error: (?P<text>.*)"
)
_PLACE = re.compile(r"(?:In file included from |\s+from )?(?P<path>[^\s:][^\n:]*):(?P<line>\d+)\b")
_UNKNOWN_PROGRAMS = ("nvcc", "cl", "cl.exe")
"""Compilers that have no `-fsyntax-only`."""


class Place(Struct, frozen=True):
    """Where an error is, or what led to it."""

    path: str
    line: int
    """1-based."""


class CompilerError(Struct, frozen=True):
    """An error of the compiler's."""

    text: str
    places: tuple[Place, ...]
    """That of the error, and then of what led to it: instantiations, includes."""


class UnknownCompiler(Exception):
    """The compiler of a command cannot check syntax alone."""


def check_syntax(
    arguments: Sequence[str], directory: Path, file: Path, *, is_header: bool
) -> list[CompilerError]:
    """
    Return the errors of a file.

    Parameters
    ----------
    arguments
        The compiler and its flags.
    is_header
        Whether the file is to be included into an empty source.

    Raises
    ------
    SchemaError
        The compiler cannot be started.
    UnknownCompiler
        It cannot check syntax alone.
    """
    if Path(arguments[0]).name in _UNKNOWN_PROGRAMS:
        raise UnknownCompiler(Path(arguments[0]).name)
    target = ["-x", "c++", "-"] if is_header else [str(file)]
    source = f'#include "{file}"\n' if is_header else ""
    try:
        done = subprocess.run(
            [*arguments, "-fsyntax-only", *target],
            input=source,
            cwd=directory,
            env={**os.environ, "LC_ALL": "C"},  # Messages are read.
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
    except OSError as error:
        program = f"`{arguments[0]}` in `{directory}`"
        raise schema_error("TS157", f"cannot run {program}: {error.strerror}") from error
    if done.returncode == 0:
        return []
    found = list(_errors(done.stderr))
    said = done.stderr.strip().splitlines() or [f"it ended with status {done.returncode}"]
    return found or [CompilerError(said[-1], ())]


def _errors(text: str) -> Iterator[CompilerError]:
    """Yield the errors in the output of a compiler."""
    lines = text.splitlines()
    at = [index for index, line in enumerate(lines) if _ERROR.match(line)]
    for position, index in enumerate(at):
        match = _ERROR.match(lines[index])
        assert match is not None, "it was looked for"
        first = at[position - 1] + 1 if position else 0
        last = at[position + 1] if position + 1 < len(at) else len(lines)
        # gcc says before an error what led to it, clang behind it.
        around = [*lines[first:index], *lines[index + 1 : last]]
        led = (found for line in around if (found := _PLACE.match(line)))
        places = [match, *led]
        yield CompilerError(
            match["text"], tuple(Place(one["path"], int(one["line"])) for one in places)
        )
