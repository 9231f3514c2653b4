"""An import: from the found classes to the schema files that declare them.

In: `Found`, and the project with the schema files that are there.  Out: `Imported`.  It writes no
file of the project.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from tschema.diagnostics.errors import SchemaError
from tschema.importer.agreement import Agreement, agreement
from tschema.importer.choice import Chosen, Refused, choose
from tschema.importer.enum_namespaces import with_enums_at_home
from tschema.importer.existing import Existing, read_existing
from tschema.importer.expressible import schema_name
from tschema.importer.foreign_fields import with_registered_foreign
from tschema.importer.import_cycles import updates_in_cycles
from tschema.importer.initial_values import with_first_values
from tschema.importer.opaque_replacement import replaceable_keys, with_words
from tschema.importer.options import Relatives
from tschema.importer.plan import plan_files
from tschema.importer.project import Project
from tschema.importer.records import Found, FoundClass, FoundField
from tschema.importer.texts import schema_texts
from tschema.importer.trial import Refusal, try_schema
from tschema.importer.writer import Declarations
from tschema.incremental.store import Store
from tschema.ir.model import Schema
from tschema.project.config import InPlaceTarget

_MOST_TRIALS = 20
_BY_HAND = ("it is `extern` in the schema",)
_EDITED = ("people edited it: take its declaration out of the schema to import it exactly",)


class Imported(Struct, frozen=True):
    """The result of an import."""

    files: Mapping[PurePosixPath, str]
    """Schema files, relative to the project's root."""
    schema: Schema
    chosen: Chosen
    agreement: Agreement
    declared: tuple[str, ...]
    """Keys of classes that are emitted."""
    described: Mapping[str, tuple[str, ...]]
    """By key, why a class is not emitted whose fields the schema has."""
    opaque: Mapping[str, tuple[str, ...]]
    """By key, why the schema has a class without its layout: what would make it exact."""
    unsaid: Mapping[str, tuple[str, ...]]
    """By key, why the schema does not have a class, or its size alone."""
    omitted: Mapping[str, tuple[str, ...]]
    """By key, the parts that the declaration of a class omits."""


def import_schema(found: Found, is_wanted: Callable[[str], bool], project: Project) -> Imported:
    """
    Write schema files for the found classes.

    Parameters
    ----------
    is_wanted
        Tells of a key whether its class is to be declared.
    """
    existing = read_existing(project)
    opaque = replaceable_keys(existing, project)
    if opaque:
        try:
            return _import(found, is_wanted, project, existing, opaque)
        except (SchemaError, _Endless):
            # Declarations beside them need them as they are.
            pass
    return _import(found, is_wanted, project, existing, frozenset())


class _Endless(RuntimeError):
    """The schema language refuses all that it is given."""


def _import(
    found: Found,
    is_wanted: Callable[[str], bool],
    project: Project,
    existing: Existing,
    replaceable: frozenset[str],
) -> Imported:
    """Write schema files, in which the declarations of opaque classes may be replaced."""
    store = Store()
    known = existing.homes.keys() - replaceable
    found = with_enums_at_home(found, project.cpp_namespace)
    found = replace(found, classes=tuple(map(with_first_values, found.classes)))
    if isinstance(project.config.cpp, InPlaceTarget):
        found = replace(found, classes=tuple(map(with_registered_foreign, found.classes)))
    refused = Refused()
    is_in_place = isinstance(project.config.cpp, InPlaceTarget)
    for _ in range(_MOST_TRIALS):
        chosen = choose(
            found,
            is_wanted,
            known,
            refused,
            package=project.config.package,
            is_in_place=is_in_place,
        )
        chosen = _with_words(chosen, existing, replaceable)
        declarations = _declare(chosen, project, existing, _changed(chosen, replaceable))
        cyclic = updates_in_cycles(chosen.classes, declarations.plan.homes, existing.schema)
        if cyclic:
            refused.note(cyclic)
            continue
        files = schema_texts(declarations, store)
        result = try_schema(project, files, store)
        if isinstance(result, Schema):
            return _imported(files, result, chosen)
        _keep_opaque(result, existing, replaceable, refused)
        result = [_of_field(one, chosen) if one.key in known else one for one in result]
        found = _without(found, _note(result, chosen, refused))
    raise _Endless("the schema language refuses each version of the files")


def _changed(chosen: Chosen, replaceable: frozenset[str]) -> frozenset[str]:
    """Return the keys of the classes whose layout is known now."""
    bare = {
        one.key
        for one in chosen.classes
        if one.key in chosen.extern and one.key not in chosen.described
    }
    return replaceable - bare


def _keep_opaque(
    refusals: list[Refusal], existing: Existing, replaceable: frozenset[str], refused: Refused
) -> None:
    """Note the opaque classes that a declaration of people needs as they are."""
    for refusal in refusals:
        declared = existing.schema.find_type(refusal.key) if existing.schema else None
        if declared is None or refusal.key in replaceable:
            continue
        refs = (one for field in declared.members for one in field.type.walk())
        for key in replaceable.intersection((declared.parent, *(one.key for one in refs))):
            refused.declared[key] = (f"`{declared.name}` would be refused: {refusal.reason}",)
            refused.described.add(key)


def _with_words(chosen: Chosen, existing: Existing, replaceable: frozenset[str]) -> Chosen:
    """Return the choice with the docs that people wrote of classes that were opaque."""
    if existing.schema is None or not replaceable:
        return chosen
    classes = tuple(
        with_words(one, existing.schema.type(one.key)) if one.key in replaceable else one
        for one in chosen.classes
    )
    return replace(chosen, classes=classes)


