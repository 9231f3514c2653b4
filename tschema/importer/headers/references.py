"""Reference classes: which class refers to which data class, and how.

In: a `Program`.  Out: the properties that each reference class states, by full name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from tschema.importer.headers.comments import doc_of
from tschema.importer.headers.declarations import RawClass
from tschema.importer.headers.library_types import REFERENCES
from tschema.importer.headers.members import MemberFunction
from tschema.importer.headers.program import Program
from tschema.importer.headers.signatures import SignatureReader
from tschema.importer.headers.symbols import Scope
from tschema.importer.records import FoundReference, Location


class RawReference(Struct):
    """A reference class."""

    raw: RawClass
    data_class: str | None
    """Full name; None where the class itself says none, or nothing defines it."""
    is_nullable: bool
    has_cow: bool
    is_by_hand: bool


def read_references(program: Program) -> dict[str, RawReference]:
    """Return the reference classes of a program, by full name."""
    found = {}
    for full, raw in program.classes.items():
        if not raw.is_template and (reference := _reference(program, full, raw)) is not None:
            found[full] = reference
    return found


def _reference(program: Program, full: str, raw: RawClass) -> RawReference | None:
    inside: Scope = (*raw.scope, raw.name)
    calls = program.macros.get(full, [])
    methods = next((one for one in calls if "OBJECT_REF_METHODS" in one.name and one.args), None)
    has_cow = any("OBJECT_REF_COW" in one.name for one in calls)
    if methods is not None:
        data_class = program.find_class(methods.args[-1], inside)
        is_nullable = "NOTNULLABLE" not in methods.name
        return RawReference(raw, data_class, is_nullable, has_cow, False)
    alias = program.symbols.aliases.get(f"{full}::ContainerType")
    if alias is None and not any(base in REFERENCES for base in program.bases(full)):
        return None
    data_class = program.find_class(alias.target, inside) if alias else None
    nullable = program.constant(full, "_type_is_nullable")
    return RawReference(raw, data_class, nullable != "false", has_cow, True)


def main_references(
    references: Mapping[str, RawReference], keys: Mapping[str, str]
) -> dict[str, RawReference]:
    """Return for each data class the reference class that is its own.

    It is the one that the type key names, else the first that a macro defines, else the first.
    """
    by_class: dict[str, list[RawReference]] = {}
    for reference in references.values():
        if reference.data_class is not None:
            by_class.setdefault(reference.data_class, []).append(reference)
    return {
        full: min(named, key=lambda one: (one.raw.name != _stem(keys.get(full)), one.is_by_hand))
        for full, named in by_class.items()
    }


def _stem(key: str | None) -> str:
    return (key or "").rpartition(".")[2]


def referred_classes(program: Program, references: Mapping[str, RawReference]) -> dict[str, str]:
    """Return for each reference class the data class of the nearest one that says it."""
    found = {}
    for full in references:
        near = (references[base].data_class for base in program.bases(full) if base in references)
        data_class = next((one for one in near if one is not None), None)
        if data_class is not None:
            found[full] = data_class
    return found


def found_reference(
    reference: RawReference, signatures: SignatureReader, location: Location
) -> FoundReference:
    """Return the record of a reference class."""
    raw = reference.raw
    home = (*raw.scope, raw.name)
    constructors = (
        signatures.parameters(one.params, home, doc_of(raw.source, one.start, one.end))
        for one in _constructors(signatures.program, raw)
    )
    return FoundReference(
        name=raw.name,
        cpp_namespace="::".join(raw.scope),
        nullable=reference.is_nullable,
        cow=reference.has_cow,
        by_hand=reference.is_by_hand,
        constructors=tuple(constructors),
        location=location,
    )


def _constructors(program: Program, raw: RawClass) -> Iterator[MemberFunction]:
    """Yield the constructors that make an object: not those that copy or wrap a reference."""
    for function in program.body(raw.full_name).functions:
        if function.name != raw.name or function.is_deleted or not function.params:
            continue
        only = function.params[0].type if len(function.params) == 1 else ""
        bare = only.replace("const ", "").rstrip("& ").rpartition("::")[2]
        if bare not in ("UnsafeInit", raw.name) and "ObjectPtr<" not in only:
            yield function
