"""`tschema unadopt`: takes the markers around C++ classes out again.

In: the arguments.  Out: an outcome.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator

from tschema.adoption.unadopt import unadopt
from tschema.cli.changed_files import edit
from tschema.cli.chosen_project import chosen_schema
from tschema.cli.outcome import DONE, Outcome, out


def run(options: argparse.Namespace, progress: Callable[[str], None]) -> Iterator[Outcome]:
    """Yield which blocks are gone."""
    config, schema, _warnings = chosen_schema(options, progress)
    rewrite, blocks = unadopt(config, schema, options.classes)
    lines = [f"`{name}` has no block any more" for name in blocks] or ["no block was found"]
    done = Outcome(DONE, pieces=tuple(map(out, lines)))
    yield edit(options, config.root, rewrite, (), lambda _changes: done)
