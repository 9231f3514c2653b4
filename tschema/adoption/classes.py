"""The adoption of a C++ code base: blocks around its classes, and what these no longer need.

In: the JSON IR and the author's files.  Out: the files with markers, the reasons of classes that
stay by hand, and the sources without the registrations that tschema takes over.  It reads, and
writes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from tschema.adoption.inplace.class_markers import Definition, Home, find_homes, mark_classes
from tschema.adoption.inplace.survey import names_with_blocks
from tschema.backends.base import reference_block, reference_home
from tschema.diagnostics.errors import Diagnostic
from tschema.diagnostics.source import SourceFile, Span
from tschema.ir.model import Schema, Type, changed
from tschema.ir.spelling import cpp_namespace, registered_classes
from tschema.output import files as output
from tschema.project.config import Config, InPlaceTarget
from tschema.project.cpp_sources import CPP_HEADERS, find_sources
from tschema.verify.hand_registrations import (
    Registration,
    find_registrations,
    without_chains,
)


class Marked(Struct, frozen=True):
    """The author's files on the way to blocks."""

    files: Mapping[PurePosixPath, bytes]
    """With markers around the classes that get a block."""
    left: Mapping[str, Diagnostic]
    """By dotted name of a data class or an enum, why it gets none."""


class AdoptionRefused(Exception):
    """Some classes cannot be adopted, and the others can."""

    def __init__(self, reasons: Mapping[str, Diagnostic]) -> None:
        super().__init__("some classes cannot be adopted")
        self.reasons = reasons
        """By dotted name of the data class or the enum."""


def left_by_hand(message: str, span: Span | None) -> Diagnostic:
    """Return the line that says why a class stays as it is."""
    return Diagnostic("TS154", "warning", message, span)


def definitions(schema: Schema) -> dict[str, str]:
    """Return the C++ namespaces of the declarations with a block, by their dotted names."""
    wanted: dict[str, str] = {}
    for space in schema.namespaces:
        home = cpp_namespace(space)
        for type_ in space.types:
            namespace = type_.options.cpp_namespace or home
            if type_.options.extern is None:
                wanted[f"{space.name}.{type_.name}"] = namespace
            if type_.options.extern is None and type_.options.ref not in ("hand", None):
                wanted[reference_home(type_)] = namespace
        wanted |= {enum.key: home for enum in space.enums}
    return wanted


def mark(
    files: Mapping[PurePosixPath, bytes],
    sources: Mapping[PurePosixPath, bytes],
    schema: Schema,
    left: Container[str],
) -> Marked:
    """
    Put markers around the classes that the schema declares, where they have none.

    Parameters
    ----------
    files
        The author's files that may have blocks.
    sources
        The author's other files, in which classes get no block.
    left
        Dotted names of classes that stay by hand, whose reasons are known.
    """
    wanted = definitions(schema)
    taken = names_with_blocks(files, wanted)
    searched = {
        name: space for name, space in wanted.items() if name not in left and name not in taken
    }
    homes = find_homes(files, searched)
    registered = {f"{one.namespace}.{one.name}" for one in schema.types() if one.is_registered}
    refused = {
        name: _refusal(name, found, is_registered=name in registered)
        for name, found in homes.items()
    }
    reasons = {name: reason for name, reason in refused.items() if reason is not None}
    elsewhere = find_homes(sources, {name: searched[name] for name in searched.keys() - homes})
    references = {reference_home(one): f"{one.namespace}.{one.name}" for one in schema.types()}
    nested = _nested(schema, wanted)
    for name in searched.keys() - homes:
        # The block of the outer class has one in another class.
        if name not in references and (name not in nested or name in registered):
            reasons[name] = _undefined(name, elsewhere.get(name), nested)
    chosen = {
        name: found[0]
        for name, found in homes.items()
        if name not in reasons
        and (data := references.get(name, "")) not in reasons
        and data not in left
    }
    short = [*_block_names(schema)]
    refused_data = {name: reason for name, reason in reasons.items() if name not in references}
    return Marked(mark_classes(files, chosen, short), refused_data)


def _block_names(schema: Schema) -> Iterator[str]:
    """Yield the name of each block that there may be, as often as there may be one."""
    for space in schema.namespaces:
        for one in space.types:
            if one.options.extern is None:
                yield one.name
            if one.options.extern is None and one.options.ref is not None:
                yield reference_block(one)
        yield from (enum.name for enum in space.enums)


def with_classes_by_hand(schema: Schema, left: Container[str]) -> Schema:
    """Return a schema in which some types, by dotted name of the data class, stay by hand."""
    by_hand = [
        replace(
            space,
            types=tuple(
                replace(one, options=replace(one.options, register="hand"))
                if f"{space.name}.{one.name}" in left and not one.is_by_hand
                else one
                for one in space.types
            ),
        )
        for space in schema.namespaces
    ]
    return changed(schema, namespaces=tuple(by_hand))


