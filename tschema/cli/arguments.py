"""The arguments of every command.

Out: the parser of the command line, which completion scripts use too.  It describes the arguments
and does not implement the commands.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tschema import __version__
from tschema.backends import BACKENDS
from tschema.cli.commands import COMMANDS
from tschema.cli.report import FORMATS
from tschema.command_line import SHELLS, CommandParser

_Add = Callable[[argparse._ActionsContainer], object]
"""Adds arguments to a parser, or to a group of one."""
_EPILOG = """exit status:
  0  done, or up to date
  1  the check found something: a file that is out of date, a hand edit, a missing method
  2  the input is wrong
  3  tschema or the disk failed
"""


def make_parser(command: str | None = None) -> argparse.ArgumentParser:
    """Return the parser, which leaves the name of the command in `command`.

    Parameters
    ----------
    command
        The command that is to be parsed, if it is known: to describe the arguments of the others
        takes as long as to parse a schema.
    """
    parser = CommandParser(
        prog="tschema",
        description="Declare IR nodes once, use them from C++, Python and Rust.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"tschema {__version__}")
    commands = parser.add_subparsers(
        title="commands", metavar="COMMAND", required=True, dest="command"
    )
    for name, help in COMMANDS.items():
        if command not in COMMANDS or name == command:
            parser_of_command = commands.add_parser(name, help=help)
            for add in _ARGUMENTS.get(name, ()):
                add(parser_of_command)
    return parser


def _argument(names: str, metavar: str | None, help: str, **settings: Any) -> _Add:
    """Return an argument, given its names with blanks between, and settings of argparse."""
    return lambda parser: parser.add_argument(
        *names.split(), metavar=metavar, help=help, **settings
    )


def _path(names: str, metavar: str, help: str, **settings: Any) -> _Add:
    return _argument(names, metavar, help, type=Path, **settings)


def _flag(names: str, help: str, **settings: Any) -> _Add:
    return lambda parser: parser.add_argument(
        *names.split(), action="store_true", help=help, **settings
    )


def _repeated(name: str, dest: str, metavar: str, help: str, **settings: Any) -> _Add:
    """Return an option that collects its values in a list."""
    return _argument(name, metavar, help, dest=dest, action="append", default=[], **settings)


def _one_of(*arguments: _Add) -> _Add:
    """Return arguments of which a command line has one."""

    def add(parser: argparse._ActionsContainer) -> None:
        group = parser.add_mutually_exclusive_group()
        for one in arguments:
            one(group)

    return add


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number above 0")
    return int(text)


def _languages(text: str) -> frozenset[str]:
    languages = frozenset(filter(None, text.split(",")))
    unknown = sorted(languages.difference(BACKENDS))
    if unknown or not languages:
        listed = ", ".join(BACKENDS)
        raise argparse.ArgumentTypeError(f"unknown language {unknown or text!r}, not of {listed}")
    return languages


_CONFIG = _path(
    "--config", "FILE", "the configuration; the nearest tschema.toml or pyproject.toml by default"
)
_FORMAT = _argument(
    "--format",
    None,
    "the format of errors and warnings; json and sarif print one document",
    choices=FORMATS,
    default=FORMATS[0],
)
_CHECK = _flag("--check", "write nothing; exit with 1 if a file is out of date")
_SHOWING = (
    _flag("--diff", "write nothing, show the differences"),
    _flag("--dry-run", "write nothing, list the files that would change"),
)
_EDITS = (_CONFIG, _one_of(*_SHOWING), _FORMAT)
"""Of commands that edit files of the user."""

_ARGUMENTS: Mapping[str, tuple[_Add, ...]] = {
    "gen": (
        _path(
            "paths",
            "PATHS",
            "schema files or folders to generate code for; all by default",
            nargs="*",
        ),
        _CONFIG,
        _argument(
            "--lang",
            "LANGS",
            f"languages to generate, of {','.join(BACKENDS)}; all that are configured by default",
            type=_languages,
        ),
        _path("--out-dir", "DIR", "folder that output paths are relative to"),
        _repeated(
            "--plugin",
            "plugins",
            "PROG",
            "program that reads the JSON IR and returns more files; may be repeated",
        ),
        _one_of(_CHECK, *_SHOWING),
        _one_of(
            _flag("--discard", "discard hand edits outside custom regions"),
            _flag(
                "--adopt",
                "put blocks around classes, and move lines added by hand to the custom regions",
            ),
        ),
        _flag("--strict", "with --adopt: write nothing and exit with 1 if a class stays by hand"),
        _flag(
            "--try",
            "check the syntax of C++ written in place, before and after: write nothing and "
            "exit with 1 if there is a new error",
            dest="is_trial",
        ),
        _path(
            "--compile-commands",
            "FILE",
            "how --try compiles: a compile_commands.json; that of the project, or of its "
            "folder build, by default",
        ),
        _path("--depfile", "FILE", "write the dependencies of the outputs, for make and ninja"),
        _repeated(
            "--depfile-target",
            "depfile_targets",
            "NAME",
            "the target of the rule in the depfile; the outputs by default",
        ),
        _flag("--watch", "run again on each change, until interrupted"),
        _FORMAT,
        _flag("-v --verbose", "name every file"),
    ),
    "new": (_path("folder", "DIR", "where it is made; its name is the package's"),),
    "init": (
        _path(
            "folder",
            "DIR",
            "the root of the project; the working directory by default",
            nargs="?",
            default=Path(),
        ),
        _argument(
            "--package",
            "NAME",
            "first part of type keys; the one that most classes have by default",
        ),
        _flag("--dry-run", "write nothing, show what would be"),
    ),
    "ir": (
        _CONFIG,
        _flag("--json-schema", "print the JSON Schema of the JSON IR instead"),
        _FORMAT,
    ),
    "build": (
        _path(
            "schema",
            "PATH",
            "schema file or folder; the declarations of the project by default",
            nargs="?",
        ),
        _path(
            "-o --output", "FILE", "the library; build/lib<package>.so of the project by default"
        ),
        _repeated(
            "--source",
            "sources",
            "FILE",
            "hand-written C++ file, or folder of them; may be repeated",
            type=Path,
        ),
        _argument(
            "--package",
            "NAME",
            "the package, without a configuration; that of lib<package>.so by default",
        ),
        _path("--keep", "DIR", "leave the generated C++ and the objects there"),
        _argument(
            "-j --jobs",
            "N",
            "the number of files to compile in parallel",
            type=_count,
            default=os.cpu_count() or 1,
        ),
        _CONFIG,
        _FORMAT,
        _flag("-v --verbose", "show every command"),
    ),
    "verify": (
        _CONFIG,
        _path(
            "--library",
            "FILE",
            "the built library; the configured one, or that of the build folder, by default",
        ),
        _path(
            "--against",
            "FILE",
            "an older build of the library: report changed registrations",
        ),
        _FORMAT,
        _flag("-v --verbose", "list the checks that ran and those that did not"),
    ),
    "merge-driver": (
        _argument(
            "versions",
            "ARGUMENT",
            "what git gives for %%O %%A %%B %%L %%P, and for %%S %%X %%Y if it knows them",
            nargs="*",
        ),
        _flag(
            "--install",
            "have git merge generated files so: .gitattributes, and settings of the repository",
        ),
        _CONFIG,
    ),
    "breaking": (
        _argument(
            "--against",
            "REV|FILE",
            "the older version: a revision of git, a schema.json, or another project",
            required=True,
        ),
        _CONFIG,
        _FORMAT,
    ),
    "rename": (
        _argument(
            "declaration",
            "NAME",
            "the old name with its namespace, such as uir.tir.For or uir.tir.For.extent",
        ),
        _argument("new_name", "NEW", "the new name, without a namespace"),
        *_EDITS,
    ),
    "import": (
        _repeated(
            "--registry",
            "registries",
            "NAME",
            "a Python package, or a shared library, that registers types; may be repeated",
        ),
        _path(
            "--headers",
            "PATH",
            "folders of C++ headers and sources, and single files; may be repeated",
            nargs="+",
            action="extend",
            default=[],
        ),
        _argument(
            "--python",
            "FILE",
            "the interpreter that has the package; the one that runs tschema by default",
        ),
        _repeated(
            "--key", "keys", "PREFIX", "import type keys below this prefix only; may be repeated"
        ),
        _path(
            "--out",
            "DIR",
            "the schema folder to write to; the first one of the configuration by default",
        ),
        _CONFIG,
        _one_of(_CHECK, *_SHOWING),
        _FORMAT,
        _flag("-v --verbose", "list every class"),
    ),
    "fix": (_path("paths", "PATHS", "files or folders to fix; all by default", nargs="*"), *_EDITS),
    "stub": (
        _flag("--lowerings", "also write what computes operators whose declarations do not say it"),
        *_EDITS,
    ),
    "unadopt": (
        _argument("classes", "CLASS", "data classes, or type keys, whose blocks go", nargs="+"),
        *_EDITS,
    ),
    "explain": (_argument("code", "CODE", "such as TS012; all are listed by default", nargs="?"),),
    "completion": (_argument("shell", "SHELL", "/".join(SHELLS), choices=SHELLS),),
}
"""The arguments of each command that has some."""