def _declare(
    chosen: Chosen, project: Project, existing: Existing, replaced: frozenset[str]
) -> Declarations:
    classes = {one.key or "": one for one in chosen.classes}
    return Declarations(
        classes=classes,
        enums={enum.key: enum for enum in chosen.enums},
        plan=plan_files(chosen.classes, chosen.enums, project, existing.homes),
        relatives=Relatives(
            classes,
            chosen.extern,
            project.cpp_namespace,
            is_in_place=isinstance(project.config.cpp, InPlaceTarget),
        ),
        project=project,
        existing=existing,
        replaced=frozenset(replaced & classes.keys()),
    )


def _note(refusals: list[Refusal], chosen: Chosen, refused: Refused) -> list[Refusal]:
    """Remember refusals of whole classes; return the refusals of parts of classes."""
    # A registry alone does not tell how a member begins.
    bare = {one.key for one in chosen.classes if one.header is None}
    refusals = [
        replace(one, part="class") if one.part == "initializer" and one.key in bare else one
        for one in refusals
    ]
    for one in refusals:
        if one.key in chosen.opaque and (field := _field(one, chosen)):
            refused.accessors.add((one.key, field.name))
        elif one.key in chosen.described:
            refused.described.add(one.key)
        elif one.key in chosen.extern:
            refused.extern.add(one.key)
        elif one.part == "class":
            refused.note({one.key: one.reason})
    is_enum = {enum.name for enum in chosen.enums}
    return [one for one in refusals if one.part != "class" or one.key in is_enum]


def _of_field(refusal: Refusal, chosen: Chosen) -> Refusal:
    """Return the refusal of a class that stays unchanged, as one of the field that it gains."""
    is_field = refusal.part == "class" and _field(refusal, chosen) is not None
    return replace(refusal, part="field") if is_field else refusal


def _field(refusal: Refusal, chosen: Chosen) -> FoundField | None:
    """Return the field that the language refuses."""
    fields = (field for one in chosen.classes if one.key == refusal.key for field in one.fields)
    return next((field for field in fields if schema_name(field) == refusal.name), None)


def _without(found: Found, refusals: list[Refusal]) -> Found:
    """Return the found classes without the parts that the language refuses, and note these."""
    by_key: dict[str, list[Refusal]] = {}
    for refusal in refusals:
        by_key.setdefault(refusal.key, []).append(refusal)
    classes = tuple(_reduced(one, by_key.get(one.key or "", ())) for one in found.classes)
    enums = tuple(
        replace(one, unsaid=(*one.unsaid, by_key[one.name][0].reason))
        if one.name in by_key
        else one
        for one in found.enums
    )
    return replace(found, classes=classes, enums=enums)


def _reduced(found: FoundClass, refusals: tuple[Refusal, ...] | list[Refusal]) -> FoundClass:
    for refusal in refusals:
        if refusal.part == "method":
            kept = tuple(one for one in found.methods if one.name != refusal.name)
            note = f"method `{refusal.name}`: {refusal.reason}"
            found = replace(found, methods=kept, omitted=(*found.omitted, note))
        elif refusal.part == "default":
            fields = tuple(
                replace(one, default=None) if one.name == refusal.name else one
                for one in found.fields
            )
            found = replace(found, fields=fields, omitted=(*found.omitted, refusal.reason))
        elif refusal.part == "field":
            found = replace(found, fields=tuple(_gained(found, refusal)))
        elif refusal.part == "initializer":
            found = replace(found, fields=tuple(_begun(one, refusal.name) for one in found.fields))
    return found


def _gained(found: FoundClass, refusal: Refusal) -> Iterator[FoundField]:
    """Yield the fields of a class without a refused one, or without that one's initializer."""
    for field in found.fields:
        if schema_name(field) != refusal.name:
            yield field
        elif field.cpp_init is not None:
            yield replace(field, cpp_init=None)


def _begun(field: FoundField, name: str) -> FoundField:
    """Return a field with an initializer if it has the name: C++ would leave it as memory was."""
    return replace(field, cpp_init="{}") if field.name == name else field


def _imported(files: dict[PurePosixPath, str], schema: Schema, chosen: Chosen) -> Imported:
    omitted = {one.key or "": tuple(dict.fromkeys(one.omitted)) for one in chosen.declared()}
    declared: list[str] = []
    described: dict[str, tuple[str, ...]] = {}
    opaque: dict[str, tuple[str, ...]] = {}
    unsaid: dict[str, tuple[str, ...]] = {}
    for key, reasons in chosen.reasons.items():
        type_ = schema.find_type(key)
        if type_ is not None and type_.options.extern is None:
            declared.append(key)
        elif type_ is not None and type_.fields:
            described[key] = reasons or _BY_HAND
        elif type_ is not None:
            opaque[key] = (*(reasons or _EDITED), *_missing_header(key, chosen))
        else:
            unsaid[key] = reasons or _BY_HAND
    return Imported(
        files=files,
        schema=schema,
        chosen=chosen,
        agreement=agreement(schema, chosen.classes),
        declared=tuple(declared),
        described=described,
        opaque=opaque,
        unsaid=unsaid,
        omitted={key: notes for key, notes in omitted.items() if notes},
    )


def _missing_header(key: str, chosen: Chosen) -> list[str]:
    """Return what would tell the members of a class that a registry alone describes."""
    found = next((one for one in chosen.classes if one.key == key), None)
    is_bare = found is not None and found.header is None and found.location is None
    return ["its header (`--headers`) would show the missing parts"] if is_bare else []
