"""`tschema breaking`: compares the declarations with an older version of them."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterator

from tschema.cli.chosen_project import chosen_schema
from tschema.cli.outcome import DONE, FOUND, Outcome, counted, out, remark
from tschema.compatibility import compare, diagnose
from tschema.compatibility.against import load_against
from tschema.ir.locate import Locator


def run(options: argparse.Namespace, progress: Callable[[str], None]) -> Iterator[Outcome]:
    """Yield the changes that break something."""
    config, schema, _warnings = chosen_schema(options, progress)
    progress(f"reading {options.against}")
    older = load_against(options.against, config)
    changes = compare(older, schema)
    found = tuple(diagnose(changes, config.breaking, Locator(config.root, schema)))
    if not found:
        yield Outcome(DONE, pieces=(out(f"nothing breaks since {options.against}"),))
        return
    counts = Counter(note.message.partition(":")[0] for one in found for note in one.notes)
    levels = ", ".join(f"{level} {count}" for level, count in counts.items())
    many = f"{counted(len(found), 'change')} since {options.against} break users"
    yield Outcome(FOUND, found, (remark(f"{many}: {levels}"),))
