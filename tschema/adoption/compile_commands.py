"""The commands that a project compiles its C++ files with.

In: a `compile_commands.json`, as CMake, Meson, Bazel and others write it; or nothing.  Out: for a
file, a command without the source and without the output.  It runs no command.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from tschema.diagnostics.errors import schema_error
from tschema.project.cxx_toolchain import cxx_args

_NAME = "compile_commands.json"
_LAUNCHERS = ("ccache", "sccache", "distcc", "icecc", "buildcache")
_DROPPED = ("-c", "-S", "-E", "-M", "-MM", "-MG", "-MP", "-MD", "-MMD")
_DROPPED_WITH_VALUE = ("-o", "-MF", "-MT", "-MQ", "-MJ")
_PATH_FLAGS = ("-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-I")


class CompileCommand(Struct, frozen=True):
    """How a source is compiled."""

    directory: Path
    """The folder in which the compiler runs."""
    file: Path
    """The source."""
    arguments: tuple[str, ...]
    """The compiler and its flags, with absolute paths."""

    def includes(self) -> Iterator[Path]:
        """Yield the folders of headers."""
        rest = iter(self.arguments)
        for argument in rest:
            flag = next((one for one in _PATH_FLAGS if argument.startswith(one)), None)
            if flag is not None:
                yield Path(argument[len(flag) :] or next(rest, ""))


class _Entry(Struct):
    """An entry of the file; the format has more, which do not matter here."""

    directory: str
    file: str
    command: str | None = None
    arguments: tuple[str, ...] | None = None


def find_database(root: Path) -> Path | None:
    """Return the `compile_commands.json` of a project: in its root, or in a folder of a build."""
    builds = sorted(root.glob("*build*"), key=lambda one: (one.name != "build", one.name))
    nested = [one for build in builds for one in sorted(build.glob(f"*/{_NAME}"))]
    places = [root / _NAME, *(build / _NAME for build in builds), *nested]
    return next((path for path in places if path.is_file()), None)


def read_database(path: Path) -> list[CompileCommand]:
    """
    Read a `compile_commands.json`.

    Raises
    ------
    SchemaError
        It is missing, or is not such a file.
    """
    try:
        entries = msgspec.json.decode(path.read_bytes(), type=list[_Entry])
    except OSError as error:
        raise schema_error("TS157", f"cannot read `{path}`: {error.strerror}") from error
    except msgspec.DecodeError as error:
        raise schema_error("TS157", f"`{path}` is not a compilation database: {error}") from error
    return [_command(entry, path.parent) for entry in entries]


def default_command(root: Path, folders: Iterable[Path]) -> CompileCommand:
    """
    Return the command for a project without a `compile_commands.json`.

    Parameters
    ----------
    root
        The root of the project.
    folders
        Folders of headers, the project's own first.

    Raises
    ------
    SchemaError
        The headers of tschema or of tvm-ffi are missing.
    """
    program = shlex.split(os.environ.get("CXX", "")) or ["g++"]
    flags = shlex.split(os.environ.get("CXXFLAGS", ""))
    includes = [f"-I{folder}" for folder in folders]
    return CompileCommand(root, root, (*program, *toolchain_args(), *flags, *includes))


def toolchain_args() -> list[str]:
    """
    Return the flags with which a compiler finds the headers of tschema and tvm-ffi.

    Raises
    ------
    SchemaError
        Headers are missing.
    """
    try:
        return cxx_args()
    except FileNotFoundError as error:
        raise schema_error("TS157", str(error)) from error


def nearest_command(path: Path, commands: Sequence[CompileCommand]) -> CompileCommand:
    """
    Return the command of a source, or the one of the source that most likely includes a header.

    Parameters
    ----------
    path
        The source or header.
    commands
        Those of the project, at least one.
    """

    def closeness(one: CompileCommand) -> tuple[bool, bool, bool, int]:
        reaches = any(path.is_relative_to(folder) for folder in one.includes())
        shared = len(os.path.commonpath([one.file, path]))
        return one.file == path, reaches, one.file.stem == path.stem, shared

    return max(commands, key=closeness)


def _command(entry: _Entry, folder: Path) -> CompileCommand:
    directory = _absolute(entry.directory, folder)
    file = _absolute(entry.file, directory)
    words = list(entry.arguments or shlex.split(entry.command or ""))
    while len(words) > 1 and Path(words[0]).name in _LAUNCHERS:
        del words[0]
    program, flags = words[:1], words[1:]
    return CompileCommand(directory, file, (*program, *_flags(flags, file, directory)))


def _flags(words: Sequence[str], file: Path, directory: Path) -> Iterator[str]:
    """Yield the flags that say how to read a source."""
    rest = _expanded(words, directory)
    for word in rest:
        if word in _DROPPED_WITH_VALUE:
            next(rest, None)
        elif word in _DROPPED or word == "--" or word.startswith(("-Wp,-M", "-MF", "-MT", "-MQ")):
            continue
        elif word in _PATH_FLAGS:
            yield from (word, str(_absolute(next(rest, ""), directory)))
        elif flag := next((one for one in _PATH_FLAGS if word.startswith(one)), ""):
            yield flag + str(_absolute(word[len(flag) :], directory))
        elif word.startswith("-") or _absolute(word, directory) != file:
            yield word


def _expanded(words: Iterable[str], directory: Path) -> Iterator[str]:
    """Yield words, those of the files that `@file` names too."""
    for word in words:
        path = directory / word[1:]
        if word.startswith("@") and path.is_file():
            yield from _expanded(shlex.split(path.read_text("utf-8", "replace")), directory)
        else:
            yield word


def _absolute(text: str, directory: Path) -> Path:
    return Path(os.path.normpath(directory / text))
