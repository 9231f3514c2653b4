"""References that may be null, which only C++ need not call optional.

In: a found class.  Out: the same, with defaults that the schema language takes.
"""

from __future__ import annotations

from msgspec.structs import replace

from tschema.importer.records import FoundClass, FoundDefault, FoundField
from tschema.ir.model import TypeRef

_TAKE_NONE = ("Optional", "Any")


def with_nulls(found: FoundClass) -> FoundClass:
    """
    Return a class whose fields with the default None have a type or a class that allows it.

    A registry tells that a member is null by default, and not its C++ type: it is optional then.
    Headers tell the type, which stays: the members of a default-constructible class are null until
    they are filled in, so that the default goes without saying.
    """
    return replace(found, fields=tuple(_with_null(field, found) for field in found.fields))


def _with_null(field: FoundField, found: FoundClass) -> FoundField:
    is_null = field.default is not None and field.default == FoundDefault(value=None)
    if not is_null or field.type is None or field.type.kind in _TAKE_NONE:
        return field
    if found.header is None:
        return replace(field, type=TypeRef(kind="Optional", args=(field.type,)))
    return replace(field, default=None) if found.default_constructible else field
