"""Checks of a resolved package.

In: a `ResolvedPackage` with its options filled in.  Out: diagnostics. A check is one function and
one line in `check`.
"""

from __future__ import annotations

from collections.abc import Mapping

from tschema.diagnostics.errors import Reporter
from tschema.diagnostics.helps import Help, MoveStatement
from tschema.ir.declarations import FieldDecl
from tschema.ir.model import Field, Restatement, TypeRef
from tschema.passes.class_kinds import check_copy_on_write
from tschema.passes.cpp_namespaces import check_cpp_names
from tschema.passes.documentation import check_documentation
from tschema.passes.former_names import check_former_names
from tschema.passes.functor_names import check_functor_names
from tschema.passes.hierarchy import init_order
from tschema.passes.names import check_names
from tschema.passes.resolved import Node, ResolvedPackage
from tschema.passes.script_forms import check_script_forms


def check(resolved: ResolvedPackage, reporter: Reporter) -> None:
    """Report the errors and the undocumented declarations of a package."""
    check_names(resolved, reporter)
    check_functor_names(resolved, reporter)
    check_cpp_names(resolved, reporter)
    for node in resolved.nodes():
        _check_node(node, reporter)
    check_script_forms(resolved.nodes(), reporter)
    check_former_names(resolved, reporter)
    check_documentation(resolved.files, reporter)


def _check_node(node: Node, reporter: Reporter) -> None:
    _check_duplicate_fields(node, reporter)
    if node.options.register != "hand":
        # The author's own code compares and constructs objects.
        _check_definitions(node, reporter)
        _check_initialized(node, reporter)
    check_copy_on_write(node, reporter)
    _check_private(node, reporter)


def _check_duplicate_fields(node: Node, reporter: Reporter) -> None:
    first: dict[str, FieldDecl] = {}
    for field in node.decl.fields if node.decl else ():
        other = first.setdefault(field.name, field)
        if other is not field:
            reporter.error(
                "TS024",
                f"`{node.name}` has the field `{field.name}` twice",
                field.place,
                notes=[("the first one is here", other.place)],
                help="rename one of them",
            )


def _check_definitions(node: Node, reporter: Reporter) -> None:
    """Report a def field that binds nothing, or that follows a field which can use it."""
    users: list[tuple[str, FieldDecl]] = []
    for info in node.fields:
        field, decl = info.model, info.decl
        if decl is None or not info.registered:
            continue
        if field.structural is None and _may_hold_node(field.type):
            users.append((field.name, decl))
        elif field.structural in ("def", "def_pattern"):
            _check_definition(node, field, decl, users, reporter)


def _check_definition(
    node: Node,
    field: Field,
    decl: FieldDecl,
    users: list[tuple[str, FieldDecl]],
    reporter: Reporter,
) -> None:
    if not _may_hold_node(field.type):
        reporter.error(
            "TS026",
            f"def field `{field.name}` of `{node.name}` holds no node that it could bind",
            decl.place,
            help="remove `structural`",
        )
    elif users:
        name, user = users[0]
        reporter.error(
            "TS027",
            f"def field `{field.name}` of `{node.name}` stands after `{name}`, which can use it",
            decl.place,
            notes=[(f"`{name}` is declared here", user.place)],
            help=Help(f"move `{field.name}` before `{name}`", MoveStatement(user.place.at[0])),
        )


def _may_hold_node(ref: TypeRef) -> bool:
    return any(one.kind in ("node", "Object", "Any") for one in ref.walk())


def _check_initialized(node: Node, reporter: Reporter) -> None:
    """Report fields that neither the constructor, nor a default, nor `PostInit` sets."""
    lineage = node.lineage()
    if node.options.abstract or node.is_broken or any(one.options.post_init for one in lineage):
        return
    for name, (model, decl) in _effective(lineage).items():
        if model.init or model.default is not None or _has_initializer(model):
            continue
        own = decl is not None and decl in (node.decl.fields if node.decl else ())
        notes = [(f"`{name}` is declared here", decl.place)] if decl and not own else []
        reporter.error(
            "TS028",
            f"field `{name}` of `{node.name}` is not initialized",
            decl.place if decl and own else node.place,
            notes=notes,
            help="give it a default, or set it in `PostInit` and write `post_init = True`",
        )


def _has_initializer(model: Field | Restatement) -> bool:
    return isinstance(model, Field) and model.cpp_init is not None


def _check_private(node: Node, reporter: Reporter) -> None:
    """Report restated private fields that the constructor would set, as the parent's does not."""
    parent = node.parent
    taken = init_order(parent) if parent is not None else ()
    private = {
        info.model.name: (one, info)
        for one in node.ancestors()
        for info in one.fields
        if info.model.access == "private"
    }
    if node.options.default_constructible:
        for name in init_order(node):
            if name in private:
                owner, info = private[name]
                reporter.error(
                    "TS023",
                    f"`{node.name}` cannot fill in `{name}`, which is private in `{owner.name}`",
                    node.place,
                    notes=[(f"`{name}` is declared here", info.decl.place if info.decl else None)],
                    help='write `access="protected"` there',
                )
    for restated in node.restated:
        model = restated.model
        if model.name in taken or model.name not in private or restated.decl is None:
            continue
        owner, info = private[model.name]
        if model.init or model.default not in (None, info.model.default):
            reporter.error(
                "TS023",
                f"field `{model.name}` of `{node.name}` cannot be set: it is private in "
                f"`{owner.name}`, whose constructor does not take it",
                restated.decl.place,
                notes=[(f"`{owner.name}` declares it", info.decl.place if info.decl else None)],
                help='write `access="protected"` there',
            )


def _effective(
    lineage: list[Node],
) -> Mapping[str, tuple[Field | Restatement, FieldDecl | None]]:
    """Return the last definition or restatement of each field, with its declaration."""
    found: dict[str, tuple[Field | Restatement, FieldDecl | None]] = {}
    for node in lineage:
        registered = (info for info in node.fields if info.registered)
        found.update((info.model.name, (info.model, info.decl)) for info in registered)
        found.update((info.model.name, (info.model, info.decl)) for info in node.restated)
    return found
