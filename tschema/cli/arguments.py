"""The arguments of every command.

Out: the parser of the command line, which completion scripts use too.  It describes the arguments
and does not implement the commands.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from tschema import __version__
from tschema.backends import BACKENDS
from tschema.cli.commands import COMMANDS
from tschema.cli.report import FORMATS
from tschema.command_line import SHELLS, CommandParser

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
            add_arguments = _ARGUMENTS.get(name, lambda _parser: None)
            add_arguments(commands.add_parser(name, help=help))
    return parser


def _add_gen(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths",
        metavar="PATHS",
        nargs="*",
        type=Path,
        help="schema files or folders to generate code for; all by default",
    )
    _add_config(parser)
    parser.add_argument(
        "--lang",
        metavar="LANGS",
        type=_languages,
        help=f"languages to generate, of {','.join(BACKENDS)}; all that are configured by default",
    )
    parser.add_argument(
        "--out-dir", metavar="DIR", type=Path, help="folder that output paths are relative to"
    )
    parser.add_argument(
        "--plugin",
        metavar="PROG",
        dest="plugins",
        action="append",
        default=[],
        help="program that reads the JSON IR and returns more files; may be repeated",
    )
    _add_modes(parser)
    _add_depfile(parser)
    parser.add_argument(
        "--watch", action="store_true", help="run again on each change, until interrupted"
    )
    _add_format(parser)
    parser.add_argument("-v", "--verbose", action="store_true", help="name every file")


def _add_new(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "folder", metavar="DIR", type=Path, help="where it is made; its name is the package's"
    )


def _add_init(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "folder",
        metavar="DIR",
        nargs="?",
        default=Path(),
        type=Path,
        help="the root of the project; the working directory by default",
    )
    parser.add_argument(
        "--package",
        metavar="NAME",
        help="first part of type keys; the one that most classes have by default",
    )
    parser.add_argument("--dry-run", action="store_true", help="write nothing, show what would be")


def _add_explain(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "code", metavar="CODE", nargs="?", help="such as TS012; all are listed by default"
    )


def _add_completion(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", metavar="SHELL", choices=SHELLS, help="/".join(SHELLS))


def _add_modes(parser: argparse.ArgumentParser) -> None:
    modes = parser.add_mutually_exclusive_group()
    modes.add_argument(
        "--check", action="store_true", help="write nothing; exit with 1 if a file is out of date"
    )
    modes.add_argument("--diff", action="store_true", help="write nothing, show the differences")
    modes.add_argument(
        "--dry-run", action="store_true", help="write nothing, list the files that would change"
    )
    edits = parser.add_mutually_exclusive_group()
    edits.add_argument(
        "--discard", action="store_true", help="discard hand edits outside custom regions"
    )
    edits.add_argument(
        "--adopt",
        action="store_true",
        help="put blocks around classes, and move lines added by hand to the custom regions",
    )
    parser.add_argument(
        "--strict",
        action="store_true",
        help="with --adopt: write nothing and exit with 1 if a class stays by hand",
    )
    parser.add_argument(
        "--try",
        dest="is_trial",
        action="store_true",
        help="check the syntax of C++ written in place, before and after: write nothing and exit "
        "with 1 if there is a new error",
    )
    parser.add_argument(
        "--compile-commands",
        metavar="FILE",
        type=Path,
        help="how --try compiles: a compile_commands.json; that of the project, or of its folder "
        "build, by default",
    )


def _add_depfile(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--depfile",
        metavar="FILE",
        type=Path,
        help="write the dependencies of the outputs, for make and ninja",
    )
    parser.add_argument(
        "--depfile-target",
        metavar="NAME",
        dest="depfile_targets",
        action="append",
        default=[],
        help="the target of the rule in the depfile; the outputs by default",
    )


def _add_ir(parser: argparse.ArgumentParser) -> None:
    _add_config(parser)
    parser.add_argument(
        "--json-schema", action="store_true", help="print the JSON Schema of the JSON IR instead"
    )
    _add_format(parser)


def _add_build(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "schema",
        metavar="PATH",
        nargs="?",
        type=Path,
        help="schema file or folder; the declarations of the project by default",
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        type=Path,
        help="the library; build/lib<package>.so of the project by default",
    )
    parser.add_argument(
        "--source",
        metavar="FILE",
        dest="sources",
        action="append",
        default=[],
        type=Path,
        help="hand-written C++ file, or folder of them; may be repeated",
    )
    parser.add_argument(
        "--package",
        metavar="NAME",
        help="the package, without a configuration; that of lib<package>.so by default",
    )
    parser.add_argument(
        "--keep", metavar="DIR", type=Path, help="leave the generated C++ and the objects there"
    )
    parser.add_argument(
        "-j",
        "--jobs",
        metavar="N",
        type=_count,
        default=os.cpu_count() or 1,
        help="the number of files to compile in parallel",
    )
    _add_config(parser)
    _add_format(parser)
    parser.add_argument("-v", "--verbose", action="store_true", help="show every command")


def _add_verify(parser: argparse.ArgumentParser) -> None:
    _add_config(parser)
    parser.add_argument(
        "--library",
        metavar="FILE",
        type=Path,
        help="the built library; the configured one, or that of the build folder, by default",
    )
    parser.add_argument(
        "--against",
        metavar="FILE",
        type=Path,
        help="an older build of the library: report what the new one registers otherwise",
    )
    _add_format(parser)
    parser.add_argument(
        "-v", "--verbose", action="store_true", help="list what was checked and what was not"
    )


def _add_merge_driver(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "versions",
        metavar="ARGUMENT",
        nargs="*",
        help="what git gives for %%O %%A %%B %%L %%P, and for %%S %%X %%Y if it knows them",
    )
    parser.add_argument(
        "--install",
        action="store_true",
        help="have git merge generated files so: .gitattributes, and settings of the repository",
    )
    _add_config(parser)


def _add_breaking(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--against",
        metavar="REV|FILE",
        required=True,
        help="the older version: a revision of git, a schema.json, or another project",
    )
    _add_config(parser)
    _add_format(parser)


def _add_rename(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "declaration",
        metavar="NAME",
        help="what is renamed, with its namespace: uir.tir.For, uir.tir.For.extent",
    )
    parser.add_argument("new_name", metavar="NEW", help="the new name, without a namespace")
    _add_config(parser)
    _add_edit_modes(parser)
    _add_format(parser)


def _add_fix(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths",
        metavar="PATHS",
        nargs="*",
        type=Path,
        help="files or folders to fix; all by default",
    )
    _add_config(parser)
    _add_edit_modes(parser)
    _add_format(parser)


def _add_unadopt(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "classes", metavar="CLASS", nargs="+", help="data classes, or type keys, whose blocks go"
    )
    _add_config(parser)
    _add_edit_modes(parser)
    _add_format(parser)


def _add_stub(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--lowerings",
        action="store_true",
        help="also write what computes operators whose declarations do not say it",
    )
    _add_config(parser)
    _add_edit_modes(parser)
    _add_format(parser)


def _add_edit_modes(parser: argparse.ArgumentParser) -> None:
    _add_showing(parser.add_mutually_exclusive_group())


def _add_showing(modes: argparse._MutuallyExclusiveGroup) -> None:
    modes.add_argument("--diff", action="store_true", help="write nothing, show the differences")
    modes.add_argument(
        "--dry-run", action="store_true", help="write nothing, list the files that would change"
    )


def _add_import(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--registry",
        metavar="NAME",
        dest="registries",
        action="append",
        default=[],
        help="a Python package, or a shared library, that registers types; may be repeated",
    )
    parser.add_argument(
        "--headers",
        metavar="PATH",
        nargs="+",
        action="extend",
        default=[],
        type=Path,
        help="folders of C++ headers and sources, and single files; may be repeated",
    )
    parser.add_argument(
        "--python",
        metavar="FILE",
        help="the interpreter that has the package; the one that runs tschema by default",
    )
    parser.add_argument(
        "--key",
        metavar="PREFIX",
        dest="keys",
        action="append",
        default=[],
        help="import type keys below this prefix only; may be repeated",
    )
    parser.add_argument(
        "--out",
        metavar="DIR",
        type=Path,
        help="the schema folder to write to; the first one of the configuration by default",
    )
    _add_config(parser)
    modes = parser.add_mutually_exclusive_group()
    modes.add_argument(
        "--check", action="store_true", help="write nothing; exit with 1 if a file is out of date"
    )
    _add_showing(modes)
    _add_format(parser)
    parser.add_argument("-v", "--verbose", action="store_true", help="list every class")


def _add_config(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--config",
        metavar="FILE",
        type=Path,
        help="the configuration; the nearest tschema.toml or pyproject.toml by default",
    )


def _add_format(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--format",
        choices=FORMATS,
        default=FORMATS[0],
        help="the format of errors and warnings; json and sarif print one document",
    )


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


_ARGUMENTS = {
    "gen": _add_gen,
    "new": _add_new,
    "init": _add_init,
    "ir": _add_ir,
    "build": _add_build,
    "verify": _add_verify,
    "merge-driver": _add_merge_driver,
    "breaking": _add_breaking,
    "rename": _add_rename,
    "import": _add_import,
    "fix": _add_fix,
    "stub": _add_stub,
    "unadopt": _add_unadopt,
    "explain": _add_explain,
    "completion": _add_completion,
}
"""What adds the arguments of each command that has some."""
