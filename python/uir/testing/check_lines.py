"""Tests as text: script files with the commands that read them and the output to expect.

In: a file with lines `# RUN:` and `# CHECK:`. Out: nothing, or an assertion that names
the line that does not match. The package `filecheck` compares; LLVM's `lit` can run the same files.
"""

from __future__ import annotations

import io
import re
import shlex
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

__all__ = ["check_script", "script_files"]

_RUN = re.compile(r"^\s*#\s*RUN:(.*)$", re.MULTILINE)
_COMMAND = re.compile(
    r"(?P<fails>not\s+)?uir\s+(?P<words>[^|]+?)(?P<errors>\s+2>&1)?\s*\|\s*filecheck\s+(?P<check>.+)"
)
_SHAPE = "`# RUN: uir opt %s --passes NAME | filecheck %s`"


def script_files(folder: Path) -> list[Path]:
    """Return the files that `check_script` checks, for `pytest.mark.parametrize`.

    Parameters
    ----------
    folder
        Where to look, with its subfolders.

    Returns
    -------
    list[Path]
        The files `.py` with a line `# RUN:`, sorted.

    Raises
    ------
    ValueError
        If there are none, so that a misspelt folder does not pass for a test.
    """
    found = [path for path in sorted(folder.rglob("*.py")) if _RUN.search(path.read_text("utf-8"))]
    if not found:
        raise ValueError(f"`{folder}` has no file with a line `# RUN:`")
    return found


def check_script(path: Path) -> None:
    """Run the commands of a file, and compare their output with its `CHECK` lines.

    A command is `uir opt %s --passes Simplify | filecheck %s`, where `%s` is the file and `%S` its
    folder; a command in front of which `not` stands must fail. `2>&1` adds the standard error to
    the output. The commands run in this process and without a shell.

    Parameters
    ----------
    path
        The file, which is script. Lines `# CHECK:` follow LLVM's FileCheck: `CHECK-NEXT`,
        `CHECK-NOT`, `CHECK-LABEL`, `CHECK-DAG`, `{{patterns}}` and `[[NAME:patterns]]`.

    Raises
    ------
    AssertionError
        If a command ends with the wrong status, or its output differs. The message has the line
        that does not match, and the output.
    ImportError
        If the package `filecheck` is not installed.
    ValueError
        If the file has no line `# RUN:`, or one of another form.
    """
    commands = [*_commands(path)]
    if not commands:
        raise ValueError(f"`{path}` has no line `# RUN:`")
    for command in commands:
        output = _output(command, path)
        problem = _mismatch(command.check, output)
        assert not problem, f"{command.text}\n{problem}\nthe output is:\n{output}"


class _Command(NamedTuple):
    """A line `# RUN:`."""

    text: str
    fails: bool
    words: Sequence[str]
    with_errors: bool
    check: Sequence[str]


def _commands(path: Path) -> Iterator[_Command]:
    for text in _RUN.findall(path.read_text("utf-8")):
        found = _COMMAND.fullmatch(text.strip())
        if found is None:
            raise ValueError(f"`{path}`: expected {_SHAPE}, got `# RUN:{text}`")
        words, check = (_words(found[part], path) for part in ("words", "check"))
        yield _Command(text.strip(), bool(found["fails"]), words, bool(found["errors"]), check)


def _words(text: str, path: Path) -> list[str]:
    """Return the words of a part of a command; paths replace `%s` and `%S`."""
    folder = str(path.parent)
    return [word.replace("%S", folder).replace("%s", str(path)) for word in shlex.split(text)]


def _output(command: _Command, path: Path) -> str:
    """Run the command before the bar, and return its output."""
    printed, errors = io.StringIO(), io.StringIO()
    with redirect_stdout(printed), redirect_stderr(printed if command.with_errors else errors):
        try:
            # The command builds on this module.
            status = int(import_module("uir.commands").main(command.words))
        except SystemExit as end:  # The arguments are wrong.
            status = int(end.code or 0)
    wanted = "an error" if command.fails else "success"
    ended = f"{path}: `{command.text}` ended with status {status}, expected {wanted}\n"
    assert bool(status) == command.fails, ended + errors.getvalue() + printed.getvalue()
    return printed.getvalue()


def _mismatch(check: Sequence[str], output: str) -> str:
    """Return what `filecheck` says about an output; nothing if it matches."""
    try:
        from filecheck.finput import FInput
        from filecheck.matcher import Matcher
        from filecheck.options import parse_argv_options
        from filecheck.parser import Parser
    except ModuleNotFoundError as error:
        message = "`CHECK` lines need the package `filecheck`: install `uir[testing]`"
        raise ImportError(message) from error
    options = parse_argv_options(["filecheck", *check])
    matcher = Matcher(options, FInput("<output>", output), Parser.from_opts(options))
    matcher.stderr = io.StringIO()
    with redirect_stdout(io.StringIO()):  # It prints traces.
        failed = matcher.run()
    return matcher.stderr.getvalue() if failed else ""
