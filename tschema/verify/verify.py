"""All that is verified, one check after the other.

In: a configuration and its schema.  Out: what is wrong, and what was not looked at.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tschema.config import Config, CppTarget
from tschema.errors import Diagnostic
from tschema.locate import Locator
from tschema.model import Namespace, Schema
from tschema.source import SourceFile, Span
from tschema.verify.bodies import check_bodies
from tschema.verify.custom import check_custom_methods
from tschema.verify.library import check_library, find_library
from tschema.verify.sources import CppFiles, read_sources

__all__ = ["Verification", "verify_project"]


@dataclass(frozen=True)
class Verification:
    """What a verification came to."""

    diagnostics: tuple[Diagnostic, ...]
    remarks: tuple[str, ...]
    """What was checked, and what was not."""


def verify_project(config: Config, schema: Schema, library: Path | None) -> Verification:
    """
    Verify what people wrote by hand.

    Parameters
    ----------
    config
        The project.
    schema
        Its schema.
    library
        The built library; the one that the project says, or that is found, if None.

    Raises
    ------
    SchemaError
        A C++ file cannot be read, or its markers are wrong.
    """
    if config.cpp is None:
        return Verification((), ("there is no table `[cpp]`: nothing is written by hand",))
    locator = Locator(config.root, schema)
    files = read_sources(config)
    found = [*_check_sources(config, schema, files, locator)]
    remarks = [f"{len(files.files)} C++ files were read"]
    built = library or find_library(config)
    if built is None:
        remarks.append("no built library was found: what it registers was not checked")
    else:
        found += check_library(schema, built, locator)
        remarks.append(f"`{built}` was asked what it registers")
    return Verification(tuple(sorted(found, key=_place)), tuple(remarks))


def _check_sources(
    config: Config, schema: Schema, files: CppFiles, locator: Locator
) -> Iterator[Diagnostic]:
    known: set[str] = set()
    for space in schema.namespaces:
        yield from _check_generated(config, space, files, locator)
        for type_ in space.types:
            file = files.blocks.get(type_.name)
            if file is not None:
                known.add(type_.name)
                block = file.marked.blocks[type_.name]
                yield from check_custom_methods(type_, locator.span(type_.key), file, block)
    yield from check_bodies(schema, known, files, locator)


def _check_generated(
    config: Config, space: Namespace, files: CppFiles, locator: Locator
) -> Iterator[Diagnostic]:
    """Yield the classes whose block is missing; in files of the user's there need not be one."""
    if not isinstance(config.cpp, CppTarget):
        return
    path = config.cpp.include / space.name.replace(".", "/") / f"{space.file}.h"
    if not any(file.path == str(path) for file in files.files):
        span = Span(SourceFile(space.source, ""), 1, 1, 1, 1)
        message = f"the header `{path}` of `{space.source}` is missing"
        yield Diagnostic("TS074", "error", message, span, help="run `tschema gen`")
        return
    for type_ in space.types:
        if type_.name not in files.blocks:
            message = f"`{path}` has no block of `{type_.name}`"
            span_of = locator.span(type_.key)
            yield Diagnostic("TS074", "error", message, span_of, help="run `tschema gen`")


def _place(diagnostic: Diagnostic) -> tuple[str, int, int]:
    span = diagnostic.span
    return (span.file.path, span.line, span.column) if span else ("", 0, 0)
