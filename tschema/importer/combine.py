"""A registry and C++ headers held against each other, and put together.

In: two records of the same classes, of a registry and of headers.  Out: one `Found`, in which each
source adds the facts that it alone knows, and the differences.  Where they differ, the registry
decides facts of memory, and the headers decide facts of the source text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from tschema.importer.differences import (
    Difference,
    class_differences,
    field_differences,
    method_differences,
    types_agree,
)
from tschema.importer.headers.classes import has_plain_layout
from tschema.importer.headers.fields import unknown_size
from tschema.importer.headers.fitted_defaults import literal_of_type, unsaid_default
from tschema.importer.headers.layout import lay_out
from tschema.importer.layouts import HEADER_SIZE, end_of_members, place, with_remaining_size
from tschema.importer.records import Found, FoundClass, FoundDefault, FoundField, FoundMethod
from tschema.ir.model import ROOT_KEY


def combine(registry: Found, headers: Found) -> tuple[Found, tuple[Difference, ...]]:
    """
    Return the joint record of a registry and headers, and their differences.

    Classes of the registry whose keys begin like none of the headers' are taken as they are.
    """
    by_key = {found.key: found for found in registry.classes}
    written = [_with_known_sizes(found, by_key.get(found.key)) for found in headers.classes]
    lay_out(filter(has_plain_layout, written))
    known = {found.key: found for found in written if found.key is not None}
    differences = [*_missing(by_key, known)]
    merged = []
    for found in written:
        other = by_key.get(found.key)
        if other is None:
            merged.append(found)
            continue
        inherited = _inherited_fields(known, found)
        differences += _differences(other, found, inherited)
        merged.append(_merged(other, found, inherited, _start(by_key, known, other)))
    merged += [found for found in registry.classes if found.key not in known]
    source = f"{registry.source} and {headers.source}"
    whole = Found(source=source, classes=tuple(merged), enums=headers.enums, unsaid=headers.unsaid)
    return whole, tuple(differences)


def _with_known_sizes(headers: FoundClass, registry: FoundClass | None) -> FoundClass:
    """Return a copy of a class in which the registry tells the sizes that the text does not."""
    sizes = {field.name: field for field in registry.fields} if registry else {}
    fields = []
    for field in headers.fields:
        other = sizes.get(field.name) if field.registered and field.size is None else None
        size, align = (other.size, other.align) if other else (field.size, field.align)
        fields.append(replace(field, size=size, align=align, offset=None))
    parent = headers.parent or (registry.parent if registry else None)
    return replace(headers, fields=tuple(fields), parent=parent, size=None)


def _missing(
    registry: Mapping[str | None, FoundClass], headers: Mapping[str, FoundClass]
) -> Iterator[Difference]:
    """Yield the classes that only one of both has."""
    roots = {key.partition(".")[0] for key in headers}
    for key, found in registry.items():
        if key is not None and key not in headers and key.partition(".")[0] in roots:
            yield Difference(key, None, "class", "registered", "missing", found.location)
    for key, found in headers.items():
        if key not in registry and found.registered:
            yield Difference(key, None, "class", "missing", "registered", found.location)


def _inherited_fields(known: Mapping[str, FoundClass], found: FoundClass) -> set[str]:
    """Return the names of the fields of a class's ancestors."""
    names: set[str] = set()
    seen = {found.key}
    parent = known.get(found.parent or "")
    while parent is not None and parent.key not in seen:
        seen.add(parent.key)
        names.update(field.name for field in parent.fields)
        parent = known.get(parent.parent or "")
    return names


def _start(
    registry: Mapping[str | None, FoundClass], headers: Mapping[str, FoundClass], found: FoundClass
) -> int | None:
    """Return where the members of a class begin, as far as the size of its parent is told."""
    if found.parent in (None, ROOT_KEY):
        return HEADER_SIZE
    parent = registry.get(found.parent)
    if parent is None:
        return None
    return end_of_members(_sized(parent, headers.get(parent.key or "", parent)))


def _differences(
    registry: FoundClass, headers: FoundClass, inherited: set[str]
) -> Iterator[Difference]:
    key = str(registry.key)
    yield from class_differences(registry, headers)
    ours = {field.name: field for field in registry.fields}
    theirs = {field.name: field for field in headers.fields if field.registered}
    yield from _unpaired(key, "field", ours.keys() - inherited, theirs, headers)
    for name in ours.keys() & theirs.keys():
        yield from field_differences(key, ours[name], theirs[name])
    our_methods = {method.name: method for method in registry.methods}
    their_methods = {method.name: method for method in headers.methods}
    # A method whose signature the schema language cannot say is not among the registry's.
    told = (name for name in their_methods if any(f"`{name}`" in one for one in registry.omitted))
    yield from _unpaired(key, "method", {*our_methods, *told}, their_methods, headers)
    for name in our_methods.keys() & their_methods.keys():
        yield from method_differences(key, our_methods[name], their_methods[name])


def _unpaired(
    key: str,
    fact: str,
    ours: Iterable[str],
    theirs: Mapping[str, FoundField] | Mapping[str, FoundMethod],
    headers: FoundClass,
) -> Iterator[Difference]:
    names = set(ours)
    for name in sorted(names - theirs.keys()):
        yield Difference(key, name, fact, "registered", "missing", headers.location)
    for name in sorted(theirs.keys() - names):
        yield Difference(key, name, fact, "missing", "registered", theirs[name].location)


