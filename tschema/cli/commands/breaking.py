"""`tschema breaking`: compares the declarations with an older version of them."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterator

from tschema.cli.chosen_project import check_schema_files, chosen_config
from tschema.cli.outcome import DONE, FOUND, Outcome, out, remark
from tschema.compatibility import compare, diagnose
from tschema.compatibility.against import load_against
from tschema.ir.locate import Locator
from tschema.pipeline.schema import build_schema


def run(options: argparse.Namespace, progress: Callable[[str], None]) -> Iterator[Outcome]:
    """Yield the changes that break something."""
    config = chosen_config(options)
    check_schema_files(config)
    progress("reading the schema")
    schema, _warnings = build_schema(config)
    progress(f"reading {options.against}")
    older = load_against(options.against, config)
    changes = compare(older, schema)
    found = tuple(diagnose(changes, config.breaking, Locator(config.root, schema)))
    if not found:
        yield Outcome(DONE, pieces=(out(f"nothing breaks since {options.against}"),))
        return
    counts = Counter(note.message.partition(":")[0] for one in found for note in one.notes)
    levels = ", ".join(f"{level} {count}" for level, count in counts.items())
    many = f"{len(found)} change{'s' * (len(found) != 1)} since {options.against} break users"
    yield Outcome(FOUND, found, (remark(f"{many}: {levels}"),))
