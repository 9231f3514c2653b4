"""Keys of enums whose namespaces in C++ are those of the enums.

In: the found classes and enums, and the namespaces that the project gives to keys.  Out: the same,
where each enum has the prefix of a namespace that C++ spells as the enum's.  An enum has no type
key, so that only its place in C++ decides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

from msgspec.structs import replace

from tschema.importer.records import (
    Found,
    FoundClass,
    FoundDefault,
    FoundEnum,
    FoundField,
    FoundMethod,
)
from tschema.ir.model import TypeRef


def with_enums_at_home(found: Found, cpp_namespace: Callable[[str], str]) -> Found:
    """
    Return the found classes and enums; enums that would move in C++ get other keys.

    Parameters
    ----------
    cpp_namespace
        Returns the namespace of C++ that a dotted name of the schema has.
    """
    keys = dict(_moved(found, cpp_namespace))
    if not keys:
        return found
    return replace(
        found,
        classes=tuple(_with_keys(one, keys) for one in found.classes),
        enums=tuple(replace(one, key=keys.get(one.key, one.key)) for one in found.enums),
    )


def _moved(found: Found, cpp_namespace: Callable[[str], str]) -> list[tuple[str, str]]:
    taken = {one.key for one in found.enums}
    moved = []
    for enum in found.enums:
        prefix = _prefix(enum, found, cpp_namespace)
        key = f"{prefix}.{enum.name}"
        if prefix is not None and key not in taken:
            moved.append((enum.key, key))
            taken.add(key)
    return moved


def _prefix(enum: FoundEnum, found: Found, cpp_namespace: Callable[[str], str]) -> str | None:
    """Return the most frequent prefix that fits; None if the enum's own does, or none."""
    if cpp_namespace(enum.key) == enum.cpp_namespace:
        return None
    prefixes = Counter(
        one.key.rpartition(".")[0]
        for one in found.classes
        if one.key is not None and cpp_namespace(one.key) == enum.cpp_namespace
    )
    return next((prefix for prefix, _ in prefixes.most_common(1) if prefix), None)


def _with_keys(found: FoundClass, keys: Mapping[str, str]) -> FoundClass:
    return replace(
        found,
        fields=tuple(_field(one, keys) for one in found.fields),
        methods=tuple(_method(one, keys) for one in found.methods),
    )


def _field(field: FoundField, keys: Mapping[str, str]) -> FoundField:
    return replace(field, type=_type(field.type, keys), default=_default(field.default, keys))


def _method(method: FoundMethod, keys: Mapping[str, str]) -> FoundMethod:
    params = (
        replace(one, type=_type(one.type, keys), default=_default(one.default, keys))
        for one in method.params
    )
    return replace(method, params=tuple(params), returns=_type(method.returns, keys))


def _default(default: FoundDefault | None, keys: Mapping[str, str]) -> FoundDefault | None:
    if default is None or default.member is None:
        return default
    key, name = default.member
    return replace(default, member=(keys.get(key, key), name))


def _type(ref: TypeRef | None, keys: Mapping[str, str]) -> TypeRef | None:
    if ref is None or not any(one.kind == "enum" and one.key in keys for one in ref.walk()):
        return ref
    args = tuple(_type(one, keys) or one for one in ref.args)
    key = keys.get(ref.key or "", ref.key) if ref.kind == "enum" else ref.key
    return replace(ref, key=key, args=args)
