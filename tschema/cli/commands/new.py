"""`tschema new`: creates a project that builds.

In: the arguments.  Out: one outcome.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator

from tschema.cli.outcome import WRONG_INPUT, Outcome, out, remark
from tschema.output.files import compare, is_vacant, write
from tschema.pipeline.new_project import is_package_name, new_project


def run(options: argparse.Namespace, _progress: Callable[[str], None]) -> Iterator[Outcome]:
    """Yield the files of the project."""
    folder = options.folder.absolute()
    if not is_package_name(folder.name):
        what = f"`{folder.name}` is not a valid package name: expected a lower-case identifier"
        yield Outcome(WRONG_INPUT, pieces=(remark(what),))
    elif folder.exists() and not is_vacant(folder):
        yield Outcome(WRONG_INPUT, pieces=(remark(f"`{options.folder}` is not an empty folder"),))
    else:
        files = new_project(folder.name)
        write(folder, files, compare(files, {}), {})
        yield Outcome(pieces=tuple(out(f"wrote {options.folder / path}") for path in files))
