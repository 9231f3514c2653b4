"""Plugins: external backends that read the JSON IR and return files.

In: the command of a plugin, and a schema.  Out: the text of its files, and its warnings.  The
program runs in the project's root with the JSON IR on standard input; its standard error is the
user's.  It answers on standard output, in UTF-8:

    {"files": [{"path": "generated/go/ir.go", "text": "..."}],
     "errors": [{"message": "...", "severity": "error", "help": "...",
                 "key": "toy.ir.Point", "member": "x",
                 "span": {"path": "schema/ir/shape.py", "line": 3, "column": 5}}]}

An error says where it is with the key of a declaration, and a member of it, or with a span; it may
also be plain text.  Nothing that a plugin gives is written where it reports an error.
"""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Annotated

import msgspec
from msgspec import Meta, Struct, field

from tschema.diagnostics.errors import Diagnostic, SchemaError, Severity, schema_error
from tschema.diagnostics.source import Span
from tschema.ir import codec
from tschema.ir.locate import Locator
from tschema.ir.model import Schema
from tschema.output.ownership import header_sources
from tschema.project.config_table import is_outside


class PluginError(Exception):
    """A plugin crashed, or its answer is malformed; the message names the plugin and the fault."""


class PluginResult(Struct, frozen=True):
    """The results of the plugins of a run."""

    files: Mapping[PurePosixPath, str] = field(default_factory=dict)
    """Text by path, relative to the root."""
    warnings: tuple[Diagnostic, ...] = ()


_Positive = Annotated[int, Meta(ge=1)]


class _File(Struct, forbid_unknown_fields=True):
    path: str
    text: str


class _Place(Struct, forbid_unknown_fields=True):
    path: str
    line: _Positive
    column: _Positive = 1
    end_line: _Positive | None = None
    end_column: _Positive | None = None


class _Error(Struct, forbid_unknown_fields=True):
    message: str
    severity: Severity = "error"
    help: str | None = None
    key: str | None = None
    member: str | None = None
    span: _Place | None = None


class _Answer(Struct, forbid_unknown_fields=True):
    files: list[_File] = []
    errors: list[_Error | str] = []


def run_plugins(
    commands: Sequence[str], schema: Schema, root: Path, taken: Iterable[PurePosixPath]
) -> PluginResult:
    """
    Run plugins, one after the other.

    Parameters
    ----------
    commands
        A program each, with arguments where it has any, quoted as a shell has them.
    schema
        The JSON IR that they are given.
    root
        The project's root, where they run.
    taken
        The paths of other outputs.

    Returns
    -------
    result
        The files of all plugins, and their warnings.

    Raises
    ------
    SchemaError
        A plugin cannot be started, reports an error, or gives a path that it cannot have.
    PluginError
        A plugin crashed, or its answer is not understood.
    """
    if not commands:
        return PluginResult({}, ())
    data = codec.encode(schema)
    locator = Locator(root, schema)
    files: dict[PurePosixPath, str] = {}
    owners = _Owners(root, taken)
    found: list[Diagnostic] = []
    for command in commands:
        answer = _ask(command, data, root)
        found += (_diagnostic(error, locator) for error in answer.errors)
        for file in answer.files:
            fault = _path_fault(command, file) or owners.claim(command, file.path)
            files[PurePosixPath(file.path)] = file.text
            found += [fault] if fault else []
    if any(one.severity == "error" for one in found):
        raise SchemaError(found)
    return PluginResult(files, tuple(found))


def split_command(command: str) -> list[str]:
    """Return a program and its arguments; text that names a file is a program without arguments."""
    if os.path.isfile(command):
        return [command]
    try:
        return shlex.split(command) or [command]
    except ValueError:
        return [command]


