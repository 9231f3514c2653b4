"""`tschema ir`: prints the JSON IR, in the same bytes that `gen` writes."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator

from tschema.cli.chosen_project import chosen_schema
from tschema.cli.outcome import Outcome, Piece, out
from tschema.ir import codec


def run(options: argparse.Namespace, progress: Callable[[str], None]) -> Iterator[Outcome]:
    """Yield the JSON IR, or the JSON Schema of it."""
    if options.json_schema:
        yield Outcome(pieces=(out(json.dumps(codec.json_schema(), indent=2)),))
        return
    _config, schema, warnings = chosen_schema(options, progress)
    piece = Piece("out", codec.encode(schema).decode(), is_data=True)
    yield Outcome(diagnostics=warnings, pieces=(piece,))
