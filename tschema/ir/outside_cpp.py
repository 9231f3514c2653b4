"""The JSON IR as the languages other than C++ see it.

In: the JSON IR.  Out: the same, where references that may be null are optional, and classes that
are not registered are missing: their objects are any objects.
"""

from __future__ import annotations

from typing import TypeVar

from tschema.ir.model import Function, Method, Namespace, Schema, Type, changed

_Callable = TypeVar("_Callable", Function, Method)


def outside_cpp(schema: Schema) -> Schema:
    """Return a schema as Python and Rust see it: itself, if that changes nothing."""
    return schema.mapped(lambda space: _namespace(space, schema))


def _namespace(space: Namespace, schema: Schema) -> Namespace:
    return changed(
        space,
        types=tuple(_type(type_, schema) for type_ in space.types if type_.options.register),
        functions=tuple(_callable(function, schema) for function in space.functions),
    )


def _type(type_: Type, schema: Schema) -> Type:
    return changed(
        type_,
        fields=tuple(map(schema.seen_field, type_.fields)),
        accessors=tuple(map(schema.seen_field, type_.accessors)),
        methods=tuple(_callable(method, schema) for method in type_.methods),
    )


def _callable(declared: _Callable, schema: Schema) -> _Callable:
    return changed(
        declared,
        params=tuple(changed(one, type=schema.seen_type(one.type)) for one in declared.params),
        returns=schema.seen_type(declared.returns),
    )
