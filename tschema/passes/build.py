"""The passes in order, from declarations to the JSON IR.

In: `Declarations` and the schemas of imported packages.  Out: a `Schema`, and warnings.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from tschema.diagnostics.errors import Diagnostic, Reporter
from tschema.ir.declarations import Declarations
from tschema.ir.model import Field, Layout, Namespace, Schema, Type
from tschema.passes.attribute_nodes import with_attribute_nodes
from tschema.passes.check import check
from tschema.passes.closure import used_imports
from tschema.passes.cpp_namespaces import map_namespaces
from tschema.passes.digest import type_digest
from tschema.passes.hierarchy import child_slots, inherit_options, init_order
from tschema.passes.layout import lay_out, leaves_padding
from tschema.passes.names import check_guards_of_imports, check_imported_guards
from tschema.passes.optional_layouts import check_optional_layouts
from tschema.passes.resolve import resolve
from tschema.passes.resolved import Node, ResolvedFile, has_operators
from tschema.passes.symbols import collect_symbols


def build_schema(
    package: str,
    declarations: Declarations,
    imports: Mapping[str, Schema],
    cpp_namespaces: Mapping[str, str] | None = None,
    roots: tuple[str, ...] = (),
    *,
    wants_old_layouts: bool = False,
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
    cpp_namespaces
        For prefixes of namespaces, how C++ spells them where it does not spell them alike.
    roots
        First parts of namespaces besides the package.
    wants_old_layouts
        Whether tvm-ffi 0.1.12 must lay out all fields as the schema does.

    Raises
    ------
    SchemaError
        Something is wrong; carries every error, those of the declarations too.
    """
    reporter = Reporter(list(declarations.diagnostics))
    files = with_attribute_nodes(declarations.files)
    symbols = collect_symbols(package, files, imports, reporter)
    resolved = resolve(symbols, reporter)
    map_namespaces(resolved, cpp_namespaces or {})
    if any(has_operators(file.decl) for file in resolved.files):
        from tschema.passes.operators import resolve_operators  # Many modules, for few packages.

        resolve_operators(resolved, symbols, imports, reporter)
    inherit_options(resolved)
    check(resolved, reporter)
    if wants_old_layouts:
        check_optional_layouts(resolved, reporter)
    check_imported_guards(resolved.files, imports, reporter)
    reporter.stop_on_error()
    assembler = _Assembler(child_slots(resolved))
    namespaces = tuple(assembler.namespace(file) for file in resolved.files)
    used = used_imports(namespaces, imports)
    check_guards_of_imports(used, resolved.files, reporter)
    reporter.stop_on_error()
    schema = Schema(version=1, package=package, roots=roots, imports=used, namespaces=namespaces)
    return schema, reporter.sorted("warning")


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
            cpp_namespace=file.cpp_namespace,
            enums=tuple(enum for _, enum in file.enums),
            types=tuple(self._type(node) for node in file.nodes),
            functions=tuple(function for _, function in file.functions),
            dialect=file.dialect,
            operators=tuple(file.operators),
        )

    def _type(self, node: Node) -> Type:
        members, layout = self._lay_out(node)
        hidden = {info.model.name for info in node.fields if not info.registered}
        fields = tuple(field for field in members if field.name not in hidden)
        accessors: tuple[Field, ...] = ()
        if node.is_opaque:
            fields, accessors = (), tuple(info.model for info in node.fields)
        unregistered = tuple(field for field in members if field.name in hidden)
        return Type(
            name=node.name,
            key=node.key,
            ref=node.ref,
            parent=node.parent_key,
            doc=node.decl.doc.text if node.decl else "",
            see_also=node.decl.doc.see_also if node.decl else (),
            options=node.options,
            fields=fields,
            unregistered=unregistered,
            accessors=accessors,
            restated=tuple(info.model for info in node.restated),
            init=() if node.is_opaque else init_order(node),
            methods=tuple(info.model for info in node.methods),
            former_keys=node.former_keys,
            removed_fields=node.removed_fields,
            layout=replace(layout, digest=type_digest(node, (*fields, *unregistered), layout)),
        )

    def _lay_out(self, node: Node) -> tuple[tuple[Field, ...], Layout]:
        for ancestor in node.ancestors():
            if ancestor.imported is not None:
                self._layouts[ancestor.key] = ancestor.imported.layout
                self._fields[ancestor.key] = ancestor.imported.members
        parent = self._layouts[node.parent.key] if node.parent else None
        fields, layout = lay_out(
            node, parent, self._slots[node.key], is_padded=self._has_padding_above(node)
        )
        self._fields[node.key], self._layouts[node.key] = fields, layout
        return fields, layout

    def _has_padding_above(self, node: Node) -> bool:
        """Whether the ancestors leave tail padding; a class of another library may always."""
        nearest = next((one for one in node.ancestors() if self._fields[one.key]), None)
        other = next((one for one in node.ancestors() if one.options.extern is not None), None)
        if other is not None and (nearest is None or nearest in (other, *other.ancestors())):
            return True
        return leaves_padding([self._fields[one.key] for one in node.lineage()[:-1]])
