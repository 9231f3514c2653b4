"""`tschema completion`: prints a completion script for a shell."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator

from tschema.cli.outcome import Outcome, Piece
from tschema.command_line import completion_script


def run(options: argparse.Namespace, _progress: Callable[[str], None]) -> Iterator[Outcome]:
    """Yield the script of a shell."""
    yield Outcome(pieces=(Piece("out", completion_script("tschema", options.shell), is_data=True),))
