"""The part of imported packages that a schema builds on.

In: a package's own namespaces and the schemas of other packages.  Out: `Import`s that hold the
declarations used, those that they use in turn, and no others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from tschema.ir.model import ROOT_KEY, Enum, Import, Method, Namespace, Schema, Type, TypeRef
from tschema.record import field, record, replace

__all__ = ["used_imports"]


@record(frozen=False, eq=False)
class _Index:
    """What all imported packages declare, each declaration once."""

    packages: dict[str, list[Namespace]] = field(factory=dict)
    types: dict[str, Type] = field(factory=dict)
    enums: dict[str, Enum] = field(factory=dict)


def used_imports(
    namespaces: Iterable[Namespace], imports: Mapping[str, Schema]
) -> tuple[Import, ...]:
    """Return the imported declarations that the namespaces use, by package."""
    index = _index(imports)
    own = list(namespaces)
    pending = [key for namespace in own for key in _namespace_keys(namespace)]
    used: set[str] = set()
    while pending:
        key = pending.pop()
        if key in used or (key not in index.types and key not in index.enums):
            continue
        used.add(key)
        if key in index.types:
            pending += _type_keys(index.types[key])
    found = (
        Import(package=name, namespaces=tuple(_filter(index.packages[name], used)))
        for name in index.packages
    )
    return tuple(one for one in found if one.namespaces)


def _index(imports: Mapping[str, Schema]) -> _Index:
    """Index packages; what a package imports itself comes before it, and a direct import wins."""
    index = _Index()
    spaces: dict[str, tuple[Namespace, ...]] = {}
    for name in sorted(imports, key=lambda name: (len(imports[name].imports), name)):
        for indirect in imports[name].imports:
            merged = {(one.name, one.file): one for one in spaces.get(indirect.package, ())}
            for namespace in indirect.namespaces:
                key = (namespace.name, namespace.file)
                merged[key] = _merge(merged.get(key), namespace)
            spaces[indirect.package] = tuple(merged.values())
        spaces.setdefault(name, ())
    for name, found in spaces.items():
        direct = imports[name].namespaces if name in imports else found
        index.packages[name] = list(direct)
        for namespace in direct:
            index.types.update((type_.key, type_) for type_ in namespace.types)
            index.enums.update((enum.key, enum) for enum in namespace.enums)
    return index


def _merge(known: Namespace | None, other: Namespace) -> Namespace:
    """Unite two parts of the namespace of a package that is only imported indirectly."""
    if known is None:
        return other
    types = {type_.key: type_ for type_ in (*known.types, *other.types)}
    enums = {enum.key: enum for enum in (*known.enums, *other.enums)}
    ordered = sorted(types.values(), key=lambda type_: (type_.layout.depth, type_.key))
    return replace(known, types=tuple(ordered), enums=tuple(enums.values()))


def _filter(namespaces: Iterable[Namespace], used: set[str]) -> Iterator[Namespace]:
    for namespace in namespaces:
        types = tuple(type_ for type_ in namespace.types if type_.key in used)
        enums = tuple(enum for enum in namespace.enums if enum.key in used)
        if types or enums:
            yield replace(namespace, types=types, enums=enums, functions=())


def _namespace_keys(namespace: Namespace) -> Iterator[str]:
    for type_ in namespace.types:
        yield from _type_keys(type_)
    for function in namespace.functions:
        for param in function.params:
            yield from _ref_keys(param.type)
        yield from _ref_keys(function.returns)


def _type_keys(type_: Type) -> Iterator[str]:
    if type_.parent != ROOT_KEY:
        yield type_.parent
    for one in type_.fields:
        yield from _ref_keys(one.type)
    for method in type_.methods:
        yield from _method_keys(method)


def _method_keys(method: Method) -> Iterator[str]:
    for param in method.params:
        yield from _ref_keys(param.type)
    yield from _ref_keys(method.returns)


def _ref_keys(ref: TypeRef) -> Iterator[str]:
    return (one.key for one in ref.walk() if one.key is not None)
