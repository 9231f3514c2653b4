"""`tschema build`: builds a library from declarations.

In: the arguments.  Out: an outcome.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path

from tschema.cli.outcome import (
    DONE,
    FAILED,
    FOUND,
    WRONG_INPUT,
    Outcome,
    Piece,
    out,
    remark,
)
from tschema.native import (
    BuildRequest,
    Built,
    CompileError,
    Compiler,
    MissingCompilerError,
    build_library,
    choose_project,
)
from tschema.platforms import library_name


def run(options: argparse.Namespace, progress: Callable[[str], None]) -> Iterator[Outcome]:
    """Yield the outcome of the build."""
    commands: list[str] = []
    config = choose_project(options.config, options.schema, options.package, options.output)
    library = options.output or config.root / "build" / library_name(config.package)
    sources = tuple(options.sources)
    request = BuildRequest(config, library, sources, options.keep, options.jobs)
    try:
        compiler = Compiler.from_environment(commands.append)
        built = build_library(request, compiler, progress)
    except (MissingCompilerError, FileNotFoundError) as error:
        yield Outcome(FAILED, pieces=(remark(str(error)),))
    except CompileError as error:
        yield _refused(error, sources)
    else:
        yield _done(built, commands if options.verbose else [])


def _refused(error: CompileError, sources: tuple[Path, ...]) -> Outcome:
    """Report the compiler's errors; without any source of the user's, the fault is tschema's."""
    what = "the compiler refused" if error.sources else "the linker refused"
    names = ", ".join(f"`{path.name}`" for path in error.sources)
    pieces = (Piece("err", error.text), remark(f"{what} {names or 'the library'}"))
    return Outcome(WRONG_INPUT if sources else FAILED, pieces=pieces)


def _done(built: Built, commands: list[str]) -> Outcome:
    if built.edits:
        edits = tuple(edit.diagnostic for edit in built.edits)
        return Outcome(FOUND, built.warnings + edits, (remark("nothing was built"),))
    pieces = [out(command) for command in commands]
    pieces += [out(f"built {built.library}"), out(f"load it with {built.schema}")]
    return Outcome(DONE, built.warnings, tuple(pieces))