def _ask(command: str, data: bytes, root: Path) -> _Answer:
    """Run one plugin and read its answer."""
    program, *arguments = split_command(command)
    if os.path.isfile(program):
        program = os.path.abspath(program)
    try:
        process = subprocess.run(
            [program, *arguments], input=data, stdout=subprocess.PIPE, cwd=root, check=False
        )
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        message = f"plugin `{command}` cannot be started: {reason.lower()}"
        help = "name a program that is on the search path, or the path of one"
        raise schema_error("TS056", message, help) from error
    if process.returncode:
        raise PluginError(f"plugin `{command}` {_ending(process.returncode)}")
    return _read(command, process.stdout)


def _ending(status: int) -> str:
    return f"was killed by signal {-status}" if status < 0 else f"failed with status {status}"


def _read(command: str, data: bytes) -> _Answer:
    try:
        return msgspec.json.decode(data, type=_Answer)
    except msgspec.ValidationError as error:
        reason, _, place = str(error).partition(" - at ")
        where = place.strip("`").removeprefix("$").lstrip(".") or "the answer"
        reason = f"`{where}`: {reason[:1].lower()}{reason[1:]}"
    except (ValueError, RecursionError) as error:
        shown = data[:60].decode("utf-8", "backslashreplace")
        reason = f"{error} in {shown!r}" if data else "it gave nothing"
    raise PluginError(f"the answer of plugin `{command}` is not understood: {reason}")


def _diagnostic(error: _Error | str, locator: Locator) -> Diagnostic:
    if isinstance(error, str):
        return Diagnostic("TS057", "error", error)
    span = _span(error, locator)
    message = error.message
    if span is None and error.key:
        message = f"{message} (`{error.key}{f'.{error.member}' if error.member else ''}`)"
    return Diagnostic("TS057", error.severity, message, span, help=error.help)


def _span(error: _Error, locator: Locator) -> Span | None:
    place = error.span
    if place is None:
        return locator.span(error.key, error.member) if error.key else None
    end = (place.end_line or place.line, place.end_column) if place.end_column else None
    return locator.text_span(place.path, place.line, place.column, end)


class _Owners:
    """Who gives which file; a link in the project may lead two paths to one."""

    def __init__(self, root: Path, taken: Iterable[PurePosixPath]) -> None:
        self._root = root
        self._owners = {self._place(path): "tschema" for path in taken}
        self._folders = {folder for place in self._owners for folder in place.parents}

    def claim(self, command: str, path: str) -> Diagnostic | None:
        """Note that a plugin gives a file; return what keeps it from that."""
        place = self._place(PurePosixPath(path))
        clash = self._clash(place)
        if clash is None:
            self._owners[place] = f"plugin `{command}`"
            self._folders.update(place.parents)
            return None
        message = f"plugin `{command}` gives the file `{path}`, {clash}"
        help = "let each plugin write into a folder of its own"
        return Diagnostic("TS058", "error", message, help=help)

    def _clash(self, place: Path) -> str | None:
        if place in self._owners:
            return f"which {self._owners[place]} gives already"
        if place in self._folders:
            return "where another output has a folder"
        above = next((folder for folder in place.parents if folder in self._owners), None)
        return f"and {self._owners[above]} a file in place of its folder" if above else None

    def _place(self, path: PurePosixPath) -> Path:
        return Path(os.path.realpath(self._root / path))


def _path_fault(command: str, file: _File) -> Diagnostic | None:
    """Return the error in a file's path or in its first lines, or None."""
    path = file.path
    parts = PurePosixPath(path).parts
    is_odd = "\\" in path or "\0" in path or ".." in parts or path.endswith("/")
    if not parts or is_odd or is_outside(path):
        message = f"plugin `{command}` gives a file outside the output folder: `{path}`"
        help = "a path is relative to the project's root, stays below it, and has forward slashes"
        return Diagnostic("TS053", "error", message, help=help)
    if not header_sources(file.text.encode()):
        message = f"file `{path}` of plugin `{command}` does not say that it is generated"
        help = (
            "state `Generated by tschema from SOURCE` in a comment in its first two lines: "
            "without that, no later run may replace it"
        )
        return Diagnostic("TS059", "error", message, help=help)
    return None
