"""Name resolution: bases, types, defaults, keys.

In: the symbol table.  Out: a `ResolvedPackage`.  Unresolved names are reported and omitted; an
incomplete class is marked as broken, so that one mistake gives one error.
"""

from __future__ import annotations

from collections.abc import Mapping

from tschema.diagnostics.errors import Reporter
from tschema.ir.declarations import ClassDecl, FileDecl
from tschema.ir.model import Enum, Options
from tschema.passes.bases import BaseResolver
from tschema.passes.class_kinds import complete
from tschema.passes.enums import resolve_enum
from tschema.passes.fields import FieldResolver
from tschema.passes.former_names import former_class_name, former_keys, given_names
from tschema.passes.keys import type_key
from tschema.passes.options import NOT_OF_THE_MODEL, class_options
from tschema.passes.resolved import FieldInfo, Node, ResolvedFile, ResolvedPackage
from tschema.passes.signatures import SignatureResolver
from tschema.passes.symbols import Symbol, Symbols
from tschema.passes.typing import TypeResolver


def resolve(symbols: Symbols, reporter: Reporter) -> ResolvedPackage:
    """Resolve everything that a package declares."""
    files = [ResolvedFile(file) for file in symbols.files]
    enums = {name: symbol.imported for name, symbol in symbols.table.items() if symbol.is_enum}
    known = {name: enum for name, enum in enums.items() if isinstance(enum, Enum)}
    for file in files:
        _resolve_enums(file, symbols, known, reporter)
    resolver = _Resolver(symbols, known, reporter)
    for file in files:
        resolver.resolve_file(file)
    return ResolvedPackage(symbols.package, files)


def _resolve_enums(
    file: ResolvedFile, symbols: Symbols, known: dict[str, Enum], reporter: Reporter
) -> None:
    for decl in file.decl.classes:
        name = f"{file.decl.module}.{decl.name}"
        symbol = symbols.table[name]
        if symbol.is_enum and symbol.decl is decl:
            known[name] = resolve_enum(decl, symbol.key, reporter)
            file.enums.append((decl, known[name]))


class _Resolver:
    """Resolves the classes and functions of a package."""

    def __init__(self, symbols: Symbols, enums: Mapping[str, Enum], reporter: Reporter) -> None:
        types = TypeResolver(symbols, reporter)
        self._symbols = symbols
        self._enums = enums
        self._reporter = reporter
        self._bases = BaseResolver(symbols, reporter)
        self._fields = FieldResolver(types, enums, reporter)
        self._signatures = SignatureResolver(types, enums, reporter)

    def resolve_file(self, file: ResolvedFile) -> None:
        """Fill in the nodes and functions of a file."""
        for order, decl in enumerate(file.decl.classes):
            symbol = self._symbols.table[f"{file.decl.module}.{decl.name}"]
            if not symbol.is_enum:
                file.nodes.append(self._node(decl, file.decl, symbol, order))
        for function in file.decl.functions:
            resolved = self._signatures.function(function, file.decl)
            if resolved is not None:
                file.functions.append((function, resolved))

    def _node(self, decl: ClassDecl, file: FileDecl, symbol: Symbol, order: int) -> Node:
        given = class_options(decl, self._reporter)
        key = type_key(decl, file, self._reporter)
        options = {name: value for name, value in given.items() if name not in NOT_OF_THE_MODEL}
        renamed_from = given_names(decl, "renamed_from")
        if renamed_from:
            options["renamed_from"] = former_class_name(renamed_from[0])
        node = Node(
            name=decl.name,
            key=key,
            ref=str(given.get("ref_name") or key.rpartition(".")[2]),
            parent=None,
            options=Options(**options),  # type: ignore[arg-type]  # `class_options` has checked.
            given=frozenset(options),
            former_keys=former_keys(key, renamed_from),
            removed_fields=given_names(decl, "removed_fields"),
            decl=decl,
            file=file,
            is_broken=decl.broken,
            extern_size=size if isinstance(size := given.get("size"), int) else None,
        )
        self._bases.link(node, symbol)
        self._add_fields(node, order)
        complete(node, self._enums, self._reporter)
        for method in decl.methods:
            resolved = self._signatures.method(method, file)
            if resolved is not None:
                node.methods.append(resolved)
        return node

    def _add_fields(self, node: Node, order: int) -> None:
        decl = node.decl
        if decl is None:
            return
        docs = {item.name: item.text for item in decl.doc.attributes}
        for field_decl in decl.fields:
            resolved = self._fields.resolve(field_decl, node, docs.get(field_decl.name), order)
            if resolved is None:
                node.is_broken = True
            elif isinstance(resolved, FieldInfo):
                node.fields.append(resolved)
            else:
                node.restated.append(resolved)
