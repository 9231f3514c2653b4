"""`tschema completion`: a script that completes the command line."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator

from tschema.cli.arguments import make_parser
from tschema.cli.completion import completion_script
from tschema.cli.outcome import Outcome, Piece

__all__ = ["run"]


def run(options: argparse.Namespace, _progress: Callable[[str], None]) -> Iterator[Outcome]:
    """Yield the script of a shell."""
    script = completion_script(options.shell, make_parser())
    yield Outcome(pieces=(Piece("out", script, is_data=True),))
