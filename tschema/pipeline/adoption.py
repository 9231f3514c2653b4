"""The adoption of a C++ code base: blocks around its classes, and what these no longer need.

In: the JSON IR and the author's files.  Out: the files with markers, and the sources whose
registrations are switched off.  It reads, and writes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from tschema.diagnostics.errors import Reporter
from tschema.diagnostics.source import SourceFile, Span
from tschema.ir.model import Schema, Type
from tschema.ir.spelling import cpp_namespace, registered_classes
from tschema.output import files as output
from tschema.project.config import Config, InPlaceTarget
from tschema.project.cpp_sources import find_sources
from tschema.regions.inplace.class_markers import mark_classes
from tschema.regions.inplace.hand_registrations import (
    Registration,
    find_registrations,
    switch_off,
)


def mark(files: Mapping[PurePosixPath, bytes], schema: Schema) -> dict[PurePosixPath, bytes]:
    """
    Put markers around the classes that the schema declares, where they have none.

    Parameters
    ----------
    files
        The author's headers.
    schema
        The JSON IR, as C++ spells it.
    """
    wanted: dict[str, str] = {}
    for space in schema.namespaces:
        home = cpp_namespace(space)
        for type_ in space.types:
            namespace = type_.options.cpp_namespace or home
            if type_.options.extern is None:
                wanted[f"{space.name}.{type_.name}"] = namespace
            if type_.options.extern is None and type_.options.ref not in ("hand", None):
                wanted[type_.key] = namespace
        wanted |= {enum.key: home for enum in space.enums}
    return mark_classes(files, wanted)


def read_hand_written(config: Config, target: InPlaceTarget) -> dict[PurePosixPath, bytes]:
    """Return the C++ files that people write; the sidecar is tschema's."""
    paths = map(PurePosixPath, find_sources(config.root, config.verify.sources))
    written = [path for path in paths if not path.is_relative_to(target.sidecar)]
    return output.read_outputs(config.root, written)


def switch_registrations_off(
    files: Mapping[PurePosixPath, bytes], schema: Schema, target: InPlaceTarget
) -> dict[PurePosixPath, bytes]:
    """
    Switch off what registers the types of a schema by hand.

    Parameters
    ----------
    files
        The author's files.
    schema
        The JSON IR, as C++ spells it.
    target
        The target of C++, whose sidecar registers the types instead.

    Returns
    -------
    changed
        The files with such a chain.

    Raises
    ------
    SchemaError
        A chain registers what the schema does not declare.
    """
    types = registered_classes(schema)
    reporter = Reporter()
    changed: dict[PurePosixPath, bytes] = {}
    for path, data in files.items():
        chains = find_registrations(data, types)
        if chains:
            source = SourceFile(str(path), data.decode("utf-8", "replace"))
            for chain in chains:
                _check(chain, types[chain.name], source, reporter)
            changed[path] = switch_off(data, chains, str(target.sidecar))
    reporter.stop_on_error()
    return changed


def _check(chain: Registration, type_: Type, source: SourceFile, reporter: Reporter) -> None:
    """Report what would be lost if a chain were not compiled."""
    declared = {*_registered(type_)}
    for name, line in chain.names:
        if name not in declared:
            reporter.error(
                "TS151",
                f"`{chain.name}` registers `{name}` here, and the schema does not declare it",
                _line(source, line),
                help=f"declare it in the schema, as a field or as a method: `{name}`",
            )


def _registered(type_: Type) -> Iterator[str]:
    yield from (field.name for field in type_.fields)
    yield from (method.name for method in type_.methods)


def _line(source: SourceFile, index: int) -> Span:
    """Return the span of a line, blanks around it left out."""
    text = source.text.split("\n")[index].rstrip()
    first = len(text) - len(text.lstrip()) + 1
    return Span(source, index + 1, first, index + 1, len(text) + 1)
