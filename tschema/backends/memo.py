"""Texts of files that earlier runs have rendered.

In: the JSON IR, and the schema files that a text is made from.  Out: the text, rendered only where
something that it can depend on has changed.  That is: the files themselves, the types that they
name and those that their ancestors name, all ancestors of these with where they are declared,
the names that other files of the namespace declare, and which types descend from theirs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator

from tschema.cache import Store, make_key
from tschema.json_dump import DECLARATION, Dumper
from tschema.model import ROOT_KEY, Enum, Function, Method, Namespace, Schema, Type, TypeRef

__all__ = ["Memo"]


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
        self._footprints: dict[str, bytes] = {}
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
        key = make_key("text", kind, *map(self._footprint, sources))
        known = self._store.get(key)
        if known is not None:
            return known.decode()
        text = make()
        self._store.put(key, text.encode())
        return text

    def _footprint(self, source: str) -> bytes:
        """Return a digest of all that a text made from a schema file can depend on."""
        found = self._footprints.get(source)
        if found is None:
            space = self._spaces[source]
            keys = sorted(self._reached(space))
            relatives = [
                name for type_ in space.types for name in self._descendants.get(type_.key, ())
            ]
            found = make_key(
                self._schema.package,
                _header(space),
                *map(self._digest, (type_.key for type_ in space.types)),
                *(self._dumper.dump(one, DECLARATION) for one in (*space.enums, *space.functions)),
                "reached",
                *keys,
                *map(self._digest, keys),
                "relatives",
                *self._names[space.name],
                "descendants",
                *relatives,
                *map(self._home, relatives),
            )
            self._footprints[source] = found
        return found

    def _reached(self, space: Namespace) -> set[str]:
        """Return the keys that a file's text can name or look at."""
        named = {key for function in space.functions for key in _callable_keys(function)}
        for type_ in space.types:
            for ancestor in self._schema.ancestry(type_):
                named |= {ancestor.key, *_type_keys(ancestor)}
        enums = {key for key in named if not self._is_type(key)}
        types = (self._schema.type(key) for key in named - enums)
        return enums | {one.key for type_ in types for one in self._schema.ancestry(type_)}

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
