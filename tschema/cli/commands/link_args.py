"""`tschema link-args`: the arguments with which a linker finds tschema."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator

from tschema.cli.outcome import FAILED, Outcome, out, remark
from tschema.project.cxx_toolchain import link_args

__all__ = ["run"]


def run(_options: argparse.Namespace, _progress: Callable[[str], None]) -> Iterator[Outcome]:
    """Yield the arguments, on one line."""
    try:
        yield Outcome(pieces=(out(" ".join(link_args())),))
    except FileNotFoundError as error:
        yield Outcome(FAILED, pieces=(remark(str(error)),))
