"""Digests of all that an emitted text can depend on: of a schema file, and of a single type.

In: the JSON IR.  Out: digests that change whenever such a text may.  A text depends on the
declarations themselves, on the types that these and their ancestors name, on all ancestors of those
with the files that declare them, on the names in the namespace, and on which types descend from it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from hashlib import sha256

from msgspec import json

from tschema.ir.model import Dialect, Enum, Namespace, Schema, Type, named_keys


class Dependencies:
    """The digests of one schema, each made once."""

    def __init__(self, schema: Schema) -> None:
        """Index a schema."""
        self._schema = schema
        self._files = {space.source: space for space in schema.namespaces}
        self._declarations: dict[str, Type | Enum] = {}
        self._names: defaultdict[str, list[str]] = defaultdict(list)
        self._descendants: defaultdict[str, list[str]] = defaultdict(list)
        self._digests: dict[str, bytes] = {}
        self._of_types: dict[str, bytes] = {}
        self._of_files: dict[str, bytes] = {}
        for space in schema.all_namespaces():
            self._declarations.update((type_.key, type_) for type_ in space.types)
            self._declarations.update((enum.key, enum) for enum in space.enums)
        for space in schema.namespaces:
            self._names[space.name] += [space.file, *_declared_names(space)]
            for type_ in space.types:
                for ancestor in schema.ancestry(type_)[:-1]:
                    self._descendants[ancestor.key].append(type_.key)

    def of_file(self, source: str) -> bytes:
        """Return the digest of all that a text made from a schema file can depend on."""
        if source not in self._of_files:
            self._of_files[source] = self._digest_of_file(self._files[source])
        return self._of_files[source]

    def _digest_of_file(self, space: Namespace) -> bytes:
        reached = {(space.name, space.file): space}
        pending = [space]
        while pending:
            for key in _named_in(pending.pop()):
                home = self._schema.home(key)
                if (home.name, home.file) not in reached:
                    reached[home.name, home.file] = home
                    pending.append(home)
        return _digest(
            *self._around(space),
            *(self._file(reached[name]) for name in sorted(reached)),
            *(part for type_ in space.types for part in self._below(type_.key)),
        )

    def of_type(self, key: str) -> bytes:
        """Return the digest of all that a text made from a type can depend on."""
        if key not in self._of_types:
            lineage = self._schema.ancestry(self._schema.type(key))
            named = {name for type_ in lineage for name in (type_.key, *named_keys(type_))}
            reached = {one for name in named for one in self._lineage(name)}
            self._of_types[key] = _digest(
                *self._around(self._schema.home(key)),
                *(self._declaration(one) for one in (key, *sorted(reached))),
                *self._below(key),
            )
        return self._of_types[key]

    def _around(self, space: Namespace) -> Iterator[bytes]:
        """Yield the context of the declarations of a file."""
        yield self._schema.package.encode()
        yield _head(space)
        dialect = self._schema.dialect(space.name)
        if dialect is not None:
            homes = (self._schema.function_home(key) for key in _functions(dialect))
            yield b"".join((json.encode(dialect), *map(_head, homes)))
        yield "\n".join(self._names[space.name]).encode()

    def _below(self, key: str) -> Iterator[bytes]:
        """Yield which types descend from one, and where they are declared."""
        for one in self._descendants[key]:
            yield one.encode()
            yield _head(self._schema.home(one))

    def _lineage(self, key: str) -> Iterable[str]:
        """Return the keys of a type and its ancestors; that of an enum alone."""
        found = self._declarations[key]
        lineage = self._schema.ancestry(found) if isinstance(found, Type) else (found,)
        return (one.key for one in lineage)

    def _declaration(self, key: str) -> bytes:
        if key not in self._digests:
            head = _head(self._schema.home(key))
            self._digests[key] = _digest(head, json.encode(self._declarations[key]))
        return self._digests[key]

    def _file(self, space: Namespace) -> bytes:
        name = f"{space.name}/{space.file}"  # A key has no slash.
        if name not in self._digests:
            self._digests[name] = _digest(json.encode(space))
        return self._digests[name]


def _named_in(space: Namespace) -> set[str]:
    """Return the keys that the declarations of a file name."""
    named = {key for type_ in space.types for key in named_keys(type_)}
    named |= {one.builds for one in space.operators if one.builds is not None}
    if space.dialect is not None:
        named.update(named_keys(space.dialect))
    return named.union(*map(named_keys, space.functions))


def _functions(dialect: Dialect) -> Iterator[str]:
    """Yield the functions that emitted calls of a dialect's operators name."""
    yield from (key for key in (dialect.make, dialect.number) if key is not None)


def _digest(*parts: bytes) -> bytes:
    state = sha256()
    for part in parts:
        state.update(b"%d:%b" % (len(part), part))
    return state.digest()


def _head(space: Namespace) -> bytes:
    texts = (space.name, space.file, space.source, space.doc, space.cpp_namespace or "")
    return "\n".join(texts).encode()


def _declared_names(space: Namespace) -> Iterator[str]:
    for type_ in space.types:
        yield from (type_.name, type_.ref)
    yield from (enum.name for enum in space.enums)
    yield from (function.name for function in space.functions)
