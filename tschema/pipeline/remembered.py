"""What earlier runs have made of schema files, so that only those that matter are worked out again.

In: schema files, as text.  Out: the schema that the passes make of them all, or None where that is
for all of the passes to say, such as what is wrong.  What a file declares depends on itself, on the
files that it imports, in turn too, and on the *heads* of all files: what is imported where, and the
names, bases and options of all classes.  A file that some run has made the same types of without a
remark, among the same heads, needs no pass: what the heads decide was checked then.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import TypeVar

from tschema import passes
from tschema.diagnostics.errors import Diagnostic
from tschema.frontend import SchemaFile, parse_files
from tschema.incremental.cache import Store, make_key
from tschema.ir.declarations import FileDecl
from tschema.ir.json_dump import DECLARATION, Dumper
from tschema.ir.json_load import load_model
from tschema.ir.model import Enum, Function, Namespace, Schema, Type
from tschema.record import record

__all__ = ["Remembered"]

_M = TypeVar("_M", Type, Enum, Function)

_Head = list[list[str]]
"""What other files may depend on, as text: names imported, modules of these, classes, functions."""


@record
class _Heads:
    """All files of a package, and how they hang together."""

    files: Mapping[str, SchemaFile]
    """By path."""
    digest: bytes
    """Of what any file may depend on."""
    imported: Mapping[str, frozenset[str]]
    """Path of a file to those that it imports, in turn too."""


class Remembered:
    """What is known of the schema files of a package."""

    def __init__(
        self,
        package: str,
        files: Iterable[SchemaFile],
        imports: Mapping[str, bytes],
        store: Store,
    ) -> None:
        """
        Look at the files as they are.

        Parameters
        ----------
        package
            First part of every type key.
        files
            All schema files.
        imports
            Digest of the schema of each imported package.
        store
            What earlier runs have noted.
        """
        self._package = package
        self._imports = imports
        self._files = {file.source.path: file for file in files}
        self._store = store

    def build(
        self, imports: Mapping[str, Schema], dumper: Dumper
    ) -> tuple[Schema, tuple[Diagnostic, ...]] | None:
        """
        Return the schema and the warnings, if earlier runs have worked out a part of it.

        Parameters
        ----------
        imports
            The schemas of the imported packages.
        dumper
            Told of the texts of the declarations that are known.
        """
        found = _find_heads(self._files.values(), self._store)
        heads = self._heads(found) if found is not None else None
        order = self._store.get(_order_key(heads)) if heads is not None else None
        if heads is None or order is None:
            return None
        texts = {path: self._store.get(self._key(path, heads)) for path in heads.files}
        fresh = {path for path, data in texts.items() if data is None}
        fresh |= {path for path, others in heads.imported.items() if fresh & others}
        known = {
            path: _load(data, heads.files[path], dumper)
            for path, data in texts.items()
            if data is not None and path not in fresh
        }
        needed = fresh.union(*(heads.imported[path] for path in fresh))
        declarations = parse_files((self._files[path] for path in sorted(needed)), self._store)
        made = passes.build_files(self._package, declarations, imports, known) if known else None
        if made is None:
            return None
        spaces, warnings = made
        by_path = {space.source: space for space in (*known.values(), *spaces)}
        namespaces = tuple(by_path[path] for path in json.loads(order))
        schema = passes.join(self._package, namespaces, imports)
        self._note_files(schema, fresh - _remarked(warnings), heads, dumper)
        return schema, warnings

    def note(
        self,
        schema: Schema,
        declared: Iterable[FileDecl],
        warnings: Iterable[Diagnostic],
        dumper: Dumper,
    ) -> None:
        """
        Note what the passes have made of all files.

        Parameters
        ----------
        schema
            The schema.
        declared
            The parsed files.
        warnings
            What was worth a remark; the files that it is about are worked out again each time.
        dumper
            Dumps declarations.
        """
        found = {file.source.path: _head(file) for file in declared}
        for path, head in found.items():
            self._store.put(_head_key(self._files[path]), json.dumps(head).encode())
        heads = self._heads(found)
        order = [space.source for space in schema.namespaces]
        self._store.put(_order_key(heads), json.dumps(order).encode())
        self._note_files(schema, heads.files.keys() - _remarked(warnings), heads, dumper)

    def _note_files(
        self, schema: Schema, paths: Iterable[str], heads: _Heads, dumper: Dumper
    ) -> None:
        chosen = set(paths)
        for space in schema.namespaces:
            if space.source in chosen:
                self._store.put(self._key(space.source, heads), _dump(space, dumper))

    def _heads(self, found: Mapping[str, _Head]) -> _Heads:
        """Put heads together; files without one declare nothing."""
        files = {path: self._files[path] for path in found}
        parts = [f"{path} {file.module} {file.namespace}" for path, file in files.items()]
        digest = make_key(
            self._package,
            *(part for name in sorted(self._imports) for part in (name, self._imports[name])),
            *parts,
            json.dumps(list(found.values())),
        )
        modules = {file.module: path for path, file in files.items()}
        direct = {path: _targets(head, modules) for path, head in found.items()}
        return _Heads(files, digest, {path: _closure(path, direct) for path in direct})

    def _key(self, path: str, heads: _Heads) -> bytes:
        others = (heads.files[one].source.text for one in sorted(heads.imported[path]))
        return make_key("types", heads.digest, path, heads.files[path].source.text, *others)


def _remarked(warnings: Iterable[Diagnostic]) -> set[str]:
    """Return the files that warnings are about."""
    return {warning.span.file.path for warning in warnings if warning.span}


def _find_heads(files: Iterable[SchemaFile], store: Store) -> dict[str, _Head] | None:
    """Return the heads of the files that declare anything; None if one is wrong."""
    found: dict[str, _Head] = {}
    for file in files:
        data = store.get(_head_key(file))
        if data is not None:
            found[file.source.path] = json.loads(data)
            continue
        parsed = parse_files([file], store)
        if parsed.diagnostics:
            return None
        for one in parsed.files:
            found[one.source.path] = _head(one)
            store.put(_head_key(file), json.dumps(found[one.source.path]).encode())
    return found


def _head_key(file: SchemaFile) -> bytes:
    return make_key("head", file.module, file.source.text)


def _order_key(heads: _Heads) -> bytes:
    return make_key("order", heads.digest)


def _head(file: FileDecl) -> _Head:
    """Return what other files may depend on, but for what classes and functions hold."""
    classes = [
        part
        for decl in file.classes
        for part in (
            f"class {decl.name}",
            *map(str, decl.bases),
            *(f"{one.name} = {one.value}" for one in decl.assignments),
        )
    ]
    return [
        [one.local for one in file.imports],
        [f"{one.module} {one.name or ''}" for one in file.imports],
        classes,
        [decl.name for decl in file.functions],
    ]


def _targets(head: _Head, modules: Mapping[str, str]) -> frozenset[str]:
    """Return the files that one imports itself; all of them where a folder is imported."""
    roots = {module.partition(".")[0] for module in modules}
    found: set[str] = set()
    for line in head[1]:
        module, _, name = line.partition(" ")
        named = [one for one in (module, f"{module}.{name}") if name and one in modules]
        if not named and module.partition(".")[0] in roots:
            return frozenset(modules.values())
        found.update(modules[one] for one in named)
    return frozenset(found)


def _closure(path: str, direct: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """Return the files that one imports, in turn too, itself left out."""
    found: set[str] = set()
    pending = [path]
    while pending:
        for target in direct[pending.pop()] - found:
            found.add(target)
            pending.append(target)
    return frozenset(found - {path})


def _dump(space: Namespace, dumper: Dumper) -> bytes:
    """Return the bytes that stand for what a file declares, given the file."""
    sections = (space.enums, space.types, space.functions)
    counts = " ".join(str(len(section)) for section in sections)
    texts = (dumper.dump(one, DECLARATION) for section in sections for one in section)
    return "\0".join([counts, json.dumps(space.doc), *texts]).encode()


def _load(data: bytes, file: SchemaFile, dumper: Dumper) -> Namespace:
    counts, *texts = data.decode().split("\0")
    doc, *values = json.loads(f"[{','.join(texts)}]")
    pairs = zip(texts[1:], values, strict=True)
    n_enums, n_types, n_functions = map(int, counts.split())
    return Namespace(
        name=file.namespace,
        file=file.stem,
        doc=doc,
        source=file.source.path,
        enums=_load_section(Enum, islice(pairs, n_enums), dumper),
        types=_load_section(Type, islice(pairs, n_types), dumper),
        functions=_load_section(Function, islice(pairs, n_functions), dumper),
    )


def _load_section(
    kind: type[_M], pairs: Iterable[tuple[str, dict[str, object]]], dumper: Dumper
) -> tuple[_M, ...]:
    """Return declarations, and tell the dumper the text of each."""
    found = []
    for text, value in pairs:
        model = load_model(kind, value)
        dumper.know(model, text)
        found.append(model)
    return tuple(found)
