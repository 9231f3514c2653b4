"""The JSON IR as the languages other than C++ see it.

In: the JSON IR.  Out: the same, where references that may be null are optional, and classes that
are not registered are missing: their objects are any objects.
"""

from __future__ import annotations

from typing import TypeVar

from msgspec.structs import replace

from tschema.ir.model import Function, Import, Method, Namespace, Parameter, Schema, Type

_Callable = TypeVar("_Callable", Function, Method)


def outside_cpp(schema: Schema) -> Schema:
    """Return a schema as Python and Rust see it: itself, if that changes nothing."""
    if not any(map(_is_special, (one for space in schema.all_namespaces() for one in space.types))):
        return schema
    view = _View(schema)
    return replace(
        schema,
        namespaces=tuple(map(view.namespace, schema.namespaces)),
        imports=tuple(
            Import(package=one.package, namespaces=tuple(map(view.namespace, one.namespaces)))
            for one in schema.imports
        ),
    )


def _is_special(type_: Type) -> bool:
    options = type_.options
    is_plain = options.ref in ("default", None) and options.register
    return not is_plain or options.default_constructible


class _View:
    """Views the declarations of one schema."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema

    def namespace(self, space: Namespace) -> Namespace:
        return replace(
            space,
            types=tuple(self._type(type_) for type_ in space.types if type_.options.register),
            functions=tuple(map(self._callable, space.functions)),
        )

    def _type(self, type_: Type) -> Type:
        return replace(
            type_,
            fields=tuple(map(self._schema.seen_field, type_.fields)),
            accessors=tuple(map(self._schema.seen_field, type_.accessors)),
            methods=tuple(map(self._callable, type_.methods)),
        )

    def _callable(self, declared: _Callable) -> _Callable:
        return replace(
            declared,
            params=tuple(map(self._parameter, declared.params)),
            returns=self._schema.seen_type(declared.returns),
        )

    def _parameter(self, param: Parameter) -> Parameter:
        seen = self._schema.seen_type(param.type)
        return param if seen is param.type else replace(param, type=seen)
