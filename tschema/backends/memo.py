"""Texts that earlier runs have rendered: of files, and of single types.

In: the JSON IR, and the schema files or the type that a text is made from.  Out: the text, rendered
only where something that it can depend on has changed.  That is: the declarations themselves, the
types that they name and those that their ancestors name, all ancestors of these with where they are
declared, the names that the files of the namespace declare, and which types descend from theirs.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from tschema.incremental.cache import Store, make_key
from tschema.ir.json_dump import DECLARATION, Dumper
from tschema.ir.model import ROOT_KEY, Enum, Function, Method, Namespace, Schema, Type, TypeRef

__all__ = ["Memo"]

_T = TypeVar("_T")


class Memo:
    """Remembers the texts of a schema."""

    def __init__(self, schema: Schema, store: Store, dumper: Dumper | None = None) -> None:
        """
        Begin with a schema.

        Parameters
        ----------
        schema
            The JSON IR.
        store
            What earlier runs have rendered.
        dumper
            Takes part in dumping the schema.
        """
        self._dumper = dumper or Dumper()
        self._schema = schema
        self._store = store
        self._spaces = {space.source: space for space in schema.namespaces}
        self._digests: dict[str, bytes] = {}
        self._files: dict[str, bytes] = {}
        self._types: dict[str, bytes] = {}
        self._name_digests: dict[str, bytes] = {}
        self._names_in: dict[str, frozenset[str]] = {}
        self._lineages: dict[str, tuple[str, ...]] = {}
        self._names: defaultdict[str, list[str]] = defaultdict(list)
        self._descendants: defaultdict[str, list[str]] = defaultdict(list)
        for space in schema.namespaces:
            self._names[space.name] += [space.file, *_declared(space)]
            for type_ in space.types:
                for ancestor in schema.ancestry(type_)[:-1]:
                    self._descendants[ancestor.key].append(type_.key)

    def text(self, kind: str, sources: Iterable[str], make: Callable[[], str]) -> str:
        """
        Return a text.

        Parameters
        ----------
        kind
            What the text is, and the settings that it depends on.
        sources
            The schema files that it is made from.
        make
            Renders it.
        """
        key = make_key("text", kind, *map(self._of_file, sources))
        known = self._store.get(key)
        if known is not None:
            return known.decode()
        text = make()
        self._store.put(key, text.encode())
        return text

    def part(self, kind: str, key: str, make: Callable[[], _T]) -> _T:
        """
        Return what is made from one type alone.

        Parameters
        ----------
        kind
            What it is, and everything else that it depends on.
        key
            The key of the type.
        make
            Makes it.
        """
        full = make_key("part", kind, self._of_type(key))
        known = self._store.get(full)
        if known is not None:
            value: _T = json.loads(known)
            return value
        made = make()
        self._store.put(full, json.dumps(made, ensure_ascii=False).encode())
        return made

    def _of_file(self, source: str) -> bytes:
        """Return a digest of all that a text made from a schema file can depend on."""
        found = self._files.get(source)
        if found is None:
            space = self._spaces[source]
            named = {key for function in space.functions for key in _callable_keys(function)}
            found = make_key(
                *map(self._of_type, (type_.key for type_ in space.types)),
                *(self._dumper.dump(one, DECLARATION) for one in (*space.enums, *space.functions)),
                *self._surroundings(space, named),
            )
            self._files[source] = found
        return found

    def _of_type(self, key: str) -> bytes:
        """Return a digest of all that a text made from a type can depend on."""
        found = self._types.get(key)
        if found is None:
            space = self._schema.home(key)
            relatives = self._descendants.get(key, ())
            named = set().union(*map(self._named, self._schema.ancestry(self._schema.type(key))))
            found = make_key(
                self._digest(key),
                *self._surroundings(space, named),
                "descendants",
                *relatives,
                *map(self._home, relatives),
            )
            self._types[key] = found
        return found

    def _surroundings(self, space: Namespace, named: set[str]) -> Iterator[bytes | str]:
        """Yield what stands around a declaration: what it can name, in turn too, and where."""
        keys = sorted({key for one in named for key in self._lineage(one)})
        yield self._schema.package
        yield _header(space)
        yield self._name_digest(space.name)
        yield from keys
        yield from map(self._digest, keys)

    def _named(self, type_: Type) -> frozenset[str]:
        """Return the keys that a type names, and its own."""
        found = self._names_in.get(type_.key)
        if found is None:
            found = frozenset({type_.key, *_type_keys(type_)})
            self._names_in[type_.key] = found
        return found

    def _lineage(self, key: str) -> tuple[str, ...]:
        """Return the keys of a type and its ancestors; that of an enum alone."""
        found = self._lineages.get(key)
        if found is None:
            found = (key,)
            if self._is_type(key):
                found = tuple(one.key for one in self._schema.ancestry(self._schema.type(key)))
            self._lineages[key] = found
        return found

    def _name_digest(self, namespace: str) -> bytes:
        found = self._name_digests.get(namespace)
        if found is None:
            found = self._name_digests[namespace] = make_key(*self._names[namespace])
        return found

    def _is_type(self, key: str) -> bool:
        try:
            self._schema.type(key)
        except KeyError:
            return False
        return True

    def _digest(self, key: str) -> bytes:
        found = self._digests.get(key)
        if found is None:
            declared: Type | Enum
            declared = self._schema.type(key) if self._is_type(key) else self._schema.enum(key)
            found = make_key(self._home(key), self._dumper.dump(declared, DECLARATION))
            self._digests[key] = found
        return found

    def _home(self, key: str) -> str:
        return _header(self._schema.home(key))


def _header(space: Namespace) -> str:
    return "\n".join((space.name, space.file, space.source, space.doc))


def _declared(space: Namespace) -> Iterator[str]:
    for type_ in space.types:
        yield from (type_.name, type_.ref)
    yield from (enum.name for enum in space.enums)
    yield from (function.name for function in space.functions)


def _type_keys(type_: Type) -> Iterator[str]:
    if type_.parent != ROOT_KEY:
        yield type_.parent
    for field in type_.fields:
        yield from _keys(field.type)
    for method in type_.methods:
        yield from _callable_keys(method)


def _callable_keys(decl: Method | Function) -> Iterator[str]:
    for param in decl.params:
        yield from _keys(param.type)
    yield from _keys(decl.returns)


def _keys(ref: TypeRef) -> Iterator[str]:
    return (one.key for one in ref.walk() if one.key is not None)
