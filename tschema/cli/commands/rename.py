"""`tschema rename`: renames a declaration in all schema files.

In: the arguments.  Out: an outcome.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator

from tschema.cli.changed_files import edit
from tschema.cli.chosen_project import checked_config
from tschema.cli.outcome import DONE, Outcome, counted, out, remark
from tschema.editing.project import read_project
from tschema.editing.rename import find_mentions, find_target, rename
from tschema.output.files import Changes


def run(options: argparse.Namespace, progress: Callable[[str], None]) -> Iterator[Outcome]:
    """Yield the renamed declarations, and the hand-written lines that have the old name."""
    config = checked_config(options)
    progress("reading the schema")
    project = read_project(config)
    target = find_target(project.schema, options.declaration)
    progress(f"renaming {target.dotted}")
    renaming = rename(project, target, options.new_name)
    mentions = () if options.diff else tuple(find_mentions(config, project.schema, renaming))

    def done(changes: Changes) -> Outcome:
        files = counted(len(changes.written), "file")
        pieces = [out(f"renamed {target.dotted} in {files}")]
        if mentions:
            lines = f"{counted(len(mentions), 'line')} of hand-written code"
            pieces.append(remark(f"{lines} may have the old name; then run `tschema gen`"))
        return Outcome(DONE, mentions, tuple(pieces))

    yield edit(options, config.root, renaming.rewrite, mentions, done)
