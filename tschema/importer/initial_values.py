"""Values that members begin with, as the schema language takes them.

In: a found class.  Out: the same, with defaults and initializers that suit it.
"""

from __future__ import annotations

from msgspec.structs import replace

from tschema.importer.records import FoundClass, FoundDefault, FoundField
from tschema.ir.model import TypeRef

_TAKE_NONE = ("Optional", "Any")


def with_first_values(found: FoundClass) -> FoundClass:
    """
    Return a class whose fields with the default None have a type or a class that allows it.

    A registry tells that a member is null by default, and not its C++ type: it is optional then.
    Headers tell the type, which stays: the members of a default-constructible class are null until
    they are filled in, so that the default goes without saying.

    The initializer of a member goes where the constructor sets the member in any case.
    """
    fields = (_with_null(field, found) for field in found.fields)
    return replace(found, fields=tuple(_initialized(field, found) for field in fields))


def _initialized(field: FoundField, found: FoundClass) -> FoundField:
    is_set = field.init and field.registered and not found.default_constructible
    return replace(field, cpp_init=None) if is_set else field


def _with_null(field: FoundField, found: FoundClass) -> FoundField:
    is_null = field.default is not None and field.default == FoundDefault(value=None)
    if not is_null or field.type is None or field.type.kind in _TAKE_NONE:
        return field
    if found.header is None:
        return replace(field, type=TypeRef(kind="Optional", args=(field.type,)))
    return replace(field, default=None) if found.default_constructible else field
