"""`tschema verify`: checks hand-written code against the declarations."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator

from tschema.cli.chosen_project import check_schema_files, chosen_config
from tschema.cli.outcome import DONE, FOUND, Outcome, remark
from tschema.pipeline.run import build_schema
from tschema.verify import verify_project


def run(options: argparse.Namespace, progress: Callable[[str], None]) -> Iterator[Outcome]:
    """Yield what was found."""
    config = chosen_config(options)
    check_schema_files(config)
    progress("reading the schema")
    schema, _warnings = build_schema(config)
    progress("verifying")
    found = verify_project(config, schema, options.library)
    pieces = [remark(text) for text in found.remarks if options.verbose]
    count = len(found.diagnostics)
    if count:
        pieces.append(remark(f"{count} error{'s' * (count != 1)} in what is written by hand"))
    yield Outcome(FOUND if count else DONE, found.diagnostics, tuple(pieces))