def check_adopted(
    files: Mapping[PurePosixPath, bytes],
    read_sources: Callable[[], Mapping[PurePosixPath, bytes]],
    schema: Schema,
    left: Mapping[str, Diagnostic],
) -> None:
    """
    Find the classes that generated code cannot register, as no block has them.

    Raises
    ------
    AdoptionRefused
        Some of them are in the author's files, beside others with a block.
    """
    known = definitions(schema)
    taken = names_with_blocks(files, known)
    names = {f"{one.namespace}.{one.name}" for one in schema.types() if not one.is_by_hand}
    bare = {name: known[name] for name in names if name not in taken}
    if not taken or not bare:
        return
    found = find_homes({**files, **read_sources()}, bare)
    reasons = {
        name: left.get(name)
        or left_by_hand(
            f"`{name.rpartition('.')[2]}` has no block: it stays by hand", _at(*places[0])
        )
        for name, places in found.items()
    }
    if reasons:
        raise AdoptionRefused(reasons)


def headers_without_blocks(
    files: Mapping[PurePosixPath, bytes], schema: Schema, homes: Container[str]
) -> dict[str, PurePosixPath]:
    """
    Return the headers of hand-written declarations without a block, by dotted name.

    Parameters
    ----------
    homes
        Dotted names of the declarations with a block.
    """
    wanted = {name: space for name, space in definitions(schema).items() if name not in homes}
    found = find_homes(files, wanted) if wanted else {}
    return {name: places[0][0] for name, places in found.items()}


def _refusal(name: str, found: Sequence[Home], *, is_registered: bool) -> Diagnostic | None:
    """Return why none of the definitions of a class can be in a block; None where one can."""
    path, one = found[0]
    short = name.rpartition(".")[2]
    if len(found) > 1:
        other, second = found[1]
        where = f"`{other}:{second.first + 1}`"
        return left_by_hand(f"`{short}` stays by hand: {where} defines it too", _at(path, one))
    if is_registered and path.suffix not in CPP_HEADERS:
        what = f"`{short}` stays by hand: generated code, which would register it, cannot include"
        return left_by_hand(f"{what} the source that defines it", _at(path, one))
    if not one.is_apart:
        what = f"`{short}` stays by hand: its first or last line holds other code"
        return left_by_hand(what, _at(path, one))
    return None


def _nested(schema: Schema, wanted: Mapping[str, str]) -> dict[str, str]:
    """Return, for the dotted names of classes in other classes, the name of the outer one."""
    classes = {one.name for one in schema.types()}
    outer = {name: space.rpartition("::")[2] for name, space in wanted.items()}
    return {name: one for name, one in outer.items() if one in classes}


def _undefined(name: str, found: Sequence[Home] | None, nested: Mapping[str, str]) -> Diagnostic:
    short = name.rpartition(".")[2]
    if not found and name in nested:
        what = f"`{short}` stays by hand: it is nested in `{nested[name]}`, and has no block"
        return left_by_hand(what, None)
    if not found:
        what = f"`{short}` stays by hand: no file that is written in place defines it"
        return left_by_hand(what, None)
    path, one = found[0]
    what = f"`{short}` stays by hand: no pattern of `files` in tschema.toml has `{path}`"
    return left_by_hand(what, _at(path, one))


def _at(path: PurePosixPath, one: Definition) -> Span:
    return Span(SourceFile(str(path), ""), one.first + 1, 1, one.first + 1, 1)


def read_hand_written(config: Config, target: InPlaceTarget) -> dict[PurePosixPath, bytes]:
    """Return the C++ files that people write; the sidecar is tschema's."""
    paths = map(PurePosixPath, find_sources(config.root, config.verify.sources))
    written = [path for path in paths if not path.is_relative_to(target.sidecar)]
    return output.read_outputs(config.root, written)


def take_registrations_out(
    files: Mapping[PurePosixPath, bytes], schema: Schema
) -> dict[PurePosixPath, bytes]:
    """
    Take out what registers by hand the types that generated sources register.

    Returns
    -------
    changed
        The files with such a chain.

    Raises
    ------
    AdoptionRefused
        A chain registers a member that the schema does not declare.
    """
    types = registered_classes(schema)
    reasons: dict[str, Diagnostic] = {}
    changed: dict[PurePosixPath, bytes] = {}
    for path, data in files.items():
        chains = find_registrations(data, types)
        if chains:
            source = SourceFile(str(path), data.decode("utf-8", "replace"))
            for chain in chains:
                type_ = types[chain.name]
                for reason in _lost(chain, type_, source):
                    reasons.setdefault(f"{type_.namespace}.{type_.name}", reason)
            changed[path] = without_chains(data, chains)
    if reasons:
        raise AdoptionRefused(reasons)
    return changed


def _lost(chain: Registration, type_: Type, source: SourceFile) -> Iterator[Diagnostic]:
    """Yield what would be lost with a chain."""
    declared = {*_registered(type_)}
    for name, line in chain.names:
        if name not in declared:
            what = f"registers `{name}` here, which the schema does not declare"
            yield left_by_hand(
                f"`{type_.name}` stays by hand: its chain {what}", _line(source, line)
            )


def _registered(type_: Type) -> Iterator[str]:
    yield from (field.name for field in type_.fields)
    yield from (method.name for method in type_.methods)


def _line(source: SourceFile, index: int) -> Span:
    """Return the span of a line, blanks around it left out."""
    text = source.text.split("\n")[index].rstrip()
    first = len(text) - len(text.lstrip()) + 1
    return Span(source, index + 1, first, index + 1, len(text) + 1)
