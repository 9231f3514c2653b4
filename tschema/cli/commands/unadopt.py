"""`tschema unadopt`: takes the markers around C++ classes out again.

In: the arguments.  Out: an outcome.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator

from tschema.adoption.unadopt import unadopt
from tschema.cli.changed_files import diff, planned
from tschema.cli.chosen_project import check_schema_files, chosen_config
from tschema.cli.outcome import DONE, FOUND, Outcome, out
from tschema.output.files import compare, write
from tschema.pipeline.schema import build_schema


def run(options: argparse.Namespace, progress: Callable[[str], None]) -> Iterator[Outcome]:
    """Yield which blocks are gone."""
    config = chosen_config(options)
    check_schema_files(config)
    progress("reading the schema")
    schema, _warnings = build_schema(config)
    result = unadopt(config, schema, options.classes)
    changes = compare(result.new, result.old)
    if options.diff:
        yield Outcome(FOUND if changes else DONE, pieces=(diff(changes, result.old, result.new),))
    elif options.dry_run:
        yield Outcome(DONE, pieces=tuple(planned(changes)))
    else:
        write(config.root, result.new, changes, result.old)
        lines = [f"`{name}` has no block any more" for name in result.blocks]
        yield Outcome(DONE, pieces=tuple(map(out, lines or ["no block was found"])))
