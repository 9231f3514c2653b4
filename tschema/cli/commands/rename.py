"""`tschema rename`: renames a declaration in all schema files.

In: the arguments.  Out: an outcome.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator

from tschema.cli.changed_files import diff, planned
from tschema.cli.chosen_project import check_schema_files, chosen_config
from tschema.cli.outcome import DONE, FOUND, Outcome, out, remark
from tschema.editing.project import read_project
from tschema.editing.rename import find_mentions, find_target, rename
from tschema.output.files import compare, write


def run(options: argparse.Namespace, progress: Callable[[str], None]) -> Iterator[Outcome]:
    """Yield the renamed declarations, and the hand-written lines that have the old name."""
    config = chosen_config(options)
    check_schema_files(config)
    progress("reading the schema")
    project = read_project(config)
    target = find_target(project.schema, options.declaration)
    progress(f"renaming {target.dotted}")
    renaming = rename(project, target, options.new_name)
    old, new = renaming.rewrite.old, renaming.rewrite.new
    changes = compare(new, old)
    if options.diff:
        yield Outcome(FOUND if changes else DONE, pieces=(diff(changes, old, new),))
        return
    mentions = tuple(find_mentions(config, project.schema, renaming))
    if options.dry_run:
        yield Outcome(DONE, mentions, tuple(planned(changes)))
        return
    write(config.root, new, changes, old)
    count = len(changes.written)
    pieces = [out(f"renamed {target.dotted} in {count} file{'s' * (count != 1)}")]
    if mentions:
        count = len(mentions)
        lines = f"{count} line{'s' * (count != 1)} of hand-written code"
        pieces.append(remark(f"{lines} may have the old name; then run `tschema gen`"))
    yield Outcome(DONE, mentions, tuple(pieces))
