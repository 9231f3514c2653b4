"""`uir bisect`: the first pass, and the function in it, after which a command fails."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from .. import script
from .failing_command import add_failure, failure_of
from .json_output import add_json, print_json
from .passes import pass_context
from .programs import write_text
from .table import rows_text

__all__ = ["add_bisect"]


def add_bisect(commands: Any) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "bisect",
        help="find the pass that makes a command fail",
        description="Find the first pass, and the function in it, after which a command fails.",
    )
    parser.add_argument("-o", "--output", type=Path, help="a file for the module before the pass")
    add_json(parser)
    add_failure(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Find the pass, and print its name and place, and the function.

    Raises
    ------
    ValueError
        If the command fails before all passes, or does not fail after them.
    """
    from ..testing import bisect  # Needs NumPy, which other commands do without.

    module, passes, command = failure_of(options)
    with pass_context(options, passes, []):
        found = bisect(module, passes, lambda result: command.fails(result, module))
    if options.output:
        write_text(options.output, f"{script.print(found.before)}\n")
    name, number = str(found.pass_.pass_info.name), found.place + 1
    if options.json:
        output = None if options.output is None else str(options.output)
        place = {"pass": name, "number": number, "pass_count": len(passes)}
        print_json({**place, "function": found.function, "output": output})
        return
    rows = [("pass", f"{name}, number {number} of {len(passes)}")]
    print(rows_text([*rows, ("function", found.function or "not one function alone")]))
