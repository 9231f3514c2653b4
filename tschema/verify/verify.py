"""Runs all checks of `tschema verify`.

In: a configuration and its schema.  Out: diagnostics, and the list of skipped checks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec import Struct

from tschema.diagnostics.errors import Diagnostic
from tschema.diagnostics.source import SourceFile, Span
from tschema.ir.locate import Locator
from tschema.ir.model import Namespace, Schema
from tschema.ir.spelling import spelled
from tschema.project.config import Config, CppTarget
from tschema.verify.bodies import check_bodies
from tschema.verify.custom import check_custom_methods
from tschema.verify.homes import Home, find_homes, header_path
from tschema.verify.keys import check_keys
from tschema.verify.library import check_library, find_library
from tschema.verify.references import check_reference
from tschema.verify.registrations import check_registrations
from tschema.verify.sources import CppFiles, read_sources
from tschema.verify.twins import check_twins


class Verification(Struct, frozen=True):
    """The result of a verification."""

    diagnostics: tuple[Diagnostic, ...]
    remarks: tuple[str, ...]
    """The finished checks, and the skipped ones."""


def verify_project(config: Config, schema: Schema, library: Path | None) -> Verification:
    """
    Verify hand-written code.

    Parameters
    ----------
    library
        The built library; the one that the project says, or that is found, if None.

    Raises
    ------
    SchemaError
        A C++ file cannot be read, or its markers are wrong.
    """
    locator = Locator(config.root, schema)
    found = [*check_twins(config, spelled(schema, "python"), locator)]
    if config.cpp is None:
        return Verification(tuple(found), ("there is no table `[cpp]`: no C++ is written by hand",))
    files = read_sources(config)
    found += _check_sources(config, spelled(schema, "cpp"), files, locator)
    remarks = [f"{len(files.files)} C++ files were read"]
    built = library or find_library(config)
    if built is None:
        remarks.append("no built library was found: its registrations were not checked")
    else:
        found += check_library(schema, built, locator)
        remarks.append(f"the registrations of `{built}` were checked")
    return Verification(tuple(sorted(found, key=_place)), tuple(remarks))


def verify_sources(config: Config, schema: Schema) -> Iterator[Diagnostic]:
    """Yield the errors in the C++ sources of a project; raises as `verify_project` does."""
    if config.cpp is not None:
        files = read_sources(config)
        yield from _check_sources(
            config, spelled(schema, "cpp"), files, Locator(config.root, schema)
        )


def _check_sources(
    config: Config, schema: Schema, files: CppFiles, locator: Locator
) -> Iterator[Diagnostic]:
    homes = find_homes(config, schema, files)
    for space in schema.namespaces:
        yield from _check_generated(config, space, files, homes, locator)
        for type_ in space.types:
            home = homes.get(f"{space.name}.{type_.name}")
            if home is not None and not type_.is_by_hand:
                yield from check_custom_methods(type_, schema, locator.span(type_.key), home)
            reference = homes.get(type_.key)
            if reference is not None:
                yield from check_reference(type_, locator.span(type_.key), reference)
    yield from check_bodies(schema, homes, files, locator)
    yield from check_registrations(schema, files)
    yield from check_keys(schema, homes, files, locator)


def _check_generated(
    config: Config,
    space: Namespace,
    files: CppFiles,
    homes: Mapping[str, Home],
    locator: Locator,
) -> Iterator[Diagnostic]:
    """Yield the classes whose block is missing, or has nothing in it yet."""
    where = "no file that is written in place"
    if isinstance(config.cpp, CppTarget):
        path = header_path(config.cpp, space)
        where = f"`{path}`"
        if not any(file.path == str(path) for file in files.files):
            span = Span(SourceFile(space.source, ""), 1, 1, 1, 1)
            yield _missing(f"the header {where} of `{space.source}` is missing", span)
            return
    for type_ in space.types:
        home = homes.get(f"{space.name}.{type_.name}")
        if type_.options.extern is not None or (home is None and type_.is_by_hand):
            continue
        if home is None:
            has = "has no block" if isinstance(config.cpp, CppTarget) else "has a block"
            yield _missing(f"{where} {has} of `{type_.name}`", locator.span(type_.key))
        elif home.block.digest is None and not isinstance(config.cpp, CppTarget):
            yield _missing(f"block `{home.block.name}` has not been filled in", home.marker())


def _missing(message: str, span: Span | None) -> Diagnostic:
    return Diagnostic("TS074", "error", message, span, help="run `tschema gen`")


def _place(diagnostic: Diagnostic) -> tuple[str, int, int]:
    span = diagnostic.span
    return (span.file.path, span.line, span.column) if span else ("", 0, 0)
