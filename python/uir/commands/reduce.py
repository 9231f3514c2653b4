"""`uir reduce`: the smallest module for which a command still fails."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from uir_nodes.ir import IRModule

from .. import script
from ..transform import Sequential
from .failing_command import add_failure, failure_of
from .json_output import add_json, print_json, written
from .passes import pass_context
from .programs import positive, write_text

__all__ = ["add_reduce"]


def add_reduce(commands: Any) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "reduce",
        help="make a module small for which a command fails",
        description="Make a module as small as it can be while a command fails for it.",
    )
    parser.add_argument("-o", "--output", type=Path, help="the file of the small module")
    add_failure(parser)
    parser.add_argument(
        "--attempts", type=positive, default=2000, help="the most modules to try, by default 2000"
    )
    add_json(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Reduce a module, and write it as script.

    Raises
    ------
    ValueError
        If the command does not fail for the module.
    """
    from ..testing import reduce  # Needs NumPy, which other commands do without.

    module, passes, command = failure_of(options)
    sequence = Sequential(passes, name="reduce")
    with pass_context(options, passes, []):
        if not command.fails(sequence(module), module):
            raise ValueError(f"--command: it does not fail for `{options.program}`")

        def is_failing(candidate: IRModule) -> bool:
            try:
                result = sequence(candidate)
            except Exception:
                # A user's pass may raise anything, which is not the failure that is reduced.
                return False
            return command.fails(result, candidate)

        small = reduce(module, is_failing, attempts=options.attempts)
    text = f"{script.print(small)}\n"
    if options.json:
        print_json({**written(options.output, text), "run_count": command.runs})
        return
    write_text(options.output, text)
    print(f"the command ran {command.runs} times", file=sys.stderr)
