"""`tschema stub`: writes the bodies that hand-written C++ misses.

In: the arguments.  Out: an outcome.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator

from tschema.cli.changed_files import diff, planned
from tschema.cli.chosen_project import check_schema_files, chosen_config
from tschema.cli.outcome import DONE, FOUND, Outcome, Piece, out, remark
from tschema.editing.project import Rewrite
from tschema.editing.stub import Stubbed, stub_project
from tschema.editing.stub_lowerings import stub_lowerings
from tschema.output.files import compare, write
from tschema.pipeline.schema import build_schema


def run(options: argparse.Namespace, progress: Callable[[str], None]) -> Iterator[Outcome]:
    """Yield what got a body, and where."""
    config = chosen_config(options)
    check_schema_files(config)
    progress("reading the schema")
    schema, warnings = build_schema(config)
    progress("reading the sources")
    stubbed = stub_project(config, schema)
    if options.lowerings:
        # Lowerings and bodies never share a file.
        more = stub_lowerings(config, schema)
        rewrite = Rewrite(
            {**stubbed.rewrite.old, **more.rewrite.old}, {**stubbed.rewrite.new, **more.rewrite.new}
        )
        stubbed = Stubbed(rewrite, (*stubbed.bodies, *more.bodies))
    old, new = stubbed.rewrite.old, stubbed.rewrite.new
    changes = compare(new, old)
    if options.diff:
        yield Outcome(FOUND if changes else DONE, warnings, (diff(changes, old, new),))
    elif options.dry_run:
        yield Outcome(DONE, warnings, tuple(planned(changes)))
    else:
        write(config.root, new, changes, old)
        yield Outcome(DONE, warnings, tuple(_done(stubbed)))


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
