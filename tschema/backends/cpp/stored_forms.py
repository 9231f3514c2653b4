"""What files of older versions hold of a package's types: rows of the table that loaders read.

In: the JSON IR.  Out: rows of C++ tables, and the headers that they need.
"""

from __future__ import annotations

from collections.abc import Iterator

from tschema.backends.cpp import names
from tschema.backends.cpp.rows import default_thunk, row
from tschema.backends.cpp.scope import Scope
from tschema.ir.model import Schema, Type


def stored_forms(schema: Schema) -> Iterator[str]:
    """Yield a row for each former name, and for each field that is stored without its default."""
    for type_ in _registered(schema):
        yield from _of_type(type_, Scope(schema, ""))


def stored_form_includes(schema: Schema) -> list[str]:
    """Return the headers that the values in the rows need: those of enums."""
    fields = (field for type_ in _registered(schema) for field in type_.fields)
    stored = [field for field in fields if field.stored_default]
    found = {include for field in stored for include in names.cpp_includes(field.type, schema)}
    return sorted(found)


def _registered(schema: Schema) -> Iterator[Type]:
    """Yield the types that the package registers."""
    for type_ in schema.types():
        if type_.is_registered:
            yield type_


def _of_type(type_: Type, scope: Scope) -> Iterator[str]:
    key = names.string_literal(type_.key)
    yield from (row(key, names.string_literal(former)) for former in type_.former_keys)
    fields = [(former, one.name) for one in type_.fields for former in one.renamed_from]
    fields += [(removed, "") for removed in type_.removed_fields]
    for former, name in fields:
        yield row(key, names.string_literal(former), names.string_literal(name))
    for field in type_.fields:
        value = default_thunk(field.stored_default, field.type, scope, factory="")
        if value:
            yield row(key, "nullptr", names.string_literal(field.name), value)
