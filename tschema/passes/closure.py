"""The part of imported packages that a schema builds on.

In: a package's own namespaces and the schemas of other packages.  Out: `Import`s with the
transitive closure of the declarations used.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from tschema.ir.model import Enum, Function, Import, Namespace, Schema, Type, named_keys


class _Index(Struct, eq=False):
    """What all imported packages declare, each declaration once."""

    packages: dict[str, list[Namespace]] = field(default_factory=dict)
    types: dict[str, Type] = field(default_factory=dict)
    enums: dict[str, Enum] = field(default_factory=dict)
    functions: dict[str, Function] = field(default_factory=dict)


def used_imports(
    namespaces: Iterable[Namespace], imports: Mapping[str, Schema]
) -> tuple[Import, ...]:
    """Return the imported declarations that the namespaces use, by package."""
    index = _index(imports)
    own = list(namespaces)
    pending: list[str] = []
    for namespace in own:
        for declared in (namespace.types, namespace.functions):
            pending += (key for one in declared for key in named_keys(one))
        pending += (one.builds for one in namespace.operators if one.builds is not None)
        if namespace.dialect is not None:
            pending += named_keys(namespace.dialect)
            pending += filter(None, (namespace.dialect.make, namespace.dialect.number))
    used: set[str] = set()
    while pending:
        key = pending.pop()
        declares = index.types.get(key) or index.functions.get(key)
        if key in used or (declares is None and key not in index.enums):
            continue
        used.add(key)
        if declares is not None:
            pending += named_keys(declares)
    found = (
        Import(package=name, namespaces=tuple(_filter(index.packages[name], used)))
        for name in index.packages
    )
    return tuple(one for one in found if one.namespaces)


def _index(imports: Mapping[str, Schema]) -> _Index:
    """Index packages; the imports of a package come before it, and a direct import wins."""
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
            index.functions.update((one.key, one) for one in namespace.functions)
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
        functions = tuple(one for one in namespace.functions if one.key in used)
        if types or enums or functions:
            yield Namespace(
                name=namespace.name,
                file=namespace.file,
                doc=namespace.doc,
                source=namespace.source,
                cpp_namespace=namespace.cpp_namespace,
                enums=enums,
                types=types,
                functions=functions,
            )
