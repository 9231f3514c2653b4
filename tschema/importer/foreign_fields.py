"""Registered members whose types no generated code can hand over, in classes that stay by hand.

In: a found class.  Out: the same, where such a member is one of C++ alone.
"""

from __future__ import annotations

from msgspec.structs import replace

from tschema.importer.records import FoundClass, FoundField
from tschema.ir.model import TypeRef


def with_registered_foreign(found: FoundClass) -> FoundClass:
    """
    Return a class whose registered members of C++ types are members of C++ alone.

    The author's own code registers the class, and with it these members: a schema need not say more
    of them than their places.
    """
    if found.header is None:
        return found
    notes = [
        f"`{field.name}`, which is registered with the C++ type `{_spelling(field)}`"
        for field in found.fields
        if _is_foreign(field)
    ]
    fields = tuple(_of_cpp(field) if _is_foreign(field) else field for field in found.fields)
    return replace(found, fields=fields, omitted=(*found.omitted, *notes))


def _is_foreign(field: FoundField) -> bool:
    is_told = field.type is not None and field.type.kind != "foreign"
    return field.registered and not is_told and bool(_spelling(field)) and bool(field.size)


def _spelling(field: FoundField) -> str:
    is_foreign = field.type is not None and field.type.kind == "foreign"
    return field.unknown_type or (field.type.key if is_foreign and field.type else "") or ""


def _of_cpp(field: FoundField) -> FoundField:
    """Return a member without what only registered ones have; it keeps its name in C++."""
    return FoundField(
        name=field.cpp_name or field.name,
        type=TypeRef(kind="foreign", key=_spelling(field)),
        doc=field.doc,
        registered=False,
        offset=field.offset,
        size=field.size,
        align=field.align,
        cpp_init=field.cpp_init,
        access=field.access,
        mutable=field.mutable,
        location=field.location,
    )
