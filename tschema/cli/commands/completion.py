"""`tschema completion`: prints a completion script for a shell."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator

from tschema.cli.completion import completion_script
from tschema.cli.outcome import Outcome, Piece


def run(options: argparse.Namespace, _progress: Callable[[str], None]) -> Iterator[Outcome]:
    """Yield the script of a shell."""
    yield Outcome(pieces=(Piece("out", completion_script(options.shell), is_data=True),))
