"""`tschema cmake-args`: the arguments with which `cmake` finds tschema."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator

from tschema.cli.outcome import FAILED, Outcome, out, remark
from tschema.project.cmake import cmake_args

__all__ = ["run"]


def run(_options: argparse.Namespace, _progress: Callable[[str], None]) -> Iterator[Outcome]:
    """Yield the arguments, on one line."""
    try:
        yield Outcome(pieces=(out(" ".join(cmake_args())),))
    except FileNotFoundError as error:
        yield Outcome(FAILED, pieces=(remark(str(error)),))
