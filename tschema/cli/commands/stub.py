"""`tschema stub`: writes the bodies that hand-written C++ misses.

In: the arguments.  Out: an outcome.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator

from tschema.cli.changed_files import edit
from tschema.cli.chosen_project import chosen_schema
from tschema.cli.outcome import DONE, Outcome, Piece, out, remark
from tschema.editing.stub import Stubbed, stub_project
from tschema.editing.stub_lowerings import stub_lowerings
from tschema.output.files import Rewrite


def run(options: argparse.Namespace, progress: Callable[[str], None]) -> Iterator[Outcome]:
    """Yield what got a body, and where."""
    config, schema, warnings = chosen_schema(options, progress)
    progress("reading the sources")
    stubbed = stub_project(config, schema)
    if options.lowerings:
        # Lowerings and bodies never share a file.
        more = stub_lowerings(config, schema)
        rewrite = Rewrite(
            {**stubbed.rewrite.old, **more.rewrite.old}, {**stubbed.rewrite.new, **more.rewrite.new}
        )
        stubbed = Stubbed(rewrite, (*stubbed.bodies, *more.bodies))
    done = Outcome(DONE, warnings, tuple(_done(stubbed)))
    yield edit(options, config.root, stubbed.rewrite, warnings, lambda _changes: done)


def _done(stubbed: Stubbed) -> Iterator[Piece]:
    for what in stubbed.bodies:
        yield out(f"wrote {what}")
    if not stubbed.bodies:
        yield out("no body is missing")
    for path in stubbed.created:
        use = "a program that compiles has to import it"
        if path.suffix != ".py":
            use = "the project's build has to compile it"
        yield remark(f"`{path}` is new: {use}")
