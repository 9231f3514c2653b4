"""`uir completion`: completion of the command line in a shell."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from tschema.command_line import SHELLS, Words, answer_shell, completion_script
from tschema.diagnostics.explain import explanations

from ..transform import list_options, list_pass_names
from .cpu_features import NEEDED
from .refusals import refusals

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
    "seed",
    "shape",
    "threads",
    "timeout",
    "trials",
)
"""Arguments that name neither a file nor anything known."""

_LAST_PASS = re.compile(r"(.*[,(]\s*|\s*)([\w.]*)$")
_LAST_OPTION = re.compile(r"(.*?([\w.]+)\{(?:[^{}]*,\s*)?)(\w*)$")


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
    words: dict[str, Words] = dict.fromkeys(_NEW_WORDS, ())
    words |= dict.fromkeys(("disable_pass", "name", "until"), names)
    words["print_after"] = ("all", "changed", *names)
    words["passes"] = partial(pass_texts, (*names, "default_pipeline"))
    words["arch"] = ("native", "x86-64", *NEEDED)
    words["code"] = tuple(explanations())
    words["operator"] = tuple(one.operator for one in refusals())
    words["config"] = tuple(f"{name}=" for name in list_options())
    answer_shell(parser, words)


def pass_texts(names: Sequence[str], text: str) -> Iterator[str]:
    """Yield the texts of `--passes` with a pass at the end, or in braces an option of one."""
    if text.rfind("{") > text.rfind("}"):
        found = _LAST_OPTION.match(text)
        for name in list_options() if found else ():
            of_pass, _, option = name.partition(".")
            if found and of_pass == found[2]:
                yield f"{found[1]}{option}="
        return
    found = _LAST_PASS.match(text)
    yield from (f"{found[1]}{name}" for name in names) if found else ()
