"""`tschema fix`: applies the helps of diagnostics.

In: the arguments.  Out: an outcome.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator

from tschema.adoption.in_place import missing_lines
from tschema.cli.changed_files import diff, planned
from tschema.cli.chosen_project import check_schema_files, chosen_config
from tschema.cli.outcome import DONE, FOUND, WRONG_INPUT, Outcome, Piece, out, remark
from tschema.editing.fix import Fixed, fix_project
from tschema.output.files import compare, write


def run(options: argparse.Namespace, progress: Callable[[str], None]) -> Iterator[Outcome]:
    """Yield the fixes, and the remaining diagnostics."""
    config = chosen_config(options)
    check_schema_files(config)
    progress("fixing")
    fixed = fix_project(config, missing_lines, options.paths)
    old, new = fixed.rewrite.old, fixed.rewrite.new
    changes = compare(new, old)
    if options.diff:
        yield Outcome(FOUND if changes else DONE, pieces=(diff(changes, old, new),))
    elif options.dry_run:
        yield Outcome(DONE, pieces=tuple(planned(changes)))
    else:
        write(config.root, new, changes, old)
        yield Outcome(_status(fixed), fixed.left, tuple(_done(fixed, len(changes.written))))


def _status(fixed: Fixed) -> int:
    return WRONG_INPUT if any(one.severity == "error" for one in fixed.left) else DONE


def _done(fixed: Fixed, n_files: int) -> Iterator[Piece]:
    for one in fixed.fixed:
        yield out(f"{one.span}: {one.code}: {one.message}")
    count = len(fixed.fixed)
    if count:
        files = f"{n_files} file{'s' * (n_files != 1)}"
        yield out(f"fixed {count} diagnostic{'s' * (count != 1)} in {files}")
    else:
        yield out("nothing to fix")
    if fixed.left:
        yield remark(f"{len(fixed.left)} left without a fix")
