"""What generated code would register otherwise than the chains that it takes over.

In: a plan, which takes chains `ObjectDef<FooNode>()...` out of the author's files.  Out: for each
class, the first difference.  It reads the chains as an import does, and builds nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec import UNSET

from tschema.adoption.classes import left_by_hand, read_hand_written
from tschema.diagnostics.errors import Diagnostic
from tschema.diagnostics.source import SourceFile, Span
from tschema.importer.headers import read_texts
from tschema.importer.headers.files import CppFile
from tschema.importer.records import FoundClass, FoundDefault, FoundField, Location
from tschema.ir.model import Default, Field, Type
from tschema.pipeline.run import Plan, build_schema
from tschema.project.config import InPlaceTarget

_CHAIN = b"ObjectDef<"


def changed_registrations(plan: Plan) -> dict[str, Diagnostic]:
    """
    Return why classes have to stay by hand, by dotted name of the data class.

    Parameters
    ----------
    plan
        The plan of an adoption.

    Raises
    ------
    OutputError
        A file cannot be read.
    """
    config = plan.request.config
    taken = [
        path
        for path in plan.changes.written
        if plan.old.get(path, b"").count(_CHAIN) > plan.files[path].count(_CHAIN)
    ]
    if not taken or not isinstance(config.cpp, InPlaceTarget):
        return {}
    written = read_hand_written(config, config.cpp)
    files = [CppFile(str(path), data, Path(path).name) for path, data in written.items()]
    found = {one.key: one for one in read_texts(files, "the project").classes if one.registered}
    schema, _warnings = build_schema(config, plan.store)
    return {
        f"{type_.namespace}.{type_.name}": left_by_hand(
            f"`{type_.name}` stays by hand: {what}", _span(where)
        )
        for type_ in schema.types()
        if type_.is_registered and type_.key in found
        for what, where in reversed([*_differences(found[type_.key], type_)])
    }


def _differences(old: FoundClass, new: Type) -> Iterator[tuple[str, Location | None]]:
    """Yield the registrations of a class that would change."""
    slots = None if new.options.final else new.layout.child_slots
    for word, before, after in (
        ("parent", old.parent, new.parent),
        ("structural kind", old.structural, new.options.structural),
        ("number of child slots", old.child_slots if slots is not None else None, slots),
    ):
        if before != after and not (word != "structural kind" and before is None):
            yield f"its {word} is {before}, and would be {after}", old.location
    fields = {field.name: field for field in new.fields}
    for field in old.fields:
        if field.registered and field.name in fields:
            for what in _field_differences(field, fields[field.name], new):
                yield f"it registers `{field.name}` {what}", field.location or old.location


def _field_differences(old: FoundField, new: Field, owner: Type) -> Iterator[str]:
    """Yield how a field is registered now, and how it would be."""
    if old.writable is not None and old.writable != owner.options.mutable:
        yield (
            "read-only, and the schema has it writable"
            if not old.writable
            else ("writable, and the schema has it read-only")
        )
    for word, before, after in (
        ("kw_only", old.kw_only, new.kw_only),
        ("init", old.init, new.init),
        ("repr", old.repr, new.repr),
        ("structural", old.structural, new.structural),
    ):
        if before != after:
            yield f"with {word} = {before}, and the schema has {after}"
    # By this option, an object that is made empty has its members' values as defaults.
    if owner.options.default_constructible and old.default is None:
        return
    now, then = _shown(old.default), _shown(new.default)
    if now != then:
        yield f"with {now}, and the schema has {then}"


def _shown(default: FoundDefault | Default | None) -> str:
    """Return a default as text."""
    if default is None:
        return "no default"
    if default.factory is not None:
        return f"an empty {default.factory}"
    return "a default" if default.value is UNSET else f"the default {default.value!r}"


def _span(where: Location | None) -> Span | None:
    if where is None:
        return None
    return Span(SourceFile(str(where.path), ""), where.line, 1, where.line, 1)