def _merged(
    registry: FoundClass, headers: FoundClass, inherited: set[str], start: int | None
) -> FoundClass:
    """Return a class as both tell it; `start` is where its own members begin, in bytes."""
    fields, is_polymorphic = _members_that_fit(registry, headers, inherited, start)
    known = {unknown_size(field): field.size for field in fields}
    reasons = (
        one
        for one in headers.unsaid
        if not known.get(one) and not _is_answered(one, registry, headers)
    )
    return replace(
        headers,
        parent=registry.parent,
        fields=tuple(fields),
        polymorphic=is_polymorphic,
        methods=tuple(_merged_methods(registry, headers)),
        registered=registry.registered or headers.registered,
        abstract=registry.abstract,
        structural=registry.structural if registry.registered else headers.structural,
        child_slots=headers.child_slots if registry.child_slots is None else registry.child_slots,
        size=registry.size or headers.size,
        doc=headers.doc or registry.doc,
        omitted=tuple(_omitted(registry, headers, fields)),
        unsaid=tuple(reasons),
    )


def _members_that_fit(
    registry: FoundClass, headers: FoundClass, inherited: set[str], start: int | None
) -> tuple[list[FoundField], bool]:
    """Return the members, and whether there is a table of virtual functions.

    The text may be of another revision than the library.  A field that it registers and the library
    does not is then an unregistered member, or is not there: the first that has the size and the
    places of the registry.
    """
    whole = _merged_fields(registry, headers, inherited)
    if start is None or not registry.size:
        return whole, headers.polymorphic
    whole = with_remaining_size(whole, start, end_of_members(_sized(registry, headers)))
    known = {field.name for field in registry.fields}
    extra = [field for field in whole if field.registered and field.name not in known]
    hidden = [replace(field, registered=False) if field in extra else field for field in whole]
    fewer = [field for field in whole if field not in extra]
    tables = (headers.polymorphic, not headers.polymorphic)
    for is_polymorphic in tables if headers.parent != registry.parent else tables[:1]:
        for fields in (hidden, fewer) if extra else (whole,):
            trial = replace(
                headers, fields=tuple(fields), size=registry.size, polymorphic=is_polymorphic
            )
            if not place(trial, start).reasons:
                return fields, is_polymorphic
    return whole, headers.polymorphic


def _sized(registry: FoundClass, headers: FoundClass) -> FoundClass:
    """Return a class with the size of the registry, and the virtual functions of the headers."""
    return replace(headers, size=registry.size or headers.size)


def _merged_fields(
    registry: FoundClass, headers: FoundClass, inherited: set[str]
) -> list[FoundField]:
    ours = {field.name: field for field in registry.fields}
    fields = [
        _merged_field(ours[field.name], field) if field.name in ours else field
        for field in headers.fields
    ]
    named = {field.name for field in headers.fields} | inherited
    fields += [field for field in registry.fields if field.name not in named]
    return _in_order(fields)


def _is_answered(reason: str, registry: FoundClass, headers: FoundClass) -> bool:
    """Return whether the registry tells the parent or size that the text leaves open."""
    if reason.startswith("macro "):
        return registry.size is not None and registry.size == headers.size
    return reason.startswith("its parent")


def _omitted(
    registry: FoundClass, headers: FoundClass, fields: Sequence[FoundField]
) -> Iterator[str]:
    """Yield the parts that a class is written without, such as defaults neither side knows."""
    said = {unsaid_default(one.name) for one in fields if one.default and one.default.is_said}
    notes = (*headers.omitted, *registry.omitted)
    notes += tuple(
        unsaid_default(one.name) for one in fields if one.default and not one.default.is_said
    )
    yield from (note for note in dict.fromkeys(notes) if note not in said)


def _in_order(fields: Sequence[FoundField]) -> list[FoundField]:
    """Return fields in the order of memory, where every place is known; else as they come."""
    if any(field.offset is None for field in fields):
        return list(fields)
    return sorted(fields, key=lambda field: field.offset or 0)


def _merged_field(registry: FoundField, headers: FoundField) -> FoundField:
    """Return a field with the place and the flags that the registry gives, and the rest as written.

    Where the types or sizes differ, the library that was built counts.
    """
    is_told = headers.type is not None
    is_same = types_agree(registry.type, headers.type) and headers.size in (None, registry.size)
    is_written = is_told and (is_same or registry.type is None)
    return replace(
        headers,
        type=headers.type if is_written else registry.type,
        unknown_type=None if is_told else headers.unknown_type,
        cpp_type=headers.cpp_type if is_written or not is_told else None,
        registered=True,
        structural=registry.structural,
        offset=registry.offset,
        size=registry.size,
        align=registry.align,
        doc=headers.doc or registry.doc,
        default=_merged_default(registry, headers),
    )


def _merged_default(registry: FoundField, headers: FoundField) -> FoundDefault | None:
    """Return the default as written, with the registry's literal where the text is none."""
    if headers.default is None:
        return registry.default
    if not headers.default.is_said and registry.default is not None and registry.default.is_said:
        return registry.default
    ref = headers.type or registry.type
    return replace(headers.default, value=literal_of_type(headers.default.value, ref))


def _merged_methods(registry: FoundClass, headers: FoundClass) -> Iterator[FoundMethod]:
    """Yield the methods, with the registry's signature where the text does not tell one."""
    ours = {method.name: method for method in registry.methods}
    for method in headers.methods:
        other = ours.pop(method.name, None)
        if other is not None and method.returns is None:
            names = method.params if len(method.params) == len(other.params) else ()
            params = tuple(
                replace(named, type=param.type)
                for named, param in zip(names or other.params, other.params, strict=True)
            )
            method = replace(method, params=params, returns=other.returns)
        yield method
    yield from ours.values()
