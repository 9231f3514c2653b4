"""`tschema cmake-args`, `cxx-args`, `link-args`: print the arguments for other build tools."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator

from tschema.cli.outcome import FAILED, Outcome, out, remark
from tschema.project.cmake import cmake_args
from tschema.project.cxx_toolchain import cxx_args, link_args

_ARGUMENTS = {"cmake-args": cmake_args, "cxx-args": cxx_args, "link-args": link_args}


def run(options: argparse.Namespace, _progress: Callable[[str], None]) -> Iterator[Outcome]:
    """Yield the arguments, on one line."""
    try:
        yield Outcome(pieces=(out(" ".join(_ARGUMENTS[options.command]())),))
    except FileNotFoundError as error:
        yield Outcome(FAILED, pieces=(remark(str(error)),))
