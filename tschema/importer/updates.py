"""The missing and differing parts of declared classes, compared with found ones.

In: a found class, and its declaration.  Out: `ClassChanges`, and the changes that are left to
people.  Facts that a source cannot know better stay unchanged: docs, defaults, order, and types
that reflection cannot tell apart.
"""

from __future__ import annotations

from msgspec.structs import replace

from tschema.importer.changes import ClassChanges, NewField
from tschema.importer.expressible import schema_name
from tschema.importer.records import FoundClass, FoundField
from tschema.importer.writer import FileNames, field_line, method_lines, spell_type
from tschema.ir.kinds import INTEGER_RANGES
from tschema.ir.model import ROOT_KEY, Type, TypeRef


def reflected(ref: TypeRef) -> TypeRef:
    """Return a type as reflection tells it, which knows neither sign nor width nor enums."""
    if ref.kind in INTEGER_RANGES or ref.kind == "enum":
        return TypeRef(kind="int64")
    if ref.kind == "float32":
        return TypeRef(kind="float64")
    return replace(ref, args=tuple(map(reflected, ref.args)))


def class_changes(found: FoundClass, declared: Type, names: FileNames) -> ClassChanges:
    """
    Return the missing and differing parts of a declared class.

    Parameters
    ----------
    found
        The class as it was found.
    declared
        The class as the schema has it.
    names
        The names of classes in its file.
    """
    changes = ClassChanges([], {}, {}, [])
    if declared.options.extern is not None:
        if found.size and not declared.is_opaque and found.size != declared.layout.size:
            changes.options["size"] = str(found.size)
        return changes
    own = {field.name: field for field in declared.members}
    for at, field in enumerate(found.fields):
        before = tuple(map(schema_name, reversed(found.fields[:at])))
        if field.type is None:
            continue
        if field.name not in own:
            new = NewField(field_line(field, names), before, schema_name(field), field.doc)
            changes.fields.append(new)
        elif _differs(field, own[field.name].type, own[field.name].size):
            changes.annotations[schema_name(field)] = spell_type(field.type, field, names)
    if found.parent != declared.parent:
        changes.base = names[found.parent or ""] if found.parent != ROOT_KEY else "Object"
    if found.polymorphic and not declared.options.polymorphic:
        changes.options["polymorphic"] = "True"
    methods = {method.name for method in declared.methods}
    changes.methods += (
        "\n".join(f"    {line}" if line else "" for line in method_lines(method, names))
        for method in found.methods
        if method.name not in methods
    )
    return changes


def _differs(field: FoundField, declared: TypeRef, size: int) -> bool:
    """Return whether a declared type cannot be that of the member that was found."""
    if field.type is None:
        return False
    if field.size is not None and field.size != size:
        return True
    # A member that may be null is as good without `Optional`.
    return _bare(reflected(field.type)) != _bare(reflected(declared))


def _bare(ref: TypeRef) -> TypeRef:
    return ref.args[0] if ref.kind == "Optional" else ref
