"""A command that fails for a module after passes, as `bisect` and `reduce` run it."""

from __future__ import annotations

import argparse
import shlex
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from uir_nodes.ir import IRModule
from uir_nodes.transform import Pass

from .. import script
from .compile import add_target, target_of
from .opt import add_sequence, sequence_of
from .passes import load_packages
from .programs import FILES, add_program, read_program

__all__ = ["FailingCommand", "Failure", "add_failure", "failure_of"]

FILE, INPUT = "{file}", "{input}"


def add_failure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that name a program, passes, a command and its failure."""
    parser.add_argument("program", type=Path, help=FILES)
    add_sequence(parser)
    add_target(parser)
    add_program(parser)
    parser.set_defaults(has_random_inputs=False)
    parser.add_argument(
        "--command",
        required=True,
        metavar="'CMD {file}'",
        help="the command; {file} is a module after the passes, {input} the one before them",
    )
    parser.add_argument("--message", help="a text that the output of a failed command has")
    parser.add_argument(
        "--timeout",
        type=float,
        default=60.0,
        metavar="SECONDS",
        help="the time limit of a command, by default 60; a command that exceeds it succeeds",
    )


class FailingCommand:
    """Runs a command on modules, and says for which it fails.

    Parameters
    ----------
    options
        The arguments of `add_failure`.

    Raises
    ------
    ValueError
        If the command has no `{file}`.
    """

    def __init__(self, options: argparse.Namespace) -> None:
        self.runs = 0
        self._words = shlex.split(options.command)
        self._message, self._timeout = options.message, options.timeout
        if not any(FILE in word for word in self._words):
            raise ValueError(f"--command: `{options.command}` has no `{FILE}`")

    def fails(self, module: IRModule, before: IRModule) -> bool:
        """Return whether the command fails for a module, which passes made from another one.

        Raises
        ------
        OSError
            If there is no such command.
        """
        self.runs += 1
        with TemporaryDirectory(prefix="uir-") as folder:
            words = _with_file(self._words, FILE, module, Path(folder, "module.py"))
            words = _with_file(words, INPUT, before, Path(folder, "input.py"))
            try:
                done = subprocess.run(
                    words, capture_output=True, text=True, errors="replace", timeout=self._timeout
                )
            except subprocess.TimeoutExpired:
                return False
        output = done.stdout + done.stderr
        return done.returncode != 0 and (self._message is None or self._message in output)


class Failure(NamedTuple):
    """A module, passes, and a command that fails for the module after the passes."""

    module: IRModule
    passes: list[Pass]
    command: FailingCommand


def failure_of(options: argparse.Namespace) -> Failure:
    """Return the failure that the arguments of `add_failure` name.

    Raises
    ------
    ValueError
        If the program, the passes or the command are malformed.
    """
    load_packages(options.load)
    passes = sequence_of(options, target_of(options))
    command = FailingCommand(options)
    return Failure(read_program(options.program, options), passes, command)


def _with_file(words: list[str], name: str, module: IRModule, path: Path) -> list[str]:
    """Replace a name in words by the path of a file with the script of a module."""
    if not any(name in word for word in words):
        return words
    path.write_text(f"{script.print(module)}\n", "utf-8")
    return [word.replace(name, str(path)) for word in words]
