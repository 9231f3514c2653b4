"""`tschema ir`: prints the JSON IR, in the same bytes that `gen` writes."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator

from tschema.cli.chosen_project import check_schema_files, chosen_config
from tschema.cli.outcome import Outcome, Piece, out
from tschema.ir import codec
from tschema.pipeline.run import build_schema


def run(options: argparse.Namespace, progress: Callable[[str], None]) -> Iterator[Outcome]:
    """Yield the JSON IR, or the JSON Schema of it."""
    if options.json_schema:
        yield Outcome(pieces=(out(json.dumps(codec.json_schema(), indent=2)),))
        return
    config = chosen_config(options)
    check_schema_files(config)
    progress("reading the schema")
    schema, warnings = build_schema(config)
    piece = Piece("out", codec.encode(schema).decode(), is_data=True)
    yield Outcome(diagnostics=warnings, pieces=(piece,))
