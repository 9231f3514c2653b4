"""The passes in order, from declarations to the JSON IR.

In: `Declarations` and the schemas of imported packages.  Out: a `Schema`, and warnings.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from tschema.diagnostics.errors import Diagnostic, Reporter
from tschema.ir.declarations import Declarations
from tschema.ir.model import Field, Layout, Namespace, Schema, Type
from tschema.passes.check import check, check_files
from tschema.passes.closure import used_imports
from tschema.passes.digest import type_digest
from tschema.passes.hierarchy import child_slots, inherit_options, init_order
from tschema.passes.layout import lay_out, leaves_padding
from tschema.passes.program import Node, Program, ResolvedFile
from tschema.passes.resolve import resolve
from tschema.passes.symbols import collect_symbols
from tschema.record import replace

__all__ = ["build_schema"]


def build_schema(
    package: str, declarations: Declarations, imports: Mapping[str, Schema]
) -> tuple[Schema, tuple[Diagnostic, ...]]:
    """Return the schema that a package declares, and the warnings.

    Parameters
    ----------
    package
        First part of every type key.
    declarations
        The parsed files, with the errors found while parsing.
    imports
        The schema of each package whose declarations may be used, by package.

    Raises
    ------
    SchemaError
        Something is wrong; carries every error, those of the declarations too.
    """
    reporter = Reporter(list(declarations.diagnostics))
    symbols = collect_symbols(package, declarations.files, imports, reporter)
    program = resolve(symbols, reporter)
    inherit_options(program)
    check(program, reporter)
    reporter.stop_on_error()
    schema = join(package, _namespaces(program, child_slots(program)), imports)
    return schema, reporter.sorted("warning")


def build_files(
    package: str,
    declarations: Declarations,
    imports: Mapping[str, Schema],
    known: Mapping[str, Namespace],
) -> tuple[tuple[Namespace, ...], tuple[Diagnostic, ...]] | None:
    """Return what some files declare, and the warnings; None where something is wrong.

    Parameters
    ----------
    package
        First part of every type key.
    declarations
        These files, and all that they import.  No file that is known may import them, and among
        all files the names, bases and options of the classes must be right.
    imports
        The schema of each package whose declarations may be used, by package.
    known
        What the other files declare, by path.
    """
    reporter = Reporter(list(declarations.diagnostics))
    symbols = collect_symbols(package, declarations.files, imports, reporter)
    program = resolve(symbols, reporter)
    types = [type_ for space in known.values() for type_ in space.types]
    inherit_options(program, types)
    fresh = [file for file in program.files if file.decl.source.path not in known]
    check_files(fresh, _names_by_namespace(known.values()), reporter)
    if reporter.sorted("error"):
        return None
    slots = child_slots(program, {type_.key: type_.layout.child_slots for type_ in types})
    spaces = _namespaces(program, slots)
    made = tuple(space for space in spaces if space.source not in known)
    return made, reporter.sorted("warning")


def join(package: str, namespaces: tuple[Namespace, ...], imports: Mapping[str, Schema]) -> Schema:
    """Return the schema of a package, given what its files declare, in order."""
    used = used_imports(namespaces, imports)
    return Schema(package=package, imports=used, namespaces=namespaces)


def _names_by_namespace(spaces: Iterable[Namespace]) -> dict[str, list[str]]:
    """Return the names of the reference classes and enums of each namespace."""
    names: defaultdict[str, list[str]] = defaultdict(list)
    for space in spaces:
        names[space.name] += [type_.ref for type_ in space.types]
        names[space.name] += [enum.name for enum in space.enums]
    return names


def _namespaces(program: Program, slots: Mapping[str, int]) -> tuple[Namespace, ...]:
    assembler = _Assembler(slots)
    return tuple(assembler.namespace(file) for file in program.files)


class _Assembler:
    """Makes models of resolved files; parents come before their children."""

    def __init__(self, slots: Mapping[str, int]) -> None:
        self._slots = slots
        self._fields: dict[str, tuple[Field, ...]] = {}
        self._layouts: dict[str, Layout] = {}

    def namespace(self, file: ResolvedFile) -> Namespace:
        return Namespace(
            name=file.decl.namespace,
            file=file.decl.stem,
            doc=file.decl.doc,
            source=file.decl.source.path,
            enums=tuple(enum for _, enum in file.enums),
            types=tuple(self._type(node) for node in file.nodes),
            functions=tuple(function for _, function in file.functions),
        )

    def _type(self, node: Node) -> Type:
        fields, layout = self._lay_out(node)
        return Type(
            name=node.name,
            key=node.key,
            ref=node.ref,
            parent=node.parent_key,
            doc=node.decl.doc.text if node.decl else "",
            see_also=node.decl.doc.see_also if node.decl else (),
            options=node.options,
            fields=fields,
            restated=tuple(info.model for info in node.restated),
            init=init_order(node),
            methods=tuple(info.model for info in node.methods),
            layout=replace(layout, digest=type_digest(node, fields, layout)),
        )

    def _lay_out(self, node: Node) -> tuple[tuple[Field, ...], Layout]:
        for ancestor in node.ancestors():
            if ancestor.imported is not None:
                self._layouts[ancestor.key] = ancestor.imported.layout
                self._fields[ancestor.key] = ancestor.imported.fields
        lineage = [self._fields[one.key] for one in node.lineage()[:-1]]
        parent = self._layouts[node.parent.key] if node.parent else None
        fields, layout = lay_out(
            node, parent, self._slots[node.key], is_padded=leaves_padding(lineage)
        )
        self._fields[node.key], self._layouts[node.key] = fields, layout
        return fields, layout
