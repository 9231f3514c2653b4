"""`tschema verify`: checks hand-written code against the declarations."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path

from tschema.cli.chosen_project import check_schema_files, chosen_config
from tschema.cli.outcome import DONE, FOUND, Outcome, out, remark
from tschema.diagnostics.errors import schema_error
from tschema.pipeline.run import build_schema
from tschema.verify import verify_project
from tschema.verify.library import find_library


def run(options: argparse.Namespace, progress: Callable[[str], None]) -> Iterator[Outcome]:
    """Yield the findings."""
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
    if options.against is not None:
        progress("asking both libraries")
        changes = _changes(options.against, options.library or find_library(config))
        pieces += map(out, changes)
        count += len(changes)
    yield Outcome(FOUND if count else DONE, found.diagnostics, tuple(pieces))


def _changes(old: Path, new: Path | None) -> list[str]:
    """Return the differences in a library's registrations from an older build of it."""
    from tschema.importer.registry import ask_registry, registry_changes  # Takes long to import.

    if new is None:
        help = "name it with `--library`"
        raise schema_error("TS075", "no built library was found to compare", help=help)
    return [*registry_changes(*(ask_registry([str(one.absolute())]) for one in (old, new)))]
