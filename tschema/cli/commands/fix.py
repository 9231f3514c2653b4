"""`tschema fix`: applies the helps of diagnostics.

In: the arguments.  Out: an outcome.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator

from tschema.adoption.in_place import missing_lines
from tschema.cli.changed_files import edit
from tschema.cli.chosen_project import checked_config
from tschema.cli.outcome import DONE, WRONG_INPUT, Outcome, Piece, counted, out, remark
from tschema.editing.fix import Fixed, fix_project
from tschema.output.files import Changes


def run(options: argparse.Namespace, progress: Callable[[str], None]) -> Iterator[Outcome]:
    """Yield the fixes, and the remaining diagnostics."""
    config = checked_config(options)
    progress("fixing")
    fixed = fix_project(config, missing_lines, options.paths)

    def done(changes: Changes) -> Outcome:
        has_errors = any(one.severity == "error" for one in fixed.left)
        pieces = tuple(_done(fixed, len(changes.written)))
        return Outcome(WRONG_INPUT if has_errors else DONE, fixed.left, pieces)

    yield edit(options, config.root, fixed.rewrite, (), done)


def _done(fixed: Fixed, n_files: int) -> Iterator[Piece]:
    for one in fixed.fixed:
        yield out(f"{one.span}: {one.code}: {one.message}")
    if fixed.fixed:
        diagnostics = counted(len(fixed.fixed), "diagnostic")
        yield out(f"fixed {diagnostics} in {counted(n_files, 'file')}")
    else:
        yield out("nothing to fix")
    if fixed.left:
        yield remark(f"{len(fixed.left)} left without a fix")
