"""`uir completion`: completion of the command line in a shell."""

from __future__ import annotations

import argparse
import os
from typing import Any

from tschema.command_line import SHELLS, answer_shell, completion_script

from ..transform import list_options, list_pass_names

__all__ = ["add_completion", "answer"]

_NEW_WORDS = (
    "attempts",
    "budget",
    "command",
    "constant",
    "context",
    "dim",
    "dtype",
    "expression",
    "function",
    "glibc",
    "kernel",
    "message",
    "number",
    "passes",
    "seed",
    "shape",
    "threads",
    "timeout",
    "trials",
)
"""Arguments that name neither a file nor anything known."""


def add_completion(commands: Any) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "completion",
        help="print the script by which a shell completes commands",
        description="Print the script by which a shell completes the command `uir`.",
    )
    parser.add_argument("shell", choices=SHELLS)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Print the script of a shell."""
    print(completion_script("uir", options.shell), end="")


def answer(parser: argparse.ArgumentParser) -> None:
    """Answer the question of a shell, if that is why it runs this program, and exit."""
    if "_ARGCOMPLETE" not in os.environ:
        return
    names = tuple(list_pass_names())
    words: dict[str, tuple[str, ...]] = dict.fromkeys(_NEW_WORDS, ())
    words |= dict.fromkeys(("disable_pass", "name", "until"), names)
    words["print_after"] = ("all", "changed", *names)
    words["config"] = tuple(f"{name}=" for name in list_options())
    answer_shell(parser, words)
