"""`tschema verify`: checks hand-written code against the declarations."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path

from tschema.cli.chosen_project import chosen_schema
from tschema.cli.outcome import DONE, FOUND, Outcome, counted, out, remark
from tschema.diagnostics.errors import schema_error
from tschema.ir.model import Schema
from tschema.verify import verify_project
from tschema.verify.library import find_library


def run(options: argparse.Namespace, progress: Callable[[str], None]) -> Iterator[Outcome]:
    """Yield the findings."""
    config, schema, _warnings = chosen_schema(options, progress)
    progress("verifying")
    found = verify_project(config, schema, options.library)
    pieces = [remark(text) for text in found.remarks if options.verbose]
    count = len(found.diagnostics)
    if count:
        pieces.append(remark(f"{counted(count, 'error')} in hand-written code"))
    if options.against is not None:
        progress("asking both libraries")
        new = options.library or find_library(config)
        changes, asked = _changes(options.against, new, schema)
        pieces += map(out, (*changes, *_shown(asked)))
        count += len(changes)
    yield Outcome(FOUND if count else DONE, found.diagnostics, tuple(pieces))


def _changes(old: Path, new: Path | None, schema: Schema) -> tuple[list[str], list[str]]:
    """Return the differences from an older build, and apart those that the schema asks for."""
    # It takes long to import.
    from tschema.importer.registry import ask_registry, is_requested, registry_changes

    if new is None:
        help = "name it with `--library`"
        raise schema_error("TS075", "no built library was found to compare", help=help)
    registries = [ask_registry([str(one.absolute())]) for one in (old, new)]
    found: dict[bool, list[str]] = {False: [], True: []}
    for change in registry_changes(*registries):
        found[is_requested(change, schema)].append(str(change))
    return found[False], found[True]


def _shown(asked: list[str]) -> Iterator[str]:
    """Yield the lines of the changes that the schema asks for, which are allowed."""
    if asked:
        yield f"{len(asked)} changes that the schema asks for, whose code registers these classes:"
        yield from (f"  {one}" for one in asked)
